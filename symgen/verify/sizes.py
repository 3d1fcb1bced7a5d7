"""Sizes: how large the terms are that make up what the oracle computes, whatever they cancel to.

A torque that is the small difference of large terms carries the rounding of the large ones. All sizes follow from
bounds: lengths of lever arms, sums of speeds along the chain. Positions are known only to a share of the way to them
from the base, and tensors to a share of what they were made of; `rounding` takes that along: it adds what sizes grow by
if lever arms are longer by a small share of these ways, over that share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from symgen.robot.model import BASE
from symgen.verify.balls import EPSILON
from symgen.verify.geometry import Floats, Geometry
from symgen.verify.joints import Motion
from symgen.verify.oracle import Loads, Oracle, spread

SHARE = 2.0**-10
"""By which share of the way from the base lever arms are longer where their own rounding is asked for."""

OPERATIONS = (8, 2)
"""Roundings that each term goes through: so many, and so many more for every link and further column of its joint."""


@dataclass(frozen=True)
class Measure:
    """The oracle whose terms are measured; `share`: how much of the way from the base lever arms are longer."""

    oracle: Oracle
    share: float = 0.0


def rounding(oracle: Oracle, size: Callable[[Measure], Floats]) -> Floats:
    """What the oracle's numbers can err that are made of terms of this size, in double precision."""
    with np.errstate(all="ignore"):
        plain, longer = size(Measure(oracle)), size(Measure(oracle, SHARE))
        fixed, each = OPERATIONS
        steps = sum(max(1, sum(len(part.columns) for part in body.motions)) for body in oracle.bodies)
        return np.asarray(EPSILON * (fixed + each * steps) * (plain + (longer - plain) / SHARE))


@dataclass(frozen=True)
class Moments:
    """How far the motion of a joint can move a body, and turn it.

    `reach` (…, L, n): length of the lever arm, and what it slides (1 for a sliding joint). `turning` (L, n): 1
    where the joint turns it.
    """

    reach: Floats
    turning: Floats


def moments(by: Measure, at: Geometry, places: Floats | None = None) -> Moments:
    """Bounds of the Jacobians of all bodies, at their mass centres or at other `places` (…, L, 3)."""
    places = at.centres if places is None else places
    ways = distances(by, at)
    away = ways + np.linalg.norm(places - at.frames[..., :3, 3], axis=-1)
    levers = np.linalg.norm(places[..., :, None, :] - at.points[..., None, :, :], axis=-1)
    levers = levers + by.share * (away[..., :, None] + ways[..., None, _links(by)])
    turns, slides = _columns(by, by.oracle.carries)
    return Moments((turns * levers + slides) @ by.oracle.rates, turns @ by.oracle.rates)


def _links(by: Measure) -> list[int]:
    """For each column of the joints the index of the link it belongs to."""
    return [index for index, body in enumerate(by.oracle.bodies) for part in body.motions for _ in part.columns]


def _columns(by: Measure, carried: Floats) -> tuple[Floats, Floats]:
    """How far each column turns and slides per unit what it carries, each (…, c); `carried` (…, c) says by 1 or 0."""
    turns, slides = (np.array([abs(getattr(each, what)) for each in by.oracle.columns]) for what in ("turn", "slide"))
    return np.asarray(carried * turns), np.asarray(carried * slides)


def tensor_sizes(by: Measure, at: Geometry) -> Floats:
    """Norms (…, L) of the tensors about the mass centres."""
    written = np.array([body.written for body in by.oracle.bodies])
    return np.asarray(np.linalg.norm(at.inertia, axis=(-2, -1)) + by.share * written)


def force_sizes(by: Measure, q: Floats, qd: Floats, qdd: Floats, pull: Floats) -> Floats:
    """Sum of the absolute terms of every joint force of the links, (…, n), in N m or N; `pull` (…) is |gravity|."""
    q, qd, qdd = spread(q, qd, qdd)
    at = by.oracle.geometry(q)
    angular, linear = motion_sizes(by, at, np.abs(qd), np.abs(qdd), pull, at.centres)
    arms = moments(by, at)
    force = np.abs(by.oracle.masses) * linear
    moment = tensor_sizes(by, at) * angular
    return np.asarray(np.einsum("...lj,...l->...j", arms.reach, force) + moment @ arms.turning)


