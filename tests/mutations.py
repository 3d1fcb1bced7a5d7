"""Robot files of the library with random changes: what files become when hands slip, tools fail or someone means harm.

`mutated` makes one from a random generator, `outcome` does with it what `symgen info` and `symgen convert` do.
"""

import random
import re
from importlib import resources

from library_robots import ARMS

from symgen.cli.conversion import convert
from symgen.cli.robot_views import robot_summary, robot_view
from symgen.errors import InternalError, SymgenError
from symgen.robot import library
from symgen.robot.schema import (
    CouplingTable,
    EndTable,
    FrameTable,
    InertiaTable,
    LinkTable,
    LoopTable,
    PoseTable,
    RobotTable,
)

_TABLES = (RobotTable, LinkTable, FrameTable, InertiaTable, PoseTable, LoopTable, EndTable, CouplingTable)

KEYS = sorted({key for table in _TABLES for key in table.model_fields})

NUMBERS = [
    "0", "1", "-1", "-0.0", "0.1", "3.14159", "1.5708", "90", "180", "1e5", "-1e-5", "1e-20", "1e20", "1e60", "1e99",
    "1e-99", "1e100", "1e-100", "1e101", "1e-101", "1e308", "1e999", "1e-999", "1e5000000", "1e-5000000",
    "1e99999999999999999999", "1e-99999999999999999999", "0e99999999999999999999", "nan", "inf", "-inf", "+1",
    "1_000", "0x10", "0b1", "0o17", ".1", "1.", "+.5", "-.5", "01", "1e", "1.e5", "1,5", "--1", "−1", "１", "٣",
    "true", "false", "1979-05-27", "07:32:00", "pi", "L1", "9" * 400, "9" * 5000, "0x" + "f" * 5000, "0x" + "f" * 200,
    "0." + "3" * 600, "0." + "3" * 450,
]  # fmt: skip
"""What may stand where a file has a number."""

USUAL = [
    "pi", "-pi/2", "pi/7", "2*pi/5", "sqrt(2)", "1/3", "atan2(0.6, -0.8)", "atan2(1, 1)", "acos(-1)", "asin(0.3)",
    "acos(1/3) + asin(1/7)", "atan(sqrt(2))", "cos(atan2(3, 7)/2)", "acos(cos(0.3)) - 0.3", "asin(sin(3))",
    "atan(pi)", "1/(1 + sqrt(2) + sqrt(3))", "0.25", "-0.3 + pi", "sin(1)**2",
]  # fmt: skip
"""Expressions that are all right, at least somewhere."""

EXPRESSIONS = [
    "sqrt(-2)", "sqrt(sqrt(2))", "1/0", "0/0", "0**-1", "0**0", "2**0.5", "atan2(0, 0)", "atan2(0,6, -0,8)",
    "atan2(1)", "asin(2)", "atan(1e-99)", "sin(1e99)", "cos(0.6) - 2*cos(0.3)**2 + 1",
    "1/(cos(0.6) - 2*cos(0.3)**2 + 1)", "1e-60**2", "1e60**2", "sqrt(1e99 + 7)",
    "(((1.0000000000001**16)**16)**16)**16", "(1 + sin(2) + cos(3))**16",
    "------------------------------------------------------------1",
    "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1", "9**9**9", "L1", "L1/L2", "m2", "lambda", "x.y",
    "x[0]", "__import__('os')", "1e5000000", "1e-5000000", "1e400", "0x10", "1j", "1_0", "π/2", "90°", "0,5", "2^3",
    "", " ", "((", "1 +", "sin", "sin(", "tan(1)", "cos(" * 38 + "1" + ")" * 38, "(" * 100 + "1" + ")" * 100,
    "-" * 60 + "1", "1" + "+1" * 30, "1" + "+1" * 240, "9" * 499, "0." + "1" * 490, "1/" + "7" * 90,
    "sin(1)" + "*sin(1)" * 40, "*".join(f"(1 + sin({i}) + cos({i}))**3" for i in (2, 3, 5, 7)),
]  # fmt: skip
"""Expressions that are wrong, odd, or made to take long."""

TEXTS = [
    "com", "origin", "link", "base", "standard", "modified", "revolute", "prismatic", "fixed", "link1", "tool",
    "joint1", "for", "math", "a b", "ü", "\\u0000", "\\u001b[2J",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "{}", "%s", "../x",
    "éééééééééééééééééééééééééééééé", "", "x" * 65, "x" * 600,
]  # fmt: skip
"""Words and labels, and what is none."""

STRUCTURES = [
    "[]", "{}", "[[]]", "[0, 0, 0]", "[0, 0]", '["pi/2", 0, 0]', "[1, [2], 3]", "{ rpy = [0, 0, 1] }", "{ rpy = 3 }",
    "{ xx = 1, yy = 1, zz = 1 }", "{ xx = 1 }", '{ about = "com" }', "{ xyz = [1, 2, 3] }", "[{}]",
    "[1e99, 1e99, 1e99]", "[1e-99, 1, 1e99]", "[" * 200 + "]" * 200, "{ a = " * 90 + "1" + " }" * 90,
]  # fmt: skip
"""Arrays and tables."""

