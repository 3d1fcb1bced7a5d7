"""Closure: the constraints φ(q) = 0 of cut joints and couplings, their Jacobian A, and the term Ȧ q̇.

A cut joint is seen from one of the frames that it ties together: the chain of bodies from there, inward to where the
branches meet and outward to the other frame, is a serial chain whose base is the observer. All constraints of all kinds
are of three sorts. With p and [x y z] = R the origin and axes of the other frame as the observer sees them: a component
of p vanishes; one of its axes is at right angles to one of the observer's; or p has a given length.

Where two points are one, their velocities are one too, in any axes, and so are their accelerations: each is that of a
frame on its own branch, whose arms start from its own end. That is A and Ȧ q̇ where the loop is closed, and has more
zeros than the derivative has elsewhere. All other rows are the derivatives of φ at every q.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, dot, identity, is_zero, vector, zeros
from symgen.mechanics.mechanism import CutOnBodies, FrameOnBody, Mechanism
from symgen.mechanics.newton_euler import Motion, body_motions
from symgen.mechanics.rotation import Rotation
from symgen.robot.loops import CutKind
from symgen.robot.model import BASE


@dataclass(frozen=True)
class Closure:
    """φ, m (m, m² or 1), A, with φ̇ = A q̇, and Ȧ q̇; in the order of the cut joints, then the couplings.

    A and Ȧ q̇ have rows for spins after these, which no φ belongs to: a spin that is none has no position.
    """

    residual: list[Scalar]
    jacobian: Matrix
    bias: list[Scalar]


def closure(
    mechanism: Mechanism, velocity: Sequence[Scalar] | None = None, reverse: frozenset[int] = frozenset()
) -> Closure:
    """The constraints at the tree's q and q̇ = `velocity`, nv; Ȧ q̇ is 0 without it.

    Cut joints with an index in `reverse` are seen from their successor.
    """
    domain = mechanism.domain
    residual: list[Scalar] = []
    rows: list[Vector] = []
    bias: list[Scalar] = []
    for index, cut in enumerate(mechanism.cuts):
        ends = (cut.successor, cut.predecessor) if index in reverse else (cut.predecessor, cut.successor)
        pairs = [(second, first) for first, second in cut.kind.angles] if index in reverse else cut.kind.angles
        found = list(_of_points(mechanism, *ends, velocity)) if cut.kind.holds_points else []
        if pairs or not found:
            view = _seen(mechanism, *ends, velocity)
            found += list(_constraints(mechanism, cut, view, pairs))
        for value, row, rest in found:
            residual.append(value)
            rows.append(row)
            bias.append(rest)
    for tie in mechanism.ties:
        row, value = zeros(domain, mechanism.nv), -tie.offset
        for q, v, ratio in tie.terms:
            row[v], value = row[v] + ratio, value + ratio * domain.variable("q", q)
        residual.append(value)
        rows.append(row)
        bias.append(domain.constant(0))
    for spin in mechanism.spins:
        row, rest = _of_spin(mechanism, spin, velocity)
        rows.append(row)
        bias.append(rest)
    jacobian = zeros(domain, len(rows), mechanism.nv)
    for number, row in enumerate(rows):
        jacobian[number] = row
    return Closure(residual, jacobian, bias)


@dataclass(frozen=True)
class _Column:
    """What a rate does as the observer sees it: its index, the turn of the other frame and the shift of its origin."""

    index: int
    angular: Vector
    linear: Vector


@dataclass(frozen=True)
class _View:
    """The other frame as the observer sees it, in its axes: where it is, what moves it, how it accelerates at q̈ = 0."""

    axes: Matrix
    origin: Vector
    columns: tuple[_Column, ...]
    spin: Vector
    velocity: Vector
    angular_acceleration: Vector
    acceleration: Vector


def _constraints(
    mechanism: Mechanism, cut: CutOnBodies, view: _View, pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[Scalar, Vector, Scalar]]:
    """(φ, row of A, entry of Ȧ q̇) of each constraint of a cut joint."""
    domain = mechanism.domain
    if cut.kind is CutKind.ROD:
        half = domain.constant(1) / domain.constant(2)
        value = half * (dot(view.origin, view.origin) - cut.length * cut.length)
        row = _row(mechanism, view, vector(dot(view.origin, column.linear) for column in view.columns))
        yield value, row, dot(view.velocity, view.velocity) + dot(view.origin, view.acceleration)
        return
    for axis in () if cut.kind.holds_points else cut.kind.shifts:
        row = _row(mechanism, view, vector(column.linear[axis] for column in view.columns))
        yield view.origin[axis], row, view.acceleration[axis]
    unit = identity(domain, 3)
    for own, other in pairs:
        across = view.axes[:, other]
        normal = cross(across, unit[own])
        row = _row(mechanism, view, vector(dot(normal, column.angular) for column in view.columns))
        turning = cross(view.angular_acceleration, across) + cross(view.spin, cross(view.spin, across))
        yield across[own], row, turning[own]


def _row(mechanism: Mechanism, view: _View, entries: Vector) -> Vector:
    """A row of A; joints that move together share an entry."""
    row = zeros(mechanism.domain, mechanism.nv)
    for column, entry in zip(view.columns, entries, strict=True):
        row[column.index] = row[column.index] + entry
    return row


def _of_spin(mechanism: Mechanism, spin: FrameOnBody, velocity: Sequence[Scalar] | None) -> tuple[Vector, Scalar]:
    """(row of A, entry of Ȧ q̇) of a body's spin about the line from its origin to a frame."""
    domain = mechanism.domain
    row, rest = zeros(domain, mechanism.nv), domain.constant(0)
    along, index = spin.position, spin.body
    if velocity is not None:
        motions = body_motions(mechanism, velocity, [domain.constant(0)] * mechanism.nv, zeros(domain, 3))
        rest = dot(along, motions[index].angular_acceleration)
    while index != BASE:
        body = mechanism.bodies[index]
        for column, rate in zip(body.subspace, body.velocities, strict=True):
            row[rate] = row[rate] + dot(along, column[:3])
        along, index = body.rotation.to_parent(along), body.parent
    return row, rest


