"""Vanishing sums of roots of unity and square roots, judged by FLINT's cyclotomic polynomials and by mpmath."""

from math import prod

import flint
import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symgen.algebra.cyclotomic import unity_sum_vanishes, vanishes
from symgen.algebra.work import UndecidedError, Work

PLENTY = 10**6
NO_ROOTS = frozenset()

orders = st.one_of(st.integers(1, 400), st.sampled_from([30, 210, 360, 420, 900, 1155, 2310]))


def remainder(terms, order):
    """The sum as a polynomial in ζ, reduced by the minimal polynomial of ζ."""
    coefficients = [terms.get(turn, 0) for turn in range(order)]
    return flint.fmpq_poly(coefficients) % flint.fmpq_poly(flint.fmpz_poly.cyclotomic(order).coeffs())


def random_terms(order):
    turns = st.integers(0, order - 1)
    return st.dictionaries(turns, st.integers(-3, 3).filter(bool).map(flint.fmpq), max_size=12)


@st.composite
def relations(draw, order):
    """A sum of multiples of 1 + ζₚ + … turned by anything, for primes p that divide the order."""
    primes = [p for p in range(2, order + 1) if order % p == 0 and all(p % d for d in range(2, p))]
    total = {}
    for _ in range(draw(st.integers(0, 4)) if primes else 0):
        p, start, factor = draw(st.sampled_from(primes)), draw(st.integers(0, order - 1)), draw(st.integers(-3, 3))
        for k in range(p):
            turn = (start + k * order // p) % order
            total[turn] = total.get(turn, flint.fmpq(0)) + factor
    return {turn: value for turn, value in total.items() if value}


@settings(deadline=None)
@given(st.data(), orders)
def test_random_sums(data, order):
    terms = data.draw(random_terms(order))
    assert unity_sum_vanishes(terms, order, Work(PLENTY)) is (remainder(terms, order) == 0)


@settings(deadline=None)
@given(st.data(), orders)
def test_random_relations(data, order):
    terms = data.draw(relations(order))
    assert remainder(terms, order) == 0
    assert unity_sum_vanishes(terms, order, Work(PLENTY))
    turn = data.draw(st.integers(0, order - 1))
    more = terms | {turn: terms.get(turn, flint.fmpq(0)) + flint.fmpq(1, 7)}
    assert not unity_sum_vanishes({k: v for k, v in more.items() if v}, order, Work(PLENTY))


@pytest.mark.parametrize(
    ("terms", "order", "zero"),
    [
        ({}, 12, True),
        ({0: 1}, 1, False),
        ({0: 1, 1: 1}, 2, True),
        ({0: 1, 1: 1, 2: 1}, 3, True),
        ({1: 1, 5: 1, 0: -1}, 6, True),
        ({0: 1, 3: 1, 5: 1, 8: 1}, 15, False),  # (1 + ζ₃) (1 + ζ₅)
        ({0: 1, 10**100: 1}, 2 * 10**100, True),
        ({0: 1, 10**100: 1, 7: 1}, 2 * 10**100, False),
        ({7 * 10**40: 2, 4 * 10**40: 2, 10**40: 2}, 9 * 10**40, True),
        ({0: 1, (10**40 + 121) * (10**41 + 3): 1}, 2 * (10**40 + 121) * (10**41 + 3), True),  # factors never found
    ],
)
def test_orders_small_and_large(terms, order, zero):
    assert unity_sum_vanishes({turn: flint.fmpq(c) for turn, c in terms.items()}, order, Work(PLENTY)) is zero


# with square roots -----------------------------------------------------------------------------------------

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23)


def times(one, other, order):
    """The product of two sums whose terms have no square root in common."""
    total = {}
    for (turn, roots), x in one.items():
        for (other_turn, other_roots), y in other.items():
            key = (turn + other_turn) % order, roots | other_roots
            total[key] = total.get(key, flint.fmpq(0)) + x * y
    return {key: value for key, value in total.items() if value}


