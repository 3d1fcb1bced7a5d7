"""What the coordinates of joints do: the oracle's own table, so that an error in the one of the derivation shows.

A joint makes one motion after the other. A screw turns about, and slides along, an axis of the frame it starts from,
by its one coordinate. A free motion takes the frame anywhere its entries of q say, and its rates are entries of the
twist in the axes of the frame that it moves. So the columns of either are fixed in the moved frame.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from symgen.robot.expression import Expression
from symgen.robot.model import Joint, JointKind, Robot
from symgen.verify.transforms import Floats, oriented, product, shift, turn

STROKE = 0.5
"""How far along a slide, in m, values are taken from which slopes are made."""

X, Y, Z = range(3)

_ONTO = (turn(Y, np.pi / 2), turn(X, -np.pi / 2), np.eye(4))
"""The quarter turns that take z onto x, y and z."""


@dataclass(frozen=True)
class Column:
    """How far a rate turns the moved frame about one of its axes, in rad, and slides it along, in m, per unit."""

    turn: float
    slide: float
    axis: int = Z


@dataclass(frozen=True)
class Motion(ABC):
    """A motion with its coordinates: `positions` are their indices in q, `rates` (of each column) in q̇.

    `direction`: 1, or -1 where the axes are those of a joint that moves against them.
    """

    columns: tuple[Column, ...]
    positions: tuple[int, ...]
    rates: tuple[int, ...]
    direction: int = 1

    def own(self, q: Floats) -> Floats:
        """The motion's entries (…, k) of q (…, nq)."""
        return np.asarray(q[..., list(self.positions)])

    @abstractmethod
    def pose(self, q: Floats) -> Floats:
        """The transform (…, 4, 4) from where the motion starts to the moved frame, at q (…, nq)."""

    @abstractmethod
    def ahead(self, own: Floats, number: int, amount: Floats) -> Floats:
        """The motion's entries of q (…, k) after it went on along column `number` by `amount` (…)."""

    @cached_property
    def turns(self) -> Floats:
        """How far each column turns, (k)."""
        return np.array([column.turn for column in self.columns])

    @cached_property
    def slides(self) -> Floats:
        """How far each column slides, (k)."""
        return np.array([column.slide for column in self.columns])

    @property
    def upright(self) -> Floats:
        """The turn (4, 4) from the moved frame to one whose z axis is the only one that the motion is about."""
        (axis, *others) = {column.axis for column in self.columns}
        return np.eye(4) if others else _ONTO[axis]


@dataclass(frozen=True)
class Screw(Motion):
    """A turn and a slide in the direction of one column; `turned` (rad) and `slid` (m) are what it does at q = 0.

    The column of a joint that follows another is what it does per unit of that one's coordinate.
    """

    turned: float = 0.0
    slid: float = 0.0

    def pose(self, q: Floats) -> Floats:
        """See `Motion`."""
        ((column,), x) = self.columns, self.direction * self.own(q)[..., 0]
        return turn(column.axis, self.turned + column.turn * x) @ shift(column.axis, self.slid + column.slide * x)

    def ahead(self, own: Floats, number: int, amount: Floats) -> Floats:
        """See `Motion`."""
        return np.asarray(own + amount[..., None])


@dataclass(frozen=True)
class Free(Motion):
    """A motion by all of its columns at once.

    Its q has the coordinates of the moved origin, as many as there are columns that slide, and then an angle about z or
    a quaternion, vector part first.
    """

    @property
    def lengths(self) -> int:
        """How many entries of q are coordinates of the origin."""
        return sum(bool(column.slide) for column in self.columns)

    def pose(self, q: Floats) -> Floats:
        """See `Motion`."""
        own = self.own(q)
        matrix = self._orientation(own)
        matrix[..., : self.lengths, 3] = own[..., : self.lengths]
        return matrix

    def ahead(self, own: Floats, number: int, amount: Floats) -> Floats:
        """See `Motion`."""
        column, matrix = self.columns[number], self._orientation(own)
        own, amount = own + 0 * amount[..., None], amount + 0 * own[..., 0]
        if column.slide:
            own[..., : self.lengths] += (matrix[..., :3, column.axis] * amount[..., None])[..., : self.lengths]
        elif own.shape[-1] == self.lengths + 1:
            own[..., self.lengths] += amount
        else:
            part = np.zeros((*amount.shape, 4))
            part[..., column.axis], part[..., 3] = np.sin(amount / 2), np.cos(amount / 2)
            own[..., self.lengths :] = product(own[..., self.lengths :], part)
        return own

    def _orientation(self, own: Floats) -> Floats:
        turning = own[..., self.lengths :]
        return turn(Z, turning[..., 0]) if turning.shape[-1] == 1 else oriented(turning)


_SLIDES = tuple(Column(0, 1, axis) for axis in (X, Y, Z))
_SPINS = tuple(Column(1, 0, axis) for axis in (X, Y, Z))

_SCREWS: dict[JointKind, Callable[[float], Sequence[Column]]] = {
    JointKind.REVOLUTE: lambda pitch: [_SPINS[Z]],
    JointKind.CONTINUOUS: lambda pitch: [_SPINS[Z]],
    JointKind.PRISMATIC: lambda pitch: [_SLIDES[Z]],
    JointKind.HELICAL: lambda pitch: [Column(1, pitch)],
    JointKind.CYLINDRICAL: lambda pitch: [_SPINS[Z], _SLIDES[Z]],
    JointKind.UNIVERSAL: lambda pitch: _SPINS[:2],
    JointKind.SPHERICAL_ZYX: lambda pitch: _SPINS[::-1],
    JointKind.TRANSLATION: lambda pitch: _SLIDES,
    JointKind.FIXED: lambda pitch: [],
}

_FREE: dict[JointKind, tuple[Column, ...]] = {
    JointKind.SPHERICAL: _SPINS,
    JointKind.PLANAR: (*_SLIDES[:2], _SPINS[Z]),
    JointKind.FLOATING: (*_SLIDES, *_SPINS),
}


def motions(joint: Joint, robot: Robot, q: slice, v: slice) -> tuple[Motion, ...]:
    """The motions of a joint, from its carrier outward; `q` and `v` are where its coordinates and their rates are."""
    positions, rates = tuple(range(q.start, q.stop)), tuple(range(v.start, v.stop))
    if joint.kind in _FREE:
        return (Free(_FREE[joint.kind], positions, rates),)

    def value(expression: Expression) -> float:
        return float(expression.constant(robot.defaults))

    ratio, rest = 1.0, value(joint.offset)
    if joint.mimic is not None:
        ratio, rest = value(joint.mimic.ratio), rest + joint.direction * value(joint.mimic.offset)
    result = []
    for column, position, rate in zip(_SCREWS[joint.kind](value(joint.pitch)), positions, rates, strict=True):
        own = Column(column.turn * ratio, column.slide * ratio, column.axis)
        turned, slid = column.turn * rest, column.slide * rest
        result.append(Screw((own,), (position,), (rate,), joint.direction, turned, slid))
        rest = 0.0  # the offset is the first coordinate's
    return tuple(result)


def all_motions(robot: Robot, *, turning: bool = False) -> list[Motion]:
    """The motions of all joints of a robot, in the order of the links.

    With `turning` those of rotors are left out: discs that nobody sees turn.
    """
    found = [(robot.links[index], q, v) for index, q, v in robot.coordinates()]
    return [
        motion for link, q, v in found if not (turning and link.is_rotor) for motion in motions(link.joint, robot, q, v)
    ]
