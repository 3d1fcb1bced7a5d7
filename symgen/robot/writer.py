"""Writer of robot files: `Robot` → TOML text that the reader reads back to an equal robot.

Decimals are written as numbers, everything else as an expression: "pi/2", "sqrt(2)/2", "-L1/2". Only what the reader
would not take by itself is written, but for the columns of the table and links' names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from symgen.errors import LimitError
from symgen.robot import drives
from symgen.robot.angles import meant_multiple
from symgen.robot.expression import ONE, ZERO, Expression, constant, parse
from symgen.robot.joints import JointKind
from symgen.robot.limits import KEYS as LIMITS
from symgen.robot.loops import ContactSet, Coupling
from symgen.robot.model import (
    BASE,
    CutJoint,
    Drive,
    Frame,
    Inertia,
    Joint,
    Limits,
    Link,
    Placed,
    Placement,
    Robot,
    Row,
)
from symgen.robot.placed import UP
from symgen.robot.placement import pose
from symgen.robot.spelling import decimal, spelled

MAX_DIGITS = 17
"""A decimal with more digits than this is written as a string, which no reader of TOML rounds."""

_TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")

Lines = Iterable[str]


def robot_text(robot: Robot) -> str:
    """The robot file that describes `robot`, without its notices.

    Raises `LimitError` for what no robot file can say: links without a row, numbers too complicated.
    """
    about_origin = 2 * sum(link.inertia.about_origin for link in robot.links) > len(robot.links)
    blocks = [[*_head(robot, about_origin=about_origin), *_driven(robot)]]
    if robot.parameters:
        blocks.append(["[parameters]", *(f"{name} = {_number(constant(value))}" for name, value in robot.parameters)])
    if robot.base:
        blocks.append(["[base]", *_pose(robot.base, robot.name)])
    blocks += [_frame(robot, index, frame) for index, frame in enumerate(robot.frames)]
    blocks += [_link(robot, index, about_origin=about_origin) for index in range(len(robot.links))]
    blocks += [_loop(robot, cut) for cut in (*robot.cut_joints, *robot.switched)]
    blocks += [_coupling(coupling) for coupling in robot.couplings]
    if robot.posture:
        blocks.append(["[posture]", *(f"{name} = {_number(value)}" for name, value in robot.posture)])
    if robot.contacts:
        blocks.append(["[contacts]", *map(_contacts, robot.contacts)])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _head(robot: Robot, *, about_origin: bool) -> list[str]:
    texts = {"name": robot.name, "description": robot.description, "source": robot.source}
    return [
        *(f"{key} = {_string(text)}" for key, text in texts.items() if text),
        f"convention = {_string(robot.convention)}",
        *([] if _snaps_to_itself(robot) else ["snap = false"]),
        f"gravity = {_vector(robot.gravity)}",
        f"inertia_about = {_about(about_origin)}",
    ]


def _driven(robot: Robot) -> Lines:
    """The key of the independent coordinates of a robot with loops."""
    if robot.has_loops:
        yield f"actuated = [{', '.join(map(_string, robot.motors or robot.actuated))}]"
        if robot.motors:
            yield f"independent = [{', '.join(map(_string, robot.actuated))}]"


def _loop(robot: Robot, cut: CutJoint) -> list[str]:
    lines = ["[[loops]]", f"name = {_string(cut.name)}", f"joint = {_string(cut.kind.value)}"]
    for side, end in (("predecessor", cut.predecessor), ("successor", cut.successor)):
        link = "base" if end.link == BASE else robot.links[end.link].name
        keys = [f"link = {_string(link)}", *_pose(end.placement, robot.name)]
        lines.append(f"{side} = {{ {', '.join(keys)} }}")
    branch = [f"branch = {_string(cut.branch)}"] if cut.branch else []
    return [*lines, *_given({"length": cut.length}), *branch, *_drive(cut.drive), *_limits(cut.limits)]


def _contacts(given: ContactSet) -> str:
    return f"{given.name} = [{', '.join(map(_string, given.loops))}]"


def _coupling(coupling: Coupling) -> list[str]:
    terms = ", ".join(f"{_string(name)} = {_number(constant(ratio))}" for name, ratio in coupling.terms)
    lines = ["[[couplings]]", f"name = {_string(coupling.name)}", f"terms = {{ {terms} }}"]
    return [*lines, *_given({"offset": coupling.offset})]


def _snaps_to_itself(robot: Robot) -> bool:
    """Whether no angle would be read as another one."""
    return all(meant_multiple(angle.constant(robot.defaults)) is None for angle in _angles(robot))


def _angles(robot: Robot) -> Iterator[Expression]:
    """The constant angles of a robot's file."""
    cuts = (*robot.cut_joints, *robot.switched)
    ends = (end for cut in cuts for end in (cut.predecessor, cut.successor))
    placements = [robot.base, *(frame.placement for frame in (*robot.frames, *ends))]
    placements += [link.inertia.axes for link in robot.links]
    yield from (part.amount for placement in placements for part in placement if part.rotates)
    for link in robot.links:
        if link.placed is not None:
            yield from (*link.placed.rpy, *link.placed.joint_rpy)
        if link.row is not None:
            yield from (link.row.alpha, link.row.theta, link.row.gamma)
        if link.joint.kind.stands_for == "theta" and link.joint.offset.is_constant:
            yield link.joint.offset


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
    lines = ["[[links]]", f"name = {_string(link.name)}"]
    if link.parent != index - 1:
        lines.append(f"parent = {_string(_parent(robot, link))}")
    lines.append(f"joint = {_string(link.joint.kind.value)}")
    if link.joint.name != f"joint{index + 1}":
        lines.append(f"joint_name = {_string(link.joint.name)}")
    lines += _place(robot, link)
    lines += _drive(link.joint.drive)
    lines += _mimic_and_limits(link.joint)
    return [*lines, *_body(link.inertia, robot.name, about_origin=about_origin)]


