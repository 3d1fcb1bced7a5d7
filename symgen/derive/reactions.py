"""Whether the reactions of a robot with loops are determined: not where constraints hold that others imply."""

from __future__ import annotations

from collections.abc import Iterator

from symgen.mechanics.loops.plan import Plan
from symgen.robot.model import Robot


def indeterminate(robot: Robot, plan: Plan) -> str:
    """Why the wrenches of single joints are not determined, and what to do; "" where they are."""
    if not robot.cut_joints:
        return "no loop is closed by a cut joint, and couplings act in their joints alone; take inverse_dynamics"
    found = [text for text in _implied(robot, plan) if text]
    if not found:
        return ""
    return (
        f"the reactions are indeterminate, since constraints hold already where the others do: {', '.join(found)}; "
        "how much of the load each of them takes, no rigid body can tell. Close the loop by a joint that leaves these "
        'freedoms, such as joint = "inline" in place of a planar loop\'s last revolute joint'
    )


def _implied(robot: Robot, plan: Plan) -> Iterator[str]:
    first = 0
    parts = [(f"cut joint {cut.name}", cut.kind.size) for cut in robot.cut_joints]
    parts += [(f"coupling {coupling.name}", 1) for coupling in robot.couplings]
    parts += [(f"spin of {spin.name}", 1) for spin in robot.spins]
    for what, size in parts:
        count = sum(first <= row < first + size for row in plan.dropped)
        first += size
        yield f"{count} of the {size} of {what}" if count else ""
