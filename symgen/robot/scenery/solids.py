"""The shapes that a file draws of links."""

from __future__ import annotations

from collections.abc import Iterator

from symgen.drawing.scene import Solid
from symgen.robot.model import Robot
from symgen.robot.scenery.placing import pose


def solids(robot: Robot) -> tuple[Solid, ...]:
    """The shapes of all links."""
    return tuple(_solids(robot))


def _solids(robot: Robot) -> Iterator[Solid]:
    values = robot.defaults
    for index, link in enumerate(robot.links):
        for shape in link.shapes:
            sizes = tuple(float(size.constant(values)) for size in shape.sizes)
            yield Solid(index, shape.kind, sizes, pose(shape.placement, values), shape.colour)
