"""Formulas as trees: sums of products of letters, sums and powers, in the order in which they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symgen.formulas.writing.alphabet import Alphabet
from symgen.formulas.writing.polynomials import UNIT, Number, Polynomial, product

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class Product:
    """coefficient · Π factor^exponent; a factor is a letter or a `Sum`."""

    coefficient: Number
    factors: tuple[tuple[int | Sum, int], ...] = ()

    @cached_property
    def length(self) -> int:
        """Numbers, letters and exponents to write."""
        total = 0 if abs(self.coefficient) == 1 and self.factors else 1
        for factor, exponent in self.factors:
            total += (factor.length if isinstance(factor, Sum) else 1) + (exponent != 1)
        return total

    def letters(self) -> Iterator[int]:
        """Every letter, as often as it is written."""
        for factor, _ in self.factors:
            if isinstance(factor, Sum):
                yield from factor.letters()
            else:
                yield factor


@dataclass(frozen=True)
class Sum:
    """A sum of products; none is 0."""

    terms: tuple[Product, ...]

    @cached_property
    def length(self) -> int:
        """Numbers, letters and exponents to write: the measure by which the shortest form is chosen."""
        return sum(term.length for term in self.terms)

    def letters(self) -> Iterator[int]:
        """Every letter, as often as it is written."""
        for term in self.terms:
            yield from term.letters()

    def polynomial(self) -> Polynomial:
        """Multiplied out."""
        total: Polynomial = {}
        for term in self.terms:
            expanded: Polynomial = {UNIT: term.coefficient}
            for factor, exponent in term.factors:
                inner: Polynomial = {((factor, 1),): 1} if not isinstance(factor, Sum) else factor.polynomial()
                for _ in range(exponent):
                    expanded = product(expanded, inner)
            for monomial, value in expanded.items():
                total[monomial] = total.get(monomial, 0) + value
        return {monomial: value for monomial, value in total.items() if value}

    def sympy(self, letter: Callable[[int], sympy.Expr]) -> sympy.Expr:
        """As a SymPy expression, factors left as they are."""
        import sympy

        return sympy.Add(*(_product_sympy(term, letter) for term in self.terms))


def _product_sympy(term: Product, letter: Callable[[int], sympy.Expr]) -> sympy.Expr:
    import sympy

    factors = [
        (factor.sympy(letter) if isinstance(factor, Sum) else letter(factor)) ** exponent
        for factor, exponent in term.factors
    ]
    number = sympy.Rational(term.coefficient.numerator, term.coefficient.denominator)
    return sympy.Mul(number, *factors)


def plain(alphabet: Alphabet, polynomial: Mapping[Any, Number]) -> Sum:
    """A polynomial as a sum of its terms, in order."""
    return ordered(alphabet, [Product(value, monomial) for monomial, value in polynomial.items()])


def ordered(alphabet: Alphabet, terms: list[Product]) -> Sum:
    """The sum of `terms`, these and their factors in the order in which they are written."""
    arranged = [_arranged(alphabet, term) for term in terms]
    arranged.sort(key=lambda term: _term_order(alphabet, term))
    first_positive = next((index for index, term in enumerate(arranged) if term.coefficient > 0), 0)
    if first_positive:
        arranged.insert(0, arranged.pop(first_positive))
    return Sum(tuple(arranged))


def _arranged(alphabet: Alphabet, term: Product) -> Product:
    """A product with its factors in order; a minus sign goes into a sum that has one already, and out of others."""
    coefficient, factors = term.coefficient, []
    for factor, exponent in term.factors:
        if isinstance(factor, Sum) and _better_negative(factor, coefficient, exponent):
            factor = ordered(alphabet, list(negative(factor).terms))
            coefficient = coefficient * (-1) ** exponent
        factors.append((factor, exponent))
    factors.sort(key=lambda item: _factor_order(alphabet, item[0]))
    return Product(coefficient, tuple(factors))


def _better_negative(factor: Sum, coefficient: Number, exponent: int) -> bool:
    minus = sum(term.coefficient < 0 for term in factor.terms)
    if minus == len(factor.terms):
        return True
    return coefficient < 0 and exponent % 2 == 1 and minus > 0


def negative(value: Sum) -> Sum:
    """−value."""
    return Sum(tuple(Product(-term.coefficient, term.factors) for term in value.terms))


def _factor_order(alphabet: Alphabet, factor: int | Sum) -> tuple[Any, ...]:
    return ("000003", f"{10**6 - factor.length:06d}") if isinstance(factor, Sum) else alphabet.order(factor)


def _term_order(alphabet: Alphabet, term: Product) -> tuple[Any, ...]:
    """What is constant first, then by inertial parameters, then by the number of cosines and sines, then by letters."""
    letters = list(term.letters())
    keys = [alphabet.order(letter) for letter in letters]
    trigonometric = sum(alphabet.is_trigonometric(letter) for letter in letters)
    inertial = [key for letter, key in zip(letters, keys, strict=True) if alphabet.is_inertial(letter)]
    heads = [key for letter, key in zip(letters, keys, strict=True) if alphabet.is_head(letter)]
    powers = [-exponent for _, exponent in term.factors]
    rank = max((alphabet.head_rank(letter) for letter in letters), default=0)
    return rank, heads, trigonometric > 0, inertial, trigonometric, keys, powers, -term.coefficient
