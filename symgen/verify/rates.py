"""Exact rates of functions of q along q̇, from their values alone.

Slopes are taken along the columns of joints: by a coordinate of a joint of screws, by a turn or slide about an axis of
its own of what a free joint moves. Along one of them poses, Jacobians and inertia are trigonometric polynomials of
degree 2 at most if it turns, and polynomials of degree 2 if it slides. Their derivatives are sums of a few values at
shifted coordinates, without any truncation: weights (−1)^(k+1) / (8 sin²(x_k / 2)) at the shifts x_k = (2 k − 1) π / 4,
or a central difference. If it does both, they are sums of x^j cos(k x) and x^j sin(k x) with j and k up to 2: seven of
these are odd, and with weights that are exact for them at the shifts ±(2 k − 1) π / 5 the derivative is again a sum of
values. So it is where joints follow others and several move at once, for all frequencies of their turns; rotors have
none, since a disc looks the same however far it has turned.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, reduce

import numpy as np

from symgen.robot.model import Robot
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.geometry import Floats
from symgen.verify.joints import STROKE, Column, all_motions

_TURNS = np.array([1, 3, 5, 7]) * np.pi / 4
_TURN_WEIGHTS = np.array([1, -1, 1, -1]) / (8 * np.sin(_TURNS / 2) ** 2)
_SHIFTS = np.array([STROKE, -STROKE])
_SHIFT_WEIGHTS = np.array([1, -1]) / (2 * STROKE)


def _odd_parts(x: Floats) -> Floats:
    """The odd ones of the functions x^j cos(k x) and x^j sin(k x), j and k up to 2, (7, …)."""
    sines = [np.sin(x), np.sin(2 * x)]
    return np.array([x, x * np.cos(x), x * np.cos(2 * x), *sines, *(x**2 * sine for sine in sines)])


_HALF = np.arange(1, 15, 2) * np.pi / 5
_HALF_WEIGHTS = np.linalg.solve(2 * _odd_parts(_HALF), np.array([1, 1, 1, 1, 2, 0, 0]))
_SCREWS = np.concatenate([_HALF, -_HALF])
_SCREW_WEIGHTS = np.concatenate([_HALF_WEIGHTS, -_HALF_WEIGHTS])


@dataclass(frozen=True)
class _Rule:
    """How a derivative is made of values: at these shifts, with these weights.

    `reach`: how far the joints are moved, to the order of magnitude, beside the shortest wave; `miss`: how far from
    exact the weights are, beside the largest value.
    """

    reach: float
    shifts: Floats
    weights: Floats
    miss: float = 0.0


_TURN, _SLIDE = _Rule(1.0, _TURNS, _TURN_WEIGHTS), _Rule(STROKE, _SHIFTS, _SHIFT_WEIGHTS)
_SCREW = _Rule(1.0, _SCREWS, _SCREW_WEIGHTS)


def _rule(columns: tuple[Column, ...]) -> _Rule:
    """For columns that are moved by one rate."""
    if len(columns) > 1:
        return _together(tuple(column.turn for column in columns), sum(bool(column.slide) for column in columns))
    (column,) = columns
    if column.turn and column.slide:
        return _SCREW
    return _TURN if column.turn else _SLIDE


@cache
def _together(turns: tuple[float, ...], slides: int) -> _Rule:
    """For several columns at once that turn so far per unit, so many of which slide."""
    highest = 2 * sum(map(abs, turns))
    waves = _frequencies(turns, highest)
    size = len(_odd_waves(np.ones(1), waves, 2 * slides)[0])
    half = np.pi * (np.arange(2 * size) + 0.5) / (2 * size)
    parts, slopes = _odd_waves(half, waves, 2 * slides)
    scale = np.abs(parts).max(axis=1)
    parts, slopes = 2 * parts / scale[:, None], slopes / scale
    inverse = np.linalg.pinv(parts, rcond=1e-13)
    weights = inverse @ slopes
    for _ in range(3):
        weights = weights + inverse @ (slopes - parts @ weights)
    miss = float(np.abs(slopes - parts @ weights).max())
    return _Rule(1 / max(1.0, highest), np.concatenate([half, -half]), np.concatenate([weights, -weights]), miss)


def _frequencies(turns: tuple[float, ...], highest: float) -> Floats:
    """The frequencies of products of the turns' waves of degree 2; of very many, enough to stand for all between."""
    enough = 40 + int(2 * highest)
    found = {0.0}
    for turn in turns:
        found = {round(abs(each + k * turn), 9) for each in found for k in range(-2, 3)}
        if len(found) > enough:
            return np.asarray(highest / 2 * (1 - np.cos(np.linspace(0, np.pi, enough))))
    return np.array(sorted(found))


def _odd_waves(x: Floats, waves: Floats, degree: int) -> tuple[Floats, Floats]:
    """The odd ones of the functions x^j cos(w x) and x^j sin(w x), j up to `degree`, and their derivatives at 0."""
    parts, slopes = [], []
    for j in range(degree + 1):
        for w in waves:
            if j % 2 or w:
                parts.append(x**j * (np.cos(w * x) if j % 2 else np.sin(w * x)))
                slopes.append({0: w, 1: 1.0}.get(j, 0.0))
    return np.array(parts), np.array(slopes)


def slope(robot: Robot, function: Callable[[Floats], Floats], q: Floats, index: int, *, size: bool = False) -> Floats:
    """∂f along the column of rate `index` at q (…, nq).

    With `size`, the sum of the absolute terms, `function` giving that of f.
    """
    rule, moved, _ = _moved(robot, q, index)
    return np.asarray(np.tensordot(np.abs(rule.weights) if size else rule.weights, function(moved), axes=1))


def ball_slope(robot: Robot, function: Callable[[Floats], Ball], q: Floats, index: int) -> Ball:
    """∂f along the column of rate `index` at q (states, nq) of a function whose values are known within bounds."""
    rule, moved, far = _moved(robot, q, index)
    values = function(moved)
    # Shifted coordinates round too, and by degree 2 no slope exceeds a few of the largest values over the reach.
    off = EPSILON * far / rule.reach * 4 + rule.miss
    largest = np.abs(values.value).max(axis=0)
    return values.wider(off.reshape(*off.shape, *[1] * (largest.ndim - 1)) * largest).total(rule.weights)


def rate(robot: Robot, function: Callable[[Floats], Ball], q: Floats, qd: Floats) -> Ball:
    """ḟ at q and q̇ (states, n)."""
    parts = []
    for joint in range(robot.nv):
        part = ball_slope(robot, function, q, joint)
        parts.append(part * qd[:, joint].reshape(-1, *[1] * (part.value.ndim - 1)))
    return reduce(operator.add, parts)


def _moved(robot: Robot, q: Floats, index: int) -> tuple[_Rule, Floats, Floats]:
    """How a slope is made of values, q (shifts, …, nq) at which they are wanted, and how large its entries are."""
    motions = [motion for motion in all_motions(robot, turning=True) if index in motion.rates]
    motion, number = motions[0], motions[0].rates.index(index)
    rule = _rule(tuple(each.columns[each.rates.index(index)] for each in motions))
    own = motion.ahead(motion.own(q), number, rule.shifts.reshape(-1, *[1] * (q.ndim - 1)))
    moved = np.broadcast_to(q, (len(rule.shifts), *q.shape)).copy()
    moved[..., list(motion.positions)] = own
    return rule, moved, np.abs(own).sum(axis=-1)
