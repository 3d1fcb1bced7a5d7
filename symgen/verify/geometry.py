"""Links as the user wrote them → poses of every link in the base frame, in plain floating point.

Nothing of `mechanics` is used, nor how a reader split rows and placements: both are read here a second time, so that
an error in converting conventions cannot hide on both sides. Matrices are homogeneous, 4x4, and carry coordinates
of a link's frame into the base frame. Lengths are in m, angles in rad.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.errors import InputError, LimitError
from symgen.robot.expression import ZERO, Expression, constant
from symgen.robot.model import BASE, Link, Placement, Robot, Row
from symgen.verify.joints import Screw, screws

Floats = NDArray[np.float64]

CONVENTIONS = ("standard", "modified", "placed")

_NO_ROW = Row(ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)

_DUST = 4e-16
"""Cosines and sines below this are rounding of a right angle, and 0."""


@dataclass(frozen=True)
class Body:
    """One link in numbers.

    A link of a table has the entries of its row. One that is placed has its `place` in the parent's frame (4, 4) before
    the joint moves it, and `onto` (4, 4), which turns the z axis onto the joint's axis; the row's entries are 0 then.
    `coordinates`: indices of the joint's coordinates, `screws` what they do, times `direction` (1 or -1); `turned` and
    `slid` are what the joint's offset adds to it, in rad and m. `com` (3) and `inertia` (3x3, kg m², about the mass
    centre) are in the link's frame; `written` (kg m²) is how large the numbers are that the tensor was made of.
    """

    parent: int
    standard: bool
    a: float
    alpha: float
    b: float
    theta: float
    gamma: float
    before: float
    mass: float
    com: Floats
    inertia: Floats
    written: float
    coordinates: tuple[int, ...] = ()
    screws: tuple[Screw, ...] = ()
    direction: int = 1
    turned: float = 0.0
    slid: float = 0.0
    place: Floats | None = None
    onto: Floats | None = None

    @property
    def is_fixed(self) -> bool:
        """Whether no joint moves the link relative to its parent."""
        return not self.coordinates

    @property
    def turns(self) -> Floats:
        """How far each coordinate turns the link, (k)."""
        return np.array([screw.turn for screw in self.screws], dtype=float)

    @property
    def slides(self) -> Floats:
        """How far each coordinate slides the link, (k)."""
        return np.array([screw.slide for screw in self.screws], dtype=float)

    def own(self, values: Floats) -> Floats:
        """The joint's entries (…, k) of an array (…, n) by coordinates."""
        return np.asarray(values[..., np.array(self.coordinates, dtype=int)])

    def step(self, coordinates: Floats) -> Floats:
        """The transform (…, 4, 4) from the parent's frame, at values (…, k) of the joint's coordinates."""
        if self.onto is not None:
            return self.joint_step(coordinates) @ self.onto.T
        motion = self._motion(coordinates, self.b)
        if self.standard:
            return motion @ shift(0, self.a) @ turn(0, self.alpha)
        return turn(2, self.gamma) @ shift(2, self.before) @ turn(0, self.alpha) @ shift(0, self.a) @ motion

    def joint_step(self, coordinates: Floats) -> Floats:
        """The transform (…, 4, 4) from the parent's frame to the one on the joint's axis that moves with the link."""
        if self.place is not None and self.onto is not None:
            return self.place @ self.onto @ self._motion(coordinates, 0.0)
        return self._motion(coordinates, 0.0) if self.standard else self.step(coordinates)

    @property
    def axis(self) -> Floats:
        """The direction of the joint's axis (3) in the frame that carries it: see `geometry`."""
        return np.array([0.0, 0.0, 1.0]) if self.onto is None else self.onto[:3, 2]

    def _motion(self, coordinates: Floats, length: float) -> Floats:
        """The turn about z and the shift along it: of the joint, by theta, and by this length."""
        angle = self.theta + self.turned + self.direction * (coordinates @ self.turns)
        return turn(2, angle) @ shift(2, length + self.slid + self.direction * (coordinates @ self.slides))


@dataclass(frozen=True)
class Geometry:
    """Where the L links are at given coordinates, all in the base frame.

    `frames` (…, L, 4, 4): the frame of each row. `centres` (…, L, 3): mass centres. `inertia` (…, L, 3, 3):
    tensors about them. `axes` (…, L, 3): unit vectors about or along which the joints move at positive rates, 0 where
    fixed. `points` (…, L, 3): a point
    of each axis. `arms` (…, L, 3): from the origin of the parent's frame to the link's.
    """

    frames: Floats
    centres: Floats
    inertia: Floats
    axes: Floats
    points: Floats
    arms: Floats


# elementary transforms -------------------------------------------------------------------------------


