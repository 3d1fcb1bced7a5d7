"""Statements: the text has the program's order of evaluation, and names are safe."""

import ast
import math
from fractions import Fraction

import numpy as np
import pytest
from derivations import derivation
from hypothesis import given
from library_robots import ARMS
from plain_language import statements
from random_programs import INPUTS, inputs, program_of, tapes

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import PI, Exact
from symgen.algebra.roots import sqrt
from symgen.emit.registry import LANGUAGES, language
from symgen.emit.straight import MAX_INLINE
from symgen.emit.style import literal, rounded
from symgen.errors import LimitError
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array, Instruction, Op, Program
from symgen.robot.names import identifier_problem


def entry(statement):
    """(array, index) of an output's entry."""
    name, index = statement.target.removesuffix("]").split("[")
    return name, int(index)


def run(program, arrays):
    """The outputs by the statements' own text; only this test ever evaluates it."""
    values = {**arrays, "sin": np.sin, "cos": np.cos, "sqrt": np.sqrt}
    results = {array.name: np.empty(array.size) for array, _ in program.outputs}
    for statement in statements(program):
        value = eval(compile(statement.text, "<statement>", "eval"), {"__builtins__": {}}, values)
        if statement.local:
            assert statement.target not in values
            values[statement.target] = value
        else:
            name, index = entry(statement)
            results[name][index] = value
    return results


@given(tapes(max_steps=30))
def test_text_evaluates_bit_for_bit_as_the_interpreter_does(tape):
    program = program_of(tape, parameters=False)
    arrays = inputs()
    with np.errstate(all="ignore"):
        found, expected = run(program, arrays)["y"], evaluate(program, arrays)["y"]
    np.testing.assert_array_equal(found.view(np.int64), expected.view(np.int64))


@given(tapes(max_steps=30))
def test_every_output_entry_is_written_once_and_names_are_new(tape):
    program = program_of(tape, parameters=False)
    written = statements(program)
    entries = [entry(s) for s in written if not s.local]
    assert sorted(entries) == [("y", k) for k in range(4)]
    local = [s.target for s in written if s.local]
    assert len(local) == len(set(local))
    assert not {"q", "qd", "y"} & set(local)


@given(tapes(max_steps=30))
def test_expressions_stay_short(tape):
    for statement in statements(program_of(tape, parameters=False)):
        tree = ast.parse(statement.text, mode="eval")
        operations = (ast.BinOp, ast.Call)
        assert sum(isinstance(node, operations) for node in ast.walk(tree)) <= 2 * MAX_INLINE + 1


def text_of(make):
    graph = Graph()
    a, b, c, d, e = (graph.variable(array.name, k) for array in INPUTS for k in range(array.size))
    program = graph.program(INPUTS, [(Array("y", (1,)), [make(graph, a, b, c, d, e)])])
    return [statement.text for statement in statements(program)]


TEXTS = {
    "left sum": (lambda g, a, b, c, d, e: (a + b) + (c + d), "q[0] + q[1] + (qd[0] + qd[1])"),
    "right sum": (lambda g, a, b, c, d, e: a + (b + c), "q[0] + (q[1] + qd[0])"),
    "right difference": (lambda g, a, b, c, d, e: a - (b + c), "q[0] - (q[1] + qd[0])"),
    "left product": (lambda g, a, b, c, d, e: (a * b) * c, "qd[0]*(q[0]*q[1])"),
    "quotient of products": (lambda g, a, b, c, d, e: (a * b) / (c * d), "q[0]*q[1]/(qd[0]*qd[1])"),
    "quotient of quotients": (lambda g, a, b, c, d, e: (a / b) / (c / d), "q[0]/q[1]/(qd[0]/qd[1])"),
    "product of sums": (lambda g, a, b, c, d, e: (a + b) * (c - d), "(q[0] + q[1])*(qd[0] - qd[1])"),
    "sum of products": (lambda g, a, b, c, d, e: a * b + c * d, "q[0]*q[1] + qd[0]*qd[1]"),
    "negative product": (lambda g, a, b, c, d, e: -(a * b), "-(q[0]*q[1])"),
    "negative input": (lambda g, a, b, c, d, e: -a, "-q[0]"),
    "function": (lambda g, a, b, c, d, e: g.sin(a + b) * 2, "2.0*sin(q[0] + q[1])"),
    "constant": (lambda g, a, b, c, d, e: g.constant(Exact.of(7) / 10), "0.7"),
    "negative constant": (lambda g, a, b, c, d, e: g.constant(-sqrt(2)), "-1.4142135623730951"),
    "negative number of positive leading sign": (
        lambda g, a, b, c, d, e: a - (1 - sqrt(2)),
        "q[0] - -0.41421356237309503",
    ),
}


