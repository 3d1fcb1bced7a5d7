"""The prime field: fingerprints of formulas.

Every variable and parameter becomes a random element of the integers modulo a prime p ≈ 2⁶¹, every angle a random point
of the unit circle. Two formulas with equal values are the same function, but for a chance of about (degree / p), well
below 1e-15. Everything is derived from names and a seed, so that the same formula has the same fingerprint everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache, cached_property
from hashlib import blake2b
from itertools import count
from math import gcd, lcm
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from symgen.algebra.angles import cos_sin, pi_multiple
from symgen.algebra.arcs import arc_point
from symgen.algebra.atoms import ARCS
from symgen.algebra.domain import UNIT, Quaternion, normalized
from symgen.algebra.exact import PI, Exact, Number, atom_named
from symgen.algebra.monomials import Monomial
from symgen.algebra.roots import sqrt
from symgen.errors import InternalError, LimitError

Point = tuple[int, int]
"""A point (cos, sin) of the unit circle modulo p."""

_ANGLE_UNIT = Fraction(1, 10**12)
"""Angles that are decimals of at most 12 digits are multiples of one base angle, so that their relations hold."""


_ORDER = 5040
"""The circle has points of this order, so that relations between multiples of half a degree and of π/7 hold."""

_MANY_RADICANDS = 12
_SEARCH_BITS = 18


@cache
def _prime_for(radicands: frozenset[int], bits: int) -> int:
    """The largest p < 2^bits with p ≡ −1 modulo `_ORDER`, hence p ≡ 3 (mod 4), in which all `radicands` are squares.

    If they are many, p is the largest with p ≡ −1 modulo some of them besides: these are squares then (reciprocity).
    Where −1 is no square, the circle has p + 1 points, which are multiples of one.
    """
    step = _ORDER
    for r in sorted(radicands) if len(radicands) > _MANY_RADICANDS else ():
        larger = lcm(step, 8 if r == 2 else r)
        step = larger if larger < 1 << (bits - _SEARCH_BITS) else step
    open_ones = [r for r in sorted(radicands) if step % (8 if r == 2 else r)]
    for candidate in range((1 << bits) // step * step - 1, 1 << (bits - 1), -step):
        if all(pow(r, (candidate - 1) // 2, candidate) == 1 for r in open_ones) and flint.fmpz(candidate).is_prime():
            return candidate
    raise LimitError(
        f"the robot's numbers hold {len(radicands)} independent square roots, more than symgen proves anything about; "
        "write some of them as decimals"
    )


def radicands(values: Iterable[Exact]) -> frozenset[int]:
    """Integers whose square roots occur in `values`, or in cosines of angles that do."""
    names = {name for value in values for monomial in value.terms for name, _ in monomial}
    return frozenset().union(*map(_radicands_of, names))


@cache
def _radicands_of(name: str) -> frozenset[int]:
    atom = atom_named(name)
    if atom.kind == "sqrt":
        return frozenset([atom.radicand])
    return frozenset() if atom.argument is None else radicands([atom.argument, *(arc_point(name) or ())])


class Element:
    """An element of the field, with the arithmetic of a number."""

    __slots__ = ("field", "value")

    def __init__(self, field: PrimeField, value: int) -> None:
        self.field = field
        self.value = value

    def _other(self, other: Any) -> int | None:
        """The integer of an operand; None for what is no scalar, such as an array of scalars."""
        if isinstance(other, Element):
            return other.value
        return self.field.image(Exact.of(other)) if isinstance(other, int | Fraction | Exact) else None

    def _with(self, other: Any, operation: Callable[[int, int], int]) -> Element:
        value = self._other(other)
        return NotImplemented if value is None else Element(self.field, operation(self.value, value) % self.field.p)

    # Proofs are made of sums, differences and products of elements: these take a short way.

    def __add__(self, other: Any) -> Element:
        if type(other) is Element:
            return Element(self.field, (self.value + other.value) % self.field.p)
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Element:
        if type(other) is Element:
            return Element(self.field, (self.value - other.value) % self.field.p)
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Element:
        return self._with(other, lambda a, b: b - a)

    def __neg__(self) -> Element:
        return Element(self.field, -self.value % self.field.p)

    def __mul__(self, other: Any) -> Element:
        if type(other) is Element:
            return Element(self.field, self.value * other.value % self.field.p)
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Element:
        return self._with(other, lambda a, b: a * self.field.inverse(b))

    def __rtruediv__(self, other: Any) -> Element:
        return self._with(other, lambda a, b: b * self.field.inverse(a))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Element) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    @property
    def is_zero(self) -> bool:
        """Whether this is the field's zero."""
        return self.value == 0

    def __repr__(self) -> str:
        return f"Element({self.value})"


