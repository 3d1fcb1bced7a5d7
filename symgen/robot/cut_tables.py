"""Cut joints in a robot file: their axes, and Khalil's rows for them, checked.

Khalil gives a cut joint two frames on one of the links that it ties together. A row leads to the first from the other
link, past the cut joint's own coordinate, as rows of the tree do; a row without theta and d to the second from the link
they are on. Where the loop is closed they are one.
"""

from __future__ import annotations

from collections.abc import Mapping

from symgen.algebra.exact import Exact
from symgen.robot.angles import read_angle
from symgen.robot.cut_frames import row_pose
from symgen.robot.expression import ZERO, constant
from symgen.robot.findings import Findings
from symgen.robot.loops import CutKind
from symgen.robot.model import Placement, Row, Vector
from symgen.robot.placed import UP
from symgen.robot.schema import CutRowTable, LoopTable

MISSING = {
    "predecessor": 'missing; say where on which link the loop is cut, such as { link = "rod", xyz = [0.2, 0, 0] }',
    "successor": 'missing; say what it is tied to, such as { link = "rocker" }, or { link = "base", xyz = [1, 0, 0] }',
}
"""What to say where an end is not given."""

_WITH_AXIS = (CutKind.REVOLUTE, CutKind.PRISMATIC, CutKind.CYLINDRICAL, CutKind.PLANAR, CutKind.INLINE)

_COORDINATES = {
    CutKind.REVOLUTE: ("theta",),
    CutKind.PRISMATIC: ("d",),
    CutKind.CYLINDRICAL: ("theta", "d"),
    CutKind.INLINE: ("d",),
}
"""Entries of a cut joint's first row that its coordinates stand for."""


def cut_axis(loop: LoopTable, kind: CutKind, place: str, defaults: Mapping[str, Exact], findings: Findings) -> Vector:
    """The axis of a cut joint in the frames of its ends."""
    if loop.axis is None or any(findings.about(f"{place}.axis[{number}]") for number in (1, 2, 3)):
        return UP
    if kind not in _WITH_AXIS:
        findings.problem(f"{place}.axis", f"a {kind.value} joint has no axis")
        return UP
    x, y, z = (constant(entry.constant(defaults)) for entry in loop.axis)
    if x.is_zero and y.is_zero and z.is_zero:
        findings.problem(f"{place}.axis", "the axis is zero; give a direction, such as [0, 0, 1]")
        return UP
    return x, y, z


def check_rows(loop: LoopTable, kind: CutKind, convention: str, place: str, findings: Findings) -> None:
    """Note what rows of a cut joint cannot have."""
    for key in ("predecessor", "successor", "axis"):
        if getattr(loop, key) is not None:
            findings.problem(f"{place}.{key}", "rows say where the cut joint is: leave this out, or the rows")
    if convention != "modified":
        findings.problem(
            f"{place}.rows",
            f"rows are those of modified tables, this robot's convention is {convention!r}: give predecessor and "
            "successor instead",
        )
    first, second = loop.rows or (None, None)
    for key in _COORDINATES.get(kind, ()):
        if getattr(first, key) is not None:
            findings.problem(f"{place}.rows[1].{key}", f"{key} is the coordinate of the cut {kind.value} joint")
    for key in ("theta", "d"):
        if getattr(second, key) is not None:
            findings.problem(f"{place}.rows[2].{key}", f"{key} is 0 in the second row; it belongs into the first")


def row_placement(row: CutRowTable, place: str, defaults: dict[str, Exact], findings: Findings) -> Placement:
    """Where a row leads from the frame of its link."""
    gamma, alpha, theta = (
        read_angle(getattr(row, key) or ZERO, f"{place}.{key}", defaults, findings)
        for key in ("gamma", "alpha", "theta")
    )
    return row_pose(Row(row.a or ZERO, alpha, row.d or ZERO, theta, gamma, row.before or ZERO))
