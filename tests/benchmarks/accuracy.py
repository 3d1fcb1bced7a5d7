"""Rounding errors of the generated programs: double precision beside an evaluation with 50 digits.

    python tests/benchmarks/accuracy.py [ROBOT ...]

For every function the largest error at random states, relative to the largest entry of its outputs at that state. The
programs are the functions exactly (they are proved to be), so that what differs is rounding.
"""

from __future__ import annotations

import sys

import flint
import numpy as np
from numpy.typing import NDArray

from symgen.derive.derivation import Options, derive
from symgen.program.interpreter import evaluate
from symgen.program.program import Instruction, Op, Program
from symgen.robot import library

STATES = 1000
BITS = 170
LIMITS = {"forward_dynamics": 1e-11, "forward_dynamics_derivatives": 1e-11, "inverse_inertia_matrix": 1e-11}
LIMIT = 1e-13


def exact_outputs(program: Program, state: dict[str, NDArray[np.float64]]) -> list[list[flint.arb]]:
    """Entries of every output at one state, with `BITS` bits."""
    values: list[flint.arb] = []
    with flint.ctx.workprec(BITS):
        for instruction in program.instructions:
            values.append(_value(instruction, [values[arg] for arg in instruction.args], state))
    return [[values[node] for node in entries] for _, entries in program.outputs]


def _value(instruction: Instruction, args: list[flint.arb], state: dict[str, NDArray[np.float64]]) -> flint.arb:
    match instruction.op:
        case Op.CONSTANT:
            assert instruction.value is not None
            return instruction.value.number()
        case Op.VARIABLE:
            return flint.arb(float(state[instruction.name].reshape(-1)[instruction.entry]))
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
        case Op.SIN:
            return args[0].sin()
        case Op.COS:
            return args[0].cos()
        case Op.SQRT:
            return args[0].sqrt()
        case Op.SIGN:
            return flint.arb(np.sign(float(args[0])))
        case Op.TANH:
            return args[0].tanh()
        case Op.ATAN:
            return args[0].atan()
    raise AssertionError(instruction.op)


def worst_errors(robot: str, states: int, seed: int = 0) -> dict[str, float]:
    """Function → largest error of an output array relative to its largest entry."""
    chance = np.random.default_rng(seed)
    derived = derive(library.load(robot), Options(functions=("all",)))
    result = {}
    for function in derived.module.functions:
        shapes = {array.name: array.shape for array in function.program.inputs}
        batch = {name: chance.uniform(-3, 3, (states, *shape)) for name, shape in shapes.items()}
        found = evaluate(function.program, batch, {})
        worst = 0.0
        for k in range(states):
            exact = exact_outputs(function.program, {name: values[k] for name, values in batch.items()})
            for (array, _), entries in zip(function.program.outputs, exact, strict=True):
                computed = np.broadcast_to(found[array.name], (states, *array.shape))[k].reshape(-1)
                size = max((abs(float(entry)) for entry in entries), default=0.0)
                gap = max(
                    (abs(float(entry - flint.arb(float(x)))) for entry, x in zip(entries, computed, strict=True)),
                    default=0.0,
                )
                worst = max(worst, gap / size if size else gap)
        result[function.name] = worst
    return result


def main() -> None:
    """Print the errors; exit with 1 if one is above its limit."""
    failed = False
    for robot in sys.argv[1:] or library.names():
        for name, error in worst_errors(robot, STATES).items():
            limit = LIMITS.get(name, LIMIT)
            failed = failed or error > limit
            print(f"{robot:24} {name:32} {error:.1e}  {'' if error <= limit else 'above ' + str(limit)}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
