"""How C writes trees: entries, numbers, functions, statements, loops."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symgen.emit.c.words import WORDS
from symgen.emit.printer import NAMES
from symgen.emit.sincos import LANES, filled
from symgen.emit.statements import WIDTH, Table
from symgen.emit.style import Sines, Style, literal
from symgen.emit.text import wrapped
from symgen.emit.tree import (
    ANGLE,
    COSINE,
    SINE,
    Call,
    Code,
    Expression,
    Operation,
    Statement,
    is_uniform,
)
from symgen.emit.written import PiecesPrinter
from symgen.program.module import Module
from symgen.program.program import Op, Program

C_REAL = {"float64": "double", "float32": "float"}
"""The C type of each real type."""

KERNELS: dict[Op, str] = {op: name for op, name in NAMES.items() if op is not Op.NONZERO}
"""What functions of one number are called."""


def style(module: Module, *, loops: bool = True) -> Style:
    """How C wants the module's programs."""
    return Style(module.real, Sines.FIRST, loops=loops, reserved=WORDS | {"status"})


class CPrinter(PiecesPrinter):
    """Writes the module's code in C, on variables of type `real`."""

    note = "/* {} */"
    new, changing, local = "const {real} {name}", "{real} {name}", "{real} {name}[{size}]"
    pointer, point = "{real} *restrict {name}", "const {real} *restrict {name}"
    member = "{}->{}"
    has_status = True

    def __init__(self, module: Module, real: str | None = None, *, loops: bool = True) -> None:
        super().__init__(module)
        self.style = style(module, loops=loops)
        self._number = C_REAL[module.real]
        self._suffix = "f" if module.real == "float32" else ""
        self.real = real or self._number

    @property
    def functions(self) -> Mapping[Op, str]:
        """Functions of libm, and our own."""
        own = {Op.SIGN: f"{self._module.name}_sign", Op.NONZERO: f"{self._module.name}_nonzero"}
        return {op: f"{name}{self._suffix}" for op, name in KERNELS.items()} | own

    def number(self, value: float) -> str:
        """A literal of the real type."""
        return literal(value, self._module.real) + self._suffix.upper()

    def definition(self, name: str, parameters: Sequence[str], *, has_status: bool) -> str:
        """How a function begins."""
        return declaration(f"{'int' if has_status else 'void'} {name}", parameters)

    def call(self, statement: Call) -> str:
        """The call of a kernel."""
        arguments = [f"&{self.expression(statement.argument)}", *map(self.expression, statement.others)]
        name = "nonzero" if statement.op is Op.NONZERO else KERNELS[statement.op]
        return f"{name}_lanes({', '.join([*arguments, f'&{statement.name}'])})"

    def arguments(self, operation: Operation) -> list[str]:
        """Those of a function of numbers; ours that says what is nearly 0 has a place to say so."""
        return [*super().arguments(operation), *(["&status"] if operation.op is Op.NONZERO else [])]

    def inner(self, table: Table) -> Sequence[str]:
        """A table, before its loop."""
        kind, rows = self._number if table.numbers else "unsigned", table.rows
        first = f"    static const {kind} {table.name}[{len(rows)}][{len(rows[0])}] = {{"
        return [first, *(wrapped(f"        {{{', '.join(row)}}},", WIDTH, "         ") for row in rows), "    };"]

    def line(self, statement: Statement, indent: str | None = None) -> str:
        """A statement, with the declarations it needs."""
        if not isinstance(statement, Call):
            return super().line(statement, indent)
        indent = self.indent if indent is None else indent
        call = wrapped(f"{indent}{self.call(statement)};", WIDTH, f"{indent}    ")
        return f"{indent}{self.form(self.changing, statement.name)} = {{0}};\n{call}"

    def first(self, code: Code, read: Collection[str]) -> Sequence[str]:
        """What stands before the body: the angles, and their sines and cosines."""
        found = [self.line(statement) for statement in code.head]
        if code.angles:
            size = filled(code)
            found += [self.angle_array(code, size), f"    {self.array(SINE, size)}, {COSINE}[{size}];"]
            found += self.sincos(code)
        return found

    def sincos(self, code: Code) -> Sequence[str]:
        """The statements that set the sines and cosines of the angles."""
        name, size = f"{self._module.name}_sincos", filled(code)
        if size == LANES:
            return [f"    {name}({ANGLE}, {SINE}, {COSINE});"]
        loop = f"    for (int i = 0; i < {size}; i += {LANES}) {{"
        return [loop, f"        {name}({ANGLE} + i, {SINE} + i, {COSINE} + i);", "    }"]

    def angle_array(self, code: Code, size: int) -> str:
        """The declaration of the array of angles, zeros after the last."""
        angles = ", ".join(map(self.value, code.angles))
        return wrapped(f"    {self.constant(ANGLE)}[{size}] = {{{angles}}};", WIDTH, "        ")

    def _points(self, code: Code) -> tuple[str, ...]:
        """The declarations of the sines and cosines that a body needs, two in one."""
        lines = []
        for place, names in enumerate(code.points):
            taken = [f"{name} = {array}[{place}]" for name, array in zip(names, (SINE, COSINE), strict=True) if name]
            lines += [f"    {self.constant(', '.join(taken))};"] if taken else []
        return tuple(lines)


class LanesPrinter(CPrinter):
    """Writes code on vectors of states; what is one number for all of them is spread."""

    def __init__(self, module: Module) -> None:
        super().__init__(module, "lanes")

    def value(self, expression: Expression) -> str:
        """What is assigned to a vector."""
        text = self.expression(expression)
        return f"SPREAD({text})" if is_uniform(expression) else text


def absolute(module: Module) -> str:
    """The name of the function that gives absolute values."""
    return "fabsf" if module.real == "float32" else "fabs"


def has(program: Program, *ops: Op) -> bool:
    """Whether any of `ops` occurs in a program."""
    return any(instruction.op in ops for instruction in program.instructions)


def declaration(start: str, parameters: Sequence[str]) -> str:
    """The declaration of a function, without its semicolon; one parameter a line where it is long."""
    text = f"{start}({', '.join(parameters)})"
    return text if len(text) < WIDTH else f"{start}(\n    " + ",\n    ".join(parameters) + ")"
