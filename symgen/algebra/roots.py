"""Square roots of rational numbers, exact: with as much as possible outside the root."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import isqrt, prod

import flint

from symgen.algebra.exact import ZERO, Atom, Exact, Number, register
from symgen.errors import LimitError

_SMALL = 1_000_000
"""Primes below this are found."""

_DIRECT = 10**9
"""Smaller numbers are divided by all candidates, which takes less than knowing the primes."""


def sqrt(value: Number) -> Exact:
    """The square root of a rational number that is not negative.

    Raises `LimitError` for irrational and `ValueError` for negative arguments.
    """
    radicand = Exact.of(value).rational
    if radicand is None:
        raise LimitError(f"sqrt({value}): only square roots of rational numbers are supported")
    if radicand < 0:
        raise ValueError(f"sqrt({value}): the argument is negative")
    if not radicand:
        return ZERO
    outside, primes = _square_part(radicand.numerator * radicand.denominator)
    names = sorted(register(Atom("sqrt", radicand=prime)) for prime in primes)
    coefficient = Fraction(outside, radicand.denominator)
    return Exact({tuple((name, 1) for name in names): coefficient})


@cache
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


def _small_factors(number: int) -> list[int]:
    """The prime factors below 10⁶, and what is left if it is known to be prime."""
    common = number if number < _DIRECT else int(_small_product().gcd(number))
    factors = []
    for candidate in range(2, _SMALL) if common < _DIRECT else _small_primes():
        if candidate * candidate > common:
            break
        if common % candidate == 0:
            factors.append(candidate)
            while common % candidate == 0:
                common //= candidate
    if common > 1:
        factors.append(common)  # what all smaller primes leave of a number or of a product of small primes is one
    for prime in factors:
        while number % prime == 0:
            number //= prime
    return [*factors, number] if 1 < number < _SMALL**2 else factors


@cache
def _small_product() -> flint.fmpz:
    """The product of the small primes: what a number has in common with it tells its factors at once."""
    products = [flint.fmpz(prime) for prime in _small_primes()]
    while len(products) > 1:
        products = [prod(products[i : i + 2], start=flint.fmpz(1)) for i in range(0, len(products), 2)]
    return products[0]


@cache
def _small_primes() -> list[int]:
    sieve = bytearray([1]) * _SMALL
    for number in range(2, isqrt(_SMALL) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, _SMALL, number)))
    return [number for number in range(2, _SMALL) if sieve[number]]
