"""How MATLAB writes trees: a column of numbers, one for each state, where other languages have one number."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from types import MappingProxyType

from symgen.emit.matlab.words import KEYWORDS, USED, checked
from symgen.emit.printer import NAMES
from symgen.emit.statements import WIDTH, StatementPrinter, Table
from symgen.emit.style import Sines, Style, literal
from symgen.emit.text import wrapped
from symgen.emit.tree import ANGLE, COSINE, SINE, TURN, Code, Entry, Index, Lookup, Place, Store
from symgen.program.module import Module
from symgen.program.program import Op

CLASSES = {"float64": "double", "float32": "single"}
"""MATLAB's name of each real type."""


class MatlabPrinter(StatementPrinter):
    """Writes the code of a function; arrays have a row for each state, so that an entry's values lie side by side.

    In single precision literals are double, which do not widen arrays: the real type holds them all exactly.
    """

    symbols = MappingProxyType({Op.ADD: " + ", Op.SUB: " - ", Op.MUL: ".*", Op.DIV: "./"})
    functions = NAMES
    local = "{name} = zeros(count, {size}{real})"
    indent = "  "
    note = "% {}"
    turns = "for {turn} = 0:{last}"
    end = "end"
    first_place = 1

    def __init__(self, module: Module, function: str) -> None:
        self.style = Style(module.real, Sines.FIRST, loops=True, reserved=KEYWORDS | USED)
        self.real, self._function = "" if module.real == "float64" else f", '{CLASSES[module.real]}'", function

    def number(self, value: float) -> str:
        """A literal, with all digits that double precision has."""
        return literal(value, "float64")

    def entry(self, array: str, index: Index) -> str:
        """An entry of an array for every state."""
        return f"{array}(:, {self.place(index)})"

    def place(self, index: Index) -> str:
        """A place in an array, counted from 1."""
        return super().place(Place(index.start + 1, index.step) if isinstance(index, Place) else index)

    def lookup(self, entry: Lookup) -> str:
        """An entry of a table."""
        return f"{entry.table}({TURN} + 1, {entry.column + 1})"

    def constant(self, name: str) -> str:
        """A variable, which is not declared."""
        return checked(f"{self._function}: the variable", name)

    def broken(self, text: str, further: str) -> str:
        """A statement without strings that hold spaces, on as many lines as it needs."""
        return wrapped(text, WIDTH - 4, further).replace("\n", " ...\n")

    def inner(self, table: Table) -> Sequence[str]:
        """A table, before its loop."""
        return [f"  {table.name} = [", *(self.broken(f"    {', '.join(row)}", "      ") for row in table.rows), "  ];"]

    def first(self, code: Code, read: Collection[str]) -> Sequence[str]:
        """The angles of all states, and their sines and cosines."""
        lines = [self.line(statement) for statement in code.head]
        if code.angles:
            lines.append(f"  {self.array(ANGLE, len(code.angles))};")
            lines += [self.line(Store(Entry(ANGLE, Place(k)), angle)) for k, angle in enumerate(code.angles)]
            lines += [f"  {SINE} = sin({ANGLE});", f"  {COSINE} = cos({ANGLE});"]
        return lines
