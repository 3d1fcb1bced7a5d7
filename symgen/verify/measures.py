"""Measures: errors without unit, one per state, in which correct code stays far below the tolerance.

An entry is compared on its own, relative to its size (see `sizes`), so that the wrist of an arm is held to the
same standard as its shoulder. Where entry and size are both 0 the comparison is absolute, in SI units. Anything
that is not a finite number has infinite error. Double precision stays near 1e-13; single precision has digits for no
more than an error relative to the size itself, so its `floor` is higher.

Accelerations solve M q̈ = φ and inherit the condition of M. Much of it is only units and long levers, and goes
away if every q̈_j is weighted by √M_jj (every entry is then a root of an energy): κ is the condition number of the
matrix M_ij / √(M_ii M_jj). A correct solver errs by about κ ε, so an error is divided by κ / good where κ exceeds what
is good. The larger κ, the less this says, and rightly: nothing is known of accelerations that no inertia resists. What
can be asked whatever κ is, is that the accelerations answer to the forces: `residuals`. The same holds of the factors
and of the inverse of M.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symgen.verify.geometry import Floats
from symgen.verify.oracle import Oracle
from symgen.verify.sizes import inertia_sizes


@dataclass(frozen=True)
class Precision:
    """What is asked of a floating-point type.

    `tolerance` of everything but what solves with the inertia matrix, for which `solved` is, where the weighted matrix
    has a condition number below `good`. `floor`: share of its size below which an entry is judged against that.
    """

    tolerance: float
    solved: float
    floor: float
    good: float


PRECISIONS = {
    "float64": Precision(tolerance=1e-10, solved=1e-9, floor=1e-3, good=1e4),
    "float32": Precision(tolerance=2e-5, solved=2e-5, floor=0.1, good=10.0),
}

_NOTHING = 1e-300


@dataclass(frozen=True)
class Weights:
    """How accelerations are weighted: `roots` (…, n), √M_jj, and the condition number κ (…) that remains."""

    roots: Floats
    condition: Floats

    def first(self, count: int) -> Weights:
        """Those of the first states."""
        return Weights(self.roots[:count], self.condition[:count])


def entries(found: Floats, expected: Floats, sizes: Floats, floor: float) -> Floats:
    """Worst entry of every state (axis 0): |found − expected| / max(|expected|, floor · size)."""
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(expected), floor * sizes)
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


def accelerations(found: Floats, expected: Floats, forces: Floats, by: Weights, precision: Precision) -> Floats:
    """Error of every state, norm-wise: max √M_jj |Δq̈_j| / max √M_jj |q̈_j|, over κ / good if that exceeds 1.

    Where the `forces` (sizes of their terms) nearly cancel, against a share of what they would accelerate alone:
    max |φ_j| / √M_jj.
    """
    with np.errstate(all="ignore"):
        error = np.max(by.roots * np.abs(found - expected), axis=-1)
        alone = precision.floor * np.max(forces / by.roots, axis=-1)
        scale = np.maximum(np.max(by.roots * np.abs(expected), axis=-1), alone)
        return conditioned(error / np.where(scale > 0, scale, 1), found, by, precision.good)


def inverses(found: Floats, expected: Floats, by: Weights, precision: Precision) -> Floats:
    """Error of the inverse: entries (M⁻¹)_ij √(M_ii M_jj), against at least a share of the largest."""
    given, wanted = (weighted(matrix, 1 / by.roots) for matrix in (found, expected))
    return conditioned(entries(given, wanted, _largest(wanted), precision.floor), found, by, precision.good)


def factors(found: Floats, expected: Floats, by: Weights, precision: Precision) -> Floats:
    """Error of U: entries U_ij √(M_jj / M_ii), against at least a share of the largest."""
    scale = by.roots[..., None, :] / by.roots[..., :, None]
    given, wanted = found * scale, expected * scale
    return conditioned(entries(given, wanted, _largest(wanted), precision.floor), found, by, precision.good)


def conditioned(errors: Floats, found: Floats, by: Weights, good: float) -> Floats:
    """Errors (states) over κ / good if that exceeds 1; 0 where κ is infinite and what was found is finite."""
    with np.errstate(all="ignore"):
        errors = errors / np.maximum(1, by.condition / good)
    finite = np.isfinite(found).all(axis=tuple(range(1, found.ndim)))
    return np.where(np.isinf(by.condition) & finite, 0, _worst(errors))


def _largest(matrix: Floats) -> Floats:
    return np.asarray(np.abs(matrix).max(axis=(-2, -1), keepdims=True))


def _worst(errors: Floats) -> Floats:
    errors = np.where(np.isfinite(errors), errors, np.inf)
    return np.asarray(errors.max(axis=tuple(range(1, errors.ndim))))
