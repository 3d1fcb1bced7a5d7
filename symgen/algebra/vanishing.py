"""Whether a ring element is zero: by its normal form, its constants, and with named definitions by numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

import flint

from symgen.algebra.balls import BITS, Balls
from symgen.algebra.domain import Domain, Scalar
from symgen.algebra.exact import ONE, ZERO, Exact, as_constant, atom_named
from symgen.algebra.generators import CONSTANT, COS, DEFINITION, FUNCTION, PARAMETER, RECIPROCAL, VARIABLE, Generator
from symgen.algebra.ring import Ring, RingElement
from symgen.algebra.zero import is_zero

SEEDS = (1, 2)
"""Random points; 0 at both means zero, but for a chance below 1e-15."""

TINY = flint.arb(2) ** -200
"""A ball that holds 0 and is no wider than this means zero."""


def vanishes(element: RingElement, points: Sequence[Valuation] = ()) -> bool | None:
    """Whether an element is identically zero; None if that is not decided.

    Without named definitions the answer is a proof, either way: cosines, sines and parameters are independent, and the
    constants in front of their products are decided by `zero.is_zero`. With definitions, which stand for quotients,
    balls at random points decide: False is a proof, and True wrong with a chance below 1e-15. These are `points`, made
    by `random_points`, which remember the values of definitions for other elements of the ring.
    """
    if element.is_zero:
        return True
    if has_definitions(element):
        return all_tiny(ball(point, element) for point in points or random_points(element.ring))
    if not has_constants(element):
        return False
    decided = True
    for constants in _coefficients(element).values():
        is_nothing = _is_zero(constants)
        if is_nothing is False:
            return False
        decided = decided and is_nothing is not None
    return True if decided else None


def has_definitions(element: RingElement) -> bool:
    """Whether named definitions occur."""
    return any(element.ring.generators[index].kind == DEFINITION for index in element.generators())


def has_constants(element: RingElement) -> bool:
    """Whether irrational constants occur; the normal form does not know all relations of these."""
    return any(_is_constant(element.ring, index) for index in element.generators())


def ball(valuation: Valuation, element: RingElement) -> flint.arb:
    """The value in a domain of `Balls`, at their precision."""
    with flint.ctx.workprec(BITS):
        value: flint.arb = valuation(element)
    return value


def random_points(ring: Ring) -> list[Valuation]:
    """Valuations of a ring's elements at random points."""
    return [Valuation(ring, Balls(seed, quaternions=ring.quaternions)) for seed in SEEDS]


def all_tiny(balls: Iterable[flint.arb]) -> bool | None:
    """Whether all balls mean zero; None if one is too wide to tell."""
    decided = True
    for value in balls:
        if not value.contains(0):
            return False
        decided = decided and bool(value.rad() < TINY)
    return True if decided else None


def without_hidden_zeros(element: RingElement) -> RingElement:
    """The element without terms whose constants are zero, though their normal form does not show it."""
    ring = element.ring
    if not has_constants(element):
        return element
    for monomial, constants in _coefficients(element).items():
        if _is_zero(constants):
            term = ring.constant(_sum(constants))
            for index, exponent in monomial:
                for _ in range(exponent):
                    term = term * ring.at(index)
            element = element - term
    return element


def _is_constant(ring: Ring, index: int) -> bool:
    return ring.generators[index].kind == CONSTANT


Powers = tuple[tuple[int, int], ...]
Atoms = tuple[tuple[str, int], ...]
"""A product of powers of constants, by their names."""


def _coefficients(element: RingElement) -> dict[Powers, dict[Atoms, Fraction]]:
    """Products of what is not constant → the constant in front of them, as Σ number · product of atoms."""
    generators = element.ring.generators
    result: dict[Powers, dict[Atoms, Fraction]] = {}
    for powers, number in element.terms():
        rest = tuple(item for item in powers.items() if generators[item[0]].kind != CONSTANT)
        atoms = tuple((generators[i].name, k) for i, k in powers.items() if generators[i].kind == CONSTANT)
        result.setdefault(rest, {})[atoms] = number
    return result


def _is_zero(constants: dict[Atoms, Fraction]) -> bool | None:
    """Whether a constant is zero; None if that is not decided."""
    if len(constants) == 1:
        (atoms,) = constants
        return _is_zero_product(atoms)
    return is_zero(_sum(constants))


def _sum(constants: dict[Atoms, Fraction]) -> Exact:
    return sum((_product(atoms) * number for atoms, number in constants.items()), start=ZERO)


@cache
def _product(atoms: Atoms) -> Exact:
    value = ONE
    for name, exponent in atoms:
        value = value * as_constant(atom_named(name)) ** exponent
    return value


@cache
def _is_zero_product(atoms: Atoms) -> bool | None:
    return is_zero(_product(atoms))


class Valuation:
    """Ring elements in another domain: definitions and generators are evaluated once."""

    def __init__(self, ring: Ring, domain: Domain) -> None:
        self.ring = ring
        self.domain = domain
        self._values: dict[int, Scalar] = {}

    @cached_property
    def _definitions(self) -> dict[str, Any]:
        return {definition.name: definition for definition in self.ring.definitions}

    def __call__(self, element: RingElement) -> Scalar:
        """The value of an element."""
        total = self.domain.constant(0)
        for powers, coefficient in element.terms():
            value = self.domain.constant(coefficient)
            for index, exponent in powers.items():
                factor = self.generator(index)
                for _ in range(exponent):
                    value = value * factor
            total = total + value
        return total

    def generator(self, index: int) -> Scalar:
        """The value of a generator."""
        if index not in self._values:
            self._values[index] = self._evaluated(self.ring.generators[index])
        return self._values[index]

    def _evaluated(self, generator: Generator) -> Scalar:
        domain, kind = self.domain, generator.kind
        if kind == PARAMETER:
            return domain.parameter(generator.name)
        if kind == VARIABLE:
            return domain.variable(generator.name, generator.index)
        if kind == CONSTANT:
            return domain.constant(as_constant(atom_named(generator.name)))
        if kind == FUNCTION:
            functions = {"sign": domain.sign, "tanh": domain.tanh, "atan": domain.atan, "sqrt": domain.sqrt}
            return functions[generator.name](self(generator.argument))
        if kind == RECIPROCAL:
            index = self.ring.find(generator.argument)
            assert index is not None
            return domain.constant(1) / self.generator(index)
        if kind == DEFINITION:
            definition = self._definitions[generator.name]
            value = self(definition.numerator)
            return value if definition.denominator is None else value / self(definition.denominator)
        return self._circle(generator)

    def _circle(self, generator: Generator) -> Scalar:
        angle = generator.angle
        offset = self.domain.constant(angle.constant)
        for name, factor in angle.parameters:
            offset = offset + self.domain.parameter(name) * self.domain.constant(factor)
        if angle.joints:
            ((joint, ratio),) = angle.joints
            c, s = self.domain.cos_sin(joint, angle.constant if not angle.parameters else offset, Fraction(ratio))
        else:
            c, s = self.domain.circle(offset)
        return c if generator.kind == COS else s
