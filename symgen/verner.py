"""Coefficients of Verner's embedded Runge-Kutta pair of orders 6 and 5 (1978), known from the library code DVERK.

J. H. Verner, "Explicit Runge-Kutta methods with estimates of the local truncation error", SIAM J. Numer. Anal. 15
(1978). The arms of the papers were simulated with a method of these orders (Saha 1999, section 5.2).
"""

from __future__ import annotations

from fractions import Fraction


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
