"""Reader of robot files: TOML text → `Robot`, with all problems of a file reported at once.

The schema is documented in `docs` of the README and in `schema`. Files are data: nothing in them is executed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from symgen.errors import InputError, Problem, RobotFileError
from symgen.robot import rows
from symgen.robot.model import Robot
from symgen.robot.schema import RobotTable

MAX_BYTES = 2_000_000


def read_robot(path: Path) -> Robot:
    """The robot described by a TOML file.

    Raises `InputError` if the file cannot be read or is no TOML, and `RobotFileError` with every problem found.
    """
    return read_text(_file_text(path), str(path))


def read_text(text: str, source: str) -> Robot:
    """The robot described by TOML text; `source` names it in messages."""
    try:
        data = tomllib.loads(text, parse_float=_decimal)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source}: not a valid TOML file: {error}") from None
    except (RecursionError, ValueError) as error:
        raise InputError(f"{source}: not a valid TOML file: {_first_line(error)}") from None
    try:
        table = RobotTable.model_validate(data)
    except ValidationError as error:
        found = tuple(_problem(details, data) for details in error.errors(include_url=False))
        raise RobotFileError(source, _unique(found)) from None
    return rows.build(table, source)


def _decimal(text: str) -> Decimal | float:
    try:
        return Decimal(text)
    except InvalidOperation:
        return float(text)


def _file_text(path: Path) -> str:
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
        raise InputError(f"{path}: not UTF-8 text (byte {error.start}); a robot file is a TOML file") from None


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _problem(details: Any, data: dict[str, Any]) -> Problem:
    location = tuple(part for part in details["loc"] if part not in ("AxesTable", "literal['link']"))
    return Problem(_place(location, data), _explain(details, location))


def _place(location: tuple[Any, ...], data: dict[str, Any]) -> str:
    text = ""
    for part in location:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else str(part)
    if len(location) > 1 and location[0] == "links" and isinstance(location[1], int):
        link = data["links"][location[1]]
        name = link.get("name") if isinstance(link, dict) else None
        if isinstance(name, str) and name.isprintable():
            text += f" (link '{name[:40]}')"
    return text or "file"


_MISSING = {
    "convention": 'missing; say which convention the table is in: "standard" or "modified"',
    "joint": 'missing; say "revolute", "prismatic" or "fixed"',
    "links": "missing; a robot needs at least one [[links]] table",
    "gravity": "missing; give the gravity vector in the base frame, such as [0, 0, -9.81]",
}


def _explain(details: Any, location: tuple[Any, ...]) -> str:
    kind, key = details["type"], str(location[-1]) if location else ""
    found = repr(details["input"])[:60]
    if kind == "missing":
        return _MISSING.get(key, "missing")
    if kind == "extra_forbidden":
        return "unknown key; see the README for the keys of a robot file"
    if kind == "value_error":
        return str(details["ctx"]["error"])
    if kind == "literal_error":
        return f"expected {details['ctx']['expected']}, found {found}"
    if kind in ("too_short", "too_long"):
        context = details["ctx"]
        if key == "links":
            return f"expected between 1 and 1000 links, found {context['actual_length']}"
        return f"expected 3 numbers, found {context['actual_length']}"
    if kind == "list_type":
        return f"expected an array{_list_hint(key)}, found {found}"
    return f"{details['msg']}, found {found}"


def _list_hint(key: str) -> str:
    if key == "r":
        return " of 3 numbers, the vector from the mass centre to the link's frame (Khalil's length r is `d` here)"
    return "" if key == "links" else " of 3 numbers"


def _unique(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(dict.fromkeys(problems))
