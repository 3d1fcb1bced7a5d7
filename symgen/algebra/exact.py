"""Exact constants: rational numbers extended by π, square roots, and cosines and sines of fixed angles.

An `Exact` is a polynomial with rational coefficients in *atoms* (π, √2, cos(7/10), …), kept in a normal form
by √n² = n and sin² = 1 − cos². Multiples of π/12 have their closed form, an angle and its negative share their
atoms, and so do angles that differ by quarter turns. Hence two constants that are equal by these rules *are* equal,
cos(π/2) is 0, and nothing is rounded before it is printed.

Not decided: algebraic relations that these rules do not know, such as cos(0.6) = 2 cos(0.3)² − 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import TypeAlias

import flint

from symgen.errors import LimitError

Monomial: TypeAlias = tuple[tuple[str, int], ...]
Number: TypeAlias = "int | Fraction | Exact"

PRECISION_BITS = (320, 1280, 5120)
"""Working precisions of numeric values, tried in turn until digits are left over for printing to round once."""

ACCURACY_BITS = 160
"""Bits of a numeric value that must be right; a value that has fewer at the last precision passes for 0."""

MAX_TERMS = 96
"""A constant with more terms than this is replaced by an atom of its own."""

_ONE: Monomial = ()


@dataclass(frozen=True)
class Atom:
    """An irrational number that other constants are polynomials of.

    `kind` is "pi", "sqrt" (of the integer `radicand`), "cos" or "sin" (of `argument`, in radians), "inverse"
    or "value" (of `argument`).
    """

    kind: str
    radicand: int = 0
    argument: Exact | None = None

    @cached_property
    def name(self) -> str:
        """The text that identifies the atom; equal atoms have equal names."""
        if self.kind == "pi":
            return "pi"
        return f"{self.kind}({self.radicand if self.kind == 'sqrt' else self.argument})"


_atoms: dict[str, Atom] = {}


def atom_named(name: str) -> Atom:
    """The atom of that name; every atom that occurs in a constant is known here."""
    return _atoms[name]


def _register(atom: Atom) -> str:
    _atoms.setdefault(atom.name, atom)
    return atom.name


class Exact:
    """An exact constant; immutable, hashable, equal by value."""

    __slots__ = ("_hash", "_number", "terms")

    terms: Mapping[Monomial, Fraction]

    def __init__(self, terms: Mapping[Monomial, Fraction]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self._number: flint.arb | None = None

    @staticmethod
    def of(value: Number) -> Exact:
        """`value` as an `Exact`."""
        if isinstance(value, Exact):
            return value
        return Exact({_ONE: Fraction(value)} if value else {})

    # arithmetic ----------------------------------------------------------------------------------

    def __add__(self, other: Number) -> Exact:
        if not isinstance(other, int | Fraction | Exact):
            return NotImplemented
        other = Exact.of(other)
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            total = terms.get(monomial, 0) + coefficient
            if total:
                terms[monomial] = total
            else:
                del terms[monomial]
        return _guarded(terms)

    __radd__ = __add__

    def __neg__(self) -> Exact:
        return Exact({monomial: -coefficient for monomial, coefficient in self.terms.items()})

    def __sub__(self, other: Number) -> Exact:
        return self + -other

    def __rsub__(self, other: Number) -> Exact:
        return -self + other

    def __mul__(self, other: Number) -> Exact:
        if not isinstance(other, int | Fraction | Exact):
            return NotImplemented
        other = Exact.of(other)
        a, b = self.rational, other.rational
        if a is not None and b is not None:
            return Exact.of(a * b)
        terms: dict[Monomial, Fraction] = {}
        for left, x in self.terms.items():
            for right, y in other.terms.items():
                _accumulate(terms, _product(left, right), x * y)
        return _guarded(_reduced(terms))

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> Exact:
        if not isinstance(other, int | Fraction | Exact):
            return NotImplemented
        return self * Exact.of(other).inverse()

    def __rtruediv__(self, other: Number) -> Exact:
        return Exact.of(other) * self.inverse()

    def __pow__(self, exponent: int) -> Exact:
        if exponent < 0:
            return self.inverse() ** -exponent
        result = ONE
        for _ in range(exponent):
            result = result * self
        return result

    def inverse(self) -> Exact:
        """1/self, a new atom but for rationals and single roots; `ZeroDivisionError` for what is, or passes for, 0."""
        if not self.terms:
            raise ZeroDivisionError("division of a constant by zero")
        value = self.rational
        if value is not None:
            return Exact.of(1 / value)
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            if all(_atoms[name].kind == "sqrt" for name, _ in monomial):
                square = Fraction(1)
                for name, _ in monomial:
                    square *= _atoms[name].radicand
                return Exact({monomial: 1 / (coefficient * square)})
        if self.number().contains(0):
            raise ZeroDivisionError("division of a constant by an expression that cannot be told from zero")
        if self.leading_sign < 0:
            return -(-self).inverse()
        return Exact({((_register(Atom("inverse", argument=self)), 1),): Fraction(1)})

    # inspection ----------------------------------------------------------------------------------

    @property
    def rational(self) -> Fraction | None:
        """The value as a `Fraction`, or None if it is not rational."""
        if not self.terms:
            return Fraction(0)
        if len(self.terms) == 1:
            return self.terms.get(_ONE)
        return None

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int | Fraction):
            return self.rational == other
        return isinstance(other, Exact) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            value = self.rational
            self._hash = hash(value) if value is not None else hash(frozenset(self.terms.items()))
        return self._hash

    def sorted_terms(self) -> list[tuple[Monomial, Fraction]]:
        """(monomial, coefficient) pairs in an order that depends on nothing but the value."""
        return sorted(self.terms.items())

    @property
    def leading_sign(self) -> int:
        """Sign of the first coefficient: it tells x from −x, and is the sign of x where x is rational."""
        value = self.rational
        if value is not None:
            return (value > 0) - (value < 0)
        return 1 if self.sorted_terms()[0][1] > 0 else -1

    def number(self) -> flint.arb:
        """The value as a ball; it contains 0 only where no precision tells the value from 0."""
        if self._number is None:
            for bits in PRECISION_BITS:
                ball = self._ball(bits)
                if ball.rel_accuracy_bits() >= ACCURACY_BITS:
                    break
            self._number = ball
        return self._number

    def _ball(self, bits: int) -> flint.arb:
        with flint.ctx.workprec(bits):
            total = flint.arb(0)
            for monomial, coefficient in self.terms.items():
                term = flint.arb(_fmpq(coefficient))
                for name, exponent in monomial:
                    term *= _atom_ball(_atoms[name], bits) ** exponent
                total += term
        return total

    def midpoint(self) -> Fraction:
        """The value as a rational that agrees with it to `ACCURACY_BITS` bits; exact for rationals."""
        value = self.rational
        if value is not None:
            return value
        ball = self.number()
        if ball.contains(0):
            return Fraction(0)
        mantissa, exponent = ball.mid().man_exp()
        return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)

    def __float__(self) -> float:
        """The nearest double."""
        return float(self.midpoint())

    def __str__(self) -> str:
        return " + ".join(_term_text(m, c) for m, c in self.sorted_terms()) or "0"

    def plain(self) -> str:
        """The value as a person would write it: 0.432, 1/3, -pi/2."""
        return " + ".join(_plain_term(m, c) for m, c in self.sorted_terms()).replace("+ -", "- ") or "0"

    def __repr__(self) -> str:
        return f"Exact({self})"


def _term_text(monomial: Monomial, coefficient: Fraction) -> str:
    factors = [name if exponent == 1 else f"{name}**{exponent}" for name, exponent in monomial]
    if coefficient != 1 or not factors:
        factors.insert(0, str(coefficient))
    return "*".join(factors)


def _plain_term(monomial: Monomial, coefficient: Fraction) -> str:
    if not monomial:
        return _plain_fraction(coefficient)
    factors = "*".join(name if exponent == 1 else f"{name}**{exponent}" for name, exponent in monomial)
    top, bottom = coefficient.numerator, coefficient.denominator
    front = {1: "", -1: "-"}.get(top, f"{top}*")
    return f"{front}{factors}" + (f"/{bottom}" if bottom != 1 else "")


def _plain_fraction(value: Fraction) -> str:
    """A decimal where it ends after at most 12 digits, else a fraction."""
    for digits in range(13):
        scaled = value * 10**digits
        if scaled.denominator == 1:
            sign, number = ("-" if scaled < 0 else ""), str(abs(scaled.numerator)).rjust(digits + 1, "0")
            return sign + (f"{number[:-digits]}.{number[-digits:]}" if digits else number)
    return str(value)


def _fmpq(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)


def _atom_ball(atom: Atom, bits: int) -> flint.arb:
    if atom.kind == "pi":
        return flint.arb.pi()
    if atom.kind == "sqrt":
        return flint.arb(atom.radicand).sqrt()
    assert atom.argument is not None
    argument = atom.argument._ball(bits)
    if atom.kind == "cos":
        return argument.cos()
    if atom.kind == "sin":
        return argument.sin()
    return 1 / argument if atom.kind == "inverse" else argument


def _accumulate(terms: dict[Monomial, Fraction], monomial: Monomial, coefficient: Fraction) -> None:
    total = terms.get(monomial, 0) + coefficient
    if total:
        terms[monomial] = total
    else:
        terms.pop(monomial, None)


def _product(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    exponents = dict(left)
    for name, exponent in right:
        exponents[name] = exponents.get(name, 0) + exponent
    return tuple(sorted(exponents.items()))


def _reduced(terms: dict[Monomial, Fraction]) -> dict[Monomial, Fraction]:
    """Apply √n² = n and sin² = 1 − cos² until neither applies."""
    pending = dict(terms)
    result: dict[Monomial, Fraction] = {}
    while pending:
        monomial, coefficient = pending.popitem()
        for name, exponent in monomial:
            atom = _atoms[name]
            if exponent >= 2 and atom.kind in ("sqrt", "sin"):
                rest = _without(monomial, name, 2)
                if atom.kind == "sqrt":
                    _accumulate(pending, rest, coefficient * atom.radicand)
                else:
                    cosine = _register(Atom("cos", argument=atom.argument))
                    _accumulate(pending, rest, coefficient)
                    _accumulate(pending, _product(rest, ((cosine, 2),)), -coefficient)
                break
        else:
            _accumulate(result, monomial, coefficient)
    return result


def _without(monomial: Monomial, name: str, power: int) -> Monomial:
    return tuple((n, e - power if n == name else e) for n, e in monomial if n != name or e > power)


def _guarded(terms: dict[Monomial, Fraction]) -> Exact:
    """The constant with these terms, or an atom that stands for it if there are too many."""
    value = Exact(terms)
    if len(terms) <= MAX_TERMS:
        return value
    return Exact({((_register(Atom("value", argument=value)), 1),): Fraction(1)})


ZERO = Exact({})
ONE = Exact.of(1)
PI = Exact({((_register(Atom("pi")), 1),): Fraction(1)})


# square roots --------------------------------------------------------------------------------------


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
    names = sorted(_register(Atom("sqrt", radicand=prime)) for prime in primes)
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


# angles --------------------------------------------------------------------------------------------


def cos_sin(angle: Number) -> tuple[Exact, Exact]:
    """(cos, sin) of an angle in radians, exact: multiples of π/12 in roots, others as atoms."""
    quarter_turns, rest = split_quarter_turns(Exact.of(angle))
    c, s = _cos_sin_within_quarter(rest)
    for _ in range(quarter_turns % 4):
        c, s = -s, c
    return c, s


def split_quarter_turns(angle: Exact) -> tuple[int, Exact]:
    """(k, rest) with angle = k π/2 + rest, the rest's multiple of π in [−1/4, 1/4)."""
    turns = pi_multiple(angle)
    quarter_turns = (2 * turns + Fraction(1, 2)).__floor__()
    return quarter_turns, angle - PI * Fraction(quarter_turns, 2)


