"""Vectors, poses and named frames in a robot table, checked."""

from __future__ import annotations

from collections.abc import Callable

from symgen.algebra.exact import Exact
from symgen.robot.angles import read_angle
from symgen.robot.expression import ZERO, Expression
from symgen.robot.findings import Findings
from symgen.robot.model import Elementary, Frame, Placement, Vector
from symgen.robot.schema import FrameTable, PoseTable, RobotTable, ToolTable

_ZERO_VECTOR: Vector = (ZERO, ZERO, ZERO)


def vector(values: list[Expression] | None) -> Vector:
    """Three numbers of a file; zeros where it has none."""
    if values is None:
        return _ZERO_VECTOR
    x, y, z = values
    return (x, y, z)


def pose_placement(
    pose: PoseTable | None, place: Callable[[str], str], defaults: dict[str, Exact], findings: Findings
) -> Placement:
    """xyz, then rpy about fixed axes: Txyz Rz(yaw) Ry(pitch) Rx(roll)."""
    if pose is None:
        return ()
    shifts = [Elementary(False, axis, amount) for axis, amount in enumerate(vector(pose.xyz))]
    turns = [
        Elementary(True, axis, read_angle(amount, place(f"rpy[{axis + 1}]"), defaults, findings))
        for axis, amount in enumerate(vector(pose.rpy))
    ]
    return _nonzero(*shifts, *reversed(turns))


def frames_of(
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
        frames.append(Frame(frame.name, link, pose_placement(frame, f"{place}.{{}}".format, defaults, findings)))
    return tuple(frames)


def _frame_link(frame: ToolTable | FrameTable, place: str, link_names: dict[str, int], findings: Findings) -> int:
    if frame.link is None:
        return len(link_names) - 1
    if frame.link not in link_names:
        known = ", ".join(list(link_names)[:20])
        findings.problem(f"{place}.link", f"no link is called {frame.link[:40]!r}; there are: {known}")
    return link_names.get(frame.link, 0)


def _nonzero(*parts: Elementary) -> Placement:
    return tuple(part for part in parts if not part.amount.is_zero)
