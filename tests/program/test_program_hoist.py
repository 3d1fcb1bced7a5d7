"""Hoisting: what does not vary moves into a program of its own, and nothing is lost by it."""

import numpy as np

from symgen.program.graph import Graph
from symgen.program.hoist import PARAMETERS, hoist
from symgen.program.interpreter import evaluate
from symgen.program.program import Array, Dependence, Op


def test_operations_on_constants_are_hoisted_as_those_on_parameters_are():
    graph = Graph()
    x, m, third = graph.variable("x", 0), graph.parameter("m"), graph.constant(1) / graph.constant(3)
    level = graph.tanh(third)
    results = [level * x, m * x + level, level, level * m + x * x]
    program = graph.program([Array("x", (1,))], [(Array("y", (4,)), results)])
    init, (hoisted,) = hoist([program], ["m"], "constants")
    constants = evaluate(init, {PARAMETERS: np.array([5.0])})["constants"]
    found = evaluate(hoisted, {"x": np.array([2.0]), "constants": constants})["y"]
    level = np.tanh(1 / 3)
    np.testing.assert_allclose(found, [2 * level, 10 + level, level, 5 * level + 4], rtol=1e-15)
    fixed = [each for each in hoisted.instructions if each.dependence is not Dependence.VARIABLE]
    assert {each.op for each in fixed} <= {Op.CONSTANT}
