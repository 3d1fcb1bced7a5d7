"""Batches of states that functions are given when generated code is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.program.module import CONSTANTS, Argument, Function, Module


def given_inputs(function: Function) -> list[Argument]:
    """The inputs that a caller gives."""
    return [argument for argument in function.inputs if argument.name != CONSTANTS]


@dataclass(frozen=True)
class Row:
    """A function as it is given states one behind the other: shapes of what it is given for each, and of its results.

    `parametrized`: whether it takes constants of parameters, too.
    """

    name: str
    inputs: tuple[tuple[int, ...], ...]
    outputs: tuple[tuple[int, ...], ...]
    parametrized: bool

    @property
    def taken(self) -> list[int]:
        """The size of each input."""
        return list(map(prod, self.inputs))

    @property
    def given(self) -> list[int]:
        """The size of each result."""
        return list(map(prod, self.outputs))

    @property
    def bounds(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Where each input starts and stops in a row of them all, and each result."""
        taken, given = (list(pairwise(accumulate(sizes, initial=0))) for sizes in (self.taken, self.given))
        return taken, given


def rows(module: Module) -> list[Row]:
    """The functions of a module as they are given states."""
    return [
        Row(
            function.name,
            tuple(argument.shape for argument in given_inputs(function)),
            tuple(argument.shape for argument in function.outputs),
            len(given_inputs(function)) < len(function.inputs),
        )
        for function in module.functions
    ]


def states(
    function: Function, real: np.dtype[Any], arguments: Sequence[ArrayLike]
) -> tuple[tuple[int, ...], list[NDArray[Any]]]:
    """The shape of a batch of states, and inputs (…, *shape), broadcast to it, as arrays (count, size)."""
    given = given_inputs(function)
    arrays = [np.asarray(argument, dtype=real) for argument in arguments]
    batch = np.broadcast_shapes(*(x.shape[: x.ndim - len(a.shape)] for x, a in zip(arrays, given, strict=True)))
    return batch, [
        np.ascontiguousarray(np.broadcast_to(x, (*batch, *a.shape)).reshape(prod(batch), prod(a.shape)))
        for x, a in zip(arrays, given, strict=True)
    ]
