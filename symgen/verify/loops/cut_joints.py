"""Coordinates of cut joints from the poses of both ends in the base frame, their rates, and the forces there.

Angles are those of the base frame's geometry (arctan2 of scalar products of axes), rates are products of Jacobians.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from symgen.robot.joints import ANGLE
from symgen.robot.loops import CutCoordinate
from symgen.robot.model import Robot
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.drives import cut_drives
from symgen.verify.geometry import Floats
from symgen.verify.loops.constraints import SLACK, Constraints, End
from symgen.verify.oracle import Oracle
from symgen.verify.transforms import cross

OPENING = 4
"""How many times the residual of the constraints a coordinate may be off: it has its meaning where there is none."""


class CutJoints:
    """The coordinates of all cut joints at closed q (…, nq): c of them, moved by the tree's n rates."""

    def __init__(self, oracle: Oracle, q: Floats) -> None:
        self._robot: Robot = oracle.robot
        self._at = Constraints(oracle, q, np.zeros((*q.shape[:-1], oracle.robot.nv)))
        self.drives = cut_drives(oracle.robot)

    @property
    def positions(self) -> Ball:
        """s (…, c), in rad or m."""
        values, radii = zip(*((value, radius) for value, radius, _, _ in self._found), strict=True)
        return Ball(np.stack(values, axis=-1), np.stack(radii, axis=-1))

    @property
    def rows(self) -> Ball:
        """K (…, c, n), by which their rates are K q̇."""
        values, radii = zip(*((row, doubt) for _, _, row, doubt in self._found), strict=True)
        return Ball(np.stack(values, axis=-2), np.stack(radii, axis=-2))

    def velocities(self, velocity: Ball) -> Ball:
        """ṡ (…, c) at the tree's q̇."""
        return self.rows.times(velocity)

    def forces(self, velocity: Ball) -> Ball:
        """Kᵀ f (…, n): what friction and springs at cut joints ask of the tree's drives at its q̇."""
        drives, s, sd = self.drives, self.positions, self.velocities(velocity)
        size = drives.friction_sizes(sd.value) + drives.spring_sizes(s.value)
        doubt = drives.friction_slope_sizes * sd.radius + np.abs(drives.stiffness) * s.radius
        # A sign may be the other one.
        turned = np.where((drives.smoothing == 0) & (np.abs(sd.value) <= sd.radius), 2 * np.abs(drives.coulomb), 0)
        force = Ball(drives.forces(s.value, sd.value), SLACK * EPSILON * size + doubt + turned)
        return self.rows.transposed.times(force)

    @property
    def spring_energy(self) -> Ball:
        """Energy (…) of the springs."""
        drives, s = self.drives, self.positions
        doubt = np.abs(drives.springs(s.value)) * s.radius
        radius = SLACK * EPSILON * drives.spring_energy_sizes(s.value) + doubt.sum(axis=-1)
        return Ball(drives.spring_energy(s.value), radius)

    @cached_property
    def _found(self) -> list[tuple[Floats, Floats, Floats, Floats]]:
        """(position, what it can err, row, what that can err) of every coordinate."""
        return [
            found
            for cut in self._robot.cut_joints
            if cut.kind.coordinates
            for one, other in [(self._at.end(cut.predecessor), self._at.end(cut.successor))]
            for each in cut.kind.coordinates
            for found in self._of(one, other, each)
        ]

    def _of(self, one: End, other: End, kind: CutCoordinate) -> Iterator[tuple[Floats, Floats, Floats, Floats]]:
        way = other.origin - one.origin
        far = np.linalg.norm(way, axis=-1) + np.linalg.norm(one.origin, axis=-1)
        doubt = SLACK * ((1 + np.linalg.norm(way, axis=-1))[..., None] * one.doubt + other.doubt)
        axis = (other if kind.of_successor else one).axes[..., kind.axis]
        turned = one.columns[..., :3, :]
        if kind.measure == ANGLE:
            sine, cosine = (
                np.sum(one.axes[..., own] * other.axes[..., its], axis=-1) for own, its in (kind.sine, kind.cosine)
            )
            value, column = np.arctan2(sine, cosine), other.columns[..., :3, :] - turned
        else:
            value = np.sum(axis * way, axis=-1)
            spun = np.swapaxes(cross(np.swapaxes(turned, -1, -2), way[..., None, :]), -1, -2)
            column = other.columns[..., 3:, :] - one.columns[..., 3:, :] - spun
        row = np.einsum("...x,...xj->...j", axis, column)
        open_by = np.abs(self._at.residual).max(axis=-1)
        steps = SLACK * self._robot.nv * EPSILON * (1 + far)
        yield value, OPENING * open_by + steps, row, doubt + OPENING * open_by[..., None]
