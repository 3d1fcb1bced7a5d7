"""The flat parts of bodies that carry three joints or more in a plane: platforms, trunks, palms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from symgen.drawing.scene import Plate, Point, Tube
from symgen.robot.scenery.placing import Floats

ORIGIN: Point = (0.0, 0.0, 0.0)

FLAT = 1e-3
"""Points in a plane are no farther from it than this part of their extent."""

WIDE = 0.1
"""Points that are not in a line are farther from it than this part of their extent."""


def plates(ways: Sequence[Tube]) -> tuple[Plate, ...]:
    """The plates of the bodies whose tubes end in a plane."""
    return tuple(_plates(ways))


def _plates(ways: Sequence[Tube]) -> Iterator[Plate]:
    for body in sorted({way.body for way in ways}):
        ends = sorted({point for way in ways if way.body == body for point in (way.points[0], way.points[-1])})
        # The frame's origin may be beside the plane: a mass centre that all tubes lead from.
        for points in (ends, [point for point in ends if point != ORIGIN]):
            if len(points) > 3 and (around := _around(np.array(points))):
                yield Plate(body, around)
                break


def without(ways: Sequence[Tube], flat: Sequence[Plate]) -> tuple[Tube, ...]:
    """The tubes but for those that lie in a plate of their body, or lead from its origin to a corner."""
    return tuple(way for way in ways if not any(_belongs(way, plate) for plate in flat if plate.body == way.body))


def _belongs(way: Tube, plate: Plate) -> bool:
    if way.points[0] == ORIGIN and way.points[1:] in [(corner,) for corner in plate.points]:
        return True
    corners = np.array(plate.points)
    _, extents, axes = np.linalg.svd(corners - corners.mean(axis=0))
    away = (np.array(way.points) - corners.mean(axis=0)) @ axes[2]
    return bool(np.abs(away).max() <= FLAT * extents[0])


def _around(points: Floats) -> tuple[Point, ...]:
    """The corners of the hull of points in a plane, in order; () if they are in no plane, or in a line."""
    middle = points.mean(axis=0)
    _, extents, axes = np.linalg.svd(points - middle)
    if extents[2] > FLAT * extents[0] or extents[1] < WIDE * extents[0]:
        return ()
    flat = (points - middle) @ axes[:2].T
    order = np.lexsort((flat[:, 1], flat[:, 0])).tolist()
    corners = [*_half(flat, order), *_half(flat, order[::-1])]
    return tuple((float(x), float(y), float(z)) for x, y, z in points[corners])


def _half(flat: Floats, order: Sequence[int]) -> list[int]:
    """One side of the hull, the last point left out; `order` goes across."""
    found: list[int] = []
    for index in order:
        while len(found) > 1 and _turn(flat[found[-2]], flat[found[-1]], flat[index]) <= 1e-12:
            found.pop()
        found.append(index)
    return found[:-1]


def _turn(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
