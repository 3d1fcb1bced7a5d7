"""Joints of a robot table: kind, offset, direction, drive, limits and what they follow, checked."""

from __future__ import annotations

from symgen.algebra.exact import Exact
from symgen.robot import drives
from symgen.robot.expression import ONE, ZERO
from symgen.robot.findings import Findings, place_of
from symgen.robot.joints import KEYS, JointKind, kind_called
from symgen.robot.limits import limits_of
from symgen.robot.mimicry import Follower, resolved
from symgen.robot.model import Joint, Mimic
from symgen.robot.row_tables import angle
from symgen.robot.schema import LinkTable, RobotTable


def followed_joints(
    table: RobotTable, broken: frozenset[int], defaults: dict[str, Exact], findings: Findings
) -> dict[str, Mimic]:
    """Joint → what it follows."""
    if broken:  # what a joint follows may be among what is left out
        return {}
    followers = {
        row.joint_name or f"joint{index + 1}": Follower(
            place_of(row, index, "mimic"), kind_called(row.joint), _mimic(row)
        )
        for index, row in enumerate(table.links)
    }
    return resolved(followers, defaults, findings.problem)


def _mimic(row: LinkTable) -> Mimic | None:
    given = row.mimic
    return None if given is None else Mimic(given.joint, given.ratio or ONE, given.offset or ZERO)


def joint_of(
    row: LinkTable, index: int, followed: dict[str, Mimic], defaults: dict[str, Exact], findings: Findings
) -> Joint:
    """The joint of a link's table; what is wrong with it is noted in `findings`."""
    kind = kind_called(row.joint)
    if row.offset is not None and not kind.stands_for:
        findings.problem(place_of(row, index, "offset"), _NO_OFFSET.get(kind, _SEVERAL_OFFSETS).format(kind=kind.value))
    if row.direction is not None and not kind.stands_for:
        why = "no coordinate and so" if not kind.nv else "several axes and"
        findings.problem(place_of(row, index, "direction"), f"a {kind.value} joint has {why} no direction")
    for key in KEYS:
        _check_key(row, index, key, kind, findings)
    offset = row.offset or ZERO
    if kind.stands_for == "theta":
        offset = angle(row, index, "offset", defaults, findings)
    drive = drives.drive(row, lambda key: place_of(row, index, key), defaults, findings)
    own = {key: value for key in kind.keys if (value := getattr(row, key)) is not None}
    limits = limits_of(row, lambda key: place_of(row, index, key), defaults, findings)
    name = row.joint_name or f"joint{index + 1}"
    return Joint(name, kind, offset, drive, row.direction or 1, limits=limits, mimic=followed.get(name), **own)


_NO_OFFSET = {JointKind.FIXED: "a fixed joint has no coordinate to offset; use theta or b, or xyz and rpy"}
_SEVERAL_OFFSETS = "a {kind} joint has several axes and no offset; place its frame where it begins instead"


def _check_key(row: LinkTable, index: int, key: str, kind: JointKind, findings: Findings) -> None:
    """A key that only some kinds of joints have: theirs must have it, and not be 0."""
    value = getattr(row, key)
    if value is None and key in kind.keys:
        findings.problem(
            place_of(row, index, key), f"missing; a {kind.value} joint needs its {key}: {KEYS[key].meaning}"
        )
    elif value is not None and key not in kind.keys:
        owners = " and ".join(other.value for other in JointKind if key in other.keys)
        findings.problem(place_of(row, index, key), f"only {owners} joints have a {key}; this one is {kind.value}")
    elif value is not None and value.is_zero:
        findings.problem(place_of(row, index, key), f"expected a {key} that is not 0: {KEYS[key].meaning}")
