"""Reader of files of loads, see `payload`."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from symgen.algebra.work import Work
from symgen.errors import Problem, RobotFileError
from symgen.robot.angles import read_angle
from symgen.robot.expression import MAX_WORK, ZERO, Expression, checked_value
from symgen.robot.findings import Findings
from symgen.robot.model import Inertia, Vector
from symgen.robot.payload import Payload
from symgen.robot.schema import AttachFile, AttachTable, InertiaTable
from symgen.robot.toml_text import file_text, parsed

_TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")


def read(path: Path) -> tuple[Payload, ...]:
    """The loads that a file describes; `RobotFileError` lists everything that is wrong with it."""
    source = str(path)
    data = parsed(file_text(path), source)
    try:
        table = AttachFile.model_validate(data, context=Work(MAX_WORK))
    except ValidationError as error:
        problems = (
            Problem(".".join(map(str, details["loc"])) or "file", details["msg"].removeprefix("Value error, "))
            for details in error.errors(include_url=False)
        )
        raise RobotFileError(source, tuple(problems)) from None
    findings = Findings()
    payloads = tuple(_payload(each, f"attach[{index + 1}]", findings) for index, each in enumerate(table.attach))
    if findings.problems:
        raise RobotFileError(source, tuple(findings.problems))
    return payloads


def _payload(table: AttachTable, place: str, findings: Findings) -> Payload:
    mass = _value(table.mass, f"{place}.mass", findings)
    if mass.constant({}).midpoint() < 0:
        findings.problem(f"{place}.mass", f"expected a mass of at least 0 kg, found {mass}")
    written = table.inertia or InertiaTable()
    if written.frame is not None:
        findings.problem(f"{place}.inertia.frame", "turn the load's frame by rpy instead")
    xx, yy, zz, xy, xz, yz = (
        _value(getattr(written, key) or ZERO, f"{place}.inertia.{key}", findings) for key in _TENSOR
    )
    com = _vector(table.com, f"{place}.com", findings)
    roll, pitch, yaw = (
        read_angle(angle, f"{place}.rpy", {}, findings) for angle in _vector(table.rpy, f"{place}.rpy", findings)
    )
    inertia = Inertia(mass, com, (xx, yy, zz, xy, xz, yz), written.about == "origin")
    return Payload(table.link, inertia, _vector(table.xyz, f"{place}.xyz", findings), (roll, pitch, yaw))


def _vector(given: list[Expression] | None, place: str, findings: Findings) -> Vector:
    x, y, z = (_value(entry, place, findings) for entry in given or (ZERO, ZERO, ZERO))
    return x, y, z


def _value(expression: Expression, place: str, findings: Findings) -> Expression:
    """The number, if it is one."""
    if not expression.is_constant:
        findings.problem(place, f"expected a number, found {expression}; loads have no parameters")
        return ZERO
    try:
        checked_value(expression, {}, findings.work)
    except (ValueError, ZeroDivisionError) as error:
        findings.problem(place, str(error))
        return ZERO
    return expression
