"""What controllers ask for, by the oracle: from velocities of all bodies' points and their rates, in the base frame.

With J and J̇ of a point at q̇, I a + C v + gravity is Σ m Jᵀ (J a + J̇ v − g) over the points, and İ is Σ m (J̇ᵀ J + Jᵀ J̇).
Arrays are as in `oracle`; v and a are a reference velocity and acceleration (…, n).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symgen.verify import linear, sizes
from symgen.verify.geometry import Floats
from symgen.verify.jacobians import rates, times, velocities
from symgen.verify.linear import Column
from symgen.verify.oracle import Oracle, spread
from symgen.verify.sizes import Measure
from symgen.verify.transforms import cross


def coriolis_product(oracle: Oracle, q: Floats, qd: Floats, x: Floats) -> Floats:
    """C x (…, n)."""
    return _times(oracle.coriolis_matrix(q, qd), x)


def product_sizes(by: Measure, q: Floats, qd: Floats, x: Floats) -> Floats:
    """Sum of the absolute terms of C x, or of Cᵀ x, (…, n)."""
    return _times(sizes.coriolis_sizes(by, q, qd), np.abs(x))


def coriolis_transpose_velocity(oracle: Oracle, q: Floats, qd: Floats) -> Floats:
    """Cᵀ q̇ (…, n)."""
    return _times(np.swapaxes(oracle.coriolis_matrix(q, qd), -1, -2), qd)


def inertia_rate(oracle: Oracle, q: Floats, qd: Floats) -> Floats:
    """İ (…, n, n): bodies' tensors turn with them."""
    q, qd = spread(q, qd)
    at = oracle.geometry(q)
    moves, change = oracle.velocities(at), rates(oracle.joints(at), at.centres, oracle.carries, qd)
    spin = times(moves.angular, qd)
    turned = np.swapaxes(cross(spin[..., None, :], np.swapaxes(at.inertia, -1, -2)), -1, -2)
    own = np.swapaxes(moves.angular, -1, -2) @ turned @ moves.angular
    half = oracle.products(at, moves, change) + own.sum(axis=-3)
    return np.asarray(half + np.swapaxes(half, -1, -2))


def generalized_momentum(oracle: Oracle, q: Floats, qd: Floats) -> Floats:
    """I q̇ (…, n)."""
    return _times(oracle.inertia_matrix(q), qd)


def momentum_sizes(by: Measure, q: Floats, qd: Floats) -> Floats:
    """Sum of the absolute terms of I q̇, (…, n)."""
    return _times(sizes.inertia_sizes(by, q), np.abs(qd))


def reference_torque(
    oracle: Oracle, q: Floats, qd: Floats, v: Floats, a: Floats, gravity: Floats | None = None
) -> Floats:
    """I a + C v + gravity (…, n), rotors included."""
    pushed = _times(oracle.inertia_matrix(q), np.asarray(a))
    return pushed + coriolis_product(oracle, q, qd, v) + oracle.gravity_torque(q, gravity)


def torque_sizes(by: Measure, q: Floats, qd: Floats, v: Floats, a: Floats, pull: Floats) -> Floats:
    """Sum of the absolute terms of these forces, (…, n); `pull` (…) is |gravity|."""
    held = sizes.force_sizes(by, q, 0 * qd, 0 * qd, pull)
    return held + momentum_sizes(by, q, a) + product_sizes(by, q, qd, v)


def slotine_li_regressor(
    oracle: Oracle,
    columns: Sequence[Column],
    q: Floats,
    qd: Floats,
    v: Floats,
    a: Floats,
    gravity: Floats | None = None,
) -> Floats:
    """Y (…, n, p): I a + C v + gravity of links with one inertial parameter of 1, about the joints' frames."""
    q, qd, v, a = spread(q, qd, v, a)
    at = oracle.geometry(q)
    frames = at.joints
    origins, joints = frames[..., :3, 3], oracle.joints(at)
    moves, change = velocities(joints, origins, oracle.carries), rates(joints, origins, oracle.carries, qd)
    spins, asked = times(moves.angular, qd), times(moves.angular, v)
    turns = times(moves.angular, a) + times(change.angular, v)
    pull = oracle.gravity if gravity is None else np.asarray(gravity)
    pushes = times(moves.linear, a) + times(change.linear, v) - pull[..., None, :]
    work = []
    for number, stem in columns:
        link = number - 1
        spin, reference, rate, acceleration = (array[..., link, :] for array in (spins, asked, turns, pushes))
        mass, first, tensor = linear.unit_inertia(frames[..., link, :3, :3], stem)
        half = np.trace(tensor, axis1=-2, axis2=-1)[..., None] / 2
        force = mass * acceleration + cross(rate, first) + cross(reference, cross(spin, first))
        moment = cross(first, acceleration) + _times(tensor, rate)
        moment = moment + cross(spin, _times(tensor, reference) - half * reference)
        turned, slid = (np.swapaxes(array[..., link, :, :], -1, -2) for array in (moves.angular, moves.linear))
        work.append(_times(turned, moment) + _times(slid, force))
    return np.stack(work, axis=-1)


def regressor_sizes(
    by: Measure, columns: Sequence[Column], q: Floats, qd: Floats, v: Floats, a: Floats, pull: Floats
) -> Floats:
    """Sum of the absolute terms of every entry of that regressor, (…, n, p): as if all moved at both speeds."""
    return linear.regressor_sizes(by, columns, q, np.abs(qd) + np.abs(v), a, pull)


def _times(matrix: Floats, column: Floats) -> Floats:
    return np.asarray((matrix @ column[..., None])[..., 0])
