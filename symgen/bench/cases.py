"""What is timed: robots, the same for everybody, and the states the calls cycle through."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from symgen.bench.joints import Floats, PlainJoint, PlainTree, plain_tree
from symgen.bench.loops import Loops, loops_of
from symgen.robot import library
from symgen.robot.expression import Expression, constant
from symgen.robot.model import NO_DRIVE, Inertia, JointKind, Link, Robot
from symgen.verify.geometry import Body, bodies, number
from symgen.verify.loops.constraints import with_ends
from symgen.verify.loops.expected import Closed
from symgen.verify.oracle import Oracle
from symgen.verify.setting import Setting
from symgen.verify.states import draw


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
    "forward_dynamics_derivatives": Timed(("q", "qd", "tau"), (2, 2, 2)),
}
"""What can be timed; peers have the same functions."""

FUNCTIONS = tuple(TIMED)

LOOPED = ("inverse_dynamics", "forward_dynamics")
"""What is timed of robots with loops."""

STATES = 1024

CLOSED_STATES = 128
"""States of a robot with loops, which are assembled first."""


@dataclass(frozen=True)
class Case:
    """A robot, its joints in numbers, gravity (3) in the base frame, and random states, (states, nq or nv).

    With `loops` q is consistent and the tree's, and the others are of the independent joints.
    """

    robot: Robot
    joints: tuple[PlainJoint, ...]
    gravity: Floats
    q: Floats
    qd: Floats
    qdd: Floats
    tau: Floats
    loops: Loops | None = None

    @property
    def nv(self) -> int:
        """Number of velocities, independent ones where there are loops."""
        return len(self.robot.independent)

    def in_type(self, real: str) -> Case:
        """The case with states of this type."""
        states = {name: getattr(self, name).astype(real) for name in ("q", "qd", "qdd", "tau")}
        return replace(self, **states)

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


def robot_of(name: str, *, full_inertia: bool, base: str | None = None) -> Robot:
    """A library robot, a robot file, or `chain24` and the like; without drives.

    `full_inertia`: with no zero in any moving link's inertia, see `filled`. `base`: how the root link moves, if not as
    the file says. Raises `InputError` for other names.
    """
    robot = library.load(name) if base is None else library.load(name, base=base)
    cuts = tuple(replace(cut, drive=NO_DRIVE) for cut in robot.cut_joints)
    robot = replace(robot, links=tuple(_without_drive(link) for link in robot.links), cut_joints=cuts)
    return filled(robot) if full_inertia else robot


def has_drives(name: str) -> bool:
    """Whether a robot has rotors or friction, which are not timed."""
    robot = library.load(name)
    return robot.has_cut_drives or any(joint.drive != NO_DRIVE for joint in robot.joints)


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
    """The robot in numbers and `states` random states of it, fewer with loops; the same at every call."""
    tree = plain_tree(robot)
    gravity = np.array([number(entry, robot) for entry in robot.gravity])
    if robot.has_loops:
        return _closed_case(robot, tree, gravity, min(states, CLOSED_STATES))
    chance = np.random.default_rng(2014)
    reach = np.concatenate([_reach(joint) for joint in tree.joints])
    q, qd, qdd, other = (chance.uniform(-1, 1, (states, robot.nv)) for _ in range(4))
    q, oracle = _configurations(robot, reach * q), Oracle(robot)
    parts = range(0, states, 64)  # of an arm with many links, all states at once would take gigabytes
    tau = np.concatenate([oracle.inverse_dynamics(q[k : k + 64], qd[k : k + 64], other[k : k + 64]) for k in parts])
    return Case(robot, tree.joints, gravity, q, qd, qdd, tau)


def _closed_case(robot: Robot, tree: PlainTree, gravity: Floats, states: int) -> Case:
    """Assembled states, with what they are to the libraries that know trees and constraints alone."""
    oracle = Oracle(with_ends(robot))
    drawn = draw(oracle, states, 2014)
    at = Closed(oracle, Setting(), {}, {"q": drawn.q, "qd": drawn.qd, "qdd": drawn.qdd})
    loops = loops_of(tree, oracle, drawn.q, at.velocity.value, at.accelerations_of(drawn.qdd).value, drawn.tau)
    return Case(robot, tree.joints, gravity, drawn.q, drawn.qd, drawn.qdd, drawn.tau, loops)


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
