"""Measures: errors without unit, one per state, in which correct double-precision code stays near 1e-13.

An entry is compared on its own, relative to its size (see `sizes`), so that the wrist of an arm is held to the
same standard as its shoulder. Where entry and size are both 0 the comparison is absolute, in SI units. Anything
that is not a finite number has infinite error.

Accelerations solve M q̈ = φ and inherit the condition of M. Much of it is only units and long levers, and goes
away if every q̈_j is weighted by √M_jj (every entry is then a root of an energy): κ is the condition number of the
matrix M_ij / √(M_ii M_jj). A correct solver errs by about κ ε, so an error is divided by κ / 1e4 where κ exceeds
1e4. The larger κ, the less this says, and rightly: nothing is known of accelerations that no inertia resists. What
can be asked whatever κ is, is that the accelerations answer to the forces: `residuals`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symgen.verify.geometry import Floats
from symgen.verify.oracle import Oracle
from symgen.verify.sizes import FLOOR, force_sizes, inertia_sizes

GOOD_CONDITION = 1e4
"""Condition number κ up to which accelerations are held to the full tolerance."""

_NOTHING = 1e-300


@dataclass(frozen=True)
class Weights:
    """How accelerations are weighted: `roots` (…, n), √M_jj, and the condition number κ (…) that remains."""

    roots: Floats
    condition: Floats


def entries(found: Floats, expected: Floats, sizes: Floats) -> Floats:
    """Worst entry of every state (axis 0): |found − expected| / max(|expected|, FLOOR · size)."""
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(expected), FLOOR * sizes)
        return _worst(np.abs(found - expected) / np.where(scale > 0, scale, 1))


def weights(oracle: Oracle, q: Floats) -> Weights:
    """Weights of the accelerations at q (…, n); κ is infinite where the matrix is not positive definite."""
    matrix = oracle.inertia_matrix(q)
    diagonal = np.diagonal(matrix, axis1=-2, axis2=-1)
    floor = 1e-15 * np.diagonal(inertia_sizes(oracle, q), axis1=-2, axis2=-1)
    roots = np.sqrt(np.maximum(np.maximum(diagonal, floor), _NOTHING))
    values = np.linalg.eigvalsh(weighted(matrix, roots))
    lowest, highest = values[..., 0], values[..., -1]
    condition = np.where(lowest > 0, highest / np.where(lowest > 0, lowest, 1), np.inf)
    return Weights(roots, condition)


def weighted(matrix: Floats, roots: Floats) -> Floats:
    """M_ij / (r_i r_j)."""
    return np.asarray(matrix / roots[..., :, None] / roots[..., None, :])


def accelerations(found: Floats, expected: Floats, by: Weights) -> Floats:
    """Error of every state, norm-wise: max √M_jj |Δq̈_j| / max √M_jj |q̈_j|, over κ / 1e4 if that exceeds 1."""
    with np.errstate(all="ignore"):
        error = np.max(by.roots * np.abs(found - expected), axis=-1)
        scale = np.max(by.roots * np.abs(expected), axis=-1)
        error = error / np.where(scale > 0, scale, 1) / np.maximum(1, by.condition / GOOD_CONDITION)
        undecided = np.isinf(by.condition) & np.isfinite(found).all(axis=-1)
        return np.where(undecided, 0, _worst(error))


def residuals(oracle: Oracle, q: Floats, qd: Floats, tau: Floats, found: Floats, by: Weights) -> Floats:
    """How far the oracle's forces for the accelerations `found` are from τ, relative to their terms.

    These terms are those of joint i's force, and √M_ii √M_jj |q̈_j|: relative to them, solving M q̈ = φ by factors
    is exact but for rounding. As for `entries`, an error counts against a thousandth of them.
    """
    with np.errstate(all="ignore"):
        forces = oracle.inverse_dynamics(q, qd, found)
        solving = by.roots * np.sum(by.roots * np.abs(found), axis=-1, keepdims=True)
        scale = solving + np.abs(tau) + force_sizes(oracle, q, qd, found, gravity=True)
        return _worst(np.abs(forces - tau) / np.where(scale > 0, scale, 1) / FLOOR)


def _worst(errors: Floats) -> Floats:
    errors = np.where(np.isfinite(errors), errors, np.inf)
    return np.asarray(errors.max(axis=tuple(range(1, errors.ndim))))
