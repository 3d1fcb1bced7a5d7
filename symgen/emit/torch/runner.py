"""Runs a generated module for PyTorch in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from symgen.emit.python.runner import by_rows
from symgen.emit.tools import imported
from symgen.program.module import Module


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written, on the CPU; see `symgen.emit.language.Runner`."""
    torch = _torch()

    def call(function: Callable[..., Any], *arguments: Any) -> Any:
        found = function(*(torch.tensor(each) if isinstance(each, np.ndarray) else each for each in arguments))
        return tuple(each.numpy() for each in found) if isinstance(found, tuple) else found.numpy()

    yield by_rows(module, files, call)


def tool() -> str:
    """PyTorch and its version; see `symgen.emit.language.Language`."""
    return f"PyTorch {_torch().__version__}"


def _torch() -> Any:
    return imported("torch", "PyTorch", "torch")
