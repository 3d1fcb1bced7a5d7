"""Links that have given base inertial parameters, as bodies whose motion the oracle's laws can be asked about.

These laws know mass centres; a link of base parameters may have a first moment and no mass. Such a moment is that of a
couple of points of opposite masses, which has neither mass nor second moment: two more bodies, fixed to the link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from symgen.robot.model import JointKind
from symgen.verify.geometry import Body, Floats

Column = tuple[int, str]
"""Number of a link in the table, from 1, and stem of an inertial parameter about its joint's frame, such as ZZ."""


def with_base_parameters(links: tuple[Body, ...], values: Mapping[Column, float]) -> tuple[Body, ...]:
    """The links with these inertial parameters and no others; what has become of links is in their places."""
    given = {number - 1: _own(values, number) for number, _ in values}
    points = [point for index, own in given.items() for point in _couple(links[index], index, own)]
    zero = np.zeros(3), np.zeros((3, 3))
    bare = [replace(link, mass=0.0, com=zero[0], inertia=zero[1]) for link in links]
    for index, own in given.items():
        bare[index] = _at_origin(links[index], own)
    return (*bare, *points)


def _own(values: Mapping[Column, float], number: int) -> dict[str, float]:
    """Stem → value of one link's parameters."""
    return {stem: value for (link, stem), value in values.items() if link == number}


def _at_origin(link: Body, own: Mapping[str, float]) -> Body:
    """The link with its mass at the origin of the joint's frame, and its tensor about that."""
    tensor = np.zeros((3, 3))
    for stem in ("XX", "YY", "ZZ", "XY", "XZ", "YZ"):
        i, j = map("XYZ".index, stem)
        tensor[i, j] = tensor[j, i] = own.get(stem, 0.0)
    turn, origin = _joint_frame(link)
    return replace(link, mass=own.get("M", 0.0), com=origin, inertia=turn @ tensor @ turn.T)


def _couple(link: Body, index: int, own: Mapping[str, float]) -> list[Body]:
    """Two points of opposite masses whose first moment is the link's, 1 m from the origin of the joint's frame."""
    moment = np.array([own.get(stem, 0.0) for stem in ("MX", "MY", "MZ")])
    mass = float(np.linalg.norm(moment)) / 2
    if mass == 0:
        return []
    turn, origin = _joint_frame(link)
    arm = turn @ moment / (2 * mass)
    lengths = dict.fromkeys(("a", "alpha", "b", "theta", "gamma", "before"), 0.0)
    fixed = replace(link, parent=index, kind=JointKind.FIXED, coordinate=None, inertia=np.zeros((3, 3)), **lengths)
    return [replace(fixed, mass=side * mass, com=origin + side * arm) for side in (1, -1)]


def _joint_frame(link: Body) -> tuple[Floats, Floats]:
    """(axes (3, 3), origin (3)) of the frame on the joint's axis that moves with the link, in the link's own frame."""
    rest = np.zeros(())
    pose = np.linalg.solve(link.step(rest), link.joint_step(rest))
    return pose[:3, :3], pose[:3, 3]
