"""Numbers of a robot table: declared parameters with their default values, and everything that is written with them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from symgen.algebra.exact import ONE, Exact
from symgen.algebra.work import Work
from symgen.errors import LimitError
from symgen.robot import drives, names
from symgen.robot.expression import Expression, checked_value
from symgen.robot.findings import Findings, place_of
from symgen.robot.joints import KEYS
from symgen.robot.loop_tables import numbers as loop_numbers
from symgen.robot.schema import AxesTable, LinkTable, RobotTable

_LENGTHS = ("a", "b", "d", "before")


def defaults_of(table: RobotTable, findings: Findings) -> dict[str, Exact]:
    """Default values by name; 1 where one is at fault, so that what uses it can be judged."""
    defaults: dict[str, Exact] = {}
    for name, expression in table.parameters.items():
        place = f"parameters.{names.shown_key(name)}"
        problem = names.parameter_problem(name)
        if problem:
            findings.problem(place, problem)
        elif unknown := _unknown(expression, defaults):
            findings.problem(place, _unknown_text(unknown, defaults) + "; a default may use the parameters above it")
        elif problem := _value_problem(expression, defaults, findings.work):
            findings.problem(place, problem)
        else:
            defaults[name] = expression.constant(defaults)
        defaults.setdefault(name, ONE)
    return defaults


def _value_problem(expression: Expression, defaults: dict[str, Exact], work: Work) -> str | None:
    """Why the expression has no value at the parameters' default values, if it has none."""
    at = "" if expression.is_constant else " at the parameters' default values"
    try:
        checked_value(expression, defaults, work)
    except ZeroDivisionError:
        return f"{names.shortened(str(expression))} divides by zero{at}"
    except (ValueError, LimitError) as error:
        return f"{error}{at}"
    return None


def _unknown(expression: Expression, defaults: dict[str, Exact]) -> str | None:
    return next((name for name in expression.symbols() if name not in defaults), None)


def _unknown_text(name: str, defaults: dict[str, Exact]) -> str:
    declared = ", ".join(known[:40] for known in islice(defaults, 20)) or "none"
    hint = "write pi, in small letters" if name.lower() == "pi" else f"declared parameters: {declared}"
    return f"unknown symbol {name[:40]!r}; {hint}"


def check_numbers(numbers: Iterable[tuple[str, Expression]], defaults: dict[str, Exact], findings: Findings) -> None:
    """Note what is wrong with numbers and their places: unknown symbols, values out of bounds."""
    for place, expression in numbers:
        unknown = _unknown(expression, defaults)
        problem = _unknown_text(unknown, defaults) if unknown else _value_problem(expression, defaults, findings.work)
        if problem:
            findings.problem(place, problem)


def numbers_of(table: RobotTable) -> Iterable[tuple[str, Expression]]:
    """(place, number) of everything in the file but the parameters."""
    yield from _in_list("gravity", table.gravity)
    if isinstance(table.inertia_frame, AxesTable):
        yield from _in_list("inertia_frame.rpy", table.inertia_frame.rpy)
    poses = [("base", table.base), ("tool", table.tool)]
    poses += [(f"frames[{index + 1}]", frame) for index, frame in enumerate(table.frames)]
    for place, pose in poses:
        if pose:
            yield from _in_list(f"{place}.xyz", pose.xyz)
            yield from _in_list(f"{place}.rpy", pose.rpy)
    for index, row in enumerate(table.links):
        for key, value in _row_expressions(row):
            yield place_of(row, index, key), value
    yield from loop_numbers(table)


def _row_expressions(row: LinkTable) -> Iterable[tuple[str, Expression]]:
    for key in (*_LENGTHS, "alpha", "theta", "gamma", "offset", *KEYS, "mass", *drives.KEYS):
        value = getattr(row, key)
        if value is not None:
            yield key, value
    for key in ("xyz", "rpy", "axis", "joint_xyz", "joint_rpy", "r", "com"):
        yield from _in_list(key, getattr(row, key))
    if row.rotor is not None:
        yield from _in_list("rotor.axis", row.rotor.axis)
    for key, given in (("mimic", row.mimic), ("limits", row.limits)):
        for name, value in given or ():
            if isinstance(value, Expression):
                yield f"{key}.{name}", value
    if row.inertia:
        for key in ("xx", "yy", "zz", "xy", "xz", "yz"):
            if (value := getattr(row.inertia, key)) is not None:
                yield f"inertia.{key}", value
        if isinstance(row.inertia.frame, AxesTable):
            yield from _in_list("inertia.frame.rpy", row.inertia.frame.rpy)


def _in_list(place: str, values: list[Expression] | None) -> Iterable[tuple[str, Expression]]:
    for index, value in enumerate(values or ()):
        yield f"{place}[{index + 1}]", value
