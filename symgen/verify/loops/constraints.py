"""Constraints of cut joints and couplings in the base frame: φ, their Jacobian A, and Ȧ q̇, with what these can err.

Both ends of a cut joint are frames with a pose, a Jacobian and an acceleration in the base frame; the constraints and
their rates are products of these. None is left out, be it redundant or not. Arrays are (…, m) and (…, m, n) with n the
number of the tree's rates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from symgen.robot.loops import CutKind
from symgen.robot.model import BASE, CutJoint, Frame, Robot
from symgen.verify import sizes
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.geometry import Floats, number, pose
from symgen.verify.oracle import Oracle
from symgen.verify.sizes import Measure
from symgen.verify.transforms import cross

SINGLE = 2.0**-22
"""By this share of lengths loops are open where q is rounded to single precision, at the most."""

SLACK = 16
"""How many times the error of what a constraint's row is made of it is taken to err."""


@dataclass(frozen=True)
class End:
    """A frame in the base frame: pose R, p, Jacobian (…, 6, n), ω, v, and at q̈ = 0 ω̇ and the acceleration of p.

    `doubt` (…, n) and `rest_doubt` (…) are what a column of the Jacobian and the accelerations can err.
    """

    axes: Floats
    origin: Floats
    columns: Floats
    spin: Floats
    velocity: Floats
    turning: Floats
    acceleration: Floats
    doubt: Floats
    rest_doubt: Floats


@dataclass(frozen=True)
class Row:
    """A constraint: φ (…), its row of A (…, n) and its part of Ȧ q̇ (…)."""

    value: Floats
    row: Ball
    rest: Ball


def with_ends(robot: Robot) -> Robot:
    """The robot with the ends of its cut joints among its named frames; names tell them from all others."""
    closing, switched = (tuple(map(_named, cuts)) for cuts in (robot.cut_joints, robot.switched))
    ends = [end for cut in (*closing, *switched) for end in (cut.predecessor, cut.successor) if end.link != BASE]
    return replace(
        robot,
        frames=(*robot.frames, *ends),
        cut_joints=closing,
        switched=switched,
        tool=robot.tool or robot.links[-1].name,
    )


def _named(cut: CutJoint) -> CutJoint:
    return replace(
        cut,
        predecessor=replace(cut.predecessor, name=f"predecessor of cut joint {cut.name}"),
        successor=replace(cut.successor, name=f"successor of cut joint {cut.name}"),
    )


