"""Statements and loops → lines: what languages with statements have in common.

A language says how it declares variables and arrays, how a loop begins and ends, and how lines are broken.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from symgen.emit.printer import Printer
from symgen.emit.style import Style
from symgen.emit.text import wrapped
from symgen.emit.tree import (
    COSINE,
    SINE,
    TURN,
    Assignment,
    Call,
    Code,
    Expression,
    Loop,
    Number,
    Place,
    Statement,
)

WIDTH = 100
"""No line of code is longer than this."""


@dataclass(frozen=True)
class Table:
    """A table that a loop needs, of numbers or else of places in arrays, as a language writes them."""

    name: str
    numbers: bool
    rows: tuple[tuple[str, ...], ...]


class StatementPrinter(Printer):
    """Writes the statements of functions; `first` are those that make the sines and cosines that come first."""

    style: Style
    real: str
    indent = "    "
    note = "// {}"
    """A comment."""
    new = "{name}"
    """What stands before the equals sign where a variable is new and never changes, of its name and `real`."""
    changing = "{name}"
    """The same where it changes."""
    local: str
    """What makes an array, of its name and size."""
    turns = "for (int {turn} = 0; {turn} < {times}; {turn}++) {{"
    """How a loop begins: the name of its turn, how many there are, and the last."""
    end = "}"
    first_place = 0
    """The place of an array's first entry."""

    @abstractmethod
    def first(self, code: Code, read: Collection[str]) -> Sequence[str]:
        """What stands before the body, which reads the arrays `read`: angles, and their sines and cosines."""

    def form(self, form: str, name: str, size: int = 0) -> str:
        """One of the forms above, of a name and a size."""
        return form.format(name=name, size=size, real=self.real)

    def constant(self, name: str) -> str:
        """What stands before the equals sign where a variable is new and never changes."""
        return self.form(self.new, name)

    def array(self, name: str, size: int) -> str:
        """What makes an array."""
        return self.form(self.local, name, size)

    def value(self, expression: Expression) -> str:
        """What is assigned to a variable."""
        return self.expression(expression)

    def cell(self, number: Number) -> str:
        """A number in a table."""
        return self.number(number.value)

    def broken(self, text: str, further: str) -> str:
        """A statement on as many lines as it needs."""
        return wrapped(text, WIDTH, further)

    def inner(self, table: Table) -> Sequence[str]:
        """A table where it stands before its loop, in the function; nothing where it stands before the function."""
        return ()

    def outer(self, table: Table) -> Sequence[str]:
        """A table where it stands before the function; nothing where it stands before its loop."""
        return ()

    def body(self, code: Code) -> tuple[str, ...]:
        """The statements of a function or a piece, but for those that come first."""
        arrays = [f"{self.indent}{self.array(name, size)};" for name, size in code.arrays.items()]
        return (*self._points(code), *arrays, *(line for item in code.body for line in self._lines(item)))

    def tables(self, code: Code) -> tuple[str, ...]:
        """The tables that stand before the function."""
        loops = [item for item in code.body if isinstance(item, Loop)]
        return tuple(line for loop in loops for table in self._tables(loop) for line in self.outer(table))

    def line(self, statement: Statement, indent: str | None = None) -> str:
        """A statement, with the declarations it needs."""
        assert not isinstance(statement, Call)
        indent = self.indent if indent is None else indent
        if isinstance(statement, Assignment):
            target = self.constant(statement.name)
        else:
            target = self.expression(statement.entry)
        return self.broken(f"{indent}{target} = {self.value(statement.value)};", f"{indent}{self.indent}")

    def _points(self, code: Code) -> tuple[str, ...]:
        """The names of the sines and cosines that a body needs."""
        return tuple(
            f"{self.indent}{self.constant(name)} = {self.entry(array, Place(place))};"
            for place, names in enumerate(code.points)
            for name, array in zip(names, (SINE, COSINE), strict=True)
            if name
        )

    def _tables(self, loop: Loop) -> list[Table]:
        numbers = [
            Table(name, True, tuple(tuple(map(self.cell, row)) for row in rows)) for name, rows in loop.numbers.items()
        ]
        places = [
            Table(name, False, tuple(tuple(str(place + self.first_place) for place in row) for row in rows))
            for name, rows in loop.places.items()
        ]
        return [*numbers, *places]

    def _lines(self, item: Statement | Loop) -> list[str]:
        if not isinstance(item, Loop):
            return [self.line(item)]
        inside = 2 * self.indent
        note = self.note.format("Names are those of the first turn; ..._last is what the turn before has left.")
        found = [line for table in self._tables(item) for line in self.inner(table)]
        found += [
            f"{self.indent}{self.form(self.changing, each.name)} = {self.value(each.before)};" for each in item.carried
        ]
        turns = self.turns.format(turn=TURN, times=item.times, last=item.times - 1)
        found += [f"{self.indent}{note}", f"{self.indent}{turns}"]
        found += [self.line(statement, inside) for statement in item.body]
        found += [f"{inside}{each.name} = {self.value(each.after)};" for each in item.carried]
        return [*found, f"{self.indent}{self.end}"]
