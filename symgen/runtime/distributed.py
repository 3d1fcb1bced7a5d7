"""Functions of a generated module over Dask arrays and xarray objects: data larger than one memory, many machines.

>>> q, qd, qdd = (dask.array.random.random((100_000_000, 6), chunks=(500_000, 6)) for _ in range(3))
>>> tau = symgen.distributed.map(puma.inverse_dynamics, q, qd, qdd)  # nothing is computed yet
>>> abs(tau).max(axis=0).compute()  # by the scheduler of your choice

The graph holds the module once. What a process receives are programs and numbers (see `restored`);
it generates and compiles them when the first block arrives, or finds them compiled on its machine.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from symgen.build.callables import CheckedFunction, checked_function
from symgen.build.checks import batch_shape, broadcast_batch, check_array, check_input, match_arguments, shape_text
from symgen.errors import EnvironmentFault, InputError

if TYPE_CHECKING:
    from symgen.program.module import Argument

_MEANINGS = {
    "joint": "the joints",
    "position": "the entries of q of robots with free joints",
    "joint_2": "the columns of matrices of joints",
    "axis": "x, y, z of gravity",
    "component": "the six of a wrench or twist",
    "parameter": "the columns of the regressor",
    "row": "the rows of poses",
    "column": "the columns of poses",
}


def map(function: Callable[..., Any], /, *args: Any, dims: Mapping[str, str] | None = None, **keywords: Any) -> Any:
    """The results of `function`, of a generated module, over Dask arrays or xarray DataArrays, block by block, lazily.

    Inputs are given as to `function` itself: by position or by name, of shapes (…, n) in SI units, with leading
    dimensions that broadcast. They may be Dask arrays, DataArrays over these, and what NumPy makes an array of. Returns
    a Dask array, or a tuple of them where `function` has several results; blocks are those of the inputs' leading
    dimensions. Dimensions of the function itself that are split into blocks are put into one. Unknown (nan) lengths of
    leading dimensions are kept; where several inputs have them, their blocks must match.

    If any input is a DataArray, so are all results. Dimensions are then found by name, wherever they stand: "joint" in
    inputs and results ("position" in q of robots with free joints), "axis" of gravity,
    "component" of wrenches and twists. In results there are also "joint_2" (columns of matrices), "parameter" (of the
    regressor), "row" and "column" (of poses); packed results have one of their own, such as "inertia_entry". `dims`
    says what you call the others: `dims={"joint": "dof"}`. Results have names, units and long names.

    Equal inputs and functions give equal keys in Dask's graph; other values of run-time parameters give other keys.

    Raises before anything is computed: `InputError` for a function that belongs to no module and for wrong `dims`,
    `TypeError` and `ValueError`, as `function` does, for wrong arguments, types and shapes; `EnvironmentFault` without
    Dask.
    """
    checked = checked_function(function)
    if checked is None or checked.recipe is None:
        raise InputError(
            "symgen.distributed.map: expected a function of a generated module, such as puma.inverse_dynamics, "
            f"found {repr(function)[:100]}"
        )
    names = [argument.name for argument in checked.function.inputs]
    values = match_arguments(checked.__qualname__, names, args, keywords)
    if any(_is_labelled(value) for value in values):
        return _map_labelled(checked, values, _renamed(dims or {}))
    if dims is not None:
        raise InputError(
            f"{checked.__qualname__}: dims names the dimensions of xarray's DataArrays, but none was given"
        )
    return _map_arrays(checked, values)


# Dask -------------------------------------------------------------------------------------------------


class _Carrier:
    """A function on its way: itself where it was made, elsewhere its recipe, which is followed at the first call."""

    def __init__(self, recipe: tuple[Any, ...], function: Callable[..., Any] | None = None) -> None:
        self._recipe = recipe
        self._function = function

    def __reduce__(self) -> tuple[object, ...]:
        return _Carrier, (self._recipe,)

    def __call__(self, *arrays: Any) -> Any:
        if self._function is None:
            restore, arguments = self._recipe
            self._function = restore(*arguments)
        return self._function(*arrays)


def _call(*blocks: Any, carrier: _Carrier) -> Any:
    """The function of one block of each input, which comes in lists of one where dimensions are not the result's."""
    return carrier(*[_unwrapped(block) for block in blocks])


