"""Module → Python: one file of NumPy functions, batched over leading dimensions, needing nothing but NumPy."""

from __future__ import annotations

import keyword
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from types import MappingProxyType

from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.printer import Printer
from symgen.emit.python.runner import run, tool
from symgen.emit.python.text import (
    WIDTH,
    PythonParameters,
    docstring_safe,
    documentation,
    python_assembly,
    python_number,
    python_parameters,
    python_patterns,
    python_regressor,
)
from symgen.emit.style import Style, literal
from symgen.emit.text import (
    PACKED,
    FunctionText,
    function_text,
    legend,
    neutral_text,
    robot_lines,
    wrapped,
)
from symgen.emit.tree import Assignment, Index, Store
from symgen.errors import OBJECTS
from symgen.program.module import Argument, Function, Module
from symgen.program.program import ARITY, Op, Program

NUMPY_REAL = {"float64": "np.float64", "float32": "np.float32"}
"""NumPy's name of each real type."""

WORDS = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)
"""No variable or argument can be called so."""

TAKEN = frozenset(word.lower() for word in (*WORDS, *sys.stdlib_module_names, "numpy", "symgen"))
"""A module that was called so could not be imported, or would hide another."""

_FUNCTIONS = {
    Op.SIN: "sin",
    Op.COS: "cos",
    Op.SQRT: "sqrt",
    Op.TANH: "tanh",
    Op.ATAN: "atan",
    Op.SIGN: "sign",
    Op.NONZERO: "nonzero",
}
"""The usual names; those of the generated module have an underscore before them, and take objects too."""


_MESSAGE = 78
_NO_BREAK = "\N{NO-BREAK SPACE}"


class PythonPrinter(Printer):
    """Writes the module's code with NumPy; constants are Python floats, which do not widen arrays."""

    functions = MappingProxyType({op: f"_{name}" for op, name in _FUNCTIONS.items()})

    def __init__(self, module: Module) -> None:
        self._real = module.real

    def number(self, value: float) -> str:
        """A literal."""
        return literal(value, self._real)

    def entry(self, array: str, index: Index) -> str:
        """An entry of an array for every state."""
        return f"{array}[..., {self.place(index)}]"

    def lines(self, program: Program) -> tuple[str, ...]:
        """The body of a function."""
        code = lower(program, Style(self._real, reserved=WORDS))
        return tuple(self._line(item) for item in code.body if isinstance(item, Assignment | Store))

    def _line(self, statement: Assignment | Store) -> str:
        text = self.expression(statement.value)
        target = statement.name if isinstance(statement, Assignment) else self.expression(statement.entry)
        line = f"    {target} = {text}"
        if len(line) <= WIDTH:
            return line
        # Python ends a statement at a line's end unless a parenthesis is open: no break before it is.
        head = f"    {target} = (".replace(" ", _NO_BREAK)
        return wrapped(f"{head}{text})", WIDTH, "        ").replace(_NO_BREAK, " ")


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
    documentation: tuple[str, ...]
    arguments: tuple[str, ...]
    sizes: tuple[int, ...]
    outputs: tuple[PythonOutput, ...]
    lines: tuple[str, ...]
    returned: str


def emit_python(module: Module) -> dict[str, str]:
    """The Python source of `module`: file name → text, for `<name>.py`."""
    text = render(
        "python/module.py.j2",
        name=module.name,
        generator=module.record.generator,
        robot=tuple(map(docstring_safe, robot_lines(module))),
        legend=legend(module),
        nonzero=module.uses(Op.NONZERO),
        nq=module.record.nq,
        nv=module.record.nv,
        free=not module.record.is_plain,
        assembly=python_assembly(module),
        neutral=module.neutral,
        neutral_text=neutral_text(module),
        positions=tuple(position.name for position in module.record.positions),
        joints=tuple(joint.name for joint in module.record.joints),
        limits=[(each, [python_number(value) for value in each.values]) for each in module.record.limits],
        real=NUMPY_REAL[module.real],
        functions=tuple(_function(module, function) for function in module.functions),
        functions_of_numbers=_functions_of_numbers(module),
        objects=textwrap.wrap(OBJECTS, _MESSAGE, drop_whitespace=False),
        patterns=python_patterns(module),
        packed_text=textwrap.wrap(PACKED, WIDTH),
        parameters=_parameters(module),
        regressor=python_regressor(module),
    )
    return {f"{module.name}.py": text}


LANGUAGE = Language("python", emit_python, words=WORDS, taken=TAKEN, run=run, tool=tool)


def _parameters(module: Module) -> PythonParameters | None:
    return None if module.init is None else python_parameters(module, PythonPrinter(module).lines(module.init))


def _functions_of_numbers(module: Module) -> tuple[str, ...]:
    """Functions of one number that the module needs."""
    return tuple(name for op, name in _FUNCTIONS.items() if ARITY[op] == 1 and module.uses(op))


def _result(argument: Argument) -> str:
    """How a flat output array is returned: as it is, as a matrix, or as a number where there is no batch."""
    if len(argument.shape) == 1:
        return argument.name
    if not argument.shape:
        return f"{argument.name}[..., 0][()]"
    return f"{argument.name}.reshape(*batch, {', '.join(map(str, argument.shape))})"


def _function(module: Module, function: Function) -> PythonFunction:
    outputs = [PythonOutput(argument.name, prod(argument.shape), _result(argument)) for argument in function.outputs]
    text = function_text(function)
    return PythonFunction(
        text=text,
        documentation=documentation(text),
        arguments=tuple(argument.name for argument in function.inputs),
        sizes=tuple(argument.shape[0] for argument in function.inputs),
        outputs=tuple(outputs),
        lines=PythonPrinter(module).lines(function.program),
        returned=_returned([output.result for output in outputs]),
    )


def _returned(results: Sequence[str]) -> str:
    """What a function returns; one result a line where they are long."""
    line = ", ".join(results)
    if len(f"    return {line}") <= WIDTH:
        return line
    return "(\n" + "".join(f"        {result},\n" for result in results) + "    )"
