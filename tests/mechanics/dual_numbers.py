"""Exact time derivatives: numbers with a rate, over any domain that can divide.

q changes at the rate q̇ and q̇ at q̈, so that a formula run over `Duals` comes with its time derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from symgen.algebra.exact import Exact, Number

RATES = {"q": "qd", "qd": "qdd"}


class Dual:
    """A value and its rate."""

    __slots__ = ("rate", "value")

    def __init__(self, value: Any, rate: Any) -> None:
        self.value = value
        self.rate = rate

    def _with(self, other: Any, make: Callable[[Dual, Dual], Dual]) -> Any:
        if isinstance(other, int | Fraction | Exact):
            other = Dual(self.value * 0 + other, self.value * 0)
        return make(self, other) if isinstance(other, Dual) else NotImplemented

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Dual(a.value + b.value, a.rate + b.rate))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Dual(a.value - b.value, a.rate - b.rate))

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a)

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.rate)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: Dual(a.value * b.value, a.rate * b.value + a.value * b.rate))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, _quotient)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: _quotient(b, a))


def _quotient(a: Dual, b: Dual) -> Dual:
    value = a.value / b.value
    return Dual(value, (a.rate - value * b.rate) / b.value)


class Duals:
    """The domain of duals over another domain."""

    def __init__(self, domain: Any) -> None:
        self.domain = domain

    def constant(self, value: Number) -> Dual:
        return Dual(self.domain.constant(value), self.domain.constant(0))

    def parameter(self, name: str) -> Dual:
        return Dual(self.domain.parameter(name), self.domain.constant(0))

    def variable(self, name: str, index: int) -> Dual:
        rate = RATES.get(name)
        moving = self.domain.constant(0) if rate is None else self.domain.variable(rate, index)
        return Dual(self.domain.variable(name, index), moving)

    def cos_sin(self, index: int, offset: Any, ratio: Fraction = Fraction(1)) -> tuple[Dual, Dual]:
        assert ratio == 1
        c, s = self.domain.cos_sin(index, offset)
        rate = self.domain.variable("qd", index)
        return Dual(c, -s * rate), Dual(s, c * rate)

    def define(self, name: str, value: Dual) -> Dual:
        return value
