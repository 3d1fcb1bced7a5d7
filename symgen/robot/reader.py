"""Reader of robot files: TOML text → `Robot`, with all problems of a file reported at once.

The keys are documented in the README and in `schema`. Files are data: nothing in them is executed.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from symgen.algebra.work import Work
from symgen.errors import InputError, Problem, RobotFileError
from symgen.robot import joints, rows
from symgen.robot.expression import MAX_WORK
from symgen.robot.findings import in_order
from symgen.robot.mend import mend
from symgen.robot.model import Robot
from symgen.robot.names import shown_key, shown_value
from symgen.robot.schema import (
    AxesTable,
    FrameTable,
    InertiaTable,
    LinkTable,
    PoseTable,
    RobotTable,
    RotorTable,
    ToolTable,
)
from symgen.robot.toml_text import parsed

MAX_BYTES = 2_000_000


def read_robot(path: Path) -> Robot:
    """The robot described by a TOML file.

    Raises `InputError` if the file cannot be read or is no TOML, and `RobotFileError` with every problem found.
    """
    return read_text(file_text(path), str(path))


def read_text(text: str, source: str) -> Robot:
    """The robot described by TOML text; `source` names it in messages."""
    data = parsed(text, source)
    try:
        table = RobotTable.model_validate(data, context=Work(MAX_WORK))
    except ValidationError as error:
        raise RobotFileError(source, _all_problems(data, error)) from None
    return rows.build(table, source)


def _all_problems(data: dict[str, Any], error: ValidationError) -> tuple[Problem, ...]:
    """What the schema refuses, and what the checks after it find in the rest of the file."""
    faults = [details for details in error.errors(include_url=False) if not _is_other_branch(details)]
    found = [_problem(details, data) for details in faults]
    mended = mend(data, (details["loc"] for details in faults))
    if mended is not None:
        with contextlib.suppress(ValidationError):  # it cannot be mended: what the schema says must do
            found += rows.problems(RobotTable.model_validate(mended.data, context=Work(MAX_WORK)), mended.broken)
    return in_order(found)


def file_text(path: Path) -> str:
    """The text of a TOML file; `InputError` if it cannot be read, is too large or not UTF-8."""
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(content) > MAX_BYTES:
        raise InputError(f"{path}: larger than {MAX_BYTES} bytes; a robot file is a small TOML file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not UTF-8 text (byte {error.start}); a robot file is a TOML file, saved as UTF-8"
        ) from None


# problems of the schema, in the user's words ---------------------------------------------------------

_BRANCHES = ("literal['link']", "AxesTable")


def _is_other_branch(details: Any) -> bool:
    """Whether this tells why a table of axes is not the word "link"."""
    return _BRANCHES[0] in details["loc"] and isinstance(details["input"], dict)


def _problem(details: Any, data: dict[str, Any]) -> Problem:
    location = tuple(part for part in details["loc"] if part not in _BRANCHES)
    return Problem(_place(location, data), _explain(details, location))


def _place(location: tuple[Any, ...], data: dict[str, Any]) -> str:
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += ("." if text else "") + shown_key(part)
    if len(location) > 1 and location[0] == "links" and isinstance(location[1], int):
        link = data["links"][location[1]]
        name = link.get("name") if isinstance(link, dict) else None
        if isinstance(name, str) and name.isprintable():
            text += f" (link '{name[:40]}')"
    return text or "file"


_MISSING = {
    "name": 'missing; give the robot a name such as "my_arm": generated files and functions carry it',
    "convention": 'missing; say which convention the table is in: "standard" or "modified"',
    "joint": f"missing; say {joints.words()}",
    "links": "missing; a robot needs at least one [[links]] table",
    "gravity": "missing; give the gravity vector in the base frame, such as [0, 0, -9.81]",
    "rpy": "missing; give the turns about fixed x, y, z, in radians",
}

_FRAME_NAME = 'missing; give the frame a name such as "camera"'

_TABLES: dict[str, type[BaseModel]] = {
    "links": LinkTable,
    "frames": FrameTable,
    "inertia": InertiaTable,
    "rotor": RotorTable,
    "inertia_frame": AxesTable,
    "frame": AxesTable,
    "base": PoseTable,
    "tool": ToolTable,
}

_EXPECTED = {
    "links": "a [[links]] table for every link",
    "frames": "a [[frames]] table for every frame, with its name",
    "inertia": "a table such as { xx = 0.1, yy = 0.1, zz = 0.1 }",
    "inertia_frame": '"link" or a table such as { rpy = [0, 0, "pi/2"] }',
    "frame": '"link" or a table such as { rpy = [0, 0, "pi/2"] }',
    "base": "a table [base] with xyz and rpy",
    "tool": "a table [tool] with xyz and rpy",
    "parameters": "a table [parameters] of names and their default values",
    "parent": 'the name of a link above, or "base"',
    "rotor": 'a table such as { axis = [1, 0, 0], carrier = "link2" }',
    "carrier": 'the name of a link, or "base"',
    "link": "the name of a link",
    "r": "an array of 3 numbers, the vector from the mass centre to the link's frame (Khalil's length r is `d` here)",
}


_LENGTHS = {"links": "between 1 and 1000 links", "frames": "at most 1000 frames"}


def _explain(details: Any, location: tuple[Any, ...]) -> str:
    kind = details["type"]
    names = [part for part in location if isinstance(part, str)]
    key = names[-1] if names else ""
    found = shown_value(details["input"])
    if kind == "missing":
        return _FRAME_NAME if names == ["frames", "name"] else _MISSING.get(key, "missing")
    if kind == "extra_forbidden":
        return _unknown_key(key, _TABLES.get(names[-2] if len(names) > 1 else "", RobotTable))
    if kind == "value_error":
        return str(details["ctx"]["error"])
    if key in _EXPECTED and kind not in ("too_short", "too_long"):
        return f"expected {_EXPECTED[key]}, found {found}"
    if kind == "literal_error":
        return f"expected {details['ctx']['expected']}, found {found}"
    if kind in ("too_short", "too_long"):
        return f"expected {_LENGTHS.get(key, '3 numbers')}, found {details['ctx']['actual_length']}"
    if kind == "list_type":
        return f"expected an array of 3 numbers, found {found}"
    return f"{details['msg']}, found {found}"


def _unknown_key(key: str, table: type[BaseModel]) -> str:
    import difflib  # for mistakes alone

    known = list(table.model_fields)
    near = difflib.get_close_matches(key, known, n=1)
    return "unknown key; " + (f"did you mean {near[0]}?" if near else f"the keys here are: {', '.join(known)}")
