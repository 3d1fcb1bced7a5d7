"""How Rust writes trees: arrays of known sizes by reference, elementary functions of the crate's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symgen.emit.printer import NAMES
from symgen.emit.sincos import filled
from symgen.emit.statements import WIDTH, Table
from symgen.emit.style import Sines, Style, literal
from symgen.emit.text import wrapped
from symgen.emit.tree import ANGLE, COSINE, SINE, TURN, Code, Lookup
from symgen.emit.written import PiecesPrinter
from symgen.program.module import Module
from symgen.program.program import Op

REALS = {"float64": "f64", "float32": "f32"}
"""The type of each real type."""

MATH = {op: name for op, name in NAMES.items() if op not in (Op.SIGN, Op.NONZERO)}
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


class RustPrinter(PiecesPrinter):
    """Writes the code of one function of a module; its tables are constants of the crate, named after it."""

    new, changing, local = "let {name}", "let mut {name}", "let mut {name} = [0.0; {size}]"
    pointer, point = "{name}: &mut [{real}; {size}]", "{name}: &[{real}; {size}]"
    pass_own, pass_point = "&mut {name}", "&{name}"
    held = "0"
    turns = "for {turn} in 0..{times} {{"

    def __init__(self, module: Module, function: str, *, loops: bool = True) -> None:
        self.style = Style(module.real, Sines.FIRST, loops=loops, reserved=WORDS)
        super().__init__(module)
        self.real, self._function = REALS[module.real], function

    @property
    def functions(self) -> Mapping[Op, str]:
        """Functions of the crate's module of elementary functions."""
        suffix = "_f32" if self.real == "f32" else ""
        own = {Op.SIGN: "math::sign", Op.NONZERO: "math::nonzero"}
        return {op: f"math::{name}{suffix}" for op, name in MATH.items()} | own

    def number(self, value: float) -> str:
        """A literal."""
        return literal(value, self._module.real)

    def _table(self, name: str) -> str:
        return f"{self._function}_{name}".upper()

    def lookup(self, entry: Lookup) -> str:
        """An entry of a table."""
        return f"{self._table(entry.table)}[{TURN}][{entry.column}]"

    def outer(self, table: Table) -> Sequence[str]:
        """A table, before the function."""
        kind, rows = self.real if table.numbers else "usize", table.rows
        first = f"static {self._table(table.name)}: [[{kind}; {len(rows[0])}]; {len(rows)}] = ["
        return [first, *(wrapped(f"    [{', '.join(row)}],", WIDTH, "     ") for row in rows), "];"]

    def first(self, code: Code, read: Collection[str]) -> Sequence[str]:
        """The angles, and their sines and cosines, if these are read."""
        lines = [self.line(statement) for statement in code.head]
        if code.angles:
            angles = [*map(self.expression, code.angles), *["0.0"] * (filled(code) - len(code.angles))]
            lines.append(wrapped(f"    let {ANGLE} = [{', '.join(angles)}];", WIDTH, "        "))
            sine, cosine = (name if name in read else "_" for name in (SINE, COSINE))
            lines.append(f"    let ({sine}, {cosine}) = math::sincos(&{ANGLE});")
        return lines

    def definition(self, name: str, parameters: Sequence[str], *, has_status: bool) -> str:
        """How a piece begins; what went wrong is in its numbers."""
        return begun(f"fn {name}", parameters)


def begun(start: str, parameters: Sequence[str], result: str = "") -> str:
    """How a function begins; one parameter a line where it is long."""
    text = f"{start}({', '.join(parameters)}){result}"
    return text if len(text) < WIDTH - 2 else f"{start}(\n    " + ",\n    ".join(parameters) + f",\n){result}"
