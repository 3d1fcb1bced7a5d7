"""Constant transforms in floating point, and the corners of the ways that tables lead along."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import Exact
from symgen.drawing.scene import Point, Pose
from symgen.robot.model import Elementary, Placement

Floats = NDArray[np.float64]
Values = Mapping[str, Exact]


def frame(placement: Placement, values: Values) -> Floats:
    """The homogeneous matrix (4, 4) of a constant transform at these values of the parameters."""
    result = np.eye(4)
    for part in placement:
        result = result @ _elementary(part, values)
    return result


def _elementary(part: Elementary, values: Values) -> Floats:
    result, amount = np.eye(4), part.amount.constant(values)
    if not part.rotates:
        result[part.axis, 3] = float(amount)
        return result
    c, s = map(float, cos_sin(amount))
    one, other = (part.axis + 1) % 3, (part.axis + 2) % 3
    result[one, one] = result[other, other] = c
    result[one, other], result[other, one] = -s, s
    return result


def pose(placement: Placement, values: Values) -> Pose:
    """A constant transform as a pose of a scene."""
    return pose_of(frame(placement, values))


def pose_of(found: Floats) -> Pose:
    """A homogeneous matrix (4, 4) as a pose of a scene."""
    return tuple(found[:3].ravel().tolist())


def point(found: Floats) -> Point:
    """The origin of a frame (4, 4)."""
    x, y, z = found[:3, 3].tolist()
    return x, y, z


def corners(placement: Placement, values: Values, *, straight: bool) -> list[Floats]:
    """The points (3) that a constant transform passes from its origin on; with `straight` the first and last alone."""
    result, at = [np.zeros(3)], np.eye(4)
    for part in placement:
        at = at @ _elementary(part, values)
        if not part.rotates and not part.amount.is_zero:
            result.append(at[:3, 3].copy())
    return [result[0], result[-1]] if straight else result
