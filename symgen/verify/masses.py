"""The oracle's centre of mass, momenta and wrenches of joints: sums over the links, in the base frame.

Arrays are (…, n) with leading dimensions that broadcast; links that no joint carries count nowhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from symgen.robot.model import BASE
from symgen.verify.geometry import Floats, Geometry
from symgen.verify.oracle import Loads, Oracle
from symgen.verify.transforms import cross


def moving_masses(oracle: Oracle) -> Floats:
    """(L): masses of the links, 0 for those that no joint carries."""
    return np.asarray(oracle.masses * oracle.carries.any(axis=1))


def carried_links(oracle: Oracle) -> Floats:
    """(J, L): 1 where the joint of a moving link, in the table's order, carries a link."""
    table = np.eye(len(oracle.bodies))
    for index, body in enumerate(oracle.bodies):
        if body.parent != BASE:
            table[:, index] += table[:, body.parent]
    return np.asarray(table[moving_links(oracle)])


def moving_links(oracle: Oracle) -> list[int]:
    """Indices of the links that have a joint, in the table's order."""
    return [index for index, body in enumerate(oracle.bodies) if not body.is_fixed]


# centre of mass and momentum ---------------------------------------------------------------------------


def center_of_mass(oracle: Oracle, q: ArrayLike) -> Floats:
    """c (…, 3): Σ m c / Σ m."""
    return _centre(oracle, oracle.geometry(q))


def _centre(oracle: Oracle, at: Geometry) -> Floats:
    masses = moving_masses(oracle)
    return np.asarray(np.einsum("l,...lx->...x", masses, at.centres) / masses.sum())


def center_of_mass_jacobian(oracle: Oracle, q: ArrayLike) -> Floats:
    """(…, 3, n): Σ m J_v / Σ m."""
    masses = moving_masses(oracle)
    linear = oracle.velocities(oracle.geometry(q)).linear
    return np.asarray(np.einsum("l,...lxj->...xj", masses, linear) / masses.sum())


def centroidal_momentum_matrix(oracle: Oracle, q: ArrayLike) -> Floats:
    """(…, 6, n): Σ [I J_ω + m (c − c̄) × J_v; m J_v]."""
    at = oracle.geometry(q)
    moves = oracle.velocities(at)
    linear = moving_masses(oracle)[:, None, None] * moves.linear
    arms = at.centres - _centre(oracle, at)[..., None, :]
    spinning = at.inertia @ moves.angular
    passing = np.swapaxes(cross(arms[..., None, :], np.swapaxes(linear, -1, -2)), -1, -2)
    return np.asarray(np.concatenate([(spinning + passing).sum(axis=-3), linear.sum(axis=-3)], axis=-2))


def centroidal_momentum(oracle: Oracle, q: ArrayLike, qd: ArrayLike) -> Floats:
    """[k; l] (…, 6): Σ [I ω + m (c − c̄) × v; m v]."""
    return np.asarray((centroidal_momentum_matrix(oracle, q) @ np.asarray(qd, dtype=float)[..., None])[..., 0])


# wrenches of joints --------------------------------------------------------------------------------------


def joint_frames(oracle: Oracle, at: Geometry) -> Floats:
    """(…, J, 4, 4): the joint's frame, in its own axes, as it moves with each moving link."""
    moving = moving_links(oracle)
    back = np.stack([oracle.bodies[index].upright.T for index in moving]) if moving else np.zeros((0, 4, 4))
    return np.asarray(at.joints[..., moving, :, :] @ back)


def joint_wrench(
    oracle: Oracle, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, gravity: ArrayLike | None = None, loads: Loads = ()
) -> Floats:
    """[n; f] (…, J, 6) that each joint carries, in its frame: m a and I ω̇ + ω × I ω of all links beyond, less loads."""
    q, qd, qdd = (np.asarray(each, dtype=float) for each in (q, qd, qdd))
    at = oracle.geometry(q)
    pull = oracle.gravity if gravity is None else np.asarray(gravity, dtype=float)
    motion = oracle.motion(at, qd, qdd, pull, at.centres)
    frames, carried = joint_frames(oracle, at), carried_links(oracle)
    force = oracle.masses[:, None] * motion.acceleration
    spun = (at.inertia @ motion.spin[..., None])[..., 0]
    moment = (at.inertia @ motion.rate[..., None])[..., 0] + cross(motion.spin, spun)
    total_force, total_moment = _about(frames, at.centres, force, moment, carried)
    for name, wrench in loads:
        place, link = oracle.placed(at, name), oracle.frame(name).link
        pushed = [(place[..., :3, :3] @ part[..., None])[..., None, :, 0] for part in _halves(wrench)]
        less_force, less_moment = _about(frames, place[..., None, :3, 3], pushed[1], pushed[0], carried[:, [link]])
        total_force, total_moment = total_force - less_force, total_moment - less_moment
    back = np.swapaxes(frames[..., :3, :3], -1, -2)
    turned = [(back @ part[..., None])[..., 0] for part in (total_moment, total_force)]
    return np.concatenate(turned, axis=-1)


def _halves(wrench: ArrayLike) -> tuple[Floats, Floats]:
    array = np.asarray(wrench, dtype=float)
    return array[..., :3], array[..., 3:]


def _about(frames: Floats, places: Floats, force: Floats, moment: Floats, carried: Floats) -> tuple[Floats, Floats]:
    """(force, moment), each (…, J, 3), about the frames' origins, of wrenches (…, P, 3) at places.

    `carried` (J, P) is 1 for those that a joint carries.
    """
    arms = places[..., None, :, :] - frames[..., :, None, :3, 3]
    moments = cross(arms, force[..., None, :, :]) + moment[..., None, :, :]
    forces = np.broadcast_to(force[..., None, :, :], moments.shape)
    total_force, total_moment = ((carried[..., None] * each).sum(axis=-2) for each in (forces, moments))
    return np.asarray(total_force), np.asarray(total_moment)
