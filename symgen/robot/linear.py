"""Sums of expressions, kept short: equal parts are joined, opposite ones cancel, constants stay exact.

An expression is taken as a linear form, constants times parts that hold parameters. That is all that moving a mass
centre into another frame needs, and moving it back gives the expression one began with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from symgen.algebra.exact import ONE, ZERO, Exact, Number
from symgen.robot.expression import Expression, constant


@dataclass(frozen=True)
class Linear:
    """A linear form: `fixed` plus each part times its coefficient."""

    fixed: Exact = ZERO
    parts: Mapping[Expression, Exact] = field(default_factory=lambda: MappingProxyType({}))

    @staticmethod
    def of(expression: Expression) -> Linear:
        """The expression as a linear form."""
        if expression.is_constant:
            return Linear(expression.constant({}))
        if expression.op == "neg":
            return -Linear.of(expression.args[0])
        if expression.op in ("+", "-"):
            left, right = map(Linear.of, expression.args)
            return left + right if expression.op == "+" else left + -right
        if expression.op in ("*", "/"):
            left, right = map(Linear.of, expression.args)
            if not right.parts:
                return left * (right.fixed if expression.op == "*" else right.fixed.inverse())
            if expression.op == "*" and not left.parts:
                return right * left.fixed
        return Linear(parts={expression: ONE})

    def __add__(self, other: Linear) -> Linear:
        parts = dict(self.parts)
        for part, coefficient in other.parts.items():
            parts[part] = parts.get(part, ZERO) + coefficient
        return Linear(self.fixed + other.fixed, {part: factor for part, factor in parts.items() if factor})

    def __neg__(self) -> Linear:
        return self * -1

    def __sub__(self, other: Linear) -> Linear:
        return self + -other

    def __mul__(self, factor: Number) -> Linear:
        scaled = {part: coefficient * factor for part, coefficient in self.parts.items()}
        return Linear(self.fixed * factor, {part: coefficient for part, coefficient in scaled.items() if coefficient})

    def times(self, other: Linear) -> Linear:
        """The product; the one of two forms that both hold parameters is a part of its own."""
        if not self.parts:
            return other * self.fixed
        if not other.parts:
            return self * other.fixed
        return Linear(parts={Expression("*", (self.expression(), other.expression())): ONE})

    def expression(self) -> Expression:
        """The form as an expression."""
        result: Expression | None = None
        for part, coefficient in self.parts.items():
            negative = coefficient.leading_sign < 0
            size = -coefficient if negative else coefficient
            if result is None:
                result = _term(-part if negative else part, size)
            else:
                result = Expression("-" if negative else "+", (result, _term(part, size)))
        if result is None:
            return constant(self.fixed)
        if not self.fixed:
            return result
        if self.fixed.leading_sign < 0:
            return Expression("-", (result, constant(-self.fixed)))
        return Expression("+", (result, constant(self.fixed)))


def _term(part: Expression, size: Exact) -> Expression:
    """The part times a coefficient that is not negative."""
    number = size.rational
    if size == 1:
        return part
    if number is not None and number.numerator == 1:
        return Expression("/", (part, constant(number.denominator)))
    return Expression("*", (constant(size), part))


def plus(*expressions: Expression) -> Expression:
    """The sum of expressions."""
    total = Linear()
    for expression in expressions:
        total += Linear.of(expression)
    return total.expression()


def minus(expression: Expression) -> Expression:
    """The opposite of an expression."""
    return (-Linear.of(expression)).expression()


def same(one: Expression, other: Expression) -> bool:
    """Whether the two are equal as linear forms."""
    return (Linear.of(one) - Linear.of(other)).expression().is_zero
