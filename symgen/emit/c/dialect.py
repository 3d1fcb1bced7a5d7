"""How C writes programs: entries, numbers, functions, statements."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.emit.dialect import COSINE, SINE, Code, Dialect, Sines, Statement, Turns, literal
from symgen.emit.text import wrapped
from symgen.program.module import CONSTANTS, Module
from symgen.program.program import Op, Program

C_REAL = {"float64": "double", "float32": "float"}
"""The C type of each real type."""

WIDTH = 100
"""No line of code is longer than this."""


def dialect(module: Module) -> Dialect:
    """How C writes the module's programs."""
    suffix = "f" if module.real == "float32" else ""
    names = [parameter.name for parameter in module.parameters]

    def variable(name: str, index: int | str) -> str:
        if name == CONSTANTS:
            return f"{CONSTANTS}->k[{index}]"
        if name == "parameters" and names and isinstance(index, int):
            return f"parameters->{names[index]}"
        return f"{name}[{index}]"

    return Dialect(
        variable=variable,
        output=lambda name, index: f"{name}->k[{index}]" if name == CONSTANTS else f"{name}[{index}]",
        literal=lambda value: literal(value, module.real) + suffix.upper(),
        functions={
            Op.SQRT: f"sqrt{suffix}",
            Op.TANH: f"tanh{suffix}",
            Op.SIGN: f"{module.name}_sign",
            Op.SIN: f"sin{suffix}",
            Op.COS: f"cos{suffix}",
        },
        sines=Sines.FIRST,
        loops=True,
    )


def has(program: Program, *ops: Op) -> bool:
    """Whether any of `ops` occurs in a program."""
    return any(instruction.op in ops for instruction in program.instructions)


def lines(code: Code, real: str, number: str) -> tuple[str, ...]:
    """The body of a function: `real` is the type of its variables, `number` that of constants."""
    declared = [f"    {real} {name}[{size}];" for name, size in code.arrays.items()]
    return (*points(code, real), *declared, *(each for item in code.body for each in _lines(item, real, number)))


def _lines(item: Statement | Turns, real: str, number: str) -> list[str]:
    if isinstance(item, Statement):
        return [line(item, real)]
    found = []
    for kind, tables in ((number, item.tables), ("unsigned", item.places)):
        for name, rows in tables.items():
            found.append(f"    static const {kind} {name}[{len(rows)}][{len(rows[0])}] = {{")
            found += [wrapped(f"        {{{', '.join(map(str, row))}}},", WIDTH, "         ") for row in rows]
            found.append("    };")
    found += [f"    {real} {name} = {before};" for name, before, _ in item.lasts]
    found.append("    /* Names are those of the first turn; ..._last is what the turn before has left. */")
    found.append(f"    for (int {item.index} = 0; {item.index} < {item.times}; {item.index}++) {{")
    found += [line(statement, real, "        ") for statement in item.body]
    return [*found, *(f"        {name} = {after};" for name, _, after in item.lasts), "    }"]


def line(statement: Statement, real: str, indent: str = "    ") -> str:
    """A statement in C, with the declarations it needs; `real` is the type of its variables."""
    if statement.call:
        call = wrapped(f"{indent}{statement.text};", WIDTH, f"{indent}    ")
        return f"{indent}{real} {statement.target};\n{call}"
    declared = f"const {real} {statement.target}" if statement.local else statement.target
    return wrapped(f"{indent}{declared} = {statement.text};", WIDTH, f"{indent}    ")


def points(code: Code, real: str) -> tuple[str, ...]:
    """The declarations of the sines and cosines that a body needs."""
    lines = []
    for place, names in enumerate(code.points):
        taken = [f"{name} = {array}[{place}]" for name, array in zip(names, (SINE, COSINE), strict=True) if name]
        lines += [f"    const {real} {', '.join(taken)};"] if taken else []
    return tuple(lines)


def angle_array(code: Code, real: str, size: int) -> str:
    """The declaration of the array of angles, zeros after the last."""
    return wrapped(f"    const {real} angle[{size}] = {{{', '.join(code.angles)}}};", WIDTH, "        ")


def declaration(start: str, parameters: Sequence[str]) -> str:
    """The declaration of a function, without its semicolon; one parameter a line where it is long."""
    text = f"{start}({', '.join(parameters)})"
    return text if len(text) < WIDTH else f"{start}(\n    " + ",\n    ".join(parameters) + ")"
