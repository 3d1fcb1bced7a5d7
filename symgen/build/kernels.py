"""The back ends as kernels: what computes once the arguments are known to be right."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from symgen.build.checks import Array, batch_shape

if TYPE_CHECKING:
    from symgen.program.module import Argument, Function

Outputs = Sequence[Array | None]


class Kernel(Protocol):
    """Computes a function of checked arrays.

    `arrays` are of the module's real type and broadcast in their leading dimensions. `out` has one entry for each
    output, None where the kernel makes the array; the arrays of `out` may overlap inputs. Returns an array,
    or a tuple of arrays where the function has several outputs. Where the function takes the constants of run-time
    parameters, the kernel holds them and `arrays` are the inputs before them.
    """

    def __call__(self, *arrays: Array, out: Outputs) -> Any:
        """The results for `arrays`."""


def ufunc_kernel(ufunc: np.ufunc, constants: Array | None = None) -> Kernel:
    """A generalized ufunc, which broadcasts, casts and copies what overlaps itself."""
    bound = _bound(constants)

    def kernel(*arrays: Array, out: Outputs) -> Any:
        if all(array is None for array in out):
            return ufunc(*arrays, *bound)
        return ufunc(*arrays, *bound, out=tuple(out))

    return kernel


def loop_kernel(function: Function, loop: Any, real: np.dtype[Any], constants: Array | None = None) -> Kernel:
    """A C loop over contiguous batches, called through ctypes (which releases the GIL)."""
    bound = _bound(constants)
    count = len(function.inputs) + len(bound) + len(function.outputs)
    loop.argtypes = [ctypes.c_size_t] + [ctypes.c_void_p] * count
    loop.restype = None

    def kernel(*arrays: Array, out: Outputs) -> Any:
        batch, inputs = _broadcast(function.inputs, arrays)
        # C reads the memory as it lies; what is already contiguous and aligned is not copied.
        inputs = [np.require(array, requirements=("C", "A")) for array in inputs]
        results = [np.empty(batch + argument.shape, dtype=real) for argument in function.outputs]
        loop(math.prod(batch), *(array.ctypes.data for array in (*inputs, *bound, *results)))
        return _deliver(results, out)

    return kernel


def numpy_kernel(
    function: Function, implementation: Callable[..., Any], real: np.dtype[Any], constants: Array | None = None
) -> Kernel:
    """A function of a generated NumPy module."""
    bound = _bound(constants)

    def kernel(*arrays: Array, out: Outputs) -> Any:
        batch, inputs = _broadcast(function.inputs, arrays)
        # Silent on NaN and infinity, as the compiled back ends are.
        with np.errstate(all="ignore"):
            results = implementation(*inputs, *bound)
        results = [results] if len(function.outputs) == 1 else results
        shapes = [batch + argument.shape for argument in function.outputs]
        return _deliver([_of_shape(*pair, real) for pair in zip(results, shapes, strict=True)], out)

    return kernel


def _bound(constants: Array | None) -> tuple[Array, ...]:
    return () if constants is None else (constants,)


def _broadcast(arguments: Sequence[Argument], arrays: Sequence[Array]) -> tuple[tuple[int, ...], list[Array]]:
    """The batch, and the inputs over it."""
    batches = list(map(batch_shape, arguments, arrays))
    batch = batches[0] if len(set(batches)) == 1 else np.broadcast_shapes(*batches)
    inputs = list(arrays)
    if len(set(batches)) > 1:
        inputs = [np.broadcast_to(a, batch + argument.shape) for argument, a in zip(arguments, inputs, strict=True)]
    return batch, inputs


def _of_shape(result: Any, shape: tuple[int, ...], real: np.dtype[Any]) -> Array:
    """`result` over the whole batch; it may be one for all where it does not depend on the inputs."""
    array: Array = np.asarray(result, dtype=real)
    return array if array.shape == shape else np.broadcast_to(array, shape).copy()


def _deliver(results: Sequence[Array], out: Outputs) -> Any:
    """The results, each copied into its array of `out` if there is one; 0-d arrays turn into scalars."""
    delivered = []
    for result, target in zip(results, out, strict=True):
        if target is None:
            delivered.append(result[()] if result.ndim == 0 else result)
        else:
            np.copyto(target, result, casting="same_kind")
            delivered.append(target)
    return delivered[0] if len(delivered) == 1 else tuple(delivered)
