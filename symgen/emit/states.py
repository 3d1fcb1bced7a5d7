"""Batches of states that functions are given when generated code is run."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.program.module import CONSTANTS, Argument, Function


def given_inputs(function: Function) -> list[Argument]:
    """The inputs that a caller gives."""
    return [argument for argument in function.inputs if argument.name != CONSTANTS]


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
