"""Whether a ring element is zero: its normal form, its constants, and for what is divided by, a prime field."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

from symgen.algebra.domain import Domain, Scalar
from symgen.algebra.exact import ZERO, Exact, as_constant, atom_named
from symgen.algebra.generators import CONSTANT, COS, DEFINITION, FUNCTION, PARAMETER, RECIPROCAL, VARIABLE, Generator
from symgen.algebra.prime import PrimeField
from symgen.algebra.ring import Ring, RingElement
from symgen.algebra.zero import is_zero

SEEDS = (1, 2)
"""Random points of the prime field; 0 at both means zero, but for a chance below 1e-15."""


def vanishes(element: RingElement) -> bool | None:
    """Whether an element is identically zero; None if that is not decided.

    Without named definitions the answer is a proof, either way: cosines, sines and parameters are independent, and the
    constants in front of their products are decided by `zero.is_zero`. With definitions, which stand for quotients, it
    is the value at random points of a prime field.
    """
    if element.is_zero:
        return True
    ring = element.ring
    if any(ring.generators[index].kind == DEFINITION for index in element.generators()):
        return all(Valuation(ring, PrimeField(ring.radicands(), seed))(element).is_zero for seed in SEEDS)
    decisions = {is_zero(value) for value in _coefficients(element).values()}
    if False in decisions:
        return False
    return None if None in decisions else True


def settled(element: RingElement) -> RingElement:
    """The element without terms whose constants are zero, though their normal form does not show it."""
    ring = element.ring
    if not any(_is_constant(ring, index) for index in element.generators()):
        return element
    for monomial, value in _coefficients(element).items():
        if is_zero(value):
            term = ring.constant(value)
            for index, exponent in monomial:
                for _ in range(exponent):
                    term = term * ring.at(index)
            element = element - term
    return element


def _is_constant(ring: Ring, index: int) -> bool:
    return ring.generators[index].kind == CONSTANT


def _coefficients(element: RingElement) -> dict[tuple[tuple[int, int], ...], Exact]:
    """Products of what is not constant → the constant in front of them."""
    ring = element.ring
    result: dict[tuple[tuple[int, int], ...], Exact] = {}
    for powers, number in element.terms():
        value = Exact.of(number)
        rest = []
        for index, exponent in sorted(powers.items()):
            if _is_constant(ring, index):
                value = value * as_constant(atom_named(ring.generators[index].name)) ** exponent
            else:
                rest.append((index, exponent))
        result[tuple(rest)] = result.get(tuple(rest), ZERO) + value
    return result


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
            total = total + self._term(powers, coefficient)
        return total

    def _term(self, powers: dict[int, int], coefficient: Fraction) -> Scalar:
        value = self.domain.constant(coefficient)
        for index, exponent in powers.items():
            for _ in range(exponent):
                value = value * self.generator(index)
        return value

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
            return {"sign": domain.sign, "tanh": domain.tanh}[generator.name](self(generator.argument))
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
            ((joint, _),) = angle.joints
            c, s = self.domain.cos_sin(joint, angle.constant if not angle.parameters else offset)
        else:
            c, s = self.domain.circle(offset)
        return c if generator.kind == COS else s
