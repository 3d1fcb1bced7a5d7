"""Cosines and sines of fixed angles, exact; an angle and its negative share their atoms, and so do quarter turns.

Angles that are given by a ratio, such as atan(3/4), are turned by on their own wherever their cosine is a root.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from symgen.algebra.arcs import arc_point
from symgen.algebra.exact import ONE, PI, ZERO, Atom, Exact, Number, as_constant
from symgen.algebra.roots import sqrt

MAX_ARCS = 16
"""An angle given by a ratio is multiplied out up to so many times."""


def cos_sin(angle: Number) -> tuple[Exact, Exact]:
    """(cos, sin) of an angle in radians, exact: in roots for multiples of π/12 and ratios, others as atoms."""
    return _cos_sin(Exact.of(angle))


@lru_cache(maxsize=1024)
def _cos_sin(angle: Exact) -> tuple[Exact, Exact]:
    quarter_turns, rest = split_quarter_turns(angle)
    arcs, rest = _split_arcs(rest)
    point = _cos_sin_within_quarter(rest)
    for arc in arcs:
        point = composed(point, arc)
    c, s = point
    for _ in range(quarter_turns % 4):
        c, s = -s, c
    return c, s


def composed(a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
    """(cos, sin) of the sum of two angles by the addition theorems."""
    return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]


def split_quarter_turns(angle: Exact) -> tuple[int, Exact]:
    """(k, rest) with angle = k π/2 + rest, the rest's multiple of π in [−1/4, 1/4)."""
    turns = pi_multiple(angle)
    quarter_turns = (2 * turns + Fraction(1, 2)).__floor__()
    return quarter_turns, angle - PI * Fraction(quarter_turns, 2)


def pi_multiple(angle: Exact) -> Fraction:
    """The rational coefficient of π in `angle`."""
    return angle.terms.get((("pi", 1),), Fraction(0))


def _split_arcs(angle: Exact) -> tuple[list[tuple[Exact, Exact]], Exact]:
    """The points, one for each turn, of the angles in `angle` that have a closed form, and what is left of it."""
    points: list[tuple[Exact, Exact]] = []
    rest = dict(angle.terms)
    for monomial, factor in angle.sorted_terms():
        if len(monomial) != 1 or monomial[0][1] != 1 or factor.denominator != 1 or abs(factor) > MAX_ARCS:
            continue
        point = arc_point(monomial[0][0])
        if point is not None:
            c, s = point
            points += [(c, s if factor > 0 else -s)] * abs(int(factor))
            del rest[monomial]
    return points, Exact(rest)


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


@cache
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
