"""Centroidal momentum: angular momentum k about the centre of mass and linear momentum l, and their map from q̇.

Momenta are carried inward as wrenches are, and neither k nor l depends on where the whole is. So where one body carries
all others (the base of a floating robot, the first link of an arm) they are gathered at it, moved from its origin to
the centre of mass, k = n − c × l, and only then turned into base axes. The first rows of the inertia matrix of a
floating robot are its momenta about the base's origin in the base's axes (Orin, Goswami and Lee 2013); columns that are
gathered inward are these rows, without the rest of the matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, dot, vector, zeros
from symgen.mechanics.composite import named_inertia
from symgen.mechanics.inertia import SpatialInertia, shifted
from symgen.mechanics.kinematics import poses, twists
from symgen.mechanics.mass_centre import composite_shares, seen_from_carrier, total_mass
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import carry, named
from symgen.mechanics.rotation import Rotation
from symgen.robot.model import BASE

Momentum = tuple[Vector, Vector]
"""(angular momentum about a point, linear momentum)."""


@dataclass(frozen=True)
class _Trunk:
    """Where momenta are gathered: the one body that carries all others or, where there are several, the base.

    `rotation` leads from its axes to the base's; `centre`: the centre of mass from its origin, in its axes.
    """

    body: int
    rotation: Rotation
    centre: Vector


def _trunk(mechanism: Mechanism) -> _Trunk:
    """`MasslessError` without mass."""
    shares = composite_shares(mechanism)
    roots = [index for index, body in enumerate(mechanism.bodies) if body.parent == BASE]
    if len(roots) == 1:
        (root,) = roots
        return _Trunk(root, mechanism.bodies[root].rotation, shares[root].moment)
    centre = zeros(mechanism.domain, 3)
    for root in roots:
        centre = centre + seen_from_carrier(mechanism, root, shares[root])
    return _Trunk(BASE, Rotation(), named(mechanism.domain, "c", centre))


def _centroidal(trunk: _Trunk, momentum: Momentum) -> Vector:
    """[k; l], 6, in base axes, of a momentum about the trunk's origin in its axes."""
    angular, linear = momentum
    return _turned(trunk, angular - cross(trunk.centre, linear), linear)


def _turned(trunk: _Trunk, angular: Vector, linear: Vector) -> Vector:
    return vector([*trunk.rotation.to_parent(angular), *trunk.rotation.to_parent(linear)])


# momentum --------------------------------------------------------------------------------------------


def centroidal_momentum(mechanism: Mechanism, velocity: Sequence[Scalar]) -> Vector:
    """h = [k; l], 6, in base axes, of the links at q̇ = `velocity`, nv; rotors are not in it.

    k is the angular momentum about the centre of mass (kg m²/s), l the linear momentum (kg m/s). `MasslessError`
    without mass.
    """
    domain, trunk = mechanism.domain, _trunk(mechanism)
    momenta = [
        body.inertia.wrench(twist.angular, twist.linear)
        for body, twist in zip(mechanism.bodies, twists(mechanism, velocity), strict=True)
    ]
    total = zeros(domain, 3), zeros(domain, 3)
    for index in reversed(range(len(momenta))):
        body = mechanism.bodies[index]
        if index == trunk.body:
            return _centroidal(trunk, momenta[index])
        carried = carry(domain, body, *momenta[index])
        if body.parent == BASE:
            total = _sum(total, carried)
        else:
            label, (angular, linear) = mechanism.bodies[body.parent].label, _sum(momenta[body.parent], carried)
            momenta[body.parent] = named(domain, f"h{label}", angular), named(domain, f"l{label}", linear)
    return _centroidal(trunk, total)


def _sum(momentum: Momentum, other: Momentum) -> Momentum:
    return momentum[0] + other[0], momentum[1] + other[1]


# its matrix ------------------------------------------------------------------------------------------


