"""Exact rates of functions of q along q̇, from their values alone.

Along one joint, poses, Jacobians and inertia are trigonometric polynomials of degree 2 at most if it turns, and
polynomials of degree 2 if it slides. Their derivatives are sums of a few values at shifted coordinates, without any
truncation: weights (−1)^(k+1) / (8 sin²(x_k / 2)) at the shifts x_k = (2 k − 1) π / 4, or a central difference.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from symgen.robot.model import JointKind, Robot
from symgen.verify.geometry import Floats
from symgen.verify.states import STROKE

_TURNS = np.array([1, 3, 5, 7]) * np.pi / 4
_TURN_WEIGHTS = np.array([1, -1, 1, -1]) / (8 * np.sin(_TURNS / 2) ** 2)
_SHIFTS = np.array([STROKE, -STROKE])
_SHIFT_WEIGHTS = np.array([1, -1]) / (2 * STROKE)


def slope(robot: Robot, function: Callable[[Floats], Floats], q: Floats, joint: int, *, size: bool = False) -> Floats:
    """∂f/∂q_joint at q (…, n); with `size`, the sum of the absolute terms, `function` giving the size of f."""
    turns = robot.joints[joint].kind is JointKind.REVOLUTE
    shifts, weights = (_TURNS, _TURN_WEIGHTS) if turns else (_SHIFTS, _SHIFT_WEIGHTS)
    moved = q + shifts.reshape(-1, *[1] * q.ndim) * np.eye(robot.nv)[joint]
    return np.asarray(np.tensordot(np.abs(weights) if size else weights, function(moved), axes=1))


def rate(robot: Robot, function: Callable[[Floats], Floats], q: Floats, qd: Floats, *, size: bool = False) -> Floats:
    """ḟ at q and q̇ (states, n); with `size`, the sum of the absolute terms, `function` giving the size of f."""
    total: Floats = np.zeros(())
    for joint in range(robot.nv):
        part = slope(robot, function, q, joint, size=size)
        speed = np.abs(qd[:, joint]) if size else qd[:, joint]
        total = total + speed.reshape(-1, *[1] * (part.ndim - 1)) * part
    return total
