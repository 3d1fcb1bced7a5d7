"""Numbers of the sine and cosine that generated C computes itself: minimax polynomials on |r| ≤ π/4.

r is x less a multiple k of π/2, which is held in three parts; k times the first two is exact for all |x| up to `LIMIT`.
There both results are within 1.5 units in the last place of the larger of the two. C takes them from libm where the
squares of angles that are taken together add up to more than the square of the limit.
"""

from __future__ import annotations

from dataclasses import dataclass

from symgen.emit.environment import render

_SINE = {
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

_COSINE = {
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

_PARTS = {
    "float64": ("0x1.921fb544p+0", "0x1.0b4611a6p-34", "0x1.3198a2e037073p-69"),
    "float32": ("0x1.92p+0", "0x1.fb4p-12", "0x1.4442d2p-24"),
}
"""π/2 as a sum of parts of 33 and 33 bits and the rest; of 11 and 11 in single precision."""

_ROUND = {"float64": "0x1.8p52", "float32": "0x1.8p23"}
_TURN = {"float64": "0.6366197723675814", "float32": "0.63661975"}

LIMIT = {"float64": 524288, "float32": 8192}
"""Angles of at most this size, in radians, are reduced without loss."""


LANES = 4
"""So many angles are taken together in single calls."""

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
    first, second, third = (part + suffix for part in _PARTS[real])
    polynomials = [
        (name, [f"{coefficient!r}{suffix}" for coefficient in reversed(coefficients[real])])
        for name, coefficients in (("p", _SINE), ("q", _COSINE))
    ]
    bits, sign = _BITS[real]
    text = render(
        "c/sincos.c.j2",
        prefix=prefix,
        polynomials=polynomials,
        turn=_TURN[real] + suffix,
        round=_ROUND[real] + suffix,
        first=first,
        second=second,
        third=third,
        half=f"0.5{suffix}",
        one=f"1.0{suffix}",
        sign=sign,
    )
    libm = suffix.lower()
    return SinCos(text.rstrip(), f"{LIMIT[real] ** 2}.0{suffix}", bits, f"sin{libm}", f"cos{libm}")
