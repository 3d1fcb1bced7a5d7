"""Exact constants: rational numbers extended by π, square roots, and cosines and sines of fixed angles.

An `Exact` is a polynomial with rational coefficients in *atoms* (π, √2, cos(7/10), …), kept in a normal form
by √n² = n and sin² = 1 − cos². Multiples of π/12 have their closed form, an angle and its negative share their
atoms, and so do angles that differ by quarter turns. Hence two constants that are equal by these rules *are* equal,
cos(π/2) is 0, and nothing is rounded before it is printed.

Algebraic relations that these rules do not know, such as cos(0.6) = 2 cos(0.3)² − 1, are decided in `zero`; == and
`bool` compare normal forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import TypeAlias

import flint

from symgen.algebra.atoms import Atom as Atom  # users of constants find atoms here
from symgen.algebra.atoms import atom_named as atom_named
from symgen.algebra.atoms import register as register
from symgen.algebra.monomials import UNIT, Monomial, accumulate, plain_term, product, term_text, without
from symgen.algebra.zero import is_zero
from symgen.errors import LimitError

Number: TypeAlias = "int | Fraction | Exact"

PRECISION_BITS = (320, 1280, 5120)
"""Working precisions of numeric values, tried in turn until digits are left over for printing to round once."""

ACCURACY_BITS = 160
"""Bits of a numeric value that must be right; a value that has fewer at the last precision passes for 0."""

MAX_TERMS = 96
"""A constant with more terms than this is replaced by an atom of its own."""


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
        return Exact({UNIT: value if isinstance(value, Fraction) else Fraction(value)} if value else {})

    # arithmetic ----------------------------------------------------------------------------------

    def __add__(self, other: Number) -> Exact:
        if not isinstance(other, Exact):
            if not isinstance(other, int | Fraction):
                return NotImplemented
            other = Exact.of(other)
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            accumulate(terms, monomial, coefficient)
        return _guarded(terms)

    __radd__ = __add__

    def __neg__(self) -> Exact:
        return Exact({monomial: -coefficient for monomial, coefficient in self.terms.items()})

    def __sub__(self, other: Number) -> Exact:
        return self + -other

    def __rsub__(self, other: Number) -> Exact:
        return -self + other

    def __mul__(self, other: Number) -> Exact:
        if not isinstance(other, Exact):
            if not isinstance(other, int | Fraction):
                return NotImplemented
            other = Exact.of(other)
        a, b = self.rational, other.rational
        if a is not None and b is not None:
            return Exact({UNIT: a * b} if a and b else {})
        terms: dict[Monomial, Fraction] = {}
        for left, x in self.terms.items():
            for right, y in other.terms.items():
                accumulate(terms, product(left, right), x * y)
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
        """1/self, a new atom but for rationals and single roots.

        Raises `ZeroDivisionError` for zero, and `LimitError` for what cannot be told from it.
        """
        if not self.terms:
            raise ZeroDivisionError("division of a constant by zero")
        value = self.rational
        if value is not None:
            return Exact.of(1 / value)
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            if all(atom_named(name).kind == "sqrt" for name, _ in monomial):
                square = Fraction(1)
                for name, _ in monomial:
                    square *= atom_named(name).radicand
                return Exact({monomial: 1 / (coefficient * square)})
        if self.number().contains(0):
            if is_zero(self):
                raise ZeroDivisionError("division of a constant by zero")
            raise LimitError(
                f"1/({self.plain()[:80]}): the divisor cannot be told from zero; write it in a simpler form"
            )
        if self.leading_sign < 0:
            return -(-self).inverse()
        return as_constant(Atom("inverse", argument=self))

    # inspection ----------------------------------------------------------------------------------

    @property
    def rational(self) -> Fraction | None:
        """The value as a `Fraction`, or None if it is not rational."""
        if not self.terms:
            return Fraction(0)
        if len(self.terms) == 1:
            return self.terms.get(UNIT)
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
            return (value.numerator > 0) - (value.numerator < 0)
        return 1 if self.terms[min(self.terms)].numerator > 0 else -1

    def number(self) -> flint.arb:
        """The value as a ball; it contains 0 only where no precision tells the value from 0."""
        if self._number is None:
            for bits in PRECISION_BITS:
                ball = self.ball(bits)
                if ball.rel_accuracy_bits() >= ACCURACY_BITS:
                    break
            self._number = ball
        return self._number

    def ball(self, bits: int) -> flint.arb:
        """The value as a ball, computed with so many bits."""
        with flint.ctx.workprec(bits):
            total = flint.arb(0)
            for monomial, coefficient in self.terms.items():
                term = flint.arb(_fmpq(coefficient))
                for name, exponent in monomial:
                    term *= _atom_ball(name, bits) ** exponent
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
        return " + ".join(term_text(m, c) for m, c in self.sorted_terms()) or "0"

    def plain(self) -> str:
        """The value as a person would write it: 0.432, 1/3, -pi/2."""
        return " + ".join(plain_term(m, c) for m, c in self.sorted_terms()).replace("+ -", "- ") or "0"

    def __repr__(self) -> str:
        return f"Exact({self})"

    def __reduce__(self) -> tuple[object, ...]:
        # Another process knows no atoms by their names, and hashes texts in its own way.
        names = sorted({name for monomial in self.terms for name, _ in monomial})
        return _revived, (tuple(self.sorted_terms()), tuple(map(atom_named, names)))


def _revived(terms: tuple[tuple[Monomial, Fraction], ...], atoms: tuple[Atom, ...]) -> Exact:
    """The constant with these terms, its atoms registered in this process."""
    for atom in atoms:
        register(atom)
    return Exact(dict(terms))


def _fmpq(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)


@cache
def _atom_ball(name: str, bits: int) -> flint.arb:
    atom = atom_named(name)
    if atom.kind == "pi":
        return flint.arb.pi()
    if atom.kind == "sqrt":
        return flint.arb(atom.radicand).sqrt()
    assert atom.argument is not None
    argument = atom.argument.ball(bits)
    if atom.kind == "inverse":
        return 1 / argument
    return argument if atom.kind == "value" else getattr(argument, atom.kind)()


def _reduced(terms: dict[Monomial, Fraction]) -> dict[Monomial, Fraction]:
    """Apply √n² = n and sin² = 1 − cos² until neither applies."""
    pending = dict(terms)
    result: dict[Monomial, Fraction] = {}
    while pending:
        monomial, coefficient = pending.popitem()
        for name, exponent in monomial:
            atom = atom_named(name)
            if exponent >= 2 and atom.kind in ("sqrt", "sin"):
                rest = without(monomial, name, 2)
                if atom.kind == "sqrt":
                    accumulate(pending, rest, coefficient * atom.radicand)
                else:
                    cosine = register(Atom("cos", argument=atom.argument))
                    accumulate(pending, rest, coefficient)
                    accumulate(pending, product(rest, ((cosine, 2),)), -coefficient)
                break
        else:
            accumulate(result, monomial, coefficient)
    return result


def _guarded(terms: dict[Monomial, Fraction]) -> Exact:
    """The constant with these terms, or an atom that stands for it if there are too many."""
    value = Exact(terms)
    if len(terms) <= MAX_TERMS:
        return value
    return as_constant(Atom("value", argument=value))


def as_constant(atom: Atom) -> Exact:
    """The constant that is one atom."""
    return Exact({((register(atom), 1),): Fraction(1)})


ZERO = Exact({})
ONE = Exact.of(1)
PI = as_constant(Atom("pi"))
