"""Links as the user wrote them → poses of every link in the base frame, in plain floating point.

Nothing of `mechanics` is used, nor how a reader split rows and placements: both are read here a second time, so that
an error in converting conventions cannot hide on both sides. Matrices are homogeneous, 4x4, and carry coordinates
of a link's frame into the base frame. Lengths are in m, angles in rad.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from symgen.errors import InputError, LimitError
from symgen.robot.expression import Expression, constant
from symgen.robot.model import BASE, Link, Placement, Robot, Row
from symgen.verify.joints import Motion, motions
from symgen.verify.transforms import Floats as Floats
from symgen.verify.transforms import shift, turn

CONVENTIONS = ("standard", "modified", "placed")


@dataclass(frozen=True)
class Body:
    """One link in numbers.

    `to_joint` (4, 4) leads from the parent's frame to the joint's, which the joint's `motions` move, and `from_joint`
    (4, 4) from there to the link's. `com` (3) and `inertia` (3x3, kg m², about the mass centre) are in the link's
    frame; `written` (kg m²) is how large the numbers are that the tensor was made of.
    """

    parent: int
    to_joint: Floats
    motions: tuple[Motion, ...]
    from_joint: Floats
    mass: float
    com: Floats
    inertia: Floats
    written: float

    @property
    def is_fixed(self) -> bool:
        """Whether no joint moves the link relative to its parent."""
        return not self.motions

    @property
    def upright(self) -> Floats:
        """The turn (4, 4) from the joint's frame to that of its inertial parameters, z on the last axis moved about."""
        return self.motions[-1].upright if self.motions else np.eye(4)


@dataclass(frozen=True)
class Geometry:
    """Where the L links are at given coordinates, all in the base frame.

    `frames` (…, L, 4, 4): the links' frames. `centres` (…, L, 3): mass centres. `inertia` (…, L, 3, 3): tensors about
    them. `joints` (…, L, 4, 4): the frames of the joints as they have moved with
    the links, z on the last axis of each (see `Body.upright`). `axes` (…, c, 3): for each
    column of the joints, link by link, the unit vector about or along which the joint moves at a positive rate, fixed
    in the frame that the column's motion moves. `points` (…, c, 3): the origin of that frame. `arms`: for each link
    vectors (…, 3) that together lead from the parent's origin to the link's: to the joint, along each of its motions,
    and on to the link.
    """

    frames: Floats
    centres: Floats
    inertia: Floats
    joints: Floats
    axes: Floats
    points: Floats
    arms: tuple[tuple[Floats, ...], ...]


# numbers ----------------------------------------------------------------------------------------------


def pose(placement: Placement, robot: Robot) -> Floats:
    """The constant transform (4, 4) that a chain of elementary transforms makes."""
    matrix = np.eye(4)
    for part in placement:
        matrix = matrix @ (turn if part.rotates else shift)(part.axis, number(part.amount, robot))
    return matrix


def number(expression: Expression, robot: Robot) -> float:
    """The value of a number of a robot, at the default values of its parameters."""
    return float(expression.constant(robot.defaults))


def vector(entries: tuple[Expression, Expression, Expression], robot: Robot) -> Floats:
    """The values (3) of a vector of a robot."""
    return np.array([number(entry, robot) for entry in entries])


def with_values(robot: Robot, values: Mapping[str, float]) -> Robot:
    """`robot` with these values of its parameters for their defaults; `InputError` for a name it has not."""
    unknown = sorted(set(values).difference(robot.defaults))
    if unknown:
        known = ", ".join(robot.defaults) or "none"
        raise InputError(f"{robot.name}: unknown parameter {unknown[0][:60]!r}; there are: {known}")
    given = {name: constant(Fraction(value)).value for name, value in values.items()}
    return replace(robot, parameters=tuple((robot.defaults | given).items()))


def turn_onto(direction: Floats) -> Floats:
    """The transform (4, 4) that turns z onto a direction (3) of any length: about x or y if that does, else z and y."""
    x, y, z = direction
    if not x and not y:
        return turn(0, 0.0 if z > 0 else np.pi)
    if not y:
        return turn(1, np.arctan2(x, z))
    if not x:
        return turn(0, -np.arctan2(y, z))
    return turn(2, np.arctan2(y, x)) @ turn(1, np.arctan2(np.hypot(x, y), z))


# links -------------------------------------------------------------------------------------------------


def bodies(robot: Robot) -> tuple[Body, ...]:
    """The links of `robot` in numbers, in order; `LimitError` if it has a link that was neither a row nor placed."""
    if robot.convention not in CONVENTIONS:
        raise InputError(f"{robot.name}: unknown convention {robot.convention[:40]!r}")
    return tuple(_body(robot, robot.links[index], q, v) for index, q, v in robot.coordinates())


