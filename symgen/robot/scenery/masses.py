"""Mass centres of links, and the solid ellipsoids that have their inertia."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np

from symgen.drawing.scene import Mass, Plate, Point, Tube
from symgen.robot.direction import back
from symgen.robot.model import Inertia, Link, Robot
from symgen.robot.scenery.placing import Floats, Values, frame

_ROUNDING = 1e-9
"""Of the largest moment: so much a flat body's smallest semi-axis may be wrong by."""


def masses(robot: Robot, ways: Sequence[Tube], flat: Sequence[Plate]) -> tuple[Mass, ...]:
    """Mass, mass centre and ellipsoid of the links that have mass; links are drawn as these tubes and plates."""
    return tuple(_masses(robot, ways, {each.body for each in flat}))


def _masses(robot: Robot, ways: Sequence[Tube], flat: Collection[int]) -> Iterator[Mass]:
    for index, link in enumerate(robot.links):
        mass = float(link.inertia.mass.constant(robot.defaults))
        if mass > 0:
            centre, axes, radii = _ellipsoid(link, mass, robot.defaults)
            joint = frame(back(link.after), robot.defaults)[:3, 3]
            own = [list(map(np.array, way.points)) for way in ways if way.body == index]
            stem = centre if index in flat else _nearest(np.array(centre), own, joint)
            yield Mass(index, mass, centre, stem, axes, radii)


def _nearest(centre: Floats, ways: Sequence[Sequence[Floats]], joint: Floats) -> Point:
    """The point of tubes that is nearest; that of the joint where there are none."""
    found = [joint]
    for start, end in (pair for way in ways for pair in pairwise(way)):
        along = end - start
        found.append(start + along * float(np.clip((centre - start) @ along / (along @ along), 0, 1)))
    x, y, z = min(found, key=lambda point: float(np.linalg.norm(point - centre))).tolist()
    return x, y, z


def _ellipsoid(link: Link, mass: float, values: Values) -> tuple[Point, tuple[float, ...], tuple[float, ...]]:
    """The mass centre, principal axes and semi-axes of a link; a solid ellipsoid has Ixx = m (b² + c²)/5."""
    x, y, z = (float(entry.constant(values)) for entry in link.inertia.com)
    tensor = _about_centre(link.inertia, mass, np.array([x, y, z]), values)
    moments, axes = np.linalg.eigh(tensor)
    squares = 5 / mass * (moments.sum() / 2 - moments)
    scale = float(np.abs(squares).max())
    if np.linalg.det(axes) < 0:
        axes[:, 0] = -axes[:, 0]
    found = tuple(axes.ravel().tolist())
    if scale <= 0 or squares.min() < -_ROUNDING * scale:
        return (x, y, z), found, ()
    return (x, y, z), found, tuple(np.sqrt(np.maximum(squares, 0)).tolist())


def _about_centre(inertia: Inertia, mass: float, centre: Floats, values: Values) -> Floats:
    """The inertia tensor (3, 3) about the mass centre, in the axes of the reference frame."""
    xx, yy, zz, xy, xz, yz = (float(entry.constant(values)) for entry in inertia.tensor)
    turned = frame(inertia.axes, values)[:3, :3]
    tensor: Floats = turned @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turned.T
    if inertia.about_origin:
        tensor -= mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    return tensor
