"""Angles that are given by a ratio: atan(t), asin(s) and acos(c) as atoms, and their points of the circle.

Such an angle is an atom of its own where it is no multiple of π that is known. Its cosine and sine are roots of
rational numbers where the ratio is one: those of atan(3/4) are 4/5 and 3/5. Otherwise they are atoms, as those of 0.3
are.
"""

from __future__ import annotations

from functools import cache

from symgen.algebra.atoms import ARCS, Atom, atom_named
from symgen.algebra.exact import Exact
from symgen.algebra.roots import sqrt

MAX_RADICAND = 2_000_000
"""Enough for tangents of three decimals; the cosine and sine of an angle with a larger root are atoms."""


@cache
def arc_point(name: str) -> tuple[Exact, Exact] | None:
    """(cos, sin) of an atom that is an angle between 0 and π/4; None where they have no closed form."""
    atom = atom_named(name)
    ratio = atom.argument
    if atom.kind not in ARCS or ratio is None:
        return None
    square = (ratio * ratio).rational
    if square is None:
        return None
    if atom.kind == "atan":
        cosine = sqrt(1 / (1 + square))
        point = cosine, ratio * cosine
        return point if all(map(_is_short, point)) else None
    other = sqrt(1 - square)
    return (other, ratio) if atom.kind == "asin" else (ratio, other)


def _is_short(value: Exact) -> bool:
    """Whether the root in a rational multiple of one is small."""
    radicand = 1
    for monomial in value.terms:
        for name, _ in monomial:
            radicand *= atom_named(name).radicand
    return radicand <= MAX_RADICAND


def arc_atom(low: Exact, high: Exact) -> Atom:
    """The atom of the angle with tangent low/high, 0 < low < high, by what is rational: tangent, sine or cosine."""
    tangent = low / high
    square = (tangent * tangent).rational
    if tangent.rational is None and square is not None:
        sine, cosine = sqrt(square / (1 + square)), sqrt(1 / (1 + square))
        if sine.rational is not None:
            return Atom("asin", argument=sine)
        if cosine.rational is not None:
            return Atom("acos", argument=cosine)
    return Atom("atan", argument=tangent)
