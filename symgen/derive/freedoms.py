"""What the loops of a robot leave free, and how the rates that follow are found."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.derive.loop_plan import plan_of
from symgen.mechanics.instantiation import instantiate
from symgen.robot.model import Robot


@dataclass(frozen=True)
class Freedoms:
    """`independent`: names of the coordinates that are given; `blocks`: of those that follow, in order, some together.

    `tree`: how many the tree has; `constraints`: how many tie them, of which `repeated` say nothing new.
    """

    tree: int
    constraints: int
    repeated: int
    independent: tuple[str, ...]
    blocks: tuple[tuple[str, ...], ...]


def freedoms(robot: Robot) -> Freedoms:
    """The freedoms of a robot; `InputError` for loops that do not close, and that its joints do not fit."""
    names = [each.name for each in robot.velocities]
    independent = tuple(names[index] for index in robot.independent)
    if not robot.has_loops:
        return Freedoms(robot.nv, 0, 0, independent, ())
    plan = plan_of(robot, lambda graph: instantiate(robot, graph))
    blocks = tuple(tuple(names[index] for index in sorted(block.columns)) for block in plan.blocks)
    count = robot.constraints + len(robot.spins)
    return Freedoms(robot.nv, count, len(plan.dropped), independent, blocks)
