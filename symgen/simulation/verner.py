"""Verner's embedded Runge-Kutta pair of orders 6 and 5 (1978), known from the library code DVERK.

J. H. Verner, "Explicit Runge-Kutta methods with estimates of the local truncation error", SIAM J. Numer. Anal. 15
(1978). The arms of the papers were simulated with a method of these orders (Saha 1999, section 5.2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import RK45, DenseOutput

Floats = NDArray[np.float64]
Rates = Callable[[float, Floats], Floats]


def _exact(text: str) -> tuple[Fraction, ...]:
    return tuple(Fraction(entry) for entry in text.split())


NODES = _exact("0 1/6 4/15 2/3 5/6 1 1/15 1")
"""c: the times of the stages, in steps."""

STAGES = (
    _exact(""),
    _exact("1/6"),
    _exact("4/75 16/75"),
    _exact("5/6 -8/3 5/2"),
    _exact("-165/64 55/6 -425/64 85/96"),
    _exact("12/5 -8 4015/612 -11/36 88/255"),
    _exact("-8263/15000 124/75 -643/680 -81/250 2484/10625 0"),
    _exact("3501/1720 -300/43 297275/52632 -319/2322 24068/84065 0 3850/26703"),
)
"""a: row i holds the weights of the stages before i."""

WEIGHTS = _exact("3/40 0 875/2244 23/72 264/1955 0 125/11592 43/616")
"""b: the result, of order 6."""

EMBEDDED_WEIGHTS = _exact("13/160 0 2375/5984 5/16 12/85 3/44 0 0")
"""The embedded result, of order 5; its distance from the other estimates the error of a step."""


def _floats(values: Sequence[Fraction]) -> Floats:
    return np.array([float(value) for value in values])


_C = _floats(NODES)
_A = np.zeros((8, 8))
for _row, _weights in enumerate(STAGES):
    _A[_row, :_row] = _floats(_weights)
_B = _floats(WEIGHTS)
_E = np.append(_floats([b - embedded for b, embedded in zip(WEIGHTS, EMBEDDED_WEIGHTS, strict=True)]), 0.0)


class Verner65(RK45):  # type: ignore[misc]  # SciPy has no types
    """The pair as a method of `scipy.integrate.solve_ivp`: SciPy's step size control with Verner's coefficients.

    It goes on with the result of order 6. Eight evaluations a step; dense output takes seven more for each time.
    """

    order = 6
    error_estimator_order = 5
    n_stages = 8
    C, A, B, E = _C, _A, _B, _E

    def _dense_output_impl(self) -> ShorterStep:
        return ShorterStep(self.fun, self.t_old, self.t, self.y_old, self.K[0].copy())


class ShorterStep(DenseOutput):  # type: ignore[misc]
    """The state within a step: the same method, one step from where that step began to the time asked for.

    So it is of order 6, and no less exact than the step itself.
    """

    def __init__(self, rates: Rates, t_old: float, t: float, y_old: Floats, f_old: Floats) -> None:
        super().__init__(t_old, t)
        self._rates, self._y_old, self._f_old = rates, y_old, f_old

    def _call_impl(self, t: Floats) -> Floats:
        if t.ndim == 0:
            return self._at(float(t))
        return np.stack([self._at(float(time)) for time in t], axis=-1)

    def _at(self, t: float) -> Floats:
        h = t - self.t_old
        slopes = np.empty((8, self._y_old.size))
        slopes[0] = self._f_old
        for stage in range(1, 8):
            slopes[stage] = self._rates(
                self.t_old + _C[stage] * h, self._y_old + h * (_A[stage, :stage] @ slopes[:stage])
            )
        y: Floats = self._y_old + h * (_B @ slopes)
        return y
