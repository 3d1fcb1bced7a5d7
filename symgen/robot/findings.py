"""What is found in one robot file while it is read: problems, which refuse it, and notices, which do not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from symgen.algebra.work import Work
from symgen.errors import Problem
from symgen.robot.expression import MAX_WORK

if TYPE_CHECKING:
    from symgen.robot.schema import LinkTable


@dataclass
class Findings:
    """What was found wrong, and what the user should know; with `snap` angles are read as what they stand for."""

    problems: list[Problem] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    snap: bool = True
    work: Work = field(default_factory=lambda: Work(MAX_WORK))
    _places: set[str] = field(default_factory=set)

    def problem(self, place: str, message: str) -> None:
        """Note what refuses the file."""
        self.problems.append(Problem(place, message))
        self._places.add(place)

    def notice(self, place: str, message: str) -> None:
        """Note what the user should see."""
        self.notices.append(f"{place}: {message}")

    def about(self, place: str) -> bool:
        """Whether something is wrong at that place."""
        return place in self._places


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems, each once, in the order of the file: first what stands above the links."""
    return tuple(sorted(dict.fromkeys(problems), key=lambda problem: _link_number(problem.place)))


def _link_number(place: str) -> int:
    match = re.match(r"links\[(\d+)\]", place)
    return int(match[1]) if match else 0


def place_of(row: LinkTable, index: int, key: str) -> str:
    """The place of a key of a link's table, in messages; `index` counts links from 0."""
    name = f" (link '{row.name}')" if row.name else ""
    return f"links[{index + 1}].{key}{name}"
