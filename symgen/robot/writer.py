"""Writer of robot files: `Robot` → TOML text that the reader reads back to an equal robot.

Decimals are written as numbers, everything else as an expression: "pi/2", "sqrt(2)/2", "-L1/2". Only what the reader
would not take by itself is written, but for the columns of the table and links' names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction

from symgen.errors import LimitError
from symgen.robot import drives
from symgen.robot.expression import ONE, Expression, constant, parse
from symgen.robot.model import BASE, Drive, Frame, Inertia, Link, Placement, Robot, Row
from symgen.robot.placement import pose
from symgen.robot.spelling import decimal, spelled

MAX_DIGITS = 17
"""A decimal with more digits than this is written as a string, which no reader of TOML rounds."""

_TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")

Lines = Iterable[str]


def robot_text(robot: Robot) -> str:
    """The robot file that describes `robot`, without its notices.

    Raises `LimitError` for what no robot file can say: cut joints, links without a row, numbers too complicated.
    """
    if robot.cut_joints:
        raise LimitError(f"{robot.name}: a robot file cannot describe closed loops")
    about_origin = 2 * sum(link.inertia.about_origin for link in robot.links) > len(robot.links)
    blocks = [_head(robot, about_origin=about_origin)]
    if robot.parameters:
        blocks.append(["[parameters]", *(f"{name} = {_number(constant(value))}" for name, value in robot.parameters)])
    if robot.base:
        blocks.append(["[base]", *_pose(robot.base, robot.name)])
    blocks += [_frame(robot, index, frame) for index, frame in enumerate(robot.frames)]
    blocks += [_link(robot, index, about_origin=about_origin) for index in range(len(robot.links))]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _head(robot: Robot, *, about_origin: bool) -> list[str]:
    texts = {"name": robot.name, "description": robot.description, "source": robot.source}
    return [
        *(f"{key} = {_string(text)}" for key, text in texts.items() if text),
        f"convention = {_string(robot.convention)}",
        f"gravity = {_vector(robot.gravity)}",
        f"inertia_about = {_about(about_origin)}",
    ]


def _frame(robot: Robot, index: int, frame: Frame) -> list[str]:
    lines = list(_pose(frame.placement, robot.name))
    if frame.link != len(robot.links) - 1:
        lines.insert(0, f"link = {_string(robot.links[frame.link].name)}")
    if index == 0 and frame.name == robot.tool:
        return ["[tool]", *([] if frame.name == "tool" else [f"name = {_string(frame.name)}"]), *lines]
    return ["[[frames]]", f"name = {_string(frame.name)}", *lines]


def _pose(placement: Placement, robot: str) -> list[str]:
    given = pose(placement)
    if given is None:
        raise LimitError(
            f"{robot}: a transform that is not a shift and then turns about z, y, x has no place in a file"
        )
    vectors = {"xyz": given.xyz, "rpy": given.rpy}
    return [f"{key} = {_vector(values)}" for key, values in vectors.items() if not all(v.is_zero for v in values)]


def _link(robot: Robot, index: int, *, about_origin: bool) -> list[str]:
    link = robot.links[index]
    if link.row is None:
        raise LimitError(f"{robot.name}: link {link.name!r} has no row in a table")
    lines = ["[[links]]", f"name = {_string(link.name)}"]
    if link.parent != index - 1:
        lines.append(f"parent = {_string('base' if link.parent == BASE else robot.links[link.parent].name)}")
    lines.append(f"joint = {_string(link.joint.kind.value)}")
    if link.joint.name != f"joint{index + 1}":
        lines.append(f"joint_name = {_string(link.joint.name)}")
    lines += _row(robot.convention, link, link.row)
    lines += _drive(link.joint.drive)
    return [*lines, *_body(link.inertia, robot.name, about_origin=about_origin)]


def _row(convention: str, link: Link, row: Row) -> Lines:
    joint = link.joint
    optional = {"gamma": row.gamma, "before": row.before}
    yield from _given(optional)
    columns = {"a": row.a, "alpha": row.alpha, "b" if convention == "standard" else "d": row.b, "theta": row.theta}
    for key, value in columns.items():
        is_coordinate = joint.kind.stands_for == {"d": "b"}.get(key, key)
        if not is_coordinate and not (key == "theta" and value.is_zero):
            yield f"{key} = {_number(value)}"
    yield from _given({"offset": joint.offset})
    if joint.direction < 0:
        yield "direction = -1"
    for key in joint.kind.keys:
        yield f"{key} = {_number(getattr(joint, key))}"


def _drive(drive: Drive) -> Lines:
    numbers: dict[str, Expression] = {key: getattr(drive, field) for key, field in drives.FIELDS.items()}
    if drive.gear_ratio == ONE:
        del numbers["gear_ratio"]
    for key, value in numbers.items():
        if not value.is_zero or any(not numbers[other].is_zero for other in drives.COMPANIONS.get(key, ())):
            yield f"{key} = {_number(value)}"


def _body(inertia: Inertia, robot: str, *, about_origin: bool) -> Lines:
    yield from _given({"mass": inertia.mass})
    if not inertia.mass.is_zero or not all(entry.is_zero for entry in inertia.com):
        yield f"com = {_vector(inertia.com)}"
    entries = [
        f"{key} = {_number(value)}" for key, value in zip(_TENSOR, inertia.tensor, strict=True) if not value.is_zero
    ]
    if inertia.about_origin != about_origin:
        entries.append(f"about = {_about(inertia.about_origin)}")
    if inertia.axes:
        entries.append(f"frame = {{ {', '.join(_pose(inertia.axes, robot))} }}")
    if entries:
        yield f"inertia = {{ {', '.join(entries)} }}"


def _given(numbers: dict[str, Expression]) -> Lines:
    return [f"{key} = {_number(value)}" for key, value in numbers.items() if not value.is_zero]


# values --------------------------------------------------------------------------------------------


def _about(about_origin: bool) -> str:
    return '"origin"' if about_origin else '"com"'


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _vector(values: Sequence[Expression]) -> str:
    return f"[{', '.join(map(_number, values))}]"


def _number(value: Expression) -> str:
    """A TOML number, or an expression in quotes; `LimitError` if it does not read back."""
    plain = _plain(value)
    if plain is not None:
        return plain
    text = spelled(value)
    try:
        reads_back = parse(text) == value
    except ValueError as error:
        raise LimitError(f"a number is too complicated to be written: {error}") from None
    if not reads_back:
        raise LimitError(f"{text[:60]!r} does not read back as the number it was written for")
    return _string(text)


def _plain(value: Expression) -> str | None:
    if value.op != "constant" or value.value.rational is None:
        return None
    number: Fraction = value.value.rational
    text = decimal(number)
    if text is None or sum(map(str.isdigit, text)) > MAX_DIGITS:
        return None
    return text
