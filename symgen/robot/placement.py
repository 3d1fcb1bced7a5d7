"""Constant transforms as robot files give them, a shift xyz and then turns rpy about fixed axes; and moving them."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.algebra.angles import cos_sin, pi_multiple
from symgen.algebra.exact import ONE, PI, Exact
from symgen.robot.expression import ZERO, Expression, constant
from symgen.robot.linear import Linear, plus
from symgen.robot.model import Elementary, Placement, Vector


@dataclass(frozen=True)
class Pose:
    """Shift by `xyz`, then Rz(yaw) Ry(pitch) Rx(roll), with `rpy` = (roll, pitch, yaw)."""

    xyz: Vector
    rpy: Vector

    def placement(self) -> Placement:
        """The pose as elementary transforms."""
        shifts = [Elementary(False, axis, amount) for axis, amount in enumerate(self.xyz)]
        turns = [Elementary(True, axis, amount) for axis, amount in enumerate(self.rpy)]
        return tuple(part for part in (*shifts, *reversed(turns)) if not part.amount.is_zero)


_ORDER = [(False, 0), (False, 1), (False, 2), (True, 2), (True, 1), (True, 0)]


def pose(placement: Placement) -> Pose | None:
    """The placement as a pose, if its parts stand in a pose's order."""
    amounts = dict.fromkeys(_ORDER, ZERO)
    last = -1
    for part in placement:
        index = _ORDER.index((part.rotates, part.axis))
        if index <= last:
            return None
        last = index
        amounts[part.rotates, part.axis] = part.amount
    return Pose(
        (amounts[False, 0], amounts[False, 1], amounts[False, 2]),
        (amounts[True, 0], amounts[True, 1], amounts[True, 2]),
    )


def in_front(a: Expression, alpha: Expression, placement: Placement) -> Placement | None:
    """Tx(a) Rx(alpha) and then the placement as one pose; None if its angles would not be exact."""
    given = pose(placement)
    if given is None:
        return None
    rpy = turned(alpha, given.rpy)
    if rpy is None:
        return None
    x, y, z = turned_vector(0, alpha, given.xyz)
    return Pose((plus(a, x), y, z), rpy).placement()


def turned(alpha: Expression, rpy: Vector) -> Vector | None:
    """Roll, pitch and yaw of Rx(alpha) Rz(yaw) Ry(pitch) Rx(roll), where they are sums of the given angles."""
    roll, pitch, yaw = rpy
    angle = wrapped(alpha.constant({}))
    if not angle:
        return rpy
    total = constant(wrapped(angle + roll.constant({})))
    if pitch.is_zero and yaw.is_zero:
        return total, ZERO, ZERO
    if angle == PI:
        return total, -pitch, -yaw
    return None


def turned_vector(axis: int, angle: Expression, vector: Vector) -> Vector:
    """The vector turned about x, y or z by a constant angle."""
    c, s = cos_sin(angle.constant({}))
    if c == ONE:
        return vector
    i, j = (axis + 1) % 3, (axis + 2) % 3
    left, right = Linear.of(vector[i]), Linear.of(vector[j])
    entries = list(vector)
    entries[i] = (left * c - right * s).expression()
    entries[j] = (left * s + right * c).expression()
    return entries[0], entries[1], entries[2]


def wrapped(angle: Exact) -> Exact:
    """The angle less full turns, its multiple of pi in (-1, 1]."""
    turns = -((1 - pi_multiple(angle)) // 2)
    return angle - PI * 2 * turns
