"""Motions by a reference velocity v and acceleration a at the velocity q̇: of I a + C v + gravity, as one recursion.

With J the Jacobian of a point of a body, C of Christoffel's symbols is Σ m Jᵀ J̇ over all points (see `coriolis`), so
that I a + C v is what the points' accelerations J a + J̇ v need. In a body these are those of its origin, and U r for a
point at r, with

    U = ζ × 1 + (ω_v × 1)(ω × 1) = ζ × 1 + ω ω_vᵀ − (ω · ω_v) 1

where ω and ω_v are the angular velocities at q̇ and at v, and ζ is J_ω a + J̇_ω v. At v = q̇ and a = q̈ that is the
recursion of `newton_euler`, with ζ = ω̇; U is all that forces and moments depend on beside the origin's acceleration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, dot, vector, zeros
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import Motion, joint_motion, named
from symgen.robot.model import BASE


@dataclass(frozen=True)
class Reference:
    """The reference velocity v and acceleration a of the tree's joints, nv each."""

    velocity: Sequence[Scalar]
    acceleration: Sequence[Scalar]


@dataclass(frozen=True)
class ReferenceMotion(Motion):
    """The motion with ω_v for its angular velocity and ζ for its angular acceleration; `spin` is ω."""

    spin: Vector

    def turning(self, domain: Domain) -> tuple[Vector, tuple[Scalar, Scalar, Scalar]]:
        """What U is made of off its diagonal: its axial vector, and its symmetric part."""
        U, half = self.U, domain.constant(1) / domain.constant(2)
        pairs = ((2, 1), (0, 2), (1, 0))
        yz, xz, xy = ((U[i, j] + U[j, i]) * half for i, j in pairs)
        return vector((U[i, j] - U[j, i]) * half for i, j in pairs), (yz, xz, xy)


def reference_motions(
    mechanism: Mechanism, velocity: Sequence[Scalar], reference: Reference, gravity: Vector
) -> list[ReferenceMotion]:
    """Every body's motion at q̇ = `velocity`, nv; −gravity is the acceleration of the base."""
    domain = mechanism.domain
    still = zeros(domain, 3)
    rest = ReferenceMotion(still, still, -gravity, zeros(domain, 3, 3), still)
    motions: list[ReferenceMotion] = []
    for body in mechanism.bodies:
        parent = rest if body.parent == BASE else motions[body.parent]
        motions.append(_propagate(domain, body, parent, velocity, reference))
    return motions


def _propagate(
    domain: Domain, body: Body, parent: ReferenceMotion, velocity: Sequence[Scalar], reference: Reference
) -> ReferenceMotion:
    turn, slide = joint_motion(domain, body, velocity)
    asked_turn, asked_slide = joint_motion(domain, body, reference.velocity)
    push_turn, push_slide = joint_motion(domain, body, reference.acceleration)
    inward, label = body.rotation.to_child, body.label
    carried, asked = inward(parent.spin), inward(parent.angular_velocity)
    w = named(domain, f"w{label}", carried + turn)
    wr = named(domain, f"wr{label}", asked + asked_turn)
    change = cross(carried, asked_turn)
    if len(body.subspace) > 1:  # one column is at no angle to itself
        change = change + cross(turn, asked_turn)
    zeta = named(domain, f"wrd{label}", inward(parent.angular_acceleration) + change + push_turn)
    point = parent.acceleration + vector(dot(row, body.position) for row in parent.U)
    along = cross(asked, slide) + cross(carried, asked_slide) + cross(turn, asked_slide)
    a = named(domain, f"ar{label}", inward(point) + along + push_slide)
    return ReferenceMotion(wr, zeta, a, _velocity_matrix(domain, label, w, wr, zeta), w)


def _velocity_matrix(domain: Domain, label: str, w: Vector, wr: Vector, zeta: Vector) -> Matrix:
    """U = ζ × 1 + ω ω_vᵀ − (ω · ω_v) 1."""
    U = zeros(domain, 3, 3)
    squares = [w[k] * wr[k] for k in range(3)]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        U[i, i] = domain.define(f"U{label}_{'xyz'[i]}{'xyz'[i]}", -(squares[j] + squares[k]))
        U[i, j] = domain.define(f"U{label}_{'xyz'[i]}{'xyz'[j]}", w[i] * wr[j] - zeta[k])
        U[i, k] = domain.define(f"U{label}_{'xyz'[i]}{'xyz'[k]}", w[i] * wr[k] + zeta[j])
    return U
