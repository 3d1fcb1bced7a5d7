"""What the joints between the base and a body let it do, as far as some of its inertia cannot act on the joints.

A body that only slides shows nothing but its mass. One that turns about one direction shows of its tensor the entry
about that direction, and of its first moment what lies across it, and this only where gravity pulls across or where the
origin itself moves across. Without gravity, a body that turns about a point at rest shows no first moment about it.
These are the cases that have special rules in Gautier and Khalil (1990), and what they become for joints with a pitch:
what turns and moves along an axis by one pitch shows its mass as inertia about that axis alone. One case is not among
them: without gravity, bodies on an axis that meets that of such a joint at right angles show some parameters less than
is said here. All decisions are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from symgen.algebra.domain import Domain, Scalar, Vector, cross, dot, is_zero, vector, zeros
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.rotation import Rotation
from symgen.robot.model import BASE


class Turning(Enum):
    """About how many directions a body can turn."""

    NONE = 0
    ONE = 1
    ALL = 3


@dataclass(frozen=True)
class Freedom:
    """How a body can move; directions are in its own axes, before the turn of its joint.

    `slides`: directions in which it slides, gravity among them, while it does not turn. `axis`: the direction it turns
    about, while there is one. `across`: whether its first moment across that direction acts. `pivot`: where on the axis
    of a joint that turns a point is at rest; None if no point is, or if there is gravity. While there is one direction,
    all of the axis is at rest unless it is None. `pitch`: how far it moves along the axis per turn about it, m/rad,
    while all that turns it, and nothing else, moves it along, gravity neither; else None.
    """

    turning: Turning
    slides: tuple[Vector, ...]
    axis: Vector
    across: bool
    pivot: Scalar | None
    pitch: Scalar | None = None


def freedoms(mechanism: Mechanism) -> list[Freedom]:
    """The freedom of every body."""
    domain = mechanism.domain
    pivot = domain.constant(0) if all(map(is_zero, mechanism.gravity)) else None
    # Gravity acts as an acceleration of the base does: like a slide in its direction.
    base = Freedom(Turning.NONE, (mechanism.gravity,), zeros(domain, 3), False, pivot)
    result: list[Freedom] = []
    for body in mechanism.bodies:
        result.append(_beyond(domain, base if body.parent == BASE else result[body.parent], body))
    return result


def turns(body: Body) -> bool:
    """Whether the body's joint turns it."""
    return any(not is_zero(entry) for column in body.subspace for entry in column[:3])


def slides(body: Body) -> bool:
    """Whether the body's joint slides it."""
    return any(not is_zero(entry) for column in body.subspace for entry in column[3:])


def turns_about_all(body: Body) -> bool:
    """Whether the body's joint alone turns it in all directions."""
    return sum(not all(map(is_zero, column[:3])) for column in body.subspace) == 3


def fixed_rotation(body: Body) -> Rotation:
    """The constant part of a body's rotation: without the turn, or the orientation, of its joint."""
    return Rotation(body.rotation.turns[:-1]) if turns(body) else body.rotation


def z_axis(domain: Domain) -> Vector:
    """(0, 0, 1), the direction of every joint in its own axes."""
    return vector([domain.constant(0), domain.constant(0), domain.constant(1)])


def parallel(a: Vector, b: Vector) -> bool:
    """Whether two directions are the same or opposite; 0 is parallel to all."""
    return all(map(is_zero, cross(a, b)))


def _beyond(domain: Domain, carrier: Freedom, body: Body) -> Freedom:
    """The freedom of a body whose carrier has this one."""
    rotation, z = fixed_rotation(body), z_axis(domain)
    if turns_about_all(body):
        return Freedom(Turning.ALL, (), z, True, None)
    axis = rotation.to_child(carrier.axis)
    rests = carrier.pivot if not slides(body) else None
    if carrier.turning is Turning.NONE:
        ways = tuple(map(rotation.to_child, carrier.slides))
        if not turns(body):
            return Freedom(Turning.NONE, (*ways, z), axis, False, None)
        across = not all(parallel(way, z) for way in ways)
        along = body.is_free or not all(is_zero(way[2]) for way in ways)
        return Freedom(Turning.ONE, (), z, across or body.is_free, rests, None if along else _pitch(body))
    if carrier.turning is Turning.ONE and parallel(axis, z):
        across = carrier.across or not parallel(body.position, carrier.axis)
        is_one = (
            turns(body) and not body.is_free and carrier.pitch is not None and is_zero(carrier.pitch - _pitch(body))
        )
        return replace(
            carrier,
            axis=axis,
            across=across,
            pivot=rests if not across else None,
            pitch=carrier.pitch if is_one else None,
        )
    if not turns(body):
        # Only screws slide without turning.
        return replace(carrier, axis=axis, across=True, pivot=None, pitch=carrier.pitch if is_zero(axis[2]) else None)
    pivot = None if rests is None else _pivot(carrier, body, rotation.to_parent(z))
    return Freedom(Turning.ALL, (), axis, True, pivot)


def _pitch(body: Body) -> Scalar:
    """How far a joint that turns slides per turn, m/rad; 0 if it only turns."""
    return body.screw[5] / body.screw[2]


def _pivot(carrier: Freedom, body: Body, axis: Vector) -> Scalar | None:
    """Where on the body's joint axis, whose direction `axis` is in the carrier's axes, a point is at rest."""
    if carrier.pivot is None:
        return None
    if carrier.turning is Turning.ALL:
        to_pivot = -body.position
        to_pivot[2] = to_pivot[2] + carrier.pivot
        return dot(to_pivot, axis) if parallel(to_pivot, axis) else None
    normal = cross(carrier.axis, axis)
    if not is_zero(dot(body.position, normal)):
        return None
    # The axes meet: all of the carrier's is at rest, and what lies across it of a point of the body's must vanish.
    across = cross(carrier.axis, body.position)
    index = next(k for k in range(3) if not is_zero(normal[k]))
    return -across[index] / normal[index]