def drive_sizes(by: Measure, q: Floats, qd: Floats, qdd: Floats) -> Floats:
    """Sum of the absolute terms of what rotors, friction and springs ask of the drives, (…, n)."""
    drives = by.oracle.drives
    return np.asarray(np.abs(drives.rotors * qdd) + drives.friction_sizes(qd) + drives.spring_sizes(q))


def load_sizes(by: Measure, q: Floats, loads: Loads) -> Floats:
    """Sum of the absolute terms of what external wrenches ask of the joints, (…, n)."""
    total = np.zeros((*q.shape[:-1], by.oracle.robot.nv))
    for name, wrench in loads:
        w = np.asarray(wrench)
        moment, force = np.linalg.norm(w[..., :3], axis=-1), np.linalg.norm(w[..., 3:], axis=-1)
        columns = jacobian_sizes(by, q, name)
        total = total + columns[..., 0, :] * moment[..., None] + columns[..., 3, :] * force[..., None]
    return total


def inertia_sizes(by: Measure, q: Floats) -> Floats:
    """Sum of the absolute terms of every entry of the inertia matrix, (…, n, n)."""
    at = by.oracle.geometry(q)
    arms = moments(by, at)
    tensors = tensor_sizes(by, at)
    translation = np.einsum("l,...li,...lj->...ij", np.abs(by.oracle.masses), arms.reach, arms.reach)
    matrix = translation + np.einsum("...l,li,lj->...ij", tensors, arms.turning, arms.turning)
    return np.asarray(matrix + np.diag(np.abs(by.oracle.drives.rotors)))


def coriolis_sizes(by: Measure, q: Floats, qd: Floats) -> Floats:
    """Sum of the absolute terms of every entry of the Coriolis matrix, and of the inertia matrix's rate, (…, n, n)."""
    at = by.oracle.geometry(q)
    arms, masses = moments(by, at), np.abs(by.oracle.masses)
    speed = np.abs(qd)
    spin = np.einsum("lj,...j->...l", arms.turning, speed)
    velocity = np.einsum("...lj,...j->...l", arms.reach, speed)
    columns = spin[..., None] * arms.reach + velocity[..., None] * arms.turning
    half = np.einsum("l,...li,...lj->...ij", masses, arms.reach, columns)
    tensors = tensor_sizes(by, at) * spin
    turning = np.einsum("...l,li,lj->...ij", tensors, arms.turning, arms.turning)
    return np.asarray(half + np.swapaxes(half, -1, -2) + turning)


# energy, frames ----------------------------------------------------------------------------------------


def kinetic_sizes(by: Measure, q: Floats, qd: Floats) -> Floats:
    """Sum of the absolute terms of the kinetic energy, (…)."""
    speed = np.abs(qd)
    return np.asarray(np.einsum("...i,...ij,...j->...", speed, inertia_sizes(by, q), speed) / 2)


def potential_sizes(by: Measure, q: Floats, pull: Floats) -> Floats:
    """Sum of the absolute terms of the potential energy, (…); `pull` (…) is |gravity|."""
    at = by.oracle.geometry(q)
    reach = distances(by, at) + np.linalg.norm(at.centres - at.frames[..., :3, 3], axis=-1)
    return np.asarray(pull * np.sum(np.abs(by.oracle.masses) * by.oracle.carries.any(axis=1) * reach, axis=-1))


def pose_sizes(by: Measure, q: Floats, frame: str) -> Floats:
    """Sizes of the entries of a frame's pose, (…, 4, 4): 1, and the length of the way to it from the base."""
    result = np.ones((*q.shape[:-1], 4, 4))
    result[..., :3, 3] = _way(by, by.oracle.geometry(q), frame)[..., None]
    return result


def jacobian_sizes(by: Measure, q: Floats, frame: str) -> Floats:
    """Sizes of the entries of a frame's Jacobian, (…, 6, n): 1, or the length of the way to it from the base."""
    turning, sliding = _kinds(by, frame)
    way = _way(by, by.oracle.geometry(q), frame)[..., None]
    return _rows(turning + 0 * way, turning * way + sliding)


