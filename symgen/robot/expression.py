"""Numbers in robot files: a whitelist parser for expressions, and the expressions it makes.

A number is a TOML number, a decimal string or an expression over declared symbols. Text is parsed with Python's
`ast` and walked node by node; nothing of it is ever executed. Decimals are taken exactly: 0.432 is 54/125.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from symgen.algebra import exact
from symgen.algebra.exact import Exact
from symgen.algebra.work import Work
from symgen.errors import LimitError
from symgen.robot.functions import FUNCTIONS
from symgen.robot.names import kind_text, shortened
from symgen.robot.numbers import BOUNDS, MAX_MAGNITUDE, MIN_MAGNITUDE, bounded, decimal
from symgen.robot.spelling import spelled

MAX_TEXT = 500
MAX_DEPTH = 40
MAX_EXPONENT = 16
MAX_SIZE = 10_000
"""Letters and bits that an exact value may take on the way: it could grow without end otherwise."""

MAX_WORK = 3_000_000
"""Letters and bits of irrational values that the numbers of one file may take together: some ten seconds."""

_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_FOREIGN = re.compile(r"[^A-Za-z0-9_.,+*/() \t-]", re.ASCII)
_HINTS = {
    "^": "write ** for a power",
    "°": 'angles are in radians: write "pi/2" for a right angle',
    "π": "write pi",
}


@dataclass(frozen=True)
class Expression:
    """A number of a robot: a constant, a parameter, or an operation on such.

    `op` is "constant" (with `value`), "symbol" (with `name`), "+", "-", "*", "/", "**" (with an integer `power`),
    "neg" or the name of a function.
    """

    op: str
    args: tuple[Expression, ...] = ()
    value: Exact = exact.ZERO
    name: str = ""
    power: int = 0

    def symbols(self) -> Iterator[str]:
        """Names of the parameters that occur, each as often as it occurs."""
        if self.op == "symbol":
            yield self.name
        for arg in self.args:
            yield from arg.symbols()

    @property
    def is_constant(self) -> bool:
        """Whether no parameter occurs."""
        return next(self.symbols(), None) is None

    @property
    def is_zero(self) -> bool:
        """Whether this is the constant 0."""
        return self.is_constant and not self.constant({})

    def constant(self, parameters: Mapping[str, Exact]) -> Exact:
        """The value with the parameters' values put in."""
        value: Exact = self.evaluate(lambda number: number, parameters.__getitem__)
        return value

    def evaluate(self, constant: Callable[[Exact], Any], parameter: Callable[[str], Any]) -> Any:
        """The value in any domain of scalars, given how it makes constants and parameters."""
        if self.op == "constant":
            return constant(self.value)
        if self.op == "symbol":
            return parameter(self.name)
        if self.op in FUNCTIONS:
            return constant(self._function_value(parameter))
        args = [arg.evaluate(constant, parameter) for arg in self.args]
        if self.op == "neg":
            return -args[0]
        if self.op == "**":
            return _power(args[0], self.power, constant)
        left, right = args
        if self.op == "+":
            return left + right
        if self.op == "-":
            return left - right
        return left * right if self.op == "*" else left / right

    def _function_value(self, parameter: Callable[[str], Any]) -> Exact:
        arguments = [arg.evaluate(lambda number: number, parameter) for arg in self.args]
        if not all(isinstance(argument, Exact) for argument in arguments):
            shown = shortened(str(self))
            raise LimitError(f"{shown}: {self.op} of a symbolic parameter is not supported; make the parameter numeric")
        return FUNCTIONS[self.op].compute(*arguments)

    def __add__(self, other: Expression) -> Expression:
        return Expression("+", (self, other))

    def __mul__(self, other: Expression) -> Expression:
        return Expression("*", (self, other))

    def __neg__(self) -> Expression:
        return constant(-self.value) if self.op == "constant" else Expression("neg", (self,))

    def __str__(self) -> str:
        return spelled(self)


def _power(base: Any, power: int, constant: Callable[[Exact], Any]) -> Any:
    result = constant(exact.ONE)
    for _ in range(abs(power)):
        result = result * base
    return result if power >= 0 else constant(exact.ONE) / result


def constant(value: exact.Number) -> Expression:
    """The expression of a constant."""
    return Expression("constant", value=Exact.of(value))


def symbol(name: str) -> Expression:
    """The expression of a parameter."""
    return Expression("symbol", name=name)


ZERO = constant(0)
ONE = constant(1)


def parse(value: object, work: Work | None = None) -> Expression:
    """The expression of a value in a robot file; `ValueError` says what is wrong with it.

    What a file's numbers take together is taken from `work`.
    """
    if isinstance(value, Expression):
        return value
    if isinstance(value, bool):
        raise ValueError(f"expected a number or an expression, found the boolean {str(value).lower()}")
    if isinstance(value, int | Decimal):
        return constant(bounded(value))
    if isinstance(value, float):
        return constant(bounded(Decimal(repr(value))))
    if isinstance(value, str):
        return _parse_text(value, work)
    raise ValueError(f'expected a number or an expression such as "-pi/2", found {kind_text(value)}')


@dataclass(frozen=True)
class _Reading:
    """The text of an expression, and the work that its file may still take."""

    text: str
    work: Work | None


