"""Common factors and squares of a sum: the shorter way of writing a polynomial."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import isqrt

from symgen.formulas.writing.alphabet import Alphabet
from symgen.formulas.writing.expressions import Product, Sum, negative, ordered, plain
from symgen.formulas.writing.polynomials import (
    Monomial,
    Number,
    Polynomial,
    accumulate,
    common,
    content,
    divided,
    quotient,
    scaled,
    times,
    whole,
)

MAX_FACTORED_TERMS = 80
"""Longer polynomials are left as sums of their terms."""


def factored(alphabet: Alphabet, polynomial: Polynomial) -> Sum:
    """The polynomial with squares of sums and common factors drawn out, where that is shorter."""
    if not 1 < len(polynomial) <= MAX_FACTORED_TERMS:
        return plain(alphabet, polynomial)
    key = frozenset(polynomial.items())
    if key not in alphabet.factored:
        alphabet.factored[key] = _factored(alphabet, polynomial)
    known: Sum = alphabet.factored[key]
    return known


def _factored(alphabet: Alphabet, polynomial: Polynomial) -> Sum:
    found = [plain(alphabet, polynomial), ordered(alphabet, _merged(alphabet, _common_factors(alphabet, polynomial)))]
    for sign in (1, -1):
        squared, rest = _squares(alphabet, scaled(polynomial, sign))
        if squared:
            terms = [Product(term.coefficient * sign, term.factors) for term in squared]
            terms += _common_factors(alphabet, scaled(rest, sign))
            found.append(ordered(alphabet, _merged(alphabet, terms)))
    return min(found, key=lambda value: value.length)


# squares -------------------------------------------------------------------------------------------


def _squares(alphabet: Alphabet, polynomial: Polynomial) -> tuple[list[Product], Polynomial]:
    """(squares of sums, the terms that remain)."""
    found: list[Product] = []
    rest = dict(polynomial)
    while (square := _square(alphabet, rest)) is not None:
        base = dict(square)
        for (a, _), (b, _) in combinations(square, 2):
            rest.pop(times(a, b))
        for a, _ in square:
            rest.pop(times(a, a))
        found.append(_power(factored(alphabet, base), 2))
    return found, rest


def _power(base: Sum, exponent: int) -> Product:
    """base^exponent; a base of one product gives a product of powers."""
    if len(base.terms) > 1:
        return Product(1, ((base, exponent),))
    (only,) = base.terms
    return Product(only.coefficient**exponent, tuple((factor, k * exponent) for factor, k in only.factors))


def _square(alphabet: Alphabet, polynomial: Polynomial) -> list[tuple[Monomial, Number]] | None:
    """Terms whose sum squared is part of the polynomial; None if there is no such sum."""
    roots = [root for root in (_root(*term) for term in polynomial.items()) if root is not None]
    roots.sort(key=lambda root: _rank(alphabet, root[0]))
    for start, (first, x) in enumerate(roots):
        chosen = [(first, x)]
        for monomial, y in roots[start + 1 :]:
            for signed in (y, -y):
                if all(polynomial.get(times(a, monomial)) == 2 * b * signed for a, b in chosen):
                    chosen.append((monomial, signed))
                    break
        if len(chosen) > 1:
            return chosen
    return None


def _root(monomial: Monomial, value: Number) -> tuple[Monomial, Number] | None:
    """The square root of a term, if it is a square of a term."""
    if value <= 0 or any(exponent % 2 for _, exponent in monomial):
        return None
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top != value.numerator or bottom * bottom != value.denominator:
        return None
    return tuple((letter, exponent // 2) for letter, exponent in monomial), whole(Fraction(top, bottom))


# common factors --------------------------------------------------------------------------------------


def _common_factors(alphabet: Alphabet, polynomial: Polynomial) -> list[Product]:
    """Terms with the divisor that saves most drawn out, then the next, until none saves anything."""
    rest, found = dict(polynomial), []
    while (divisor := _best_divisor(alphabet, rest)) is not None:
        inside = {m: v for m, v in rest.items() if common(m, divisor) == divisor}
        for monomial in inside:
            del rest[monomial]
        number = _drawn(inside, divisor)
        quotients = {quotient(m, divisor): divided(v, number) for m, v in inside.items()}
        inner = factored(alphabet, quotients)
        if len(inner.terms) == 1:
            (only,) = inner.terms
            found.append(Product(number * only.coefficient, _joined(divisor, only.factors)))
        else:
            found.append(Product(number, (*divisor, (inner, 1))))
    return found + [Product(value, monomial) for monomial, value in rest.items()]


def _drawn(terms: Polynomial, divisor: Monomial) -> Number:
    """The number that is drawn out of terms with their divisor: none where more numbers are written then."""
    number = content(list(terms.values()))

    def numbers(drawn: Number) -> int:
        return (drawn != 1) + sum(abs(value) != drawn or monomial == divisor for monomial, value in terms.items())

    return number if numbers(number) <= numbers(1) else 1


def _joined(divisor: Monomial, factors: tuple[tuple[int | Sum, int], ...]) -> tuple[tuple[int | Sum, int], ...]:
    """divisor · Π factors."""
    letters = tuple((factor, exponent) for factor, exponent in factors if not isinstance(factor, Sum))
    sums = tuple((factor, exponent) for factor, exponent in factors if isinstance(factor, Sum))
    return (*times(divisor, tuple(sorted(letters))), *sums)


def _best_divisor(alphabet: Alphabet, polynomial: Polynomial) -> Monomial | None:
    """The common divisor of two or more terms that saves most letters; None if there is none.

    Monomials are bit masks with a bit for every letter and exponent up to its own: divisors are subsets.
    """
    bits: dict[tuple[int, int], int] = {}
    masks = []
    for monomial in polynomial:
        mask = 0
        for letter, exponent in monomial:
            for k in range(1, exponent + 1):
                mask |= 1 << bits.setdefault((letter, k), len(bits))
        masks.append(mask)
    candidates = {a & b for a, b in combinations(masks, 2)} - {0}
    singles = sum(1 << bit for (_, k), bit in bits.items() if k <= 2)  # an exponent is written once
    best, most = [], 0
    for divisor in candidates:
        number = sum(mask & divisor == divisor for mask in masks)
        saved = (number - 1) * (divisor & singles).bit_count()
        if saved > most:
            best, most = [divisor], saved
        elif saved == most:
            best.append(divisor)
    if not best:
        return None
    found = [_monomial(bits, divisor) for divisor in best]
    ranks = {divisor: _rank(alphabet, divisor) for divisor in found}
    return min(found, key=lambda divisor: ([order for _, order, _ in ranks[divisor]], ranks[divisor]))


def _rank(alphabet: Alphabet, monomial: Monomial) -> list[tuple[int, tuple[str, ...], int]]:
    """What orders monomials; the numbers of letters that the ring lacks depend on what came before and do not count."""
    return sorted((max(letter, -1), alphabet.order(letter), exponent) for letter, exponent in monomial)


def _monomial(bits: dict[tuple[int, int], int], mask: int) -> Monomial:
    powers: dict[int, int] = {}
    for (letter, k), bit in bits.items():
        if mask >> bit & 1:
            powers[letter] = max(k, powers.get(letter, 0))
    return tuple(sorted(powers.items()))


def _merged(alphabet: Alphabet, terms: list[Product]) -> list[Product]:
    """a S + b S written as (a + b) S, for sums S that are the same but for their sign."""
    shared: dict[Sum, Polynomial] = {}
    result: list[Product] = []
    for term in terms:
        sums = [factor for factor, exponent in term.factors if isinstance(factor, Sum) and exponent == 1]
        letters = [(factor, k) for factor, k in term.factors if not isinstance(factor, Sum)]
        if len(sums) != 1 or len(letters) != len(term.factors) - 1:
            result.append(term)
            continue
        (factor,) = sums
        sign = 1 if factor.terms[0].coefficient > 0 else -1
        factor = factor if sign > 0 else negative(factor)
        key = next((known for known in shared if _same(known, factor)), factor)
        if key is not factor and key.terms[0] not in factor.terms:
            sign = -sign
        accumulate(shared.setdefault(key, {}), tuple(sorted(letters)), term.coefficient * sign)
    for factor, polynomial in shared.items():
        if not polynomial:
            continue
        cofactor = factored(alphabet, polynomial)
        if len(cofactor.terms) == 1:
            (only,) = cofactor.terms
            result.append(Product(only.coefficient, (*only.factors, (factor, 1))))
        else:
            result.append(Product(1, ((cofactor, 1), (factor, 1))))
    return result


def _same(a: Sum, b: Sum) -> bool:
    """Whether two sums have the same terms, or opposite ones, in any order."""
    return set(a.terms) == set(b.terms) or set(a.terms) == set(negative(b).terms)
