"""Where cut joints are: frames turned onto their axes, and frames that rows of a modified table lead to, as poses."""

from __future__ import annotations

from collections.abc import Mapping

from symgen.algebra.exact import Exact
from symgen.robot.direction import turns_onto
from symgen.robot.expression import ZERO
from symgen.robot.linear import plus
from symgen.robot.model import Placement, Row, Vector
from symgen.robot.orientation import then_turned
from symgen.robot.placed import UP
from symgen.robot.placement import Pose, pose, turned_vector


def turned_onto(placement: Placement, axis: Vector, defaults: Mapping[str, Exact]) -> Placement:
    """The frame of a pose, turned so that its z axis has this direction, given in the frame's axes."""
    if axis == UP:
        return placement
    turns, given = turns_onto(axis, defaults), pose(placement)
    if given is None or not turns:
        return (*placement, *turns)
    amounts = [(part.axis, part.amount.constant({})) for part in turns]
    return Pose(given.xyz, then_turned(given.rpy, amounts)).placement()


def row_pose(row: Row) -> Placement:
    """Where a row of a modified table leads: Rz(gamma) Tz(before) Rx(alpha) Tx(a) Rz(theta) Tz(b)."""
    x, y, z = turned_vector(0, row.alpha, (row.a, ZERO, row.b))
    xyz = turned_vector(2, row.gamma, (x, y, plus(row.before, z)))
    turns = [(axis, angle.constant({})) for axis, angle in ((0, row.alpha), (2, row.theta)) if not angle.is_zero]
    rpy = (ZERO, ZERO, row.gamma)
    return Pose(xyz, then_turned(rpy, turns) if turns else rpy).placement()
