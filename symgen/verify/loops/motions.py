"""Derivatives of functions of robots with loops along their closed motions, by differences of assembled postures.

Differences of second order at three steps are extrapolated twice (Romberg); the last two of them tell what is left.
What is of second degree in the rates has exact differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.geometry import Floats
from symgen.verify.loops.assembly import assembled
from symgen.verify.manifold import integrate

if TYPE_CHECKING:
    from symgen.verify.loops.expected import Closed

FEW = 6
"""States at which differences are formed: nothing is known of the others."""

STEPS = (2e-2, 1e-2, 5e-3)
"""Steps (rad or m)."""

Function = Callable[["Closed"], Ball]
"""An array (…, *shape) of a state."""


def by_positions(at: Closed, of: Function) -> Ball:
    """∂f/∂q_a, with a last dimension for the independent coordinates."""
    few = _first(at)
    columns = [_along(few, few.matrix.value[..., j], of) for j in range(few.matrix.value.shape[-1])]
    return _filled(at, _stacked(columns))


def rate_of(at: Closed, of: Function) -> Ball:
    """ḟ at the rates of the state, of a function of q."""
    few = _first(at)
    speed = few.velocity.value
    size = np.maximum(np.abs(speed).max(axis=-1, keepdims=True), 1e-300)
    found = _along(few, speed / size, of)
    return _filled(at, found * size.reshape(-1, *[1] * (found.value.ndim - 1)))


def by_rates(at: Closed, of: Function) -> Ball:
    """∂f/∂q̇_a of what is of second degree in q̇_a, with a last dimension for the independent rates."""
    few, columns = _first(at), []
    for unit in np.eye(few.matrix.value.shape[-1]):
        ends = [of(replace(few, given={**few.given, "qd": few.given["qd"] + sign * unit})) for sign in (1, -1)]
        columns.append((ends[0] - ends[1]) * np.full((), 0.5))
    return _filled(at, _stacked(columns))


def _along(at: Closed, direction: Floats, of: Function) -> Ball:
    """The derivative along a direction of the tree's rates (…, nv)."""
    robot = at.oracle.robot
    slopes = []
    for step in STEPS:
        ends = []
        for sign in (1, -1):
            q, closed = assembled(at.oracle, integrate(robot, at.q, sign * step * direction))
            moved = of(replace(at, given={**at.given, "q": q}))
            ends.append(moved.wider(np.where(closed, 0.0, np.inf).reshape(-1, *[1] * (moved.value.ndim - 1))))
        slopes.append((ends[0] - ends[1]) * np.full((), 0.5 / step))
    once = [_extrapolated(coarse, fine, 4) for coarse, fine in pairwise(slopes)]
    twice = _extrapolated(once[0], once[1], 16)
    return twice.wider(np.abs(twice.value - once[-1].value))


def _extrapolated(coarse: Ball, fine: Ball, power: int) -> Ball:
    """Of differences at a step and at half of it."""
    return (fine * np.full((), float(power)) - coarse) * np.full((), 1 / (power - 1))


def _first(at: Closed) -> Closed:
    return replace(at, given={name: array[:FEW] for name, array in at.given.items()})


def _stacked(columns: list[Ball]) -> Ball:
    return Ball(np.stack([c.value for c in columns], axis=-1), np.stack([c.radius for c in columns], axis=-1))


def _filled(at: Closed, few: Ball) -> Ball:
    """For all states; of those after the first few nothing is known."""
    missing = len(at.q) - len(few.value)
    shape = (missing, *few.value.shape[1:])
    return Ball(np.concatenate([few.value, np.zeros(shape)]), np.concatenate([few.radius, np.full(shape, np.inf)]))