def _unwrapped(block: Any) -> Any:
    while isinstance(block, list):
        (block,) = block
    return block


def _dask_array() -> Any:
    try:
        import dask.array
    except ImportError as error:
        raise EnvironmentFault(
            f"symgen.distributed needs Dask, which cannot be imported here ({error}). Install it: "
            "pip install 'symgen[distributed]'"
        ) from error
    return dask.array


def _map_arrays(checked: CheckedFunction, values: Sequence[Any]) -> Any:
    """One array for each result of the function."""
    inputs, outputs = checked.function.inputs, checked.function.outputs
    arrays = [_in_one_block(*pair) for pair in zip(inputs, _as_dask(checked, values), strict=True)]
    ranks = [len(batch_shape(*pair)) for pair in zip(inputs, arrays, strict=True)]
    batch = tuple(range(max(ranks, default=0)))
    token, carrier = _named_carrier(checked, arrays)
    name = f"{checked.__qualname__}-{token}"
    if len(outputs) == 1:
        operands = _operands(inputs, arrays, batch, outputs[0].shape)
        return _blockwise(_call, name, batch, outputs[0].shape, checked.real, operands, carrier=carrier)
    operands = _operands(inputs, arrays, batch, ())
    results = _blockwise(_call, name, batch, (), np.dtype(object), operands, carrier=carrier)
    return tuple(
        _blockwise(
            itemgetter(k), f"{checked.__qualname__}.{a.name}-{token}", batch, a.shape, checked.real, (results, batch)
        )
        for k, a in enumerate(outputs)
    )


def _operands(
    inputs: Sequence[Argument], arrays: Sequence[Any], batch: tuple[int, ...], shape: tuple[int, ...]
) -> list[Any]:
    """Each array followed by the numbers of its dimensions, as `dask.array.blockwise` takes them.

    A dimension of the function's own that is as long as one of the result of `shape` has the number of that, since Dask
    fuses such calls with what makes their inputs. All others have numbers of their own, or Dask would align them.
    """
    of_result = {extent: number for number, extent in reversed(_own(shape).items())}
    unused = count(len(batch))
    operands: list[Any] = []
    for argument, array in zip(inputs, arrays, strict=True):
        left = dict(of_result)
        own = tuple(left.pop(extent, 0) or next(unused) for extent in argument.shape)
        operands += [array, batch[len(batch) - (array.ndim - len(own)) :] + own]
    return operands


def _own(shape: tuple[int, ...]) -> dict[int, int]:
    """Number → extent of the dimensions of a result that are the function's own."""
    return {-1 - axis: extent for axis, extent in enumerate(shape)}


def _blockwise(
    call: Callable[..., Any],
    name: str,
    batch: tuple[int, ...],
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    operands: Sequence[Any],
    **keywords: Any,
) -> Any:
    """The array of results of `shape`; what it holds is declared, never tried out."""
    own = _own(shape)
    new = {number: extent for number, extent in own.items() if not any(number in used for used in operands[1::2])}
    meta = np.empty((0,) * (len(batch) + len(own)), dtype=dtype)
    return _dask_array().blockwise(
        call, (*batch, *own), *operands, name=name, new_axes=new, dtype=dtype, meta=meta, **keywords
    )


def _named_carrier(checked: CheckedFunction, arrays: Sequence[Any]) -> tuple[str, Any]:
    """The token of the call, and the function as one node of Dask's graph, so that a process gets it once."""
    from dask.base import tokenize
    from dask.delayed import delayed

    recipe: tuple[Any, ...] = checked.__reduce__()
    packed, parameters, name = recipe[1]
    identity = (packed.digest, parameters, name)
    carrier = delayed(_Carrier(recipe, checked), name=f"symgen-{checked.__qualname__}-{tokenize(*identity)}")
    return tokenize(*identity, *[array.name for array in arrays]), carrier


