"""Measures: whether what was found and what was expected differ by more than both can err.

Every entry is judged on its own, so that the wrist of an arm is held to the same standard as its shoulder: by its
error over the bound that rounding gives it. What is reported for people is the entry that comes closest to its bound,
and both relative to the largest entry of its state. What is not a finite number has infinite error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.comparison import UnusableError
from symgen.verify.entry import Pair
from symgen.verify.geometry import Floats
from symgen.verify.report import Check


def check(name: str, kind: str, note: str, compute: Callable[[], Sequence[Pair]]) -> Check:
    """The entry that comes closest to its bound, or exceeds it most; infinite error if a function cannot be used."""
    try:
        with np.errstate(all="ignore"):  # what is not finite is judged, not warned of
            return _judged(name, kind, note, compute())
    except UnusableError as error:
        return Check(name, kind, 0, np.inf, 0.0, str(error))


def _judged(name: str, kind: str, note: str, pairs: Sequence[Pair]) -> Check:
    error, bound, unknown = 0.0, 0.0, np.zeros(len(pairs[0][0].value), dtype=bool)
    for found, expected in pairs:
        off, allowed = _errors(found, expected)
        share = _share(off, allowed)
        worst = np.unravel_index(int(np.argmax(share)), share.shape) if share.size else None
        if worst is not None and share[worst] >= _share(np.array(error), np.array(bound)):
            error, bound = float(off[worst]), float(allowed[worst])
        unknown |= np.isinf(allowed).reshape(len(allowed), -1).any(axis=1)
    if unknown.any():
        where = f"{unknown.sum()} of {len(unknown)} states"
        note += f"; nothing is known at {where}: a divisor is lost in rounding, or the inertia matrix nearly singular"
    return Check(name, kind, len(unknown), error, bound, note.removeprefix("; "))


def _errors(found: Ball, expected: Ball) -> tuple[Floats, Floats]:
    """Errors and their bounds, entry by entry, relative to the largest expected entry of each state."""
    axes = tuple(range(1, expected.value.ndim))
    size = np.abs(expected.value).max(axis=axes, keepdims=True) if expected.value.size else np.ones(1)
    size = np.where(np.isfinite(size) & (size > 0), size, 1)
    radius = found.radius + expected.radius
    radius = np.where(np.isnan(radius), np.inf, radius)
    off = np.abs(found.value - expected.value)
    return np.where(np.isnan(off), np.inf, off) / size, radius / size


def _share(error: Floats, bound: Floats) -> Floats:
    """Errors over their bounds; 0 where nothing is known."""
    share = np.where(error > 0, error / np.where(bound > 0, bound, 1e-300), 0)
    return np.where(np.isinf(bound), 0, share)
