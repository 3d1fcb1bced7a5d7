"""What the loops of a robot leave free, and how the rates that follow, and the forces, are found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, repeat

from symgen.derive.loop_plan import plan_of
from symgen.mechanics.formulations import subsystems
from symgen.mechanics.instantiation import instantiate
from symgen.program.graph import Graph
from symgen.robot.model import Robot


@dataclass(frozen=True)
class Stage:
    """Subsystems whose forces are found together: names of the joints' coordinates of each, and the unknowns.

    `multipliers`: (cut joint, coupling or spin; number of its multipliers); `drives`: names of coordinates.
    """

    subsystems: tuple[tuple[str, ...], ...]
    multipliers: tuple[tuple[str, int], ...]
    drives: tuple[str, ...]

    @property
    def unknowns(self) -> int:
        """As many as the subsystems have freedoms."""
        return sum(number for _, number in self.multipliers) + len(self.drives)


@dataclass(frozen=True)
class Freedoms:
    """`independent`: names of the coordinates that are given; `blocks`: of those that follow, in order, some together.

    `tree`: how many the tree has; `constraints`: how many tie them, of which `repeated` say nothing new.
    `stages`: the order of inverse dynamics by subsystems; `indeterminate`: why there is none, as a clause.
    """

    tree: int
    constraints: int
    repeated: int
    independent: tuple[str, ...]
    blocks: tuple[tuple[str, ...], ...]
    stages: tuple[Stage, ...] = ()
    indeterminate: str = ""


def freedoms(robot: Robot) -> Freedoms:
    """The freedoms of a robot; `InputError` for loops that do not close, and that its joints do not fit."""
    names = [each.name for each in robot.velocities]
    independent = tuple(names[index] for index in robot.independent)
    if not robot.has_loops:
        return Freedoms(robot.nv, 0, 0, independent, ())
    plan = plan_of(robot, lambda graph: instantiate(robot, graph), legs=False)
    blocks = tuple(tuple(names[index] for index in sorted(block.columns)) for block in plan.blocks)
    count = robot.constraints + len(robot.spins)
    mechanism = replace(instantiate(robot, Graph()), plan=plan)
    indeterminate = subsystems.misfit(mechanism)
    stages = () if indeterminate else tuple(_named(robot, stage) for stage in subsystems.stages(mechanism))
    return Freedoms(robot.nv, count, len(plan.dropped), independent, blocks, stages, indeterminate)


def _named(robot: Robot, stage: subsystems.Stage) -> Stage:
    names = [each.name for each in robot.velocities]
    owners = [
        *chain.from_iterable(repeat(cut.name, cut.kind.size) for cut in robot.cut_joints),
        *(coupling.name for coupling in robot.couplings),
        *(f"spin of {robot.links[spin.link].name}" for spin in robot.spins),
    ]
    own = [owners[row] for row in stage.multipliers]
    return Stage(
        tuple(tuple(names[index] for index in joints) for joints in stage.subsystems),
        tuple((name, own.count(name)) for name in dict.fromkeys(own)),
        tuple(names[index] for index in stage.drives),
    )
