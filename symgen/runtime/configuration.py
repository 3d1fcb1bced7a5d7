"""Configurations of robots with free joints: q̇ of velocities, unit quaternions, orientations."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.errors import InputError
from symgen.program.module import FreeJoint, Record

Floats = NDArray[np.float64]


def position_rates(record: Record, q: Floats, qd: Floats) -> Floats:
    """q̇ (…, nq) of velocities qd (…, nv) at q (…, nq); leading dimensions broadcast.

    Of robots with loops it is that of independent joints, 0 elsewhere.
    """
    if record.is_plain:
        return qd + np.zeros_like(q)
    rates = np.zeros((*np.broadcast_shapes(q.shape[:-1], qd.shape[:-1]), record.nq))
    for iq, iv in plain_places(record):
        rates[..., iq] = qd[..., iv]
    for joint in (joint for joint in record.free if joint.velocities):
        own = q[..., joint.q : joint.q + len(joint.positions)]
        rates[..., joint.q : joint.q + len(joint.positions)] = free_rates(joint, own, qd)
    return rates


def plain_places(record: Record) -> list[tuple[int, int]]:
    """Places in q and q̇ of the coordinates that are no free joint's; with loops those of independent joints."""
    if record.loops:
        taken = {joint.q + k for joint in record.free for k in range(len(joint.positions))}
        own = {joint.v + k for joint in record.free for k in range(len(joint.velocities))}
        places = [place for place in record.independent if place not in taken]
        return list(zip(places, (k for k in range(record.nv) if k not in own), strict=True))
    q = {joint.q + k for joint in record.free for k in range(len(joint.positions))}
    v = {joint.v + k for joint in record.free for k in range(len(joint.velocities))}
    rest = (k for k in range(record.nv) if k not in v)
    return list(zip((k for k in range(record.nq) if k not in q), rest, strict=True))


def free_rates(joint: FreeJoint, q: Floats, qd: Floats) -> Floats:
    """q̇ (…, k) of a free joint at its entries of q."""
    linear, angular = twist(joint, qd)
    moved = (orientation(joint, q) @ linear[..., None])[..., 0]
    parts = dict(zip("xyz", np.moveaxis(moved, -1, 0), strict=True))
    if not joint.quaternion:
        parts["theta"] = angular[..., 2]
    else:
        pure = np.concatenate([angular, np.zeros((*angular.shape[:-1], 1))], axis=-1)
        product = quaternion_product(q[..., joint.quaternion], pure) / 2
        parts |= dict(zip(("qx", "qy", "qz", "qw"), np.moveaxis(product, -1, 0), strict=True))
    return np.stack([parts[name] for name in joint.positions], axis=-1)


def twist(joint: FreeJoint, qd: Floats) -> tuple[Floats, Floats]:
    """(v, ω), each (…, 3), of a free joint among velocities (…, nv), in its link's own axes; 0 where it has none."""
    named = {name: qd[..., joint.v + k] for k, name in enumerate(joint.velocities)}
    nothing = np.zeros(qd.shape[:-1])
    linear, angular = (
        np.stack([named.get(f"{stem}{axis}", nothing) for axis in "xyz"], axis=-1) for stem in ("v", "w")
    )
    return linear, angular


def orientation(joint: FreeJoint, q: Floats) -> Floats:
    """Rotation matrices (…, 3, 3) of a free joint at its entries of q (…, k): from its link's axes to the joint's."""
    if not joint.quaternion:
        return _heading(q[..., joint.positions.index("theta")])
    return rotation(q[..., joint.quaternion])


def _heading(theta: Floats) -> Floats:
    c, s, zero = np.cos(theta), np.sin(theta), np.zeros_like(theta)
    rows = [[c, -s, zero], [s, c, zero], [zero, zero, zero + 1]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def rotation(quaternion: Floats) -> Floats:
    """Rotation matrices (…, 3, 3) of quaternions x y z w (…, 4) of any length but 0."""
    quaternion = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    e, w = quaternion[..., :3], quaternion[..., 3, None, None]
    cross = np.cross(np.eye(3), e[..., None, :])
    return np.asarray(np.eye(3) + 2 * w * cross + 2 * cross @ cross)


def quaternion_product(a: Floats, b: Floats) -> Floats:
    """a ⊗ b of quaternions x y z w, (…, 4)."""
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        axis=-1,
    )


def normalised(record: Record, q: Floats) -> Floats:
    """q (…, nq) with quaternions of length 1."""
    q = np.array(q, dtype=float)
    for joint in record.free:
        places = [joint.q + place for place in joint.quaternion]
        if places:
            q[..., places] /= np.linalg.norm(q[..., places], axis=-1, keepdims=True)
    return q


def arrays_of_state(record: Record, q: ArrayLike, qd: ArrayLike) -> tuple[Floats, Floats]:
    """q (…, nq) and qd (…, nv) as arrays of numbers; `InputError` for other shapes."""
    found = []
    for name, value, size in (("q", q, record.nq), ("qd", qd, record.nv)):
        try:
            array = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            raise InputError(f"{record.robot}: {name}: expected numbers of shape (…, {size})") from None
        if array.shape[-1:] != (size,):
            raise InputError(f"{record.robot}: {name}: expected shape (…, {size}), found {array.shape}")
        found.append(array)
    try:
        np.broadcast_shapes(found[0].shape[:-1], found[1].shape[:-1])
    except ValueError:
        shapes = f"{found[0].shape} and {found[1].shape}"
        raise InputError(f"{record.robot}: the leading dimensions of q and qd do not broadcast: {shapes}") from None
    return found[0], found[1]
