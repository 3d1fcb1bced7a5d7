"""Trees → text: what infix languages have in common; a language says how it writes numbers, entries and functions.

Order of evaluation is kept: parentheses stand wherever the tree's order is not the language's own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType

from symgen.emit.tree import TURN, Entry, Expression, Index, Lookup, Number, Operation, Variable
from symgen.program.program import Op

SUM, PRODUCT, UNARY, ATOM = 1, 2, 3, 4
"""How closely the parts of an expression hold together."""

_PRECEDENCE = {Op.ADD: SUM, Op.SUB: SUM, Op.MUL: PRODUCT, Op.DIV: PRODUCT}


NAMES: Mapping[Op, str] = {
    Op.SQRT: "sqrt",
    Op.TANH: "tanh",
    Op.ATAN: "atan",
    Op.SIGN: "sign",
    Op.NONZERO: "nonzero",
    Op.SIN: "sin",
    Op.COS: "cos",
}
"""What functions of numbers are called where a language does not call them otherwise."""


class Printer(ABC):
    """Writes expressions of a module."""

    symbols: Mapping[Op, str] = MappingProxyType({Op.ADD: " + ", Op.SUB: " - ", Op.MUL: "*", Op.DIV: "/"})
    """What stands between two numbers."""

    @property
    @abstractmethod
    def functions(self) -> Mapping[Op, str]:
        """The names of functions of one number."""

    @abstractmethod
    def number(self, value: float) -> str:
        """A literal, with its sign."""

    def entry(self, array: str, index: Index) -> str:
        """An entry of an array."""
        return f"{array}[{self.place(index)}]"

    def place(self, index: Index) -> str:
        """A place in an array."""
        if isinstance(index, Lookup):
            return self.lookup(index)
        start, step = index.start, index.step
        if not step:
            return str(start)
        text = TURN if abs(step) == 1 else f"{abs(step)}*{TURN}"
        if step < 0:
            return f"{start} - {text}"
        return text if not start else f"{text} + {start}" if start > 0 else f"{text} - {-start}"

    def lookup(self, entry: Lookup) -> str:
        """An entry of a table."""
        return f"{entry.table}[{TURN}][{entry.column}]"

    def expression(self, expression: Expression) -> str:
        """An expression that stands alone."""
        return self._text(expression)[0]

    def operation(self, op: Op, text: str) -> str | None:
        """What an operation is written as, instead of `text`, as one function's value; None for `text` itself."""
        return None

    def arguments(self, operation: Operation) -> list[str]:
        """The arguments of a function of numbers."""
        return [self.expression(arg) for arg in operation.args]

    def _text(self, expression: Expression) -> tuple[str, int]:
        """An expression, and how closely its parts hold together."""
        match expression:
            case Number():
                text = self.number(expression.value)
                return text, UNARY if expression.value < 0 else ATOM
            case Variable():
                return expression.name, ATOM
            case Entry():
                return self.entry(expression.array, expression.index), ATOM
            case Lookup():
                return self.lookup(expression), ATOM
            case Operation():
                text, precedence = self._operation(expression)
                other = self.operation(expression.op, text)
                return (text, precedence) if other is None else (other, ATOM)

    def _operation(self, expression: Operation) -> tuple[str, int]:
        op, args = expression.op, expression.args
        if op in _PRECEDENCE:
            precedence = _PRECEDENCE[op]
            first, second = self._wrapped(args[0], precedence), self._wrapped(args[1], precedence + 1)
            return f"{first}{self.symbols[op]}{second}", precedence
        if op is Op.NEG:
            return f"-{self._wrapped(args[0], ATOM)}", UNARY
        return f"{self.functions[op]}({', '.join(self.arguments(expression))})", ATOM

    def _wrapped(self, expression: Expression, precedence: int) -> str:
        text, own = self._text(expression)
        return text if own >= precedence else f"({text})"
