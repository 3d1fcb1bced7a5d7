"""Sizes: how large the terms are that make up a result, whatever they cancel to.

A torque that is the small difference of large terms carries the rounding of the large ones, in any correct
program. So an error is judged against the entry's own value or, where that is smaller, against a thousandth of
the sum of the absolute values of its terms. All sizes follow from bounds: lengths of lever arms, sums of speeds
along the chain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symgen.robot.model import BASE
from symgen.verify.geometry import Floats, Geometry
from symgen.verify.oracle import Oracle

FLOOR = 1e-3
"""Share of the sum of absolute terms below which an entry is judged against that sum."""


@dataclass(frozen=True)
class Moments:
    """How far the motion of a joint can move a body, and turn it.

    `reach` (…, L, n): length of the lever arm (1 for a sliding joint). `turning` (L, n): 1 where the joint
    turns it.
    """

    reach: Floats
    turning: Floats


def moments(oracle: Oracle, at: Geometry) -> Moments:
    """Bounds of the Jacobians of all bodies."""
    reach = np.zeros((*at.centres.shape[:-1], oracle.robot.nv))
    turning = np.zeros(oracle.carries.shape)
    for index, body in enumerate(oracle.bodies):
        if body.coordinate is None:
            continue
        lever = np.linalg.norm(at.centres - at.points[..., None, index, :], axis=-1)
        carried = oracle.carries[:, body.coordinate]
        reach[..., body.coordinate] = carried * (lever if body.turns else 1)
        turning[:, body.coordinate] = carried * body.turns
    return Moments(reach, turning)


def force_sizes(oracle: Oracle, q: Floats, qd: Floats, qdd: Floats, *, gravity: bool) -> Floats:
    """Sum of the absolute terms of every joint force, (…, n), in N m or N."""
    q, qd, qdd = (np.asarray(entry, dtype=float) for entry in np.broadcast_arrays(q, qd, qdd))
    at = oracle.geometry(q)
    pull = float(np.linalg.norm(oracle.gravity)) if gravity else 0.0
    angular, linear = _motion_sizes(oracle, at, np.abs(qd), np.abs(qdd), pull)
    arms = moments(oracle, at)
    force = oracle.masses * linear
    moment = np.linalg.norm(at.inertia, axis=(-2, -1)) * angular
    return np.asarray(np.einsum("...lj,...l->...j", arms.reach, force) + moment @ arms.turning)


def inertia_sizes(oracle: Oracle, q: Floats) -> Floats:
    """Sum of the absolute terms of every entry of the inertia matrix, (…, n, n)."""
    at = oracle.geometry(q)
    arms = moments(oracle, at)
    tensors = np.linalg.norm(at.inertia, axis=(-2, -1))
    translation = np.einsum("l,...li,...lj->...ij", np.abs(oracle.masses), arms.reach, arms.reach)
    return np.asarray(translation + np.einsum("...l,li,lj->...ij", tensors, arms.turning, arms.turning))


@dataclass(frozen=True)
class _Bounds:
    """Bounds (…) of |ω|, |ω̇| and of the acceleration of a frame's origin."""

    spin: Floats
    rate: Floats
    origin: Floats


def _motion_sizes(oracle: Oracle, at: Geometry, speed: Floats, thrust: Floats, pull: float) -> tuple[Floats, Floats]:
    """Bounds (…, L) of |ω̇| + |ω|² and of the acceleration of the mass centres."""
    none = np.zeros(speed.shape[:-1])
    bounds: list[_Bounds] = []
    for index, body in enumerate(oracle.bodies):
        carrier = _Bounds(none, none, none + pull) if body.parent == BASE else bounds[body.parent]
        fast, push = none, none
        if body.coordinate is not None:
            fast, push = speed[..., body.coordinate], thrust[..., body.coordinate]
        arm = np.linalg.norm(at.arms[..., index, :], axis=-1)
        bounds.append(_moved(carrier, arm, fast, push, turns=body.turns))
    angular = np.stack([bound.rate + bound.spin**2 for bound in bounds], axis=-1)
    origins = np.stack([bound.origin for bound in bounds], axis=-1)
    return angular, origins + angular * np.linalg.norm(at.centres - at.frames[..., :3, 3], axis=-1)


def _moved(carrier: _Bounds, arm: Floats, fast: Floats, push: Floats, *, turns: bool) -> _Bounds:
    spin, rate, sliding = carrier.spin, carrier.rate, push + 2 * carrier.spin * fast
    if turns:
        spin, rate, sliding = spin + fast, rate + push + spin * fast, 0 * push
    return _Bounds(spin, rate, carrier.origin + sliding + (rate + spin**2) * arm)