def pi_multiple(angle: Exact) -> Fraction:
    """The rational coefficient of π in `angle`."""
    return angle.terms.get((("pi", 1),), Fraction(0))


def _cos_sin_within_quarter(angle: Exact) -> tuple[Exact, Exact]:
    if not angle:
        return ONE, ZERO
    if angle.leading_sign < 0:
        c, s = _cos_sin_within_quarter(-angle)
        return c, -s
    twelfths = pi_multiple(angle) * 12
    if angle == PI * pi_multiple(angle) and twelfths.denominator == 1:
        return _cos_of_twelfths(int(twelfths)), _cos_of_twelfths(6 - int(twelfths))
    cosine, sine = (_register(Atom(kind, argument=angle)) for kind in ("cos", "sin"))
    return Exact({((cosine, 1),): Fraction(1)}), Exact({((sine, 1),): Fraction(1)})


def _cos_of_twelfths(k: int) -> Exact:
    """cos(k π/12) for k = 0 … 6."""
    table = {
        0: ONE,
        1: (sqrt(6) + sqrt(2)) / 4,
        2: sqrt(3) / 2,
        3: sqrt(2) / 2,
        4: ONE / 2,
        5: (sqrt(6) - sqrt(2)) / 4,
        6: ZERO,
    }
    return table[k]
