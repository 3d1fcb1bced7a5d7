"""Tables → links: a validated robot table becomes a `Robot`, with the checks that need several keys at once.

Links are rows of a Denavit-Hartenberg table or placed by xyz, rpy and axis (see `placement_tables`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice

from symgen.algebra.exact import ONE, Exact
from symgen.algebra.work import Work
from symgen.errors import LimitError, Problem, RobotFileError
from symgen.robot import drives, names, placement_tables, units
from symgen.robot.angles import read_angle
from symgen.robot.expression import ONE as ONE_EXPRESSION
from symgen.robot.expression import ZERO, Expression, checked_value
from symgen.robot.findings import Findings, in_order
from symgen.robot.joints import KEYS, JointKind, kind_called
from symgen.robot.limits import limits_of
from symgen.robot.mimicry import Follower, resolved
from symgen.robot.model import (
    BASE,
    Elementary,
    Frame,
    Inertia,
    Joint,
    Link,
    Mimic,
    Placement,
    Robot,
    Row,
    Vector,
)
from symgen.robot.placed import split as placed_split
from symgen.robot.placement_tables import is_placed
from symgen.robot.schema import AxesTable, FrameTable, InertiaTable, LinkTable, PoseTable, RobotTable, ToolTable
from symgen.robot.splitting import split

_ZERO_VECTOR: Vector = (ZERO, ZERO, ZERO)


def build(table: RobotTable, source: str) -> Robot:
    """The robot a table describes; `RobotFileError` lists everything that is wrong with it."""
    findings, robot = _read(table, frozenset())
    if findings.problems:
        raise RobotFileError(source, in_order(findings.problems))
    return replace(robot, notices=(*dict.fromkeys(findings.notices), *units.notices(robot)))


def problems(table: RobotTable, broken: frozenset[int]) -> list[Problem]:
    """What is wrong with a mended table; of the links in `broken`, only the numbers are judged."""
    findings, _ = _read(table, broken)
    return findings.problems


def _read(table: RobotTable, broken: frozenset[int]) -> tuple[Findings, Robot]:
    findings = Findings(snap=table.snap)
    defaults = _defaults(table, findings)
    _check_numbers(table, defaults, findings)
    link_names = _link_names(table, broken, findings)
    followed = _followed(table, broken, defaults, findings)
    links = tuple(
        _link(table, row, index, link_names, followed, defaults, findings)
        for index, row in enumerate(table.links)
        if index not in broken
    )
    is_still = not any(link.joint.nv for link in links)
    # The base of a robot whose links are placed may be let loose.
    if not broken and is_still and table.convention != "placed":
        findings.problem("links", "no joint moves; at least one link must have a joint that is not fixed")
    robot = Robot(
        name=table.name,
        description=table.description,
        source=table.source,
        convention=table.convention,
        gravity=_vector(table.gravity),
        base=_pose(table.base, "base.{}".format, defaults, findings),
        links=links,
        frames=_frames(table, link_names, defaults, findings),
        tool=table.tool.name if table.tool else "",
        parameters=tuple(defaults.items()),
    )
    return findings, robot


# parameters ----------------------------------------------------------------------------------------


def _defaults(table: RobotTable, findings: Findings) -> dict[str, Exact]:
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


def _check_numbers(table: RobotTable, defaults: dict[str, Exact], findings: Findings) -> None:
    for place, expression in _expressions(table):
        unknown = _unknown(expression, defaults)
        problem = _unknown_text(unknown, defaults) if unknown else _value_problem(expression, defaults, findings.work)
        if problem:
            findings.problem(place, problem)


def _expressions(table: RobotTable) -> Iterable[tuple[str, Expression]]:
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
            yield _at(row, index, key), value


def _row_expressions(row: LinkTable) -> Iterable[tuple[str, Expression]]:
    for key in (*_LENGTHS, "alpha", "theta", "gamma", "offset", *KEYS, "mass", *drives.KEYS):
        value = getattr(row, key)
        if value is not None:
            yield key, value
    for key in ("xyz", "rpy", "axis", "r", "com"):
        yield from _in_list(key, getattr(row, key))
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


_LENGTHS = ("a", "b", "d", "before")


def _at(row: LinkTable, index: int, key: str) -> str:
    name = f" (link '{row.name}')" if row.name else ""
    return f"links[{index + 1}].{key}{name}"


# links ---------------------------------------------------------------------------------------------


def _link_names(table: RobotTable, broken: frozenset[int], findings: Findings) -> dict[str, int]:
    link_names: dict[str, int] = {}
    joint_names: set[str] = set()
    for index, row in enumerate(table.links):
        if index in broken and row.name is None:
            continue
        name = row.name or f"link{index + 1}"
        if name in link_names:
            findings.problem(_at(row, index, "name"), f"the name {name!r} is taken already; names must differ")
        link_names.setdefault(name, index)
        joint = Joint(row.joint_name or f"joint{index + 1}", kind_called(row.joint), ZERO)
        for name in dict.fromkeys((joint.name, *joint.coordinate_names)):
            if name in joint_names:
                findings.problem(
                    _at(row, index, "joint_name"), f"the name {name!r} is taken already; names must differ"
                )
            joint_names.add(name)
    return link_names


def _link(
    table: RobotTable,
    row: LinkTable,
    index: int,
    link_names: dict[str, int],
    followed: dict[str, Mimic],
    defaults: dict[str, Exact],
    findings: Findings,
) -> Link:
    joint = _joint(row, index, followed, defaults, findings)
    written, placed = None, None
    if is_placed(table.convention, row):
        placed = placement_tables.read(row, lambda key: _at(row, index, key), defaults, findings)
        before, after = placed_split(joint, placed, defaults)
    else:
        written = _row(table.convention, row, index, defaults, findings)
        before, after = split(table.convention, joint, written)
    return Link(
        name=row.name or f"link{index + 1}",
        parent=_parent(row, index, link_names, findings),
        joint=joint,
        before=before,
        after=after,
        inertia=_inertia(table, row, index, defaults, findings),
        row=written,
        placed=placed,
    )


def _followed(
    table: RobotTable, broken: frozenset[int], defaults: dict[str, Exact], findings: Findings
) -> dict[str, Mimic]:
    """Joint → what it follows."""
    if broken:  # what a joint follows may be among what is left out
        return {}
    followers = {
        row.joint_name or f"joint{index + 1}": Follower(_at(row, index, "mimic"), kind_called(row.joint), _mimic(row))
        for index, row in enumerate(table.links)
    }
    return resolved(followers, defaults, findings.problem)


def _mimic(row: LinkTable) -> Mimic | None:
    given = row.mimic
    return None if given is None else Mimic(given.joint, given.ratio or ONE_EXPRESSION, given.offset or ZERO)


def _joint(
    row: LinkTable, index: int, followed: dict[str, Mimic], defaults: dict[str, Exact], findings: Findings
) -> Joint:
    kind = kind_called(row.joint)
    if row.offset is not None and not kind.stands_for:
        findings.problem(_at(row, index, "offset"), _NO_OFFSET.get(kind, _SEVERAL_OFFSETS).format(kind=kind.value))
    if row.direction is not None and not kind.stands_for:
        why = "no coordinate and so" if not kind.nv else "several axes and"
        findings.problem(_at(row, index, "direction"), f"a {kind.value} joint has {why} no direction")
    for key in KEYS:
        _check_key(row, index, key, kind, findings)
    offset = row.offset or ZERO
    if kind.stands_for == "theta":
        offset = _angle(row, index, "offset", defaults, findings)
    drive = drives.drive(row, lambda key: _at(row, index, key), defaults, findings)
    own = {key: value for key in kind.keys if (value := getattr(row, key)) is not None}
    limits = limits_of(row, lambda key: _at(row, index, key), defaults, findings)
    name = row.joint_name or f"joint{index + 1}"
    return Joint(name, kind, offset, drive, row.direction or 1, limits=limits, mimic=followed.get(name), **own)


_NO_OFFSET = {JointKind.FIXED: "a fixed joint has no coordinate to offset; use theta or b, or xyz and rpy"}
_SEVERAL_OFFSETS = "a {kind} joint has several axes and no offset; place its frame where it begins instead"


def _check_key(row: LinkTable, index: int, key: str, kind: JointKind, findings: Findings) -> None:
    """A key that only some kinds of joints have: theirs must have it, and not be 0."""
    value = getattr(row, key)
    if value is None and key in kind.keys:
        findings.problem(_at(row, index, key), f"missing; a {kind.value} joint needs its {key}: {KEYS[key].meaning}")
    elif value is not None and key not in kind.keys:
        owners = " and ".join(other.value for other in JointKind if key in other.keys)
        findings.problem(_at(row, index, key), f"only {owners} joints have a {key}; this one is {kind.value}")
    elif value is not None and value.is_zero:
        findings.problem(_at(row, index, key), f"expected a {key} that is not 0: {KEYS[key].meaning}")


def _parent(row: LinkTable, index: int, link_names: dict[str, int], findings: Findings) -> int:
    if row.parent is None:
        return index - 1
    parent = link_names.get(row.parent)
    if parent is None and row.parent == "base":
        return BASE
    if parent is None:
        known = ", ".join(["base", *list(link_names)[:20]])
        findings.problem(_at(row, index, "parent"), f"no link is called {row.parent[:40]!r}; there are: {known}")
        return BASE
    if parent >= index:
        findings.problem(
            _at(row, index, "parent"), f"the parent {row.parent!r} must stand before its child in the file"
        )
        return BASE
    return parent


def _row(convention: str, row: LinkTable, index: int, defaults: dict[str, Exact], findings: Findings) -> Row:
    kind = kind_called(row.joint)
    if row.b is not None and row.d is not None:
        findings.problem(_at(row, index, "b"), "b and d are two names of the same length along z; give one")
    if convention == "modified" and row.b is not None:
        findings.problem(
            _at(row, index, "b"),
            "in a modified table the length along the joint's z is called d (Khalil's r); the length along x, his d,"
            " is called a, and the shift along the parent's z, his b, is called before",
        )
    if convention == "standard":
        for key in ("gamma", "before"):
            if getattr(row, key) is not None:
                findings.problem(_at(row, index, key), "only modified tables have gamma and before (for branches)")
    along = row.b if row.b is not None else row.d
    lengths = ("b", "a constant length") if row.b is not None else ("d", "a constant length")
    key, constant = lengths if kind.stands_for == "b" else ("theta", "a constant turn")
    if kind.stands_for and getattr(row, key) is not None:
        findings.problem(
            _at(row, index, key),
            f"{key} is the coordinate of a {kind.value} joint; {constant} goes into offset",
        )
    return Row(
        a=row.a or ZERO,
        alpha=_angle(row, index, "alpha", defaults, findings),
        b=along or ZERO,
        theta=_angle(row, index, "theta", defaults, findings),
        gamma=_angle(row, index, "gamma", defaults, findings),
        before=row.before or ZERO,
    )


# angles --------------------------------------------------------------------------------------------


def _angle(row: LinkTable, index: int, key: str, defaults: dict[str, Exact], findings: Findings) -> Expression:
    """The angle under `key`; of a row's angles, only the offset of a joint may hold parameters."""
    expression: Expression = getattr(row, key) or ZERO
    if key == "offset" and not expression.is_constant:
        return expression
    return read_angle(expression, _at(row, index, key), defaults, findings)


