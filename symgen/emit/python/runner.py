"""Runs generated modules of Python in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.emit.states import given_inputs, states
from symgen.program.module import CONSTANTS, Function, Module


def namespace(files: Mapping[str, str]) -> dict[str, Any]:
    """The names that a generated module defines.

    The text is our own: it is made from a validated program, names in it are checked identifiers.
    """
    ((filename, text),) = files.items()
    found: dict[str, Any] = {"__name__": filename.removesuffix(".py")}
    exec(compile(text, filename, "exec"), found)
    return found


def by_rows(module: Module, files: Mapping[str, str], call: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """The functions of a module on arrays of its own; `call` calls one with NumPy's, and returns what can be made such.

    They take and give arrays as `symgen.emit.language.Functions` do.
    """
    names = namespace({name: text for name, text in files.items() if name.endswith(".py")})
    constants = [np.asarray(call(names["constants_of"], {}))] if module.parameters else []

    def bound(function: Function) -> Callable[..., tuple[NDArray[Any], ...]]:
        further = constants if len(given_inputs(function)) < len(function.inputs) else []

        def called(*arguments: Any) -> tuple[NDArray[Any], ...]:
            batch, rows = states(function, np.dtype(module.real), arguments)
            found = call(names[function.name], *rows, *further)
            results = found if isinstance(found, tuple) else (found,)
            return tuple(
                np.asarray(y).reshape((*batch, *a.shape)) for y, a in zip(results, function.outputs, strict=True)
            )

        return called

    return {function.name: bound(function) for function in module.functions}


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose file was written; see `symgen.emit.language.Runner`."""
    names = namespace(files)
    constants = (names["constants_of"]({}),) if module.parameters else ()
    yield {function.name: _bound(names[function.name], function, constants) for function in module.functions}


def _bound(call: Callable[..., Any], function: Function, constants: tuple[object, ...]) -> Callable[..., Any]:
    if not any(argument.name == CONSTANTS for argument in function.inputs):
        return call
    return lambda *arguments: call(*arguments, *constants)


def tool() -> str:
    """NumPy and its version; see `symgen.emit.language.Language`."""
    return f"NumPy {np.__version__}"
