"""What `symgen info` says of a robot: tables for people, plain data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from symgen.cli.graph_views import graph_summary, graph_view
from symgen.display.tables import grid_table, new_table, numbers
from symgen.robot import tabular
from symgen.robot.drives import FIELDS
from symgen.robot.model import NO_DRIVE, CutJoint, Elementary, Joint, Link, Robot
from symgen.robot.physical import lumps, remarks
from symgen.verify.geometry import Floats, pose
from symgen.verify.oracle import Oracle

if TYPE_CHECKING:
    from symgen.derive.inertial_parameters import InertialParameters


def robot_view(robot: Robot) -> RenderableType:
    """What was understood of a robot: the table, frames and joint axes at q = 0, masses, notices."""
    grids = [*tabular.link_grids(robot), *tabular.coordinate_grids(robot), tabular.mass_grid(robot)]
    grids += tabular.joint_grids(robot)
    parts: list[RenderableType] = [_heading(robot), graph_view(robot), *map(grid_table, grids)]
    parts.append(_frame_table(robot, *_rest_frames(robot)))
    parts += [
        Text(f"frame '{frame.name}' on {robot.links[frame.link].name}: {_pose_text(frame.placement)}")
        for frame in robot.frames
    ]
    parts += [Text(f"carried: {line}") for line in lumps(robot)]
    parts += [Text(f"notice: {notice}", style="yellow") for notice in (*robot.notices, *remarks(robot))]
    return Group(*parts)


def _heading(robot: Robot) -> Text:
    base = [f"base: {_pose_text(robot.base)}"] if robot.base else []
    lines = [*tabular.heading(robot), *base, *tabular.parameter_lines(robot)]
    return Text("\n".join(lines) + "\n")


def _pose_text(placement: Sequence[Elementary]) -> str:
    return (
        " ".join(f"{'R' if part.rotates else 'T'}{'xyz'[part.axis]}({part.amount})" for part in placement) or "identity"
    )


def _frame_table(robot: Robot, frames: Floats, axes: Floats) -> Table:
    """Frames of the links and the named ones: a table read in the wrong convention shows here at once."""
    where = "where no joint moves its link" if robot.has_free_joints else "at q = 0"
    table = new_table(
        f"frames of the table {where}, in the base frame",
        "#",
        "link",
        "origin (m)",
        "x",
        "z",
        "joint axis",
        left=2,
    )
    for index, _, coordinate in robot.coordinates():
        link = robot.links[index]
        axis = numbers(axes[coordinate.start]) if _has_axis(link) else "free" if link.joint.nv else "fixed"
        table.add_row(str(index + 1), link.name, *_frame_cells(frames[index]), axis)
    for named in robot.frames:
        frame = frames[named.link] @ pose(named.placement, robot)
        table.add_row("", f"{named.name} on {robot.links[named.link].name}", *_frame_cells(frame), "", style="bold")
    return table


def _has_axis(link: Link) -> bool:
    """Whether the link's joint moves it about or along an axis that stands in the joint's frame."""
    return link.joint.nv > 0 and not link.joint.kind.is_free


def _frame_cells(frame: Floats) -> tuple[str, str, str]:
    """Origin, x and z of a frame (4, 4)."""
    return numbers(frame[:3, 3]), numbers(frame[:3, 0]), numbers(frame[:3, 2])


def _rest_frames(robot: Robot) -> tuple[Floats, Floats]:
    """The links' table frames at q = 0, (links, 4, 4), and the axes of moving joints, (n, 3), in the base frame."""
    oracle = Oracle(robot)
    rest = np.array(robot.neutral)
    return oracle.frames(rest), oracle.axes(rest)


def robot_summary(robot: Robot) -> dict[str, Any]:
    """What `symgen info --json` prints."""
    frames, axes = _rest_frames(robot)
    links = [
        {
            "name": link.name,
            "parent": "base" if link.parent < 0 else robot.links[link.parent].name,
            "joint": link.joint.name,
            "kind": link.joint.kind.value,
            "direction": link.joint.direction if link.joint.nv else None,
            **{key: float(getattr(link.joint, key).constant(robot.defaults)) for key in link.joint.kind.keys},
            "mass": float(link.inertia.mass.constant(robot.defaults)),
            "massless": link.inertia.is_massless,
            "frame": frames[index].round(15).tolist(),
            "axis": axes[v.start].round(15).tolist() if _has_axis(link) else None,
        }
        for index, link, v in ((index, robot.links[index], v) for index, _, v in robot.coordinates())
    ]
    return {
        "robot": robot.name,
        "description": robot.description,
        "source": robot.source,
        "convention": robot.convention,
        "gravity": [float(entry.constant(robot.defaults)) for entry in robot.gravity],
        "nq": robot.nq,
        "nv": robot.nv,
        "positions": [
            {"name": each.name, "joint": each.joint.name, "unit": each.position.unit, "neutral": each.position.neutral}
            for each in robot.positions
        ],
        "velocities": [
            {"name": each.name, "joint": each.joint.name, "unit": each.measure.velocity} for each in robot.velocities
        ],
        "parameters": {name: float(value) for name, value in robot.parameters},
        "links": links,
        "drives": [
            *(_drive_summary(robot, link.joint) for link in robot.links if link.joint.nv),
            *(_drive_summary(robot, cut) for cut in robot.cut_joints if cut.drive != NO_DRIVE),
        ],
        "frames": [
            {"name": frame.name, "link": robot.links[frame.link].name, "frame": placed.round(15).tolist()}
            for frame, placed in ((named, frames[named.link] @ pose(named.placement, robot)) for named in robot.frames)
        ],
        **graph_summary(robot),
        "contacts": {each.name: list(each.loops) for each in robot.contacts},
        "carried": list(lumps(robot)),
        "notices": [*robot.notices, *remarks(robot)],
    }


def _drive_summary(robot: Robot, joint: Joint | CutJoint) -> dict[str, Any]:
    """Rotor, friction and spring of a joint as numbers."""
    drive, values = joint.drive, robot.defaults
    return {
        "joint": joint.name,
        **{key: float(getattr(drive, field).constant(values)) for key, field in FIELDS.items()},
    }


def base_parameters_view(found: InertialParameters) -> RenderableType:
    """The table of `symgen info --base-parameters`."""
    return grid_table(replace(found.grid, notes=tuple(found.notes)))
