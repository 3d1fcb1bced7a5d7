"""Numbers as robot files write them: decimals taken exactly, within bounds on their size and their digits."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction

MAX_DIGITS = 500
MIN_MAGNITUDE, MAX_MAGNITUDE = Decimal("1e-100"), Decimal("1e100")
BOUNDS = "out of bounds (1e-100 to 1e100)"

_INTEGER_BITS = 400
"""Integers with more bits are out of bounds, and would take long to be written."""

_FARTHEST = 10**9
"""Exponents are told no farther than this."""


def decimal(text: str) -> Decimal:
    """The decimal number a text writes; exponents that no `Decimal` holds become the largest or smallest told."""
    try:
        return Decimal(text)
    except InvalidOperation:
        mantissa, _, exponent = text.lower().partition("e")
        if not re.search("[1-9]", mantissa):
            return Decimal(0)
        sign = "-" if mantissa.startswith("-") else ""
        return Decimal(f"{sign}1e{'-' if exponent.startswith('-') else ''}{_FARTHEST}")


def bounded(value: int | Decimal) -> Fraction:
    """The number as a fraction; `ValueError` if it is not finite, too large or small, or has too many digits."""
    if isinstance(value, int):
        if value.bit_length() > _INTEGER_BITS:
            raise ValueError(f"the number, an integer of {value.bit_length()} bits, is {BOUNDS}")
        value = Decimal(value)
    if not value.is_finite():
        raise ValueError(f"expected a finite number, found {value}")
    if not value:
        return Fraction(0)
    # Comparisons are exact; arithmetic would raise errors of its own far out.
    if not MIN_MAGNITUDE <= value.copy_abs() <= MAX_MAGNITUDE:
        raise ValueError(f"the number {_rough(value)} is {BOUNDS}")
    digits = len(value.as_tuple().digits)
    if digits > MAX_DIGITS:
        raise ValueError(f"the number has {digits} digits; at most {MAX_DIGITS} are allowed")
    return Fraction(value)


def _rough(value: Decimal) -> str:
    if abs(value.adjusted()) < 10**5 and len(value.as_tuple().digits) <= MAX_DIGITS:
        return f"{value:.3e}"
    return f"{'-' if value.is_signed() else ''}1e{max(-_FARTHEST, min(value.adjusted(), _FARTHEST)):+d}"
