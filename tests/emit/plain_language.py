"""A language for tests: Python's own expressions over arrays called as in the program, which tests alone evaluate."""

from types import MappingProxyType
from typing import NamedTuple

from symgen.emit.lower import lower
from symgen.emit.printer import Printer
from symgen.emit.style import Style, literal
from symgen.emit.tree import Assignment, Loop
from symgen.program.program import Op


class Plain(Printer):
    functions = MappingProxyType(
        {op: op.value for op in (Op.SIN, Op.COS, Op.SQRT, Op.SIGN, Op.TANH, Op.ATAN, Op.NONZERO)}
    )

    def number(self, value):
        return literal(value, "float64")


class Line(NamedTuple):
    """`target` = `text`; the target of a local one is a new variable."""

    target: str
    text: str
    local: bool


def line(statement):
    """A statement as text."""
    if isinstance(statement, Assignment):
        return Line(statement.name, Plain().expression(statement.value), True)
    return Line(Plain().expression(statement.entry), Plain().expression(statement.value), False)


def statements(program, style=Style()):  # noqa: B008 - it never changes
    """The statements of a program without loops."""
    body = lower(program, style).body
    assert not any(isinstance(item, Loop) for item in body)
    return [line(item) for item in body]
