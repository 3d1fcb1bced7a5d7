"""Sums of roots of unity times square roots: whether such a sum with rational coefficients vanishes.

A square root of a prime that divides the order of the roots of unity is written as Gauss's sum. The others are linearly
independent over the cyclotomic field, because their primes ramify in one field and not in the other. What is left,
Σ cₖ ζᵏ with ζ = exp(2πi/n), is decided by splitting the order n prime by prime, without the cyclotomic polynomial. The
work depends on the number of terms alone, so n needs no bound and no complete factorization.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import gcd, lcm
from typing import Any, TypeAlias

import flint

from symgen.algebra.work import UndecidedError, Work

Term: TypeAlias = tuple[int, frozenset[int]]
"""(turn, radicands): exp(2πi turn/order) · √(product of the radicands)."""

UnitySum: TypeAlias = dict[int, Any]
"""turn → rational coefficient (`fmpq`): Σ coefficient · exp(2πi turn/order)."""


def vanishes(terms: Mapping[Term, Any], order: int, work: Work) -> bool:
    """Whether Σ coefficient · exp(2πi turn/order) · √(product of the radicands) is zero.

    The radicands are 2 or odd, pairwise coprime and no squares. `UndecidedError` if a radicand that is not prime shares
    a factor with the order, or beyond the allowed work.
    """
    turns, order = _lowest_order([turn for turn, _ in terms], order)
    terms = {(turn, roots): value for turn, (_, roots), value in zip(turns, terms, terms.values(), strict=True)}
    # 2 comes last: odd radicands may bring a factor 4 into the order.
    for radicand in sorted(frozenset().union(*(roots for _, roots in terms)), reverse=True):
        if gcd(radicand, order) > 1:
            terms, order = _with_gauss_sum(terms, order, radicand, work)
    independent: defaultdict[frozenset[int], UnitySum] = defaultdict(dict)
    for (turn, roots), value in terms.items():
        independent[roots][turn] = value
    return all(unity_sum_vanishes(part, order, work) for part in independent.values())


def _with_gauss_sum(terms: Mapping[Term, Any], order: int, p: int, work: Work) -> tuple[dict[Term, Any], int]:
    """The terms with roots of unity for √p, and the order of these."""
    work.spend(p * sum(p in roots for _, roots in terms))
    if not flint.fmpz(p).is_prime():
        raise UndecidedError(f"the factors of the radicand {p} are not known")
    new_order = lcm(order, {1: p, 2: 8, 3: 4 * p}[p % 4])
    sum_of_root = _gauss_sum(p, new_order)
    result: defaultdict[Term, Any] = defaultdict(flint.fmpq)
    for (turn, roots), value in terms.items():
        turn *= new_order // order
        if p not in roots:
            result[turn, roots] += value
            continue
        for other, sign in sum_of_root:
            result[(turn + other) % new_order, roots - {p}] += sign * value
    return {term: value for term, value in result.items() if value}, new_order


def _gauss_sum(p: int, order: int) -> list[tuple[int, int]]:
    """(turn, sign) of the roots of unity whose sum is √p.

    √2 is ζ₈ + ζ₈⁻¹; Gauss's sum Σ (a/p) ζₚᵃ is √p if p ≡ 1, and i √p if p ≡ 3 (mod 4).
    """
    if p == 2:
        return [(order // 8, 1), (-order // 8, 1)]
    squares = {a * a % p for a in range(1, p)}
    quarter = order // 4 if p % 4 == 3 else 0
    return [(a * (order // p) - quarter, 1 if a in squares else -1) for a in range(1, p)]


def unity_sum_vanishes(terms: UnitySum, order: int, work: Work) -> bool:
    """Whether Σ coefficient · exp(2πi turn/order) is zero; the turns are distinct modulo the order.

    If p² divides n, the powers ζₙʲ, j < p, are a basis of Q(ζₙ) over Q(ζₙ₎ₚ): every part by turn mod p vanishes. If p
    divides n once, the only relation of 1, ζₚ, … over Q(ζₙ₎ₚ) is that their sum is zero: the parts are all equal, and
    all zero where one is missing. So no vanishing sum of T terms needs a prime above T.
    """
    pending = [(terms, order)]
    while pending:
        terms, order = pending.pop()
        if not terms:
            continue
        work.spend(len(terms))
        turns, order = _lowest_order(list(terms), order)
        terms = dict(zip(turns, terms.values(), strict=True))
        p = next((d for d in range(2, min(len(terms), order) + 1) if order % d == 0), None)
        if p is None:
            return False
        pending += _parts_by_power(terms, order, p) if order % p**2 == 0 else _parts_by_prime(terms, order, p)
    return True


def _lowest_order(turns: list[int], order: int) -> tuple[list[int], int]:
    """The turns counted from the first, in units as large as possible, and the order that goes with them."""
    turns = [(turn - turns[0]) % order for turn in turns]
    unit = gcd(order, *turns)
    return [turn // unit for turn in turns], order // unit


def _parts_by_power(terms: UnitySum, order: int, p: int) -> list[tuple[UnitySum, int]]:
    """The sums that must vanish if p² divides the order; p divides their order once."""
    power = 1
    while order % (power * p * p) == 0:
        power *= p
    parts: defaultdict[int, UnitySum] = defaultdict(dict)
    for turn, value in terms.items():
        parts[turn % power][turn // power] = value
    return [(part, order // power) for part in parts.values()]


def _parts_by_prime(terms: UnitySum, order: int, p: int) -> list[tuple[UnitySum, int]]:
    """The sums that must vanish if p divides the order once; p does not divide their order."""
    rest = order // p
    of_p, of_rest = pow(rest, -1, p), pow(p, -1, rest)
    parts: defaultdict[int, UnitySum] = defaultdict(dict)
    for turn, value in terms.items():
        parts[turn * of_p % p][turn * of_rest % rest] = value
    first, *others = sorted(parts.values(), key=len)
    if len(parts) < p:
        return [(part, rest) for part in parts.values()]
    return [(_difference(part, first), rest) for part in others]


def _difference(left: UnitySum, right: UnitySum) -> UnitySum:
    result = dict(left)
    for turn, value in right.items():
        result[turn] = result.get(turn, flint.fmpq(0)) - value
    return {turn: value for turn, value in result.items() if value}
