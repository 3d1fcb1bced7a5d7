"""Closed postures at random independent coordinates, by Gauss and Newton's method on all constraints."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from symgen.robot.model import Robot
from symgen.verify.geometry import Floats
from symgen.verify.loops.constraints import Constraints
from symgen.verify.manifold import integrate, normalize
from symgen.verify.oracle import Oracle

ITERATIONS = 30
CLOSED = 1e-13
"""Residual (m, rad), beside the largest coordinate of a frame's origin, below which a posture is closed."""

REACH = 0.5
"""By which share of their reach independent coordinates leave the posture, at the most."""

WAY = 4
"""In so many steps."""

CONDITION = 1e4
"""States whose dependent rates are determined worse are left out: they are next to singular."""

ROUNDS = 8


class NotClosedError(Exception):
    """No posture near the robot's own closes its loops."""


def postures(oracle: Oracle, count: int, generator: np.random.Generator) -> Floats:
    """`count` closed postures (count, nq), at random independent coordinates about the robot's own.

    `NotClosedError` if there is none.
    """
    robot = oracle.robot
    own, closed = _assembled(oracle, np.array([robot.near]))
    if not closed.all():
        raise NotClosedError
    reach = REACH * np.array([each.measure.reach for each in robot.independent_velocities])
    found, far = np.zeros((0, robot.nq)), 1.0
    for _ in range(ROUNDS):
        moves = far * reach * generator.uniform(-1, 1, (2 * count, len(reach)))
        step = np.zeros((2 * count, robot.nv))
        q, good = np.repeat(own, 2 * count, axis=0), np.ones(2 * count, dtype=bool)
        for _ in range(WAY):
            step[:, list(robot.independent)] = moves / WAY
            q, closed = _assembled(oracle, integrate(robot, q, _along(oracle, q, step)))
            good &= closed & (_condition(oracle, q) < CONDITION)
        found, far = np.concatenate([found, q[good]]), far * 0.6
        if len(found) >= count:
            break
    else:
        found = np.concatenate([found, np.repeat(own, count, axis=0)])
    return found[:count]


def dependent(robot: Robot) -> list[int]:
    """Indices of the rates that constraints determine."""
    return [index for index in range(robot.nv) if index not in robot.independent]


def _along(oracle: Oracle, q: Floats, step: Floats) -> Floats:
    """The step of independent coordinates with what it asks of the others to first order."""
    rest = dependent(oracle.robot)
    A = Constraints(oracle, q).jacobian.value
    step = step.copy()
    wanted = -(A @ step[..., None])
    step[:, rest] = (np.linalg.pinv(A[..., rest], rcond=1e-10) @ wanted)[..., 0]
    return step


def _condition(oracle: Oracle, q: Floats) -> Floats:
    A = Constraints(oracle, q).jacobian.value
    rest = dependent(oracle.robot)
    values = np.linalg.svd(A[..., rest], compute_uv=False)[..., : len(rest)]
    return np.asarray(values[..., 0] / np.maximum(values[..., -1], 1e-300))


def _assembled(oracle: Oracle, q: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Closed postures (…, nq) with the independent coordinates given, and which of them are closed."""
    robot, rest = oracle.robot, dependent(oracle.robot)
    still = np.zeros((len(q), robot.nv))
    residual = np.full(len(q), np.inf)
    for _ in range(ITERATIONS):
        constraints = Constraints(oracle, q)
        phi = constraints.residual
        residual = np.abs(phi).max(axis=-1, initial=0.0)
        step = still.copy()
        inverse = np.linalg.pinv(constraints.jacobian.value[..., rest], rcond=1e-10)[..., : phi.shape[-1]]
        step[:, rest] = -(inverse @ phi[..., None])[..., 0]
        step *= np.minimum(1.0, 0.5 / np.maximum(np.abs(step).max(axis=-1, keepdims=True), 1e-300))
        # Closed ones step too: reactions of postures next to singular ones ask for what the last step leaves.
        q = integrate(robot, q, step)
        if (residual < CLOSED).all():
            break
    return normalize(robot, q), residual < 1e-12
