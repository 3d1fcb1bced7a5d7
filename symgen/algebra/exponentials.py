"""Exact constants as sums of exponentials: a normal form that knows the addition theorems.

A constant becomes a quotient of sums of terms

    coefficient · exp(i r) · exp(2πi turn/order) · π^power · √(product of radicands)

where r, the *frequency*, is a sum of rational multiples of 1, √2, √2√3, …, and the coefficient is rational. Cosines and
sines are written by Euler's formula, "value" atoms are expanded, and 1/x atoms are cleared by powers of x.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from math import gcd, isqrt, lcm
from operator import add
from typing import TYPE_CHECKING, Any, TypeAlias

import flint

from symgen.algebra import cyclotomic
from symgen.algebra.atoms import ARCS, Atom, atom_named
from symgen.algebra.work import UndecidedError, Work

if TYPE_CHECKING:
    from symgen.algebra.exact import Exact
    from symgen.algebra.monomials import Monomial

Frequency: TypeAlias = tuple[int, ...]
"""Multiples of the units of an `Expansion`."""

Term: TypeAlias = tuple[Frequency, int, int, frozenset[int]]
"""(frequency, turn, power of π, radicands)."""

Sum: TypeAlias = dict[Term, Any]
"""term → rational coefficient (`fmpq`)."""

Groups: TypeAlias = dict[tuple[Frequency, int], dict[cyclotomic.Term, Any]]
"""The terms of a sum by (frequency, power of π)."""

_PI: Monomial = (("pi", 1),)


class Expansion:
    """The numerator of a constant as a sum of exponentials; the denominator is not zero.

    `complete` says whether terms of distinct frequencies, or of distinct radicands, are known to be independent.
    Raises `UndecidedError` beyond the allowed `work`, and if balls cannot tell a divisor from zero.
    """

    def __init__(self, value: Exact, work: Work) -> None:
        self._work = work
        atoms = dict(_atoms_of(value, set()))
        angles = [atom.argument for atom in atoms.values() if atom.kind in ("cos", "sin") and atom.argument]
        monomials = sorted({monomial for angle in angles for monomial in angle.terms} - {_PI})
        self._units = {monomial: Fraction(1, _denominator(angles, monomial)) for monomial in monomials}
        self.order = 4 * _denominator(angles, _PI)
        self._one: Sum = {((0,) * len(self._units), 0, 0, frozenset()): flint.fmpq(1)}
        self._powers: dict[str, tuple[_Powers, _Powers]] = {}
        self.complete = _complete(atoms.values(), monomials)
        self.numerator, _ = self._quotient(value)

    def groups(self) -> Groups:
        """The numerator's terms by (frequency, power of π)."""
        groups: Groups = defaultdict(dict)
        for (frequency, turn, power, radicands), coefficient in self.numerator.items():
            groups[frequency, power][turn, radicands] = coefficient
        return groups

    def _quotient(self, value: Exact) -> tuple[Sum, Sum]:
        """(numerator, denominator) of a constant: each quotient's denominator to the highest power that occurs."""
        degrees: dict[str, int] = {}
        for monomial in value.terms:
            for name, exponent in monomial:
                degrees[name] = max(exponent, degrees.get(name, 0))
        denominator = self._one
        for name, degree in degrees.items():
            denominator = self._times(denominator, self._atom(name)[1][degree])
        numerator: defaultdict[Term, Any] = defaultdict(flint.fmpq)
        for monomial, coefficient in value.terms.items():
            terms = self._cleared(dict(monomial), degrees)
            self._work.spend(len(terms))
            for term, factor in terms.items():
                numerator[term] += flint.fmpq(coefficient.numerator, coefficient.denominator) * factor
        return _without_zeros(numerator), denominator

    def _cleared(self, exponents: dict[str, int], degrees: dict[str, int]) -> Sum:
        """A monomial times the common denominator."""
        result = self._one
        for name, degree in degrees.items():
            top, bottom = self._atom(name)
            exponent = exponents.get(name, 0)
            result = self._times(self._times(result, top[exponent]), bottom[degree - exponent])
        return result

    def _atom(self, name: str) -> tuple[_Powers, _Powers]:
        """Powers of the numerator and of the denominator of an atom."""
        if name not in self._powers:
            top, bottom = self._atom_quotient(atom_named(name))
            self._powers[name] = self._powers_of(top), self._powers_of(bottom)
        return self._powers[name]

    def _powers_of(self, base: Sum) -> _Powers:
        return _Powers(self._one, base, self._times)

    def _atom_quotient(self, atom: Atom) -> tuple[Sum, Sum]:
        ((still, _, _, none),) = self._one
        if atom.kind == "pi":
            return {(still, 0, 1, none): flint.fmpq(1)}, self._one
        if atom.kind == "sqrt":
            return {(still, 0, 0, frozenset({atom.radicand})): flint.fmpq(1)}, self._one
        assert atom.argument is not None
        if atom.kind in ("cos", "sin"):
            return self._cosine(atom.argument, quarter_turns=0 if atom.kind == "cos" else -1), self._one
        if atom.kind in ARCS:
            raise UndecidedError("an angle that is given by a ratio occurs outside of cosines and sines")
        top, bottom = self._quotient(atom.argument)
        if atom.kind == "value":
            return top, bottom
        if atom.argument.number().contains(0):
            raise UndecidedError("a divisor cannot be told from zero")
        return bottom, top

    def _cosine(self, angle: Exact, quarter_turns: int) -> Sum:
        """cos(angle + quarter turns) = (exp(i …) + exp(−i …)) / 2."""
        frequency = tuple(int(angle.terms.get(m, Fraction(0)) / unit) for m, unit in self._units.items())
        turn = int((angle.terms.get(_PI, Fraction(0)) / 2 + Fraction(quarter_turns, 4)) * self.order)
        result: defaultdict[Term, Any] = defaultdict(flint.fmpq)
        for sign in (1, -1):
            signed = tuple(sign * number for number in frequency)
            result[signed, sign * turn % self.order, 0, frozenset()] += flint.fmpq(1, 2)
        return result

    def _times(self, left: Sum, right: Sum) -> Sum:
        if left is self._one:
            return right
        if right is self._one:
            return left
        self._work.spend(len(left) * len(right))
        result: defaultdict[Term, Any] = defaultdict(flint.fmpq)
        for (f, turn, power, roots), x in left.items():
            for (g, other_turn, other_power, other_roots), y in right.items():
                value = x * y
                for radicand in roots & other_roots:
                    value *= radicand
                turned = (turn + other_turn) % self.order
                result[tuple(map(add, f, g)), turned, power + other_power, roots ^ other_roots] += value
        return _without_zeros(result)


