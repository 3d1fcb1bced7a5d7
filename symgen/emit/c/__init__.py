"""Module → C99: one source and one header, nothing but libm, no allocation, no static state."""

from __future__ import annotations

import re
from dataclasses import dataclass

from symgen.emit.environment import render
from symgen.emit.statements import Dialect, Statement, literal, statements
from symgen.emit.text import LEGEND, FunctionText, function_text, robot_lines, wrapped
from symgen.program.module import Function, Module
from symgen.program.program import Op

_DIALECT = Dialect(
    variable=lambda name, index: f"{name}[{index}]",
    literal=literal,
    functions={Op.SIN: "sin", Op.COS: "cos", Op.SQRT: "sqrt"},
)

_WIDTH = 100


@dataclass(frozen=True)
class CFunction:
    """What the templates need of one function."""

    text: FunctionText
    prototype: str
    definition: str
    unused: tuple[str, ...]
    lines: tuple[str, ...]


def emit_c(module: Module) -> dict[str, str]:
    """The C sources of `module`: file name → text, for `<name>.c` and `<name>.h`."""
    functions = tuple(_function(module, function) for function in module.functions)
    keys = {
        "name": module.name,
        "macro": module.name.upper(),
        "generator": module.record.generator,
        "robot": tuple(map(comment_safe, robot_lines(module))),
        "legend": LEGEND,
        "nq": module.record.nq,
        "nv": module.record.nv,
        "functions": functions,
    }
    return {
        f"{module.name}.c": render("c/module.c.j2", **keys),
        f"{module.name}.h": render("c/module.h.j2", **keys),
    }


def _function(module: Module, function: Function) -> CFunction:
    used = {i.name for i in function.program.instructions if i.op is Op.VARIABLE}
    return CFunction(
        text=function_text(function),
        prototype=_signature(module, function, f"{module.name.upper()}_RESTRICT"),
        definition=_signature(module, function, "restrict"),
        unused=tuple(argument.name for argument in function.inputs if argument.name not in used),
        lines=tuple(_line(statement) for statement in statements(function.program, _DIALECT)),
    )


def _signature(module: Module, function: Function, restrict: str) -> str:
    """The declaration of a function, without its semicolon; one argument a line where it is long."""
    arguments = [f"const double *{restrict} {argument.name}" for argument in function.inputs]
    arguments += [f"double *{restrict} {argument.name}" for argument in function.outputs]
    start = f"void {module.name}_{function.name}("
    line = f"{start}{', '.join(arguments)})"
    if len(line) < _WIDTH:
        return line
    return start + "\n    " + ",\n    ".join(arguments) + ")"


def comment_safe(text: str) -> str:
    """Free text that cannot end, nest or continue a C comment."""
    return re.sub(r"\?(?=\?)", "? ", text.replace("*/", "* /").replace("/*", "/ *"))


def _line(statement: Statement) -> str:
    local, entry = f"const double {statement.name}", f"{statement.output}[{statement.index}]"
    target = entry if statement.output else local
    return wrapped(f"    {target} = {statement.text};", _WIDTH, "        ")
