"""What is timed: robots, the same for everybody, and the states the calls cycle through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from symgen.errors import LimitError
from symgen.robot import library
from symgen.robot.expression import Expression, constant
from symgen.robot.model import BASE, NO_DRIVE, Inertia, JointKind, Link, Robot
from symgen.verify.geometry import Body, bodies, number, pose
from symgen.verify.oracle import Oracle
from symgen.verify.transforms import turn

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Timed:
    """A function that can be timed: its arguments, the ranks of its results, and whether these are symmetric."""

    arguments: tuple[str, ...]
    ranks: tuple[int, ...]
    symmetric: bool = False


TIMED = {
    "inverse_dynamics": Timed(("q", "qd", "qdd"), (1,)),
    "inertia_matrix": Timed(("q",), (2,), symmetric=True),
    "forward_dynamics": Timed(("q", "qd", "tau"), (1,)),
    "inverse_dynamics_derivatives": Timed(("q", "qd", "qdd"), (2, 2)),
}
"""What can be timed; peers have the same functions."""

FUNCTIONS = tuple(TIMED)

STATES = 1024

FREE = (JointKind.FLOATING, JointKind.SPHERICAL)
"""Kinds of joints of several coordinates that are timed."""


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


@dataclass(frozen=True)
class Case:
    """A robot, its joints in numbers, gravity (3) in the base frame, and random states, (states, nq or nv)."""

    robot: Robot
    joints: tuple[PlainJoint, ...]
    gravity: Floats
    q: Floats
    qd: Floats
    qdd: Floats
    tau: Floats

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return self.robot.nv

    @property
    def has_free_joints(self) -> bool:
        """Whether some joints neither only turn nor only slide."""
        return any(joint.free for joint in self.joints)

    def arguments(self, function: str) -> tuple[Floats, ...]:
        """The arguments of a function, in order."""
        arrays = {"q": self.q, "qd": self.qd, "qdd": self.qdd, "tau": self.tau}
        return tuple(arrays[name] for name in TIMED[function].arguments)

    def inputs(self, function: str) -> tuple[Floats, Floats, Floats]:
        """q, q̇, and τ or q̈, whether the function needs them or not."""
        return self.q, self.qd, self.tau if "tau" in TIMED[function].arguments else self.qdd


def robot_of(name: str, *, full_inertia: bool) -> Robot:
    """A library robot, a robot file, or `chain24` and the like; without drives.

    `full_inertia`: with no zero in any moving link's inertia, see `filled`. Raises `InputError` for other names.
    """
    robot = library.load(name)
    robot = replace(robot, links=tuple(_without_drive(link) for link in robot.links))
    return filled(robot) if full_inertia else robot


def has_drives(name: str) -> bool:
    """Whether a robot has rotors or friction, which are not timed."""
    return any(joint.drive != NO_DRIVE for joint in library.load(name).joints)


def _without_drive(link: Link) -> Link:
    return replace(link, joint=replace(link.joint, drive=NO_DRIVE))


# full inertia --------------------------------------------------------------------------------------


def filled(robot: Robot) -> Robot:
    """The robot with generic inertia: every link that moves gets a mass, a mass centre off all axes and a full tensor.

    What is there is kept: zeros of a mass centre become a centimetre or two, and to the tensor about it comes that of a
    small body stretched along a direction off all axes, so that it stays one which a body can have.
    """
    numbers = bodies(robot)
    links = tuple(
        link if body.is_fixed else replace(link, inertia=_generic(body, index))
        for index, (link, body) in enumerate(zip(robot.links, numbers, strict=True))
    )
    return replace(robot, links=links, notices=())


def _generic(body: Body, index: int) -> Inertia:
    mass = body.mass or 1.0
    com = [value or (0.01 + 0.002 * ((index + 2 * axis) % 5)) * (-1) ** axis for axis, value in enumerate(body.com)]
    direction = np.array([1.0, -0.7 - 0.1 * (index % 3), 0.5 + 0.1 * (index % 2)])
    size = 0.05 * float(np.abs(body.inertia).max() or 0.01 * mass)
    tensor = body.inertia + size * (direction @ direction * np.eye(3) - np.outer(direction, direction))
    entries = [tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    x, y, z = map(_rounded, com)
    xx, yy, zz, xy, xz, yz = map(_rounded, entries)
    return Inertia(_rounded(mass), (x, y, z), (xx, yy, zz, xy, xz, yz), about_origin=False)


def _rounded(value: float) -> Expression:
    """The number to nine digits, exactly."""
    return constant(Fraction(f"{value:.9g}"))


# numbers -------------------------------------------------------------------------------------------


def case_of(robot: Robot, *, states: int = STATES) -> Case:
    """The robot in numbers and `states` random states of it; the same at every call."""
    joints = plain_joints(robot)
    chance = np.random.default_rng(2014)
    reach = np.concatenate([_reach(joint) for joint in joints])
    q, qd, qdd, other = (chance.uniform(-1, 1, (states, robot.nv)) for _ in range(4))
    q, oracle = _configurations(robot, reach * q), Oracle(robot)
    parts = range(0, states, 64)  # of an arm with many links, all states at once would take gigabytes
    tau = np.concatenate([oracle.inverse_dynamics(q[k : k + 64], qd[k : k + 64], other[k : k + 64]) for k in parts])
    gravity = np.array([number(entry, robot) for entry in robot.gravity])
    return Case(robot, joints, gravity, q, qd, qdd, tau)


def _reach(joint: PlainJoint) -> list[float]:
    """How far each velocity of a joint leads from where it does not move its link."""
    turning = [np.pi] * 3
    if joint.free:
        return [0.5] * 3 + turning if joint.free == JointKind.FLOATING.value else turning
    return [np.pi if joint.turns else 0.5]


def _configurations(robot: Robot, steps: Floats) -> Floats:
    """Configurations (states, nq): steps (states, nv), with the quaternions that turn by them as vectors."""
    q = np.zeros((len(steps), robot.nq))
    for link, (_, own, rates) in zip(robot.links, robot.coordinates(), strict=True):
        if link.joint.nq == link.joint.nv:
            q[:, own] = steps[:, rates]
            continue
        vector = steps[:, rates][:, -3:]
        angle = np.linalg.norm(vector, axis=1, keepdims=True)
        quaternion = np.hstack([np.sin(angle / 2) * vector / angle, np.cos(angle / 2)])
        q[:, own] = np.hstack([steps[:, rates][:, :-3], quaternion])
    return q


def plain_joints(robot: Robot) -> tuple[PlainJoint, ...]:
    """The joints that move, each with its body and what is fixed to it; their numbers are the robot's at its defaults.

    Raises `LimitError` if a joint's subtree is not numbered without gaps, as Pinocchio wants it, and for joints that
    neither only turn nor only slide and are not floating or spherical.
    """
    base = pose(robot.base, robot)
    places: list[tuple[int, Floats]] = []  # of every link: its joint (or -1), and its reference frame in that joint's
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
        turns = not free and _turns(robot, link, body)
        if turns:  # the offset of a sliding joint is in `before` already
            before = before @ turn(2, number(link.joint.offset, robot))
        if link.joint.direction < 0:  # with x turned half way round, z is the direction in which the joint moves
            before, after = before @ turn(0, np.pi), turn(0, -np.pi) @ after
        empty = PlainJoint(parent, turns, before[:3, :3], before[:3, 3], 0.0, np.zeros(3), np.zeros((3, 3)), free)
        made.append(_joined(empty, body, after))
        places.append((len(made) - 1, after))
    _check_order(robot, [joint.parent for joint in made])
    return tuple(made)


def _turns(robot: Robot, link: Link, body: Body) -> bool:
    """Whether a joint turns its link, and does not slide it."""
    (column, *others) = (column for motion in body.motions for column in motion.columns)
    if others or (column.turn and column.slide) or link.joint.mimic is not None:
        raise LimitError(
            f"{robot.name}: symgen bench times robots whose joints either turn or slide, or are floating or spherical, "
            f"as its peers have them; {link.joint.name} is {link.joint.kind.value}"
        )
    return bool(column.turn)


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