def _body(robot: Robot, link: Link, q: slice, v: slice) -> Body:
    com = vector(link.inertia.com, robot)
    mass = number(link.inertia.mass, robot)
    tensor = _central_inertia(robot, link, mass, com)
    to_joint, from_joint = _placed(robot, link) if link.row is None else _written(robot, link.row)
    return Body(
        parent=link.parent,
        to_joint=to_joint,
        motions=motions(link.joint, robot, q, v),
        from_joint=from_joint,
        mass=mass,
        com=com,
        inertia=tensor,
        written=float(np.linalg.norm(tensor) + 2 * abs(mass) * (com @ com) * link.inertia.about_origin),
    )


def _written(robot: Robot, row: Row) -> tuple[Floats, Floats]:
    """What a row of the table does before the joint's motion, and after it."""
    a, alpha, b, theta, gamma, before = (
        number(entry, robot) for entry in (row.a, row.alpha, row.b, row.theta, row.gamma, row.before)
    )
    if robot.convention == "standard":
        return turn(2, theta), shift(2, b) @ shift(0, a) @ turn(0, alpha)
    branch = turn(2, gamma) @ shift(2, before)
    return branch @ turn(0, alpha) @ shift(0, a) @ turn(2, theta) @ shift(2, b), np.eye(4)


def _placed(robot: Robot, link: Link) -> tuple[Floats, Floats]:
    """Where a joint is in the parent's frame, its z turned onto the axis, and the way back to the link's frame."""
    if link.placed is None:
        raise LimitError(f"{robot.name}: link {link.name!r} was made without a row or place; there is no oracle for it")
    given = link.placed
    place, joint = (
        _posed(*(vector(each, robot) for each in pair))
        for pair in ((given.xyz, given.rpy), (given.joint_xyz, given.joint_rpy))
    )
    onto = turn_onto(vector(given.axis, robot))
    from_joint = onto.T if given.is_at_joint else onto.T @ np.linalg.inv(joint)
    return place @ onto, from_joint


def _posed(xyz: Floats, rpy: Floats) -> Floats:
    """A shift and then turns about fixed axes, (4, 4)."""
    place = turn(2, rpy[2]) @ turn(1, rpy[1]) @ turn(0, rpy[0])
    place[:3, 3] = xyz
    return place


def _central_inertia(robot: Robot, link: Link, mass: float, com: Floats) -> Floats:
    """The tensor about the mass centre in the axes of the link's frame, (3, 3)."""
    xx, yy, zz, xy, xz, yz = (number(entry, robot) for entry in link.inertia.tensor)
    axes = pose(link.inertia.axes, robot)[:3, :3]
    tensor: Floats = axes @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ axes.T
    if link.inertia.about_origin:
        tensor = tensor - mass * (com @ com * np.eye(3) - np.outer(com, com))
    return tensor


def geometry(links: tuple[Body, ...], root: Floats, q: Floats) -> Geometry:
    """Poses of all links at coordinates q (…, nq); `root` (4, 4) places the tree's root in the base frame."""
    root = np.broadcast_to(root, (*q.shape[:-1], 4, 4))
    frames: list[Floats] = []
    joints, axes, points, arms = [], [], [], []
    for body in links:
        frame = root if body.parent == BASE else frames[body.parent]
        frame, *way = _on(frame, body.to_joint)
        for motion in body.motions:
            frame, arm = _on(frame, motion.pose(q))
            way.append(arm)
            axes += [motion.direction * frame[..., :3, column.axis] for column in motion.columns]
            points += [frame[..., :3, 3] for _ in motion.columns]
        joints.append(frame @ body.upright)
        frame, arm = _on(frame, body.from_joint)
        frames.append(frame)
        arms.append((*way, arm))
    at = np.stack(frames, axis=-3)
    lines = [_stacked(entries, root[..., 0, :3]) for entries in (axes, points)]
    centres, inertia = _masses(links, at)
    result = Geometry(at, centres, inertia, np.stack(joints, axis=-3), lines[0], lines[1], tuple(arms))
    for array in (at, centres, inertia, result.joints, *lines, *itertools.chain(*arms)):
        array.setflags(write=False)  # an oracle hands out the same ones again
    return result


def _stacked(vectors: list[Floats], like: Floats) -> Floats:
    """Vectors (…, 3) as an array (…, c, 3), of none too."""
    return np.stack(vectors, axis=-2) if vectors else np.zeros((*like.shape[:-1], 0, 3))


def _on(frame: Floats, step: Floats) -> tuple[Floats, Floats]:
    """The frame (…, 4, 4) one step on, and the way (…, 3) to its origin."""
    return frame @ step, (frame[..., :3, :3] @ step[..., :3, 3:])[..., 0]


def _masses(links: tuple[Body, ...], frames: Floats) -> tuple[Floats, Floats]:
    """Mass centres and tensors about them in the base frame."""
    turns = frames[..., :3, :3]
    com = np.array([body.com for body in links])
    tensors = np.array([body.inertia for body in links])
    centres = frames[..., :3, 3] + (turns @ com[:, :, None])[..., 0]
    return centres, turns @ tensors @ np.swapaxes(turns, -1, -2)
