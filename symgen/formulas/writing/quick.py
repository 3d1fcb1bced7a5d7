"""Ring elements as SymPy expressions, quickly: collected by rates and inertial parameters, the rest in normal form.

SymPy spends its time on sorting and merging factors that are sorted and distinct already. The products and sums here
are put together in SymPy's own canonical order without that, and equal what its constructors make.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any

from symgen.algebra.ring_element import RingElement
from symgen.formulas.writing.alphabet import Alphabet
from symgen.formulas.writing.polynomials import Monomial

if TYPE_CHECKING:
    import sympy


def quick_expression(alphabet: Alphabet, element: RingElement, letter: Callable[[int], sympy.Expr]) -> sympy.Expr:
    """Σ rates · parameter · F, with every F a sum in normal form."""
    import sympy

    used = sorted(element.generators())
    outside = {index for index in used if alphabet.is_head(index) or alphabet.is_inertial(index)}
    parts: dict[Monomial, list[tuple[Fraction, Monomial]]] = {}
    for powers, value in element.ring.current(element).to_dict().items():
        items = [(index, int(powers[index])) for index in used if powers[index]]
        head = tuple(item for item in items if item[0] in outside)
        rest = tuple(item for item in items if item[0] not in outside)
        parts.setdefault(head, []).append((Fraction(int(value.p), int(value.q)), rest))
    sums = _Sums(letter)
    return sympy.Add(
        *(
            sympy.Mul(*(letter(index) ** power for index, power in head), sums.total(terms))
            for head, terms in sorted(parts.items())
        )
    )


class _Sums:
    """Makes sums of products; factors are ranked in SymPy's order as they become known."""

    def __init__(self, letter: Callable[[int], sympy.Expr]) -> None:
        self._letter = letter
        self._powers: dict[tuple[int, int], Any] = {}
        self._numbers: dict[Fraction, Any] = {}

    def total(self, terms: list[tuple[Fraction, Monomial]]) -> sympy.Expr:
        """Σ coefficient · monomial; the monomials are distinct."""
        import sympy
        from sympy.core.basic import Basic

        order = cmp_to_key(Basic.compare)
        for value, monomial in terms:
            if value not in self._numbers:
                self._numbers[value] = sympy.Rational(value.numerator, value.denominator)
            for item in monomial:
                if item not in self._powers:
                    self._powers[item] = self._letter(item[0]) ** item[1]
        if len(terms) < 3 or not self._is_plain():
            return sympy.Add(
                *(sympy.Mul(self._numbers[v], *(self._powers[item] for item in monomial)) for v, monomial in terms)
            )
        factors = sorted([*self._powers.values(), *self._numbers.values()], key=order)
        ranks = {factor: rank for rank, factor in enumerate(factors)}
        products, others = [], []
        for value, monomial in terms:
            powers = sorted((self._powers[item] for item in monomial), key=ranks.__getitem__)
            args = powers if value == 1 else [self._numbers[value], *powers]
            if len(args) > 1:
                products.append(((len(args), *(ranks[arg] for arg in args)), sympy.Mul._from_args(args)))
            else:
                others.append(args[0] if args else self._numbers[value])
        products.sort(key=lambda item: item[0])
        return _sum([product for _, product in products], others)

    def _is_plain(self) -> bool:
        """Whether products of powers of different letters stay as they are; √2 √3 becomes √6."""
        factors = self._powers.values()
        roots = sum(factor.is_Pow and factor.base.is_Rational for factor in factors)
        return roots < 2 and not any(factor.is_Mul or factor.is_Add or factor.is_Number for factor in factors)


def _sum(products: list[Any], others: list[Any]) -> sympy.Expr:
    """The sum of sorted products and of some single factors."""
    import sympy
    from sympy.core.basic import Basic

    order = cmp_to_key(Basic.compare)
    numbers = [other for other in others if other.is_Number]
    singles = sorted((other for other in others if not other.is_Number), key=order)
    if not products:
        return sympy.Add(*others)
    before = [other for other in singles if Basic.compare(other, products[0]) < 0]
    after = [other for other in singles if Basic.compare(other, products[0]) > 0]
    return sympy.Add._from_args([*numbers, *before, *products, *after])
