"""Exact rates of functions of q along q̇, from their values alone.

Along one coordinate, poses, Jacobians and inertia are trigonometric polynomials of degree 2 at most if it turns, and
polynomials of degree 2 if it slides. Their derivatives are sums of a few values at shifted coordinates, without any
truncation: weights (−1)^(k+1) / (8 sin²(x_k / 2)) at the shifts x_k = (2 k − 1) π / 4, or a central difference. If it
does both, they are sums of x^j cos(k x) and x^j sin(k x) with j and k up to 2: seven of these are odd, and with weights
that are exact for them at the shifts ±(2 k − 1) π / 5 the derivative is again a sum of values.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce

import numpy as np

from symgen.robot.model import Robot
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.geometry import Floats
from symgen.verify.joints import STROKE, Screw, all_screws

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


def _rule(screw: Screw) -> tuple[float, Floats, Floats]:
    """How far a coordinate is moved, to the order of magnitude; the shifts, and the weights of the values there."""
    if screw.turn and screw.slide:
        return 1.0, _SCREWS, _SCREW_WEIGHTS
    return (1.0, _TURNS, _TURN_WEIGHTS) if screw.turn else (STROKE, _SHIFTS, _SHIFT_WEIGHTS)


def slope(robot: Robot, function: Callable[[Floats], Floats], q: Floats, joint: int, *, size: bool = False) -> Floats:
    """∂f/∂q_joint at q (…, n); with `size`, the sum of the absolute terms, `function` giving the size of f."""
    _, weights, moved = _moved(robot, q, joint)
    return np.asarray(np.tensordot(np.abs(weights) if size else weights, function(moved), axes=1))


def ball_slope(robot: Robot, function: Callable[[Floats], Ball], q: Floats, joint: int) -> Ball:
    """∂f/∂q_joint at q (states, n) of a function whose values are known within bounds."""
    reach, weights, moved = _moved(robot, q, joint)
    values = function(moved)
    # Shifted coordinates round too, and by degree 2 no slope exceeds a few of the largest values over the reach.
    off = EPSILON * np.abs(moved[..., joint]) / reach * 4
    largest = np.abs(values.value).max(axis=0)
    return values.wider(off.reshape(*off.shape, *[1] * (largest.ndim - 1)) * largest).total(weights)


def rate(robot: Robot, function: Callable[[Floats], Ball], q: Floats, qd: Floats) -> Ball:
    """ḟ at q and q̇ (states, n)."""
    parts = []
    for joint in range(robot.nv):
        part = ball_slope(robot, function, q, joint)
        parts.append(part * qd[:, joint].reshape(-1, *[1] * (part.value.ndim - 1)))
    return reduce(operator.add, parts)


def _moved(robot: Robot, q: Floats, joint: int) -> tuple[float, Floats, Floats]:
    """How far a coordinate is moved, weights of the values there, and the coordinates (shifts, …, n)."""
    reach, shifts, weights = _rule(all_screws(robot)[joint])
    return reach, weights, q + shifts.reshape(-1, *[1] * q.ndim) * np.eye(robot.nv)[joint]
