"""Runs a generated NumPy module in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from symgen.program.module import CONSTANTS, Function, Module


def namespace(files: Mapping[str, str]) -> dict[str, Any]:
    """The names that a generated module defines.

    The text is our own: it is made from a validated program, names in it are checked identifiers.
    """
    ((filename, text),) = files.items()
    found: dict[str, Any] = {"__name__": filename.removesuffix(".py")}
    exec(compile(text, filename, "exec"), found)
    return found


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
