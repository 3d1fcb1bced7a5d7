"""Closed forms of kinematics: transforms, Jacobians, the DeNOC matrices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from symgen.algebra.domain import Vector
from symgen.errors import InputError
from symgen.formulas.catalogue import BODY, FRAME, PAIR, Forms, quantity
from symgen.formulas.form import Family, Form
from symgen.formulas.robot_in_ring import BASE_AXES, RobotInRing
from symgen.mechanics import kinematics
from symgen.mechanics.denoc import Denoc
from symgen.mechanics.denoc_blocks import DenocBlocks
from symgen.mechanics.functions.units import JACOBIAN, POSE, RATIO
from symgen.mechanics.link_denoc import LinkDenoc
from symgen.mechanics.mechanism import FrameOnBody
from symgen.robot.model import BASE


class KinematicForms(Forms):
    """Quantities of position and of the velocity transformation."""

    @cached_property
    def _blocks(self) -> DenocBlocks:
        return self._blocks_of(self._plain)

    def _blocks_of(self, subject: RobotInRing) -> DenocBlocks:
        kind = Denoc if subject.choices.axes == BASE_AXES else LinkDenoc
        return kind(subject.mechanism, subject.choices.reference)

    # positions -----------------------------------------------------------------------------------

    @cached_property
    @quantity("T_{#1}", "transform of link #1's frame to that of the link that carries it", POSE, BODY)
    def transforms(self) -> Family:
        """T_i, 4×4: pose of link i's frame in that of the link that carries it, or in the base's; fixed links count."""
        count = len(self._plain.robot.links)
        return Family(
            "transforms", (count,), lambda i: self._form("transforms", (4, 4), lambda: self._transform(i), of=(i,))
        )

    @cached_property
    @quantity("Q_{#1}", "orientation of link #1's frame in that of the link that carries it", RATIO, BODY)
    def rotations(self) -> Family:
        """Q_i, 3×3: orientation of the table's frame of link i in that of the link that carries it."""
        count = len(self._plain.robot.links)
        return Family(
            "rotations",
            (count,),
            lambda i: self._form("rotations", (3, 3), lambda: self._transform(i)[:3, :3], of=(i,)),
        )

    def _transform(self, index: int) -> Any:
        robot, mechanism = self._plain.robot, self._mechanism
        parent = robot.links[index].parent
        outer = FrameOnBody("base", BASE, *kinematics.no_motion(mechanism.domain))
        if parent != BASE:
            outer = kinematics.link_frame(mechanism, robot, parent)
        return kinematics.relative_pose(mechanism, outer, kinematics.link_frame(mechanism, robot, index))

    @quantity("T", "pose [R p; 0 1] of frame '#1' in the base frame", POSE, FRAME)
    def forward_kinematics(self, frame: str | None = None) -> Form:
        """T, 4×4: pose of a named frame (default: tool, else last link) in the base frame."""
        item = self._frame(frame)
        return self._form("forward_kinematics", (4, 4), lambda: self._pose(item), of=(item.name,))

    def _pose(self, item: FrameOnBody) -> Any:
        bodies = kinematics.poses(self._mechanism)
        return kinematics.homogeneous(self._mechanism, kinematics.frame_pose(self._mechanism, item, bodies))

    @quantity("J", "Jacobian of frame '#1', about its origin, in base axes", JACOBIAN, FRAME)
    def jacobian(self, frame: str | None = None, axes: str = kinematics.BASE_AXES) -> Form:
        """J, 6×nv: the twist [ω; v] of a named frame is J q̇; about its origin, in axes of the "base" or the "frame"."""
        if axes not in (kinematics.BASE_AXES, kinematics.FRAME_AXES):
            raise InputError(f"axes of a Jacobian: expected 'base' or 'frame', found {axes!r}"[:200])
        item = self._frame(frame)
        return self._form(
            "jacobian", (6, self._nv), lambda: kinematics.jacobian(self._mechanism, item, axes), of=(item.name,)
        )

    def _frame(self, name: str | None) -> FrameOnBody:
        robot = self._plain.robot
        wanted = name or robot.tool or robot.links[robot.last].name
        frames = {frame.name: frame for frame in self._mechanism.frames}
        if wanted not in frames:
            raise InputError(f"{robot.name}: no frame is called {wanted[:60]!r}; there are: {', '.join(frames)}")
        return frames[wanted]

    # the DeNOC -----------------------------------------------------------------------------------

    @cached_property
    @quantity("A_{#1#2}", "twist propagation from body #2 to body #1", "SI", PAIR, blocks=True)
    def twist_propagations(self) -> Family:
        """A_ij, 6×6 (B_ij in 1999): carries the twist of body j to body i, were they rigidly joined."""
        return self._bodies(
            "twist_propagations",
            lambda i, j: self._form(
                "twist_propagations", (6, 6), lambda: self._blocks.propagation(*self._carried(i, j)), of=(i, j)
            ),
            2,
        )

    def _carried(self, i: int, j: int) -> tuple[int, int]:
        if self.choices.axes != BASE_AXES and not self._blocks.carries(j, i):
            raise InputError(
                f"twist_propagations: body {j + 1} does not carry body {i + 1}; in link axes there is a propagation "
                "only from a body to those it carries"
            )
        return i, j

    @cached_property
    @quantity("p_{#1}", "joint motion of body #1", "SI", BODY, blocks=True)
    def joint_motions(self) -> Family:
        """p_i, 6: the twist of body i relative to the body that carries it is p_i q̇_i; 6×k of a joint with k rates."""
        return self._bodies(
            "joint_motions",
            lambda i: self._form(
                "joint_motions", self._of_rates(i), lambda: joined_columns(self._blocks.blocks[i].columns), of=(i,)
            ),
        )

    def _of_rates(self, body: int) -> tuple[int, ...]:
        """The shape of a vector for each rate of a body's joint: 6, or 6×k."""
        count = len(self._mechanism.bodies[body].velocities)
        return (6,) if count == 1 else (6, count)

    @cached_property
    @quantity("N_l", "N_l, blocks A_ij, lower block triangular", "SI", blocks=True)
    def N_l(self) -> Form:  # noqa: N802 — the papers' name
        """N_l, 6n×6n: blocks A_ij, lower block triangular (Saha, eq. (13b))."""
        return self._form("N_l", (6 * self._n, 6 * self._n), lambda: self._blocks.N_l)

    @cached_property
    @quantity("N_d", "N_d, columns p_i on the block diagonal", "SI", blocks=True)
    def N_d(self) -> Form:  # noqa: N802 — the papers' name
        """N_d, 6n×nv: columns p_i on the block diagonal (Saha, eq. (13b))."""
        return self._form("N_d", (6 * self._n, self._nv), lambda: self._blocks.N_d)

    @cached_property
    @quantity("N", "natural orthogonal complement N = N_l N_d", "SI", blocks=True)
    def N(self) -> Form:  # noqa: N802 — the papers' name
        """N = N_l N_d, 6n×nv, the natural orthogonal complement: t = N q̇ (Saha, eq. (13a))."""
        return self._form("N", (6 * self._n, self._nv), lambda: self._blocks.N)


def joined_columns(columns: Sequence[Vector]) -> Any:
    """A vector as it is, several as the columns of a matrix."""
    return columns[0] if len(columns) == 1 else np.stack(columns, axis=1)
