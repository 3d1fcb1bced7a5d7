"""Module → Python: one file of NumPy functions, batched over leading dimensions, needing nothing but NumPy."""

from __future__ import annotations

import keyword
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, prod
from types import MappingProxyType

from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.printer import Printer
from symgen.emit.python.runner import run
from symgen.emit.style import Style, literal
from symgen.emit.text import (
    PACKED,
    FunctionText,
    argument_text,
    assembly_arguments,
    assembly_summary,
    function_text,
    legend,
    neutral_text,
    packed_results,
    parameter_lines,
    regressor_lines,
    regressor_note,
    robot_lines,
    start_arguments,
    wrapped,
)
from symgen.emit.tree import Assignment, Index, Store
from symgen.errors import OBJECTS
from symgen.program.module import Argument, Function, Module
from symgen.program.pattern import Pattern
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


_WIDTH = 100
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
        if len(line) <= _WIDTH:
            return line
        # Python ends a statement at a line's end unless a parenthesis is open: no break before it is.
        head = f"    {target} = (".replace(" ", _NO_BREAK)
        return wrapped(f"{head}{text})", _WIDTH, "        ").replace(_NO_BREAK, " ")


@dataclass(frozen=True)
class PythonOutput:
    """An output array: its name, its shape as text, and how it is made from a flat one."""

    name: str
    size: int
    result: str


@dataclass(frozen=True)
class PythonParameters:
    """What the template needs of run-time parameters."""

    defaults: tuple[tuple[str, str], ...]
    note: str
    texts: tuple[str, ...]
    size: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class PythonRegressor:
    """What the template needs of the parameters that belong to the regressor's columns."""

    values: tuple[tuple[str, str], ...]
    note: str
    texts: tuple[str, ...]


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
        assembly=_assembly(module),
        neutral=module.neutral,
        neutral_text=neutral_text(module),
        positions=tuple(position.name for position in module.record.positions),
        joints=tuple(joint.name for joint in module.record.joints),
        limits=[(each, [_number(value) for value in each.values]) for each in module.record.limits],
        real=NUMPY_REAL[module.real],
        functions=tuple(_function(module, function) for function in module.functions),
        functions_of_numbers=_functions_of_numbers(module),
        objects=textwrap.wrap(OBJECTS, _MESSAGE, drop_whitespace=False),
        patterns=_patterns(module),
        packed_text=textwrap.wrap(PACKED, _WIDTH),
        parameters=_parameters(module),
        regressor=_regressor(module),
    )
    return {f"{module.name}.py": text}


def _number(value: float) -> str:
    return repr(value) if isfinite(value) else f'float("{value}")'


LANGUAGE = Language("python", emit_python, words=WORDS, taken=TAKEN, run=run)


def docstring_safe(text: str) -> str:
    """Free text that can neither end a docstring nor escape in it."""
    return text.replace("\\", "\\\\").replace('"', "'")


def _documentation(text: FunctionText) -> tuple[str, ...]:
    """The lines of a function's docstring."""
    summary = wrapped(f'    """{docstring_safe(text.summary)}', _WIDTH, "    ")
    lines = [*text.inputs, "", "Returns", *(f"    {line}" for line in text.outputs), ""]
    lines += [f"Formulation: {text.formulation}.", f"Operations: {text.counts}."]
    body = (wrapped(f"    {docstring_safe(line)}", _WIDTH, "            ") if line else "" for line in lines)
    return (summary, "", *body)


def _functions_of_numbers(module: Module) -> tuple[str, ...]:
    """Functions of one number that the module needs."""
    return tuple(name for op, name in _FUNCTIONS.items() if ARITY[op] == 1 and module.uses(op))


def _parameters(module: Module) -> PythonParameters | None:
    if module.init is None:
        return None
    return PythonParameters(
        defaults=tuple((parameter.name, repr(parameter.default)) for parameter in module.parameters),
        note=wrapped(docstring_safe(module.parameters_note), _WIDTH, ""),
        texts=tuple(wrapped(docstring_safe(line), _WIDTH, "    ") for line in parameter_lines(module)),
        size=module.constants_size,
        lines=PythonPrinter(module).lines(module.init),
    )


def _assembly(module: Module) -> dict[str, object] | None:
    """The iteration that closes loops, if there is one."""
    if module.assembly is None:
        return None
    step = module.function(module.assembly.step)
    inputs = assembly_arguments(module, step)
    output = Argument("q", (module.record.nq,), "", "the closed q; NaN where none was found")
    status = Argument("status", (), "", "0 where q is closed, else 1")
    text = replace(
        function_text(step),
        summary=assembly_summary(module.assembly),
        inputs=tuple(map(argument_text, inputs)),
        outputs=(argument_text(output), argument_text(status)),
    )
    return {
        "documentation": _documentation(text),
        "arguments": [each.name for each in inputs],
        "sizes": [each.shape[0] for each in inputs],
        "places": f"[{', '.join(map(str, module.assembly.places))}]",
        "passed": ["q", *(each.name for each in step.inputs[1:])],
        "start": module.assembly.start,
        "starting": start_arguments(module),
        "step": module.assembly.step,
        "most": module.assembly.most,
        "closed": repr(module.assembly.closed),
    }


def _patterns(module: Module) -> list[tuple[str, list[tuple[str, tuple[str, ...]]]]]:
    """Function → result → lines of its pattern, none if it is not packed; of functions with packed results."""
    return [
        (function.name, [(output.name, _pattern_lines(output.pattern)) for output in function.outputs])
        for function in module.functions
        if packed_results(function)
    ]


def _pattern_lines(pattern: Pattern | None) -> tuple[str, ...]:
    """The lines of a pattern's two arrays and its shape; none if there is no pattern."""
    if pattern is None:
        return ()
    return tuple(wrapped(f"            {tuple(values)},", _WIDTH, "             ") for values in pattern)


def _regressor(module: Module) -> PythonRegressor | None:
    if module.regressor is None:
        return None
    return PythonRegressor(
        values=tuple((parameter.name, repr(parameter.default)) for parameter in module.regressor.parameters),
        note=wrapped(f'"""{regressor_note(module)}', _WIDTH, ""),
        texts=tuple(wrapped(docstring_safe(line), _WIDTH, "    ") for line in regressor_lines(module)),
    )


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
        documentation=_documentation(text),
        arguments=tuple(argument.name for argument in function.inputs),
        sizes=tuple(argument.shape[0] for argument in function.inputs),
        outputs=tuple(outputs),
        lines=PythonPrinter(module).lines(function.program),
        returned=_returned([output.result for output in outputs]),
    )


def _returned(results: Sequence[str]) -> str:
    """What a function returns; one result a line where they are long."""
    line = ", ".join(results)
    if len(f"    return {line}") <= _WIDTH:
        return line
    return "(\n" + "".join(f"        {result},\n" for result in results) + "    )"
