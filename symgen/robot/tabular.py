"""A robot as tables of text: the rows of its Denavit-Hartenberg table, masses and inertia tensors, drives."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.display.markup import Grid, paragraph
from symgen.robot.expression import Expression
from symgen.robot.joints import QUATERNION
from symgen.robot.model import BASE, NO_DRIVE, NO_LIMITS, CutJoint, Drive, Frame, Joint, Link, Placed, Robot, Vector
from symgen.robot.physical import remarks

CONVENTIONS = {
    "standard": "standard (distal) DH: Rz(theta) Tz(b) Tx(a) Rx(alpha); joint i turns about z of the frame before it",
    "placed": "links placed by xyz, rpy and axis, as in a URDF: Txyz Rz(yaw) Ry(pitch) Rx(roll) in the parent's frame",
    "modified": "modified (Craig, Khalil) DH: Rx(alpha) Tx(a) Rz(theta) Tz(d); joint i turns about z of its own frame",
}
"""What each convention means, in one line."""


def heading(robot: Robot) -> list[str]:
    """Lines about the whole robot: what it is, convention, gravity, declared parameters."""
    gravity = ", ".join(str(entry) for entry in robot.gravity)
    lines = [f"{robot.name}: {robot.description}" if robot.description else robot.name]
    if robot.source:
        lines.append(f"source: {robot.source}")
    lines.append(f"convention: {CONVENTIONS[robot.convention]}")
    lines.append(f"gravity: ({gravity}) m/s^2 in the base frame; {_size(robot)}")
    return lines


def _size(robot: Robot) -> str:
    if not robot.has_loops:
        return f"{robot.nq} positions, {robot.nv} velocities"
    independent = ", ".join(robot.actuated)
    return (
        f"{robot.nq} positions and {robot.nv} velocities of the tree, {robot.constraints} constraints, "
        f"{len(robot.actuated)} independent velocities: {independent}"
        + (f"; {len(robot.motors)} actuators: {', '.join(robot.motors)}" if robot.motors else "")
    )


def parameter_lines(robot: Robot) -> list[str]:
    """The declared parameters with their defaults, on one line; none if there are none."""
    items = ", ".join(f"{name} = {value.plain()}" for name, value in robot.parameters)
    return [f"parameters: {items}"] if items else []


def robot_html(robot: Robot) -> str:
    """What `_repr_html_` of a robot gives."""
    from symgen.robot.scenery import image_of  # tables alone need no picture

    grids = (*link_grids(robot), *coordinate_grids(robot), mass_grid(robot), *joint_grids(robot))
    parts = [paragraph(*heading(robot), *parameter_lines(robot)), image_of(robot), *(grid.html() for grid in grids)]
    if notices := (*robot.notices, *remarks(robot)):
        parts.append(paragraph(*(f"notice: {notice}" for notice in notices)))
    return f"<div>{''.join(parts)}</div>"


# the table -----------------------------------------------------------------------------------------


def link_grids(robot: Robot) -> tuple[Grid, ...]:
    """The links as the user wrote them, rows of a table and placed ones, with the kinds of the joints."""
    grids = []
    if any(link.placed is None for link in robot.links):
        grids.append(_row_grid(robot))
    if any(link.placed is not None for link in robot.links):
        grids.append(_placed_grid(robot))
    return tuple(grids)


def joint_grids(robot: Robot) -> tuple[Grid, ...]:
    """What there is to tell of the joints beside where they are: drives, limits, which follow others."""
    limited = any(each.limits != NO_LIMITS for each in _all_joints(robot))
    follows = any(link.joint.mimic is not None for link in robot.links)
    grids = [(has_drives(robot), drive_grid), (limited, _limit_grid), (follows, _mimic_grid)]
    grids += [(bool(robot.cut_joints), _loop_grid), (bool(robot.couplings), _coupling_grid)]
    grids += [(bool(robot.switched), _switched_grid), (bool(robot.contacts), _contact_grid)]
    return tuple(make(robot) for given, make in grids if given)


def _loop_grid(robot: Robot) -> Grid:
    return _cut_grid(robot, robot.cut_joints, "loops: cut joints between frames of two links (m, rad)")


def _switched_grid(robot: Robot) -> Grid:
    return _cut_grid(robot, robot.switched, "loops that are closed in contact sets alone (m, rad)")


def _contact_grid(robot: Robot) -> Grid:
    rows = [
        (name, ", ".join(cut.name for cut in cuts), str(sum(cut.kind.size for cut in cuts)))
        for name, cuts in robot.contact_loops.items()
    ]
    columns = ("set", "loops", "constraints")
    return Grid("contact sets: loops that are closed together, at some times", columns, tuple(rows), words=2)


def _cut_grid(robot: Robot, cuts: Sequence[CutJoint], title: str) -> Grid:
    rows = [
        (
            cut.name,
            cut.kind.value if cut.length.is_zero else f"{cut.kind.value}, {cut.length} m",
            _end_text(robot, cut.predecessor),
            _end_text(robot, cut.successor),
            str(cut.kind.size),
        )
        for cut in cuts
    ]
    columns = ("loop", "cut joint", "predecessor", "successor", "constraints")
    return Grid(title, columns, tuple(rows), words=4)


def _end_text(robot: Robot, end: Frame) -> str:
    link = "base" if end.link == BASE else robot.links[end.link].name
    place = " ".join(f"{'R' if part.rotates else 'T'}{'xyz'[part.axis]}({part.amount})" for part in end.placement)
    return f"{link} {place}".rstrip()


def _coupling_grid(robot: Robot) -> Grid:
    rows = [
        (coupling.name, " + ".join(f"{ratio} {name}" for name, ratio in coupling.terms), str(coupling.offset))
        for coupling in robot.couplings
    ]
    return Grid("couplings of coordinates (rad, m)", ("coupling", "sum", "is"), tuple(rows), words=3)


def _first_cells(robot: Robot, index: int) -> tuple[str, str, str, str]:
    """Number, link, parent and joint."""
    link = robot.links[index]
    parent = "base" if link.parent == BASE else robot.links[link.parent].name
    return str(index + 1), link.name, parent, f"{link.joint.name} ({link.joint.kind.value})"


def _placed_grid(robot: Robot) -> Grid:
    offset = any(not link.joint.offset.is_zero or link.joint.kind.keys for link in robot.links if link.placed)
    inner = any(not link.placed.is_at_joint for link in robot.links if link.placed)
    further = (("joint xyz", "joint rpy") if inner else ()) + (("offset",) if offset else ())
    columns = ("#", "link", "parent", "joint", "xyz", "rpy", "axis", *further)
    rows = [
        (
            *_first_cells(robot, index),
            *_placed_cells(link.joint, link.placed),
            *(map(_shown_vector, (link.placed.joint_xyz, link.placed.joint_rpy)) if inner else ()),
            *((_offset(link.joint),) if offset else ()),
        )
        for index, link in enumerate(robot.links)
        if link.placed is not None
    ]
    return Grid("links placed in their parents' frames (m, rad), axes in the links' own", columns, tuple(rows), words=4)


def _placed_cells(joint: Joint, placed: Placed) -> tuple[str, str, str]:
    axis = _shown_vector(placed.axis) if joint.nv else ""
    return _shown_vector(placed.xyz), _shown_vector(placed.rpy), f"-{axis}" if joint.direction < 0 else axis


def _shown_vector(vector: Vector) -> str:
    return "0" if all(entry.is_zero for entry in vector) else ", ".join(map(str, vector))


def _row_grid(robot: Robot) -> Grid:
    along = "b" if robot.convention == "standard" else "d"
    branched = any(not (link.row.gamma.is_zero and link.row.before.is_zero) for link in robot.links if link.row)
    start = ("gamma", "before") if branched else ()
    columns = ("#", "link", "parent", "joint", *start, "a", "alpha", along, "theta", "offset")
    rows = []
    for index, link in enumerate(robot.links):
        if link.placed is None:
            rows.append((*_first_cells(robot, index), *_row_cells(link, branched=branched)))
    return Grid("Denavit-Hartenberg table (m, rad)", columns, tuple(rows), words=4)


def _row_cells(link: Link, *, branched: bool) -> list[str]:
    row = link.row
    if row is None:
        return [""] * (6 if branched else 4) + [str(link.joint.offset)]
    start = (row.gamma, row.before) if branched else ()
    cells = [str(entry) for entry in (*start, row.a, row.alpha, row.b, row.theta, link.joint.offset)]
    for each in () if link.joint.kind.is_free else link.joint.kind.coordinates:
        motion = ("q" if link.joint.direction > 0 else "-q") + (f" {each.name}" if each.name else "")
        if each.turn:
            cells[-2] = motion
        if each.slide:
            slid = f"{each.slide}*{motion}" if isinstance(each.slide, str) else motion
            cells[-3] = slid if row.b.is_zero else f"{row.b} + {slid}"
    cells[-1] = _offset(link.joint)
    return cells


def coordinate_grids(robot: Robot) -> list[Grid]:
    """What the entries of q and of velocities are, where they are not those of the joints in order."""
    return [position_grid(robot), velocity_grid(robot)] if robot.has_free_joints else []


def position_grid(robot: Robot) -> Grid:
    """The entries of q, with their values where no joint moves its link."""
    rows = tuple(
        (str(index), each.name, each.joint.kind.value, each.position.unit, f"{each.position.neutral:g}")
        for index, each in enumerate(robot.positions, start=1)
    )
    turning = any(each.position in QUATERNION for each in robot.positions)
    title = "entries of q" + ("; code generated with --quaternion wxyz has qw before qx" if turning else "")
    return Grid(title, ("#", "entry", "joint", "unit", "neutral"), rows, words=4)


def velocity_grid(robot: Robot) -> Grid:
    """The velocity coordinates with their units."""
    rows = tuple(
        (str(index), each.name, each.joint.kind.value, each.measure.velocity, each.measure.force)
        for index, each in enumerate(robot.velocities, start=1)
    )
    return Grid("entries of velocities and forces", ("#", "entry", "joint", "velocity", "force"), rows, words=5)


def _offset(joint: Joint) -> str:
    """The offset, and what a name in other cells stands for, such as the pitch."""
    return "; ".join([str(joint.offset), *(f"{key} = {getattr(joint, key)}" for key in joint.kind.keys)])


# masses --------------------------------------------------------------------------------------------


def mass_grid(robot: Robot) -> Grid:
    """Masses, mass centres and tensors as numbers, parameters at their defaults."""
    entries = ("xx", "yy", "zz", "xy", "xz", "yz")
    columns = ("#", "link", "mass", "mass centre", *(f"I {entry}" for entry in entries), "about", "remark")
    rows = []
    for index, link in enumerate(robot.links):
        given = link.inertia
        centre = "" if given.mass.is_zero else " ".join(_value(entry, robot) for entry in given.com)
        tensor = [_value(entry, robot) for entry in given.tensor]
        about = ("origin" if given.about_origin else "com") + (", turned axes" if given.axes else "")
        rows.append((str(index + 1), link.name, _value(given.mass, robot), centre, *tensor, about, _remark(link)))
    return Grid(
        "masses (kg), mass centres (m) and inertia tensors (kg m^2), in the links' frames",
        columns,
        tuple(rows),
        words=2,
    )


def _value(entry: Expression, robot: Robot) -> str:
    """A number at the parameters' defaults."""
    return f"{float(entry.constant(robot.defaults)):.9g}"


