"""Kinetic and potential energy of a mechanism (J)."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Scalar, Vector, cross, dot, is_zero, vector
from symgen.mechanics.kinematics import twists
from symgen.mechanics.loops.cut_joints import driven
from symgen.mechanics.mechanism import Mechanism
from symgen.robot.model import BASE


def kinetic_energy(mechanism: Mechanism, velocity: Sequence[Scalar]) -> Scalar:
    """½ Σ (ωᵀ J ω + m v² + 2 v·(ω × s)) over the bodies, in link frames, and ½ Σ of rotor inertias, in J.

    `velocity` is q̇, nv; with s the first moment about the frame's origin and v the velocity of that origin.
    """
    total = mechanism.domain.constant(0)
    for index, rotor in enumerate(mechanism.rotor_inertias):
        total = total + rotor * velocity[index] * velocity[index]
    for body, twist in zip(mechanism.bodies, twists(mechanism, velocity), strict=True):
        w, v, inertia = twist.angular, twist.linear, body.inertia
        momentum = vector([dot(row, w) for row in inertia.tensor])
        coupling = cross(w, inertia.first_moment)
        total = total + dot(w, momentum) + dot(v, v * inertia.mass + coupling + coupling)
    return total / mechanism.domain.constant(2)


def potential_energy(mechanism: Mechanism, gravity: Vector) -> Scalar:
    """−g · Σ m c + ½ Σ K x² of springs, in J, zero with all mass at the base's origin and all springs slack.

    `gravity` g, 3, is in the base frame (m/s²). First moments are summed from the tips inward.
    """
    domain = mechanism.domain
    moments = [(body.inertia.mass, body.inertia.first_moment) for body in mechanism.bodies]
    total = domain.constant(0)
    for index in reversed(range(len(mechanism.bodies))):
        body = mechanism.bodies[index]
        mass, moment = moments[index]
        moment = body.rotation.to_parent(moment) + body.position * mass
        if body.parent == BASE:
            total = total - dot(gravity, moment)
        else:
            outer_mass, outer = moments[body.parent]
            moments[body.parent] = (outer_mass + mass, outer + moment)
    for drive in (*(body.drive for body in mechanism.bodies), *(each.drive for each in driven(mechanism))):
        if not is_zero(drive.stiffness):
            total = total + drive.spring * drive.stretch / domain.constant(2)
    return total
