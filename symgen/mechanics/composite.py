"""The generalized inertia matrix by composite bodies (Saha 1999, eqs. (23b) and (24)).

The composite body i is everything beyond joint i, made rigid. Its resistance to the motion of joint i, carried to the
joints between it and the base, is column i of the matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import add

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, dot, is_zero, zeros
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import carry, named
from symgen.robot.model import BASE

Carried = tuple[int, Vector, Vector]
"""A wrench, moment and force, about the origin of a body and in its axes: (index of the body, moment, force)."""


def inertia_matrix(mechanism: Mechanism) -> Matrix:
    """The GIM, nv × nv, symmetric; zero between joints of different branches; rotors are on its diagonal.

    Entries in kg m² between joints that turn, kg between those that slide, kg m between one and the other.
    """
    domain = mechanism.domain
    matrix = zeros(domain, mechanism.nv, mechanism.nv)
    composites = [body.inertia for body in mechanism.bodies]
    for index in reversed(range(len(mechanism.bodies))):
        body, composite = mechanism.bodies[index], composites[index]
        for column, j in zip(body.subspace, body.velocities, strict=True):
            wrench = composite.wrench(column[:3], column[3:])
            fill(mechanism, matrix, "I", j, _carried(mechanism, index, *wrench))
        if body.parent != BASE:
            total = composites[body.parent] + composite.moved(body.rotation, body.position)
            composites[body.parent] = named_inertia(domain, mechanism.bodies[body.parent], total)
    for i, rotor in enumerate(mechanism.rotor_inertias):
        matrix[i, i] = matrix[i, i] + rotor
    return matrix


def inertia_entry(mechanism: Mechanism, i: int, j: int) -> Scalar:
    """I_ij = p_iᵀ M̃_i A_ij p_j with i the outer joint, without the other entries (1999, eq. (24)).

    Where joints move together it is the sum over those that i moves and those that j moves.
    """
    i, j = max(i, j), min(i, j)
    parts = [_coupling(mechanism, one, other) for one in _joints(mechanism, i) for other in _joints(mechanism, j)]
    entry = reduce(add, (part for part in parts if part is not None), mechanism.domain.constant(0))
    return entry + mechanism.rotor_inertias[i] if i == j else entry


def _coupling(mechanism: Mechanism, one: tuple[int, Vector], other: tuple[int, Vector]) -> Scalar | None:
    """pᵀ M̃ A p of two columns of bodies, whichever is the outer one; None if neither body carries the other."""
    if other[0] in mechanism.ancestors(one[0]) or one[0] == other[0]:
        (index, column), (carrier, inner) = one, other
    elif one[0] in mechanism.ancestors(other[0]):
        (index, column), (carrier, inner) = other, one
    else:
        return None
    moment, force = composite_inertia(mechanism, index).wrench(column[:3], column[3:])
    while index != carrier:
        body = mechanism.bodies[index]
        moment, force = carry(mechanism.domain, body, moment, force)
        index = body.parent
    return dot(inner[:3], moment) + dot(inner[3:], force)


def composite_inertia(mechanism: Mechanism, index: int) -> SpatialInertia:
    """M̃ of body `index`, about the origin of its frame, in its axes: the bodies it carries, made rigid."""
    carried = [k for k in range(len(mechanism.bodies)) if k == index or index in mechanism.ancestors(k)]
    total = {k: mechanism.bodies[k].inertia for k in carried}
    for k in reversed(carried[1:]):
        body = mechanism.bodies[k]
        total[body.parent] = total[body.parent] + total[k].moved(body.rotation, body.position)
    return total[index]


def _joints(mechanism: Mechanism, velocity: int) -> list[tuple[int, Vector]]:
    """(body, column p) of all that moves with a velocity."""
    return [
        (index, column)
        for index, body in enumerate(mechanism.bodies)
        for column, known in zip(body.subspace, body.velocities, strict=True)
        if known == velocity
    ]


def _carried(mechanism: Mechanism, index: int, moment: Vector, force: Vector) -> Iterator[Carried]:
    """A wrench on body `index`, seen from it and from all that carry it."""
    while True:
        body = mechanism.bodies[index]
        yield index, moment, force
        index = body.parent
        if index == BASE:
            return
        moment, force = carry(mechanism.domain, body, moment, force)


def fill(mechanism: Mechanism, matrix: Matrix, stem: str, j: int, carried: Iterable[Carried]) -> None:
    """Column j of a symmetric matrix: a wrench is projected on the joint that asks for it, and on those inward of it.

    `carried` are the bodies, the outermost first, each with the wrench; entries are defined as stem1_2.
    """
    domain, outer = mechanism.domain, None
    for index, moment, force in carried:
        outer = index if outer is None else outer
        body = mechanism.bodies[index]
        for column, i in zip(body.subspace, body.velocities, strict=True):
            entry = dot(column[:3], moment) + dot(column[3:], force)
            if index == outer:
                # Within a body each pair of columns comes twice.
                if i <= j:
                    total = domain.define(f"{stem}{i + 1}_{j + 1}", _more(matrix[i, j], entry))
                    matrix[i, j] = matrix[j, i] = total
            elif i == j:
                # Joints that move together act on each other both ways.
                matrix[i, j] = domain.define(f"{stem}{i + 1}_{j + 1}", _more(matrix[i, j], entry + entry))
            else:
                low, high = sorted((i, j))
                total = domain.define(f"{stem}{low + 1}_{high + 1}", _more(matrix[i, j], entry))
                matrix[i, j] = matrix[j, i] = total


def _more(total: Scalar, entry: Scalar) -> Scalar:
    """The sum, as it is where there is nothing yet."""
    return entry if is_zero(total) else total + entry


def named_inertia(domain: Domain, body: Body, inertia: SpatialInertia) -> SpatialInertia:
    """The inertia of a composite body with its parameters defined by name."""
    tensor = inertia.tensor.copy()
    for i in range(3):
        for j in range(i, 3):
            name = f"J{body.label}_{'xyz'[i]}{'xyz'[j]}"
            tensor[i, j] = tensor[j, i] = domain.define(name, tensor[i, j])
    return SpatialInertia(
        domain.define(f"m{body.label}c", inertia.mass),
        named(domain, f"ms{body.label}", inertia.first_moment),
        tensor,
    )
