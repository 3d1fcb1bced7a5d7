"""What a user asks of a motion, checked: vectors with an entry for each joint, times, numbers of samples."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.build.callables import checked_function
from symgen.errors import InputError, LimitError
from symgen.program.module import JointRecord, PositionRecord, Record
from symgen.program.sparsity import unpacking
from symgen.robot.expression import checked_value, parse
from symgen.runtime.configuration import normalised
from symgen.runtime.module import DynamicsModule

Floats = NDArray[np.float64]

MAX_SAMPLES = 100_001
"""Samples of a motion at most: what a table of text still holds well."""


def configuration(what: str, values: object, record: Record) -> Floats:
    """`values` as an array (nq,) of finite numbers whose quaternions have length 1; an `InputError` says `what`."""
    q = joint_vector(what, values, record.positions)
    for joint in record.free:
        if joint.quaternion and not q[[joint.q + place for place in joint.quaternion]].any():
            names, none = joint.quaternion_words
            raise InputError(f"{what}: the quaternion of {joint.name} is 0; expected {names}, such as {none}")
    return normalised(record, q)


def joint_vector(what: str, values: object, joints: Sequence[JointRecord | PositionRecord]) -> Floats:
    """`values` as finite numbers of shape (n,), one for each of `joints`; an `InputError` calls them `what`."""
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if array.shape == (len(joints),) and np.isfinite(array).all():
        return array
    if array.shape != (len(joints),):
        found = {0: repr(values), 1: str(array.size)}.get(array.ndim, f"an array of shape {array.shape}")
        names = ", ".join(joint.name for joint in joints)
        raise InputError(f"{what}: expected {len(joints)} numbers, for {names}; found {found}"[:300])
    name, value = next((j.name, x) for j, x in zip(joints, array, strict=True) if not math.isfinite(x))
    raise InputError(f"{what}: expected a finite number for {name}, found {value}")


def vector_of_text(what: str, text: str, joints: Sequence[JointRecord | PositionRecord]) -> Floats:
    """Numbers between commas, such as `0,-pi/2,0.1`, one for each entry; they may be expressions as in robot files."""
    values = []
    for number, part in enumerate(text.split(","), start=1):
        if not part.strip():
            raise InputError(f"{what}: number {number} is missing in {text!r}"[:200])
        try:
            values.append(float(checked_value(parse(part), {})))
        except KeyError as error:
            raise InputError(f"{what}: number {number}: the name {error} is not known here; only pi is") from None
        except (ValueError, LimitError, ZeroDivisionError) as error:
            raise InputError(f"{what}: number {number}: {error}") from None
    return joint_vector(what, values, joints)


def duration(value: object, what: str = "duration") -> float:
    """A time that is finite and more than 0 s; an `InputError` calls it `what`."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value < math.inf:
        raise InputError(f"{what}: expected a number of seconds above 0, found {value!r}"[:200])
    return float(value)


def tolerance(what: str, value: object, least: float) -> float:
    """A tolerance of an integrator, from `least` to 0.1."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not least <= value <= 0.1:
        raise InputError(f"{what}: expected a number from {least:.2g} to 0.1, found {value!r}"[:200])
    return float(value)


def samples(value: object) -> int:
    """A number of samples: at least two, the start and the end."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 2:
        raise InputError(f"samples: expected a whole number of at least 2, found {value!r}"[:200])
    if value > MAX_SAMPLES:
        raise LimitError(f"samples: {value} are too many; at most {MAX_SAMPLES} are given")
    return int(value)


def function_of_state(module: DynamicsModule, name: str, *arguments: str) -> Callable[..., Any]:
    """The function called `name`, if it depends on these `arguments` alone; its results are whole, not packed.

    Raises `InputError` if the module has none of that name, `LimitError` if it takes gravity or wrenches too.
    """
    if name not in module.functions:
        raise InputError(
            f"{module.name}: this module has no {name}; its functions are: {', '.join(module)}. Generate it with {name}"
        )
    function = module.functions[name]
    more = [argument for argument in inspect.signature(function).parameters if argument not in (*arguments, "out")]
    if more:
        raise LimitError(
            f"{module.name}: {name} takes {', '.join(more)} too, which is not known here; generate the module with "
            "numeric gravity and without wrenches"
        )
    checked = checked_function(function)
    return function if checked is None else unpacking(function, checked.function.outputs)
