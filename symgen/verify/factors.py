"""The factors of an inertia matrix with what they can err, seen from those of matrices that are a little different."""

from __future__ import annotations

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.geometry import Floats
from symgen.verify.oracle import udu

DRAWS = 16
"""Random changes of the inertia matrix that tell what its factors can err."""

ENLARGED = 2.0**10
"""How much larger than the errors of the matrix these changes are, so that their effect is no rounding."""


def factors(matrix: Ball, unknown: Floats) -> list[Ball]:
    """U and D of a matrix (states, n, n); nothing is known of them where `unknown` (states) is infinite."""
    random = np.random.default_rng(0)
    upper, pivots = udu(matrix.value)
    changes = []
    for _ in range(DRAWS):
        signs = np.triu(random.choice([-1.0, 1.0], matrix.value.shape))
        signs = signs + np.swapaxes(np.triu(signs, 1), -1, -2)
        other = udu(matrix.value + ENLARGED * matrix.radius * signs)
        changes.append([np.abs(new - old) / ENLARGED for new, old in zip(other, (upper, pivots), strict=True)])
    spread = [4 * np.max(part, axis=0) for part in zip(*changes, strict=True)]
    doubt = unknown[..., None]
    return [Ball(upper, spread[0] + doubt[..., None]), Ball(pivots, spread[1] + doubt)]
