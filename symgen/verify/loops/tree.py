"""The oracle of functions whose state is all of the tree's: at a closed q, and velocities that nothing restrains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from symgen.verify.balls import EPSILON, Ball
from symgen.verify.geometry import Floats

if TYPE_CHECKING:
    from symgen.verify.expected import Expected
    from symgen.verify.loops.expected import Closed


def _at_rest(at: Closed) -> Expected:
    none = np.zeros((*at.q.shape[:-1], at.oracle.robot.nv))
    return at.tree(none, none)


def inertia(at: Closed) -> Ball:
    """M (…, nv, nv)."""
    return _at_rest(at).inertia


def forces(at: Closed, v: Floats, vd: Floats) -> Ball:
    """What the tree's joints need in this motion (…, nv), loads and all friction and springs included."""
    found = at.tree(v, vd).forces(vd)
    return found + at.cut_joints.forces(Ball.exact(v)) if at.oracle.robot.has_cut_drives else found


def pushed(at: Closed, open_by: Floats) -> Ball:
    """B τ − h − Aᵀ (k φ + d A v) (…, nv) where constraints are open by no more than `open_by` (…, m)."""
    v, tau = at.given["v"], at.given["tau"]
    stiffness, damping = (at.given["penalty"][..., k, None] for k in range(2))
    driven = np.zeros_like(v)
    driven[..., list(at.oracle.robot.independent)] = tau
    A = at.constraints.jacobian
    springs = np.zeros(A.value.shape[:-1])
    springs[..., : open_by.shape[-1]] = np.abs(stiffness) * open_by
    closing = (A.times(v) * damping).wider(springs)
    return Ball.exact(driven) - forces(at, v, 0 * v) - A.transposed.times(closing)


def accelerations(at: Closed, open_by: Floats) -> Ball:
    """v̇ (…, nv) that these forces make."""
    tree, asked = _at_rest(at), pushed(at, open_by)
    matrix, inverse = tree.inertia, tree.inverse
    x = inverse.value @ asked.value[..., None]
    x += inverse.value @ (asked.value[..., None] - matrix.value @ x)
    work = matrix.radius + matrix.value.shape[-1] * EPSILON * _sizes(matrix.value)
    doubt = asked.radius + (work @ np.abs(x))[..., 0]
    radius = (np.abs(inverse.value) @ doubt[..., None])[..., 0] + EPSILON * np.abs(x[..., 0])
    return Ball(x[..., 0], radius + tree.unknown[..., None])


def _sizes(matrix: Floats) -> Floats:
    """Bounds of a positive definite matrix's entries, as elimination in it errs: √(M_ii M_jj)."""
    roots = np.sqrt(np.maximum(np.diagonal(matrix, axis1=-2, axis2=-1), 0))
    return np.asarray(roots[..., :, None] * roots[..., None, :])
