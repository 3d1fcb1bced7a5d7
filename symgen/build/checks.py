"""What a generated function accepts: arguments by position or name, real numbers, shapes which broadcast.

Leading dimensions broadcast, as NumPy's do. What casts safely to float64 is a real number, also where the module
computes in float32: it is rounded to that here. The messages name the function and the argument, and every back
end is called through them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from symgen.errors import OBJECTS

if TYPE_CHECKING:
    from symgen.program.module import Argument

Array = NDArray[Any]
FLOAT64 = np.dtype(np.float64)


def match_arguments(
    where: str, names: Sequence[str], args: Sequence[object], keywords: Mapping[str, object]
) -> Sequence[object]:
    """The values of the arguments `names`, in order; `TypeError` in Python's words if they do not match."""
    if not keywords and len(args) == len(names):
        return args
    if len(args) > len(names):
        takes = _plural(len(names), "positional argument")
        were = "was" if len(args) == 1 else "were"
        raise TypeError(f"{where}() takes {takes} but {len(args)} {were} given")
    values = dict(zip(names, args, strict=False))
    for name, value in keywords.items():
        if name not in names:
            raise TypeError(f"{where}() got an unexpected keyword argument '{name}'")
        if name in values:
            raise TypeError(f"{where}() got multiple values for argument '{name}'")
        values[name] = value
    missing = [f"'{name}'" for name in names if name not in values]
    if missing:
        lacks = _plural(len(missing), "required positional argument", counted="missing ")
        raise TypeError(f"{where}() {lacks}: {_enumeration(missing)}")
    return [values[name] for name in names]


def check_input(where: str, argument: Argument, value: object, real: np.dtype[Any]) -> Array:
    """`value` as an array of type `real` whose last dimensions are the argument's."""
    # np.asarray makes an array of a list or scalar, and drops what subclasses add (masks, matrix products).
    try:
        array: Array = np.asarray(value)
    except TypeError:
        raise TypeError(_objects(where, argument)) from None
    except ValueError as error:
        expected = _expected(argument)
        raise TypeError(f"{where}: {argument.name} is not an array, expected {expected}: {error}") from error
    check_array(where, argument, value, array, real)
    return array if array.dtype == real else array.astype(real)


def check_array(where: str, argument: Argument, value: object, array: Array, real: np.dtype[Any]) -> None:
    """Refuse an array, made of `value`, of the wrong type or shape; its numbers are not looked at."""
    if array.dtype == object and value is not None:
        raise TypeError(_objects(where, argument))
    if array.dtype != real and not np.can_cast(array.dtype, FLOAT64, "safe"):
        raise TypeError(f"{where}: {argument.name} is {_found(value, array)}, expected {_expected(argument)}")
    _check_shape(where, argument, array)


def broadcast_batch(where: str, arguments: Sequence[Argument], arrays: Sequence[Array]) -> tuple[int, ...]:
    """The shape of the batch: the leading dimensions of all inputs, broadcast."""
    batches = set(map(batch_shape, arguments, arrays))
    if len(batches) == 1:  # the usual case; np.broadcast_shapes takes longer than most functions
        return batches.pop()
    try:
        return np.broadcast_shapes(*batches)
    except ValueError as error:
        shapes = ", ".join(f"{a.name} {array.shape}" for a, array in zip(arguments, arrays, strict=True))
        raise ValueError(f"{where}: leading dimensions do not broadcast: {shapes}") from error


def batch_shape(argument: Argument, array: Array) -> tuple[int, ...]:
    """The dimensions of `array` before those of the argument itself."""
    return array.shape[: array.ndim - len(argument.shape)]


def check_outputs(
    where: str, arguments: Sequence[Argument], batch: tuple[int, ...], out: object, real: np.dtype[Any]
) -> tuple[Array | None, ...]:
    """`out=` as a tuple with an array, or None for a new one, for each output."""
    given = out if isinstance(out, tuple) else (out,)
    if len(given) != len(arguments):
        names = ", ".join(argument.name for argument in arguments)
        wanted = "an array or None" if len(arguments) == 1 else f"a tuple of {len(arguments)} arrays"
        raise TypeError(f"{where}: out must be {wanted} for {names}, found {_describe(out)}")
    return tuple(
        None if array is None else _check_output(where, argument, batch, array, real)
        for argument, array in zip(arguments, given, strict=True)
    )


def _check_output(where: str, argument: Argument, batch: tuple[int, ...], array: object, real: np.dtype[Any]) -> Array:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{where}: out for {argument.name} must be a NumPy array, found {_describe(array)}")
    if not np.can_cast(real, array.dtype, "same_kind"):
        raise TypeError(f"{where}: out for {argument.name} has type {array.dtype}, which cannot hold {real}")
    if array.shape != batch + argument.shape:
        expected = batch + argument.shape
        raise ValueError(f"{where}: out for {argument.name} has shape {array.shape}, expected {expected}")
    if not array.flags.writeable:
        raise ValueError(f"{where}: out for {argument.name} is read-only")
    return array


def _check_shape(where: str, argument: Argument, array: Array) -> None:
    rank = len(argument.shape)
    if array.ndim >= rank and array.shape[array.ndim - rank :] == argument.shape:
        return
    found = f"has shape {array.shape}" if array.ndim else "is a scalar"
    raise ValueError(f"{where}: {argument.name} {found}, expected {shape_text(argument)}")


def shape_text(argument: Argument) -> str:
    """The shape of a batch of arguments, e.g. `(..., 6)`."""
    return f"({', '.join(['...', *map(str, argument.shape)])})"


def _expected(argument: Argument) -> str:
    return f"real numbers of shape {shape_text(argument)}"


def _objects(where: str, argument: Argument) -> str:
    return f"{where}: {argument.name} holds objects, expected {_expected(argument)}; {OBJECTS}"


def _found(value: object, array: Array) -> str:
    """What the user gave, in the words that say why it cannot be used."""
    if value is None or isinstance(value, str):
        return _describe(value)
    kinds = {"U": "text", "S": "bytes", "M": "dates", "m": "time spans", "V": "records"}
    kind = kinds.get(array.dtype.kind)
    return f"an array of {kind}" if kind else f"{array.dtype}, which does not convert to float64 without loss"


def _describe(value: object) -> str:
    if isinstance(value, tuple):
        return f"a tuple of {len(value)}"
    return "None" if value is None else f"a {type(value).__name__}"


def _plural(count: int, noun: str, counted: str = "") -> str:
    return f"{counted}{count} {noun}{'' if count == 1 else 's'}"


def _enumeration(words: Sequence[str]) -> str:
    """`a`, `a and b`, or `a, b, and c`, as Python lists missing arguments."""
    if len(words) < 3:
        return " and ".join(words)
    return f"{', '.join(words[:-1])}, and {words[-1]}"
