"""Names: of robots and parameters, which are identifiers; of links, joints and frames, which are only shown.

What target languages have taken is not their concern: see `symgen.emit.language`.
"""

from __future__ import annotations

import keyword
import re
from decimal import Decimal

MAX_NAME = 64

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z", re.ASCII)

_DEVICES = frozenset(["aux", "con", "nul", "prn"])  # no names of files on Windows


def robot_problem(name: object) -> str | None:
    """Why `name` cannot name a robot, and with it functions, files and modules; None if it can."""
    problem = identifier_problem(name)
    if problem:
        return problem
    if str(name).lower() in _DEVICES:
        other = f"{name}_arm"
        return f"a robot named {name!r} would give its files the name of a device; choose another, such as {other!r}"
    return None


def parameter_problem(name: str) -> str | None:
    """Why `name` cannot name a parameter, which must be a symbol in expressions; None if it can."""
    if name == "pi":
        return "pi is a constant, not a parameter"
    if keyword.iskeyword(name):
        return f"the name {name!r} cannot stand in an expression; choose another, such as {f'{name}1'!r}"
    return identifier_problem(name)


def identifier_problem(name: object) -> str | None:
    """Why `name` is no identifier: a letter followed by letters, digits and underscores; None if it is one."""
    if not isinstance(name, str):
        return f"expected a name (a string), found {shown_value(name)}"
    shown = repr(shortened(name, 40))
    if len(name) > MAX_NAME:
        return f"the name {shown} has {len(name)} characters; at most {MAX_NAME} are allowed"
    if not _IDENTIFIER.match(name):
        return f"the name {shown} must be a letter followed by letters, digits and underscores (ASCII)"
    return None


def label_problem(name: object) -> str | None:
    """Why `name` cannot name a link, joint or frame, which is only ever shown; None if it can."""
    if not isinstance(name, str):
        return f"expected a name (a string), found {shown_value(name)}"
    shown = repr(shortened(name, 40))
    if not 0 < len(name) <= MAX_NAME:
        return f"the name {shown} has {len(name)} characters; between 1 and {MAX_NAME} are allowed"
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_ ./{}+-]*", name, re.ASCII):
        return f"the name {shown} may hold letters, digits, spaces and _ . / + - {{ }} only (ASCII)"
    return None


def free(name: str, taken: set[str]) -> str:
    """The name, changed until it is free, and taken from now on."""
    name = name[:56]
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def shortened(text: str, length: int = 60) -> str:
    """The text, cut off where it is longer."""
    return text if len(text) <= length else text[: length - 3] + "..."


def shown_value(value: object) -> str:
    """A value of a file in few characters."""
    if isinstance(value, dict | list):
        return kind_text(value)
    if isinstance(value, int) and value.bit_length() > 400:
        return f"an integer of {value.bit_length()} bits"
    return shortened(str(value) if isinstance(value, Decimal) else repr(value))


def kind_text(value: object) -> str:
    """What kind of TOML value this is, in words."""
    kinds = {list: "an array", dict: "a table", type(None): "nothing"}
    return kinds.get(type(value), f"a {type(value).__name__}")


def shown_key(key: object) -> str:
    """A key of a file as it is shown in messages: quoted and cut short where it is not a plain word."""
    text = str(key)
    if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", text, re.ASCII):
        return text
    return repr(shortened(text, 40))


def identifier(name: str) -> str:
    """An identifier made of a label: `name` itself, if it is one, or with underscores for what may not stand in one."""
    if identifier_problem(name) is None:
        return name
    text = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if not text[:1].isalpha():
        text = f"f_{text}"
    return text if identifier_problem(text) is None else f"{text}_"
