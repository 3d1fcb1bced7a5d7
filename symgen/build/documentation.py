"""What a function says of itself: its signature and its docstring, in the layout of NumPy."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING

from symgen.build.checks import shape_text

if TYPE_CHECKING:
    from symgen.program.module import Argument, Function


def function_signature(function: Function) -> inspect.Signature:
    """Inputs by position or name, then `out=`."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    inputs = [inspect.Parameter(argument.name, kind) for argument in function.inputs]
    out = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)
    return inspect.Signature([*inputs, out])


def function_docstring(function: Function, counts: str) -> str:
    """Summary, shapes and units, formulation and operation counts."""
    several = len(function.outputs) > 1
    notes = [f"Formulation: {function.formulation}"] if function.formulation else []
    notes += [f"Operations: {counts}"] if counts else []
    notes += ["Leading dimensions broadcast. NaN and infinity pass through."]
    return "\n".join(
        [
            function.summary,
            "",
            *_section("Parameters", _entries(function.inputs, "array_like")),
            f"out : {'tuple of ndarray' if several else 'ndarray'}, optional",
            f"    {'Arrays' if several else 'Array'} to write the {'results' if several else 'result'} into.",
            "",
            *_section("Returns", _entries(function.outputs, "ndarray")),
            "",
            *_section("Notes", notes),
        ]
    )


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return [title, "-" * len(title), *lines]


def _entries(arguments: Sequence[Argument], kind: str) -> list[str]:
    lines = []
    for argument in arguments:
        unit = f" [{argument.unit}]" if argument.unit else ""
        lines += [f"{argument.name} : {kind}, shape {shape_text(argument)}", f"    {argument.meaning}{unit}"]
    return lines
