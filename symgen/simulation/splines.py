"""Splines through samples in time: between samples, a polynomial of one degree; at samples, as smooth as that allows.

Their end conditions are "not a knot": at both ends the first (last) few steps have one polynomial, so that a polynomial
of the spline's degree is met exactly, and nothing is taken for known about rates at the ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.errors import InputError
from symgen.simulation.histories import History

Floats = NDArray[np.float64]

DEGREES = {"cubic": 3, "linear": 1, "hold": 0}
"""Ways to join samples of joint forces → degree of the spline; "hold" keeps each until the next."""

RATE_DEGREE = 5
"""Of the splines whose derivatives are rates: accelerations are then smooth, with errors of the order of step⁴."""


def samples_needed(degree: int) -> int:
    """The number of samples that determine a spline."""
    return max(degree + 1, 2)


def _spline(history: History, quantity: str, degree: int) -> Any:
    """SciPy's spline through the samples of a quantity, against the time since the first."""
    from scipy.interpolate import make_interp_spline

    values = history.values[quantity]
    needed = samples_needed(degree)
    if len(values) < needed:
        raise InputError(
            f"{history.source}: {len(values)} samples are too few for a spline of degree {degree} through {quantity}; "
            f"expected at least {needed}"
        )
    try:
        return make_interp_spline(history.t - history.t[0], values, k=degree)
    except ValueError:  # SciPy's, or NumPy's LinAlgError: a singular system
        raise _too_close(history, quantity) from None


def _too_close(history: History, quantity: str) -> InputError:
    return InputError(
        f"{history.source}: no finite spline goes through the samples of {quantity}; their times are too close, or the "
        "values too large"
    )


def rate(history: History, quantity: str, order: int) -> Floats:
    """The derivative of a quantity by time, of that order, at the samples (s, n): that of a quintic spline.

    Raises `InputError` for gaps, fewer than six samples, and where the derivative is not finite.
    """
    spline = _spline(history, quantity, RATE_DEGREE)
    with np.errstate(all="ignore"):
        values: Floats = spline.derivative(order)(history.t - history.t[0])
    if not np.isfinite(values).all():
        raise _too_close(history, quantity)
    return values


class Interpolant:
    """A quantity between its samples, from the first to the last."""

    def __init__(self, history: History, quantity: str, degree: int) -> None:
        spline = _spline(history, quantity, degree)
        self.t, self.values = history.t, history.values[quantity]
        times = history.t[:-1] - history.t[0]
        with np.errstate(all="ignore"):
            derivatives = [spline.derivative(order)(times) / factorial(order) for order in range(1, degree + 1)]
        self._coefficients = np.stack([self.values[:-1], *derivatives])
        if not np.isfinite(self._coefficients).all():
            raise _too_close(history, quantity)

    def __call__(self, t: float) -> Floats:
        """The values (n,) at a time; at a sample they are the sample's."""
        if t >= self.t[-1]:
            return np.asarray(self.values[-1])
        return self.within(max(int(np.searchsorted(self.t, t, side="right")) - 1, 0), t)

    def within(self, step: int, t: float) -> Floats:
        """The values (n,) at a time by the polynomial of a step, that after sample `step`."""
        since, value = t - self.t[step], np.asarray(self._coefficients[-1, step])
        for coefficients in self._coefficients[-2::-1, step]:
            value = value * since + coefficients
        return value

    def steps(self, end: float) -> Iterator[tuple[int, float]]:
        """Steps with the times at which they end, until `end`: between these the values are smooth."""
        last = min(int(np.searchsorted(self.t, end)), len(self.t) - 1)
        for step in range(last):
            yield step, (end if step == last - 1 else float(self.t[step + 1]))