def momentum_matrix_inward(mechanism: Mechanism) -> Matrix:
    """A, 6×nv, in base axes: h = A q̇; columns are carried inward, body by body. `MasslessError` without mass."""
    domain, trunk, composites = mechanism.domain, _trunk(mechanism), _composites(mechanism)
    columns: dict[int, dict[int, Momentum]] = {index: {} for index in range(BASE, len(mechanism.bodies))}
    for index in reversed(range(len(mechanism.bodies))):
        if index == trunk.body:
            break
        body = mechanism.bodies[index]
        _add(columns[index], _own_columns(body, composites[index]))
        _add(columns[body.parent], {i: carry(domain, body, *momentum) for i, momentum in columns[index].items()})
    matrix = zeros(domain, 6, mechanism.nv)
    for i, momentum in columns[trunk.body].items():
        matrix[:, i] = _centroidal(trunk, momentum)
    if trunk.body != BASE:
        for i, column in _trunk_columns(mechanism, trunk, composites[trunk.body]).items():
            matrix[:, i] = matrix[:, i] + column
    return matrix


def _trunk_columns(mechanism: Mechanism, trunk: _Trunk, composite: SpatialInertia) -> dict[int, Vector]:
    """[k; l] per unit of the rates of the trunk's own joint: from its inertia about the centre of mass."""
    domain, body, centre = mechanism.domain, mechanism.bodies[trunk.body], trunk.centre
    none, mass = zeros(domain, 3), total_mass(mechanism)
    tensor = shifted(composite.tensor, composite.first_moment, none, -centre)
    return {
        i: _turned(
            trunk,
            vector(dot(row, column[:3]) for row in tensor),
            column[3:] * mass + cross(column[:3], composite.first_moment),
        )
        for column, i in zip(body.subspace, body.velocities, strict=True)
    }


def momentum_matrix_outward(mechanism: Mechanism) -> Matrix:
    """The same A, 6×nv; columns are turned by the orientations of the bodies in the base frame, and moved at once."""
    domain, trunk = mechanism.domain, _trunk(mechanism)
    if trunk.body != BASE:
        # Momenta do not depend on where the whole is: the trunk's origin may lie in that of the base.
        bodies = list(mechanism.bodies)
        bodies[trunk.body] = replace(bodies[trunk.body], position=zeros(domain, 3))
        mechanism = replace(mechanism, bodies=tuple(bodies))
    centre = named(domain, "c", trunk.rotation.to_parent(trunk.centre))
    matrix = zeros(domain, 6, mechanism.nv)
    for body, pose, composite in zip(mechanism.bodies, poses(mechanism), _composites(mechanism), strict=True):
        for i, momentum in _own_columns(body, composite).items():
            angular, linear = (vector(dot(row, part) for row in pose.rotation) for part in momentum)
            column = vector([*(angular + cross(pose.origin - centre, linear)), *linear])
            matrix[:, i] = matrix[:, i] + column
    return matrix


def _composites(mechanism: Mechanism) -> list[SpatialInertia]:
    """Every body with what it carries, made rigid, about the origin of its frame."""
    composites = [body.inertia for body in mechanism.bodies]
    for index in reversed(range(len(composites))):
        body = mechanism.bodies[index]
        if body.parent != BASE:
            total = composites[body.parent] + composites[index].moved(body.rotation, body.position)
            composites[body.parent] = named_inertia(mechanism.domain, mechanism.bodies[body.parent], total)
    return composites


def _own_columns(body: Body, composite: SpatialInertia) -> dict[int, Momentum]:
    """Index in q̇ → momentum per unit of it about the body's origin, in its axes, by its own joint."""
    return {
        i: composite.wrench(column[:3], column[3:]) for column, i in zip(body.subspace, body.velocities, strict=True)
    }


def _add(columns: dict[int, Momentum], further: dict[int, Momentum]) -> None:
    """Further columns among others: joints that move together share one."""
    for i, momentum in further.items():
        columns[i] = _sum(columns[i], momentum) if i in columns else momentum
