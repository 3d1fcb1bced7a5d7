"""Kinematics: twists of the bodies in their own frames; poses and Jacobians of frames fixed to bodies.

A Jacobian maps q̇ to the twist [ω; v] of a frame: ω its angular velocity, v the velocity of its reference point. The
axes are those of the base or of the frame; the reference point is the frame's origin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, dot, identity, is_zero, vector, zeros
from symgen.mechanics.mechanism import FrameOnBody, Mechanism
from symgen.mechanics.newton_euler import body_motions, joint_motion, named
from symgen.mechanics.rotation import Rotation
from symgen.robot.model import BASE, Robot


@dataclass(frozen=True)
class Twist:
    """Angular velocity ω (rad/s) and velocity of the frame's origin v (m/s), 3 each, in the body's own axes."""

    angular: Vector
    linear: Vector


def twists(mechanism: Mechanism, velocity: Sequence[Scalar]) -> list[Twist]:
    """The twist of every body, in its own frame, for q̇ = `velocity`, nv (Saha, eq. (11c))."""
    domain = mechanism.domain
    result: list[Twist] = []
    for body in mechanism.bodies:
        angular, linear = joint_motion(domain, body, velocity)
        if body.parent != BASE:
            outer = result[body.parent]
            point = outer.linear + cross(outer.angular, body.position)
            angular = body.rotation.to_child(outer.angular) + angular
            linear = body.rotation.to_child(point) + linear
        result.append(Twist(named(domain, f"w{body.label}", angular), named(domain, f"v{body.label}", linear)))
    return result


def angular_velocities(mechanism: Mechanism, velocity: Sequence[Scalar]) -> list[Vector]:
    """ω, 3 (rad/s), of every body, in its own axes, for q̇ = `velocity`, nv (the upper half of Saha, eq. (11c))."""
    domain = mechanism.domain
    result: list[Vector] = []
    for body in mechanism.bodies:
        spin, _ = joint_motion(domain, body, velocity)
        if body.parent != BASE:
            spin = body.rotation.to_child(result[body.parent]) + spin
        result.append(named(domain, f"w{body.label}", spin))
    return result


BASE_AXES = "base"
"""Jacobians in axes of the base, about the frame's origin (the default)."""

FRAME_AXES = "frame"
"""Jacobians in axes of the frame itself, about its origin."""


@dataclass(frozen=True)
class Pose:
    """Orientation (3×3, columns are the frame's axes) and origin (3, m) of a frame, in base axes."""

    rotation: Matrix
    origin: Vector


def poses(mechanism: Mechanism) -> list[Pose]:
    """Pose of every body's own frame in the base frame."""
    domain = mechanism.domain
    result: list[Pose] = []
    for body in mechanism.bodies:
        outer = result[body.parent] if body.parent != BASE else Pose(identity(domain, 3), zeros(domain, 3))
        pose = _carried(outer, body.rotation, body.position)
        result.append(_named_pose(mechanism, f"{body.label}", pose))
    return result


def frame_pose(mechanism: Mechanism, frame: FrameOnBody, bodies: Sequence[Pose]) -> Pose:
    """Pose of a named frame in the base frame."""
    domain = mechanism.domain
    outer = bodies[frame.body] if frame.body != BASE else Pose(identity(domain, 3), zeros(domain, 3))
    return _carried(outer, frame.rotation, frame.position)


def _carried(outer: Pose, rotation: Rotation, position: Vector) -> Pose:
    """outer · (rotation, position), turn by turn on the columns of the matrix."""
    origin = outer.origin + applied(outer.rotation, position)
    return Pose(from_inner(rotation, outer.rotation), origin)


def applied(matrix: Matrix, x: Vector | Sequence[Scalar]) -> Vector:
    """A x."""
    return vector([dot(row, x) for row in matrix])


def _named_pose(mechanism: Mechanism, number: str, pose: Pose) -> Pose:
    domain = mechanism.domain
    matrix = pose.rotation.copy()
    for i in range(3):
        for j in range(3):
            matrix[i, j] = domain.define(f"R{number}_{'xyz'[i]}{'xyz'[j]}", matrix[i, j])
    return Pose(matrix, named(domain, f"p{number}", pose.origin))


