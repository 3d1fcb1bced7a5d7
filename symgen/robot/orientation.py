"""Rotations of exact numbers as roll, pitch and yaw: R = Rz(yaw) Ry(pitch) Rx(roll)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

import flint

from symgen.algebra.angles import cos_sin, split_quarter_turns
from symgen.algebra.exact import PI, ZERO, Exact
from symgen.robot.direction import PLACES, rounded
from symgen.robot.expression import constant
from symgen.robot.model import Placement, Vector
from symgen.robot.placement import wrapped

Turns = Sequence[tuple[int, Exact]]
"""Turns about axes 0, 1, 2 by angles, one after the other, each about an axis of the frame reached."""

Rows = list[list[Exact]]

_BITS = 1024
_PARTS = 24


def turns_of(rpy: Vector) -> list[tuple[int, Exact]]:
    """The turns of roll, pitch and yaw, constants all."""
    roll, pitch, yaw = (angle.constant({}) for angle in rpy)
    return [(2, yaw), (1, pitch), (0, roll)]


def matrix(turns: Turns) -> Rows:
    """The product of turns, 3×3: its columns are the axes reached, in those one began with."""
    rows: Rows = [[Exact.of(int(i == j)) for j in range(3)] for i in range(3)]
    for axis, angle in turns:
        _turn(rows, axis, angle)
    return rows


def then_turned(rpy: Vector, turns: Turns) -> Vector:
    """Roll, pitch and yaw of a rotation and the turns after it.

    Exact where they are sums of the given angles or multiples of π/24, else rounded to `direction.PLACES` decimals.
    """
    given = turns_of(rpy)
    found = _collected(given, *turns[0]) if len(turns) == 1 else None
    return _angles(found or _measured(matrix([*given, *turns])))


def rpy_of(turns: Turns) -> Vector:
    """Roll, pitch and yaw of a sequence of turns, exact or rounded as in `then_turned`."""
    found: tuple[Exact, Exact, Exact] | None = (ZERO, ZERO, ZERO)
    for axis, angle in turns:
        if found is not None:
            roll, pitch, yaw = found
            found = _collected([(2, yaw), (1, pitch), (0, roll)], axis, angle)
    return _angles(found or _measured(matrix(turns)))


def _angles(found: tuple[Exact, Exact, Exact]) -> Vector:
    roll, pitch, yaw = (constant(wrapped(angle)) for angle in found)
    return roll, pitch, yaw


def pose_of(placement: Placement, defaults: Mapping[str, Exact]) -> tuple[Vector, Vector]:
    """(xyz, rpy) of any constant transform, at the parameters' default values."""
    turns: list[tuple[int, Exact]] = []
    place = [ZERO, ZERO, ZERO]
    for part in placement:
        amount = part.amount.constant(defaults)
        if part.rotates:
            turns.append((part.axis, amount))
        elif amount:
            place = [entry + row[part.axis] * amount for entry, row in zip(place, matrix(turns), strict=True)]
    x, y, z = place
    return (constant(x), constant(y), constant(z)), rpy_of(turns)


def moved(placement: Placement) -> tuple[list[Exact], Rows]:
    """(position, axes as columns 3×3) that a constant transform leads to."""
    place, rows = [ZERO, ZERO, ZERO], matrix(())
    for part in placement:
        amount = part.amount.constant({})
        if part.rotates:
            _turn(rows, part.axis, amount)
        elif amount:
            place = [entry + row[part.axis] * amount for entry, row in zip(place, rows, strict=True)]
    return place, rows


def _turn(rows: Rows, axis: int, angle: Exact) -> None:
    c, s = cos_sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    for row in rows:
        row[i], row[j] = row[i] * c + row[j] * s, row[j] * c - row[i] * s


def _collected(turns: list[tuple[int, Exact]], axis: int, angle: Exact) -> tuple[Exact, Exact, Exact] | None:
    """Roll, pitch and yaw with one more turn, if it finds its place among them past right angles alone."""
    for place in reversed(range(len(turns) + 1)):
        moved = _joined([*turns[:place], (axis, angle), *turns[place:]])
        if all(one > other for (one, _), (other, _) in pairwise(moved)):
            amounts = dict(moved)
            return amounts.get(0, ZERO), amounts.get(1, ZERO), amounts.get(2, ZERO)
        if place == 0:
            break
        quarters, rest = split_quarter_turns(turns[place - 1][1])
        if rest:
            break
        axis, sense = _carried(turns[place - 1][0], quarters % 4, axis)
        angle = angle * sense
    return None


def _carried(turn: int, quarters: int, axis: int) -> tuple[int, int]:
    """The axis, and its sense, that a turn by right angles carries the given one to."""
    sense = 1
    for _ in range(quarters):
        if axis == (turn + 1) % 3:
            axis = (turn + 2) % 3
        elif axis == (turn + 2) % 3:
            axis, sense = (turn + 1) % 3, -sense
    return axis, sense


def _joined(turns: list[tuple[int, Exact]]) -> list[tuple[int, Exact]]:
    result: list[tuple[int, Exact]] = []
    for axis, angle in turns:
        if result and result[-1][0] == axis:
            angle = result.pop()[1] + angle
        if angle:
            result.append((axis, angle))
    return result


def _measured(rows: Rows) -> tuple[Exact, Exact, Exact]:
    with flint.ctx.workprec(_BITS):
        r = [[entry.ball(_BITS) for entry in row] for row in rows]
        level = (r[0][0] ** 2 + r[1][0] ** 2).sqrt()
        if level.abs_upper() < flint.arb(2) ** -200:
            pitch = PI / 2 if rows[2][0].midpoint() < 0 else -PI / 2
            return ZERO, pitch, _angle(-r[0][1], r[1][1])
        return _angle(r[2][1], r[2][2]), _angle(-r[2][0], level), _angle(r[1][0], r[0][0])


def _angle(y: flint.arb, x: flint.arb) -> Exact:
    value = rounded(flint.arb.atan2(y, x), PLACES)
    multiple = PI * Fraction(round(value / PI.midpoint() * _PARTS), _PARTS)
    return multiple if abs(value - multiple.midpoint()) < Fraction(2, 10**PLACES) else Exact.of(value)
