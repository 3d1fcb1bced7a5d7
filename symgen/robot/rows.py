"""Tables → links: a validated robot table becomes a `Robot`, with the checks that need several keys at once.

Links are rows of a Denavit-Hartenberg table or placed by xyz, rpy and axis (see `placement_tables`).
"""

from __future__ import annotations

from dataclasses import replace

from symgen.algebra.exact import Exact
from symgen.errors import Problem, RobotFileError
from symgen.robot import placement_tables, rotor_tables, units
from symgen.robot.expression import ZERO
from symgen.robot.findings import Findings, in_order, place_of
from symgen.robot.frame_tables import frames_of, pose_placement, vector
from symgen.robot.inertia_tables import inertia_of
from symgen.robot.joint_tables import followed_joints, joint_of
from symgen.robot.joints import kind_called
from symgen.robot.loop_tables import with_loops
from symgen.robot.model import BASE, Joint, Link, Mimic, Robot
from symgen.robot.placed import split as placed_split
from symgen.robot.placement_tables import is_placed
from symgen.robot.rotors import with_rotors
from symgen.robot.row_tables import row_of
from symgen.robot.schema import LinkTable, RobotTable
from symgen.robot.splitting import split
from symgen.robot.value_tables import check_numbers, defaults_of, numbers_of


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
    defaults = defaults_of(table, findings)
    check_numbers(numbers_of(table), defaults, findings)
    link_names = _link_names(table, broken, findings)
    followed = followed_joints(table, broken, defaults, findings)
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
        gravity=vector(table.gravity),
        base=pose_placement(table.base, "base.{}".format, defaults, findings),
        links=links,
        frames=frames_of(table, link_names, defaults, findings),
        tool=table.tool.name if table.tool else "",
        parameters=tuple(defaults.items()),
    )
    if not broken:
        found = list(rotor_tables.read(table.links, links, link_names, defaults, findings))
        robot = robot if findings.problems else with_rotors(robot, found)
        robot = with_loops(robot, table, lambda pose, place: pose_placement(pose, place, defaults, findings), findings)
    return findings, robot


def _link_names(table: RobotTable, broken: frozenset[int], findings: Findings) -> dict[str, int]:
    link_names: dict[str, int] = {}
    joint_names: set[str] = set()
    for index, row in enumerate(table.links):
        if index in broken and row.name is None:
            continue
        name = row.name or f"link{index + 1}"
        if name in link_names:
            findings.problem(place_of(row, index, "name"), f"the name {name!r} is taken already; names must differ")
        link_names.setdefault(name, index)
        joint = Joint(row.joint_name or f"joint{index + 1}", kind_called(row.joint), ZERO)
        for name in dict.fromkeys((joint.name, *joint.coordinate_names)):
            if name in joint_names:
                findings.problem(
                    place_of(row, index, "joint_name"), f"the name {name!r} is taken already; names must differ"
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
    joint = joint_of(row, index, followed, defaults, findings)
    written, placed = None, None
    if is_placed(table.convention, row):
        placed = placement_tables.read(row, lambda key: place_of(row, index, key), defaults, findings)
        before, after = placed_split(joint, placed, defaults)
    else:
        written = row_of(table.convention, row, index, defaults, findings)
        before, after = split(table.convention, joint, written)
    return Link(
        name=row.name or f"link{index + 1}",
        parent=_parent(row, index, link_names, findings),
        joint=joint,
        before=before,
        after=after,
        inertia=inertia_of(table, row, index, defaults, findings),
        row=written,
        placed=placed,
    )


def _parent(row: LinkTable, index: int, link_names: dict[str, int], findings: Findings) -> int:
    if row.parent is None:
        return index - 1
    parent = link_names.get(row.parent)
    if parent is None and row.parent == "base":
        return BASE
    if parent is None:
        known = ", ".join(["base", *list(link_names)[:20]])
        findings.problem(place_of(row, index, "parent"), f"no link is called {row.parent[:40]!r}; there are: {known}")
        return BASE
    if parent >= index:
        findings.problem(
            place_of(row, index, "parent"), f"the parent {row.parent!r} must stand before its child in the file"
        )
        return BASE
    return parent
