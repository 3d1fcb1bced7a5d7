"""Two conventions side by side: the joints' axes and the frames of a robot and of its conversion, at q = 0."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rich.console import RenderableType

from symgen.display.tables import new_table, numbers
from symgen.robot.model import Robot
from symgen.verify.geometry import Floats, pose
from symgen.verify.oracle import Oracle


def conversion_table(given: Robot, result: Robot) -> RenderableType:
    """Axis and nearest point of every joint that moves, origin and z of every frame that both robots have.

    The conventions put their frames in different places of a joint's axis; the axis and its point nearest to the base's
    origin are the same.
    """
    table = new_table(
        f"{given.name} at q = 0 in both conventions, in the base frame: points (m) and directions",
        "joint or frame",
        f"{given.convention}: point",
        "direction",
        f"{result.convention}: point",
        "direction",
    )
    there = {name: (point, direction) for name, point, direction in _lines(result)}
    for name, point, direction in _lines(given):
        if name in there:
            table.add_row(name, *map(numbers, (point, direction, *there[name])))
    return table


def _lines(robot: Robot) -> Iterator[tuple[str, Floats, Floats]]:
    oracle = Oracle(robot)
    at = oracle.geometry(np.array(robot.neutral))
    column = 0
    for link in robot.links:
        axes = {each.axis for each in link.joint.kind.coordinates}
        for name, each in zip(link.joint.coordinate_names, link.joint.kind.coordinates, strict=True):
            axis, point = at.axes[column], at.points[column]
            column += 1
            if each.axis in axes:  # once, if the joint turns about it and slides along it
                axes.remove(each.axis)
                several = len({each.axis for each in link.joint.kind.coordinates}) > 1
                yield f"{name if several else link.joint.name} (axis)", point - (point @ axis) * axis, axis
    for frame in robot.frames:
        place = at.frames[frame.link] @ pose(frame.placement, robot)
        yield f"{frame.name} (origin, z)", place[:3, 3], place[:3, 2]
