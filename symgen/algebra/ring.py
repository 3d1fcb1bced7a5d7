"""The polynomial ring: exact closed forms in cᵢ, sᵢ, the velocities and the parameters.

Elements are python-flint's `fmpq_mpoly` in a normal form by sᵢ² = 1 − cᵢ² (and √n² = n for constants): where the
constants are rational or come from right angles, an element is zero if and only if its normal form is. A quotient
that is not a polynomial becomes a new generator, defined as that quotient.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count
from typing import Any, TypeAlias

import flint
import sympy

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import Exact, Number, atom_named
from symgen.errors import LimitError

Key: TypeAlias = frozenset[tuple[tuple[int, ...], Any]]
"""Terms of a polynomial: exponents of the first generators, coefficient."""


@dataclass(frozen=True)
class Definition:
    """A named generator: `name` stands for `numerator` / `denominator`."""

    name: str
    numerator: RingElement
    denominator: RingElement | None


class RingElement:
    """An element of a ring, with the arithmetic of a number."""

    __slots__ = ("polynomial", "ring")

    def __init__(self, ring: Ring, polynomial: Any) -> None:
        self.ring = ring
        self.polynomial = polynomial

    def _other(self, other: Any) -> Any:
        """The polynomial of an operand; None for what is no scalar, such as an array of scalars."""
        if isinstance(other, RingElement):
            return self.ring.current(other)
        return self.ring.constant(other).polynomial if isinstance(other, int | Fraction | Exact) else None

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> RingElement:
        right = self._other(other)
        return NotImplemented if right is None else RingElement(self.ring, operation(self.ring.current(self), right))

    def __add__(self, other: Any) -> RingElement:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> RingElement:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> RingElement:
        return self._with(other, lambda a, b: b - a)

    def __neg__(self) -> RingElement:
        return RingElement(self.ring, -self.polynomial)

    def __mul__(self, other: Any) -> RingElement:
        return self._with(other, lambda a, b: self.ring.reduced(a * b))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> RingElement:
        polynomial = self._other(other)
        if polynomial is None:
            return NotImplemented
        return self.ring.quotient(self, RingElement(self.ring, polynomial))

    def __rtruediv__(self, other: Any) -> RingElement:
        polynomial = self._other(other)
        return NotImplemented if polynomial is None else self.ring.quotient(RingElement(self.ring, polynomial), self)

    def __eq__(self, other: object) -> bool:
        polynomial = self._other(other)
        return NotImplemented if polynomial is None else bool(self.ring.current(self) == polynomial)

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def is_zero(self) -> bool:
        """Whether the normal form is zero."""
        return bool(self.polynomial == 0)

    @property
    def key(self) -> Key:
        """The terms, the same whatever generators the ring has gained since."""
        return frozenset((_trimmed(powers), value) for powers, value in self.polynomial.to_dict().items())

    @property
    def summands(self) -> int:
        """Number of terms of the normal form."""
        return len(self.polynomial.monoms())

    def sympy(self) -> sympy.Expr:
        """The element as a SymPy expression."""
        return self.ring.to_sympy(self)

    def __repr__(self) -> str:
        return str(self.sympy())


def _trimmed(powers: tuple[int, ...]) -> tuple[int, ...]:
    """The exponents up to the last that is not 0."""
    length = max((index for index, power in enumerate(powers, start=1) if power), default=0)
    return powers[:length]


class Ring:
    """A ring that grows: generators are added when they are first asked for.

    If `named`, `define` makes a new generator of every value, so that formulas come out as sequences of definitions;
    otherwise definitions are expanded and only quotients get a generator.
    """

    def __init__(self, *, named: bool = False) -> None:
        self.named = named
        self.definitions: list[Definition] = []
        self._defined_names: dict[tuple[Key, Key | None], str] = {}
        self._symbols: list[sympy.Expr] = []
        self._taken: set[str] = set()
        self._index: dict[str, int] = {}
        self._relations: list[tuple[int, Any]] = []
        self._context = flint.fmpq_mpoly_ctx.get((), "lex")

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
        return self._generator(f"parameter {name}", sympy.Symbol(name, real=True))

    def variable(self, name: str, index: int) -> RingElement:
        """The generator of an input's entry; shown as name and number, such as qd2."""
        return self._generator(f"variable {name} {index}", sympy.Symbol(f"{name}{index + 1}", real=True))

    def cos_sin(self, index: int, offset: Any) -> tuple[RingElement, RingElement]:
        """The generators c and s of q[index], turned by a constant offset."""
        if not isinstance(offset, Exact):
            raise LimitError("closed forms need constant joint offsets; make the offset numeric")
        angle = sympy.Symbol(f"q{index + 1}", real=True)
        c, s = self._circle(f"q{index}", sympy.cos(angle), sympy.sin(angle))
        co, so = cos_sin(offset)
        return c * co - s * so, s * co + c * so

    def define(self, name: str, value: RingElement) -> RingElement:
        """`value`, or in a ring of named definitions a new generator that stands for it."""
        if not self.named or value.summands < 2:
            return value
        return self._defined(name, value, None)

    def sign(self, x: RingElement) -> RingElement:
        """A generator that stands for sign x."""
        return self._function("sign", sympy.sign, x)

    def tanh(self, x: RingElement) -> RingElement:
        """A generator that stands for tanh x."""
        return self._function("tanh", sympy.tanh, x)

    def _function(self, name: str, function: Callable[[sympy.Expr], sympy.Expr], x: RingElement) -> RingElement:
        if x.is_zero:
            return x
        expression = function(x.sympy())
        return self._generator(f"{name} {x.sympy()}", expression)

    def quotient(self, numerator: RingElement, denominator: RingElement) -> RingElement:
        """numerator / denominator: a polynomial where it is one, else a new generator."""
        if denominator.is_zero:
            raise ZeroDivisionError("division by an expression that is identically zero")
        a, b = self.current(numerator), self.current(denominator)
        quotient, remainder = divmod(a, b)
        if remainder == 0:
            return RingElement(self, quotient)
        return self._defined(f"w{len(self.definitions) + 1}", numerator, denominator)

    # generators ----------------------------------------------------------------------------------

    def _defined(self, name: str, numerator: RingElement, denominator: RingElement | None) -> RingElement:
        key = numerator.key, None if denominator is None else denominator.key
        if key not in self._defined_names:
            self._defined_names[key] = self._unused(name)
            self.definitions.append(Definition(self._defined_names[key], numerator, denominator))
        name = self._defined_names[key]
        return self._generator(f"definition {name}", sympy.Symbol(name, real=True))

    def _unused(self, name: str) -> str:
        """`name`, or where another value has it already, `name` with a number."""
        numbered = (f"{name}_{number}" for number in count(2))
        return next(text for text in chain([name], numbered) if text not in self._taken)

    def _generator(self, key: str, symbol: sympy.Expr) -> RingElement:
        if key not in self._index:
            self._index[key] = len(self._symbols)
            self._symbols.append(symbol)
            self._taken.add(str(symbol))
            names = tuple(f"x{i}" for i in range(len(self._symbols)))
            self._context = flint.fmpq_mpoly_ctx.get(names, "lex")
        return RingElement(self, self._context.gen(self._index[key]))

    def _circle(self, key: str, cosine: sympy.Expr, sine: sympy.Expr) -> tuple[RingElement, RingElement]:
        """Generators with s² + c² = 1; s comes first, so that s² is the leading term of the relation."""
        known = f"sin {key}" in self._index
        s = self._generator(f"sin {key}", sine)
        c = self._generator(f"cos {key}", cosine)
        if not known:
            relation = s * s + c * c - 1
            self._relations.append((self._index[f"sin {key}"], relation))
        return c, s

    def _atom(self, name: str) -> RingElement:
        atom = atom_named(name)
        if atom.kind == "pi":
            return self._generator(name, sympy.pi)
        if atom.kind == "sqrt":
            known = name in self._index
            root = self._generator(name, sympy.sqrt(atom.radicand))
            if not known:
                self._relations.append((self._index[name], root * root - atom.radicand))
            return root
        assert atom.argument is not None
        argument = self.to_sympy(self.constant(atom.argument))
        if atom.kind in ("cos", "sin"):
            c, s = self._circle(f"constant {atom.argument}", sympy.cos(argument), sympy.sin(argument))
            return c if atom.kind == "cos" else s
        return self._generator(name, 1 / argument if atom.kind == "inverse" else argument)

    # polynomials ---------------------------------------------------------------------------------

    def current(self, element: RingElement) -> Any:
        """The polynomial of `element` in the ring's present generators."""
        if element.polynomial.context() is not self._context:
            element.polynomial = element.polynomial.project_to_context(self._context)
        return element.polynomial

    def reduced(self, polynomial: Any) -> Any:
        """The normal form of a polynomial."""
        degrees = polynomial.degrees()
        for index, relation in self._relations:
            if degrees[index] > 1:
                polynomial = divmod(polynomial, self.current(relation))[1]
        return polynomial

    def to_sympy(self, element: RingElement) -> sympy.Expr:
        """The normal form as a SymPy sum, in the ring's order of terms."""
        terms = []
        for exponents, coefficient in self.current(element).to_dict().items():
            factors = [sympy.Rational(int(coefficient.p), int(coefficient.q))]
            factors += [s**e for s, e in zip(self._symbols, exponents, strict=True) if e]
            terms.append(sympy.Mul(*factors))
        return sympy.Add(*terms)
