"""Cosines and sines of fixed angles, exact; an angle and its negative share their atoms, and so do quarter turns."""

from __future__ import annotations

from fractions import Fraction

from symgen.algebra.exact import ONE, PI, ZERO, Atom, Exact, Number, as_constant
from symgen.algebra.roots import sqrt


def cos_sin(angle: Number) -> tuple[Exact, Exact]:
    """(cos, sin) of an angle in radians, exact: multiples of π/12 in roots, others as atoms."""
    quarter_turns, rest = split_quarter_turns(Exact.of(angle))
    c, s = _cos_sin_within_quarter(rest)
    for _ in range(quarter_turns % 4):
        c, s = -s, c
    return c, s


def split_quarter_turns(angle: Exact) -> tuple[int, Exact]:
    """(k, rest) with angle = k π/2 + rest, the rest's multiple of π in [−1/4, 1/4)."""
    turns = pi_multiple(angle)
    quarter_turns = (2 * turns + Fraction(1, 2)).__floor__()
    return quarter_turns, angle - PI * Fraction(quarter_turns, 2)


def pi_multiple(angle: Exact) -> Fraction:
    """The rational coefficient of π in `angle`."""
    return angle.terms.get((("pi", 1),), Fraction(0))


def _cos_sin_within_quarter(angle: Exact) -> tuple[Exact, Exact]:
    if not angle:
        return ONE, ZERO
    if angle.leading_sign < 0:
        c, s = _cos_sin_within_quarter(-angle)
        return c, -s
    twelfths = pi_multiple(angle) * 12
    if angle == PI * pi_multiple(angle) and twelfths.denominator == 1:
        return _cos_of_twelfths(int(twelfths)), _cos_of_twelfths(6 - int(twelfths))
    return as_constant(Atom("cos", argument=angle)), as_constant(Atom("sin", argument=angle))


def _cos_of_twelfths(k: int) -> Exact:
    """cos(k π/12) for k = 0 … 6."""
    table = {
        0: ONE,
        1: (sqrt(6) + sqrt(2)) / 4,
        2: sqrt(3) / 2,
        3: sqrt(2) / 2,
        4: ONE / 2,
        5: (sqrt(6) - sqrt(2)) / 4,
        6: ZERO,
    }
    return table[k]
