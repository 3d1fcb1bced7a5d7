"""The centre of mass of all bodies, and the Jacobian of its velocity.

The bodies that joint i carries, made rigid, move the centre of mass with their share of all mass: with μ_i of it and
the first moment σ_i about the origin of body i, both divided by the whole mass, a column [ω; v] of joint i gives it the
velocity ω × σ_i + μ_i v (Saha's composite bodies, of which nothing but these four numbers is needed). Shares are taken
of the bodies' own mass, so that no division is left where masses are numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, dot, is_zero, vector, zeros
from symgen.mechanics.kinematics import poses
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.newton_euler import named
from symgen.robot.model import BASE


class MasslessError(Exception):
    """The bodies that joints carry have no mass, so that there is no centre of it."""


@dataclass(frozen=True)
class Share:
    """Mass, and first moment (m) about the origin of a body's frame in its axes, per kg of all bodies together."""

    mass: Scalar
    moment: Vector


def total_mass(mechanism: Mechanism) -> Scalar:
    """The mass of all bodies (kg), lumped links included, the base not; `MasslessError` where it is the constant 0."""
    total = mechanism.domain.constant(0)
    for body in mechanism.bodies:
        total = total + body.inertia.mass
    if is_zero(total):
        raise MasslessError
    return total


def composite_shares(mechanism: Mechanism) -> list[Share]:
    """The share that every body has of all mass together with what it carries; `MasslessError` without mass."""
    domain, part = mechanism.domain, mechanism.domain.constant(1) / total_mass(mechanism)
    shares = [Share(body.inertia.mass * part, body.inertia.first_moment * part) for body in mechanism.bodies]
    for index in reversed(range(len(shares))):
        body = mechanism.bodies[index]
        if body.parent != BASE:
            label, carrier = mechanism.bodies[body.parent].label, shares[body.parent]
            moment = named(domain, f"mu{label}", carrier.moment + seen_from_carrier(mechanism, index, shares[index]))
            shares[body.parent] = Share(carrier.mass + shares[index].mass, moment)
    return shares


def seen_from_carrier(mechanism: Mechanism, index: int, share: Share) -> Vector:
    """The first moment of a body's share about the origin of its carrier's frame, in that frame's axes."""
    body = mechanism.bodies[index]
    return vector(body.rotation.to_parent(share.moment) + body.position * share.mass)


def centre_of_mass(mechanism: Mechanism) -> Vector:
    """c, 3 (m), in the base frame; `MasslessError` without mass."""
    total = zeros(mechanism.domain, 3)
    for index, share in enumerate(composite_shares(mechanism)):
        if mechanism.bodies[index].parent == BASE:
            total = total + seen_from_carrier(mechanism, index, share)
    return total


def jacobian_inward(mechanism: Mechanism) -> Matrix:
    """J, 3×nv, in base axes: ċ = J q̇; its columns are turned inward, body by body. `MasslessError` without mass."""
    shares = composite_shares(mechanism)
    columns: list[dict[int, Vector]] = [{} for _ in mechanism.bodies]
    result: dict[int, Vector] = {}
    for index in reversed(range(len(mechanism.bodies))):
        body = mechanism.bodies[index]
        _add(columns[index], _own_columns(mechanism, index, shares[index]))
        carrier = result if body.parent == BASE else columns[body.parent]
        _add(carrier, {i: body.rotation.to_parent(column) for i, column in columns[index].items()})
    return _matrix(mechanism, result)


def jacobian_outward(mechanism: Mechanism) -> Matrix:
    """The same J, 3×nv; its columns are turned by the orientations of the bodies in the base frame."""
    shares = composite_shares(mechanism)
    result: dict[int, Vector] = {}
    for index, pose in enumerate(poses(mechanism)):
        own = _own_columns(mechanism, index, shares[index])
        _add(result, {i: vector(dot(row, column) for row in pose.rotation) for i, column in own.items()})
    return _matrix(mechanism, result)


def _own_columns(mechanism: Mechanism, index: int, share: Share) -> dict[int, Vector]:
    """Index in q̇ → velocity of the centre of mass per unit of it by a body's own joint, in its axes."""
    body = mechanism.bodies[index]
    return {
        i: cross(column[:3], share.moment) + column[3:] * share.mass
        for column, i in zip(body.subspace, body.velocities, strict=True)
    }


def _add(columns: dict[int, Vector], further: dict[int, Vector]) -> None:
    """Further columns among others: joints that move together share one."""
    for i, column in further.items():
        columns[i] = columns[i] + column if i in columns else column


def _matrix(mechanism: Mechanism, columns: dict[int, Vector]) -> Matrix:
    matrix = zeros(mechanism.domain, 3, mechanism.nv)
    for i, column in columns.items():
        matrix[:, i] = column
    return matrix