class _Powers:
    """The powers of a sum, each computed once."""

    def __init__(self, one: Sum, base: Sum, times: Callable[[Sum, Sum], Sum]) -> None:
        self._known = [one, base]
        self._times = times

    def __getitem__(self, exponent: int) -> Sum:
        while len(self._known) <= exponent:
            self._known.append(self._times(self._known[-1], self._known[1]))
        return self._known[exponent]


def _without_zeros(terms: Sum) -> Sum:
    return {term: value for term, value in terms.items() if value}


def _atoms_of(value: Exact, seen: set[str]) -> Iterator[tuple[str, Atom]]:
    """The atoms of a constant, through quotients and values but not into angles."""
    for monomial in value.terms:
        for name, _ in monomial:
            if name in seen:
                continue
            seen.add(name)
            atom = atom_named(name)
            yield name, atom
            if atom.kind in ("inverse", "value") and atom.argument is not None:
                yield from _atoms_of(atom.argument, seen)


def _denominator(angles: Iterable[Exact], monomial: Monomial) -> int:
    """The least common denominator of the monomial's coefficients in the angles."""
    return lcm(*(angle.terms.get(monomial, Fraction(0)).denominator for angle in angles))


def _complete(atoms: Iterable[Atom], monomials: Iterable[Monomial]) -> bool:
    """Whether frequencies are combinations of square roots, and products of square roots are independent over Q."""
    of_angles = [atom_named(name) for monomial in monomials for name, _ in monomial]
    radicands = {atom.radicand for atom in [*atoms, *of_angles] if atom.kind == "sqrt"}
    return (
        all(atom.kind == "sqrt" for atom in of_angles)
        and all(r == 2 or (r % 2 and isqrt(r) ** 2 != r) for r in radicands)
        and all(gcd(one, other) == 1 for one, other in combinations(radicands, 2))
    )