def minus_root(p, order):
    """√p − Π 2 sin(πk/p), 0 < k < p/2, which is zero; 8 p divides the order."""
    product = {(0, NO_ROOTS): flint.fmpq(1)}
    for turn in [order // 8] if p == 2 else [k * order // (2 * p) - order // 4 for k in range(1, (p + 1) // 2)]:
        sine = {(turn % order, NO_ROOTS): flint.fmpq(1), (-turn % order, NO_ROOTS): flint.fmpq(1)}
        product = times(product, sine, order)
    return {(0, frozenset({p})): flint.fmpq(1)} | {key: -value for key, value in product.items()}


def number(terms, order):
    """The value with mpmath."""
    with mpmath.workdps(50):
        return mpmath.fsum(
            mpmath.mpf(int(value.p))
            / int(value.q)
            * mpmath.sqrt(prod(roots))
            * mpmath.expjpi(mpmath.mpf(2 * turn) / order)
            for (turn, roots), value in terms.items()
        )


def sums(order, radicands):
    keys = st.tuples(st.integers(0, order - 1), st.frozensets(st.sampled_from(radicands), max_size=3))
    return st.dictionaries(keys, st.integers(-3, 3).filter(bool).map(flint.fmpq), min_size=1, max_size=5)


@settings(deadline=None)
@given(st.data(), st.sampled_from(PRIMES), st.sampled_from([1, 3, 5, 7, 9]))
def test_roots_are_their_products_of_sines(data, p, factor):
    order = 8 * p * factor
    others = data.draw(sums(order, [q for q in (2, 3, 5, 7, 31) if q != p]))
    zero = times(minus_root(p, order), others, order)
    assert abs(number(zero, order)) < 1e-40
    assert vanishes(zero, order, Work(PLENTY))
    opposite = {(turn, roots): -value if p in roots else value for (turn, roots), value in zero.items()}
    assert vanishes(opposite, order, Work(PLENTY)) is bool(abs(number(opposite, order)) < 1e-40)


@settings(deadline=None)
@given(st.data(), st.integers(1, 60))
def test_random_sums_with_roots(data, order):
    terms = data.draw(sums(order, [2, 3, 5, 7, 1000003]))
    assert vanishes(terms, order, Work(PLENTY)) is bool(abs(number(terms, order)) < 1e-40)


@pytest.mark.parametrize(
    ("radicand", "instead", "order"),
    [
        (2, {0: 1, 3: 1}, 4),
        (3, {1: 1, 2: -1}, 3),
        (7, {1: 1, 2: 1, 4: 1, 3: -1, 5: -1, 6: -1}, 7),
    ],  # √2 is not 1 − i, √3 not i √3
)
def test_roots_that_need_a_larger_order(radicand, instead, order):
    difference = {(0, frozenset({radicand})): flint.fmpq(1)}
    difference |= {(turn, NO_ROOTS): flint.fmpq(-value) for turn, value in instead.items()}
    terms = times(difference, {(0, NO_ROOTS): flint.fmpq(1), (1, NO_ROOTS): flint.fmpq(1)}, order)
    assert abs(number(terms, order)) > 1e-3
    assert not vanishes(terms, order, Work(PLENTY))


def test_radicands_that_are_not_prime():
    terms = {(0, frozenset({15})): flint.fmpq(1), (1, frozenset({15})): flint.fmpq(1)}
    assert not vanishes(terms, 7, Work(PLENTY))
    with pytest.raises(UndecidedError, match="radicand 15"):
        vanishes(terms, 5, Work(PLENTY))


def test_the_work_is_bounded():
    terms = {k: flint.fmpq(1) for k in range(101)}
    assert unity_sum_vanishes(terms, 101, Work(1000))
    with pytest.raises(UndecidedError, match="too many terms"):
        unity_sum_vanishes(terms, 101, Work(100))
