"""Inverse trigonometric functions of exact constants: known angles are recognized and proved, others become atoms.

Every angle is reduced to one between 0 and π/4 by quarter turns and reflections, so that equal angles are equal however
they are given: acos(0.6), atan2(4, 3) and π/2 − asin(0.6) are one. What the angle may be is guessed from its digits (a
multiple of π, or the angle of a cosine or sine in the argument) and taken only where `zero` proves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from symgen.algebra.angles import cos_sin
from symgen.algebra.arcs import arc_atom
from symgen.algebra.exact import ACCURACY_BITS, ONE, PI, ZERO, Atom, Exact, Number, as_constant, atom_named
from symgen.algebra.roots import sqrt
from symgen.algebra.zero import is_zero
from symgen.errors import LimitError

MAX_DENOMINATOR = 120
"""Of the multiples of π that are recognized."""

_CLOSE = Fraction(1, 2 ** (ACCURACY_BITS // 2))
"""A guess is so close to the angle: far closer than chance brings it."""


def atan2(y: Number, x: Number) -> Exact:
    """The angle of the direction (x, y) in (−π, π].

    Raises `ValueError` for (0, 0), and `LimitError` for signs that cannot be told.
    """
    y, x = Exact.of(y), Exact.of(x)
    below, left = _sign(y), _sign(x)
    if not below and not left:
        raise ValueError("atan2(0, 0) has no value")
    up, right = (-y if below < 0 else y), (-x if left < 0 else x)
    steep = _sign(up - right)
    if not below:
        angle = ZERO
    elif not left:
        angle = PI / 2
    elif not steep:
        angle = PI / 4
    else:
        angle = _octant(up, right) if steep < 0 else PI / 2 - _octant(right, up)
    angle = PI - angle if left < 0 else angle
    return -angle if below < 0 else angle


def atan(tangent: Number) -> Exact:
    """The angle in (−π/2, π/2) with this tangent."""
    return atan2(tangent, ONE)


def asin(sine: Number) -> Exact:
    """The angle in [−π/2, π/2] with this sine; `ValueError` if there is none."""
    sine = Exact.of(sine)
    if _sign(sine) < 0:
        return -asin(-sine)
    rest = _sign(1 - sine)
    if rest < 0:
        raise ValueError("asin and acos need a number between -1 and 1")
    if not rest:
        return PI / 2
    square = (1 - sine * sine).rational
    if square is not None:
        return atan2(sine, sqrt(square))
    found = _recognized(Atom("asin", argument=sine), [sine], lambda angle: cos_sin(angle)[1] - sine)
    return as_constant(Atom("asin", argument=sine)) if found is None else found


def acos(cosine: Number) -> Exact:
    """The angle in [0, π] with this cosine; `ValueError` if there is none."""
    return PI / 2 - asin(cosine)


def _octant(low: Exact, high: Exact) -> Exact:
    """The angle with tangent low/high, 0 < low < high."""
    atom = arc_atom(low, high)
    both_rational = low.rational is not None and high.rational is not None
    if not both_rational:  # no multiple of π between 0 and π/4 has a rational tangent
        found = _recognized(atom, [low, high], _crossing(low, high))
        if found is not None:
            return found
    return as_constant(atom)


def _crossing(low: Exact, high: Exact) -> Callable[[Exact], Exact]:
    def difference(angle: Exact) -> Exact:
        c, s = cos_sin(angle)
        return low * c - high * s

    return difference


def _recognized(arc: Atom, values: Iterable[Exact], difference: Callable[[Exact], Exact]) -> Exact | None:
    """The known angle that has the digits of `arc` and makes the difference vanish, provably; None if there is none."""
    angle = as_constant(arc).midpoint()
    candidates = [PI * (angle / PI.midpoint()).limit_denominator(MAX_DENOMINATOR)]
    for given in _angles_in(values):
        for known in (given, -given):
            quarters = round((angle - known.midpoint()) / PI.midpoint() * 2)
            candidates.append(known + PI * Fraction(quarters, 2))
    for candidate in candidates:
        if abs(angle - candidate.midpoint()) < _CLOSE and is_zero(difference(candidate)):
            return candidate
    return None


def _angles_in(values: Iterable[Exact]) -> list[Exact]:
    """The angles whose cosines and sines occur."""
    names = {name: None for value in values for monomial in value.terms for name, _ in monomial}
    atoms = [atom_named(name) for name in names]
    found = {atom.argument: None for atom in atoms if atom.kind in ("cos", "sin") and atom.argument is not None}
    return list(found)


def _sign(value: Exact) -> int:
    """The sign of a constant."""
    if is_zero(value):
        return 0
    ball = value.number()
    if ball.contains(0):
        raise LimitError(f"the sign of {value.plain()[:80]} cannot be told; write it in a simpler form")
    return 1 if ball > 0 else -1