def _parse_text(text: str, work: Work | None) -> Expression:
    text = text.strip(" \t")
    shown = repr(shortened(text))
    if len(text) > MAX_TEXT:
        raise ValueError(f"the expression has {len(text)} characters; at most {MAX_TEXT} are allowed")
    if _DECIMAL.match(text):
        return constant(bounded(decimal(text)))
    if foreign := _FOREIGN.search(text):
        hint = _HINTS.get(foreign[0], _ALLOWED)
        raise ValueError(f"in {shown}: the character {foreign[0]!r} has no place in an expression; {hint}")
    try:
        expression = _convert(_tree(text), _Reading(text, work), 0)
    except ZeroDivisionError:
        raise ValueError(f"{shown} divides by zero") from None
    except (ValueError, LimitError) as error:
        raise ValueError(f"in {shown}: {error}") from None
    return expression


def _tree(text: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of "1if": what is odd is refused below
            return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError('not an expression; write for example 0.25, "-pi/2" or "L1 + L2/2"') from None


def checked_value(expression: Expression, parameters: Mapping[str, Exact], work: Work | None = None) -> Exact:
    """The value with the parameters' values put in; `ValueError`, `LimitError` or `ZeroDivisionError` if it has none.

    Also refused are values out of bounds, on the way too, and those with too many terms to be computed with.
    """
    if work is not None and work.left < 0:
        raise ValueError("the numbers of this file take too long to be computed exactly; write decimals")
    for arg in expression.args:
        checked_value(arg, parameters, work)
    value = expression.constant(parameters)
    if work is not None and value.rational is None:
        work.left -= _extent(value)
    if any("value(" in name for monomial in value.terms for name, _ in monomial):
        raise ValueError("too complicated: more terms than symgen keeps exact; write a decimal instead")
    if _extent(value) > MAX_SIZE or any(_depth(name) > MAX_DEPTH for monomial in value.terms for name, _ in monomial):
        raise ValueError("too complicated: the exact value has too many digits or letters; write a decimal instead")
    size = abs(value.midpoint())
    if size and not Fraction(MIN_MAGNITUDE) <= size <= Fraction(MAX_MAGNITUDE):
        raise ValueError(f"the value is {BOUNDS}")
    return value


def _extent(value: Exact) -> int:
    """How much it takes to write an exact value: bits of its numbers and letters of its atoms."""
    bits = sum(number.numerator.bit_length() + number.denominator.bit_length() for number in value.terms.values())
    return bits + sum(len(name) for monomial in value.terms for name, _ in monomial)


def _depth(name: str) -> int:
    """How deep the brackets in an atom's name are nested."""
    depth = deepest = 0
    for letter in name:
        depth += (letter == "(") - (letter == ")")
        deepest = max(deepest, depth)
    return deepest


_ALLOWED = (
    "only numbers, pi, declared parameters, + - * /, ** with a small integer, "
    f"{', '.join(list(FUNCTIONS)[:-1])} and {list(FUNCTIONS)[-1]} are allowed"
)
_COMMA = "the character ',' has no place here; write a point before the decimals"


def _convert(node: ast.expr, reading: _Reading, depth: int) -> Expression:
    """The expression of a node; what holds no parameter becomes one constant."""
    expression = _converted(node, reading, depth)
    if expression.args and all(arg.op == "constant" for arg in expression.args):
        return constant(checked_value(expression, {}, reading.work))
    return expression


def _converted(node: ast.expr, reading: _Reading, depth: int) -> Expression:
    if depth > MAX_DEPTH:
        raise ValueError(f"more than {MAX_DEPTH} levels of nesting")
    match node:
        case ast.Constant():
            return constant(_literal(node, reading.text))
        case ast.Name(id="pi"):
            return constant(exact.PI)
        case ast.Name(id=name):
            return symbol(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_convert(operand, reading, depth + 1)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _convert(operand, reading, depth + 1)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return Expression("**", (_convert(left, reading, depth + 1),), power=_exponent(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            args = (_convert(left, reading, depth + 1), _convert(right, reading, depth + 1))
            return Expression(_BINARY[type(op)], args)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return _call(name, arguments, reading, depth)
        case ast.Tuple(elts=[_, *_]):
            raise ValueError(_COMMA)
    raise ValueError(_ALLOWED)


def _call(name: str, arguments: list[ast.expr], reading: _Reading, depth: int) -> Expression:
    takes = FUNCTIONS[name].takes
    if len(arguments) != len(takes):
        hint = "; write a point before the decimals" if len(arguments) > len(takes) else ""
        raise ValueError(f"{name} takes {' and '.join(takes)}, found {len(arguments)} arguments{hint}")
    return Expression(name, tuple(_convert(argument, reading, depth + 1) for argument in arguments))


def _literal(node: ast.Constant, text: str) -> Fraction:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        raise ValueError(f"expected a number, found {node.value!r}"[:80])
    source = ast.get_source_segment(text, node) or ""
    if not _DECIMAL.match(source):
        raise ValueError(f"the number {source[:40]!r} is not a plain decimal, such as 16 or 0.25")
    return bounded(decimal(source))


def _exponent(node: ast.expr) -> int:
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1, node.operand
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value <= MAX_EXPONENT:
        return sign * node.value
    raise ValueError(f"an exponent must be an integer of at most {MAX_EXPONENT}")
