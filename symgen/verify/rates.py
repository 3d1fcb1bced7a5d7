"""Exact rates of functions of q along q̇, from their values alone.

Along one joint, poses, Jacobians and inertia are trigonometric polynomials of degree 2 at most if it turns, and
polynomials of degree 2 if it slides. Their derivatives are sums of a few values at shifted coordinates, without any
truncation: weights (−1)^(k+1) / (8 sin²(x_k / 2)) at the shifts x_k = (2 k − 1) π / 4, or a central difference.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce

import numpy as np

from symgen.robot.model import JointKind, Robot
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.geometry import Floats
from symgen.verify.states import STROKE

_TURNS = np.array([1, 3, 5, 7]) * np.pi / 4
_TURN_WEIGHTS = np.array([1, -1, 1, -1]) / (8 * np.sin(_TURNS / 2) ** 2)
_SHIFTS = np.array([STROKE, -STROKE])
_SHIFT_WEIGHTS = np.array([1, -1]) / (2 * STROKE)


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
    """How far a joint is moved, weights of the values there, and the coordinates (shifts, …, n)."""
    turns = robot.joints[joint].kind is JointKind.REVOLUTE
    shifts, weights = (_TURNS, _TURN_WEIGHTS) if turns else (_SHIFTS, _SHIFT_WEIGHTS)
    return (
        1.0 if turns else STROKE,
        weights,
        q + shifts.reshape(-1, *[1] * q.ndim) * np.eye(robot.nv)[joint],
    )
