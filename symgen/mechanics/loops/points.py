"""Two points that are one: the way between them, its rate and its acceleration, each end on its own branch.

Where they are one their velocities are one too, in any axes, and so are their accelerations; arms start from both ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, identity, is_zero, zeros
from symgen.mechanics.kinematics import applied, from_inner, from_outer
from symgen.mechanics.loops.view import branches
from symgen.mechanics.mechanism import FrameOnBody, Mechanism
from symgen.mechanics.newton_euler import Motion, body_motions
from symgen.robot.model import BASE


def between_points(
    mechanism: Mechanism, start: FrameOnBody, end: FrameOnBody, velocity: Sequence[Scalar] | None
) -> list[tuple[Scalar, Vector, Scalar]]:
    """(φ, row of A, entry of Ȧ q̇) for the three components of the way between two points, in the first frame's axes."""
    inner, outer = branches(mechanism, start, end)
    moving = None if velocity is None else _relative(mechanism, velocity, set(inner) | set(outer))
    return point_rows(mechanism, start, end, moving, zeros(mechanism.domain, 3))


def point_rows(
    mechanism: Mechanism, start: FrameOnBody, end: FrameOnBody, motions: Sequence[Motion] | None, base: Vector
) -> list[tuple[Scalar, Vector, Scalar]]:
    """(φ, row of A, acceleration) for these components, at given motions of the bodies: 0 without them.

    `base`: the acceleration that the base has in them, 3, in its own axes (m/s²).
    """
    domain = mechanism.domain
    inner, outer = branches(mechanism, start, end)
    rows = zeros(domain, 3, mechanism.nv)
    axes = from_outer(start.rotation, identity(domain, 3))
    near = applied(axes, start.position)
    for index in inner:
        add_columns(mechanism, rows, index, axes, near, -1)
        axes = from_outer(mechanism.bodies[index].rotation, axes)
        near = near + applied(axes, mechanism.bodies[index].position)
    steps = []
    for index in reversed(outer):
        segment = applied(axes, mechanism.bodies[index].position)
        axes = from_inner(mechanism.bodies[index].rotation, axes)
        steps.append((index, axes, segment))
    far = applied(axes, end.position)
    for index, turned, segment in reversed(steps):
        add_columns(mechanism, rows, index, turned, far, 1)
        far = far + segment
    rest = zeros(domain, 3)
    if motions is not None:
        rest = applied(axes, pushed(end, motions, base)) - start.rotation.to_child(pushed(start, motions, base))
    return list(zip(far - near, rows, rest, strict=True))


def add_columns(mechanism: Mechanism, rows: Matrix, index: int, axes: Matrix, arm: Vector, sign: int) -> None:
    """The velocity, times a sign, of a point at the end of an arm per unit of each rate of a body's joint."""
    body = mechanism.bodies[index]
    for column, rate in zip(body.subspace, body.velocities, strict=True):
        moved = applied(axes, column[3:]) + cross(applied(axes, column[:3]), arm)
        moved = moved if sign > 0 else -moved
        rows[:, rate] = moved if all(map(is_zero, rows[:, rate])) else rows[:, rate] + moved


def _relative(mechanism: Mechanism, velocity: Sequence[Scalar], bodies: set[int]) -> list[Motion]:
    """The motions of the bodies of two branches, beside that of the body at which they meet, at q̈ = 0."""
    still = [mechanism.domain.constant(0)] * mechanism.nv
    beyond = {index for k in bodies for index in mechanism.bodies[k].velocities}
    own = [rate if index in beyond else still[index] for index, rate in enumerate(velocity)]
    return body_motions(mechanism, own, still, zeros(mechanism.domain, 3))


def pushed(frame: FrameOnBody, motions: Sequence[Motion], base: Vector) -> Vector:
    """The acceleration of a frame's origin in the axes of its body; `base` is that of the base."""
    if frame.body == BASE:
        return base
    motion = motions[frame.body]
    return motion.acceleration + applied(motion.U, frame.position)
