"""Square roots of rational numbers, exact: with as much as possible outside the root."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt

from symgen.algebra.exact import Atom, Exact, Number, register
from symgen.errors import LimitError


def sqrt(value: Number) -> Exact:
    """The square root of a rational number that is not negative.

    Raises `LimitError` for irrational and `ValueError` for negative arguments.
    """
    radicand = Exact.of(value).rational
    if radicand is None:
        raise LimitError(f"sqrt({value}): only square roots of rational numbers are supported")
    if radicand < 0:
        raise ValueError(f"sqrt({value}): the argument is negative")
    outside, primes = _square_part(radicand.numerator * radicand.denominator)
    names = sorted(register(Atom("sqrt", radicand=prime)) for prime in primes)
    coefficient = Fraction(outside, radicand.denominator)
    return Exact({tuple((name, 1) for name in names): coefficient} if coefficient else {})


def _square_part(number: int) -> tuple[int, list[int]]:
    """`number` = outside² · product of the radicands; factors beyond 10⁶ stay together."""
    outside, radicands = 1, []
    for prime in _small_factors(number):
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        outside *= prime ** (exponent // 2)
        if exponent % 2:
            radicands.append(prime)
    root = isqrt(number)
    if root * root == number:
        return outside * root, radicands
    return outside, [*radicands, number]


def _small_factors(number: int) -> Iterable[int]:
    for candidate in range(2, 1_000_000):
        if candidate * candidate > number:
            break
        if number % candidate == 0:
            yield candidate
            while number % candidate == 0:
                number //= candidate
    if 1 < number < 1_000_000_000_000:
        yield number
