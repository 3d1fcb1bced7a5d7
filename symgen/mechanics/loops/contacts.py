"""Contacts: what cut joints that are closed at some times alone ask of the rates, and how they accelerate.

A contact holds components of the velocity of its successor relative to its predecessor, in the axes of the predecessor:
of the velocity of the two points for each of its shifts, of the angular velocity for each of its turns. Its rows are
these components by the joint rates, A; its bias is their rate of change at given accelerations. Against the base they
depend neither on where on it the contact is, nor on the axes of the successor, so that a foot may stand anywhere. Rods
and universal joints hold what their constraints do (see `closure`), which depends on both frames.

Where a contact holds whole vectors, they may be taken in any axes. Those of a body on a free joint that begins the
chain, such as a trunk, suit best: its own rates are components in them, and legs are short from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial

from symgen.algebra.domain import Matrix, Scalar, Vector, dot, identity, vector, zeros
from symgen.mechanics.kinematics import applied, from_inner
from symgen.mechanics.loops.closure import constraints_seen, row_of
from symgen.mechanics.loops.points import add_columns, between_points, point_rows, pushed
from symgen.mechanics.loops.view import branches, seen
from symgen.mechanics.mechanism import CutOnBodies, Mechanism
from symgen.mechanics.newton_euler import Motion, body_motions
from symgen.robot.loops import CutKind
from symgen.robot.model import BASE


class DependentRowsError(Exception):
    """The constraints of a contact set depend on each other: `rank` of its `rows` do not."""

    def __init__(self, contacts: str, rank: int, rows: int) -> None:
        super().__init__(f"the contact set {contacts} has rank {rank}, but {rows} rows")
        self.contacts, self.rank, self.rows = contacts, rank, rows


@dataclass(frozen=True)
class Kept:
    """The rows of a contact set that do not vanish at every q, and what pivots of J I⁻¹ Jᵀ are not to fall below."""

    rows: tuple[int, ...]
    least: tuple[Fraction, ...]


@dataclass(frozen=True)
class Moving:
    """How the tree moves: q̇ and q̈, nv, under gravity, 3 (m/s²), as if the base accelerated against it.

    Contacts see differences of accelerations, in which gravity is not; what forces take of motions serves them too.
    """

    mechanism: Mechanism
    velocity: Sequence[Scalar]
    acceleration: Sequence[Scalar]
    gravity: Vector

    @cached_property
    def bodies(self) -> list[Motion]:
        """The motions of all bodies."""
        return body_motions(self.mechanism, self.velocity, self.acceleration, self.gravity)


@dataclass(frozen=True)
class Rows:
    """A contact's rows A, m×nv, and their rate of change, m, at a motion, which has none of its own without one.

    `turned` takes vectors, 3, from the axes that rows are in to those of the predecessor, if these are others.
    """

    jacobian: Matrix
    bias: list[Scalar]
    turned: Callable[[Vector], Vector] | None = None

    def in_predecessor(self, values: Sequence[Scalar]) -> list[Scalar]:
        """Entries for each row, m, in the axes of the predecessor."""
        if self.turned is None:
            return list(values)
        parts = (vector(values[start : start + 3]) for start in range(0, len(values), 3))
        return [entry for part in parts for entry in self.turned(part)]


def rows_of(mechanism: Mechanism, cut: CutOnBodies, at: Moving | None) -> Rows:
    """The rows of a contact; without a motion their rates of change are 0."""
    inner, outer = branches(mechanism, cut.predecessor, cut.successor)
    chain = [*reversed(inner or outer)]
    first = mechanism.bodies[chain[0]] if chain else None
    is_whole = cut.kind in (CutKind.SPHERICAL, CutKind.FIXED)
    if is_whole and not (inner and outer) and first is not None and first.is_free and first.parent == BASE:
        return _from_free_body(mechanism, cut, chain, at)
    return _from_predecessor(mechanism, cut, at)


# in the axes of a free body --------------------------------------------------------------------------


def _from_free_body(mechanism: Mechanism, cut: CutOnBodies, chain: Sequence[int], at: Moving | None) -> Rows:
    """The rows in the axes of the first body of a chain from the base, where one end is, to the other end."""
    domain, outward = mechanism.domain, cut.predecessor.body == BASE
    end = cut.successor if outward else cut.predecessor
    axes, segment = identity(domain, 3), zeros(domain, 3)
    steps: list[tuple[int, Matrix, Vector]] = []
    for index in chain:
        if steps:
            segment = applied(axes, mechanism.bodies[index].position)
            axes = from_inner(mechanism.bodies[index].rotation, axes)
        steps.append((index, axes, segment))
    arm, rows = applied(axes, end.position), zeros(domain, 6, mechanism.nv)
    for index, turned, step in reversed(steps):
        add_columns(mechanism, rows[:3], index, turned, arm, 1)
        body = mechanism.bodies[index]
        for column, rate in zip(body.subspace, body.velocities, strict=True):
            rows[3:, rate] = rows[3:, rate] + applied(turned, column[:3])
        arm = arm + step
    bias = zeros(domain, 6)
    if at is not None:
        base = mechanism.bodies[chain[0]].rotation.to_child(-at.gravity)
        bias[:3] = applied(axes, pushed(end, at.bodies, -at.gravity)) - base
        bias[3:] = applied(axes, at.bodies[end.body].angular_acceleration)
    size, turned_back = cut.kind.size, partial(_into_predecessor, mechanism, cut, chain)
    return Rows(rows[:size] if outward else -rows[:size], list(bias[:size] if outward else -bias[:size]), turned_back)


def _into_predecessor(mechanism: Mechanism, cut: CutOnBodies, chain: Sequence[int], x: Vector) -> Vector:
    """A vector in the axes of the first body of the chain, in those of the predecessor."""
    first, *others = (mechanism.bodies[index] for index in chain)
    if cut.predecessor.body == BASE:
        return cut.predecessor.rotation.to_child(first.rotation.to_parent(x))
    for body in others:
        x = body.rotation.to_child(x)
    return cut.predecessor.rotation.to_child(x)


# in the axes of the predecessor ----------------------------------------------------------------------


def _from_predecessor(mechanism: Mechanism, cut: CutOnBodies, at: Moving | None) -> Rows:
    """The rows as the predecessor sees them."""
    ends, velocity = (cut.predecessor, cut.successor), None if at is None else at.velocity
    points, shifts = _point_rows(mechanism, cut, at) if cut.kind.holds_points else [], cut.kind.shifts
    own_constraints = cut.kind in (CutKind.ROD, CutKind.UNIVERSAL)
    found: list[tuple[Vector, Scalar]] = []
    if len(points) < cut.kind.size:
        view = seen(mechanism, *ends, velocity)
        if own_constraints:
            found += [(row, rest) for _, row, rest in constraints_seen(mechanism, cut, view, cut.kind.angles)]
        for axis in () if points or own_constraints else shifts:
            row = row_of(mechanism, view, vector(column.linear[axis] for column in view.columns))
            found.append((row, view.acceleration[axis]))
        for axis in cut.kind.turns:
            row = row_of(mechanism, view, vector(column.angular[axis] for column in view.columns))
            found.append((row, view.angular_acceleration[axis]))
    if at is not None:
        found = [(row, rest + dot(row, at.acceleration)) for row, rest in found]
    rows = zeros(mechanism.domain, cut.kind.size, mechanism.nv)
    for number, (row, _) in enumerate([*points, *found]):
        rows[number] = row
    return Rows(rows, [rest for _, rest in [*points, *found]])


def _point_rows(mechanism: Mechanism, cut: CutOnBodies, at: Moving | None) -> list[tuple[Vector, Scalar]]:
    """The rows of the two points' velocity, and their accelerations."""
    ends = (cut.predecessor, cut.successor)
    inner, outer = branches(mechanism, *ends)
    if at is None:
        return [(row, rest) for _, row, rest in between_points(mechanism, *ends, None)]
    if all(mechanism.bodies[branch[-1]].parent == BASE for branch in (inner, outer) if branch):
        return [(row, rest) for _, row, rest in point_rows(mechanism, *ends, at.bodies, -at.gravity)]
    found = between_points(mechanism, *ends, at.velocity)
    return [(row, rest + dot(row, at.acceleration)) for _, row, rest in found]
