"""Whether an exact constant is zero: True and False are proofs, None says that neither was found.

The constant is written as Σ A(r, k) exp(i r) πᵏ (`exponentials`), with distinct r and every A a sum of roots of unity
times square roots, which is decided in its cyclotomic field (`cyclotomic`).

- True: every A is zero.
- False: a ball that holds the value does not hold 0; or some A is not zero, the frequencies r are algebraic, and
  either all nonzero A have the same power of π (Lindemann-Weierstrass: exponentials of distinct algebraic numbers are
  linearly independent over the algebraic numbers) or all have r = 0 (Lindemann: π is transcendental).

Domain. The answer is never None for what is built by + − × and / from rational numbers, square roots of rationals, π,
and cosines and sines of angles a = r + s π, with s rational and r a polynomial in square roots with rational
coefficients, if

- it takes no more than `MAX_WORK` products of terms, where √p counts p times if p divides an angle's denominator,
- what `sqrt` does not factor, products of primes above 10⁶, shares no factor with other radicands or denominators,
- it is zero, or no smaller than 10⁻¹⁵⁰⁰ of its terms, or free of π outside of angles, or free of r.

Other angles (π √2, π², cos 1): True where addition theorems and the rules above prove it, False by balls, else None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symgen.algebra.cyclotomic import vanishes
from symgen.algebra.exponentials import Expansion
from symgen.algebra.work import UndecidedError, Work

if TYPE_CHECKING:
    from symgen.algebra.exact import Exact

MAX_WORK = 200_000
"""Products of terms that a decision may take, about half a second."""

FIRST_BITS = 128
"""Working precision of the first ball: enough to tell most constants from zero."""


def is_zero(value: Exact) -> bool | None:
    """Whether a constant is zero: True if that is proved, False if the contrary is, None if it is not decided."""
    if value.rational is not None:
        return not value
    if not value.ball(FIRST_BITS).contains(0):
        return False
    decision = _decision(value)
    if decision is None and not value.number().contains(0):
        return False
    return decision


def same(one: Exact, other: Exact) -> bool | None:
    """Whether two constants are equal: True if that is proved, False if the contrary is, None if it is not decided."""
    return is_zero(one - other)


def _decision(value: Exact) -> bool | None:
    """What the exponentials say."""
    work = Work(MAX_WORK)
    try:
        expansion = Expansion(value, work)
        groups = expansion.groups()
        left = [key for key, terms in groups.items() if not vanishes(terms, expansion.order, work)]
    except UndecidedError:
        return None
    if not left:
        return True
    one_power = len({power for _, power in left}) == 1
    no_frequency = not any(any(frequency) for frequency, _ in left)
    return False if expansion.complete and (one_power or no_frequency) else None