def _nonzero(*parts: Elementary) -> Placement:
    return tuple(part for part in parts if not part.amount.is_zero)


# inertia, poses ------------------------------------------------------------------------------------


def _inertia(table: RobotTable, row: LinkTable, index: int, defaults: dict[str, Exact], findings: Findings) -> Inertia:
    mass = row.mass or ZERO
    _check_mass(mass, _at(row, index, "mass"), defaults, findings)
    if row.r is not None and row.com is not None:
        findings.problem(
            _at(row, index, "r"), "r (mass centre to frame) and com (frame to mass centre) exclude each other"
        )
    if not mass.is_zero and row.r is None and row.com is None:
        findings.problem(
            _at(row, index, "mass"),
            "a link with mass needs its mass centre: com (from the frame's origin) or r (to the frame's origin)",
        )
    com = _vector([-entry for entry in row.r]) if row.r is not None else _vector(row.com)
    written = row.inertia or InertiaTable()
    entries = (written.xx, written.yy, written.zz, written.xy, written.xz, written.yz)
    about = written.about or table.inertia_about
    tensor = tuple(entry or ZERO for entry in entries)
    if about is None and not all(entry.is_zero for entry in tensor):
        findings.problem(
            _at(row, index, "inertia"),
            'say about which point: about = "com" or "origin" here, or inertia_about at the top of the file',
        )
    own, common = written.frame, table.inertia_frame
    frame = own or common

    def place(key: str) -> str:
        return _at(row, index, f"inertia.frame.{key}") if own else f"inertia_frame.{key}"

    axes = _pose(PoseTable(rpy=frame.rpy), place, defaults, findings) if isinstance(frame, AxesTable) else ()
    xx, yy, zz, xy, xz, yz = tensor
    return Inertia(mass, com, (xx, yy, zz, xy, xz, yz), about == "origin", axes)


