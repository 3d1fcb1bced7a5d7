"""What a function says of itself: its signature and its docstring, in the layout of NumPy."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Sequence
from typing import TYPE_CHECKING

from symgen.build.checks import shape_text
from symgen.errors import InternalError

if TYPE_CHECKING:
    from symgen.program.module import Argument, Function


def function_signature(function: Function) -> inspect.Signature:
    """Inputs by position or name, then `out=`.

    Raises:
        InternalError: an input has a name that Python or `out=` has taken.
    """
    for argument in function.inputs:
        if argument.name == "out" or keyword.iskeyword(argument.name):
            raise InternalError(f"{function.name} has an input called {argument.name!r}, which Python cannot pass")
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    inputs = [inspect.Parameter(argument.name, kind) for argument in function.inputs]
    out = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)
    return inspect.Signature([*inputs, out])


def function_docstring(function: Function, counts: str, real: str = "float64") -> str:
    """Summary, shapes and units, formulation and operation counts; what it computes in, if not float64."""
    several = len(function.outputs) > 1
    notes = [f"Formulation: {function.formulation}"] if function.formulation else []
    notes += [f"Operations: {counts}"] if counts else []
    notes += [f"Computes in {real}."] if real != "float64" else []
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
        lines += [f"{argument.name} : {kind}, shape {shape_text(argument)}", f"    {argument.description}{unit}"]
    return lines
