"""Runs a generated header: compiled with a loop over states for each function."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.emit.environment import render
from symgen.emit.host import library
from symgen.emit.states import rows, states
from symgen.program.module import Function, Module

SOURCE = "runner.cpp"


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose header was written; see `symgen.emit.language.Runner`."""
    (header,) = files
    keys = {"header": header, "name": header.removesuffix(".hpp"), "functions": rows(module)}
    text = render("cpp/runner.cpp.j2", parametrized=bool(module.parameters), **keys)
    with library({**files, SOURCE: text}, SOURCE, "c++17", "runs the header") as loaded:
        yield {f.name: partial(_call, loaded[f"run_{f.name}"], np.dtype(module.real), f) for f in module.functions}


def _call(
    loop: Callable[..., None], real: np.dtype[Any], function: Function, *arguments: ArrayLike
) -> tuple[NDArray[Any], ...]:
    """The results for a batch of states: inputs (…, *shape) broadcast."""
    batch, given = states(function, real, arguments)
    count = prod(batch)
    results = [np.empty((count, prod(argument.shape)), dtype=real) for argument in function.outputs]
    pointers = [array.ctypes.data for array in (*given, *results)]
    loop(ctypes.c_size_t(count), (ctypes.c_void_p * len(pointers))(*pointers))
    return tuple(y.reshape((*batch, *a.shape)) for y, a in zip(results, function.outputs, strict=True))
