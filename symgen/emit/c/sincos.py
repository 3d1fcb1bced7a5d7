"""The sine and cosine that generated C computes itself, on vectors; see `symgen.emit.sincos` for the numbers."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.emit.environment import render
from symgen.emit.sincos import COSINES, LANES, LIMIT, PARTS, ROUND, SINES, TURNS

__all__ = ["LANES", "LIMIT", "SinCos", "sincos"]

_BITS = {"float64": ("unsigned long long", 63), "float32": ("unsigned int", 31)}
"""The unsigned type of the size of each real type, and the place of the sign in it."""


@dataclass(frozen=True)
class SinCos:
    """What the templates need.

    `statements` set vectors `sine` and `cosine` for a vector `x`; `limit` bounds the sum of the squares of angles.
    """

    statements: str
    limit: str
    bits: str
    sin: str
    cos: str


def sincos(real: str, prefix: str = "") -> SinCos:
    """The sine and cosine of vectors of type `<prefix>lanes`, whose bits are a union `<prefix>pun`'s."""
    suffix = "F" if real == "float32" else ""
    first, second, third = (part + suffix for part in PARTS[real])
    polynomials = [
        (name, [f"{coefficient!r}{suffix}" for coefficient in reversed(coefficients[real])])
        for name, coefficients in (("p", SINES), ("q", COSINES))
    ]
    bits, sign = _BITS[real]
    text = render(
        "c/sincos.c.j2",
        prefix=prefix,
        polynomials=polynomials,
        turn=TURNS[real] + suffix,
        round=ROUND[real] + suffix,
        first=first,
        second=second,
        third=third,
        half=f"0.5{suffix}",
        one=f"1.0{suffix}",
        sign=sign,
    )
    libm = suffix.lower()
    return SinCos(text.rstrip(), f"{LIMIT[real] ** 2}.0{suffix}", bits, f"sin{libm}", f"cos{libm}")
