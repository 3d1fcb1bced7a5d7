"""How MATLAB writes trees: a column of numbers, one for each state, where other languages have one number."""

from __future__ import annotations

from types import MappingProxyType

from symgen.emit.matlab.words import KEYWORDS, USED
from symgen.emit.printer import Printer
from symgen.emit.style import Sines, Style, literal
from symgen.emit.text import wrapped
from symgen.emit.tree import (
    ANGLE,
    COSINE,
    SINE,
    TURN,
    Assignment,
    Call,
    Code,
    Entry,
    Index,
    Lookup,
    Loop,
    Place,
    Statement,
    Store,
)
from symgen.program.module import Module
from symgen.program.program import Op

WIDTH = 100
"""No line of code is longer than this."""

CLASSES = {"float64": "double", "float32": "single"}
"""MATLAB's name of each real type."""


class MatlabPrinter(Printer):
    """Writes the code of a function; arrays have a row for each state, so that an entry's values lie side by side.

    In single precision literals are double, which do not widen arrays: the real type holds them all exactly.
    """

    symbols = MappingProxyType({Op.ADD: " + ", Op.SUB: " - ", Op.MUL: ".*", Op.DIV: "./"})
    functions = MappingProxyType(
        {
            Op.SQRT: "sqrt",
            Op.TANH: "tanh",
            Op.ATAN: "atan",
            Op.SIGN: "sign",
            Op.NONZERO: "nonzero",
            Op.SIN: "sin",
            Op.COS: "cos",
        }
    )

    def __init__(self, module: Module) -> None:
        self.style = Style(module.real, Sines.FIRST, loops=True, reserved=KEYWORDS | USED)
        self._class = CLASSES[module.real]

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

    def made(self, name: str, size: int) -> str:
        """The statement that makes an array of so many entries."""
        kind = "" if self._class == "double" else f", '{self._class}'"
        return f"  {name} = zeros(count, {size}{kind});"

    def body(self, code: Code) -> tuple[str, ...]:
        """The statements of the function."""
        lines = [self._line(statement) for statement in code.head]
        if code.angles:
            lines.append(self.made(ANGLE, len(code.angles)))
            lines += [self._line(Store(Entry(ANGLE, Place(k)), angle)) for k, angle in enumerate(code.angles)]
            lines += [f"  {SINE} = sin({ANGLE});", f"  {COSINE} = cos({ANGLE});"]
        for place, names in enumerate(code.points):
            found = zip(names, (SINE, COSINE), strict=True)
            lines += [f"  {name} = {self.entry(array, Place(place))};" for name, array in found if name]
        lines += [self.made(name, size) for name, size in code.arrays.items()]
        for item in code.body:
            lines += self._loop(item) if isinstance(item, Loop) else [self._line(item)]
        return tuple(lines)

    def _loop(self, loop: Loop) -> list[str]:
        numbers = {name: [[self.number(x.value) for x in row] for row in rows] for name, rows in loop.numbers.items()}
        places = {name: [[str(place + 1) for place in row] for row in rows] for name, rows in loop.places.items()}
        lines = []
        for name, rows in {**numbers, **places}.items():
            lines += [f"  {name} = [", *(continued(f"    {', '.join(row)}", "      ") for row in rows), "  ];"]
        lines += [f"  {each.name} = {self.expression(each.before)};" for each in loop.carried]
        lines.append("  % Names are those of the first turn; ..._last is what the turn before has left.")
        lines.append(f"  for {TURN} = 0:{loop.times - 1}")
        lines += [self._line(statement, "    ") for statement in loop.body]
        return [*lines, *(f"    {each.name} = {self.expression(each.after)};" for each in loop.carried), "  end"]

    def _line(self, statement: Statement, indent: str = "  ") -> str:
        assert not isinstance(statement, Call)
        name = statement.name if isinstance(statement, Assignment) else self.expression(statement.entry)
        return continued(f"{indent}{name} = {self.expression(statement.value)};", f"{indent}  ")


def continued(text: str, indent: str) -> str:
    """A statement without strings that hold spaces, on as many lines as it needs."""
    return wrapped(text, WIDTH - 4, indent).replace("\n", " ...\n")
