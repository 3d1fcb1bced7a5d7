"""From graph to program: where signs go, what is left out, and outputs of every kind."""

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from swept_signs import swept_signs

from symgen.algebra.exact import Exact
from symgen.algebra.roots import sqrt
from symgen.program import trials
from symgen.program.counts import count
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array, Op, validate
from symgen.program.signs import MAX_TRIALS, Signs

Q = Array("q", (5,))
VALUES = {"q": np.array([0.7, -1.3, 0.4, 2.1, -0.9])}


def build(make):
    graph = Graph()
    names = SimpleNamespace(graph=graph)
    for index, name in enumerate("abcde"):
        setattr(names, name, graph.variable("q", index))
    outputs = make(names)
    program = graph.program([Q], [(Array("y", (len(outputs),)), outputs)])
    validate(program)
    return program


def numbers(make):
    a, b, c, d, e = map(float, VALUES["q"])

    def root(x):
        return np.sqrt(x)

    graph = SimpleNamespace(sin=np.sin, cos=np.cos, sqrt=root, constant=float)
    return [float(value) for value in make(SimpleNamespace(graph=graph, a=a, b=b, c=c, d=d, e=e))]


NEGATIONS = {
    "difference": (0, lambda g: [-(g.a - g.b)]),
    "difference in a product": (0, lambda g: [-((g.a - g.b) * g.c)]),
    "difference in a divisor": (0, lambda g: [-(g.c / (g.a - g.b))]),
    "difference in a sum": (0, lambda g: [-(g.a + (g.b - g.c))]),
    "difference deep in a product": (0, lambda g: [-(g.a * (g.b * (g.c * (g.d - g.e))))]),
    "difference in a sine": (0, lambda g: [-(g.graph.sin(g.a - g.b) * g.c)]),
    "sum of negatives in a difference": (0, lambda g: [g.a - (-g.b - g.c) * g.d]),
    "product of two differences": (0, lambda g: [-((g.a - g.b) * (g.c - g.d))]),
    "negative and positive difference": (0, lambda g: [-(g.a - g.b), g.c - g.d]),
    "input": (1, lambda g: [-g.a]),
    "product": (1, lambda g: [-(g.a * g.b)]),
    "sum": (1, lambda g: [-(g.a + g.b)]),
    "cosine of a difference": (1, lambda g: [-g.graph.cos(g.a - g.b)]),
    "root": (1, lambda g: [-g.graph.sqrt(g.a * g.a + g.b * g.b)]),
    "a value and its negative": (1, lambda g: [g.a - g.b, -(g.a - g.b)]),
    "a shared negative": (1, lambda g: [-(g.a * g.b), -(g.a * g.b), g.c]),
    "an output used inside": (1, lambda g: [-(g.a * g.b), (g.a * g.b) * g.c]),
    "two inputs": (2, lambda g: [-g.a, -g.b]),
    "constants": (0, lambda g: [g.graph.constant(0), -g.graph.constant(2), g.graph.constant(2), g.graph.constant(1)]),
    "root of a turned difference": (0, lambda g: [g.graph.sqrt((g.b - g.a) * (g.b - g.a) + 1)]),
    "inputs": (0, lambda g: [g.a, g.a, g.b]),
    "cancelled": (0, lambda g: [(g.a + g.b) - g.a - g.b]),
}


@pytest.mark.parametrize(("negations", "make"), NEGATIONS.values(), ids=NEGATIONS)
def test_unary_minus_stands_only_where_no_difference_can_be_turned(negations, make):
    program = build(make)
    assert [i.op for i in program.instructions].count(Op.NEG) == negations
    found = evaluate(program, VALUES)["y"]
    np.testing.assert_allclose(found, numbers(make), rtol=1e-14, atol=1e-15)


OPERATIONS = st.sampled_from(["add", "sub", "mul", "neg", "sin", "cos"])


