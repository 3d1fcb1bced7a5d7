"""Contact sets, as a robot file says them: names of loops that are closed together, at some times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symgen.robot.findings import Findings
from symgen.robot.loops import ContactSet
from symgen.robot.model import NO_DRIVE, NO_LIMITS, CutJoint, Robot
from symgen.robot.names import identifier_problem, shown_key
from symgen.robot.schema import LoopsFile


def with_contacts(
    robot: Robot, table: LoopsFile, cuts: Sequence[CutJoint], findings: Findings
) -> tuple[Robot, tuple[CutJoint, ...]]:
    """(the robot with the table's contact sets and their cut joints, the cut joints of the table that stay closed).

    Sets may name loops of this table, and loops that are switched already; problems are told to `findings`.
    """
    loops = [cut.name for cut in (*robot.switched, *cuts)]
    sets = tuple(_sets(robot, table, loops, findings))
    named = {loop for each in sets for loop in each.loops}
    for index, (loop, cut) in enumerate(zip(table.loops, cuts, strict=True)):
        if cut.name in named and loop.branch is not None:
            findings.problem(f"loops[{index + 1}].branch", "a loop of a contact set has no branch; leave it out")
        if cut.name in named and (cut.drive != NO_DRIVE or cut.limits != NO_LIMITS):
            findings.problem(
                f"loops[{index + 1}]",
                "a loop of a contact set has neither friction, springs nor limits; leave them out",
            )
    switched = tuple(cut for cut in cuts if cut.name in named)
    robot = replace(robot, switched=robot.switched + switched, contacts=robot.contacts + sets)
    return robot, tuple(cut for cut in cuts if cut.name not in named)


def _sets(robot: Robot, table: LoopsFile, loops: Sequence[str], findings: Findings) -> Iterator[ContactSet]:
    for name, members in table.contacts.items():
        place = f"contacts.{shown_key(name)}"
        if problem := identifier_problem(name):
            findings.problem(place, f"{problem}: functions carry it")
        if any(each.name == name for each in robot.contacts):
            findings.problem(place, f"the name {name!r} is taken already")
        if not members:
            findings.problem(place, "names no loop; name those that are closed together, or leave the set out")
        for index, loop in enumerate(members):
            if loop in members[:index]:
                findings.problem(f"{place}[{index + 1}]", f"{loop[:40]!r} is named twice")
            elif loop not in loops:
                known = ", ".join(loops[:20]) or "none"
                findings.problem(f"{place}[{index + 1}]", f"no loop is called {loop[:40]!r}; there are: {known}")
        yield ContactSet(name, tuple(dict.fromkeys(loop for loop in members if loop in loops)))
