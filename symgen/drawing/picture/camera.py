"""Where a picture is taken from: a camera with mild perspective; `viewer/camera.js` has the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from symgen.drawing.kinematics import Floats
from symgen.drawing.scene import Camera as Place

DISTANCE = 5
"""Of the camera, in radii of the scene."""

FILLED = 0.43
"""The scene's radius, of the picture's smaller side."""


@dataclass(frozen=True)
class Seen:
    """Where a point is in a picture (pixels, y down), how near it is (m), and the pixels per m there."""

    x: float
    y: float
    near: float
    scale: float


class Camera:
    """A scene's camera for a picture of this width and height, in pixels."""

    def __init__(self, place: Place, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.radius = place.radius
        self.target = np.array(place.target)
        self.up = unit(place.up)
        self.toward = unit(place.direction)
        self.right = unit(np.cross(self.up, self.toward))
        self.above = np.cross(self.toward, self.right)
        self.level = np.cross(self.right, self.up)
        self.floor = place.floor
        self.distance = DISTANCE * self.radius
        self.scale = FILLED * min(width, height) / self.radius
        self.eye = self.target + self.distance * self.toward

    def seen(self, point: Sequence[float] | Floats) -> Seen:
        """Where a point (3) is in the picture."""
        away = np.asarray(point) - self.target
        near = float(away @ self.toward)
        scale = self.scale / max(0.05, 1 - near / self.distance)
        x, y = float(away @ self.right), float(away @ self.above)
        return Seen(self.width / 2 + scale * x, self.height / 2 - scale * y, near, scale)


def unit(vector: Sequence[float] | Floats) -> Floats:
    """The vector with length 1."""
    array = np.asarray(vector, dtype=float)
    return np.asarray(array / (np.linalg.norm(array) or 1.0))
