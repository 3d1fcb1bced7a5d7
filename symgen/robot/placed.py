"""Links placed by `xyz`, `rpy` and `axis`: the constant transforms on either side of their joints.

The link's reference frame is the joint's: shifted by xyz, turned by rpy. The link's own frame, about whose z axis the
joint moves, is turned from it so that z lies on the joint's axis; the turns back lead to the reference frame again.
Where the joint is elsewhere on the link, a shift and a turn lead from it to the reference frame.
"""

from __future__ import annotations

from collections.abc import Mapping

from symgen.algebra.exact import Exact
from symgen.robot.direction import back, turns_onto
from symgen.robot.expression import ONE, ZERO
from symgen.robot.joints import JointKind
from symgen.robot.model import Elementary, Joint, Placed, Placement
from symgen.robot.placement import Pose

UP = (ZERO, ZERO, ONE)
"""The axis z."""

AT_PARENT = Placed((ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO), UP)
"""The parent's frame."""


def split(joint: Joint, placed: Placed, defaults: Mapping[str, Exact]) -> tuple[Placement, Placement]:
    """(before, after) of a placed link: the constant transforms on either side of the joint's motion."""
    turns = () if joint.kind is JointKind.FIXED else turns_onto(placed.axis, defaults)
    shift = () if joint.shift.is_zero else (Elementary(False, 2, joint.shift),)
    inward = back(Pose(placed.joint_xyz, placed.joint_rpy).placement())
    return (*Pose(placed.xyz, placed.rpy).placement(), *turns, *shift), (*back(turns), *inward)
