"""How JavaScript writes trees; in single precision every result is rounded by Math.fround."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from symgen.emit.printer import NAMES
from symgen.emit.sincos import LANES, filled, kernel
from symgen.emit.statements import WIDTH, StatementPrinter, Table
from symgen.emit.style import Sines, Style, literal
from symgen.emit.text import wrapped
from symgen.emit.tree import ANGLE, Code, Entry, Lookup, Place, Store
from symgen.program.module import Module
from symgen.program.program import Op

ARRAYS = {"float64": "Float64Array", "float32": "Float32Array"}
"""The typed array of each real type."""

WORDS = frozenset(
    """
    arguments async await break case catch class const continue debugger default delete do else enum eval export extends
    false finally for function get if implements import in instanceof interface let new null of package private
    protected public return set static super switch this throw true try typeof undefined var void while with yield
    Math Float32Array Float64Array fround check nonzero sincos
    """.split()  # noqa: SIM905
)
"""No variable or argument can be called so: reserved words, and what the module's functions use."""


class JsPrinter(StatementPrinter):
    """Writes the code of one function of a module; its tables are constants of the module, named after it."""

    functions = MappingProxyType({op: name if op is Op.NONZERO else f"Math.{name}" for op, name in NAMES.items()})
    indent = "  "
    new, changing, local = "const {name}", "let {name}", "const {name} = new {real}({size})"
    turns = "for (let {turn} = 0; {turn} < {times}; {turn}++) {{"

    def __init__(self, module: Module, function: str) -> None:
        self.style = Style(module.real, Sines.FIRST, loops=True, reserved=WORDS)
        self.real = ARRAYS[module.real]
        self._single, self._function = module.real == "float32", function

    def number(self, value: float) -> str:
        """A literal; in single precision too all digits are written, since it is read in double precision."""
        return literal(value, "float64")

    def lookup(self, entry: Lookup) -> str:
        """An entry of a table."""
        return f"{self._function}_{super().lookup(entry)}"

    def operation(self, op: Op, text: str) -> str | None:
        """In single precision the rounded result."""
        return f"fround({text})" if self._single and op not in (Op.NEG, Op.SIGN, Op.NONZERO) else None

    def outer(self, table: Table) -> Sequence[str]:
        """A table, before the function."""
        rows = [wrapped(f"  [{', '.join(row)}],", WIDTH, "    ") for row in table.rows]
        return [f"const {self._function}_{table.name} = [", *rows, "];"]

    def first(self, code: Code, read: Collection[str]) -> Sequence[str]:
        """The angles, and what makes their sines and cosines, all in arrays of the module."""
        lines = [self.line(statement) for statement in code.head]
        lines += [self.line(Store(Entry(ANGLE, Place(k)), angle)) for k, angle in enumerate(code.angles)]
        lines += [f"  {ANGLE}.fill(0.0, {len(code.angles)}, {filled(code)});"] if len(code.angles) % LANES else []
        return [*lines, *([f"  sincos({filled(code)});"] if code.angles else [])]

    def kernel(self) -> Mapping[str, str]:
        """What sines and cosines are made of, as the C makes them: name → expression."""
        return {
            name: wrapped(self.expression(tree), WIDTH - 22, " " * 8)
            for name, tree in kernel("float32" if self._single else "float64").items()
        }