@pytest.mark.parametrize(("make", "text"), TEXTS.values(), ids=TEXTS)
def test_parentheses(make, text):
    (found,) = text_of(make)
    assert found == text


def test_a_minus_never_meets_a_minus():
    minus_two = Instruction(Op.CONSTANT, value=Exact.of(-2))
    program = Program(
        (Array("q", (1,)),),
        (minus_two, Instruction(Op.NEG, (0,)), Instruction(Op.NEG, (1,))),
        ((Array("y", (1,)), (2,)),),
    )
    (statement,) = statements(program)
    assert statement.text == "-(-(-2.0))"


def test_values_used_twice_and_labelled_ones_get_names():
    graph = Graph()
    a, b, c = graph.variable("q", 0), graph.variable("q", 1), graph.variable("qd", 0)
    shared, labelled = a + b, graph.define("w1_x", b * c)
    program = graph.program(INPUTS, [(Array("y", (2,)), [shared * shared, labelled + c])])
    assert [(s.target, s.text) for s in statements(program)] == [
        ("t1", "q[0] + q[1]"),
        ("w1_x", "q[1]*qd[0]"),
        ("y[0]", "t1*t1"),
        ("y[1]", "qd[0] + w1_x"),
    ]


@pytest.mark.parametrize("label", ["q", "qd", "y", "t1", "t2"])
def test_labels_that_are_taken_are_replaced(label):
    graph = Graph()
    a, b = graph.variable("q", 0), graph.variable("q", 1)
    first = graph.define(label, a * b)
    second = a + b
    third = first + second
    outputs = [third * third, first * second, first * third, second * third]
    program = graph.program(INPUTS, [(Array("y", (4,)), outputs)])
    written = [s.target for s in statements(program) if s.local]
    assert len(written) == len(set(written)) == 3
    assert not set(written) & {"q", "qd", "y"}
    arrays = inputs()
    np.testing.assert_array_equal(run(program, arrays)["y"], evaluate(program, arrays)["y"])


def test_a_temporary_does_not_take_a_later_label():
    """The label t1 stands further down than the value that would become t1."""
    graph = Graph()
    a, b = graph.variable("q", 0), graph.variable("q", 1)
    first = a * b
    second = graph.define("t1", first + a)
    program = graph.program(INPUTS, [(Array("y", (2,)), [first * second, first + second * second])])
    arrays = inputs()
    np.testing.assert_array_equal(run(program, arrays)["y"], evaluate(program, arrays)["y"])


def test_outputs_of_every_kind():
    graph = Graph()
    a, b = graph.variable("q", 0), graph.variable("q", 1)
    product = a * b
    outputs = [product, product, -product, a, graph.constant(0), graph.constant(PI)]
    program = graph.program(INPUTS, [(Array("y", (6,)), outputs)])
    arrays = inputs()
    np.testing.assert_array_equal(run(program, arrays)["y"], evaluate(program, arrays)["y"])


def test_parameters_are_a_limit():
    graph = Graph()
    program = graph.program(INPUTS, [(Array("y", (1,)), [graph.parameter("m") * graph.variable("q", 0)])])
    with pytest.raises(LimitError, match="numeric parameters"):
        statements(program)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Exact.of(1), "1.0"),
        (Exact.of(-3), "-3.0"),
        (Exact.of(54) / 125, "0.432"),
        (Exact.of(1) / 3, "0.3333333333333333"),
        (Exact.of(10**30), "1e+30"),
        (Exact.of(7) / 10**20, "7e-20"),
        (PI, repr(math.pi)),
    ],
)
def test_literals(value, text):
    assert literal(rounded(value, "float64"), "float64") == text
    assert float(text) == float(value)


def test_constants_that_single_precision_cannot_hold_are_a_limit():
    for value in (Exact.of(10) ** 40, Exact.of(10) ** -60, PI / 10**60):
        with pytest.raises(LimitError, match="out of the range of float32; use float64"):
            rounded(value, "float32")
    nothing = sum(cos_sin(PI * Fraction(2 * k, 17))[0] for k in range(17))  # the corners of a 17-gon
    assert nothing != 0
    assert rounded(nothing, "float32") == 0


@pytest.mark.parametrize(
    ("name", "algorithm"), [*((name, "auto") for name in ARMS), ("scara", "udu"), ("stanford", "aba")]
)
def test_names_in_generated_code_are_plain_identifiers(name, algorithm):
    module = derivation(name, algorithm).module
    reserved = {"np", "batch", "sin", "cos", "sqrt", "main"}.union(*(language(each).words for each in LANGUAGES))
    for function in module.functions:
        arguments = {argument.name for argument in (*function.inputs, *function.outputs)}
        for statement in statements(function.program):
            if statement.local:
                assert identifier_problem(statement.target) is None
                assert statement.target not in arguments | reserved
                assert "neg_neg" not in statement.target