def link_frame(mechanism: Mechanism, robot: Robot, index: int) -> FrameOnBody:
    """The reference frame of a link, on the body that carries it."""
    names = [frame.name for frame in robot.all_frames]
    frame = next(frame for frame in robot.all_frames if frame.link == index and not frame.placement)
    return mechanism.frames[names.index(frame.name)]


def no_motion(domain: Domain) -> tuple[Rotation, Vector]:
    """The transform that leaves a frame where it is."""
    return Rotation(), zeros(domain, 3)


def relative_pose(mechanism: Mechanism, outer: FrameOnBody, inner: FrameOnBody) -> Matrix:
    """[R p; 0 1], 4×4, of a frame seen from one on the same body or on one that carries it."""
    rotation, position = inner.rotation, inner.position
    index = inner.body
    while index != outer.body:
        body = mechanism.bodies[index]
        rotation, position = body.rotation.then(rotation), body.position + body.rotation.to_parent(position)
        index = body.parent
    back = outer.rotation.inverse()
    turned = back.then(rotation)
    origin = back.to_parent(position - outer.position)
    return homogeneous(mechanism, Pose(turned.matrix(mechanism.domain), origin))


def homogeneous(mechanism: Mechanism, pose: Pose) -> Matrix:
    """[R p; 0 1], 4×4: from a frame's coordinates to those of the frame the pose is in."""
    matrix = identity(mechanism.domain, 4)
    matrix[:3, :3], matrix[:3, 3] = pose.rotation, pose.origin
    return matrix


def path(mechanism: Mechanism, body: int) -> list[int]:
    """Bodies from the one next to the base to `body`."""
    result: list[int] = []
    while body != BASE:
        result.insert(0, body)
        body = mechanism.bodies[body].parent
    return result


@dataclass(frozen=True)
class Arm:
    """A joint column seen from a frame: its index, axes e and f of turning and sliding, arm d to the frame's origin."""

    index: int
    body: int
    angular: Vector
    linear: Vector
    arm: Vector

    def column(self) -> Vector:
        """The column [ω; v] of the Jacobian."""
        return vector([*self.angular, *(self.linear + cross(self.angular, self.arm))])


def jacobian(mechanism: Mechanism, frame: FrameOnBody, axes: str = BASE_AXES) -> Matrix:
    """J, 6×nv: t = [ω; v] = J q̇ of the frame (rad/s, m/s), v at its origin, in `axes` of the base or of the frame."""
    matrix = zeros(mechanism.domain, 6, mechanism.nv)
    for arm in arms(mechanism, frame, axes):
        matrix[:, arm.index] = _more(matrix[:, arm.index], arm.column())
    return matrix


def _more(column: Vector, other: Vector) -> Vector:
    """The sum of two columns, the other as it is where there is nothing yet: joints that move together share one."""
    return other if all(map(is_zero, column)) else column + other


def arms(mechanism: Mechanism, frame: FrameOnBody, axes: str) -> list[Arm]:
    """The joint columns that carry a frame, seen from it, in `axes` of the base or of the frame."""
    if axes == FRAME_AXES:
        return _arms_in_frame(mechanism, frame)
    bodies = poses(mechanism)
    origin = frame_pose(mechanism, frame, bodies).origin
    result = []
    for index in path(mechanism, frame.body):
        body, pose = mechanism.bodies[index], bodies[index]
        for column, i in zip(body.subspace, body.velocities, strict=True):
            turning, sliding = applied(pose.rotation, column[:3]), applied(pose.rotation, column[3:])
            result.append(Arm(i, index, turning, sliding, origin - pose.origin))
    return result


def _arms_in_frame(mechanism: Mechanism, frame: FrameOnBody) -> list[Arm]:
    """The same in the frame's axes: from the frame towards the base, body by body."""
    domain = mechanism.domain
    result: list[Arm] = []
    turns = frame.rotation
    axes_matrix = _matrix_inward(turns, identity(domain, 3))
    arm = turns.to_child(frame.position)
    for index in reversed(path(mechanism, frame.body)):
        body = mechanism.bodies[index]
        for column, i in zip(body.subspace, body.velocities, strict=True):
            result.append(Arm(i, index, applied(axes_matrix, column[:3]), applied(axes_matrix, column[3:]), arm))
        axes_matrix = from_outer(body.rotation, axes_matrix)
        arm = arm + applied(axes_matrix, body.position)
    return result