def _as_dask(checked: CheckedFunction, values: Sequence[Any]) -> list[Any]:
    """`values` as Dask arrays of the right shapes, whose leading dimensions broadcast as far as they are known."""
    where, inputs = checked.__qualname__, checked.function.inputs
    arrays = [_one_as_dask(checked, *pair) for pair in zip(inputs, values, strict=True)]
    known = [
        (argument, array)
        for argument, array in zip(inputs, arrays, strict=True)
        if not any(math.isnan(extent) for extent in array.shape)
    ]
    broadcast_batch(where, [argument for argument, _ in known], [array for _, array in known])
    return arrays


def _one_as_dask(checked: CheckedFunction, argument: Argument, value: Any) -> Any:
    arrays = _dask_array()
    from dask.base import is_dask_collection

    if isinstance(value, arrays.Array):
        own = value.shape[value.ndim - len(argument.shape) :] if value.ndim >= len(argument.shape) else ()
        if any(math.isnan(extent) for extent in own):
            raise ValueError(
                f"{checked.__qualname__}: {argument.name} has shape {value.shape}, expected {shape_text(argument)}; "
                "nan is unknown: call its compute_chunk_sizes() first"
            )
        check_array(checked.__qualname__, argument, value, value, checked.real)
        return value
    if is_dask_collection(value):
        raise TypeError(
            f"{checked.__qualname__}: {argument.name} is a {type(value).__name__}, expected a Dask array, "
            "a DataArray or numbers"
        )
    return arrays.asarray(check_input(checked.__qualname__, argument, value, checked.real))


def _in_one_block(argument: Argument, array: Any) -> Any:
    first = array.ndim - len(argument.shape)
    split = {axis: -1 for axis in range(first, array.ndim) if array.numblocks[axis] > 1}
    return array.rechunk(split) if split else array


# xarray -----------------------------------------------------------------------------------------------


def _is_labelled(value: object) -> bool:
    # Who has a DataArray has imported xarray.
    xarray = sys.modules.get("xarray")
    return xarray is not None and isinstance(value, xarray.DataArray)


def _renamed(dims: Mapping[str, str]) -> dict[str, str]:
    """Our name of a dimension → the user's."""
    unknown = [str(name)[:40] for name in dims if name not in _MEANINGS]
    if unknown:
        there_are = ", ".join(f"{name} ({meaning})" for name, meaning in _MEANINGS.items())
        raise InputError(f"dims: unknown: {', '.join(unknown)}; there are: {there_are}")
    renamed = {name: dims.get(name, name) for name in _MEANINGS}
    if len(set(renamed.values())) < len(renamed):
        raise InputError(f"dims: two dimensions have one name: {renamed}")
    return renamed


def _dimensions(argument: Argument, renamed: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the dimensions of an argument or result."""
    return tuple(renamed.get(name, name) for name in argument.dimensions)


def _map_labelled(checked: CheckedFunction, values: Sequence[Any], renamed: Mapping[str, str]) -> Any:
    """One DataArray for each result of the function."""
    import xarray

    inputs, outputs = checked.function.inputs, checked.function.outputs
    own = [_dimensions(argument, renamed) for argument in inputs]
    operands = [_operand(checked, *triple) for triple in zip(inputs, own, values, strict=True)]
    results = xarray.apply_ufunc(
        lambda *arrays: _map_arrays(checked, arrays),
        *operands,
        input_core_dims=own,
        output_core_dims=[_dimensions(output, renamed) for output in outputs],
        dask="allowed",
        keep_attrs=False,
    )
    results = results if isinstance(results, tuple) else (results,)
    for output, result in zip(outputs, results, strict=True):
        result.name = output.name
        result.attrs.update(units=output.unit, long_name=output.description)
    return results if len(results) > 1 else results[0]


def _operand(checked: CheckedFunction, argument: Argument, own: Sequence[str], value: Any) -> Any:
    """`value` as xarray takes it: a DataArray with the dimensions that it must have, or an array."""
    if not _is_labelled(value):
        return _one_as_dask(checked, argument, value)
    missing = [name for name in own if name not in value.dims]
    if missing:
        raise ValueError(
            f"{checked.__qualname__}: {argument.name} has no dimension {missing[0]!r}; it has "
            f"({', '.join(str(name) for name in value.dims)}). Say what you call it with dims={{...}}"
        )
    return value
