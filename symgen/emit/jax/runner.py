"""Runs a generated module for JAX in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.emit.python.runner import namespace
from symgen.emit.states import given_inputs, states
from symgen.errors import EnvironmentFault
from symgen.program.module import Function, Module


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written; see `symgen.emit.language.Runner`.

    JAX is told to use float64 while a function runs, and only then.
    """
    jax = _jax()
    names = namespace({name: text for name, text in files.items() if name.endswith(".py")})
    with jax.enable_x64(True):
        constants = [np.asarray(names["constants_of"]({}))] if module.parameters else []

    def bound(function: Function) -> Callable[..., tuple[NDArray[Any], ...]]:
        further = constants if len(given_inputs(function)) < len(function.inputs) else []

        def call(*arguments: Any) -> tuple[NDArray[Any], ...]:
            batch, rows = states(function, np.dtype(module.real), arguments)
            with jax.enable_x64(True):
                found = names[function.name](*rows, *further)
            results = found if isinstance(found, tuple) else (found,)
            return tuple(
                np.asarray(y).reshape((*batch, *a.shape)) for y, a in zip(results, function.outputs, strict=True)
            )

        return call

    yield {function.name: bound(function) for function in module.functions}


def tool() -> str:
    """JAX and its version; see `symgen.emit.language.Language`."""
    return f"JAX {_jax().__version__}"


def _jax() -> Any:
    try:
        import jax
    except ImportError:
        raise EnvironmentFault('no JAX found: python -m pip install "jax[cpu]"') from None
    return jax
