"""What the joints of legs do to what these share: their columns p̃, and how that accelerates (see `legs`)."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Matrix, Vector, cross, dot, identity, vector, zeros
from symgen.mechanics.formulations.legs import Leg, Legs
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.kinematics import applied, from_inner, from_outer, path
from symgen.mechanics.loops.points import pushed
from symgen.mechanics.mechanism import Body, DriveTerms, Mechanism
from symgen.mechanics.newton_euler import Motion
from symgen.mechanics.rotation import Orientation, Rotation
from symgen.robot.model import BASE


def columns(mechanism: Mechanism, legs: Legs, leg: Leg) -> dict[int, Vector]:
    """Index of a rate → p̃, as many entries as count, of all joints of a leg from the base on."""
    steps = []
    axes = _start(mechanism, legs)
    for index in leg.bodies:
        segment = applied(axes, mechanism.bodies[index].position)
        axes = _carried(mechanism, legs, index, axes)
        steps.append((index, axes, segment))
    way = _way(mechanism, legs, leg)
    arm = applied(axes, leg.tip.position) + way
    found: dict[int, Vector] = {}
    for index, turned, segment in reversed(steps):
        body = mechanism.bodies[index]
        for column, rate in zip(body.subspace, body.velocities, strict=True):
            angular, linear = applied(turned, column[:3]), applied(turned, column[3:])
            found[rate] = _counted(legs, angular, linear + cross(angular, arm))
        arm = arm + segment
    for rate, turn in zip(leg.own, _own_axes(mechanism, legs) if leg.own else (), strict=True):
        found[rate] = _counted(legs, turn, cross(turn, way))
    return {rate: found[rate] for rate in leg.joints}


def columns_at(mechanism: Mechanism, legs: Legs, leg: Leg, origin: Vector) -> Matrix:
    """A_ei, as many rows as count ×6: t_e, were all joints beyond fixed, of the twist at a point of the leg.

    `origin`: the point, and the twist's axes those of the base, which t_e's must be too.
    """
    assert not legs.turned
    arm = _end(mechanism, legs, leg) - origin
    result = zeros(mechanism.domain, len(legs.entries), 6)
    for column, unit in enumerate(identity(mechanism.domain, 6)):
        result[:, column] = _counted(legs, unit[:3], unit[3:] + cross(unit[:3], arm))
    return result


def _end(mechanism: Mechanism, legs: Legs, leg: Leg) -> Vector:
    """P in base axes, as the leg has it."""
    axes, point = identity(mechanism.domain, 3), zeros(mechanism.domain, 3)
    for index in leg.bodies:
        point = point + applied(axes, mechanism.bodies[index].position)
        axes = _carried(mechanism, legs, index, axes)
    return point + applied(axes, leg.tip.position) + _way(mechanism, legs, leg)


def twist_drift(mechanism: Mechanism, legs: Legs, leg: Leg, motions: Sequence[Motion]) -> Vector:
    """What is left of the rate of t_e, as the leg has it, at q̈ = 0: entries that count (rad/s², m/s²).

    `motions`: of all bodies at consistent q̇ and q̈ = 0 of the tree.
    """
    domain = mechanism.domain
    angular, linear = zeros(domain, 3), zeros(domain, 3)
    if leg.tip.body != BASE:
        axes = _axes(mechanism, legs, leg.bodies)
        angular = applied(axes, motions[leg.tip.body].angular_acceleration)
        linear = applied(axes, pushed(leg.tip, motions, zeros(domain, 3)))
    if leg.own:
        assert legs.platform is not None
        axes, way = _axes(mechanism, legs, path(mechanism, legs.platform)), _way(mechanism, legs, leg)
        spin = applied(axes, motions[legs.platform].angular_velocity)
        if legs.normal is None and leg.tip.body != BASE:
            # The freedoms turn about axes of the platform.
            carried = applied(_axes(mechanism, legs, leg.bodies), motions[leg.tip.body].angular_velocity)
            angular = angular + cross(carried, spin)
        linear = linear + cross(angular, way) + cross(spin, cross(spin, way))
    return _counted(legs, angular, linear)


def platform_on(mechanism: Mechanism, legs: Legs, leg: Leg, inertia: SpatialInertia) -> Body:
    """A body with the platform's axes at a leg's tip, which the cut joint's own freedoms move there."""
    assert legs.platform is not None
    platform, domain = mechanism.bodies[legs.platform], mechanism.domain
    turned, carried = _axes(mechanism, legs, path(mechanism, legs.platform)), _axes(mechanism, legs, leg.bodies)
    rotation = zeros(domain, 3, 3)
    for i in range(3):
        rotation[i] = [dot(carried[:, i], turned[:, j]) for j in range(3)]
    turns = list(identity(domain, 3))
    if legs.normal is not None:
        turns = [applied(turned.T, turn) for turn in _own_axes(mechanism, legs)]
    nothing = domain.constant(0)
    return Body(
        number=platform.number,
        name=platform.name,
        joint="",
        parent=leg.tip.body,
        rotation=Rotation((Orientation(rotation),)),
        position=leg.tip.position,
        subspace=tuple(vector([*turn, *zeros(domain, 3)]) for turn in turns),
        velocities=leg.own,
        inertia=inertia.moved(Rotation(), -leg.seat.position),
        drive=DriveTerms(nothing, nothing, nothing, None, *([nothing] * 5)),
        label=f"{platform.label}on{leg.rates[-1]}",
    )


def _own_axes(mechanism: Mechanism, legs: Legs) -> Sequence[Vector]:
    """The directions about which a cut joint turns the platform: the normal of the plane, or the platform's axes."""
    if legs.normal is not None:
        return [identity(mechanism.domain, 3)[legs.normal]]
    assert legs.platform is not None
    return list(_axes(mechanism, legs, path(mechanism, legs.platform)).T)


def _counted(legs: Legs, angular: Vector, linear: Vector) -> Vector:
    twist = [*angular, *linear]
    return vector(twist[entry] for entry in legs.entries)


def _start(mechanism: Mechanism, legs: Legs) -> Matrix:
    """The axes of the base in those that twists are in."""
    axes = identity(mechanism.domain, 3)
    if legs.turned:
        assert legs.platform is not None
        axes = from_outer(mechanism.bodies[legs.platform].rotation, axes)
    return axes


def _axes(mechanism: Mechanism, legs: Legs, bodies: Sequence[int]) -> Matrix:
    """The axes of the last of these bodies, which lead from the base to it, in those that twists are in."""
    axes = _start(mechanism, legs)
    for index in bodies:
        axes = _carried(mechanism, legs, index, axes)
    return axes


def _carried(mechanism: Mechanism, legs: Legs, index: int, axes: Matrix) -> Matrix:
    """The axes of a body in those that twists are in, by those of the body that carries it."""
    if legs.turned and index == legs.platform:
        return identity(mechanism.domain, 3)
    return from_inner(mechanism.bodies[index].rotation, axes)


def _way(mechanism: Mechanism, legs: Legs, leg: Leg) -> Vector:
    """From where the leg meets the platform to P, as the platform has it; 0 where all its points move alike."""
    if legs.platform is None or not leg.own:
        return zeros(mechanism.domain, 3)
    axes = _axes(mechanism, legs, path(mechanism, legs.platform))
    return applied(axes, legs.point.position - leg.seat.position)