class PrimeField:
    """Integers modulo a prime in which the given square roots exist, with named random elements."""

    def __init__(self, radicands: frozenset[int] = frozenset(), seed: int = 1, bits: int = 61, finest: int = 1) -> None:
        """The prime is below 2^bits; one with few bits proves nothing, and is quick to compute with.

        Angles that are variables are multiples of 1/finest of themselves: so relations between their fractions hold.
        """
        self.p = _prime_for(radicands | {2, 3}, bits)
        self.seed = seed
        self.finest = finest
        self._images: dict[Exact, int] = {}
        self._inverses: dict[int, int] = {}
        self._atoms: dict[str, int] = {}
        self._points: dict[str, Point] = {}

    # the domain of scalars -----------------------------------------------------------------------

    def constant(self, value: Number) -> Element:
        """The element of an exact constant."""
        return Element(self, self.image(Exact.of(value)))

    def parameter(self, name: str) -> Element:
        """The random element of a parameter."""
        return Element(self, self.random(f"parameter {name}"))

    def variable(self, name: str, index: int) -> Element:
        """The random element of an input's entry."""
        return Element(self, self.random(f"variable {name} {index}"))

    def cos_sin(self, index: int, offset: Exact | Element, ratio: Fraction = UNIT) -> tuple[Element, Element]:
        """The circle point of ratio q[index] + offset."""
        turn = self.constant_point(offset) if isinstance(offset, Exact) else self.value_point(offset.value)
        c, s = self.composed(self.value_point(self.random(f"variable q {index}"), ratio), turn)
        return Element(self, c), Element(self, s)

    def quaternion(self, index: int) -> Quaternion:
        """By division with the norm."""
        return normalized(self, index)

    def circle(self, angle: Element) -> tuple[Element, Element]:
        """The circle point of an angle."""
        c, s = self.value_point(angle.value)
        return Element(self, c), Element(self, s)

    def compose(self, a: tuple[Element, Element], b: tuple[Element, Element]) -> tuple[Element, Element]:
        """By the addition theorems."""
        return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]

    def define(self, name: str, value: Element) -> Element:
        """`value`; names have no meaning here."""
        return value

    # elements and points as integers -------------------------------------------------------------

    def inverse(self, value: int) -> int:
        """1/value; `ZeroDivisionError` for zero."""
        if value % self.p == 0:
            raise ZeroDivisionError("division by an expression that is identically zero")
        return pow(value, -1, self.p)

    def random(self, name: str) -> int:
        """The random integer that belongs to `name`."""
        digest = blake2b(f"{self.seed} {name}".encode(), digest_size=16).digest()
        return 2 + int.from_bytes(digest, "big") % (self.p - 2)

    def odd(self, name: str, value: int) -> int:
        """A random function of a value that changes its sign with it: what stands for sign, tanh and atan."""
        if value == 0:
            return 0
        positive = min(value, self.p - value)
        image = self.random(f"{name} {positive}")
        return image if value == positive else self.p - image

    def sign(self, x: Element) -> Element:
        """What stands for sign x."""
        return Element(self, self.odd("sign", x.value))

    def tanh(self, x: Element) -> Element:
        """What stands for tanh x."""
        return Element(self, self.odd("tanh", x.value))

    def atan(self, x: Element) -> Element:
        """What stands for atan x."""
        return Element(self, self.odd("atan", x.value))

    def nonzero(self, x: Element, least: Fraction) -> Element:
        """x."""
        return x

    def sqrt(self, x: Element) -> Element:
        """What stands for √x."""
        return Element(self, self.root(x.value))

    def root(self, value: int) -> int:
        """A random function of a value, which stands for its root: no root exists for half of all values.

        That of 0 and 1 is known: passes find sums of squares of a cosine and a sine to be 1.
        """
        if value in (0, 1):
            return value
        return self.random(f"sqrt {value}")

    def image(self, value: Exact) -> int:
        """The integer of an exact constant."""
        known = self._images.get(value)
        if known is None:
            known = self._images[value] = sum(map(self._term, value.terms, value.terms.values())) % self.p
        return known

    def _term(self, monomial: Monomial, coefficient: Fraction) -> int:
        term, bottom = coefficient.numerator, coefficient.denominator
        if bottom != 1:
            if bottom not in self._inverses:
                self._inverses[bottom] = pow(bottom, -1, self.p)
            term *= self._inverses[bottom]
        for name, exponent in monomial:
            term = term * (self._atom(name) if exponent == 1 else pow(self._atom(name), exponent, self.p)) % self.p
        return term

    def _atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = self._atom_value(name)
        return self._atoms[name]

    def _atom_value(self, name: str) -> int:
        atom = atom_named(name)
        if atom.kind == "pi":
            return self.random("pi")
        if atom.kind == "sqrt":
            root = pow(atom.radicand, (self.p + 1) // 4, self.p)
            if (root * root - atom.radicand) % self.p:
                raise InternalError(f"the prime field was made without a square root of {atom.radicand}")
            return root
        assert atom.argument is not None
        if atom.kind in ("cos", "sin"):
            c, s = self._irrational_point(atom.argument)
            return c if atom.kind == "cos" else s
        if atom.kind in ARCS:
            return self.random(name)
        value = self.image(atom.argument)
        return pow(value, -1, self.p) if atom.kind == "inverse" else value

    def constant_point(self, angle: Exact) -> Point:
        """The circle point of a constant angle."""
        c, s = cos_sin(angle)
        return self.image(c), self.image(s)

    def _irrational_point(self, angle: Exact) -> Point:
        """The circle point of an angle whose cosine is an atom."""
        steps = pi_multiple(angle) * (_ORDER // 2)
        if steps and steps.denominator == 1:
            turn = self.multiple(self._step, steps.numerator)
            rest = angle - PI * pi_multiple(angle)
            return self.composed(turn, self.constant_point(rest)) if rest else turn
        units = angle.rational / _ANGLE_UNIT if angle.rational is not None else None
        if units is not None and units.denominator == 1:
            return self.multiple(self._named_point("angle unit"), units.numerator)
        return self._named_point(f"angle {angle}")

    @cached_property
    def _step(self) -> Point:
        """The point of the angle 2π/`_ORDER`: of those of that order one that agrees with the roots of the field.

        These are √2, √3, √5 and √7, which multiples of the angle give; all other relations hold for any such point.
        """
        first = next(point for point in map(self._of_order, count()) if point is not None)
        powers = (self.multiple(first, k) for k in range(1, _ORDER) if gcd(k, _ORDER) == 1)
        return next(point for point in powers if self._has_roots(point))

    def _of_order(self, attempt: int) -> Point | None:
        """A random point of this order; None if its order is less."""
        point = self.multiple(self._circle(self.random(f"turn {attempt}")), (self.p + 1) // _ORDER)
        return None if any(self.multiple(point, _ORDER // k) == (1, 0) for k in (2, 3, 5, 7)) else point

    def _has_roots(self, step: Point) -> bool:
        """Whether π/12, cos π/5 = (1 + √5)/4 and sin 2π/7 + sin 4π/7 + sin 8π/7 = √7/2 (Gauss's sums) hold."""
        if self.multiple(step, _ORDER // 24) != self.constant_point(PI / 12):
            return False
        cosine, _ = self.multiple(step, _ORDER // 10)
        sines = sum(self.multiple(step, _ORDER // 7 * k)[1] for k in (1, 2, 4))
        return (4 * cosine - 1 - self.image(sqrt(5))) % self.p == 0 == (2 * sines - self.image(sqrt(7))) % self.p

    def _named_point(self, name: str) -> Point:
        if name not in self._points:
            self._points[name] = self._circle(self.random(name))
        return self._points[name]

    def value_point(self, value: int, ratio: Fraction = UNIT) -> Point:
        """The circle point of `ratio` times an angle that is a variable, a parameter or any other value of the field.

        Opposite values have opposite angles. Of a ratio that is not a multiple of 1/finest the point is one of its own.
        """
        steps = ratio * self.finest
        if steps.denominator != 1:
            return self.value_point(value * self.image(Exact.of(ratio)) % self.p)
        positive = min(value, self.p - value) if value else 0
        point = self._named_point(f"value {positive}") if value else (1, 0)
        point = point if value == positive else self.opposite(point)
        return point if steps == 1 else self.multiple(point, steps.numerator)

    def _circle(self, t: int) -> Point:
        scale = pow(1 + t * t, -1, self.p)
        return (1 - t * t) * scale % self.p, 2 * t * scale % self.p

    def composed(self, x: Point, y: Point) -> Point:
        """The point of the sum of two angles."""
        return (x[0] * y[0] - x[1] * y[1]) % self.p, (x[1] * y[0] + x[0] * y[1]) % self.p

    def opposite(self, x: Point) -> Point:
        """The point of the negative of an angle."""
        return x[0], -x[1] % self.p

    def multiple(self, x: Point, factor: int) -> Point:
        """The point of an integer multiple of an angle."""
        if factor < 0:
            return self.multiple(self.opposite(x), -factor)
        result: Point = (1, 0)
        while factor:
            if factor & 1:
                result = self.composed(result, x)
            x = self.composed(x, x)
            factor >>= 1
        return result


def array(values: Iterable[Element]) -> NDArray[Any]:
    """An object array of field elements."""
    entries = list(values)
    result = np.empty(len(entries), dtype=object)
    result[:] = entries
    return result


def elements(field: PrimeField, values: Iterable[int]) -> NDArray[Any]:
    """Integers as an object array of field elements."""
    return array(Element(field, value) for value in values)
