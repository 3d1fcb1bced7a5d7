"""Runs generated kernels on the host: compiled as C++ they compute one state after the other."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.emit.host import library
from symgen.emit.states import states
from symgen.errors import InternalError
from symgen.program.module import Function, Module


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written, on the host; see `symgen.emit.language.Runner`."""
    (source,) = (Path(name) for name in files if name.endswith(".cu"))
    with library(files, source.name, "c++14", "runs kernels on the host") as loaded:
        launchers = {f.name: loaded[f"{source.stem.removesuffix('_cuda')}_{f.name}_cuda"] for f in module.functions}
        yield {f.name: partial(_call, launchers[f.name], np.dtype(module.real), f) for f in module.functions}


def _call(
    launch: Callable[..., int], real: np.dtype[Any], function: Function, *arguments: ArrayLike
) -> tuple[NDArray[Any], ...]:
    """The results for a batch of states: inputs (…, *shape) broadcast."""
    batch, given = states(function, real, arguments)
    count = prod(batch)
    columns = [np.ascontiguousarray(rows.T) for rows in given]
    results = [np.empty((prod(argument.shape), count), dtype=real) for argument in function.outputs]
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*columns, *results)]
    if launch(ctypes.c_size_t(count), *pointers, ctypes.c_void_p(None)):
        raise InternalError(f"{function.name}: the kernel was not launched")
    return tuple(y.T.reshape((*batch, *a.shape)) for y, a in zip(results, function.outputs, strict=True))
