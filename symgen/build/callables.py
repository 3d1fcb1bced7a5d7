"""Back ends → the functions a user calls: `bind` (extension), `bind_loops` (ctypes), `bind_numpy`.

Where a module has run-time parameters, its functions are bound to constants: those that `init` of the same back end
makes of the parameters' values, once. Binding again, with other values, gives other functions of the same library.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from symgen.build.checks import Array, broadcast_batch, check_input, check_outputs, match_arguments
from symgen.build.documentation import function_docstring, function_signature
from symgen.build.kernels import Kernel, loop_kernel, numpy_kernel, ufunc_kernel
from symgen.build.threads import in_threads
from symgen.errors import EnvironmentFault, InternalError
from symgen.program.module import CONSTANTS
from symgen.program.sparsity import whole

if TYPE_CHECKING:
    from symgen.program.module import Function, Module

CountsOf = Callable[["Function"], object]
"""The operation counts of a function; `str` of them stands in its docstring."""

Functions = dict[str, Callable[..., Any]]
"""The functions of a module, by name."""

Values = Sequence[float] | None
"""Values of the run-time parameters, in the module's order; None for their defaults."""


def no_counts(function: Function) -> str:
    """Nothing to say of the operations of `function`."""
    return ""


class CheckedFunction:
    """A function of a module which checks what it is given and calls a kernel.

    Attributes:
        ufunc: the NumPy generalized ufunc behind it, None where the back end has none.
        counts: its operation counts.
        function: its names, shapes and units; inputs are those that callers give.
        real: the floating-point type it computes in.
        pattern: which entries of the whole its packed result holds, None if it is not packed; of several results a
            tuple of such.
        recipe: what `pickle` sends in its place (see `object.__reduce__`), None where nobody else can make it.
        constants: what the ufunc takes as its last input, None where the function depends on no run-time parameter.
    """

    def __init__(
        self,
        module: Module,
        function: Function,
        kernel: Kernel,
        counts: object = "",
        ufunc: np.ufunc | None = None,
        constants: Array | None = None,
    ) -> None:
        """Put the checks of `function`, whose inputs are those of a caller, in front of `kernel`."""
        self.__name__ = function.name
        self.__qualname__ = f"{module.name}.{function.name}"
        self.__doc__ = function_docstring(function, str(counts), module.real)
        self.__signature__ = function_signature(function)
        self.ufunc = ufunc
        self.counts = counts
        self.constants = constants
        self.function = function
        found = tuple(output.pattern for output in function.outputs)
        self.pattern = found if len(found) > 1 else found[0]
        self.real = np.dtype(module.real)
        self.recipe: Callable[[], tuple[object, ...]] | None = None
        self._names = [argument.name for argument in function.inputs]
        self._kernel = kernel

    def __call__(self, /, *args: object, out: object = None, **keywords: object) -> Any:
        """The results for inputs given by position or by name."""
        where, inputs, outputs, real = self.__qualname__, self.function.inputs, self.function.outputs, self.real
        values = match_arguments(where, self._names, args, keywords)
        arrays = [check_input(where, *pair, real) for pair in zip(inputs, values, strict=True)]
        batch = broadcast_batch(where, inputs, arrays)
        targets = (None,) * len(outputs) if out is None else check_outputs(where, outputs, batch, out, real)
        return self._kernel(*arrays, out=targets)

    def unpack(self, results: Any) -> Any:
        """What the function returned, an array or a tuple of them, with whole arrays for packed ones.

        Arrays that are not packed stay what they are. Raises `ValueError` for arrays that do not fit.
        """
        return whole(self.function.outputs, results)

    def __repr__(self) -> str:
        """The call with its results, e.g. `<symgen function puma.inverse_dynamics(q, qd, qdd) -> tau>`."""
        results = ", ".join(argument.name for argument in self.function.outputs)
        return f"<symgen function {self.__qualname__}({', '.join(self._names)}) -> {results}>"

    def __reduce__(self) -> tuple[object, ...]:
        if self.recipe is None:
            raise TypeError(f"cannot pickle {self.__qualname__}: it is no function of a DynamicsModule")
        return self.recipe()

    # A function is its own copy, as Python's functions are.

    def __copy__(self) -> CheckedFunction:
        return self

    def __deepcopy__(self, memo: object) -> CheckedFunction:
        return self


