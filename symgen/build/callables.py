"""Back ends → the functions a user calls: `bind` (extension), `bind_loops` (ctypes), `bind_numpy`."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from symgen.build.checks import broadcast_batch, check_input, check_outputs, match_arguments
from symgen.build.documentation import function_docstring, function_signature
from symgen.build.kernels import Kernel, loop_kernel, numpy_kernel, ufunc_kernel
from symgen.errors import EnvironmentFault

if TYPE_CHECKING:
    from symgen.program.module import Function, Module

CountsOf = Callable[["Function"], object]
"""The operation counts of a function; `str` of them stands in its docstring."""

Functions = dict[str, Callable[..., Any]]
"""The functions of a module, by name."""


def no_counts(function: Function) -> str:
    """Nothing to say of the operations of `function`."""
    return ""


class CheckedFunction:
    """A function of a module which checks what it is given and calls a kernel.

    Attributes:
        ufunc: the NumPy generalized ufunc behind it, None where the back end has none.
        counts: its operation counts.
    """

    def __init__(
        self,
        module: str,
        function: Function,
        kernel: Kernel,
        counts: object = "",
        ufunc: np.ufunc | None = None,
    ) -> None:
        """Put the checks of `function` in front of `kernel`."""
        self.__name__ = function.name
        self.__qualname__ = f"{module}.{function.name}"
        self.__doc__ = function_docstring(function, str(counts))
        self.__signature__ = function_signature(function)
        self.ufunc = ufunc
        self.counts = counts
        self._function = function
        self._names = [argument.name for argument in function.inputs]
        self._kernel = kernel

    def __call__(self, *args: object, out: object = None, **keywords: object) -> Any:
        """The results for inputs given by position or by name."""
        where, inputs, outputs = self.__qualname__, self._function.inputs, self._function.outputs
        values = match_arguments(where, self._names, args, keywords)
        arrays = [check_input(where, *pair) for pair in zip(inputs, values, strict=True)]
        batch = broadcast_batch(where, inputs, arrays)
        targets = (None,) * len(outputs) if out is None else check_outputs(where, outputs, batch, out)
        return self._kernel(*arrays, out=targets)

    def __repr__(self) -> str:
        """The call with its results, e.g. `<symgen function puma.inverse_dynamics(q, qd, qdd) -> tau>`."""
        results = ", ".join(argument.name for argument in self._function.outputs)
        return f"<symgen function {self.__qualname__}({', '.join(self._names)}) -> {results}>"


def bind(module: Module, loaded: ModuleType, counts: CountsOf = no_counts) -> Functions:
    """The functions of an extension made from `emit_binding(module)`, by name.

    Calls with plain float64 vectors never leave C; all others go through the checks and the ufunc.
    """
    functions: Functions = {}
    for function in module.functions:
        ufunc = loaded.ufuncs[function.name]
        checked = CheckedFunction(module.name, function, ufunc_kernel(ufunc), counts(function), ufunc)
        functions[function.name] = _fast(loaded, checked)
    return functions


def bind_loops(module: Module, library: Path, counts: CountsOf = no_counts) -> Functions:
    """The functions of a library made from `emit_loops(module)`, by name; their `ufunc` is None.

    Raises:
        EnvironmentFault: the library cannot be loaded.
    """
    try:
        loaded = ctypes.CDLL(str(library))
    except OSError as error:
        raise EnvironmentFault(f"{library} was compiled, but cannot be loaded: {error}") from error
    return {
        function.name: CheckedFunction(
            module.name,
            function,
            loop_kernel(function, loaded[f"{module.name}_{function.name}_loop"]),
            counts(function),
        )
        for function in module.functions
    }


def bind_numpy(module: Module, namespace: Mapping[str, Callable[..., Any]], counts: CountsOf = no_counts) -> Functions:
    """The functions of a generated NumPy module, by name; their `ufunc` is None. Needs no compiler."""
    return {
        function.name: CheckedFunction(
            module.name, function, numpy_kernel(function, namespace[function.name]), counts(function)
        )
        for function in module.functions
    }


def _fast(loaded: ModuleType, checked: CheckedFunction) -> Callable[..., Any]:
    """The compiled callable in front of `checked`, with the same words about itself."""
    fast: Callable[..., Any] = loaded.Function(checked.__name__, checked)
    for name in ("__name__", "__qualname__", "__doc__", "__signature__", "ufunc", "counts"):
        setattr(fast, name, getattr(checked, name))
    return fast
