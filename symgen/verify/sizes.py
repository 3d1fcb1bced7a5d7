"""Sizes: how large the terms are that make up a result, whatever they cancel to.

A torque that is the small difference of large terms carries the rounding of the large ones, in any correct
program. So an error is judged against the entry's own value or, where that is smaller, against a share of the sum of
the absolute values of its terms. All sizes follow from bounds: lengths of lever arms, sums of speeds along the chain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symgen.robot.model import BASE
from symgen.verify.geometry import Floats, Geometry
from symgen.verify.oracle import Loads, Oracle


@dataclass(frozen=True)
class Moments:
    """How far the motion of a joint can move a body, and turn it.

    `reach` (…, L, n): length of the lever arm (1 for a sliding joint). `turning` (L, n): 1 where the joint
    turns it.
    """

    reach: Floats
    turning: Floats


def moments(oracle: Oracle, at: Geometry, places: Floats | None = None) -> Moments:
    """Bounds of the Jacobians of all bodies, at their mass centres or at other `places` (…, L, 3)."""
    places = at.centres if places is None else places
    reach = np.zeros((*at.centres.shape[:-1], oracle.robot.nv))
    turning = np.zeros(oracle.carries.shape)
    for index, body in enumerate(oracle.bodies):
        if body.coordinate is None:
            continue
        lever = np.linalg.norm(places - at.points[..., None, index, :], axis=-1)
        carried = oracle.carries[:, body.coordinate]
        reach[..., body.coordinate] = carried * (lever if body.turns else 1)
        turning[:, body.coordinate] = carried * body.turns
    return Moments(reach, turning)


def force_sizes(oracle: Oracle, q: Floats, qd: Floats, qdd: Floats, pull: Floats) -> Floats:
    """Sum of the absolute terms of every joint force of the links, (…, n), in N m or N; `pull` (…) is |gravity|."""
    q, qd, qdd = (np.asarray(entry, dtype=float) for entry in np.broadcast_arrays(q, qd, qdd))
    at = oracle.geometry(q)
    angular, linear = motion_sizes(oracle, at, np.abs(qd), np.abs(qdd), pull, at.centres)
    arms = moments(oracle, at)
    force = np.abs(oracle.masses) * linear
    moment = np.linalg.norm(at.inertia, axis=(-2, -1)) * angular
    return np.asarray(np.einsum("...lj,...l->...j", arms.reach, force) + moment @ arms.turning)


def drive_sizes(oracle: Oracle, qd: Floats, qdd: Floats) -> Floats:
    """Sum of the absolute terms of what rotors and friction ask of the drives, (…, n)."""
    drives = oracle.drives
    return np.asarray(
        np.abs(drives.rotors * qdd) + np.abs(drives.viscous * qd) + np.abs(drives.coulomb) * (np.abs(qd) > 0)
    )


def load_sizes(oracle: Oracle, q: Floats, loads: Loads) -> Floats:
    """Sum of the absolute terms of what external wrenches ask of the joints, (…, n)."""
    total = np.zeros_like(q)
    for name, wrench in loads:
        w = np.asarray(wrench)
        moment, force = np.linalg.norm(w[..., :3], axis=-1), np.linalg.norm(w[..., 3:], axis=-1)
        columns = jacobian_sizes(oracle, q, name)
        total = total + columns[..., 0, :] * moment[..., None] + columns[..., 3, :] * force[..., None]
    return total


def inertia_sizes(oracle: Oracle, q: Floats) -> Floats:
    """Sum of the absolute terms of every entry of the inertia matrix, (…, n, n)."""
    at = oracle.geometry(q)
    arms = moments(oracle, at)
    tensors = np.linalg.norm(at.inertia, axis=(-2, -1))
    translation = np.einsum("l,...li,...lj->...ij", np.abs(oracle.masses), arms.reach, arms.reach)
    matrix = translation + np.einsum("...l,li,lj->...ij", tensors, arms.turning, arms.turning)
    return np.asarray(matrix + np.diag(np.abs(oracle.drives.rotors)))


def coriolis_sizes(oracle: Oracle, q: Floats, qd: Floats) -> Floats:
    """Sum of the absolute terms of every entry of the Coriolis matrix, and of the inertia matrix's rate, (…, n, n)."""
    at = oracle.geometry(q)
    arms, masses = moments(oracle, at), np.abs(oracle.masses)
    speed = np.abs(qd)
    spin = np.einsum("lj,...j->...l", arms.turning, speed)
    velocity = np.einsum("...lj,...j->...l", arms.reach, speed)
    columns = spin[..., None] * arms.reach + velocity[..., None] * arms.turning
    half = np.einsum("l,...li,...lj->...ij", masses, arms.reach, columns)
    tensors = np.linalg.norm(at.inertia, axis=(-2, -1)) * spin
    turning = np.einsum("...l,li,lj->...ij", tensors, arms.turning, arms.turning)
    return np.asarray(half + np.swapaxes(half, -1, -2) + turning)


