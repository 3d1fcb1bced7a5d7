"""How modules of Python write programs, whatever they compute with: straight lines on entries of arrays."""

from __future__ import annotations

import keyword
from typing import ClassVar

from symgen.emit.environment import WIDTH
from symgen.emit.lower import lower
from symgen.emit.printer import Printer
from symgen.emit.style import Style, literal
from symgen.emit.text import wrapped
from symgen.emit.tree import Assignment, Call, Statement, Store
from symgen.program.program import Program

WORDS = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)
"""No variable or argument can be called so."""

NO_BREAK = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken, until it becomes a plain one."""


class PythonPrinter(Printer):
    """Writes the code of functions; numbers are Python's, which widen no arrays."""

    words: ClassVar[frozenset[str]] = WORDS

    def __init__(self, real: str) -> None:
        self.style = Style(real, reserved=self.words)
        self._real = real

    def number(self, value: float) -> str:
        """A literal."""
        return literal(value, self._real)

    def lines(self, program: Program) -> tuple[str, ...]:
        """The body of a function."""
        code = lower(program, self.style)
        return tuple(self.line(item) for item in code.body if isinstance(item, Assignment | Store))

    def line(self, statement: Statement, indent: str = "    ") -> str:
        """A statement, on as many lines as it needs."""
        assert not isinstance(statement, Call)
        target = statement.name if isinstance(statement, Assignment) else self.expression(statement.entry)
        text = self.expression(statement.value)
        if len(line := f"{indent}{target} = {text}") <= WIDTH:
            return line
        # Python ends a statement at a line's end unless a parenthesis is open: no break before it is.
        head = f"{indent}{target} = (".replace(" ", NO_BREAK)
        return wrapped(f"{head}{text})", WIDTH, f"{indent}    ").replace(NO_BREAK, " ")