@given(st.lists(st.tuples(OPERATIONS, st.integers(0, 9), st.integers(0, 9)), max_size=12), st.integers(1, 6))
def test_signs_never_change_values_nor_cost_inside(steps, outputs):
    """Only outputs carry a unary minus, and there is at most one for each."""

    def make(g):
        values = [g.a, g.b, g.c, g.d, g.e]
        for operation, i, j in steps:
            x, y = values[-1 - i % len(values)], values[-1 - j % len(values)]
            values.append(
                {
                    "add": lambda x=x, y=y: x + y,
                    "sub": lambda x=x, y=y: x - y,
                    "mul": lambda x=x, y=y: x * y,
                    "neg": lambda x=x: -x,
                    "sin": lambda x=x: g.graph.sin(x),
                    "cos": lambda x=x: g.graph.cos(x),
                }[operation]()
            )
        return values[-outputs:]

    program = build(make)
    negations = [index for index, i in enumerate(program.instructions) if i.op is Op.NEG]
    assert len(negations) <= outputs
    assert not set(negations) & {arg for i in program.instructions for arg in i.args}
    expected = numbers(make)
    scale = 1 + max(map(abs, expected))
    if scale < 1e6:
        np.testing.assert_allclose(evaluate(program, VALUES)["y"], expected, rtol=1e-9, atol=1e-9 * scale)


@given(
    st.lists(st.tuples(OPERATIONS, st.integers(0, 9), st.integers(0, 9)), max_size=40), st.integers(1, 12), st.data()
)
def test_signs_are_those_of_sweeps_over_the_whole_program(steps, outputs, data):
    graph, values = grown(steps)
    roots = [(value.node, data.draw(st.sampled_from((1, -1)))) for value in values[-outputs:]]
    preference = data.draw(st.dictionaries(st.sampled_from(range(len(graph.nodes))), st.sampled_from((1, -1))))
    check_signs(graph, roots, preference)


@pytest.mark.parametrize("kept", [2 * MAX_TRIALS, trials.MAX_KEPT])
@pytest.mark.parametrize("seed", range(4))
def test_signs_are_those_of_sweeps_however_many_trials_are_kept(seed, kept, monkeypatch):
    """Trials that are forgotten and made again, and those that are kept while others are turned for good."""
    monkeypatch.setattr(trials, "MAX_KEPT", kept)
    random = Random(seed)
    steps = [(random.choice(["add", "sub", "mul"]), random.randrange(30), random.randrange(30)) for _ in range(300)]
    graph, values = grown(steps)
    check_signs(graph, [(value.node, random.choice((1, -1))) for value in random.sample(values, 120)], {})


def grown(steps):
    """A graph and its values: five variables, then one for each (operation, how far back its operands lie)."""
    graph = Graph()
    unary = {"neg": lambda x: -x, "sin": graph.sin, "cos": graph.cos}
    values = [graph.variable("q", index) for index in range(5)]
    for operation, i, j in steps:
        x, y = values[-1 - i % len(values)], values[-1 - j % len(values)]
        binary = {"add": x + y, "sub": x - y, "mul": x * y}
        values.append(binary[operation] if operation in binary else unary[operation](x))
    return graph, values


def check_signs(graph, roots, preference):
    order = list(range(len(graph.nodes)))
    found = Signs(graph.nodes, order, roots, preference)
    assert {node: found[node] for node in order} == swept_signs(graph.nodes, order, roots, preference)


def test_what_outputs_do_not_need_is_left_out():
    program = build(lambda g: [(g.a + g.b, g.a * g.b)[0]])
    assert [i.op for i in program.instructions] == [Op.VARIABLE, Op.VARIABLE, Op.ADD]


def test_negated_constants_leave_nothing_unused():
    program = build(lambda g: [g.graph.constant(-sqrt(2)), g.graph.constant(-3)])
    assert [i.op for i in program.instructions] == [Op.CONSTANT] * 2
    assert count(program).total == 0


def test_outputs_without_inputs():
    program = build(lambda g: [g.graph.constant(Exact.of(3))])
    found = evaluate(program, {"q": np.zeros((4, 2, 5))})["y"]
    assert found.shape == (4, 2, 1)
    assert (found == 3.0).all()


def test_a_label_asks_for_its_own_sign():
    for sign in (1, -1):
        graph = Graph()
        a, b, c = (graph.variable("q", index) for index in range(3))
        difference = graph.define("w", sign * (a - b))
        program = graph.program([Q], [(Array("y", (1,)), [difference * difference * c])])
        (labelled,) = (i for i in program.instructions if i.label == "w")
        assert labelled.args == ((0, 1) if sign == 1 else (1, 0))


def test_long_chains_do_not_recurse():
    graph = Graph()
    x = total = graph.variable("q", 0)
    for k in range(5000):
        total = (total * x if k % 2 else total + graph.variable("q", k % 5)) + 1
    program = graph.program([Q], [(Array("y", (1,)), [-total])])
    validate(program)
    assert count(program).arithmetic > 5000
