"""Functions that differentiation of a module's programs makes, beside those that the module has."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from symgen.program.module import Argument, Function
from symgen.program.program import Program

MOST = 60_000
"""No derivative is made that may have more operations than this; compilers would take minutes."""

_SUMMARIES = {
    "reverse": "Derivatives of weighted results of {} by its inputs.",
    "slopes": "Derivatives of {} by entries of its inputs: those that are not zero.",
    "curvatures": "Second derivatives of weighted results of {} by entries of its inputs: those that are not zero.",
    "tangent": "Slopes of the results of {} in a direction of its inputs.",
    "gradient": "Derivatives of weighted results of {} by its inputs.",
    "curvature": "Slopes in a direction of the inputs: of weighted results' derivatives, and of the results of {}.",
}


def derivative(
    function: Function, word: str, program: Program, further: str = "weights", taken: Collection[str] = ()
) -> Function:
    """A program of derivatives of a kind as a function, under a name that is not taken.

    `further` are inputs that the function differentiated has not.
    """
    given = {argument.name: argument for argument in function.inputs}
    name = f"{function.name}_{word}"
    while name in taken:
        name += "_"
    return replace(
        function,
        name=name,
        summary=_SUMMARIES[word].format(function.name),
        formulation="automatic differentiation of the program",
        inputs=tuple(given.get(each.name) or Argument(each.name, each.shape, "", further) for each in program.inputs),
        outputs=tuple(Argument(array.name, array.shape, "", "derivatives") for array, _ in program.outputs),
        program=program,
        kind=name,
    )
