"""Which other counts stand beside those of a robot: the literature's, other generators', the generic route's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from symgen.count.report import crossover_grids, generic_grids, literature_grids
from symgen.display.markup import Grid
from symgen.generation import reading
from symgen.program.counts import Counts
from symgen.robot import shipped
from symgen.robot.model import Robot

if TYPE_CHECKING:
    from symgen.count.crossover import Crossover
    from symgen.count.generic import Generic
    from symgen.derive.outcome import Derivation


def arm_joints(robot: Robot) -> int:
    """The number of joints of an arm that published algorithms are for; 0 for robots that are none."""
    return 0 if robot.has_loops or robot.has_free_joints else robot.nv


def generic_of(derivation: Derivation, *, symbolic: bool) -> Mapping[str, Generic]:
    """The generic route's counts of a robot with loops whose numbers are known; none of others."""
    if symbolic or not derivation.module.record.loops:
        return {}
    from symgen.count.generic import generic_counts

    return generic_counts(derivation.subject)


def published_grids(
    robot: Robot,
    numbers: Mapping[str, Counts],
    compared: Crossover | None,
    generic: Mapping[str, Generic],
    *,
    symbolic: bool,
) -> Iterator[Grid]:
    """Other generators only where the same numeric table was counted."""
    yield from generic_grids(numbers, generic)
    yield from literature_grids(counted_name(robot, symbolic=symbolic), arm_joints(robot), numbers)
    if compared is not None:
        yield from crossover_grids(compared)


def counted_name(robot: Robot, *, symbolic: bool) -> str:
    """The robot's name where other generators' code was counted for the same table, else the empty text."""
    return robot.name if not symbolic and robot == _library_robot(robot.name) else ""


def _library_robot(name: str) -> Robot | None:
    """The library's robot of that name, if there is one."""
    return reading.load(name) if name in shipped.names() else None
