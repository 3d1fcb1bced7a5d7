"""Numbers as text that reads back as the same number: constants and expressions with no more brackets than needed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from symgen.algebra.exact import Exact, atom_named
from symgen.algebra.monomials import Monomial

if TYPE_CHECKING:
    from symgen.robot.expression import Expression

MAX_DECIMALS = 40

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)
_LEVELS = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "neg": _SIGN, "**": _POWER}


def spelled(expression: Expression) -> str:
    """The expression as a person would write it."""
    if expression.op == "constant":
        return spelled_constant(expression.value)
    if expression.op == "symbol":
        return expression.name
    args = expression.args
    if expression.op == "neg":
        return "-" + _operand(args[0], _SIGN)
    if expression.op == "**":
        return f"{_operand(args[0], _ATOM)}**{expression.power}"
    if expression.op not in _LEVELS:
        return f"{expression.op}({', '.join(map(spelled, args))})"
    level = _LEVELS[expression.op]
    sign = f" {expression.op} " if level == _SUM else expression.op
    return _operand(args[0], level) + sign + _operand(args[1], level + 1)


def _operand(expression: Expression, level: int) -> str:
    text = spelled(expression)
    return text if _level(expression, text) >= level else f"({text})"


def _level(expression: Expression, text: str) -> int:
    """How strongly the outermost operation of the text binds."""
    if expression.op != "constant":
        return _LEVELS.get(expression.op, _ATOM)
    if len(expression.value.terms) > 1:
        return _SUM
    if "*" in text or "/" in text:
        return _PRODUCT
    return _SIGN if text.startswith("-") else _ATOM


def spelled_constant(value: Exact) -> str:
    """The constant as a person would write it: 0.432, 1/3, -pi/2, sqrt(2)/2."""
    terms = [_term(monomial, coefficient) for monomial, coefficient in value.sorted_terms()]
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _term(monomial: Monomial, coefficient: Fraction) -> str:
    if not monomial:
        return decimal(coefficient) or str(coefficient)
    factors = "*".join(_factor(name, exponent) for name, exponent in monomial)
    top, bottom = coefficient.numerator, coefficient.denominator
    front = {1: "", -1: "-"}.get(top, f"{top}*")
    return f"{front}{factors}" + (f"/{bottom}" if bottom != 1 else "")


def _factor(name: str, exponent: int) -> str:
    atom = atom_named(name)
    if atom.argument is not None:
        inner = spelled_constant(atom.argument)
        name = {"inverse": f"(1/({inner}))", "value": f"({inner})"}.get(atom.kind, f"{atom.kind}({inner})")
    return name if exponent == 1 else f"{name}**{exponent}"


def decimal(value: Fraction) -> str | None:
    """The number as a decimal, if it ends after at most `MAX_DECIMALS` digits."""
    for digits in range(MAX_DECIMALS + 1):
        scaled = value * 10**digits
        if scaled.denominator == 1:
            sign, number = ("-" if scaled < 0 else ""), str(abs(scaled.numerator)).rjust(digits + 1, "0")
            return sign + (f"{number[:-digits]}.{number[-digits:]}" if digits else number)
    return None