# energy, frames ----------------------------------------------------------------------------------------


def kinetic_sizes(oracle: Oracle, q: Floats, qd: Floats) -> Floats:
    """Sum of the absolute terms of the kinetic energy, (…)."""
    speed = np.abs(qd)
    return np.asarray(np.einsum("...i,...ij,...j->...", speed, inertia_sizes(oracle, q), speed) / 2)


def potential_sizes(oracle: Oracle, q: Floats, pull: Floats) -> Floats:
    """Sum of the absolute terms of the potential energy, (…); `pull` (…) is |gravity|."""
    at = oracle.geometry(q)
    reach = _distances(oracle, at) + np.linalg.norm(at.centres - at.frames[..., :3, 3], axis=-1)
    return np.asarray(pull * np.sum(np.abs(oracle.masses) * oracle.carries.any(axis=1) * reach, axis=-1))


def pose_sizes(oracle: Oracle, q: Floats, frame: str) -> Floats:
    """Sizes of the entries of a frame's pose, (…, 4, 4): 1, and the length of the way to it from the base."""
    result = np.ones((*q.shape[:-1], 4, 4))
    result[..., :3, 3] = _way(oracle, oracle.geometry(q), frame)[..., None]
    return result


def jacobian_sizes(oracle: Oracle, q: Floats, frame: str) -> Floats:
    """Sizes of the entries of a frame's Jacobian, (…, 6, n): 1, or the length of the way to it from the base."""
    turning, sliding = _kinds(oracle, frame)
    way = _way(oracle, oracle.geometry(q), frame)[..., None]
    return _rows(turning + 0 * way, turning * way + sliding)


def jacobian_rate_sizes(oracle: Oracle, q: Floats, qd: Floats, frame: str) -> Floats:
    """Sum of the absolute terms of every entry of the Jacobian's rate, (…, 6, n), in whichever axes."""
    turning, sliding = _kinds(oracle, frame)
    way = _way(oracle, oracle.geometry(q), frame)
    spin = np.abs(qd) @ turning
    velocity = way * spin + np.abs(qd) @ sliding
    linear = turning * (spin * way + velocity)[..., None] + sliding * spin[..., None]
    return _rows(turning * spin[..., None], linear)


def _kinds(oracle: Oracle, frame: str) -> tuple[Floats, Floats]:
    """(n): 1 where a joint turns the frame; 1 where it slides it."""
    carried = oracle.carries[oracle.frame(frame).link]
    turns = np.array([float(body.turns) for body in oracle.bodies if body.coordinate is not None])
    return np.asarray(carried * turns), np.asarray(carried * (1 - turns))


def _rows(angular: Floats, linear: Floats) -> Floats:
    """Three equal rows each, (…, 6, n)."""
    return np.stack([angular] * 3 + [linear] * 3, axis=-2)


def _way(oracle: Oracle, at: Geometry, frame: str) -> Floats:
    link = oracle.frame(frame).link
    offset = oracle.placed(at, frame)[..., :3, 3] - at.frames[..., link, :3, 3]
    return np.asarray(_distances(oracle, at)[..., link] + np.linalg.norm(offset, axis=-1))


def _distances(oracle: Oracle, at: Geometry) -> Floats:
    """Length (…, L) of the way from the base frame's origin to each link's, arm by arm."""
    start = np.linalg.norm(oracle.root[:3, 3])
    lengths: list[Floats] = []
    for index, body in enumerate(oracle.bodies):
        before = start if body.parent == BASE else lengths[body.parent]
        lengths.append(before + np.linalg.norm(at.arms[..., index, :], axis=-1))
    return np.stack(lengths, axis=-1)


# motion --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Bounds:
    """Bounds (…) of |ω|, |ω̇| and of the acceleration of a frame's origin."""

    spin: Floats
    rate: Floats
    origin: Floats


def motion_sizes(
    oracle: Oracle, at: Geometry, speed: Floats, thrust: Floats, pull: Floats, places: Floats
) -> tuple[Floats, Floats]:
    """Bounds (…, L) of |ω̇| + |ω|² and of the acceleration of `places` (…, L, 3) fixed to the links."""
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
    return angular, origins + angular * np.linalg.norm(places - at.frames[..., :3, 3], axis=-1)


def _moved(carrier: _Bounds, arm: Floats, fast: Floats, push: Floats, *, turns: bool) -> _Bounds:
    spin, rate, sliding = carrier.spin, carrier.rate, push + 2 * carrier.spin * fast
    if turns:
        spin, rate, sliding = spin + fast, rate + push + spin * fast, 0 * push
    return _Bounds(spin, rate, carrier.origin + sliding + (rate + spin**2) * arm)
