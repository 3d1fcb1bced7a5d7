"""Numbers of the sine and cosine that generated code computes itself: minimax polynomials on |r| ≤ π/4.

r is x less a multiple k of π/2, which is held in three parts; k times the first two is exact for all |x| up to `LIMIT`.
There both results are within 1.5 units in the last place of the larger of the two. They are taken from the language's
library where the squares of angles that are taken together add up to more than the square of the limit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symgen.emit.tree import Code, Expression, Number, Operation, Variable
from symgen.program.program import Op

SINES = {
    "float64": (
        -0.1666666666666663,
        0.008333333333322118,
        -0.0001984126982958954,
        2.7557313621396886e-06,
        -2.505074776561085e-08,
        1.58962303501271e-10,
    ),
    "float32": (-0.16666655, 0.008332161, -0.00019515284),
}
"""sin r = r + r³ P(r²): relative error 3.7e-18, and 3.8e-9 in single precision."""

COSINES = {
    "float64": (
        0.041666666666666595,
        -0.0013888888888873058,
        2.4801587288852056e-05,
        -2.7557314179414774e-07,
        2.0875700859470047e-09,
        -1.1358537474766494e-11,
    ),
    "float32": (0.041666646, -0.0013887316, 2.4433159e-05),
}
"""cos r = 1 − r²/2 + r⁴ Q(r²): relative error 5.6e-20, and 1.2e-10 in single precision."""

PARTS = {
    "float64": ("0x1.921fb544p+0", "0x1.0b4611a6p-34", "0x1.3198a2e037073p-69"),
    "float32": ("0x1.92p+0", "0x1.fb4p-12", "0x1.4442d2p-24"),
}
"""π/2 as a sum of parts of 33 and 33 bits and the rest; of 11 and 11 in single precision."""

ROUND = {"float64": "0x1.8p52", "float32": "0x1.8p23"}
"""Adding this rounds to an integer."""

TURNS = {"float64": "0.6366197723675814", "float32": "0.63661975"}
"""2/π."""

LIMIT = {"float64": 524288, "float32": 8192}
"""Angles of at most this size, in radians, are reduced without loss."""

LANES = 4
"""So many angles are taken together in single calls."""


def filled(code: Code) -> int:
    """How many angles are computed: zeros after the last make up the number that is taken together."""
    return -(-len(code.angles) // LANES) * LANES


def kernel(real: str) -> dict[str, Expression]:
    """The sine and cosine of x, as expressions: `one` and `other` are these or, where k is odd, the other way round.

    In order, each of those before: k, r, z, one and other; `limit` bounds `squares`, the sum of the squares of a, b, c
    and d, angles that are taken together. The sine is negative for k = 2, 3 mod 4, the cosine for 1, 2.
    """
    x, k, r, z = (Variable(name) for name in ("x", "k", "r", "z"))
    first, second, third, shift = (Number(float.fromhex(part)) for part in (*PARTS[real], ROUND[real]))
    turns, one, half = Number(_held(TURNS[real], real)), Number(1.0), Number(-0.5)
    sines, cosines = series(real)
    a, b, c, d = (_times(Variable(name), Variable(name)) for name in ("a", "b", "c", "d"))
    return {
        "squares": _plus(_plus(c, d), _plus(a, b)),
        "limit": Number(float(LIMIT[real] ** 2)),
        "k": _minus(_plus(_times(x, turns), shift), shift),
        "r": _minus(_minus(_minus(x, _times(k, first)), _times(k, second)), _times(k, third)),
        "z": _times(r, r),
        "one": _plus(r, _times(_times(r, z), sines)),
        "other": _plus(one, _times(z, _plus(half, _times(z, cosines)))),
    }


def series(real: str) -> tuple[Expression, Expression]:
    """P and Q, of z."""
    z = Variable("z")
    sines, cosines = (_horner([_held(value, real) for value in values[real]], z) for values in (SINES, COSINES))
    return sines, cosines


def _held(value: float | str, real: str) -> float:
    """The number of the real type that a decimal stands for."""
    return float(np.dtype(real).type(value))


def _horner(coefficients: Sequence[float], z: Expression) -> Expression:
    value: Expression = Number(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = _plus(Number(coefficient), _times(z, value))
    return value


def _plus(a: Expression, b: Expression) -> Operation:
    return Operation(Op.ADD, (a, b))


def _minus(a: Expression, b: Expression) -> Operation:
    return Operation(Op.SUB, (a, b))


def _times(a: Expression, b: Expression) -> Operation:
    return Operation(Op.MUL, (a, b))
