"""What C++ files need by which XLA calls compiled code: of each function its arguments and their sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from symgen.program.module import CONSTANTS, Argument, Module


@dataclass(frozen=True)
class ForeignFunction:
    """A function of the C: `inputs` and `outputs` are (name, size of a row); `constants` is that of those, or 0."""

    name: str
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    constants: int


def foreign_functions(module: Module) -> list[ForeignFunction]:
    """The functions that the C has for batches."""
    return [
        ForeignFunction(
            function.name,
            _sizes(function.inputs),
            _sizes(function.outputs),
            sum(prod(argument.shape) for argument in function.inputs if argument.name == CONSTANTS),
        )
        for function in module.functions
    ]


def _sizes(arguments: Sequence[Argument]) -> tuple[tuple[str, int], ...]:
    return tuple((argument.name, prod(argument.shape)) for argument in arguments)
