"""Derivatives of programs are those that dual numbers have in the prime field, and keep their price."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from random_programs import FUNCTIONS, INPUTS, OPERATIONS, OUTPUT, program_of, run, seeded_tape, tapes

from symgen.algebra.duals import Duals
from symgen.algebra.prime import Element, PrimeField
from symgen.errors import InternalError
from symgen.passes.pipeline import optimise
from symgen.program.differentiation import gradient_program, jacobian_program, tangent_program, tangents
from symgen.program.fingerprint import Evaluation, finest, radicands
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array, Program, validate

EVERY = (*OPERATIONS, *FUNCTIONS)
NAMES = tuple(array.name for array in INPUTS)
ENTRIES = tuple((array.name, k) for array in INPUTS for k in range(array.size))


def field_of(program: Program) -> PrimeField:
    return PrimeField(radicands(program) | {2, 3}, finest=finest(program))


def outputs(program: Program, field: PrimeField) -> dict[str, list[Element]]:
    """The program's outputs by name at the field's random point."""
    values = Evaluation(field).run(program)
    return {array.name: [Element(field, values[node]) for node in nodes] for array, nodes in program.outputs}


def slopes(tape, field: PrimeField, direction) -> list[Element]:
    return [value.slope for value in run(tape, Duals(field, direction))]


@settings(max_examples=40)
@given(tapes(EVERY))
def test_slopes_along_a_direction(tape):
    program = tangent_program(program_of(tape), NAMES)
    validate(program)
    field = field_of(program)
    way = {(name, k): field.variable(f"d_{name}", k) for name, k in ENTRIES}
    found = outputs(program, field)
    assert found["d_y"] == slopes(tape, field, way)
    assert found["y"] == [value.value for value in run(tape, Duals(field, way))]


@settings(max_examples=40)
@given(tapes(EVERY))
def test_gradients_of_weighted_outputs(tape):
    program = gradient_program(program_of(tape), NAMES)
    validate(program)
    field = field_of(program)
    found = outputs(program, field)
    weights = [field.variable("w_y", k) for k in range(OUTPUT.size)]
    for name, k in ENTRIES:
        along = slopes(tape, field, {(name, k): field.constant(1)})
        expected = sum((w * slope for w, slope in zip(weights, along, strict=True)), field.constant(0))
        assert found[f"d_{name}"][k] == expected


@settings(max_examples=15)
@given(tapes(EVERY, max_steps=12))
def test_jacobians_and_their_passes(tape):
    program, _ = optimise(jacobian_program(program_of(tape), NAMES))
    field = field_of(program)
    found = outputs(program, field)
    for array in INPUTS:
        columns = [slopes(tape, field, {(array.name, k): field.constant(1)}) for k in range(array.size)]
        assert found[f"d_y_d_{array.name}"] == [column[i] for i in range(OUTPUT.size) for column in columns]


@settings(max_examples=25)
@given(tapes(max_steps=12))
def test_hessians_by_forward_over_reverse_are_symmetric(tape):
    hessian = jacobian_program(gradient_program(program_of(tape), ["qd"]), ["qd"])
    field = field_of(hessian)
    matrix = np.array(outputs(hessian, field)["d_d_qd_d_qd"], dtype=object).reshape(3, 3)
    assert (matrix == matrix.T).all()


@pytest.mark.parametrize("seed", range(3))
def test_slopes_are_differences_of_values(seed):
    """Derivatives, not what the field calls so."""
    program = jacobian_program(program_of(seeded_tape(seed)), ["q"])
    chance, step = np.random.default_rng(seed), 1e-6
    state = {array.name: chance.uniform(-1, 1, array.shape) for array in INPUTS}
    parameters = {"m": 1.25, "k": -0.375}
    found = evaluate(program_of(seeded_tape(seed)), state, parameters)["y"]
    matrix = evaluate(program, state, parameters)["d_y_d_q"]
    for k, way in enumerate(np.eye(2)):
        ahead, behind = (
            evaluate(program_of(seeded_tape(seed)), {**state, "q": state["q"] + sign * step * way}, parameters)["y"]
            for sign in (1, -1)
        )
        assert np.abs((ahead - behind) / (2 * step) - matrix[:, k]).max() < 1e-6 * max(1, np.abs(found).max()) ** 2


def test_what_does_not_move_costs_nothing():
    """Nodes that the direction leaves alone have no slope, and no weight reaches them."""
    graph = Graph()
    x, y = graph.variable("q", 0), graph.variable("q", 1)
    value = x * graph.sin(y * y)
    before = len(graph.nodes)
    (slope,) = tangents(graph, [value], {("q", 0): graph.constant(1)})
    assert len(graph.nodes) == before
    assert slope.node == graph.sin(y * y).node


def test_an_input_that_is_not_there():
    program = Graph().program((Array("q", (1,)),), [])
    with pytest.raises(InternalError, match="by v; it has the inputs q"):
        tangent_program(program, ["v"])