def _matrix_inward(rotation: Rotation, matrix: Matrix) -> Matrix:
    """Rᵀ A."""
    result = matrix.copy()
    for j in range(3):
        result[:, j] = rotation.to_child(matrix[:, j])
    return result


def from_outer(rotation: Rotation, matrix: Matrix) -> Matrix:
    """A Rᵀ, 3×3: a map from inner axes becomes one from outer axes."""
    return _by_rows(matrix, rotation.to_parent)


def from_inner(rotation: Rotation, matrix: Matrix) -> Matrix:
    """A R, 3×3: a map from outer axes becomes one from inner axes; the rows of A are vectors given in outer ones."""
    return _by_rows(matrix, rotation.to_child)


def _by_rows(matrix: Matrix, of: Callable[[Vector], Vector]) -> Matrix:
    result = matrix.copy()
    for i in range(3):
        result[i] = of(matrix[i])
    return result


def jacobian_dot(mechanism: Mechanism, frame: FrameOnBody, velocity: Sequence[Scalar], axes: str = BASE_AXES) -> Matrix:
    """J̇, 6×nv: the rates of the Jacobian's entries in its own axes.

    Column [e; f + e × d] of a joint turns with Ω, the spin of its body relative to the axes, and the end of its arm d
    moves with the joints beyond it: its rate is [Ω × e; Ω × (f + e × d) + e × ḋ_beyond].
    """
    domain = mechanism.domain
    found = arms(mechanism, frame, axes)
    matrix = zeros(domain, 6, mechanism.nv)
    spin, slide = zeros(domain, 3), zeros(domain, 3)
    beyond: dict[int, tuple[Vector, Vector]] = {}
    for index in reversed(path(mechanism, frame.body)):
        beyond[index] = (spin, slide)
        for arm in (arm for arm in found if arm.body == index):
            rate, column = velocity[arm.index], arm.column()
            spin, slide = spin + column[:3] * rate, slide + column[3:] * rate
    turning = zeros(domain, 3)
    for index in path(mechanism, frame.body):
        mine = [arm for arm in found if arm.body == index]
        if axes == FRAME_AXES:
            turning = -beyond[index][0]
        else:
            for arm in mine:
                turning = turning + arm.angular * velocity[arm.index]
        for arm in mine:
            column = arm.column()
            linear = cross(turning, column[3:]) + cross(arm.angular, beyond[index][1])
            rates = vector([*cross(turning, arm.angular), *linear])
            matrix[:, arm.index] = _more(matrix[:, arm.index], rates)
    return matrix


def jacobian_dot_velocity(
    mechanism: Mechanism, frame: FrameOnBody, velocity: Sequence[Scalar], axes: str = BASE_AXES
) -> Vector:
    """J̇ q̇, 6 (rad/s², m/s²): rate of the frame's twist [ω; v] in the Jacobian's axes at q̈ = 0, without forming J̇."""
    domain = mechanism.domain
    angular, linear, spin, point = (zeros(domain, 3) for _ in range(4))
    if frame.body != BASE:
        motions = body_motions(mechanism, velocity, [domain.constant(0)] * mechanism.nv, zeros(domain, 3))
        motion, twist = motions[frame.body], twists(mechanism, velocity)[frame.body]
        arm = frame.position
        angular = motion.angular_acceleration
        linear = motion.acceleration + vector([dot(row, arm) for row in motion.U])
        spin, point = twist.angular, twist.linear + cross(twist.angular, arm)
    if axes == FRAME_AXES:
        # In turning axes the rate of v lacks what the turning of the axes adds to it.
        linear = linear - cross(spin, point)
        return vector([*frame.rotation.to_child(angular), *frame.rotation.to_child(linear)])
    for index in reversed(path(mechanism, frame.body)):
        rotation = mechanism.bodies[index].rotation
        angular, linear = rotation.to_parent(angular), rotation.to_parent(linear)
    return vector([*angular, *linear])
