"""What `symgen info` says of a robot's graph: links, joints and cuts, freedoms, and which coordinates are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from symgen.errors import InputError
from symgen.robot.model import Robot
from symgen.robot.outline import legend, link_name, loop_joints, outline

if TYPE_CHECKING:
    from symgen.derive.freedoms import Freedoms, Stage


def graph_view(robot: Robot) -> RenderableType:
    """The graph as text, and its freedoms; what keeps the loops from closing instead where something does."""
    parts = [Text(f"graph: {legend(robot)}", style="italic"), *(Text(line, no_wrap=True) for line in outline(robot))]
    if robot.has_loops:
        found = _found(robot)
        if not isinstance(found, str):
            parts += map(Text, (*_lines(robot, found), *_branch_lines(robot)))
        else:
            parts.append(Text(f"notice: {found}", style="yellow"))
    return Group(*parts)


def _found(robot: Robot) -> Freedoms | str:
    from symgen.derive.freedoms import freedoms  # all of the mechanics

    try:
        return freedoms(robot)
    except InputError as error:
        return str(error)


def _branch_lines(robot: Robot) -> list[str]:
    """Which of two assemblies of each loop is meant, where closed forms have two."""
    from symgen.derive.loop_branches import branch_names, on_branches

    try:
        names = branch_names(on_branches(robot))
    except InputError as error:
        return [f"branches: {error}"]
    return [f"branches: {', '.join(f'{loop} {word}' for loop, word in names.items())}"] if names else []


def _lines(robot: Robot, found: Freedoms) -> list[str]:
    repeated = f", {found.repeated} of which say nothing new" if found.repeated else ""
    solved = ", ".join(block[0] if len(block) == 1 else f"({', '.join(block)})" for block in found.blocks)
    together = ", those in brackets together" if any(len(block) > 1 for block in found.blocks) else ""
    return [
        f"freedoms: {found.tree} of the tree, {found.constraints} constraints{repeated}: {len(found.independent)} left",
        f"independent: {', '.join(found.independent)}",
        *([f"actuators: {', '.join(robot.motors)}"] if robot.motors else []),
        f"dependent, in the order in which they are found{together}: {solved}",
        *_stage_lines(found),
    ]


def _stage_lines(found: Freedoms) -> list[str]:
    """In which order inverse dynamics by subsystems solves these."""
    if found.indeterminate:
        return [f"subsystems: {found.indeterminate}"]
    lines = (f"  {number}. {_stage_text(stage)}" for number, stage in enumerate(found.stages, 1))
    return ["subsystems, in the order in which their forces are found:", *lines]


def _stage_text(stage: Stage) -> str:
    joints = " with ".join(f"({', '.join(each)})" for each in stage.subsystems)
    unknowns = [f"{number} multiplier{'s' * (number > 1)} of {name}" for name, number in stage.multipliers] + [
        f"drive {name}" for name in stage.drives
    ]
    return f"{joints}: {stage.unknowns} unknown{'s' * (stage.unknowns > 1)}: {', '.join(unknowns)}"


def graph_summary(robot: Robot) -> dict[str, Any]:
    """What `symgen info --json` says of the graph."""
    found = _found(robot) if robot.has_loops else None
    return {
        "loops": [
            {
                "name": cut.name,
                "kind": cut.kind.value,
                "predecessor": link_name(robot, cut.predecessor.link),
                "successor": link_name(robot, cut.successor.link),
                "constraints": cut.kind.size,
                "passes": list(loop_joints(robot, cut)),
            }
            for cut in robot.cut_joints
        ],
        "couplings": [
            {
                "name": each.name,
                "terms": {name: float(ratio) for name, ratio in each.terms},
                "offset": float(each.offset.constant(robot.defaults)),
            }
            for each in robot.couplings
        ],
        "independent": [each.name for each in robot.independent_velocities],
        "actuators": list(robot.motors or (each.name for each in robot.independent_velocities)),
        "dependent": None if isinstance(found, str) else [list(block) for block in (found.blocks if found else ())],
        "subsystems": [
            {
                "joints": [list(each) for each in stage.subsystems],
                "multipliers": dict(stage.multipliers),
                "drives": list(stage.drives),
            }
            for stage in (found.stages if found and not isinstance(found, str) else ())
        ],
        "not_closed": found if isinstance(found, str) else None,
    }