def turn(axis: int, angle: ArrayLike) -> Floats:
    """The turn by `angle` (…) about x, y or z (0, 1, 2): (…, 4, 4)."""
    angle = np.asarray(angle, dtype=float)
    c, s = (np.where(np.abs(value) < _DUST, 0.0, value) for value in (np.cos(angle), np.sin(angle)))
    matrix = _identity(angle.shape)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[..., i, i] = matrix[..., j, j] = c
    matrix[..., i, j], matrix[..., j, i] = -s, s
    return matrix


def shift(axis: int, length: ArrayLike) -> Floats:
    """The shift by `length` (…) along x, y or z (0, 1, 2): (…, 4, 4)."""
    length = np.asarray(length, dtype=float)
    matrix = _identity(length.shape)
    matrix[..., axis, 3] = length
    return matrix


def _identity(shape: tuple[int, ...]) -> Floats:
    return np.broadcast_to(np.eye(4), (*shape, 4, 4)).copy()


def pose(placement: Placement, robot: Robot) -> Floats:
    """The constant transform (4, 4) that a sequence of elementary ones makes."""
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
    links = [(robot.links[index], range(iq.start, iq.stop)) for index, iq, _ in robot.coordinates()]
    return tuple(_body(robot, link, tuple(indices)) for link, indices in links)


def _body(robot: Robot, link: Link, coordinates: tuple[int, ...]) -> Body:
    offset, own = number(link.joint.offset, robot), screws(link.joint, robot)
    com = vector(link.inertia.com, robot)
    mass = number(link.inertia.mass, robot)
    row = link.row or _NO_ROW
    place, onto = (None, None) if link.row is not None else _place(robot, link)
    return Body(
        parent=link.parent,
        standard=robot.convention == "standard" and link.row is not None,
        a=number(row.a, robot),
        alpha=number(row.alpha, robot),
        b=number(row.b, robot),
        theta=number(row.theta, robot),
        gamma=number(row.gamma, robot),
        before=number(row.before, robot),
        mass=mass,
        com=com,
        inertia=(tensor := _central_inertia(robot, link, mass, com)),
        written=float(np.linalg.norm(tensor) + 2 * abs(mass) * (com @ com) * link.inertia.about_origin),
        coordinates=coordinates,
        screws=own,
        direction=link.joint.direction,
        turned=offset * own[0].turn if own else 0.0,
        slid=offset * own[0].slide if own else 0.0,
        place=place,
        onto=onto,
    )


def _place(robot: Robot, link: Link) -> tuple[Floats, Floats]:
    """Where a link is in its parent's frame before its joint moves it, and the turn of z onto the joint's axis."""
    if link.placed is None:
        raise LimitError(f"{robot.name}: link {link.name!r} was made without a row or place; there is no oracle for it")
    xyz, rpy, axis = (vector(each, robot) for each in (link.placed.xyz, link.placed.rpy, link.placed.axis))
    place = turn(2, rpy[2]) @ turn(1, rpy[1]) @ turn(0, rpy[0])
    place[:3, 3] = xyz
    return place, turn_onto(axis)


def _central_inertia(robot: Robot, link: Link, mass: float, com: Floats) -> Floats:
    """The tensor about the mass centre in the axes of the link's frame, (3, 3)."""
    xx, yy, zz, xy, xz, yz = (number(entry, robot) for entry in link.inertia.tensor)
    axes = pose(link.inertia.axes, robot)[:3, :3]
    tensor: Floats = axes @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ axes.T
    if link.inertia.about_origin:
        tensor = tensor - mass * (com @ com * np.eye(3) - np.outer(com, com))
    return tensor


def geometry(links: tuple[Body, ...], root: Floats, q: Floats) -> Geometry:
    """Poses of all links at coordinates q (…, n); `root` (4, 4) places the tree's root in the base frame."""
    root = np.broadcast_to(root, (*q.shape[:-1], 4, 4))
    frames: list[Floats] = []
    axes, points, arms = [], [], []
    for body in links:
        start = root if body.parent == BASE else frames[body.parent]
        frame = start @ body.step(body.own(q))
        # The joint's axis is the z axis of the parent's frame in a standard table, of the link's in a modified; it has
        # any direction in the frame of a placed link.
        carrier = start if body.standard else frame
        frames.append(frame)
        axes.append(carrier[..., :3, :3] @ body.axis * (0 if body.is_fixed else body.direction))
        points.append(carrier[..., :3, 3])
        arms.append(frame[..., :3, 3] - start[..., :3, 3])
    vectors = [np.stack(entries, axis=-2) for entries in (axes, points, arms)]
    return Geometry(*_masses(links, np.stack(frames, axis=-3)), *vectors)


def _masses(links: tuple[Body, ...], frames: Floats) -> tuple[Floats, Floats, Floats]:
    """The frames themselves, mass centres and tensors about them in the base frame."""
    turns = frames[..., :3, :3]
    com = np.array([body.com for body in links])
    tensors = np.array([body.inertia for body in links])
    centres = frames[..., :3, 3] + (turns @ com[:, :, None])[..., 0]
    return frames, centres, turns @ tensors @ np.swapaxes(turns, -1, -2)