def _of_points(
    mechanism: Mechanism, start: FrameOnBody, end: FrameOnBody, velocity: Sequence[Scalar] | None
) -> list[tuple[Scalar, Vector, Scalar]]:
    """(φ, row of A, entry of Ȧ q̇) for the three components of the way between two points, in the first frame's axes."""
    domain = mechanism.domain
    inner, outer = _branches(mechanism, start, end)
    rows = zeros(domain, 3, mechanism.nv)
    axes = _outer_axes(start.rotation, identity(domain, 3))
    arm = near = _applied(axes, start.position)
    for index in inner:
        _add_columns(mechanism, rows, index, axes, -arm, against=True)
        axes = _outer_axes(mechanism.bodies[index].rotation, axes)
        arm = near = arm + _applied(axes, mechanism.bodies[index].position)
    steps = []
    for index in reversed(outer):
        segment = _applied(axes, mechanism.bodies[index].position)
        axes = _inner_axes(mechanism.bodies[index].rotation, axes)
        steps.append((index, axes, segment))
    arm = _applied(axes, end.position)
    for index, turned, segment in reversed(steps):
        _add_columns(mechanism, rows, index, turned, arm, against=False)
        arm = arm + segment
    rest = zeros(domain, 3)
    if velocity is not None:
        moving = _relative(mechanism, velocity, set(inner) | set(outer))
        rest = _applied(axes, _pushed(mechanism, end, moving)) - start.rotation.to_child(
            _pushed(mechanism, start, moving)
        )
    return list(zip(arm - near, rows, rest, strict=True))


def _add_columns(mechanism: Mechanism, rows: Matrix, index: int, axes: Matrix, arm: Vector, *, against: bool) -> None:
    """The velocity of a point at the end of an arm per unit of each rate of a body's joint, or of its opposite."""
    body = mechanism.bodies[index]
    for column, rate in zip(body.subspace, body.velocities, strict=True):
        angular, linear = _applied(axes, column[:3]), _applied(axes, column[3:])
        moved = cross(angular, arm) - linear if against else linear + cross(angular, arm)
        rows[:, rate] = moved if all(map(is_zero, rows[:, rate])) else rows[:, rate] + moved


def _relative(mechanism: Mechanism, velocity: Sequence[Scalar], bodies: set[int]) -> list[Motion]:
    """The motions of the bodies of two branches, beside that of the body at which they meet, at q̈ = 0."""
    still = [mechanism.domain.constant(0)] * mechanism.nv
    beyond = {index for k in bodies for index in mechanism.bodies[k].velocities}
    own = [rate if index in beyond else still[index] for index, rate in enumerate(velocity)]
    return body_motions(mechanism, own, still, zeros(mechanism.domain, 3))


def _pushed(mechanism: Mechanism, frame: FrameOnBody, motions: Sequence[Motion]) -> Vector:
    """The acceleration of a frame's origin in the axes of its body."""
    if frame.body == BASE:
        return zeros(mechanism.domain, 3)
    motion = motions[frame.body]
    return motion.acceleration + _applied(motion.U, frame.position)


