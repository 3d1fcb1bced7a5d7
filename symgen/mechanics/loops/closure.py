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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, dot, identity, vector, zeros
from symgen.mechanics.loops.points import between_points
from symgen.mechanics.loops.view import View, seen
from symgen.mechanics.mechanism import CutOnBodies, FrameOnBody, Mechanism
from symgen.mechanics.newton_euler import body_motions
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
        found = between_points(mechanism, *ends, velocity) if cut.kind.holds_points else []
        if pairs or not found:
            view = seen(mechanism, *ends, velocity)
            found += constraints_seen(mechanism, cut, view, pairs)
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


def constraints_seen(
    mechanism: Mechanism, cut: CutOnBodies, view: View, pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[Scalar, Vector, Scalar]]:
    """(φ, row of A, entry of Ȧ q̇) of each constraint of a cut joint."""
    domain = mechanism.domain
    if cut.kind is CutKind.ROD:
        half = domain.constant(1) / domain.constant(2)
        value = half * (dot(view.origin, view.origin) - cut.length * cut.length)
        row = row_of(mechanism, view, vector(dot(view.origin, column.linear) for column in view.columns))
        yield value, row, dot(view.velocity, view.velocity) + dot(view.origin, view.acceleration)
        return
    for axis in () if cut.kind.holds_points else cut.kind.shifts:
        row = row_of(mechanism, view, vector(column.linear[axis] for column in view.columns))
        yield view.origin[axis], row, view.acceleration[axis]
    unit = identity(domain, 3)
    for own, other in pairs:
        across = view.axes[:, other]
        normal = cross(across, unit[own])
        row = row_of(mechanism, view, vector(dot(normal, column.angular) for column in view.columns))
        turning = cross(view.angular_acceleration, across) + cross(view.spin, cross(view.spin, across))
        yield across[own], row, turning[own]


def row_of(mechanism: Mechanism, view: View, entries: Vector) -> Vector:
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
