"""Interpreter: runs a program over numbers, one instruction after the other, batched where the inputs are."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.program.program import Instruction, Op, Program

Values = NDArray[np.float64]

_BINARY: dict[Op, Callable[[Values, Values], Any]] = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.DIV: operator.truediv,
}
_UNARY: dict[Op, Callable[[Values], Any]] = {
    Op.NEG: operator.neg,
    Op.SQRT: np.sqrt,
    Op.SIN: np.sin,
    Op.COS: np.cos,
    Op.SIGN: np.sign,
    Op.TANH: np.tanh,
    Op.ATAN: np.arctan,
}


def evaluate(
    program: Program, inputs: Mapping[str, ArrayLike], parameters: Mapping[str, float] | None = None
) -> dict[str, Values]:
    """The outputs of `program` by name.

    Inputs have shape (…, *shape) with leading dimensions that broadcast; outputs have the broadcast leading shape.
    """
    arrays = {array.name: np.asarray(inputs[array.name], dtype=float) for array in program.inputs}
    leading = np.broadcast_shapes(
        *(arrays[array.name].shape[: arrays[array.name].ndim - len(array.shape)] for array in program.inputs)
    )
    flat = {
        array.name: arrays[array.name].reshape(*arrays[array.name].shape[: -len(array.shape)], array.size)
        for array in program.inputs
    }
    values: list[Values] = []
    for instruction in program.instructions:
        args = instruction.args
        if (binary := _BINARY.get(instruction.op)) is not None:
            value = binary(values[args[0]], values[args[1]])
        elif (unary := _UNARY.get(instruction.op)) is not None:
            value = unary(values[args[0]])
        else:
            value = _value(instruction, values, flat, parameters or {})
        values.append(np.asarray(value))
    result = {}
    for array, entries in program.outputs:
        made = np.empty((*leading, len(entries)))
        for place, entry in enumerate(entries):
            made[..., place] = values[entry]
        result[array.name] = made.reshape((*leading, *array.shape))
    return result


def _value(
    instruction: Instruction,
    values: list[Values],
    inputs: Mapping[str, Values],
    parameters: Mapping[str, float],
) -> Values | float:
    """The value of an instruction that is neither of `_BINARY` nor of `_UNARY`."""
    args = [values[arg] for arg in instruction.args]
    match instruction.op:
        case Op.CONSTANT:
            assert instruction.value is not None
            return float(instruction.value)
        case Op.PARAMETER:
            return parameters[instruction.name]
        case Op.VARIABLE:
            return inputs[instruction.name][..., instruction.entry]
        case _:
            assert instruction.op is Op.NONZERO
            return np.where(np.abs(args[0]) < args[1], np.nan, args[0])
