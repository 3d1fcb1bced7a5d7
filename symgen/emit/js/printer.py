"""How JavaScript writes trees; in single precision every result is rounded by Math.fround."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symgen.emit.printer import Printer
from symgen.emit.sincos import LANES, filled, kernel
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
    Lookup,
    Loop,
    Number,
    Place,
    Statement,
    Store,
)
from symgen.program.module import Module
from symgen.program.program import Op

WIDTH = 100
"""No line of code is longer than this."""

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


class JsPrinter(Printer):
    """Writes the code of one function of a module; its tables are constants of the module, named after it."""

    functions = MappingProxyType(
        {
            Op.SQRT: "Math.sqrt",
            Op.TANH: "Math.tanh",
            Op.ATAN: "Math.atan",
            Op.SIGN: "Math.sign",
            Op.NONZERO: "nonzero",
            Op.SIN: "Math.sin",
            Op.COS: "Math.cos",
        }
    )

    def __init__(self, module: Module, function: str) -> None:
        self.style = Style(module.real, Sines.FIRST, loops=True, reserved=WORDS)
        self.array = ARRAYS[module.real]
        self._real, self._function = module.real, function

    def number(self, value: float) -> str:
        """A literal; in single precision too all digits are written, since it is read in double precision."""
        return literal(value, "float64")

    def lookup(self, entry: Lookup) -> str:
        """An entry of a table."""
        return f"{self._function}_{super().lookup(entry)}"

    def operation(self, op: Op, text: str) -> str | None:
        """In single precision the rounded result."""
        return f"fround({text})" if self._real == "float32" and op not in (Op.NEG, Op.SIGN, Op.NONZERO) else None

    def tables(self, code: Code) -> tuple[str, ...]:
        """The constants that loops need."""
        lines = []
        for item in code.body:
            for name, rows in {**item.numbers, **item.places}.items() if isinstance(item, Loop) else ():
                lines.append(f"const {self._function}_{name} = [")
                texts = [
                    ", ".join(self.number(x.value) if isinstance(x, Number) else str(x) for x in row) for row in rows
                ]
                lines += [*(wrapped(f"  [{text}],", WIDTH, "    ") for text in texts), "];"]
        return tuple(lines)

    def body(self, code: Code) -> tuple[str, ...]:
        """The statements of the function."""
        lines = [self._line(statement) for statement in code.head]
        lines += [self._line(Store(Entry(ANGLE, Place(k)), angle)) for k, angle in enumerate(code.angles)]
        lines += [f"  {ANGLE}.fill(0.0, {len(code.angles)}, {filled(code)});"] if len(code.angles) % LANES else []
        lines += [f"  sincos({filled(code)});"] if code.angles else []
        for place, names in enumerate(code.points):
            lines += [f"  const {n} = {array}[{place}];" for n, array in zip(names, (SINE, COSINE), strict=True) if n]
        lines += [f"  const {name} = new {self.array}({size});" for name, size in code.arrays.items()]
        for item in code.body:
            lines += self._loop(item) if isinstance(item, Loop) else [self._line(item)]
        return tuple(lines)

    def _loop(self, loop: Loop) -> list[str]:
        lines = [f"  let {each.name} = {self.expression(each.before)};" for each in loop.carried]
        lines.append("  // Names are those of the first turn; ..._last is what the turn before has left.")
        lines.append(f"  for (let {TURN} = 0; {TURN} < {loop.times}; {TURN}++) {{")
        lines += [self._line(statement, "    ") for statement in loop.body]
        return [*lines, *(f"    {each.name} = {self.expression(each.after)};" for each in loop.carried), "  }"]

    def _line(self, statement: Statement, indent: str = "  ") -> str:
        assert not isinstance(statement, Call)
        name = f"const {statement.name}" if isinstance(statement, Assignment) else self.expression(statement.entry)
        return wrapped(f"{indent}{name} = {self.expression(statement.value)};", WIDTH, f"{indent}  ")

    def kernel(self) -> Mapping[str, str]:
        """What sines and cosines are made of, as the C makes them: name → expression."""
        return {name: wrapped(self.expression(tree), WIDTH - 22, " " * 8) for name, tree in kernel(self._real).items()}
