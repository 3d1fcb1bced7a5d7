"""Recursive inverse dynamics in link frames on 3-vectors, after Khalil (2010) and Saha (1999, section 5.1).

The forward recursion carries ω, ω̇ and the acceleration of each frame's origin outward; the backward recursion carries
forces and moments inward. Everything is in the body's own frame, inertia about the frame's origin. The matrix
U = ω̇ × 1 + (ω × 1)² serves both the acceleration of the next origin and the force of the first moment. Gravity enters
as an acceleration of the base (Saha, eq. (17)).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, dot, is_zero, vector, zeros
from symgen.mechanics.inertia import SpatialInertia, second_moment
from symgen.mechanics.mechanism import Body, FrameOnBody, Mechanism
from symgen.robot.model import BASE


@dataclass(frozen=True)
class Motion:
    """Motion of a body in its own axes: ω (rad/s), ω̇, acceleration of the origin (m/s²), and U (3×3, 1/s²)."""

    angular_velocity: Vector
    angular_acceleration: Vector
    acceleration: Vector
    U: Matrix

    def turning(self, domain: Domain) -> tuple[Vector, tuple[Scalar, Scalar, Scalar]]:
        """(ω̇, (ω_y ω_z, ω_x ω_z, ω_x ω_y)): what U is made of off its diagonal."""
        w = self.angular_velocity
        return self.angular_acceleration, (w[1] * w[2], w[0] * w[2], w[0] * w[1])


def inverse_dynamics(
    mechanism: Mechanism,
    velocity: Sequence[Scalar],
    acceleration: Sequence[Scalar],
    gravity: Vector,
    *,
    loads: bool = False,
) -> list[Scalar]:
    """Joint forces τ that move the links with q̇ and q̈, nv each (N m or N); rotors and friction are not in it.

    `gravity`, 3, is in the base frame (m/s²). Zeros in `velocity`, `acceleration` or `gravity` give the partial
    results: gravity torques, convective torques; see Khalil (2010), eqs. (20) to (31). With
    `loads` the mechanism's external wrenches act too.
    """
    motions = body_motions(mechanism, velocity, acceleration, gravity)
    forces, _ = _collect(mechanism, net_wrenches(mechanism, motions, loads=loads))
    return forces


def moving_forces(mechanism: Mechanism, motions: Sequence[Motion]) -> list[Scalar]:
    """Joint forces τ, nv (N m or N), that these motions of the bodies need: of the links alone, without loads."""
    forces, _ = _collect(mechanism, net_wrenches(mechanism, motions, loads=False))
    return forces


def carried_wrenches(mechanism: Mechanism, motions: Sequence[Motion]) -> list[tuple[Vector, Vector]]:
    """(moment, force), 3 each (N m, N), about each body's origin, in its axes, that its joint carries with loads."""
    _, totals = _collect(mechanism, net_wrenches(mechanism, motions, loads=True))
    return totals


def load_forces(mechanism: Mechanism) -> list[Scalar]:
    """What the mechanism's external wrenches add to the joint forces τ, nv (N m or N): what they spare the joints.

    A wrench is what the environment does to the frame; Khalil (2010), eqs. (25) to (31), takes its opposite.
    """
    if not mechanism.wrenches:
        return list(zeros(mechanism.domain, mechanism.nv))
    still = zeros(mechanism.domain, 3)
    wrenches = [(still, still)] * len(mechanism.bodies)
    forces, _ = _collect(mechanism, _less_loads(mechanism, wrenches))
    return forces


def net_wrenches(mechanism: Mechanism, motions: Sequence[Motion], *, loads: bool) -> list[tuple[Vector, Vector]]:
    """For every body (moment, force) that its motion needs of the joints."""
    wrenches = [
        _net_wrench(mechanism.domain, body, motion) for body, motion in zip(mechanism.bodies, motions, strict=True)
    ]
    return _less_loads(mechanism, wrenches) if loads else wrenches


def _less_loads(mechanism: Mechanism, wrenches: Sequence[tuple[Vector, Vector]]) -> list[tuple[Vector, Vector]]:
    """The wrenches less those that the environment exerts."""
    left = list(wrenches)
    for frame, wrench in mechanism.wrenches:
        if frame.body != BASE:
            left[frame.body] = _relieved(left[frame.body], frame, wrench)
    return left


