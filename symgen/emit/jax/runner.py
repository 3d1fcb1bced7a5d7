"""Runs a generated module for JAX in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from symgen.emit.python.runner import by_rows
from symgen.emit.tools import imported
from symgen.program.module import Module


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written; see `symgen.emit.language.Runner`.

    JAX is told to use float64 while a function runs, and only then.
    """
    jax = _jax()

    def call(function: Callable[..., Any], *arguments: Any) -> Any:
        with jax.enable_x64(True):
            return function(*arguments)

    yield by_rows(module, files, call)


def tool() -> str:
    """JAX and its version; see `symgen.emit.language.Language`."""
    return f"JAX {_jax().__version__}"


def _jax() -> Any:
    return imported("jax", "JAX", '"jax[cpu]"')
