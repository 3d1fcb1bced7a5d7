"""A robot at a posture, as notebooks and pages show it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symgen.drawing.notebook import View, image, view
from symgen.drawing.picture import THEMES, picture
from symgen.errors import InputError
from symgen.robot.model import Robot
from symgen.robot.scenery.scene import scene_of


def view_of(robot: Robot, q: Sequence[float] | None, *, theme: str = "auto", height: int = 440) -> View:
    """See `Robot.show`."""
    if theme not in THEMES:
        raise InputError(f"{robot.name}: show: theme: expected {', '.join(THEMES)}, found {theme!r}"[:200])
    if not isinstance(height, int) or not 0 < height <= 10_000:
        raise InputError(f"{robot.name}: show: height: expected a number of pixels up to 10000, found {height!r}"[:200])
    return view(scene_of(robot), None if q is None else positions_of(robot, q, "show"), theme=theme, height=height)


def image_of(robot: Robot) -> str:
    """The robot's picture, as an image in HTML that holds it."""
    return image(picture(scene_of(robot)), robot.name, "max-width:100%")


def positions_of(robot: Robot, q: Sequence[float], what: str) -> tuple[float, ...]:
    """q as numbers; `InputError`, in which `what` names who asked, if they are not nq finite ones, or turn nothing."""
    try:
        found = np.asarray(q, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{robot.name}: {what}: q: expected {robot.nq} numbers") from None
    if found.shape != (robot.nq,):
        raise InputError(f"{robot.name}: {what}: q: expected {robot.nq} numbers, found shape {found.shape}")
    if not np.isfinite(found).all():
        raise InputError(f"{robot.name}: {what}: q: expected finite numbers, found {found.tolist()}"[:200])
    names = [each.position.name for each in robot.positions]
    for first in (index for index, name in enumerate(names) if name == "qx"):
        if not np.linalg.norm(found[first : first + 4]) > 0:
            joint = robot.positions[first].joint.name
            raise InputError(f"{robot.name}: {what}: q: the quaternion of joint {joint} is 0 and turns nothing")
    return tuple(found.tolist())