def _relieved(net: tuple[Vector, Vector], frame: FrameOnBody, wrench: Vector) -> tuple[Vector, Vector]:
    """The wrench that the joints must provide, less the one the environment exerts on a frame of the body."""
    force = frame.rotation.to_parent(wrench[3:])
    moment = frame.rotation.to_parent(wrench[:3]) + cross(frame.position, force)
    return net[0] - moment, net[1] - force


def body_motions(
    mechanism: Mechanism, velocity: Sequence[Scalar], acceleration: Sequence[Scalar], gravity: Vector
) -> list[Motion]:
    """The forward recursion: every body's motion, with −gravity as the acceleration of the base (Saha, eq. (17))."""
    domain = mechanism.domain
    rest = Motion(zeros(domain, 3), zeros(domain, 3), -gravity, zeros(domain, 3, 3))
    motions: list[Motion] = []
    for body in mechanism.bodies:
        parent = rest if body.parent == BASE else motions[body.parent]
        motions.append(_propagate(domain, body, parent, velocity, acceleration))
    return motions


def joint_motion(domain: Domain, body: Body, rates: Sequence[Scalar]) -> tuple[Vector, Vector]:
    """(angular, linear) part of the joint's motion S q̇ in the body's frame."""
    angular, linear = zeros(domain, 3), zeros(domain, 3)
    for column, index in zip(body.subspace, body.velocities, strict=True):
        angular = angular + column[:3] * rates[index]
        linear = linear + column[3:] * rates[index]
    return angular, linear


def _propagate(
    domain: Domain,
    body: Body,
    parent: Motion,
    velocity: Sequence[Scalar],
    acceleration: Sequence[Scalar],
) -> Motion:
    """Motion of a body from its parent's (Saha 1999, section 5.1, forward recursion)."""
    angular_rate, linear_rate = joint_motion(domain, body, velocity)
    angular_push, linear_push = joint_motion(domain, body, acceleration)
    carried = body.rotation.to_child(parent.angular_velocity)
    w = named(domain, f"w{body.label}", carried + angular_rate)
    wd = body.rotation.to_child(parent.angular_acceleration) + cross(carried, angular_rate) + angular_push
    wd = named(domain, f"wd{body.label}", wd)
    point = parent.acceleration + vector([dot(row, body.position) for row in parent.U])
    coriolis = cross(carried, 2 * linear_rate) + cross(angular_rate, linear_rate)
    a = named(domain, f"a{body.label}", body.rotation.to_child(point) + coriolis + linear_push)
    return Motion(w, wd, a, _velocity_matrix(domain, body.label, w, wd))


def carried_motion(domain: Domain, body: Body, parent: Motion | None, base_acceleration: Vector) -> Motion:
    """What the motion of a body would be did its joint not move: that of its carrier (None: the base) at its origin."""
    if parent is None:
        still = zeros(domain, 3)
        return Motion(still, still, body.rotation.to_child(base_acceleration), zeros(domain, 3, 3))
    w = body.rotation.to_child(parent.angular_velocity)
    wd = body.rotation.to_child(parent.angular_acceleration)
    point = parent.acceleration + vector([dot(row, body.position) for row in parent.U])
    label = f"{body.label}c"
    return Motion(w, wd, body.rotation.to_child(point), _velocity_matrix(domain, label, w, wd))


def _velocity_matrix(domain: Domain, label: str, w: Vector, wd: Vector) -> Matrix:
    """U = ω̇ × 1 + (ω × 1)²."""
    xx, yy, zz = (w[k] * w[k] for k in range(3))
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    U = zeros(domain, 3, 3)
    U[...] = [
        [-(yy + zz), xy - wd[2], xz + wd[1]],
        [xy + wd[2], -(xx + zz), yz - wd[0]],
        [xz - wd[1], yz + wd[0], -(xx + yy)],
    ]
    for i in range(3):
        for j in range(3):
            U[i, j] = domain.define(f"U{label}_{'xyz'[i]}{'xyz'[j]}", U[i, j])
    return U


