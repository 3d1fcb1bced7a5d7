"""Module → Python: one file of NumPy functions, batched over leading dimensions, needing nothing but NumPy."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.emit.environment import render
from symgen.emit.statements import Dialect, Statement, literal, statements
from symgen.emit.text import LEGEND, FunctionText, function_text, robot_lines, wrapped
from symgen.program.module import Function, Module
from symgen.program.program import Op

_DIALECT = Dialect(
    variable=lambda name, index: f"{name}[..., {index}]",
    literal=literal,
    functions={Op.SIN: "np.sin", Op.COS: "np.cos", Op.SQRT: "np.sqrt"},
)

_WIDTH = 100
_NO_BREAK = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class PythonOutput:
    """An output array: its name, its shape as text, and how it is made from a flat one."""

    name: str
    size: int
    result: str


@dataclass(frozen=True)
class PythonFunction:
    """What the template needs of one function."""

    text: FunctionText
    arguments: tuple[str, ...]
    sizes: tuple[int, ...]
    outputs: tuple[PythonOutput, ...]
    lines: tuple[str, ...]


def emit_python(module: Module) -> dict[str, str]:
    """The Python source of `module`: file name → text, for `<name>.py`."""
    text = render(
        "python/module.py.j2",
        name=module.name,
        generator=module.record.generator,
        robot=tuple(map(docstring_safe, robot_lines(module))),
        legend=LEGEND,
        nq=module.record.nq,
        nv=module.record.nv,
        joints=tuple(joint.name for joint in module.record.joints),
        functions=tuple(_function(function) for function in module.functions),
    )
    return {f"{module.name}.py": text}


def docstring_safe(text: str) -> str:
    """Free text that can neither end a docstring nor escape in it."""
    return text.replace("\\", "\\\\").replace('"', "'")


def _function(function: Function) -> PythonFunction:
    outputs = []
    for argument in function.outputs:
        size = 1
        for extent in argument.shape:
            size *= extent
        shape = ", ".join(map(str, argument.shape))
        flat = len(argument.shape) == 1
        result = argument.name if flat else f"{argument.name}.reshape(*batch, {shape})"
        outputs.append(PythonOutput(argument.name, size, result))
    return PythonFunction(
        text=function_text(function),
        arguments=tuple(argument.name for argument in function.inputs),
        sizes=tuple(argument.shape[0] for argument in function.inputs),
        outputs=tuple(outputs),
        lines=tuple(_line(statement) for statement in statements(function.program, _DIALECT)),
    )


def _line(statement: Statement) -> str:
    target = f"{statement.output}[..., {statement.index}]" if statement.output else statement.name
    line = f"    {target} = {statement.text}"
    if len(line) <= _WIDTH:
        return line
    # Python ends a statement at a line's end unless a parenthesis is open: no break before it is.
    head = f"    {target} = (".replace(" ", _NO_BREAK)
    return wrapped(f"{head}{statement.text})", _WIDTH, "        ").replace(_NO_BREAK, " ")
