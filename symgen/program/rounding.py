"""Rounding: by how much correct code of a program can err, from the roundings of its own operations.

To first order the error of an output is the sum of what every operation rounds, times the derivative of the output by
that operation's result; products are taken to second, since where nothing but rounding is left of both factors, there
is no first. The sum of the absolute values, a bound of it, needs no derivative for each output: give every rounding a
random factor with a Cauchy distribution, carry the errors along as one carries tangents, and what arrives at an output
has a Cauchy distribution again, whose scale is that sum (Kreinovich and Ferson 2004). The median of a few dozen such
draws tells the scale. Unlike intervals carried along, this loses nothing where errors cancel.

Where a divisor or what is under a root may be lost in its own error, first order says nothing: the bound is infinite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Argument, Function, Module
from symgen.program.program import Instruction, Op, Program

Floats = NDArray[np.float64]
Given = dict[tuple[str, int], tuple[Floats, Floats]]
"""(input, entry) → values (states) and their errors (draws, states or 1)."""

UNITS = {"float64": 2.0**-53, "float32": 2.0**-24}
"""Unit roundoff of each real type: the largest relative error of one rounding."""

DRAWS = 48
"""Random errors that are carried along together; their median is off by a fifth, usually."""

SAFETY = 4.0
"""The bound is this many times the median: for what the draws may miss, and for the second order."""

SINE_UNITS = 3.0
"""Error of a sine or cosine in unit roundoffs of 1; emitted polynomials keep 1.5 units in the last place."""

LOST = 0.01
"""Share of a divisor that its error may be."""

BLOCK = 1000
"""How many states are computed at once, at the most, which bounds the memory."""

TRIALS = 32
"""Random states at which algorithms are compared."""


@dataclass(frozen=True)
class Rounding:
    """What the code of a function can err, in its real type; `constants` are values and errors of what `init` makes."""

    function: Function
    unit: float
    constants: tuple[Floats, Floats] | None = None

    def __call__(self, *arguments: ArrayLike, through: Through | None = None) -> list[Floats]:
        """Bounds of the errors of all entries, arrays (…, *shape) as the function returns them.

        `arguments` (…, *shape) are those of the function, but for constants. With `through`, a linear map of errors
        (draws, …, *shape), a bound of what it makes of them. Infinite where nothing can be said.
        """
        errors = self._errors(*_flat(self._inputs, arguments))
        with np.errstate(all="ignore"):
            return [_scale(array) for array in (errors if through is None else [through(errors)])]

    @property
    def _inputs(self) -> list[Argument]:
        return [argument for argument in self.function.inputs if argument.name != CONSTANTS]

    def _errors(self, leading: tuple[int, ...], arrays: Sequence[Floats]) -> list[Floats]:
        """Errors (draws, *leading, *shape) of every output for rows (states, entries) of inputs."""
        blocks = []
        for start in range(0, math.prod(leading), BLOCK):
            given = _given(self._inputs, [array[start : start + BLOCK] for array in arrays], self.constants)
            blocks.append(_Run(self.unit, given).outputs(self.function.program))
        result = []
        for k, (array, _) in enumerate(self.function.program.outputs):
            errors = np.concatenate([block[k][1] for block in blocks], axis=-1)
            result.append(np.moveaxis(errors, 0, -1).reshape(DRAWS, *leading, *array.shape))
        return result


Through = Callable[[list[Floats]], Floats]
"""A linear map of the errors (draws, …, *shape) of all arrays of a function."""


def roundings(module: Module, parameters: Sequence[float] | None = None) -> dict[str, Rounding]:
    """Function → what its code can err; parameters have their defaults unless values are given, in order.

    Values are those of the real type; defaults are rounded to it, once.
    """
    unit = UNITS[module.real]
    constants: tuple[Floats, Floats] | None = None
    if module.init is not None:
        values = [p.default for p in module.parameters] if parameters is None else parameters
        given = {(PARAMETERS, k): (np.full(1, float(v)), np.zeros((DRAWS, 1))) for k, v in enumerate(values)}
        run = _Run(unit, given, seed=1)  # errors of its own beside those of the functions
        if parameters is None:
            given |= {key: (value, run.rounded(value)) for key, (value, _) in given.items()}
        constants = run.outputs(module.init)[0]
    return {function.name: Rounding(function, unit, constants) for function in module.functions}


def loss(program: Program, parameters: Mapping[str, float]) -> float:
    """How many unit roundoffs of its largest entry a result may be off at the worst of some random states.

    Infinite if nothing can be said at some state. Programs of several arrays are judged by the worst.
    """
    random = np.random.default_rng(0)
    given: Given = {
        (array.name, entry): (random.uniform(-2, 2, TRIALS), np.zeros((DRAWS, 1)))
        for array in program.inputs
        for entry in range(array.size)
    }
    unit = UNITS["float64"]
    worst = 0.0
    with np.errstate(all="ignore"):
        for values, errors in _Run(unit, given, parameters).outputs(program):
            bounds, size = _scale(errors.swapaxes(0, 1)).max(axis=0), np.abs(values).max(axis=0)
            worst = max(worst, float(np.max(np.where(bounds > 0, bounds / size, 0))))
    return worst / unit


def _flat(inputs: Sequence[Argument], arguments: Sequence[ArrayLike]) -> tuple[tuple[int, ...], list[Floats]]:
    """Leading dimensions of arguments (…, *shape), and each of them as rows (states, entries)."""
    arrays = [np.asarray(argument, dtype=float) for argument in arguments]
    shapes = [argument.shape for argument in inputs]
    leading = np.broadcast_shapes(
        *(array.shape[: array.ndim - len(shape)] for array, shape in zip(arrays, shapes, strict=True))
    )
    rows = [
        np.broadcast_to(array, (*leading, *shape)).reshape(-1, math.prod(shape))
        for array, shape in zip(arrays, shapes, strict=True)
    ]
    return leading, rows


def _scale(errors: Floats) -> Floats:
    """The bound that draws (draws, …) tell."""
    scale = SAFETY * np.median(np.abs(errors), axis=0)
    return np.where(np.isfinite(scale), scale, np.inf)


def _given(inputs: Sequence[Argument], arrays: Sequence[Floats], constants: tuple[Floats, Floats] | None) -> Given:
    """Entries of inputs with their errors; those of the state have none."""
    none = np.zeros((DRAWS, 1))
    given = {
        (argument.name, entry): (array[:, entry], none)
        for argument, array in zip(inputs, arrays, strict=True)
        for entry in range(array.shape[1])
    }
    if constants is not None:
        values, errors = constants
        given |= {(CONSTANTS, k): (values[k], errors[k]) for k in range(len(values))}
    return given


class _Run:
    """One run of a program over values and their random errors."""

    def __init__(self, unit: float, given: Given, parameters: Mapping[str, float] | None = None, seed: int = 0) -> None:
        self.unit = unit
        self.given = given
        self.parameters = parameters or {}
        self.random = np.random.default_rng(seed)

    def outputs(self, program: Program) -> list[tuple[Floats, Floats]]:
        """Values (entries, states) and errors (entries, draws, states) of every output array."""
        left = program.uses()
        values: list[Any] = []
        with np.errstate(all="ignore"):
            for instruction in program.instructions:
                args = [values[arg] for arg in instruction.args]
                values.append(self._step(instruction, args))
                for arg in instruction.args:
                    left[arg] -= 1
                    if not left[arg]:
                        values[arg] = None  # an error is an array of many draws: keep only those still needed
        return [self._stacked([values[node] for node in entries]) for _, entries in program.outputs]

    def _stacked(self, entries: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
        states = max((len(value) for value, _ in self.given.values()), default=1)
        values = [np.broadcast_to(value, states) for value, _ in entries]
        errors = [np.broadcast_to(error, (DRAWS, states)) for _, error in entries]
        return np.array(values).reshape(-1, states), np.array(errors).reshape(-1, DRAWS, states)

    def _step(self, instruction: Instruction, args: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
        op = instruction.op
        if op is Op.VARIABLE:
            return self.given[instruction.name, instruction.entry]
        if op is Op.PARAMETER:
            return np.full(1, self.parameters[instruction.name]), np.zeros((DRAWS, 1))
        if op is Op.CONSTANT:
            assert instruction.value is not None
            value = np.full(1, float(instruction.value))
            return value, self.rounded(value * (not self._is_exact(value[0], instruction)))
        value, error = _carried(op, [a for a, _ in args], [e for _, e in args])
        if op in (Op.NEG, Op.SIGN, Op.NONZERO):
            return value, error
        size = SINE_UNITS * np.ones(1) if op in (Op.SIN, Op.COS) else value
        return value, error + self.rounded(3 * size if op in (Op.TANH, Op.ATAN) else size)

    def _is_exact(self, value: float, instruction: Instruction) -> bool:
        """Whether the real type has the constant."""
        assert instruction.value is not None
        held = float(np.float32(value)) if self.unit == UNITS["float32"] else float(value)
        return math.isfinite(held) and instruction.value.rational == Fraction(held)

    def rounded(self, value: Floats) -> Floats:
        """Random errors (draws, states) of rounding `value`."""
        return np.asarray(self.random.standard_cauchy((DRAWS, 1)) * (self.unit * np.abs(value)))


def _carried(op: Op, values: Sequence[Floats], errors: Sequence[Floats]) -> tuple[Floats, Floats]:
    """The result of an operation, and what errors of operands make of it, to first order, of products to second."""
    a, da = values[0], errors[0]
    match op:
        case Op.ADD:
            return a + values[1], da + errors[1]
        case Op.SUB:
            return a - values[1], da - errors[1]
        case Op.MUL:
            return a * values[1], da * values[1] + (a + da) * errors[1]
        case Op.DIV:
            result = a / values[1]
            return result, _unless_lost(values[1], errors[1], (da - result * errors[1]) / values[1])
        case Op.NEG:
            return -a, -da
        case Op.SQRT:
            result = np.sqrt(a)
            return result, _unless_lost(a, da, da / (2 * result))
        case Op.SIN:
            return np.sin(a), np.cos(a) * da
        case Op.COS:
            return np.cos(a), -np.sin(a) * da
        case Op.SIGN:
            known = (da == 0) | (SAFETY * np.median(np.abs(da), axis=0) < np.abs(a))
            return np.sign(a), np.where(known, 0.0, np.inf)
        case Op.TANH:
            result = np.tanh(a)
            return result, (1 - result**2) * da
        case Op.ATAN:
            return np.arctan(a), da / (1 + a**2)
        case Op.NONZERO:
            return a, da
    raise ValueError(op)


def _unless_lost(divisor: Floats, error: Floats, result: Floats) -> Floats:
    """Errors of a quotient; infinite where the divisor may be lost in its own."""
    lost = SAFETY * np.median(np.abs(error), axis=0) > LOST * np.abs(divisor)
    return np.where(lost, np.inf, result)
