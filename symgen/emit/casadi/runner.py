"""Runs a library with CasADi's external interface as CasADi does, by the functions' names, without CasADi."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.build.cache import cache_key, cached_build
from symgen.build.commands import run_together
from symgen.build.compiler import Compiler, find_compiler, link_flags
from symgen.emit.casadi.external import permitted
from symgen.emit.states import given_inputs, states
from symgen.program.module import Argument, Function, Module

FLAGS = ("-std=c99", "-O1", "-fPIC", "-Wall", "-Wextra", "-Werror")

Real = ctypes.c_double
_Reals = ctypes.POINTER(Real)


class Library:
    """A compiled library, asked as CasADi asks it."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))

    def number(self, question: str) -> int:
        """An integer without arguments, such as `f_n_in`."""
        call = self._library[question]
        call.restype = ctypes.c_longlong
        return int(call())

    def word(self, question: str, index: int) -> str:
        """A name, such as `f_name_in` has."""
        call = self._library[question]
        call.restype = ctypes.c_char_p
        return str(call(ctypes.c_longlong(index)).decode())

    def default(self, function: str, index: int) -> float:
        """What CasADi takes for an input that is not given."""
        call = self._library[f"{function}_default_in"]
        call.restype = Real
        return float(call(ctypes.c_longlong(index)))

    def pattern(self, question: str, index: int) -> tuple[tuple[int, int], NDArray[np.int64]]:
        """(rows, columns) and the entries' places, column by column, of `f_sparsity_in` or `f_sparsity_out`."""
        call = self._library[question]
        call.restype = ctypes.POINTER(ctypes.c_longlong)
        code = call(ctypes.c_longlong(index))
        rows, columns = code[0], code[1]
        if code[2] == 1:
            return (rows, columns), np.arange(rows * columns)
        ends = code[2 : 3 + columns]
        count = ends[-1]
        owners = np.repeat(np.arange(columns), np.diff(ends))
        return (rows, columns), owners * rows + np.array(code[3 + columns : 3 + columns + count], dtype=np.int64)

    def call(self, function: str, inputs: Sequence[NDArray[Any] | None]) -> list[NDArray[Any]]:
        """The outputs as whole matrices, of inputs that are whole matrices or not given."""
        given = []
        for k, each in enumerate(inputs):
            _, places = self.pattern(f"{function}_sparsity_in", k)
            given.append(None if each is None else np.asarray(each, dtype=float).ravel(order="F")[places].copy())
        pointers = [None if each is None else each.ctypes.data_as(_Reals) for each in given]
        shapes = [self.pattern(f"{function}_sparsity_out", k) for k in range(self.number(f"{function}_n_out"))]
        values = [np.full(max(len(places), 1), np.nan) for _, places in shapes]
        arguments = (_Reals * max(len(given), 1))(*pointers)  # type: ignore[misc]  # NULL is one, too
        results = (_Reals * len(values))(*(x.ctypes.data_as(_Reals) for x in values))
        assert self._library[function](arguments, results, None, None, 0) == 0
        found = []
        for (extents, places), entries in zip(shapes, values, strict=True):
            matrix = np.zeros(prod(extents))
            matrix[places] = entries[: len(places)]
            found.append(matrix.reshape(extents, order="F"))
        return found


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written; see `symgen.emit.language.Runner`."""
    library = Library(built(files))
    yield {function.name: partial(_call, library, function, np.dtype(module.real)) for function in module.functions}


def built(files: Mapping[str, str], flags: Sequence[str] = FLAGS) -> Path:
    """The library of a module's files; `EnvironmentFault` where there is no compiler."""
    compiler = find_compiler()
    (source,) = [name for name in files if name.endswith(".c")]
    library = f"lib{source.removesuffix('.c')}.so"
    identity = {"language": "casadi", "version": compiler.version, "command": list(compiler.command), "flags": [*flags]}
    return cached_build(cache_key(files, identity), library, partial(_build, compiler, files, source, library, flags))


def tool() -> str:
    """The C compiler, which is all that its interface needs; see `symgen.emit.language.Language`."""
    return find_compiler().version.partition("\n")[0]


def _build(
    compiler: Compiler, files: Mapping[str, str], source: str, library: str, flags: Sequence[str], folder: Path
) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    run_together([[*compiler.command, *flags, *link_flags(), source, "-o", library, "-lm"]], folder)


def _call(library: Library, function: Function, real: np.dtype[Any], *arguments: ArrayLike) -> tuple[NDArray[Any], ...]:
    """The results for a batch of states: inputs (…, *shape) broadcast."""
    given = given_inputs(function)
    batch, arrays = states(function, real, arguments)
    rows = [x.reshape(-1, *_matrix(a.shape)) for x, a in zip(arrays, given, strict=True)]
    last = library.call("default_parameters", []) if len(given) < len(function.inputs) else []
    found: list[list[NDArray[Any]]] = []
    for state in zip(*rows, strict=True):
        found.append(library.call(permitted(function.name), [*state, *last]))
    return tuple(
        _unfolded(output, np.array([each[k] for each in found], dtype=real), batch)
        for k, output in enumerate(function.outputs)
    )


def _unfolded(output: Argument, matrices: NDArray[Any], batch: tuple[int, ...]) -> NDArray[Any]:
    """Matrices (count, rows, columns) as the module has them: of the array's shape, or packed."""
    if output.pattern is None:
        return matrices.reshape((*batch, *output.shape))
    return output.pattern.pack(matrices.reshape((*batch, *output.pattern.shape)))


def _matrix(shape: tuple[int, ...]) -> tuple[int, int]:
    return (prod(shape[:-1]), shape[-1]) if len(shape) > 1 else (prod(shape), 1)