def _parent(robot: Robot, link: Link) -> str:
    if link.parent != BASE:
        return robot.links[link.parent].name
    if any(other.name == "base" for other in robot.links):
        raise LimitError(f"{robot.name}: a link is called base, so that a file cannot say that others are on the base")
    return "base"


def _place(robot: Robot, link: Link) -> Lines:
    """The keys that say where a link is: its row's, or those that place it."""
    if link.placed is not None:
        return _placed(robot.convention, link, link.placed)
    if link.row is None or robot.convention == "placed":
        raise LimitError(f"{robot.name}: link {link.name!r} has no row in a table and no place")
    return _row(robot.convention, link, link.row)


def _placed(convention: str, link: Link, placed: Placed) -> Lines:
    joint = link.joint
    zero = (ZERO, ZERO, ZERO)
    given = {"xyz": placed.xyz, "rpy": placed.rpy, "joint_xyz": placed.joint_xyz, "joint_rpy": placed.joint_rpy}
    lines = [f"{key} = {_vector(value)}" for key, value in given.items() if value != zero]
    if joint.kind.stands_for or joint.kind is JointKind.PLANAR or placed.axis != UP:
        lines.append(f"axis = {_vector(placed.axis)}")
    if not lines and convention != "placed":
        lines.append(f"xyz = {_vector(zero)}")
    return [*lines, *_motion(joint)]


def _mimic_and_limits(joint: Joint) -> Lines:
    if joint.mimic is not None:
        ratio = {} if joint.mimic.ratio == ONE else {"ratio": joint.mimic.ratio}
        offset = {} if joint.mimic.offset.is_zero else {"offset": joint.mimic.offset}
        numbers = [f"{key} = {_number(value)}" for key, value in (ratio | offset).items()]
        yield f"mimic = {{ {', '.join([f'joint = {_string(joint.mimic.joint)}', *numbers])} }}"
    yield from _limits(joint.limits)


def _limits(limits: Limits) -> Lines:
    given = {key: value for key in LIMITS if (value := getattr(limits, key)) is not None}
    if given:
        yield f"limits = {{ {', '.join(f'{key} = {_number(value)}' for key, value in given.items())} }}"


def _row(convention: str, link: Link, row: Row) -> Lines:
    joint = link.joint
    optional = {"gamma": row.gamma, "before": row.before}
    yield from _given(optional)
    columns = {"a": row.a, "alpha": row.alpha, "b" if convention == "standard" else "d": row.b, "theta": row.theta}
    for key, value in columns.items():
        is_coordinate = joint.kind.stands_for == {"d": "b"}.get(key, key)
        if not is_coordinate and not (key == "theta" and value.is_zero):
            yield f"{key} = {_number(value)}"
    yield from _motion(joint)


def _motion(joint: Joint) -> Lines:
    """What a joint's motion has beside its coordinates."""
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
