"""The oracle of contact sets: components of relative velocities in the base frame, and all equations solved at once.

    ⎡ M  −Jᵀ ⎤ ⎡ q̈ ⎤   ⎡ τ − h ⎤
    ⎣ J   0  ⎦ ⎣ λ  ⎦ = ⎣  −b   ⎦

by least squares, which leaves 0 in rows of J that vanish. With loops that stay closed all of it is of the independent
joints, J = A G and b = Ȧ q̇ + A γ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from symgen.robot.loops import CutKind
from symgen.robot.model import BASE, CutJoint
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.expected import LOST, Expected
from symgen.verify.geometry import Floats
from symgen.verify.jacobians import velocities
from symgen.verify.loops.constraints import SLACK, Constraints, End, Row, stacked
from symgen.verify.loops.expected import Closed
from symgen.verify.loops.stirring import STIR
from symgen.verify.transforms import cross


class ContactRows:
    """The rows of cut joints as contacts at the tree's q (…, nq) and q̇ (…, n), and their rates of change at q̈ = 0."""

    def __init__(self, at: Expected, cuts: tuple[CutJoint, ...], qd: Floats) -> None:
        self.oracle, self.q = at.oracle, at.q
        self.qd = np.broadcast_to(qd, (*at.q.shape[:-1], qd.shape[-1]))
        self._constraints = Constraints(self.oracle, at.q, self.qd)
        self._rows = [row for cut in cuts for row in self._of(cut)]

    @property
    def jacobian(self) -> Ball:
        """A (…, m, n)."""
        return stacked([row.row for row in self._rows], -2)

    @property
    def rest(self) -> Ball:
        """Ȧ q̇ (…, m)."""
        return stacked([row.rest for row in self._rows], -1)

    def _of(self, cut: CutJoint) -> Iterator[Row]:
        own = list(self._constraints.of_cut(cut))
        if cut.kind is CutKind.ROD:
            yield from own
            return
        one, other = (self._constraints.end(frame) for frame in (cut.predecessor, cut.successor))
        yield from self._points(cut, one, other) if cut.kind.holds_points else own[: len(cut.kind.shifts)]
        turned = other.columns[..., :3, :] - one.columns[..., :3, :]
        change = other.turning - one.turning - cross(one.spin, other.spin)
        for axis in cut.kind.turns:
            yield _row(one, other, axis, turned, change)
        if cut.kind is CutKind.UNIVERSAL:
            yield own[-1]

    def _points(self, cut: CutJoint, one: End, other: End) -> Iterator[Row]:
        """The velocity of the points, each end on its own branch; what carries both moves neither."""
        none = np.zeros(len(self.oracle.columns))
        frames = (cut.predecessor, cut.successor)
        first, second = (none if frame.link == BASE else self.oracle.carries[frame.link] for frame in frames)
        branches = first * (1 - second), second * (1 - first)
        joints = self.oracle.joints(self.oracle.geometry(self.q))
        gain = np.zeros_like(one.columns[..., 3:, :])
        for sign, end, carried in zip((-1, 1), (one, other), branches, strict=True):
            gain = gain + sign * velocities(joints, end.origin[..., None, :], carried[None]).linear[..., 0, :, :]
        moving = self.oracle.rates[(branches[0] + branches[1]) > 0].any(axis=0)
        change = np.zeros_like(one.origin)
        for sign, frame in zip((-1, 1), frames, strict=True):
            if frame.link != BASE:
                drift = self.oracle.jacobian_dot_velocity(self.q, self.qd * moving, frame.name)
                change = change + sign * drift[..., 3:]
        for axis in cut.kind.shifts:
            yield _row(one, other, axis, gain, change)


def _row(one: End, other: End, axis: int, columns: Floats, change: Floats) -> Row:
    """A component along an axis of the predecessor."""
    along, still = one.axes[..., axis], np.zeros(one.origin.shape[:-1])
    row = np.einsum("...x,...xj->...j", along, columns)
    doubt, rest_doubt = one.doubt + other.doubt, one.rest_doubt + other.rest_doubt
    return Row(still, Ball(row, SLACK * doubt + still[..., None]), Ball(np.sum(along * change, -1), SLACK * rest_doubt))


@dataclass(frozen=True)
class Contacts:
    """What the functions of a contact set should return at given arguments."""

    at: Expected
    name: str

    def _rows(self, qd: Floats) -> ContactRows:
        return ContactRows(self.at, self.at.oracle.robot.contact_loops[self.name], qd)

    @cached_property
    def jacobian(self) -> Ball:
        """J (…, m, ni)."""
        A = self._rows(np.zeros(self.at.oracle.robot.nv)).jacobian
        return A @ self.at.matrix if isinstance(self.at, Closed) else A

    @cached_property
    def bias(self) -> Ball:
        """b (…, m)."""
        if not isinstance(self.at, Closed):
            return self._rows(self.at.qd).rest
        velocity = self.at.velocity
        rows = self._rows(velocity.value)
        further = self._rows(velocity.value + STIR * velocity.radius).rest
        rest = rows.rest.wider(np.abs(further.value - rows.rest.value) / STIR)
        return rest + rows.jacobian.times(self.at.gamma)

    def dynamics(self) -> list[Ball]:
        """q̈ and λ."""
        bias = self.at.forces(np.zeros_like(self.at.given["tau"]))
        return self._solved(Ball.exact(self.at.given["tau"]) - bias, Ball.exact(0 * self.bias.value) - self.bias)

    def impulse(self) -> list[Ball]:
        """q̇ after the contacts closed, and the impulses."""
        none = np.zeros(self.jacobian.value.shape[:-1])
        return self._solved(self.at.inertia.times(self.at.given["qd"]), Ball.exact(none))

    def _solved(self, forces: Ball, asked: Ball) -> list[Ball]:
        """(x, λ) with M x = forces + Jᵀ λ and J x = asked."""
        count, matrix = forces.value.shape[-1], self._whole
        right = _joined(lambda key: np.concatenate([getattr(forces, key), getattr(asked, key)], axis=-1))
        inverse = np.linalg.pinv(matrix.value, rcond=1e-12)
        x = (inverse @ right.value[..., None])[..., 0]
        x += (inverse @ (right.value - (matrix.value @ x[..., None])[..., 0])[..., None])[..., 0]
        work = matrix.radius + len(x.T) * EPSILON * np.abs(matrix.value)
        doubt = right.radius + (work @ np.abs(x)[..., None])[..., 0]
        radius = (np.abs(inverse) @ doubt[..., None])[..., 0] + EPSILON * np.abs(x)
        lost = np.linalg.norm(np.abs(inverse) @ work, axis=(-2, -1)) > LOST
        found = Ball(x, radius + np.where(lost, np.inf, 0.0)[..., None])
        return [found.mapped(lambda array: array[..., :count]), found.mapped(lambda array: array[..., count:])]

    @property
    def _whole(self) -> Ball:
        """The matrix of all equations."""
        M, J = self.at.inertia, self.jacobian

        def made(key: str) -> Floats:
            inertia, rows, sign = getattr(M, key), getattr(J, key), -1 if key == "value" else 1
            corner = np.zeros((*rows.shape[:-1], rows.shape[-2]))
            return np.block([[inertia, sign * np.swapaxes(rows, -1, -2)], [rows, corner]])

        return _joined(made)


def _joined(make: Callable[[str], Floats]) -> Ball:
    return Ball(make("value"), make("radius"))
