"""Reader of robot files: TOML text → `Robot`, with all problems of a file reported at once.

The keys are documented in docs/reference/robot-files.md and in `schema`. Files are data: nothing in them is executed.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from symgen.algebra.work import Work
from symgen.errors import Problem, RobotFileError
from symgen.robot import rows
from symgen.robot.expression import MAX_WORK
from symgen.robot.findings import in_order
from symgen.robot.mend import mend
from symgen.robot.model import Robot
from symgen.robot.schema import RobotTable
from symgen.robot.schema_problems import faults_of, problem_of
from symgen.robot.toml_text import parsed


def read_text(text: str, source: str) -> Robot:
    """The robot described by TOML text; `source` names it in messages.

    Raises `InputError` if it is no TOML, and `RobotFileError` with every problem found.
    """
    data = parsed(text, source)
    if "joints" not in data:
        return _robot(data, source)
    from symgen.robot.graph.lower import lowered  # few files have joints beside their links

    graph = lowered(data, source)
    try:
        robot = _robot(graph.data, source)
    except RobotFileError as error:
        raise RobotFileError(source, tuple(map(graph.problem, error.problems))) from None
    return replace(robot, notices=(*graph.notices, *map(graph.place, robot.notices)))


def _robot(data: dict[str, Any], source: str) -> Robot:
    try:
        table = RobotTable.model_validate(data, context=Work(MAX_WORK))
    except ValidationError as error:
        raise RobotFileError(source, _all_problems(data, error)) from None
    return rows.build(table, source)


def _all_problems(data: dict[str, Any], error: ValidationError) -> tuple[Problem, ...]:
    """What the schema refuses, and what the checks after it find in the rest of the file."""
    faults = faults_of(error)
    found = [problem_of(details, data, RobotTable) for details in faults]
    mended = mend(data, (details["loc"] for details in faults))
    if mended is not None:
        with contextlib.suppress(ValidationError):  # it cannot be mended: what the schema says must do
            found += rows.problems(RobotTable.model_validate(mended.data, context=Work(MAX_WORK)), mended.broken)
    return in_order(found)
