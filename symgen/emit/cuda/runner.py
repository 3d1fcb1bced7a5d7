"""Runs generated kernels on the host: compiled as C++ they compute one state after the other."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.errors import EnvironmentFault, InternalError
from symgen.program.module import CONSTANTS, Function, Module

COMPILERS = ("c++", "g++", "clang++")


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written, on the host; see `symgen.emit.language.Runner`."""
    command = shlex.split(os.environ.get("CXX", "")) or [name for name in COMPILERS if shutil.which(name)][:1]
    if not command:
        raise EnvironmentFault(
            "no C++ compiler found, which runs kernels on the host: CXX is not set, and there is none of "
            f"{', '.join(COMPILERS)}"
        )
    with tempfile.TemporaryDirectory(prefix="symgen-") as folder:
        paths = [Path(folder) / name for name in files]
        for path, text in zip(paths, files.values(), strict=True):
            path.write_text(text, encoding="utf-8")
        (source,) = (path for path in paths if path.suffix == ".cu")
        library = Path(folder) / "host.so"
        flags = ["-std=c++14", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-x", "c++"]
        done = subprocess.run([*command, *flags, str(source), "-o", str(library)], capture_output=True, text=True)
        if done.returncode:
            raise InternalError(f"{command[0]} cannot compile {source.name}: {done.stderr.strip()[:2000]}")
        loaded = ctypes.CDLL(str(library))
        launchers = {f.name: loaded[f"{source.stem.removesuffix('_cuda')}_{f.name}_cuda"] for f in module.functions}
        yield {f.name: partial(_call, launchers[f.name], np.dtype(module.real), f) for f in module.functions}


def _call(
    launch: Callable[..., int], real: np.dtype[Any], function: Function, *arguments: ArrayLike
) -> tuple[NDArray[Any], ...]:
    """The results for a batch of states: inputs (…, *shape) broadcast."""
    given = [argument for argument in function.inputs if argument.name != CONSTANTS]
    arrays = [np.asarray(argument, dtype=real) for argument in arguments]
    batch = np.broadcast_shapes(*(x.shape[: x.ndim - len(a.shape)] for x, a in zip(arrays, given, strict=True)))
    count = prod(batch)
    columns = [
        np.ascontiguousarray(np.broadcast_to(x, (*batch, *a.shape)).reshape(count, prod(a.shape)).T)
        for x, a in zip(arrays, given, strict=True)
    ]
    results = [np.empty((prod(argument.shape), count), dtype=real) for argument in function.outputs]
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*columns, *results)]
    if launch(ctypes.c_size_t(count), *pointers, ctypes.c_void_p(None)):
        raise InternalError(f"{function.name}: the kernel was not launched")
    return tuple(y.T.reshape((*batch, *a.shape)) for y, a in zip(results, function.outputs, strict=True))
