"""The polynomial ring: exact closed forms in cᵢ, sᵢ, the velocities and the parameters.

Elements are python-flint's `fmpq_mpoly` in a normal form by sᵢ² = 1 − cᵢ² (and √n² = n for constants): where the
constants are rational or come from right angles, an element is zero if and only if its normal form is. A quotient by a
product of generators is a polynomial in their reciprocals; another quotient that is not a polynomial becomes a new
generator, defined as that quotient.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import chain, count
from typing import Any

import flint

from symgen.algebra.angles import cos_sin, split_quarter_turns
from symgen.algebra.domain import UNIT
from symgen.algebra.exact import ZERO, Exact, Number, as_constant, atom_named
from symgen.algebra.generators import (
    CONSTANT,
    COS,
    DEFINITION,
    FUNCTION,
    PARAMETER,
    RECIPROCAL,
    SIN,
    VARIABLE,
    Angle,
    Generator,
)
from symgen.algebra.prime import radicands
from symgen.algebra.ring_element import Definition, Key, RingElement
from symgen.errors import LimitError

__all__ = ["Definition", "Ring", "RingElement"]

MAX_MULTIPLE = 64
"""Angles may hold a parameter this many times; more would expand into polynomials of that degree."""

NAMED_ROOM = 64
"""Generators by which the context of a ring of named definitions grows: elements of an older one are converted."""


class Ring:
    """A ring that grows: generators are added when they are first asked for.

    If `named`, `define` makes a new generator of every value, so that formulas come out as sequences of definitions;
    otherwise definitions are expanded and only quotients get a generator.
    """

    def __init__(self, *, named: bool = False) -> None:
        self.named = named
        self.definitions: list[Definition] = []
        self.generators: list[Generator] = []
        self._defined_names: dict[tuple[Key, Key | None], str] = {}
        self._taken: set[str] = set()
        self._joint_angles: dict[tuple[int, Fraction], Angle] = {}
        self._index: dict[tuple[Any, ...], int] = {}
        self.quaternions: set[int] = set()
        """Places in q of the first entries of unit quaternions."""
        self._relations: list[tuple[tuple[tuple[int, int], ...], RingElement]] = []
        self._context = flint.fmpq_mpoly_ctx.get((), "lex")
        self._room = 0

    # the domain of scalars -----------------------------------------------------------------------

    def constant(self, value: Number) -> RingElement:
        """An exact constant."""
        total = RingElement(self, self._context.constant(0))
        for monomial, coefficient in Exact.of(value).sorted_terms():
            number = flint.fmpq(coefficient.numerator, coefficient.denominator)
            term = RingElement(self, self._context.constant(number))
            for name, exponent in monomial:
                for _ in range(exponent):
                    term = term * self._atom(name)
            total = total + term
        return total

    def parameter(self, name: str) -> RingElement:
        """The generator of a parameter."""
        self._taken.add(name)
        return self._generator(Generator(PARAMETER, name))

    def variable(self, name: str, index: int) -> RingElement:
        """The generator of an input's entry; shown as name and number, such as qd2."""
        self._taken.add(f"{name}{index + 1}")
        return self._generator(Generator(VARIABLE, name, index))

    def cos_sin(self, index: int, offset: Any, ratio: Fraction = UNIT) -> tuple[RingElement, RingElement]:
        """Cosine and sine of ratio q[index] + offset: generators of the first such angle, which others are turned from.

        Quarter turns are taken out of a constant offset. Whole multiples of q[index] are made of it; between other
        multiples the ring knows no relation.
        """
        if ratio != 1 and ratio.denominator == 1:
            return _composed(self.circle(self.constant(ratio) * self.variable("q", index)), self._offset(offset))
        angle, turns = Angle(((index, ratio),)), 0
        if isinstance(offset, Exact):
            turns, rest = split_quarter_turns(offset)
            angle = angle + Angle(constant=rest)
        else:
            angle = angle + self.angle(offset)
        first = self._joint_angles.setdefault((index, ratio), angle)
        point = self._circle(first)
        if angle != first:
            point = _composed(point, self._fixed_circle(angle + first.times(-1)))
        return _turned(point, turns)

    def _offset(self, offset: Any) -> tuple[RingElement, RingElement]:
        """(cos, sin) of an offset, an `Exact` or an element."""
        if isinstance(offset, Exact):
            c, s = cos_sin(offset)
            return self.constant(c), self.constant(s)
        return self.circle(offset)

    def quaternion(self, index: int) -> tuple[RingElement, RingElement, RingElement, RingElement, RingElement]:
        """x, y, z, w with w² = 1 − x² − y² − z² as a relation, and 2: the quaternion is taken to be a unit one.

        If entries of it were variables before, the square of the first of these is what the relation replaces.
        """
        w = self.variable("q", index + 3)
        x, y, z = (self.variable("q", index + k) for k in range(3))
        if index not in self.quaternions:
            self.quaternions.add(index)
            leading = min(self._index[Generator(VARIABLE, "q", index + k).key] for k in range(4))
            self._relate({leading: 2}, w * w + x * x + y * y + z * z - 1)
        return x, y, z, w, self.constant(2)

    def circle(self, value: RingElement) -> tuple[RingElement, RingElement]:
        """(cos, sin) of an angle that is an integer combination of joint positions and parameters plus a constant."""
        angle = self.angle(value)
        point = self._fixed_circle(angle)
        for joint, factor in angle.joints:
            if factor.denominator != 1:
                point = _composed(point, self.cos_sin(joint, ZERO, Fraction(factor)))
                continue
            cosine, sine = self.cos_sin(joint, ZERO)
            for _ in range(abs(factor.numerator)):
                point = _composed(point, (cosine, sine if factor > 0 else -sine))
        return point

    def compose(
        self, a: tuple[RingElement, RingElement], b: tuple[RingElement, RingElement]
    ) -> tuple[RingElement, RingElement]:
        """By the addition theorems."""
        return _composed(a, b)

    def _fixed_circle(self, angle: Angle) -> tuple[RingElement, RingElement]:
        """(cos, sin) of the parameters and the constant of an angle."""
        c, s = cos_sin(angle.constant)
        point = self.constant(c), self.constant(s)
        for name, factor in angle.parameters:
            cosine, sine = self._circle(Angle(parameters=((name, 1),)))
            for _ in range(abs(factor)):
                point = _composed(point, (cosine, sine if factor > 0 else -sine))
        return point

    def angle(self, value: RingElement) -> Angle:
        """A ring element as an `Angle`; `LimitError` unless it is a combination as `circle` takes it."""
        result = Angle()
        for powers, coefficient in value.terms():
            others = [i for i in powers if self.generators[i].kind != CONSTANT]
            if not others:
                result = result + Angle(constant=self._exact_term(powers, coefficient))
                continue
            letter = self.generators[others[0]]
            whole = coefficient.denominator == 1 and abs(coefficient) <= MAX_MULTIPLE
            if len(powers) > 1 or powers[others[0]] != 1 or not whole:
                raise LimitError(_angle_text(value))
            if letter.kind == PARAMETER:
                result = result + Angle(parameters=((letter.name, int(coefficient)),))
            elif letter.kind == VARIABLE and letter.name == "q":
                result = result + Angle(joints=((letter.index, int(coefficient)),))
            else:
                raise LimitError(_angle_text(value))
        return result

    def define(self, name: str, value: RingElement) -> RingElement:
        """`value`, or in a ring of named definitions a generator that stands for it or, with a minus, for −`value`."""
        if not self.named or value.summands < 2:
            return value
        opposite = -value
        if (opposite.key, None) in self._defined_names:
            return -self.defined(name, opposite)
        return self.defined(name, value)

    @contextmanager
    def expanding(self) -> Iterator[None]:
        """Within it `define` expands, whatever the ring does otherwise."""
        named, self.named = self.named, False
        try:
            yield
        finally:
            self.named = named

    def defined(self, name: str, value: RingElement) -> RingElement:
        """A new generator that stands for `value`, called `name` or, where that is taken, `name` and a number."""
        return self._defined(name, value, None)

    def sign(self, x: RingElement) -> RingElement:
        """A generator that stands for sign x."""
        return x if x.is_zero else self._generator(Generator(FUNCTION, "sign", argument=x))

    def tanh(self, x: RingElement) -> RingElement:
        """A generator that stands for tanh x."""
        return x if x.is_zero else self._generator(Generator(FUNCTION, "tanh", argument=x))

    def atan(self, x: RingElement) -> RingElement:
        """A generator that stands for atan x."""
        return x if x.is_zero else self._generator(Generator(FUNCTION, "atan", argument=x))

    def nonzero(self, x: RingElement, least: Fraction) -> RingElement:
        """x."""
        return x

    def sqrt(self, x: RingElement) -> RingElement:
        """A generator that stands for √x; nothing is known of its square."""
        return x if x.is_zero else self._generator(Generator(FUNCTION, "sqrt", argument=x))

    def quotient(self, numerator: RingElement, denominator: RingElement) -> RingElement:
        """numerator / denominator: a polynomial where it is one, perhaps in reciprocals, else a new generator."""
        if denominator.is_zero:
            raise ZeroDivisionError("division by an expression that is identically zero")
        constant = self.exact(denominator)
        if constant is not None:
            return numerator * self.constant(constant.inverse())
        quotient, remainder = divmod(self.current(numerator), self.current(denominator))
        if remainder == 0:
            return RingElement(self, quotient)
        inverse = self._monomial_inverse(denominator)
        if inverse is not None:
            return numerator * inverse
        return self._defined(f"w{len(self.definitions) + 1}", numerator, denominator)

    def exact(self, element: RingElement) -> Exact | None:
        """The value of an element in which nothing but constants occurs; None for others."""
        if any(self.generators[index].kind != CONSTANT for index in element.generators()):
            return None
        return sum((self._exact_term(powers, value) for powers, value in element.terms()), start=ZERO)

    def _exact_term(self, powers: dict[int, int], coefficient: Fraction) -> Exact:
        value = Exact.of(coefficient)
        for index, power in powers.items():
            value = value * as_constant(atom_named(self.generators[index].name)) ** power
        return value

    def _monomial_inverse(self, element: RingElement) -> RingElement | None:
        """1/element of a product of parameters, variables and definitions; None for others."""
        terms = list(element.terms())
        allowed = (PARAMETER, VARIABLE, DEFINITION)
        if len(terms) != 1 or any(self.generators[index].kind not in allowed for index in terms[0][0]):
            return None
        powers, coefficient = terms[0]
        result = self.constant(1 / coefficient)
        for index, power in powers.items():
            for _ in range(power):
                result = result * self._reciprocal(index)
        return result

    # generators ----------------------------------------------------------------------------------

    def _defined(self, name: str, numerator: RingElement, denominator: RingElement | None) -> RingElement:
        key = numerator.key, None if denominator is None else denominator.key
        if key not in self._defined_names:
            name = self._unused(name)
            self._taken.add(name)
            self._defined_names[key] = name
            self.definitions.append(Definition(name, numerator, denominator))
        return self._generator(Generator(DEFINITION, self._defined_names[key]))

    def _unused(self, name: str) -> str:
        """`name`, or where another value has it already, `name` with a number."""
        numbered = (f"{name}_{number}" for number in count(2))
        return next(text for text in chain([name], numbered) if text not in self._taken)

    def _generator(self, generator: Generator) -> RingElement:
        key = generator.key
        if key not in self._index:
            self._index[key] = len(self.generators)
            self.generators.append(generator)
            self._make_room()
        return RingElement(self, self._context.gen(self._index[key]))

    def _make_room(self) -> None:
        """Have a context for all generators; where definitions come by the hundred, for more that will follow."""
        count = len(self.generators)
        if count > self._room:
            self._room = -(-count // NAMED_ROOM) * NAMED_ROOM if self.named else count
            self._context = flint.fmpq_mpoly_ctx.get(tuple(f"x{i}" for i in range(self._room)), "lex")

    def _circle(self, angle: Angle) -> tuple[RingElement, RingElement]:
        """Generators with s² + c² = 1; s comes first, so that s² is the leading term of the relation."""
        sine = Generator(SIN, angle=angle)
        known = sine.key in self._index
        s = self._generator(sine)
        c = self._generator(Generator(COS, angle=angle))
        if not known:
            self._relate({self._index[sine.key]: 2}, s * s + c * c - 1)
        return c, s

    def _reciprocal(self, index: int) -> RingElement:
        generator = Generator(RECIPROCAL, self.generators[index].name, argument=self.generators[index])
        known = generator.key in self._index
        inverse = self._generator(generator)
        if not known:
            self._relate({index: 1, self._index[generator.key]: 1}, self.at(index) * inverse - 1)
        return inverse

    def radicands(self) -> frozenset[int]:
        """Integers whose square roots occur among the generators."""
        names = (generator.name for generator in self.generators if generator.kind == CONSTANT)
        return radicands(as_constant(atom_named(name)) for name in names)

    def find(self, generator: Generator) -> int | None:
        """The index of a generator; None if the ring lacks it."""
        return self._index.get(generator.key)

    def at(self, index: int) -> RingElement:
        """The generator of that index."""
        return RingElement(self, self._context.gen(index))

    def _relate(self, leading: dict[int, int], relation: RingElement) -> None:
        self._relations.append((tuple(leading.items()), relation))

    def _atom(self, name: str) -> RingElement:
        """The generator of an atom; cosine and sine of an angle, and a root and its square, are related."""
        atom = atom_named(name)
        if atom.kind in ("cos", "sin"):
            s, c = (Generator(CONSTANT, f"{kind}({atom.argument})") for kind in ("sin", "cos"))
            known = s.key in self._index
            sine, cosine = self._generator(s), self._generator(c)
            if not known:
                self._relate({self._index[s.key]: 2}, sine * sine + cosine * cosine - 1)
            return cosine if atom.kind == "cos" else sine
        generator = Generator(CONSTANT, name)
        known = generator.key in self._index
        element = self._generator(generator)
        if atom.kind == "sqrt" and not known:
            self._relate({self._index[generator.key]: 2}, element * element - atom.radicand)
        return element

    # polynomials ---------------------------------------------------------------------------------

    def current(self, element: RingElement) -> Any:
        """The polynomial of `element` in the ring's present generators."""
        if element.polynomial.context() is not self._context:
            element.polynomial = element.polynomial.project_to_context(self._context)
        return element.polynomial

    def restricted(self, element: RingElement, used: Sequence[int]) -> Any:
        """The polynomial of `element` in nothing but the generators it uses: the exponents of its terms are few."""
        context = flint.fmpq_mpoly_ctx.get(tuple(f"x{i}" for i in used), "lex")
        return element.polynomial.project_to_context(context)

    def reduced(self, polynomial: Any) -> Any:
        """The normal form of a polynomial."""
        degrees = polynomial.degrees()
        for leading, relation in self._relations:
            if all(degrees[index] >= power for index, power in leading):
                polynomial = divmod(polynomial, self.current(relation))[1]
        return polynomial


def _composed(a: Any, b: Any) -> tuple[RingElement, RingElement]:
    """(cos, sin) of the sum of two angles."""
    return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]


def _turned(point: tuple[RingElement, RingElement], quarter_turns: int) -> tuple[RingElement, RingElement]:
    c, s = point
    for _ in range(quarter_turns % 4):
        c, s = -s, c
    return c, s


def _angle_text(value: RingElement) -> str:
    return (
        f"the angle {str(value)[:80]} is no integer combination of joint positions and parameters plus a constant; "
        f"closed forms know cosines and sines of such angles only, with factors up to {MAX_MULTIPLE}: make its "
        "parameters numeric"
    )