def _net_wrench(domain: Domain, body: Body, motion: Motion) -> tuple[Vector, Vector]:
    """(moment about the frame's origin, force) that the body's motion needs (Newton and Euler)."""
    inertia, U = body.inertia, motion.U
    force = inertia.mass * motion.acceleration + vector([dot(row, inertia.first_moment) for row in U])
    if body.in_moments:
        moment = _moment_by_second_moments(domain, inertia, U) + cross(inertia.first_moment, motion.acceleration)
        return named(domain, f"N{body.label}", moment), named(domain, f"F{body.label}", force)
    J, (wd, (yz, xz, xy)) = inertia.tensor, motion.turning(domain)
    moment = vector(
        [
            J[0, 0] * wd[0] + (J[2, 2] - J[1, 1]) * yz
            + (J[0, 2] * U[1, 0] - J[0, 1] * U[2, 0]) + J[1, 2] * (U[1, 1] - U[2, 2]),
            J[1, 1] * wd[1] + (J[0, 0] - J[2, 2]) * xz
            + (J[0, 1] * U[2, 1] - J[1, 2] * U[0, 1]) + J[0, 2] * (U[2, 2] - U[0, 0]),
            J[2, 2] * wd[2] + (J[1, 1] - J[0, 0]) * xy
            + (J[1, 2] * U[0, 2] - J[0, 2] * U[1, 2]) + J[0, 1] * (U[0, 0] - U[1, 1]),
        ]
    )  # fmt: skip
    moment = moment + cross(inertia.first_moment, motion.acceleration)
    return named(domain, f"N{body.label}", moment), named(domain, f"F{body.label}", force)


def _moment_by_second_moments(domain: Domain, inertia: SpatialInertia, U: Matrix) -> Vector:
    """The axial vector of U Q − (U Q)ᵀ, with Q = ½ tr J 1 − J the second moments about the frame's origin."""
    x, y, z = (second_moment(domain, inertia.tensor, axis) for axis in range(3))
    xy, xz, yz = -inertia.tensor[0, 1], -inertia.tensor[0, 2], -inertia.tensor[1, 2]
    return vector(
        [
            (U[2, 1] * y - U[1, 2] * z) + (U[2, 0] * xy - U[1, 0] * xz) + (U[2, 2] - U[1, 1]) * yz,
            (U[0, 2] * z - U[2, 0] * x) + (U[0, 1] * yz - U[2, 1] * xy) + (U[0, 0] - U[2, 2]) * xz,
            (U[1, 0] * x - U[0, 1] * y) + (U[1, 2] * xz - U[0, 2] * yz) + (U[1, 1] - U[0, 0]) * xy,
        ]
    )


def _collect(
    mechanism: Mechanism, wrenches: list[tuple[Vector, Vector]]
) -> tuple[list[Scalar], list[tuple[Vector, Vector]]]:
    """The backward recursion: wrenches add up towards the base and are projected on the joints; both are returned."""
    domain = mechanism.domain
    forces: list[Scalar] = list(zeros(domain, mechanism.nv))
    totals = list(wrenches)
    for index in reversed(range(len(mechanism.bodies))):
        body = mechanism.bodies[index]
        moment, force = totals[index]
        for column, i in zip(body.subspace, body.velocities, strict=True):
            force_along = dot(column[:3], moment) + dot(column[3:], force)
            forces[i] = domain.define(f"tau{i + 1}", force_along if is_zero(forces[i]) else forces[i] + force_along)
        if body.parent != BASE:
            carried_moment, carried_force = carry(domain, body, moment, force)
            parent_moment, parent_force = totals[body.parent]
            label = mechanism.bodies[body.parent].label
            totals[body.parent] = (
                named(domain, f"n{label}", parent_moment + carried_moment),
                named(domain, f"f{label}", parent_force + carried_force),
            )
    return forces, totals


def carry(domain: Domain, body: Body, moment: Vector, force: Vector) -> tuple[Vector, Vector]:
    """A wrench (3, 3) about the body's origin in its axes, as one about the parent's origin in the parent's."""
    force = body.rotation.to_parent(force)
    return body.rotation.to_parent(moment) + cross(body.position, force), force


def named(domain: Domain, name: str, values: Vector) -> Vector:
    """The vector with its entries defined as name_x, name_y, name_z."""
    return vector(domain.define(f"{name}_{axis}", value) for axis, value in zip("xyz", values, strict=True))
