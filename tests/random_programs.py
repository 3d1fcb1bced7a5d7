"""Random formulas: tapes of steps that run over any domain of scalars, drawn by Hypothesis or from a seed.

The same tape over `Floats`, `PrimeField`, `Ring` and `Graph` gives numbers, a fingerprint, a closed form and a program.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from symgen.algebra.domain import Domain
from symgen.algebra.exact import PI, ZERO, Exact
from symgen.algebra.roots import sqrt
from symgen.program.graph import Graph
from symgen.program.program import Array, Program

PARAMETERS = {"m": 1.25, "k": -0.375}
INPUTS = (Array("q", (2,)), Array("qd", (3,)))
OUTPUT = Array("y", (4,))

CONSTANTS = (0, 1, -1, 2, Fraction(-1, 2), Fraction(1, 10), sqrt(2), PI / 3)
OFFSETS = (ZERO, PI / 2, -PI / 4, PI * Fraction(7, 6), Exact.of(Fraction(3, 10)))

Step = tuple[str, int, int]
Tape = tuple[Step, ...]
OPERATIONS = ("add", "sub", "mul", "neg", "div", "twice", "define")
FUNCTIONS = ("root", "tanh", "atan", "sign", "guard")
"""Of values that are never constants, whose roots and signs are known."""


def tapes(operations: tuple[str, ...] = OPERATIONS, max_steps: int = 20) -> st.SearchStrategy[Tape]:
    """Tapes of up to `max_steps` operations; operands are counted from the latest value back."""
    index = st.integers(0, 40)
    return st.lists(st.tuples(st.sampled_from(operations), index, index), min_size=1, max_size=max_steps).map(tuple)


def seeded_tape(seed: int, operations: tuple[str, ...] = OPERATIONS, steps: int = 25) -> Tape:
    """The tape of this seed."""
    chance = np.random.default_rng(seed)
    return tuple(
        (operations[chance.integers(len(operations))], int(chance.integers(12)), int(chance.integers(40)))
        for _ in range(steps)
    )


def run(tape: Tape, domain: Domain, *, trig: bool = True, parameters: bool = True) -> list[Any]:
    """The last four values of the tape over `domain`."""
    values = _leaves(domain, trig=trig, parameters=parameters)
    for number, (operation, i, j) in enumerate(tape):
        x, y = values[-1 - i % len(values)], values[-1 - j % len(values)]
        values.append(_value(domain, operation, x, y, number))
    return values[-OUTPUT.size :]


def _leaves(domain: Domain, *, trig: bool, parameters: bool) -> list[Any]:
    values = [domain.constant(value) for value in CONSTANTS]
    values += [domain.parameter(name) for name in PARAMETERS] if parameters else []
    if trig:
        for number, offset in enumerate(OFFSETS):
            values += domain.cos_sin(number % 2, offset)
    values += [domain.variable(array.name, index) for array in INPUTS for index in range(array.size)]
    return values


def _value(domain: Domain, operation: str, x: Any, y: Any, number: int) -> Any:
    match operation:
        case "add":
            return x + y
        case "sub":
            return x - y
        case "mul":
            return x * y
        case "neg":
            return -x
        case "div":
            return x / (y * y + domain.constant(1))
        case "twice":
            return 2 * x - y
        case "define":
            return domain.define(f"v{number}", x + y)
        case "root":
            return domain.sqrt(_varying(domain, x))
        case "tanh" | "atan" | "sign":
            return getattr(domain, operation)(_varying(domain, x))
        case "guard":
            return y / domain.nonzero(_varying(domain, x), Fraction(1, 1000))
    raise AssertionError(operation)


def _varying(domain: Domain, x: Any) -> Any:
    return x * x * domain.variable("qd", 0) + domain.variable("qd", 1)


def program_of(tape: Tape, *, trig: bool = True, parameters: bool = True) -> Program:
    """The program of a tape."""
    graph = Graph()
    return graph.program(INPUTS, [(OUTPUT, run(tape, graph, trig=trig, parameters=parameters))])


def inputs(seed: int = 0, batch: tuple[int, ...] = ()) -> dict[str, np.ndarray]:
    """Random values of the inputs."""
    chance = np.random.default_rng(seed)
    return {array.name: chance.uniform(-1.5, 1.5, (*batch, *array.shape)) for array in INPUTS}
