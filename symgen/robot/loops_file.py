"""Reader of files that say what closes the loops of a robot whose own file, such as a URDF, cannot say it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from symgen.algebra.work import Work
from symgen.errors import RobotFileError
from symgen.robot.expression import MAX_WORK
from symgen.robot.findings import Findings
from symgen.robot.frame_tables import pose_placement
from symgen.robot.loop_tables import numbers, with_loops
from symgen.robot.model import Robot
from symgen.robot.schema import LoopsFile
from symgen.robot.schema_problems import faults_of, problem_of
from symgen.robot.toml_text import file_text, parsed
from symgen.robot.value_tables import check_numbers

YAML = (".yaml", ".yml")
"""Endings of files that are the `robot.yaml` of example-parallel-robots."""


def closed(robot: Robot, path: Path, *, snap: bool = True) -> Robot:
    """The robot with the loops of a file; they stand beside those that it has, its independent joints in their place.

    A YAML file is the `robot.yaml` that example-parallel-robots have beside a URDF, any other a TOML file. With `snap`
    angles such as 1.5708 are what they stand for. Numbers may hold the robot's parameters. `RobotFileError`
    lists everything that is wrong with the file.
    """
    if path.suffix.lower() in YAML:
        from symgen.robot.parallel_yaml.build import closed as closed_by_yaml

        return closed_by_yaml(robot, path)
    source = str(path)
    data = parsed(file_text(path), source)
    try:
        table = LoopsFile.model_validate(data, context=Work(MAX_WORK))
    except ValidationError as error:
        problems = tuple(problem_of(details, data, LoopsFile) for details in faults_of(error))
        raise RobotFileError(source, problems) from None
    findings = Findings(snap=snap)
    defaults = robot.defaults
    if not any(getattr(table, key) for key in LoopsFile.model_fields):
        findings.problem("file", f"says nothing; the keys of a file of loops: {', '.join(LoopsFile.model_fields)}")
    check_numbers(numbers(table), defaults, findings)
    result = with_loops(robot, table, lambda pose, place: pose_placement(pose, place, defaults, findings), findings)
    if findings.problems:
        raise RobotFileError(source, tuple(dict.fromkeys(findings.problems)))
    return replace(result, notices=(*robot.notices, *dict.fromkeys(findings.notices)))
