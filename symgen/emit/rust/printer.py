"""How Rust writes trees: arrays of known sizes by reference, elementary functions of the crate's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from symgen.emit.printer import Printer
from symgen.emit.sincos import filled
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
    Index,
    Lookup,
    Loop,
    Place,
    Statement,
)
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Module
from symgen.program.program import Op

WIDTH = 100
"""No line of code is longer than this."""

REALS = {"float64": "f64", "float32": "f32"}
"""The type of each real type."""

MATH = {Op.SQRT: "sqrt", Op.TANH: "tanh", Op.ATAN: "atan", Op.SIN: "sin", Op.COS: "cos"}
"""Functions of one number that are worked out in double precision."""

WORDS = frozenset(
    """
    Self abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen
    if impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true try
    type typeof union unsafe unsized use virtual where while yield
    None Some Ok Err Constants Open NQ NV JOINTS POSITIONS NEUTRAL REGRESSOR_PARAMETERS REGRESSOR_NAMES
    LOWER_LIMITS UPPER_LIMITS VELOCITY_LIMITS EFFORT_LIMITS CUT_LOWER_LIMITS CUT_UPPER_LIMITS CUT_VELOCITY_LIMITS
    """.split()  # noqa: SIM905
)
"""No variable, argument or field can be called so: reserved words, and constants, which patterns would match."""

CRATES = frozenset("alloc build core proc_macro std test deps examples incremental con aux nul prn".split())  # noqa: SIM905
"""What Cargo lets no crate be called, beside reserved words."""


class RustPrinter(Printer):
    """Writes the code of one function of a module; its tables are constants of the crate, named after it."""

    def __init__(self, module: Module, function: str) -> None:
        self.style = Style(module.real, Sines.FIRST, loops=True, reserved=WORDS)
        self.real = REALS[module.real]
        self._module, self._function = module, function

    @property
    def functions(self) -> Mapping[Op, str]:
        """Functions of the crate's module of elementary functions."""
        suffix = "_f32" if self.real == "f32" else ""
        own = {Op.SIGN: "math::sign", Op.NONZERO: "math::nonzero"}
        return {op: f"math::{name}{suffix}" for op, name in MATH.items()} | own

    def number(self, value: float) -> str:
        """A literal."""
        return literal(value, self._module.real)

    def entry(self, array: str, index: Index) -> str:
        """An entry of an array, or the field of a struct that holds run-time parameters or what is made of them."""
        if array == CONSTANTS:
            return f"{CONSTANTS}.0[{self.place(index)}]"
        if array == PARAMETERS and self._module.parameters and isinstance(index, Place) and not index.step:
            return f"{PARAMETERS}.{self._module.parameters[index.start].name}"
        return super().entry(array, index)

    def _table(self, name: str) -> str:
        return f"{self._function}_{name}".upper()

    def lookup(self, entry: Lookup) -> str:
        """An entry of a table."""
        return f"{self._table(entry.table)}[{TURN}][{entry.column}]"

    def tables(self, code: Code) -> tuple[str, ...]:
        """The constants that loops need."""
        lines = []
        for loop in (item for item in code.body if isinstance(item, Loop)):
            numbers = {name: [[self.expression(x) for x in row] for row in rows] for name, rows in loop.numbers.items()}
            places = {name: [list(map(str, row)) for row in rows] for name, rows in loop.places.items()}
            for name, rows in (numbers | places).items():
                kind = self.real if name in numbers else "usize"
                lines.append(f"static {self._table(name)}: [[{kind}; {len(rows[0])}]; {len(rows)}] = [")
                lines += [*(wrapped(f"    [{', '.join(row)}],", WIDTH, "     ") for row in rows), "];"]
        return tuple(lines)

    def first(self, code: Code, read: Collection[str]) -> tuple[str, ...]:
        """What comes first: the angles, and their sines and cosines, if these are `read`."""
        lines = [self._line(statement) for statement in code.head]
        if code.angles:
            angles = [*map(self.expression, code.angles), *["0.0"] * (filled(code) - len(code.angles))]
            lines.append(wrapped(f"    let {ANGLE} = [{', '.join(angles)}];", WIDTH, "        "))
            sine, cosine = (name if name in read else "_" for name in (SINE, COSINE))
            lines.append(f"    let ({sine}, {cosine}) = math::sincos(&{ANGLE});")
        return tuple(lines)

    def body(self, code: Code) -> tuple[str, ...]:
        """The statements of the function."""
        lines = []
        for place, names in enumerate(code.points):
            lines += [f"    let {n} = {array}[{place}];" for n, array in zip(names, (SINE, COSINE), strict=True) if n]
        lines += [f"    let mut {name} = [0.0; {size}];" for name, size in code.arrays.items()]
        for item in code.body:
            lines += self._loop(item) if isinstance(item, Loop) else [self._line(item)]
        return tuple(lines)

    def _loop(self, loop: Loop) -> list[str]:
        lines = [f"    let mut {each.name} = {self.expression(each.before)};" for each in loop.carried]
        lines.append("    // Names are those of the first turn; ..._last is what the turn before has left.")
        lines.append(f"    for {TURN} in 0..{loop.times} {{")
        lines += [self._line(statement, " " * 8) for statement in loop.body]
        return [*lines, *(f"        {each.name} = {self.expression(each.after)};" for each in loop.carried), "    }"]

    def _line(self, statement: Statement, indent: str = "    ") -> str:
        assert not isinstance(statement, Call)
        name = f"let {statement.name}" if isinstance(statement, Assignment) else self.expression(statement.entry)
        return wrapped(f"{indent}{name} = {self.expression(statement.value)};", WIDTH, f"{indent}    ")