def checked_function(function: object) -> CheckedFunction | None:
    """The `CheckedFunction` that a function of a module is or stands in front of; None for anything else."""
    # The type of compiled callables has this attribute; a Python function that wraps another has it by itself.
    behind = getattr(function, "__wrapped__", None) if hasattr(type(function), "__wrapped__") else function
    return behind if isinstance(behind, CheckedFunction) else None


def bind(module: Module, loaded: ModuleType, counts: CountsOf = no_counts, values: Values = None) -> Functions:
    """The functions of an extension made from `emit_binding(module)`, by name.

    Calls with plain vectors of the module's real type never leave C; all others go through the checks and the ufunc.
    """
    functions: Functions = {}
    for function, constants in _bound(module, values, lambda given: loaded.ufuncs["init"](given)):
        ufunc = loaded.ufuncs[function.name]
        kernel = in_threads(function, ufunc_kernel(ufunc, constants), np.dtype(module.real))
        functions[function.name] = _fast(
            loaded, CheckedFunction(module, function, kernel, counts(function), ufunc, constants)
        )
    return functions


def bind_loops(module: Module, library: Path, counts: CountsOf = no_counts, values: Values = None) -> Functions:
    """The functions of a library made from `emit_loops(module)`, by name; their `ufunc` is None.

    Raises:
        EnvironmentFault: the library cannot be loaded.
    """
    try:
        loaded = ctypes.CDLL(str(library))
    except OSError as error:
        raise EnvironmentFault(f"{library} was compiled, but cannot be loaded: {error}") from error
    real = np.dtype(module.real)

    def init(given: Array) -> Array:
        made = np.empty(module.constants_size, dtype=real)
        loop = loaded[f"{module.name}_init_loop"]
        loop(ctypes.c_size_t(1), ctypes.c_void_p(given.ctypes.data), ctypes.c_void_p(made.ctypes.data))
        return made

    functions: Functions = {}
    for function, constants in _bound(module, values, init):
        loop = loaded[f"{module.name}_{function.name}_loop"]
        kernel = in_threads(function, loop_kernel(function, loop, real, constants), real)
        functions[function.name] = CheckedFunction(module, function, kernel, counts(function), constants=constants)
    return functions


def bind_numpy(
    module: Module, namespace: Mapping[str, Callable[..., Any]], counts: CountsOf = no_counts, values: Values = None
) -> Functions:
    """The functions of a generated NumPy module, by name; their `ufunc` is None. Needs no compiler."""
    real = np.dtype(module.real)

    def init(given: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(namespace["init"](given), dtype=real)

    functions: Functions = {}
    for function, constants in _bound(module, values, init):
        kernel = numpy_kernel(function, namespace[function.name], real, constants)
        functions[function.name] = CheckedFunction(module, function, kernel, counts(function), constants=constants)
    return functions


def _bound(module: Module, values: Values, init: Callable[[Array], Array]) -> list[tuple[Function, Array | None]]:
    """Each function with the inputs that callers give, and the constants that it takes besides, if any."""
    if not module.functions:
        raise InternalError(f"module {module.name} has no functions to bind")
    given = _parameter_values(module, values)
    if not module.parameters:
        return [(function, None) for function in module.functions]
    # An array over bytes stays read-only whatever is done to its flags: functions in other threads read it.
    constants = np.frombuffer(init(given).tobytes(), dtype=module.real)
    return [
        (replace(function, inputs=function.inputs[:-1]), constants) if _takes_constants(function) else (function, None)
        for function in module.functions
    ]


def _takes_constants(function: Function) -> bool:
    return bool(function.inputs) and function.inputs[-1].name == CONSTANTS


def _parameter_values(module: Module, values: Values) -> Array:
    """`values`, or the defaults, as an array; `ValueError` if there are too many or too few."""
    if values is None:
        values = [parameter.default for parameter in module.parameters]
    array: Array = np.array(values, dtype=module.real)
    if array.shape != (len(module.parameters),):
        names = ", ".join(parameter.name for parameter in module.parameters) or "none"
        expected = (len(module.parameters),)
        raise ValueError(f"{module.name}: parameters have shape {array.shape}, expected {expected}: {names}")
    return array


def _fast(loaded: ModuleType, checked: CheckedFunction) -> Callable[..., Any]:
    """The compiled callable in front of `checked`, with the same words about itself."""
    fast: Callable[..., Any] = loaded.Function(checked.__name__, checked, checked.constants)
    for name in (
        "__name__",
        "__qualname__",
        "__doc__",
        "__signature__",
        "ufunc",
        "counts",
        "constants",
        "pattern",
        "unpack",
    ):
        setattr(fast, name, getattr(checked, name))
    return fast
