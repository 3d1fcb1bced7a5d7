"""The generalized inertia matrix by composite bodies (Saha 1999, eqs. (23b) and (24)).

The composite body i is everything beyond joint i, made rigid. Its resistance to the motion of joint i, carried to the
joints between it and the base, is column i of the matrix.
"""

from __future__ import annotations

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, dot, is_zero, zeros
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import carry, named
from symgen.robot.model import BASE


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
            moment, force = composite.wrench(column[:3], column[3:])
            _fill(mechanism, matrix, index, j, moment, force)
        if body.parent != BASE:
            total = composites[body.parent] + composite.moved(body.rotation, body.position)
            composites[body.parent] = named_inertia(domain, mechanism.bodies[body.parent], total)
    for i, rotor in enumerate(mechanism.rotor_inertias):
        matrix[i, i] = matrix[i, i] + rotor
    return matrix


def inertia_entry(mechanism: Mechanism, i: int, j: int) -> Scalar:
    """I_ij = p_iᵀ M̃_i A_ij p_j with i the outer joint, without the other entries (1999, eq. (24)).

    Of joints that move together it is the sum over all pairs of them.
    """
    outer, inner = _columns(mechanism, max(i, j)), _columns(mechanism, min(i, j))
    entry = mechanism.domain.constant(0)
    for index, column in outer:
        for carrier, other in inner:
            if index == carrier or carrier in mechanism.ancestors(index):
                entry = _pair(mechanism, index, column, carrier, other) + entry
            elif index in mechanism.ancestors(carrier):
                entry = _pair(mechanism, carrier, other, index, column) + entry
    return entry + mechanism.rotor_inertias[i] if i == j else entry


def _pair(mechanism: Mechanism, index: int, column: Vector, carrier: int, inner: Vector) -> Scalar:
    """p_iᵀ M̃_i A_ij p_j of a column of body `index` and one of a body that carries it, or of itself."""
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


def _columns(mechanism: Mechanism, velocity: int) -> list[tuple[int, Vector]]:
    """(body, column p) of a velocity, of all joints that move with it."""
    return [
        (index, column)
        for index, body in enumerate(mechanism.bodies)
        for column, known in zip(body.subspace, body.velocities, strict=True)
        if known == velocity
    ]


def _fill(mechanism: Mechanism, matrix: Matrix, index: int, j: int, moment: Vector, force: Vector) -> None:
    """Column j of the matrix: project the wrench of body `index` on its joint and on those inward of it."""
    domain, outer = mechanism.domain, index
    while index != BASE:
        body = mechanism.bodies[index]
        for column, i in zip(body.subspace, body.velocities, strict=True):
            entry = dot(column[:3], moment) + dot(column[3:], force)
            if index == outer:
                # Within a body each pair of columns comes twice.
                if i <= j:
                    matrix[i, j] = matrix[j, i] = domain.define(f"I{i + 1}_{j + 1}", _more(matrix[i, j], entry))
            elif i == j:
                # Joints that move together act on each other both ways.
                matrix[i, j] = domain.define(f"I{i + 1}_{j + 1}", _more(matrix[i, j], entry + entry))
            else:
                low, high = sorted((i, j))
                total = domain.define(f"I{low + 1}_{high + 1}", _more(matrix[i, j], entry))
                matrix[i, j] = matrix[j, i] = total
        if body.parent != BASE:
            moment, force = carry(domain, body, moment, force)
        index = body.parent


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
