"""The formula of a ring element: by velocities, then by inertial parameters, each with the shortest form of its factor.

The measure is the length of a formula: the numbers, letters and exponents to be written; it never exceeds that of the
normal form with the parameters drawn out. A formula is a sum of K_r F_r, with K_r linear in the inertial parameters and
F_r functions of lengths and angles. Parameters with the same F are put together; and where fewer or shorter products
come of it, F_r are chosen as a basis of what all parameters are multiplied with, the shortest first, and every
parameter is distributed over them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from symgen.algebra.ring import RingElement
from symgen.formulas.writing.alphabet import Alphabet
from symgen.formulas.writing.angles import doubled, variants
from symgen.formulas.writing.expressions import Product, Sum, ordered, plain
from symgen.formulas.writing.factoring import factored
from symgen.formulas.writing.polynomials import (
    Monomial,
    Number,
    Polynomial,
    accumulate,
    content,
    divided,
    magnitude,
    product,
    scaled,
    times,
)

MAX_TERMS = 4000
"""Longer elements are written as their normal form, collected; no shorter form is looked for."""

MAX_FACTOR_TERMS = 200
"""The same for the factor of a single parameter."""

MAX_BASIS_FUNCTIONS = 48
"""No basis is looked for among more functions than this."""


Group = dict[Monomial, Number]
"""Σ coefficient · monomial: of inertial parameters, or of rates."""


def formula(alphabet: Alphabet, element: RingElement) -> Sum:
    """The element as a person would write it."""
    polynomial = alphabet.polynomial(element)
    short = len(polynomial) <= MAX_TERMS
    parts = []
    for pair in _alike(_split(polynomial, alphabet.is_head)):
        heads, part = _balanced(*pair)
        collected = _multiplied(alphabet, heads, _collected(alphabet, part, short=short))
        parts += min(collected, _separate(alphabet, heads, part), key=lambda terms: Sum(tuple(terms)).length)
    whole = ordered(alphabet, parts)
    alone = whole.terms[0].factors[0] if len(whole.terms) == 1 and len(whole.terms[0].factors) == 1 else None
    if alone is not None and isinstance(alone[0], Sum) and alone[1] == whole.terms[0].coefficient == 1:
        return alone[0]  # needs no bracket
    return whole


def _separate(alphabet: Alphabet, heads: Group, part: Polynomial) -> list[Product]:
    """The terms of heads · part with nothing but the parameters drawn out: the measure of what collecting gains."""
    terms: list[Product] = []
    for key, function in _split(part, alphabet.is_inertial).items():
        for head, number in heads.items():
            factor = times(head, key)
            inner = plain(alphabet, scaled(function, number))
            terms += [_term(Sum((Product(1, factor),)), inner)] if factor else inner.terms
    return terms


def _multiplied(alphabet: Alphabet, heads: Group, inner: Sum) -> list[Product]:
    """heads · inner, without brackets around single terms."""
    if set(heads) == {()}:
        return [Product(term.coefficient * heads[()], term.factors) for term in inner.terms]
    return [_term(factored(alphabet, heads), inner)]


def _split(polynomial: Polynomial, chosen: Callable[[int], bool]) -> dict[Monomial, Polynomial]:
    """What the chosen letters of a term make → the rest of these terms."""
    parts: dict[Monomial, Polynomial] = {}
    known: dict[int, bool] = {}
    for monomial, value in polynomial.items():
        head: list[tuple[int, int]] = []
        rest: list[tuple[int, int]] = []
        for item in monomial:
            letter = item[0]
            if letter not in known:
                known[letter] = chosen(letter)
            (head if known[letter] else rest).append(item)
        parts.setdefault(tuple(head), {})[tuple(rest)] = value
    return parts


def _collected(alphabet: Alphabet, polynomial: Polynomial, *, short: bool) -> Sum:
    """Σ K F of a part."""
    factors = _split(polynomial, alphabet.is_inertial)
    alike = _alike(factors)
    if not short:
        return ordered(alphabet, [_term(plain(alphabet, group), plain(alphabet, F)) for group, F in alike])
    if len(alike) == 1 and alike[0][1] == {(): 1}:
        return plain(alphabet, alike[0][0])
    written = [(group, shortest(alphabet, F)) for group, F in alike]
    simple = ordered(
        alphabet, _terms(alphabet, [_rewritten(alphabet, *pair) for pair in zip(alike, written, strict=True)])
    )
    if not 1 < len(alike) <= MAX_BASIS_FUNCTIONS:
        return simple
    basis = ordered(alphabet, _terms(alphabet, _in_basis(alike, written)))
    fewer = (len(basis.terms), basis.length) < (len(simple.terms), simple.length)
    return basis if fewer and basis.length <= simple.length else simple


def _alike(factors: dict[Monomial, Polynomial]) -> list[tuple[Group, Polynomial]]:
    """Parameters whose factors are the same, but for a number, together."""
    groups: dict[tuple[tuple[Monomial, Number], ...], tuple[Group, Polynomial]] = {}
    for key, factor in sorted(factors.items()):
        lead: Number = factor[min(factor)]
        if len(factor) > 1:
            lead = content(list(factor.values()))
        unit = {monomial: divided(value, lead) for monomial, value in factor.items()}
        sign = 1 if unit[min(unit)] > 0 else -1
        unit = {monomial: value * sign for monomial, value in unit.items()}
        group, _ = groups.setdefault(tuple(sorted(unit.items())), ({}, unit))
        group[key] = lead * sign
    return list(groups.values())


def _balanced(group: Group, function: Polynomial) -> tuple[Group, Polynomial]:
    """The two with a number moved from the parameters to their factor, where fewer numbers are written then."""
    sizes = sorted({magnitude(value) for value in group.values()} - {1})
    sizes = sizes if set(group) == {()} else [1, *sizes]

    def moved(size: Number) -> tuple[Group, Polynomial]:
        return {key: divided(value, size) for key, value in group.items()}, scaled(function, size)

    return min(map(moved, sizes), key=lambda pair: _numbers(*pair)) if sizes else (group, function)


def _numbers(*sums: Polynomial) -> int:
    """Numbers to write in a product of sums; what all terms of a sum have in common is drawn out."""
    total, drawn = 0, Fraction(1)
    for terms in sums:
        sizes = {magnitude(value) for value in terms.values()}
        if set(terms) == {()} or len(sizes) == 1:
            drawn *= sizes.pop()
            total += len(terms) > 1 and () in terms
        else:
            total += sum(abs(value) != 1 or not monomial for monomial, value in terms.items())
    return total + (drawn != 1)


def _rewritten(alphabet: Alphabet, pair: tuple[Group, Polynomial], written: tuple[Group, Sum]) -> tuple[Group, Sum]:
    """The written pair, or what it becomes with a number moved, if that is shorter."""
    group, function = _balanced(*pair)
    if (group, function) == pair:
        return written
    other = group, shortest(alphabet, function)
    return min(written, other, key=lambda item: Sum(tuple(_terms(alphabet, [item]))).length)


def _terms(alphabet: Alphabet, groups: Sequence[tuple[Group, Sum]]) -> list[Product]:
    terms = []
    for group, written in groups:
        if set(group) == {()} and len(group) == 1:
            scale = group[()]
            terms += [Product(term.coefficient * scale, term.factors) for term in written.terms]
        elif group:
            terms.append(_term(plain(alphabet, group), written))
    return terms


def _term(outer: Sum, written: Sum) -> Product:
    """K · F as one product."""
    number: Number = 1
    factors: tuple[tuple[int | Sum, int], ...] = ()
    for part in (outer, written):
        common = _common_number(part)
        number *= common
        part = Sum(tuple(Product(divided(term.coefficient, common), term.factors) for term in part.terms))
        factors += part.terms[0].factors if len(part.terms) == 1 else ((part, 1),)
        if len(part.terms) == 1:
            number *= part.terms[0].coefficient
    return Product(number, factors)


def _common_number(part: Sum) -> Number:
    """The number that can be drawn out of a sum: of equal size in all terms."""
    first = part.terms[0].coefficient
    size = magnitude(first)
    sign = -1 if all(term.coefficient < 0 for term in part.terms) else 1
    return size * sign if all(abs(term.coefficient) == size for term in part.terms) else sign


def shortest(alphabet: Alphabet, polynomial: Polynomial) -> Sum:
    """The shortest way found to write a polynomial: other angles, double angles, squares, common factors."""
    if len(polynomial) == 1 or len(polynomial) > MAX_FACTOR_TERMS:
        candidates = [polynomial]
    else:
        candidates = variants(alphabet, polynomial)
    found = []
    for candidate in candidates:
        found.append(factored(alphabet, candidate))
        twice = doubled(alphabet, candidate)
        if twice != candidate:
            found.append(factored(alphabet, twice))
    found.append(plain(alphabet, polynomial))
    return min(found, key=lambda value: value.length)


# a basis of the functions ----------------------------------------------------------------------------


def _in_basis(alike: list[tuple[Group, Polynomial]], written: list[tuple[Group, Sum]]) -> list[tuple[Group, Sum]]:
    """The groups distributed over the shortest independent functions among theirs."""
    order = sorted(range(len(alike)), key=lambda index: (written[index][1].length, index))
    chosen: list[int] = []
    rows: list[tuple[Monomial, Polynomial, dict[int, Number]]] = []
    combinations: dict[int, dict[int, Number]] = {}
    for index in order:
        rest, used = _eliminated(alike[index][1], rows)
        if not rest:
            combinations[index] = {k: -value for k, value in used.items()}
            continue
        pivot = min(rest)
        used[index] = 1
        rows.append((pivot, rest, used))
        chosen.append(index)
        combinations[index] = {index: 1}
    groups: dict[int, Group] = {index: {} for index in chosen}
    for index, combination in combinations.items():
        for member, factor in combination.items():
            for key, value in alike[index][0].items():
                accumulate(groups[member], key, value * factor)
    return [(groups[index], written[index][1]) for index in sorted(chosen)]


def _eliminated(
    function: Polynomial, rows: list[tuple[Monomial, Polynomial, dict[int, Number]]]
) -> tuple[Polynomial, dict[int, Number]]:
    """(what is left of a function after elimination, the combination of functions that was added)."""
    rest = dict(function)
    used: dict[int, Number] = {}
    for pivot, row, combination in rows:
        value = rest.get(pivot)
        if not value:
            continue
        factor = divided(-value, row[pivot])
        for monomial, entry in product({(): factor}, row).items():
            accumulate(rest, monomial, entry)
        for index, share in combination.items():
            used[index] = used.get(index, 0) + factor * share
    return rest, used
