"""Links that have given base inertial parameters, as bodies whose motion the oracle's laws can be asked about.

These laws know mass centres; a link of base parameters may have a first moment and no mass. Such a moment is that of a
couple of points of opposite masses, which has neither mass nor second moment: two more bodies, fixed to the link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from symgen.errors import InputError
from symgen.verify.geometry import Body
from symgen.verify.transforms import Floats, inverse

Column = tuple[int, str]
"""Number of a link in the table, from 1, and stem of an inertial parameter about its joint's frame, such as ZZ."""


def with_base_parameters(links: tuple[Body, ...], values: Mapping[Column, float]) -> tuple[Body, ...]:
    """The links with these inertial parameters and no others, then what is fixed to them."""
    owns = [_own(values, index + 1) for index in range(len(links))]
    bodies = [_at_origin(link, own) for link, own in zip(links, owns, strict=True)]
    for index, own in enumerate(owns):
        bodies += _couple(links[index], index, own)
    return tuple(bodies)


def columns_of(robot: str, base: Mapping[str, Column], parameters: Mapping[str, float]) -> dict[Column, float]:
    """The values by column; `InputError` unless there is one for each name, and no other."""
    wrong = sorted(set(parameters).symmetric_difference(base))
    if wrong:
        what = "unknown" if wrong[0] in parameters else "missing"
        raise InputError(f"{robot}: {what} base parameter {wrong[0][:60]!r}; there are: {', '.join(base)}")
    return {column: parameters[name] for name, column in base.items()}


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
    size = float(np.linalg.norm(tensor))
    return replace(link, mass=own.get("M", 0.0), com=origin, inertia=turn @ tensor @ turn.T, written=size)


def _couple(link: Body, index: int, own: Mapping[str, float]) -> list[Body]:
    """Two points of opposite masses whose first moment is the link's, 1 m from the origin of the joint's frame."""
    moment = np.array([own.get(stem, 0.0) for stem in ("MX", "MY", "MZ")])
    mass = float(np.linalg.norm(moment)) / 2
    if mass == 0:
        return []
    turn, origin = _joint_frame(link)
    arm = turn @ moment / (2 * mass)
    fixed = Body(
        parent=index,
        to_joint=np.eye(4),
        motions=(),
        from_joint=np.eye(4),
        mass=mass,
        com=origin + arm,
        inertia=np.zeros((3, 3)),
        written=0.0,
    )
    return [fixed, replace(fixed, mass=-mass, com=origin - arm)]


def _joint_frame(link: Body) -> tuple[Floats, Floats]:
    """(axes (3, 3), origin (3)) of the joint's frame that moves with the link, z on its axis, in the link's frame."""
    pose = inverse(link.from_joint) @ link.upright
    return pose[:3, :3], pose[:3, 3]