def _remark(link: Link) -> str:
    if link.inertia.is_massless:
        return "massless"
    if all(entry.is_zero for entry in link.inertia.tensor):
        return "point mass"
    return ""


# drives --------------------------------------------------------------------------------------------


def has_drives(robot: Robot) -> bool:
    """Whether a joint has a rotor, friction or a spring."""
    return robot.has_cut_drives or any(link.joint.drive != NO_DRIVE for link in robot.links)


def drive_grid(robot: Robot) -> Grid:
    """Rotor inertia, friction and springs of the joints that move."""
    columns = ["joint", "rotor inertia", "gear ratio", "felt by the joint", "viscous", "Coulomb", "smoothing"]
    joints: list[Joint | CutJoint] = [link.joint for link in robot.links if link.joint.nv]
    joints += [cut for cut in robot.cut_joints if cut.drive != NO_DRIVE]
    further = {"sigmoid (slope, shift)": _sigmoid, "spring (rest)": _spring}
    shown = {name: text for name, text in further.items() if any(text(joint.drive) for joint in joints)}
    rows = []
    for joint in joints:
        drive = joint.drive
        given = (drive.rotor_inertia, drive.gear_ratio)
        rotor, ratio = (float(entry.constant(robot.defaults)) for entry in given)
        felt = f"{rotor * ratio**2:g}"
        friction = (str(drive.viscous), str(drive.coulomb), _smoothing(drive))
        rows.append((joint.name, *map(str, given), felt, *friction, *(text(drive) for text in shown.values())))
    return Grid("drives of the joints", (*columns, *shown), tuple(rows))


