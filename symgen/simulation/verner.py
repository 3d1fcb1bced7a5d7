"""Verner's embedded Runge-Kutta pair of orders 6 and 5 as a method of SciPy's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import RK45, DenseOutput

from symgen.verner import EMBEDDED_WEIGHTS, NODES, STAGES, WEIGHTS

Floats = NDArray[np.float64]
Rates = Callable[[float, Floats], Floats]


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