def jacobian_rate_sizes(by: Measure, q: Floats, qd: Floats, frame: str) -> Floats:
    """Sum of the absolute terms of every entry of the Jacobian's rate, (…, 6, n), in whichever axes."""
    turning, sliding = _kinds(by, frame)
    way = _way(by, by.oracle.geometry(q), frame)
    spin = np.abs(qd) @ turning
    velocity = way * spin + np.abs(qd) @ sliding
    linear = turning * (spin * way + velocity)[..., None] + sliding * spin[..., None]
    return _rows(turning * spin[..., None], linear)


def _kinds(by: Measure, frame: str) -> tuple[Floats, Floats]:
    """(n): how far a joint turns the frame, per unit, and how far it slides it; 0 where it does not carry it."""
    turns, slides = _columns(by, by.oracle.carries[by.oracle.frame(frame).link])
    return turns @ by.oracle.rates, slides @ by.oracle.rates


def _rows(angular: Floats, linear: Floats) -> Floats:
    """Three equal rows each, (…, 6, n)."""
    return np.stack([angular] * 3 + [linear] * 3, axis=-2)


def _way(by: Measure, at: Geometry, frame: str) -> Floats:
    link = by.oracle.frame(frame).link
    offset = by.oracle.placed(at, frame)[..., :3, 3] - at.frames[..., link, :3, 3]
    return np.asarray(distances(by, at)[..., link] + np.linalg.norm(offset, axis=-1))


def distances(by: Measure, at: Geometry) -> Floats:
    """Length (…, L) of the way from the base frame's origin to each link's, arm by arm."""
    start = np.linalg.norm(by.oracle.root[:3, 3])
    lengths: list[Floats] = []
    for body, arms in zip(by.oracle.bodies, at.arms, strict=True):
        before = start if body.parent == BASE else lengths[body.parent]
        lengths.append(np.asarray(before + sum(_length(arm) for arm in arms)))
    return np.stack(lengths, axis=-1)


def _length(arm: Floats) -> Floats:
    return np.asarray(np.linalg.norm(arm, axis=-1))


# motion --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Bounds:
    """Bounds (…) of |ω|, |ω̇| and of the acceleration of a frame's origin."""

    spin: Floats
    rate: Floats
    origin: Floats


def motion_sizes(
    by: Measure, at: Geometry, speed: Floats, thrust: Floats, pull: Floats, places: Floats
) -> tuple[Floats, Floats]:
    """Bounds (…, L) of |ω̇| + |ω|² and of the acceleration of `places` (…, L, 3) fixed to the links."""
    none = np.zeros(speed.shape[:-1])
    ways = distances(by, at)
    bounds: list[_Bounds] = []
    for index, body in enumerate(by.oracle.bodies):
        carrier = _Bounds(none, none, none + pull) if body.parent == BASE else bounds[body.parent]
        start, *arms, end = map(_length, at.arms[index])
        carrier = _held(carrier, start)
        for part, arm in zip(body.motions, arms, strict=True):
            carrier = _moved(carrier, arm, part, speed, thrust)
        bounds.append(_held(carrier, end + by.share * ways[..., index]))
    angular = np.stack([bound.rate + bound.spin**2 for bound in bounds], axis=-1)
    origins = np.stack([bound.origin for bound in bounds], axis=-1)
    reach = np.linalg.norm(places - at.frames[..., :3, 3], axis=-1) + by.share * ways
    return angular, origins + angular * reach


def _held(carrier: _Bounds, arm: Floats) -> _Bounds:
    """Bounds of the motion of the tip of an arm that is fixed to the carrier."""
    return _Bounds(carrier.spin, carrier.rate, carrier.origin + (carrier.rate + carrier.spin**2) * arm)


def _moved(carrier: _Bounds, arm: Floats, part: Motion, speed: Floats, thrust: Floats) -> _Bounds:
    """Bounds of the motion of what a joint moves, from its carrier's and from |q̇| and |q̈| (…, n)."""
    own = list(part.rates)
    turns, slides = (np.array([abs(getattr(each, what)) for each in part.columns]) for what in ("turn", "slide"))
    fast, push = speed[..., own], thrust[..., own]
    turning, sliding = fast @ turns, fast @ slides
    # A column turns and slides along one axis: only those of others are at an angle to it.
    crossed = turning * sliding - (fast**2) @ (turns * slides)
    origin = _held(carrier, arm).origin + push @ slides + crossed + 2 * carrier.spin * sliding
    return _Bounds(carrier.spin + turning, carrier.rate + push @ turns + carrier.spin * turning, origin)
