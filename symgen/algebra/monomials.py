"""Products of named atoms, and sums of such products: what needs no knowledge of what the atoms stand for."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

Monomial: TypeAlias = tuple[tuple[str, int], ...]
"""(name, exponent) of every factor, in the order of the names."""

UNIT: Monomial = ()
"""The product of no atoms, 1."""


def accumulate(terms: dict[Monomial, Fraction], monomial: Monomial, coefficient: Fraction) -> None:
    """Add a term to `terms`; what cancels is not kept."""
    known = terms.get(monomial)
    total = coefficient if known is None else known + coefficient
    if total:
        terms[monomial] = total
    elif known is not None:
        del terms[monomial]


def product(left: Monomial, right: Monomial) -> Monomial:
    """left · right."""
    if not left:
        return right
    if not right:
        return left
    exponents = dict(left)
    for name, exponent in right:
        exponents[name] = exponents.get(name, 0) + exponent
    return tuple(sorted(exponents.items()))


def without(monomial: Monomial, name: str, power: int) -> Monomial:
    """`monomial` / name^power."""
    return tuple((n, e - power if n == name else e) for n, e in monomial if n != name or e > power)


def term_text(monomial: Monomial, coefficient: Fraction) -> str:
    """A term as a text that identifies it."""
    factors = [name if exponent == 1 else f"{name}**{exponent}" for name, exponent in monomial]
    if coefficient != 1 or not factors:
        factors.insert(0, str(coefficient))
    return "*".join(factors)


def plain_term(monomial: Monomial, coefficient: Fraction) -> str:
    """A term as a person would write it."""
    if not monomial:
        return plain_fraction(coefficient)
    factors = "*".join(name if exponent == 1 else f"{name}**{exponent}" for name, exponent in monomial)
    top, bottom = coefficient.numerator, coefficient.denominator
    front = {1: "", -1: "-"}.get(top, f"{top}*")
    return f"{front}{factors}" + (f"/{bottom}" if bottom != 1 else "")


def plain_fraction(value: Fraction | int) -> str:
    """A decimal where it ends after at most 12 digits, else a fraction."""
    for digits in range(13):
        scaled = value * 10**digits
        if scaled.denominator == 1:
            sign, number = ("-" if scaled < 0 else ""), str(abs(scaled.numerator)).rjust(digits + 1, "0")
            return sign + (f"{number[:-digits]}.{number[-digits:]}" if digits else number)
    return str(value)
