"""Where the bodies of a scene are, in plain floating point; `viewer.js` does the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from symgen.drawing.scene import BASE, Body, Free, Pose, Scene, Screw

Floats = NDArray[np.float64]
Numbers = Sequence[float] | Floats


def matrix(pose: Pose) -> Floats:
    """The homogeneous matrix (4, 4) of a pose."""
    return np.array([*pose, 0.0, 0.0, 0.0, 1.0]).reshape(4, 4)


def poses(scene: Scene, q: Numbers) -> Floats:
    """The frames of all bodies at q, (bodies, 4, 4): they carry coordinates in them into those of the base."""
    found = np.zeros((len(scene.bodies), 4, 4))
    for index, body in enumerate(scene.bodies):
        joint = carrier(found, body.parent) @ matrix(body.before)
        found[index] = joint @ motion(body, q) @ matrix(body.after)
    return found


def carrier(found: Floats, index: int) -> Floats:
    """The frame (4, 4) of a body, or of the base."""
    return np.eye(4) if index == BASE else found[index]


def motion(body: Body, q: Numbers) -> Floats:
    """What the joint of a body does at q, (4, 4)."""
    if body.free is not None:
        return freed(body.free, q)
    result = np.eye(4)
    for screw in body.screws:
        result = result @ screwed(screw, q)
    return result


def screwed(screw: Screw, q: Numbers) -> Floats:
    """What a screw does at q, (4, 4)."""
    angle = screw.turn * q[screw.q] + screw.offset
    c, s = np.cos(angle), np.sin(angle)
    one, other = (screw.axis + 1) % 3, (screw.axis + 2) % 3
    result = np.eye(4)
    result[one, one] = result[other, other] = c
    result[one, other], result[other, one] = -s, s
    result[screw.axis, 3] = screw.slide * q[screw.q]
    return result


def freed(free: Free, q: Numbers) -> Floats:
    """Where a free motion leads at q, (4, 4)."""
    result = np.eye(4)
    if free.heading is not None:
        result = screwed(Screw(2, 1.0, 0.0, 0.0, free.heading), q)
    elif free.quaternion is not None:
        result[:3, :3] = turned(q[free.quaternion : free.quaternion + 4])
    for axis, index in enumerate(free.point):
        result[axis, 3] = q[index]
    return result


def turned(quaternion: Numbers) -> Floats:
    """The rotation (3, 3) of a quaternion x y z w of any length but 0."""
    x, y, z, w = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