class Constraints:
    """The constraints at a tree's q (…, nq) and q̇ (…, n); the oracle's robot has the ends of cut joints as frames."""

    def __init__(self, oracle: Oracle, q: Floats, qd: Floats | None = None) -> None:
        """Without q̇, Ȧ q̇ is 0, and errors are not asked for."""
        self.oracle, self.q, self.qd = oracle, q, qd
        self._at = oracle.geometry(q)

    @property
    def robot(self) -> Robot:
        """The robot."""
        return self.oracle.robot

    @cached_property
    def _rows(self) -> list[Row]:
        cuts = [row for cut in self.robot.cut_joints for row in self.of_cut(cut)]
        return [*cuts, *self._of_couplings(), *map(self._of_spin, self.robot.spins)]

    @property
    def residual(self) -> Floats:
        """φ (…, m)."""
        return np.stack([row.value for row in self._rows[: self.robot.constraints]], axis=-1)

    @property
    def jacobian(self) -> Ball:
        """A (…, m, n), with rows of spins after those of constraints, as `rest` has entries."""
        return stacked([row.row for row in self._rows], -2)

    @property
    def rest(self) -> Ball:
        """Ȧ q̇ (…, m)."""
        return stacked([row.rest for row in self._rows], -1)

    def of_cut(self, cut: CutJoint) -> Iterator[Row]:
        """Its constraints."""
        one, other = self.end(cut.predecessor), self.end(cut.successor)
        way, speed = other.origin - one.origin, other.velocity - one.velocity
        gain, lever = other.columns[..., 3:, :] - one.columns[..., 3:, :], np.linalg.norm(way, axis=-1)
        doubt = one.doubt + other.doubt + lever[..., None] * one.doubt + EPSILON * np.abs(one.origin).max(-1)[..., None]
        rest_doubt = one.rest_doubt + other.rest_doubt + lever * one.rest_doubt
        if cut.kind is CutKind.ROD:
            length = number(cut.length, self.robot)
            row = np.einsum("...x,...xj->...j", way, gain)
            rest = np.sum(speed**2 + way * (other.acceleration - one.acceleration), axis=-1)
            size = SLACK * (lever + np.linalg.norm(speed, axis=-1))
            value = (np.sum(way**2, axis=-1) - length**2) / 2
            yield Row(value, Ball(row, size[..., None] * doubt), Ball(rest, size * rest_doubt))
            return
        # As seen by the first frame, which turns: its points move with it, and Coriolis' term comes in.
        spun = np.swapaxes(cross(np.swapaxes(one.columns[..., :3, :], -1, -2), way[..., None, :]), -1, -2)
        seen = speed - cross(one.spin, way)
        change = (
            other.acceleration
            - one.acceleration
            - cross(one.turning, way)
            - cross(one.spin, cross(one.spin, way))
            - 2 * cross(one.spin, seen)
        )
        # Where rounding of q leaves a loop open, it matters whose points the first frame takes along.
        left = np.where(lever < SINGLE * (1 + np.abs(one.origin).max(-1)), lever, 0.0)
        open_doubt = left[..., None] * np.linalg.norm(one.columns[..., :3, :], axis=-2)
        open_rest = left * (np.linalg.norm(one.turning, axis=-1) + np.sum(one.spin**2, axis=-1))
        for axis in cut.kind.shifts:
            along = one.axes[..., axis]
            row = Ball(np.einsum("...x,...xj->...j", along, gain - spun), SLACK * doubt + open_doubt)
            rest = Ball(np.sum(along * change, axis=-1), SLACK * rest_doubt + open_rest)
            yield Row(np.sum(along * way, axis=-1), row, rest)
        for own, far in cut.kind.angles:
            a, b = one.axes[..., own], other.axes[..., far]
            normal = cross(a, b)
            row = np.einsum("...x,...xj->...j", normal, one.columns[..., :3, :] - other.columns[..., :3, :])
            moved = cross(cross(one.spin, a), b) + cross(a, cross(other.spin, b))
            rest = np.sum((one.turning - other.turning) * normal + (one.spin - other.spin) * moved, axis=-1)
            yield Row(np.sum(a * b, axis=-1), Ball(row, SLACK * doubt), Ball(rest, SLACK * rest_doubt))

    def _of_spin(self, frame: Frame) -> Row:
        """A link's spin about the line from its joint to a frame on it, which is none."""
        end, at = self.end(frame), self._at
        line = end.origin - at.joints[..., frame.link, :3, 3]
        row = np.einsum("...x,...xj->...j", line, end.columns[..., :3, :])
        rest = np.sum(line * end.turning, axis=-1)
        size = SLACK * np.linalg.norm(line, axis=-1)
        # The line turns with the link: about itself it has no rate.
        return Row(0 * rest, Ball(row, size[..., None] * end.doubt), Ball(rest, size * end.rest_doubt))

    def end(self, frame: Frame) -> End:
        """A frame at an end of a cut joint."""
        placement = pose(frame.placement, self.robot)
        if frame.link == BASE:
            return self._fixed(np.broadcast_to(self.oracle.root @ placement, (*self.q.shape[:-1], 4, 4)))
        oracle, name = self.oracle, frame.name
        place = oracle.placed(self._at, name)
        columns = oracle.frame_columns(self._at, name, place)
        if self.qd is None:
            still, none = np.zeros_like(place[..., :3, 3]), np.zeros_like(columns[..., 0, :])
            return End(place[..., :3, :3], place[..., :3, 3], columns, still, still, still, still, none, none[..., 0])
        rates = self.qd
        twist = (columns @ rates[..., None])[..., 0]
        rest = oracle.jacobian_dot_velocity(self.q, rates, name)
        doubt = sizes.rounding(oracle, lambda by: sizes.jacobian_sizes(by, self.q, name)).max(axis=-2)

        def changes(by: Measure) -> Floats:
            change = sizes.jacobian_rate_sizes(by, self.q, rates, name)
            return np.asarray(np.sum(change * np.abs(rates)[..., None, :], axis=-1))

        rest_doubt = sizes.rounding(oracle, changes).max(axis=-1)
        doubt = np.broadcast_to(doubt, columns[..., 0, :].shape)
        parts = (twist[..., :3], twist[..., 3:], rest[..., :3], rest[..., 3:])
        return End(place[..., :3, :3], place[..., :3, 3], columns, *parts, doubt, rest_doubt)

    def _fixed(self, place: Floats) -> End:
        batch, n = place.shape[:-2], self.robot.nv
        still = np.zeros((*batch, 3))
        none = np.zeros((*batch, 6, n))
        return End(
            place[..., :3, :3], place[..., :3, 3], none, still, still, still, still, none[..., 0, :], np.zeros(batch)
        )

    def _of_couplings(self) -> Iterator[Row]:
        places = {name: (q, v) for name, q, v in self.robot.plain_coordinates}
        for coupling in self.robot.couplings:
            value = np.full(self.q.shape[:-1], -number(coupling.offset, self.robot))
            row = np.zeros((*self.q.shape[:-1], self.robot.nv))
            for name, ratio in coupling.terms:
                q, v = places[name]
                value = value + float(ratio) * self.q[..., q]
                row[..., v] += float(ratio)
            yield Row(value, Ball.exact(row), Ball.exact(0 * value))


def stacked(balls: list[Ball], axis: int) -> Ball:
    """The balls along a new axis."""
    return Ball(np.stack([ball.value for ball in balls], axis), np.stack([ball.radius for ball in balls], axis))
