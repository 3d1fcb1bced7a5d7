"""Links of a robot file that are placed by xyz, rpy and axis: read and checked.

In a file whose convention is "placed" every link is; in others a link that has one of these keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symgen.algebra.exact import Exact
from symgen.robot.angles import read_angle
from symgen.robot.expression import ZERO, Expression, constant
from symgen.robot.findings import Findings
from symgen.robot.frame_tables import vector
from symgen.robot.joints import JointKind, kind_called
from symgen.robot.model import Placed, Vector
from symgen.robot.placed import UP
from symgen.robot.schema import LinkTable

KEYS = ("xyz", "rpy", "axis", "joint_xyz", "joint_rpy")
_ROW_KEYS = ("a", "alpha", "b", "d", "theta", "gamma", "before")


def is_placed(convention: str, row: LinkTable) -> bool:
    """Whether a link is placed by xyz, rpy and axis rather than by a row of the table."""
    return convention == "placed" or any(getattr(row, key) is not None for key in KEYS)


def read(row: LinkTable, place: Callable[[str], str], defaults: dict[str, Exact], findings: Findings) -> Placed:
    """Where a link is; `place` makes the place of a key in messages."""
    for key in _ROW_KEYS:
        if getattr(row, key) is not None:
            findings.problem(
                place(key), f"this link is placed by xyz, rpy and axis; {key} is an entry of a Denavit-Hartenberg row"
            )

    def turns(key: str, given: list[Expression] | None) -> Vector:
        roll, pitch, yaw = (
            read_angle(angle, place(f"{key}[{index + 1}]"), defaults, findings)
            for index, angle in enumerate(given or (ZERO, ZERO, ZERO))
        )
        return roll, pitch, yaw

    return Placed(
        vector(row.xyz),
        turns("rpy", row.rpy),
        _axis(row, place, defaults, findings),
        vector(row.joint_xyz),
        turns("joint_rpy", row.joint_rpy),
    )


def _axis(row: LinkTable, place: Callable[[str], str], defaults: Mapping[str, Exact], findings: Findings) -> Vector:
    kind = kind_called(row.joint)
    if row.axis is None:
        if kind.stands_for or kind is JointKind.PLANAR:
            findings.problem(
                place("axis"),
                f"missing; give the axis of the {kind.value} joint in the link's frame, such as [0, 0, 1]",
            )
        return UP
    if kind is JointKind.FIXED:
        findings.problem(place("axis"), "a fixed joint has no axis")
    if any(findings.about(place(f"axis[{index}]")) for index in (1, 2, 3)):
        return UP
    if not all(entry.is_constant for entry in row.axis):
        findings.notice(place("axis"), "axes are numeric; the parameters' default values are used")
    x, y, z = (_constant(entry, defaults) for entry in row.axis)
    if x.is_zero and y.is_zero and z.is_zero:
        findings.problem(place("axis"), "the axis is zero; give a direction, such as [0, 0, 1]")
        return UP
    return x, y, z


def _constant(entry: Expression, defaults: Mapping[str, Exact]) -> Expression:
    return constant(entry.constant(defaults))