def _sigmoid(drive: Drive) -> str:
    return "" if drive.sigmoid.is_zero else f"{drive.sigmoid} ({drive.slope}, {drive.shift})"


def _spring(drive: Drive) -> str:
    return "" if drive.stiffness.is_zero else f"{drive.stiffness} ({drive.rest})"


def _all_joints(robot: Robot) -> list[Joint | CutJoint]:
    return [*(link.joint for link in robot.links), *robot.cut_joints]


def _limit_grid(robot: Robot) -> Grid:
    columns = ("joint", "lower", "upper", "velocity", "effort")
    rows = []
    for joint in _all_joints(robot):
        given = joint.limits
        if given != NO_LIMITS:
            values = (given.lower, given.upper, given.velocity, given.effort)
            rows.append((joint.name, *("" if value is None else _value(value, robot) for value in values)))
    return Grid("limits of the joints (rad or m, their rates, N m or N)", columns, tuple(rows))


def _mimic_grid(robot: Robot) -> Grid:
    followers = ((link.joint.name, link.joint.mimic) for link in robot.links if link.joint.mimic is not None)
    rows = tuple((name, mimic.joint, str(mimic.ratio), str(mimic.offset)) for name, mimic in followers)
    return Grid(
        "joints that follow others: ratio times its coordinate plus offset",
        ("joint", "follows", "ratio", "offset"),
        rows,
    )


def _smoothing(drive: Drive) -> str:
    if drive.coulomb.is_zero:
        return ""
    return "none (sign)" if drive.smoothing.is_zero else str(drive.smoothing)