class _Walk:
    """The chain from the observer on: the body reached, with its origin and axes in the observer's, and its motion."""

    def __init__(self, mechanism: Mechanism, start: FrameOnBody, velocity: Sequence[Scalar] | None) -> None:
        self.mechanism, self.domain, self.rates = mechanism, mechanism.domain, velocity
        self.axes = _outer_axes(start.rotation, identity(self.domain, 3))
        self.origin = -_applied(self.axes, start.position)
        self.steps: list[tuple[int, Vector, Vector, Vector]] = []
        self.spin, self.velocity, self.turning, self.acceleration = (zeros(self.domain, 3) for _ in range(4))

    def inward(self, index: int) -> None:
        """From a body to the one that carries it."""
        body = self.mechanism.bodies[index]
        turn, slide = self._joint(index, -1)
        if self.rates is not None:
            # The columns are fixed in the body that is left; as it sees them, the carrier moves against them.
            self.turning = self.turning + cross(self.spin, turn)
            self.velocity = self.velocity + slide
            self.acceleration = self.acceleration + cross(2 * self.spin, slide) + cross(turn, slide)
            self.spin = self.spin + turn
        self.axes = _outer_axes(body.rotation, self.axes)
        self._shift(-_applied(self.axes, body.position))

    def outward(self, index: int) -> None:
        """From a body to one that it carries."""
        body = self.mechanism.bodies[index]
        self._shift(_applied(self.axes, body.position))
        self.axes = _inner_axes(body.rotation, self.axes)
        turn, slide = self._joint(index, 1)
        if self.rates is not None:
            self.turning = self.turning + cross(self.spin, turn)
            self.velocity = self.velocity + slide
            self.acceleration = self.acceleration + cross(2 * self.spin, slide) + cross(turn, slide)
            self.spin = self.spin + turn

    def _joint(self, index: int, sign: int) -> tuple[Vector, Vector]:
        """The joint's columns are noted; its turn and slide at the given rates."""
        body = self.mechanism.bodies[index]
        turn, slide = zeros(self.domain, 3), zeros(self.domain, 3)
        for column, rate in zip(body.subspace, body.velocities, strict=True):
            angular, linear = _applied(self.axes, column[:3]), _applied(self.axes, column[3:])
            if sign < 0:
                angular, linear = -angular, -linear
            self.steps.append((rate, angular, linear, self.origin))
            if self.rates is not None:
                turn, slide = turn + angular * self.rates[rate], slide + linear * self.rates[rate]
        return turn, slide

    def _shift(self, arm: Vector) -> None:
        if self.rates is not None:
            self.acceleration = self.acceleration + cross(self.turning, arm) + cross(self.spin, cross(self.spin, arm))
            self.velocity = self.velocity + cross(self.spin, arm)
        self.origin = self.origin + arm

    def view(self, end: FrameOnBody) -> _View:
        """What is seen of a frame on the body reached."""
        self._shift(_applied(self.axes, end.position))
        axes = _inner_axes(end.rotation, self.axes)
        columns = tuple(
            _Column(index, angular, linear + cross(angular, self.origin - origin))
            for index, angular, linear, origin in self.steps
        )
        return _View(axes, self.origin, columns, self.spin, self.velocity, self.turning, self.acceleration)


def _seen(mechanism: Mechanism, start: FrameOnBody, end: FrameOnBody, velocity: Sequence[Scalar] | None) -> _View:
    """One frame seen from another."""
    inner, outer = _branches(mechanism, start, end)
    walk = _Walk(mechanism, start, velocity)
    for index in inner:
        walk.inward(index)
    for index in reversed(outer):
        walk.outward(index)
    return walk.view(end)


def _branches(mechanism: Mechanism, start: FrameOnBody, end: FrameOnBody) -> tuple[list[int], list[int]]:
    """The bodies that carry one frame and not the other, inward, and those that carry the other."""
    inner, outer = _path(mechanism, start.body), _path(mechanism, end.body)
    while inner and outer and inner[-1] == outer[-1]:
        inner.pop()
        outer.pop()
    return inner, outer


def _path(mechanism: Mechanism, body: int) -> list[int]:
    """A body and those that carry it, inward."""
    result = []
    while body != BASE:
        result.append(body)
        body = mechanism.bodies[body].parent
    return result


def _applied(matrix: Matrix, x: Vector) -> Vector:
    return vector([dot(row, x) for row in matrix])


def _outer_axes(rotation: Rotation, axes: Matrix) -> Matrix:
    """A Rᵀ: from the axes of the body that carries."""
    return _by_rows(axes, rotation.to_parent)


def _inner_axes(rotation: Rotation, axes: Matrix) -> Matrix:
    """A R: from the axes of the body that is carried."""
    return _by_rows(axes, rotation.to_child)


def _by_rows(matrix: Matrix, of: Callable[[Vector], Vector]) -> Matrix:
    result = matrix.copy()
    for i in range(3):
        result[i] = of(matrix[i])
    return result
