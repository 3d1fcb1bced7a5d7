"""Runs a generated module for PyTorch in this process."""

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
    """The functions of a module whose files were written, on the CPU; see `symgen.emit.language.Runner`."""
    torch = _torch()
    names = namespace({name: text for name, text in files.items() if name.endswith(".py")})
    constants = [names["constants_of"]({})] if module.parameters else []

    def bound(function: Function) -> Callable[..., tuple[NDArray[Any], ...]]:
        further = constants if len(given_inputs(function)) < len(function.inputs) else []

        def call(*arguments: Any) -> tuple[NDArray[Any], ...]:
            batch, rows = states(function, np.dtype(module.real), arguments)
            found = names[function.name](*map(torch.tensor, rows), *further)
            results = found if isinstance(found, tuple) else (found,)
            return tuple(y.numpy().reshape((*batch, *a.shape)) for y, a in zip(results, function.outputs, strict=True))

        return call

    yield {function.name: bound(function) for function in module.functions}


def tool() -> str:
    """PyTorch and its version; see `symgen.emit.language.Language`."""
    return f"PyTorch {_torch().__version__}"


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:  # or a library that it needs
        raise EnvironmentFault(f"no PyTorch found ({error}): python -m pip install torch") from None
    return torch
