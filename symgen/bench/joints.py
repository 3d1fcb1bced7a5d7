"""The joints of a robot in numbers, as other libraries take them: each turns about or slides along z, or is free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from symgen.errors import LimitError
from symgen.robot.model import BASE, JointKind, Link, Robot
from symgen.verify.geometry import Body, bodies, number, pose, turn_onto
from symgen.verify.joints import Column
from symgen.verify.transforms import turn

Floats = NDArray[np.float64]

FREE = (JointKind.FLOATING, JointKind.SPHERICAL)
"""Kinds of joints of several coordinates at once that are timed."""


@dataclass(frozen=True)
class PlainJoint:
    """A joint and the body it carries, in numbers, in the frame on the joint's axis z that moves with the body.

    `parent`: index of the joint before, or -1. `turns`: about z; else it slides along z. `rotation` (3, 3) and `place`
    (3, m): of this frame in the parent's, where the joint does not move it. `com` (3, m) and `tensor` (3, 3, kg m²,
    about the mass centre). `free`: "floating" or "spherical" where it moves as these joints of symgen do, else "".
    """

    parent: int
    turns: bool
    rotation: Floats
    place: Floats
    mass: float
    com: Floats
    tensor: Floats
    free: str = ""

    @property
    def nq(self) -> int:
        """Entries of q."""
        return {"floating": 7, "spherical": 4}.get(self.free, 1)

    @property
    def nv(self) -> int:
        """Entries of q̇."""
        return {"floating": 6, "spherical": 3}.get(self.free, 1)


@dataclass(frozen=True)
class PlainTree:
    """The joints that move, and of every link its joint (an index, or -1) and its reference frame (4, 4) in that."""

    joints: tuple[PlainJoint, ...]
    places: tuple[tuple[int, Floats], ...]


def plain_tree(robot: Robot) -> PlainTree:
    """The joints that move, each with its body and what is fixed to it; their numbers are the robot's at its defaults.

    A joint of several motions, each a turn or a slide, becomes as many joints with bodies without mass between.

    Raises `LimitError` if a joint's subtree is not numbered without gaps, as Pinocchio wants it, and for joints that
    neither only turn nor only slide and are not floating or spherical.
    """
    base = pose(robot.base, robot)
    places: list[tuple[int, Floats]] = []
    made: list[PlainJoint] = []
    for link, body in zip(robot.links, bodies(robot), strict=True):
        parent, start = (BASE, base) if link.parent == BASE else places[link.parent]
        before, after = start @ pose(link.before, robot), pose(link.after, robot)
        if body.is_fixed:
            place = before @ after
            if parent != BASE:
                made[parent] = _joined(made[parent], body, place)
            places.append((parent, place))
            continue
        free = link.joint.kind.value if link.joint.kind in FREE else ""
        columns = () if free else _columns(robot, link, body)
        for column in columns[:-1]:
            made.append(_between(parent, column, before))
            parent, before = len(made) - 1, _onto(column).T
        turns = not free and bool(columns[-1].turn)
        if turns:  # the offset of a sliding joint is in `before` already
            before = before @ turn(2, number(link.joint.offset, robot))
        if columns:
            onto = _onto(columns[-1])
            before, after = before @ onto, onto.T @ after
        if link.joint.direction < 0:  # with x turned half way round, z is the direction in which the joint moves
            before, after = before @ turn(0, np.pi), turn(0, -np.pi) @ after
        empty = PlainJoint(parent, turns, before[:3, :3], before[:3, 3], 0.0, np.zeros(3), np.zeros((3, 3)), free)
        made.append(_joined(empty, body, after))
        places.append((len(made) - 1, after))
    _check_order(robot, [joint.parent for joint in made])
    return PlainTree(tuple(made), tuple(places))


def _between(parent: int, column: Column, before: Floats) -> PlainJoint:
    """A joint that carries nothing but the next one."""
    place = before @ _onto(column)
    return PlainJoint(parent, bool(column.turn), place[:3, :3], place[:3, 3], 0.0, np.zeros(3), np.zeros((3, 3)))


def _onto(column: Column) -> Floats:
    """The turn (4, 4) of z onto the axis of a column."""
    return turn_onto(np.eye(3)[column.axis])


def _columns(robot: Robot, link: Link, body: Body) -> tuple[Column, ...]:
    """What each motion of a joint does, one after the other: it turns the link or slides it."""
    columns = [column for motion in body.motions for column in motion.columns]
    plain = len(columns) == len(body.motions) and not any(column.turn and column.slide for column in columns)
    several = len(columns) > 1 and (link.joint.direction < 0 or not link.joint.offset.is_zero)
    if not plain or several or link.joint.mimic is not None:
        raise LimitError(
            f"{robot.name}: symgen bench times robots whose joints either turn or slide, or are floating or spherical, "
            f"as its peers have them; {link.joint.name} is {link.joint.kind.value}"
        )
    return tuple(columns)


def _joined(joint: PlainJoint, body: Body, place: Floats) -> PlainJoint:
    """The joint with one more body, whose reference frame is at `place` (4, 4) in the joint's."""
    turned, com = place[:3, :3] @ body.inertia @ place[:3, :3].T, place[:3, :3] @ body.com + place[:3, 3]
    mass = joint.mass + body.mass
    if not mass:
        return replace(joint, com=com, tensor=joint.tensor + turned)
    centre = (joint.mass * joint.com + body.mass * com) / mass
    tensor = joint.tensor + turned + _offset(joint.mass, joint.com - centre) + _offset(body.mass, com - centre)
    return replace(joint, mass=mass, com=centre, tensor=tensor)


def _offset(mass: float, arm: Floats) -> Floats:
    """The tensor of a mass at the end of an arm."""
    return np.asarray(mass * (arm @ arm * np.eye(3) - np.outer(arm, arm)))


def _check_order(robot: Robot, parents: Sequence[int]) -> None:
    for index in range(len(parents)):
        below = [k for k in range(len(parents)) if k == index or _carries(parents, index, k)]
        if below != list(range(index, index + len(below))):
            raise LimitError(
                f"{robot.name}: its branches are interleaved; symgen bench needs the links of a branch one after the "
                "other in the file"
            )


def _carries(parents: Sequence[int], index: int, other: int) -> bool:
    while other > index:
        other = parents[other]
    return other == index
