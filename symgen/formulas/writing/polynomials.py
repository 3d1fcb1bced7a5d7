"""Sparse polynomials of a formula under way: dictionaries from monomials to rational coefficients.

A monomial is a sorted tuple of (letter, exponent); letters are numbers that an `Alphabet` knows the meaning of.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

Monomial: TypeAlias = tuple[tuple[int, int], ...]
Number: TypeAlias = int | Fraction
Polynomial: TypeAlias = dict[Monomial, Number]
"""Coefficients that are whole are `int`: arithmetic with these is much faster."""

UNIT: Monomial = ()


def accumulate(total: Polynomial, monomial: Monomial, coefficient: Number) -> None:
    """Add a term; what cancels is not kept."""
    value = total.get(monomial, 0) + coefficient
    if value:
        total[monomial] = value
    else:
        total.pop(monomial, None)


def times(a: Monomial, b: Monomial) -> Monomial:
    """a · b."""
    if not a or not b:
        return a or b
    powers = dict(a)
    for letter, exponent in b:
        powers[letter] = powers.get(letter, 0) + exponent
    return tuple(sorted((letter, exponent) for letter, exponent in powers.items() if exponent))


def quotient(a: Monomial, b: Monomial) -> Monomial:
    """a / b, where b divides a."""
    return times(a, tuple((letter, -exponent) for letter, exponent in b))


def common(a: Monomial, b: Monomial) -> Monomial:
    """The greatest common divisor."""
    other = dict(b)
    return tuple((letter, min(exponent, other[letter])) for letter, exponent in a if letter in other)


def product(a: Polynomial, b: Polynomial) -> Polynomial:
    """a · b."""
    total: Polynomial = {}
    for left, x in a.items():
        for right, y in b.items():
            accumulate(total, times(left, right), x * y)
    return total


def scaled(a: Polynomial, factor: Number) -> Polynomial:
    """factor · a."""
    return {monomial: value * factor for monomial, value in a.items()}


def substituted(a: Polynomial, images: Mapping[int, Polynomial]) -> Polynomial:
    """`a` with polynomials put in place of letters."""
    total: Polynomial = {}
    powers: dict[Monomial, Polynomial] = {UNIT: {UNIT: 1}}

    def power(monomial: Monomial) -> Polynomial:
        if monomial not in powers:
            *rest, (letter, exponent) = monomial
            lower = tuple(rest) if exponent == 1 else (*rest, (letter, exponent - 1))
            powers[monomial] = product(power(lower), images[letter])
        return powers[monomial]

    for monomial, value in a.items():
        inside = tuple(item for item in monomial if item[0] in images)
        outside = tuple(item for item in monomial if item[0] not in images)
        for image, factor in power(inside).items():
            accumulate(total, times(outside, image), value * factor)
    return total


MAX_COMMON_DENOMINATOR = 24
"""Decimals are left as they are; fractions such as 1/2 and 1/12 are drawn out."""


def content(values: list[Number]) -> Number:
    """The greatest positive number that divides all values to integers; 1 if their denominators are large."""
    bottom = lcm(*(value.denominator for value in values))
    if bottom > MAX_COMMON_DENOMINATOR:
        return 1
    return whole(Fraction(gcd(*(int(value * bottom) for value in values)), bottom))


def whole(value: Fraction) -> Number:
    """The value, as an `int` where it is whole."""
    return value.numerator if value.denominator == 1 else value


def magnitude(value: Number) -> Number:
    """|value|."""
    return -value if value < 0 else value


def divided(a: Number, b: Number) -> Number:
    """a / b, exact."""
    return whole(Fraction(a) / b)
