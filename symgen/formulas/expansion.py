"""Full expansion: definitions put in place, quotients of polynomials, up to a stated size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from symgen.algebra.generators import DEFINITION, RECIPROCAL
from symgen.algebra.ring import Ring
from symgen.algebra.ring_element import RingElement
from symgen.errors import LimitError
from symgen.formulas.robot_in_ring import RobotInRing
from symgen.formulas.writing.collecting import formula

if TYPE_CHECKING:
    import sympy

EXPANSION_LIMIT = 20_000
"""Terms of a numerator or denominator that an expansion may have, unless another limit is given."""


@dataclass(frozen=True)
class _Fraction:
    numerator: RingElement
    denominator: RingElement


def expanded(subject: RobotInRing, element: RingElement, limit: int = EXPANSION_LIMIT) -> sympy.Expr:
    """The element without named definitions; `LimitError` if it would have more than `limit` terms."""
    fraction = _Expansion(subject.ring, limit)(element)
    above, below = (_sympy(subject, part) for part in (fraction.numerator, fraction.denominator))
    return above / below


def _sympy(subject: RobotInRing, element: RingElement) -> sympy.Expr:
    return formula(subject.alphabet, element).sympy(subject.notation.sympy)


class _Expansion:
    def __init__(self, ring: Ring, limit: int) -> None:
        self.ring = ring
        self.limit = limit
        self._known = {definition.name: definition for definition in ring.definitions}
        self._values: dict[str, _Fraction] = {}

    def __call__(self, element: RingElement) -> _Fraction:
        one = self.ring.constant(1)
        plain: RingElement = self.ring.constant(0)
        total: _Fraction | None = None
        for powers, coefficient in element.terms():
            term = _Fraction(self.ring.constant(coefficient), one)
            for index, exponent in powers.items():
                value = self._value(index)
                for _ in range(exponent):
                    term = self._product(term, value)
            if term.denominator == one:
                plain = plain + term.numerator
            else:
                total = term if total is None else self._sum(total, term)
        if plain.summands > self.limit:
            self._refuse(plain.summands)
        rest = _Fraction(plain, one)
        return rest if total is None else self._sum(total, rest)

    def _value(self, index: int) -> _Fraction:
        letter = self.ring.generators[index]
        one = self.ring.constant(1)
        if letter.kind == DEFINITION and letter.name in self._known:
            return self._definition(letter.name)
        if letter.kind == RECIPROCAL and letter.argument.kind == DEFINITION:
            value = self._definition(letter.argument.name)
            return _Fraction(value.denominator, value.numerator)
        return _Fraction(self.ring.at(index), one)

    def _definition(self, name: str) -> _Fraction:
        if name not in self._values:
            definition = self._known[name]
            value = self(definition.numerator)
            if definition.denominator is not None:
                below = self(definition.denominator)
                value = self._product(value, _Fraction(below.denominator, below.numerator))
            self._values[name] = value
        return self._values[name]

    def _product(self, a: _Fraction, b: _Fraction) -> _Fraction:
        return self._reduced(self._times(a.numerator, b.numerator), self._times(a.denominator, b.denominator))

    def _sum(self, a: _Fraction, b: _Fraction) -> _Fraction:
        if a.denominator == b.denominator:
            return self._reduced(a.numerator + b.numerator, a.denominator)
        numerator = self._times(a.numerator, b.denominator) + self._times(b.numerator, a.denominator)
        return self._reduced(numerator, self._times(a.denominator, b.denominator))

    def _times(self, a: RingElement, b: RingElement) -> RingElement:
        if min(a.summands, b.summands) > 1 and a.summands * b.summands > 50 * self.limit:
            self._refuse(max(a.summands, b.summands))
        product = a * b
        if product.summands > self.limit:
            self._refuse(product.summands)
        return product

    def _refuse(self, terms: int) -> None:
        raise LimitError(
            f"the full expansion has at least {terms:,} terms on the way, more than the limit of {self.limit:,}; use "
            "the form in named definitions, or give a higher limit"
        )

    def _reduced(self, numerator: RingElement, denominator: RingElement) -> _Fraction:
        """Without the common factors of the polynomials."""
        a, b = self.ring.current(numerator), self.ring.current(denominator)
        common = a.gcd(b)
        if common == 1 or common == 0:
            return _Fraction(numerator, denominator)
        return _Fraction(
            RingElement(self.ring, self.ring.reduced(a / common)), RingElement(self.ring, self.ring.reduced(b / common))
        )
