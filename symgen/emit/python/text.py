"""Pieces of text that modules of Python have in common, whatever they compute with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite

from symgen.emit.text import (
    FunctionText,
    argument_text,
    assembly_arguments,
    assembly_summary,
    function_text,
    packed_results,
    parameter_lines,
    regressor_lines,
    regressor_note,
    start_arguments,
    wrapped,
)
from symgen.program.module import Argument, Module
from symgen.program.pattern import Pattern

WIDTH = 100
"""No line of code is longer than this."""


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


def python_number(value: float) -> str:
    """A number of Python, which may be infinite."""
    return repr(value) if isfinite(value) else f'float("{value}")'


def docstring_safe(text: str) -> str:
    """Free text that can neither end a docstring nor escape in it."""
    return text.replace("\\", "\\\\").replace('"', "'")


def documentation(text: FunctionText) -> tuple[str, ...]:
    """The lines of a function's docstring."""
    summary = wrapped(f'    """{docstring_safe(text.summary)}', WIDTH, "    ")
    lines = [*text.inputs, "", "Returns", *(f"    {line}" for line in text.outputs), ""]
    lines += [f"Formulation: {text.formulation}.", f"Operations: {text.counts}."]
    body = (wrapped(f"    {docstring_safe(line)}", WIDTH, "            ") if line else "" for line in lines)
    return (summary, "", *body)


def python_assembly(module: Module) -> dict[str, object] | None:
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
        "documentation": documentation(text),
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


def python_patterns(module: Module) -> list[tuple[str, list[tuple[str, tuple[str, ...]]]]]:
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
    return tuple(wrapped(f"            {tuple(values)},", WIDTH, "             ") for values in pattern)


def python_regressor(module: Module) -> PythonRegressor | None:
    """The parameters that belong to the regressor's columns, if there is one."""
    if module.regressor is None:
        return None
    return PythonRegressor(
        values=tuple((parameter.name, repr(parameter.default)) for parameter in module.regressor.parameters),
        note=wrapped(f'"""{regressor_note(module)}', WIDTH, ""),
        texts=tuple(wrapped(docstring_safe(line), WIDTH, "    ") for line in regressor_lines(module)),
    )


def python_parameters(module: Module, lines: tuple[str, ...]) -> PythonParameters | None:
    """The run-time parameters, if there are some; `lines` make the constants of them."""
    if module.init is None:
        return None
    return PythonParameters(
        defaults=tuple((parameter.name, repr(parameter.default)) for parameter in module.parameters),
        note=wrapped(docstring_safe(module.parameters_note), WIDTH, ""),
        texts=tuple(wrapped(docstring_safe(line), WIDTH, "    ") for line in parameter_lines(module)),
        size=module.constants_size,
        lines=lines,
    )
