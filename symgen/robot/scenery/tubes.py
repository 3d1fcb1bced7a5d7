"""The ways through links that are drawn as tubes: from each joint to the joints and the tool that a link carries."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from symgen.drawing.scene import BASE, Tube
from symgen.robot.model import Frame, Link, Robot
from symgen.robot.scenery.placing import Floats, Values, corners, frame

SHORT = 1e-6
"""Points that are closer than this (m) are one."""


def tubes(robot: Robot) -> tuple[Tube, ...]:
    """The tubes of all links and of the base; rotors have none."""
    return tuple(_tubes(robot))


def _tubes(robot: Robot) -> Iterator[Tube]:
    values = robot.defaults
    carriers: set[int] = set()
    for link in robot.links:
        if not link.is_rotor:
            yield from _tube(link.parent, _before(robot, link, values))
            carriers.add(link.parent)
    for index, link in enumerate(robot.links):
        if link.is_rotor:
            continue
        own = _own(link, values)
        yield from _tube(index, own)
        start, at = own[0], [own]
        for end in (*robot.frames, *_ends(robot)):
            if end.link == index:
                at.append([np.zeros(3), frame(end.placement, values)[:3, 3]])
                yield from _tube(index, at[-1])
        if index not in carriers and all(len(_distinct(way)) < 2 for way in at):
            # What carries nothing ends at its mass centre.
            com = np.array([float(entry.constant(values)) for entry in link.inertia.com])
            yield from _tube(index, [start, com])


def _ends(robot: Robot) -> Iterator[Frame]:
    """The frames that cut joints tie."""
    for cut in robot.cut_joints:
        yield cut.predecessor
        yield cut.successor


def _before(robot: Robot, link: Link, values: Values) -> list[Floats]:
    """From the parent's reference frame to the joint of a link, in the former."""
    straight = link.row is None
    if link.parent != BASE:
        return corners(link.before, values, straight=straight)
    root = frame(robot.base, values)
    return [root[:3, :3] @ each + root[:3, 3] for each in corners(link.before, values, straight=straight)]


def _own(link: Link, values: Values) -> list[Floats]:
    """From the joint of a link to its reference frame, in the latter."""
    back = np.linalg.inv(frame(link.after, values))
    return [back[:3, :3] @ each + back[:3, 3] for each in corners(link.after, values, straight=link.row is None)]


def _tube(body: int, way: list[Floats]) -> Iterator[Tube]:
    kept = _distinct(way)
    if len(kept) > 1:
        yield Tube(body, tuple((float(x), float(y), float(z)) for x, y, z in kept))


def _distinct(way: list[Floats]) -> list[Floats]:
    kept = way[:1]
    for each in way[1:]:
        if float(np.linalg.norm(each - kept[-1])) > SHORT:
            kept.append(each)
    return kept
