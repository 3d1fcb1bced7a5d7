"""Dual numbers: scalars of another domain with their derivative in one direction, for exact derivatives of formulas.

The inputs go in a direction whose entries are scalars too; parameters and constants stay. What the domain's functions
of angles, roots, sign, tanh and atan are, their derivatives must be: those of the sign are 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from symgen.algebra.domain import UNIT, Domain, Quaternion, Scalar, is_zero, normalized
from symgen.algebra.exact import Exact, Number

Point = tuple["Dual", "Dual"]


class Dual:
    """A value and its derivative."""

    __slots__ = ("slope", "value")

    def __init__(self, value: Scalar, slope: Scalar) -> None:
        self.value = value
        self.slope = slope

    def _with(self, other: Any, make: Callable[[Dual, Dual], Dual]) -> Any:
        if isinstance(other, int | Fraction | Exact):
            other = Dual(self.value * 0 + other, self.value * 0)
        return make(self, other) if isinstance(other, Dual) else NotImplemented

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Dual(a.value + b.value, a.slope + b.slope))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Dual(a.value - b.value, a.slope - b.slope))

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Dual(b.value - a.value, b.slope - a.slope))

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Dual(a.value * b.value, a.slope * b.value + a.value * b.slope))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, _quotient)

    @property
    def is_zero(self) -> bool:
        """Whether value and derivative are zero."""
        return is_zero(self.value) and is_zero(self.slope)


def _quotient(a: Dual, b: Dual) -> Dual:
    value = a.value / b.value
    return Dual(value, (a.slope - value * b.slope) / b.value)


class Duals:
    """The domain of dual numbers over another domain, in the `direction` of some inputs: (name, index) → slope."""

    def __init__(self, domain: Domain, direction: Mapping[tuple[str, int], Scalar]) -> None:
        self.domain = domain
        self.direction = direction

    def constant(self, value: Number) -> Dual:
        """A constant, which has no derivative."""
        return self._still(self.domain.constant(value))

    def parameter(self, name: str) -> Dual:
        """A parameter, which has no derivative."""
        return self._still(self.domain.parameter(name))

    def variable(self, name: str, index: int) -> Dual:
        """An input's entry."""
        return Dual(self.domain.variable(name, index), self._slope(name, index))

    def cos_sin(self, index: int, offset: Any, ratio: Fraction = UNIT) -> Point:
        """(cos, sin) of ratio q[index] + offset; the offset is fixed."""
        c, s = self.domain.cos_sin(index, offset.value if isinstance(offset, Dual) else offset, ratio)
        slope = self._slope("q", index)
        slope = slope if ratio == 1 else self.domain.constant(ratio) * slope
        return Dual(c, -s * slope), Dual(s, c * slope)

    def quaternion(self, index: int) -> Quaternion:
        """By division with the norm."""
        return normalized(self, index)

    def circle(self, angle: Dual) -> Point:
        """(cos, sin) of an angle."""
        c, s = self.domain.circle(angle.value)
        return Dual(c, -s * angle.slope), Dual(s, c * angle.slope)

    def compose(self, a: Point, b: Point) -> Point:
        """(cos, sin) of the sum of two angles."""
        return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]

    def sign(self, x: Dual) -> Dual:
        """sign x; its derivative counts as 0."""
        return self._still(self.domain.sign(x.value))

    def tanh(self, x: Dual) -> Dual:
        """tanh x."""
        value = self.domain.tanh(x.value)
        return Dual(value, (self.domain.constant(1) - value * value) * x.slope)

    def atan(self, x: Dual) -> Dual:
        """atan x."""
        return Dual(self.domain.atan(x.value), x.slope / (self.domain.constant(1) + x.value * x.value))

    def nonzero(self, x: Dual, least: Fraction) -> Dual:
        """x."""
        return Dual(self.domain.nonzero(x.value, least), x.slope)

    def sqrt(self, x: Dual) -> Dual:
        """√x."""
        value = self.domain.sqrt(x.value)
        return Dual(value, x.slope / (value + value))

    def define(self, name: str, value: Dual) -> Dual:
        """`value`; names have no meaning here."""
        return value

    def _slope(self, name: str, index: int) -> Scalar:
        known = self.direction.get((name, index))
        return self.domain.constant(0) if known is None else known

    def _still(self, value: Scalar) -> Dual:
        return Dual(value, self.domain.constant(0))
