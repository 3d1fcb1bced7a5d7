"""Moves from rest to rest by the cycloidal law of the papers (Saha, recursive dynamics algorithms, section 2.5)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.errors import InputError
from symgen.program.module import FreeJoint, Record
from symgen.runtime.configuration import orientation, plain_places, quaternion_product
from symgen.simulation import checks

Floats = NDArray[np.float64]


def cycloid(t: ArrayLike, start: ArrayLike, end: ArrayLike, duration: float) -> tuple[Floats, Floats, Floats]:
    """(q, q̇, q̈) of a move from rest at `start` to rest at `end` in `duration` T (s); eqs. (22a), (22b), (23).

    θ(t) = θ(0) + (θ(T) − θ(0))/T [t − T/2π sin(2πt/T)]. Before 0 and after T the joints rest. `start` and `end` are
    numbers or vectors (n,), in rad or m; `t`, in s, has any shape (…), and the results have the shape (…, n).
    Raises `InputError` for what is no finite number, and a duration that is not above 0.
    """
    period = checks.duration(duration)
    times, first, last = (_finite(*pair) for pair in (("t", t), ("start", start), ("end", end)))
    if first.ndim > 1 or first.shape != last.shape:
        raise InputError(
            f"start and end: expected two numbers, or two vectors of one length; found {first.shape} and {last.shape}"
        )
    times = np.clip(times, 0.0, period)[(..., *[None] * first.ndim)]
    omega, rate = 2 * np.pi / period, (last - first) / period
    angle = omega * times
    q = first + rate * (times - np.sin(angle) / omega)
    return q, rate * (1 - np.cos(angle)), rate * omega * np.sin(angle)


def _finite(what: str, values: ArrayLike) -> Floats:
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected numbers, found {values!r}"[:200]) from None
    if not np.isfinite(array).all():
        raise InputError(f"{what}: expected finite numbers, found {values!r}"[:200])
    return array


def moved(record: Record, t: Floats, start: Floats, end: Floats, duration: float) -> tuple[Floats, Floats, Floats]:
    """q (s, nq), velocities and accelerations (s, nv) of a move from q = `start` to `end` (nq,) at times `t` (s,).

    Coordinates follow the cycloidal law each. So does a free joint along its way: its link's origin goes along a
    straight line, and it turns about one direction, the short way. Quaternions have length 1.
    """
    q, (qd, qdd) = np.tile(start, (len(t), 1)), np.empty((2, len(t), record.nv))
    at, along = map(list, zip(*plain_places(record), strict=True)) if plain_places(record) else ([], [])
    q[:, at], qd[:, along], qdd[:, along] = cycloid(t, start[at], end[at], duration)
    way = cycloid(t, 0.0, 1.0, duration)
    for joint in (joint for joint in record.free if joint.velocities):
        own = slice(joint.q, joint.q + len(joint.positions))
        q[:, own], twists, rates = _free(joint, start[own], end[own], way)
        for k, name in enumerate(joint.velocities):
            index = "xyz".index(name[1]) + (0 if name[0] == "v" else 3)
            qd[:, joint.v + k], qdd[:, joint.v + k] = twists[:, index], rates[:, index]
    return q, qd, qdd


def _free(
    joint: FreeJoint, start: Floats, end: Floats, way: tuple[Floats, Floats, Floats]
) -> tuple[Floats, Floats, Floats]:
    """q (s, k), twist [v; ω] in own axes and its rate (s, 6), of a free joint; `way` is how far it is, with rates."""
    part, speed, thrust = (each[:, None] for each in way)
    q = start + part * (end - start)  # what is no quaternion goes straight
    if not joint.quaternion:
        turn = np.array([0.0, 0.0, (end - start)[joint.positions.index("theta")]])
    else:
        turn = _turn(start[joint.quaternion], end[joint.quaternion])
        angle = float(np.linalg.norm(turn))
        half, axis = part * angle / 2, turn / (angle or 1.0)
        turned = np.concatenate([np.sin(half) * axis, np.cos(half)], axis=1)
        q[:, joint.quaternion] = quaternion_product(start[joint.quaternion], turned)
    step = dict(zip(joint.positions, end - start, strict=True))
    straight = np.array([step.get(axis, 0.0) for axis in "xyz"])
    seen = straight @ orientation(joint, q)  # Rᵀ times it
    velocity, spin = speed * seen, speed * turn
    rate = thrust * seen - np.cross(spin, velocity)
    return q, np.hstack([velocity, spin]), np.hstack([rate, thrust * turn])


def _turn(start: Floats, end: Floats) -> Floats:
    """The rotation vector, in own axes, from one unit quaternion to another, the short way."""
    between = quaternion_product(start * [-1, -1, -1, 1], end)
    if between[3] < 0:
        between = -between
    sine = float(np.linalg.norm(between[:3]))
    return np.asarray(between[:3] * (2 * np.arctan2(sine, between[3]) / sine if sine else 2.0))