def _vector(values: list[Expression] | None) -> Vector:
    if values is None:
        return _ZERO_VECTOR
    x, y, z = values
    return (x, y, z)


def _check_mass(mass: Expression, place: str, defaults: dict[str, Exact], findings: Findings) -> None:
    if findings.about(place):
        return
    value = float(mass.constant(defaults))
    if value < 0:
        findings.problem(place, f"expected a mass of at least 0 kg, found {value:g}")


def _pose(
    pose: PoseTable | None, place: Callable[[str], str], defaults: dict[str, Exact], findings: Findings
) -> Placement:
    """xyz, then rpy about fixed axes: Txyz Rz(yaw) Ry(pitch) Rx(roll)."""
    if pose is None:
        return ()
    shifts = [Elementary(False, axis, amount) for axis, amount in enumerate(_vector(pose.xyz))]
    turns = [
        Elementary(True, axis, read_angle(amount, place(f"rpy[{axis + 1}]"), defaults, findings))
        for axis, amount in enumerate(_vector(pose.rpy))
    ]
    return _nonzero(*shifts, *reversed(turns))


def _frames(
    table: RobotTable, link_names: dict[str, int], defaults: dict[str, Exact], findings: Findings
) -> tuple[Frame, ...]:
    """The tool's frame and the other named ones."""
    tables: list[tuple[str, ToolTable | FrameTable]] = [("tool", table.tool)] if table.tool else []
    tables += [(f"frames[{index + 1}]", frame) for index, frame in enumerate(table.frames)]
    frames: list[Frame] = []
    taken = {*link_names, "base"}
    for place, frame in tables:
        if frame.name in taken:
            findings.problem(
                f"{place}.name",
                f"the name {frame.name!r} is taken already; frames and links must have different names",
            )
        taken.add(frame.name)
        link = _frame_link(frame, place, link_names, findings)
        frames.append(Frame(frame.name, link, _pose(frame, f"{place}.{{}}".format, defaults, findings)))
    return tuple(frames)


def _frame_link(frame: ToolTable | FrameTable, place: str, link_names: dict[str, int], findings: Findings) -> int:
    if frame.link is None:
        return len(link_names) - 1
    if frame.link not in link_names:
        known = ", ".join(list(link_names)[:20])
        findings.problem(f"{place}.link", f"no link is called {frame.link[:40]!r}; there are: {known}")
    return link_names.get(frame.link, 0)