HEADERS = [
    "[[links]]", "[[frames]]", "[tool]", "[base]", "[parameters]", "[links]", "[[x]]", "[links.inertia]", "[a.b.c]",
    "[",
]  # fmt: skip
"""Headers of tables."""


def mutated(rng: random.Random) -> bytes:
    """A library robot's file with one to four random changes."""
    lines = _library_text(rng).split("\n")
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        rng.choice(_CHANGES)(rng, lines)
    content = "\n".join(lines).encode()
    return _bytes_changed(rng, content) if rng.random() < 0.15 else content


def outcome(path) -> str:
    """What becomes of a file: "robot", or the name of symgen's error; other errors, and bugs of symgen, get through."""
    try:
        robot = library.load(path)
        robot_summary(robot)
        robot_view(robot)
        for convention in ("standard", "modified"):
            convert(robot, convention)
    except InternalError:
        raise
    except SymgenError as error:
        if not str(error).replace("\n", "").isprintable():
            raise AssertionError(f"not printable: {error}") from error
        return type(error).__name__
    return "robot"


_LIBRARY: list[str] = []


def _library_text(rng: random.Random) -> str:
    if not _LIBRARY:
        folder = resources.files("symgen.robot").joinpath("library")
        _LIBRARY.extend(folder.joinpath(f"{name}.toml").read_text(encoding="utf-8") for name in ARMS)
    return rng.choice(_LIBRARY)


def _value(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.45:  # such as any file could hold
        if rng.random() < 0.3:
            return f'"{rng.choice(USUAL)}"'
        return f"{rng.choice((1, -1)) * 10 ** rng.uniform(-9, 9):.{rng.randrange(1, 9)}g}"
    if kind < 0.65:
        return rng.choice(NUMBERS)
    if kind < 0.85:
        return f'"{rng.choice(EXPRESSIONS)}"'
    return f'"{rng.choice(TEXTS)}"' if kind < 0.92 else rng.choice(STRUCTURES)


def _assignments(lines: list[str]) -> list[int]:
    return [index for index, line in enumerate(lines) if "=" in line] or [0]


def _change_value(rng: random.Random, lines: list[str]) -> None:
    index = rng.choice(_assignments(lines))
    key, _, _ = lines[index].partition("=")
    lines[index] = f"{key}= {_value(rng)}"


def _change_number(rng: random.Random, lines: list[str]) -> None:
    """One number in a line, also in arrays and inline tables."""
    index = rng.choice(_assignments(lines))
    key, _, value = lines[index].partition("=")
    parts = re.split(r"(\"[^\"]*\"|-?\d[\d.e-]*)", value)
    if len(parts) > 1:
        parts[rng.randrange(1, len(parts), 2)] = _value(rng)
    lines[index] = f"{key}={''.join(parts)}"


def _change_key(rng: random.Random, lines: list[str]) -> None:
    index = rng.choice(_assignments(lines))
    key, _, value = lines[index].partition("=")
    if rng.random() < 0.5:
        place = rng.randrange(len(key) + 1)
        key = key[:place] + rng.choice(("", "x", ".", '"', " ", "=", "ü")) + key[place + 1 :]
    else:
        key = f"{rng.choice(KEYS)} "
    lines[index] = f"{key}={value}"


def _add_line(rng: random.Random, lines: list[str]) -> None:
    line = rng.choice(HEADERS) if rng.random() < 0.2 else f"{rng.choice([*KEYS, 'zzz'])} = {_value(rng)}"
    lines.insert(rng.randrange(len(lines) + 1), line)


def _delete_lines(rng: random.Random, lines: list[str]) -> None:
    start = rng.randrange(len(lines))
    del lines[start : start + rng.choice((1, 1, 1, 2, 5, 20))]


def _repeat_lines(rng: random.Random, lines: list[str]) -> None:
    start = rng.randrange(max(len(lines), 1))
    lines[start:start] = lines[start : start + rng.choice((1, 2, 5, 10, 30))] * rng.choice((1, 1, 2, 10))


def _move_line(rng: random.Random, lines: list[str]) -> None:
    if lines:
        line = lines.pop(rng.randrange(len(lines)))
        lines.insert(rng.randrange(len(lines) + 1), line)


def _flip_convention(rng: random.Random, lines: list[str]) -> None:
    other = {"standard": "modified", "modified": "standard"}
    for index in _assignments(lines):
        key, _, value = lines[index].partition("=")
        if key.strip() == "convention":
            lines[index] = f'{key}= "{other.get(value.strip().strip(chr(34)), "standard")}"'


_CHANGES = [
    _change_value, _change_value, _change_number, _change_number, _change_number, _change_key, _add_line, _delete_lines,
    _repeat_lines, _move_line, _flip_convention,
]  # fmt: skip


def _bytes_changed(rng: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 3, 10))):
        place = rng.randrange(len(changed) + 1)
        insert = bytes(
            rng.choice(
                (rng.randrange(256), *b"[]{}\"'=.,#\n\x00\xef"),
            )
            for _ in range(rng.choice((0, 1, 2)))
        )
        changed[place : place + rng.choice((0, 1, 3))] = insert
    return bytes(changed)
