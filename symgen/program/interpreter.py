"""Interpreter: runs a program over numbers, one instruction after the other, batched where the inputs are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.program.program import Instruction, Op, Program

Values = NDArray[np.float64]


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
        values.append(np.asarray(_value(instruction, values, flat, parameters or {})))
    result = {}
    for array, entries in program.outputs:
        columns = [np.broadcast_to(values[entry], leading) for entry in entries]
        result[array.name] = np.stack(columns, axis=-1).reshape((*leading, *array.shape))
    return result


def _value(
    instruction: Instruction,
    values: list[Values],
    inputs: Mapping[str, Values],
    parameters: Mapping[str, float],
) -> Values | float:
    args = [values[arg] for arg in instruction.args]
    match instruction.op:
        case Op.CONSTANT:
            assert instruction.value is not None
            return float(instruction.value)
        case Op.PARAMETER:
            return parameters[instruction.name]
        case Op.VARIABLE:
            return inputs[instruction.name][..., instruction.entry]
        case Op.ADD:
            return args[0] + args[1]
        case Op.SUB:
            return args[0] - args[1]
        case Op.MUL:
            return args[0] * args[1]
        case Op.DIV:
            return args[0] / args[1]
        case Op.NEG:
            return -args[0]
        case Op.SQRT:
            return np.sqrt(args[0])
        case Op.SIN:
            return np.sin(args[0])
        case Op.COS:
            return np.cos(args[0])
        case Op.SIGN:
            return np.sign(args[0])
        case Op.TANH:
            return np.tanh(args[0])
        case Op.ATAN:
            return np.arctan(args[0])
        case Op.NONZERO:
            return np.where(np.abs(args[0]) < args[1], np.nan, args[0])
