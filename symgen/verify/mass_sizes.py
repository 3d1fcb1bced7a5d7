"""Sizes of the terms of the centre of mass, momenta and wrenches of joints (see `sizes`)."""

from __future__ import annotations

import numpy as np

from symgen.verify.geometry import Floats, Geometry
from symgen.verify.masses import carried_links, joint_frames, moving_links, moving_masses
from symgen.verify.oracle import Loads
from symgen.verify.sizes import Measure, distances, moments, motion_sizes, potential_sizes, tensor_sizes


def centre_sizes(by: Measure, q: Floats) -> Floats:
    """Sum of the absolute terms of the centre of mass, (…, 3)."""
    size = potential_sizes(by, q, np.asarray(1 / abs(moving_masses(by.oracle).sum())))
    return np.stack([size] * 3, axis=-1)


def centre_jacobian_sizes(by: Measure, q: Floats) -> Floats:
    """Sum of the absolute terms of every entry of its Jacobian, (…, 3, n)."""
    return np.asarray(momentum_matrix_sizes(by, q)[..., 3:, :] / abs(moving_masses(by.oracle).sum()))


def momentum_matrix_sizes(by: Measure, q: Floats) -> Floats:
    """Sum of the absolute terms of every entry of the centroidal momentum matrix, (…, 6, n)."""
    at = by.oracle.geometry(q)
    arms, masses = moments(by, at), np.abs(moving_masses(by.oracle))
    away = _away(by, at)
    centre = away @ masses / abs(moving_masses(by.oracle).sum())
    linear = np.einsum("l,...lj->...j", masses, arms.reach)
    angular = np.einsum("...l,...lj->...j", masses * (away + centre[..., None]), arms.reach)
    angular = angular + tensor_sizes(by, at) @ arms.turning
    return np.stack([angular] * 3 + [linear] * 3, axis=-2)


def momentum_sizes(by: Measure, q: Floats, qd: Floats) -> Floats:
    """Sum of the absolute terms of the centroidal momentum, (…, 6)."""
    return np.asarray((momentum_matrix_sizes(by, q) @ np.abs(qd)[..., None])[..., 0])


def wrench_sizes(by: Measure, q: Floats, qd: Floats, qdd: Floats, pull: Floats, loads: Loads) -> Floats:
    """Sum of the absolute terms of the wrenches that joints carry, (…, J, 6); `pull` (…) is |gravity|."""
    at, carried = by.oracle.geometry(q), carried_links(by.oracle)
    points = joint_frames(by.oracle, at)[..., :3, 3]
    angular, linear = motion_sizes(by, at, np.abs(qd), np.abs(qdd), pull, at.centres)
    force = np.abs(by.oracle.masses) * linear
    moment = tensor_sizes(by, at) * angular
    arms = _arms(by, at, at.centres, points, _away(by, at))
    total_force = force @ carried.T
    total_moment = moment @ carried.T + np.einsum("...l,...jl,jl->...j", force, arms, carried)
    for name, wrench in loads:
        w, link = np.asarray(wrench), by.oracle.frame(name).link
        place = by.oracle.placed(at, name)[..., None, :3, 3]
        offset = np.linalg.norm(place - at.frames[..., [link], :3, 3], axis=-1)
        pushed, turned = np.linalg.norm(w[..., 3:], axis=-1), np.linalg.norm(w[..., :3], axis=-1)
        arm = _arms(by, at, place, points, distances(by, at)[..., [link]] + offset)[..., 0]
        total_force = total_force + carried[:, link] * pushed[..., None]
        total_moment = total_moment + carried[:, link] * (turned[..., None] + arm * pushed[..., None])
    sizes = np.broadcast_arrays(*[total_moment] * 3, *[total_force] * 3)
    return np.stack(sizes, axis=-1)


def _away(by: Measure, at: Geometry) -> Floats:
    """Length (…, L) of the way from the base to each mass centre."""
    return np.asarray(distances(by, at) + np.linalg.norm(at.centres - at.frames[..., :3, 3], axis=-1))


def _arms(by: Measure, at: Geometry, places: Floats, points: Floats, away: Floats) -> Floats:
    """Length (…, J, P) of the arms from the joints' points to places, to which the ways from the base are `away`."""
    ways = distances(by, at)[..., moving_links(by.oracle)]
    length = np.linalg.norm(places[..., None, :, :] - points[..., :, None, :], axis=-1)
    return np.asarray(length + by.share * (away[..., None, :] + ways[..., :, None]))
