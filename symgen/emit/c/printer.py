"""How C writes trees: entries, numbers, functions, statements, loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symgen.emit.c.words import WORDS
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
    Expression,
    Index,
    Loop,
    Number,
    Operation,
    Place,
    Statement,
    is_uniform,
)
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Module
from symgen.program.program import Op, Program

C_REAL = {"float64": "double", "float32": "float"}
"""The C type of each real type."""

WIDTH = 100
"""No line of code is longer than this."""

KERNELS = {Op.SQRT: "sqrt", Op.TANH: "tanh", Op.ATAN: "atan", Op.SIGN: "sign", Op.SIN: "sin", Op.COS: "cos"}
"""What functions of one number are called."""


def style(module: Module, *, loops: bool = True) -> Style:
    """How C wants the module's programs."""
    return Style(module.real, Sines.FIRST, loops=loops, reserved=WORDS | {"status"})


class CPrinter(Printer):
    """Writes the module's code in C, on variables of type `real`."""

    def __init__(self, module: Module, real: str | None = None) -> None:
        self._module = module
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

    def entry(self, array: str, index: Index) -> str:
        """An entry of an array, or the field of a struct that holds run-time parameters or what is made of them."""
        if array == CONSTANTS:
            return f"{CONSTANTS}->k[{self.place(index)}]"
        if array == PARAMETERS and self._module.parameters and isinstance(index, Place) and not index.step:
            return f"{PARAMETERS}->{self._module.parameters[index.start].name}"
        return super().entry(array, index)

    def cell(self, number: Number) -> str:
        """A number in a table."""
        return self.number(number.value)

    def pointer(self, name: str) -> str:
        """A parameter that is an array of the function's own."""
        return f"{self.real} *restrict {name}"

    def piece(self, name: str) -> str:
        """What the function of a piece is called by."""
        return name

    def value(self, expression: Expression) -> str:
        """What is assigned to a variable."""
        return self.expression(expression)

    def call(self, statement: Call) -> str:
        """The call of a kernel."""
        arguments = [f"&{self.expression(statement.argument)}", *map(self.expression, statement.others)]
        name = "nonzero" if statement.op is Op.NONZERO else KERNELS[statement.op]
        return f"{name}_lanes({', '.join([*arguments, f'&{statement.name}'])})"

    def arguments(self, operation: Operation) -> list[str]:
        """Those of a function of numbers; ours that says what is nearly 0 has a place to say so."""
        return [*super().arguments(operation), *(["&status"] if operation.op is Op.NONZERO else [])]

    def body(self, code: Code) -> tuple[str, ...]:
        """The body of a function, without its angles."""
        declared = [f"    {self.real} {name}[{size}];" for name, size in code.arrays.items()]
        return (*self._points(code), *declared, *(line for item in code.body for line in self._lines(item)))

    def _lines(self, item: Statement | Loop) -> list[str]:
        if not isinstance(item, Loop):
            return [self.line(item)]
        numbers = {name: [list(map(self.cell, row)) for row in rows] for name, rows in item.numbers.items()}
        places = {name: [list(map(str, row)) for row in rows] for name, rows in item.places.items()}
        found = [*_table_lines(self._number, numbers), *_table_lines("unsigned", places)]
        found += [f"    {self.real} {each.name} = {self.value(each.before)};" for each in item.carried]
        found.append("    /* Names are those of the first turn; ..._last is what the turn before has left. */")
        found.append(f"    for (int {TURN} = 0; {TURN} < {item.times}; {TURN}++) {{")
        found += [self.line(statement, "        ") for statement in item.body]
        return [*found, *(f"        {each.name} = {self.value(each.after)};" for each in item.carried), "    }"]

    def line(self, statement: Statement, indent: str = "    ") -> str:
        """A statement, with the declarations it needs."""
        if isinstance(statement, Call):
            call = wrapped(f"{indent}{self.call(statement)};", WIDTH, f"{indent}    ")
            return f"{indent}{self.real} {statement.name} = {{0}};\n{call}"
        if isinstance(statement, Assignment):
            target = f"const {self.real} {statement.name}"
        else:
            target = self.expression(statement.entry)
        return wrapped(f"{indent}{target} = {self.value(statement.value)};", WIDTH, f"{indent}    ")

    def _points(self, code: Code) -> tuple[str, ...]:
        """The declarations of the sines and cosines that a body needs."""
        lines = []
        for place, names in enumerate(code.points):
            taken = [f"{name} = {array}[{place}]" for name, array in zip(names, (SINE, COSINE), strict=True) if name]
            lines += [f"    const {self.real} {', '.join(taken)};"] if taken else []
        return tuple(lines)

    def angle_array(self, code: Code, size: int) -> str:
        """The declaration of the array of angles, zeros after the last."""
        angles = ", ".join(map(self.value, code.angles))
        return wrapped(f"    const {self.real} {ANGLE}[{size}] = {{{angles}}};", WIDTH, "        ")


class LanesPrinter(CPrinter):
    """Writes code on vectors of states; what is one number for all of them is spread."""

    def __init__(self, module: Module) -> None:
        super().__init__(module, "lanes")

    def value(self, expression: Expression) -> str:
        """What is assigned to a vector."""
        text = self.expression(expression)
        return f"SPREAD({text})" if is_uniform(expression) else text


def _table_lines(kind: str, tables: Mapping[str, Sequence[Sequence[str]]]) -> list[str]:
    """The declarations of constant tables."""
    found = []
    for name, rows in tables.items():
        found.append(f"    static const {kind} {name}[{len(rows)}][{len(rows[0])}] = {{")
        found += [wrapped(f"        {{{', '.join(row)}}},", WIDTH, "         ") for row in rows]
        found.append("    };")
    return found


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
