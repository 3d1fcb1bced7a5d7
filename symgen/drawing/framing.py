"""What of space a scene takes, so that a picture holds all of it; `viewer/camera.js` has the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from symgen.drawing.kinematics import Floats, Numbers, carrier, matrix, poses
from symgen.drawing.scene import Camera, Point, Scene

BELOW = 0.07
"""How far the floor is below the lowest point, of the scene's radius."""

POINT = 0.1
"""The radius of what is a point (m)."""


def framed(scene: Scene, q: Numbers) -> Camera:
    """The scene's camera, moved so that the picture holds all that there is at q."""
    corners = points(scene, poses(scene, q))
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle = (low + high) / 2
    radius = float(np.linalg.norm(corners - middle, axis=1).max()) or POINT
    floor = float((corners @ np.array(scene.camera.up)).min()) - BELOW * radius
    return replace(scene.camera, target=_point(middle), radius=radius, floor=floor)


def points(scene: Scene, found: Floats) -> Floats:
    """The corners of what is drawn (k, 3), of bodies with these frames (bodies, 4, 4)."""
    result = [matrix(scene.root)[:3, 3]]
    on_bodies = [(way.body, point) for way in scene.tubes for point in way.points]
    on_bodies += [(plate.body, point) for plate in scene.plates for point in plate.points]
    on_bodies += [(mass.body, mass.centre) for mass in scene.masses]
    for body, point in on_bodies:
        frame = carrier(found, body)
        result.append(frame[:3, :3] @ np.array(point) + frame[:3, 3])
    for solid in scene.solids:
        frame = carrier(found, solid.body) @ matrix(solid.pose)
        half = np.array(solid.size) / 2 if solid.shape == "box" else np.full(3, solid.size[0])
        half = np.array([*half[:2], solid.size[1] / 2]) if solid.shape == "cylinder" else half
        signs = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T
        result += list((signs * half) @ frame[:3, :3].T + frame[:3, 3])
    return np.array(result)


def _point(vector: Floats) -> Point:
    x, y, z = vector.tolist()
    return x, y, z
