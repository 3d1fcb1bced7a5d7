"""Directions as turns: what carries the z axis onto an axis of any direction and length, exactly where that helps.

Turns by multiples of π/24 are proved and taken; ratios with small roots, such as those of (1, 1, 1) or (3, 0, 4), are
kept as roots. Any other direction is an angle with `PLACES` decimals: its cosine and sine are then right to the last
digit of any number that is printed, and exact arithmetic with them stays short.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import flint

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import PI, Exact, atom_named
from symgen.algebra.inverse_functions import atan2
from symgen.algebra.roots import sqrt
from symgen.algebra.zero import is_zero
from symgen.robot.expression import constant
from symgen.robot.model import Elementary, Placement, Vector

PLACES = 40
"""Decimals of an angle that has no short exact form."""

LARGEST_ROOT = 1000
"""Roots of larger numbers are not kept as roots."""

_BITS = 512
_PARTS = 24


def turns_onto(axis: Vector, defaults: Mapping[str, Exact]) -> Placement:
    """The turns after which z has the direction of `axis`, given in the axes before them; none for z itself.

    Of all such turns those about x and y are taken where they suffice, else one about z and one about y.
    """
    x, y, z = (entry.constant(defaults) for entry in axis)
    across, forward = x * x + y * y, _sign(z)
    if not x and not y:
        return () if forward > 0 else _turns((0, PI))
    if not y:
        return _turns((1, angle_beside(across, z) * _sign(x)))
    if not x:
        return _turns((0, -angle_beside(across, z) * _sign(y)))
    return _turns((2, angle(y, x)), (1, angle_beside(across, z)))


def back(turns: Placement) -> Placement:
    """The turns that undo these."""
    return tuple(Elementary(part.rotates, part.axis, -part.amount) for part in reversed(turns))


def _turns(*parts: tuple[int, Exact]) -> Placement:
    return tuple(Elementary(True, axis, constant(angle)) for axis, angle in parts)


def angle(y: Exact, x: Exact) -> Exact:
    """The angle of the direction (x, y), not (0, 0), in (−π, π]: exact where it has a short form, else a decimal."""
    if not y:
        return Exact.of(0) if _sign(x) > 0 else PI
    return angle_beside(y * y, x) * _sign(y)


def angle_beside(square: Exact, x: Exact) -> Exact:
    """The angle of the direction (x, √square), in (0, π)."""
    with flint.ctx.workprec(_BITS):
        ball = flint.arb.atan2(square.ball(_BITS).sqrt(), x.ball(_BITS))
    value = rounded(ball, PLACES)
    multiple = PI * Fraction(round(value / PI.midpoint() * _PARTS), _PARTS)
    if abs(value - multiple.midpoint()) < Fraction(2, 10**PLACES):
        c, s = cos_sin(multiple)
        if is_zero(square * c * c - x * x * s * s):
            return multiple
    if square.rational is not None and x.rational is not None:
        height, length = sqrt(square), sqrt(square + x * x)
        if _has_small_roots(height) and _has_small_roots(length):
            return atan2(height, x)
    return Exact.of(value)


def _has_small_roots(value: Exact) -> bool:
    names = {name for monomial in value.terms for name, _ in monomial}
    return all(atom_named(name).radicand <= LARGEST_ROOT for name in names)


def rounded(ball: flint.arb, places: int) -> Fraction:
    """The number at the middle of a ball, rounded to so many decimals."""
    mantissa, exponent = ball.mid().man_exp()
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return Fraction(round(value * 10**places), 10**places)


def _sign(value: Exact) -> int:
    middle = value.midpoint()
    return (middle > 0) - (middle < 0)
