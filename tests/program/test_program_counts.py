"""Operation counts and the validity of programs written by hand."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

import symgen
from symgen.algebra.exact import Exact
from symgen.derive.search import Candidate
from symgen.errors import InternalError
from symgen.mechanics.functions.forces import INVERSE_DYNAMICS
from symgen.mechanics.reframing import Framing
from symgen.passes import pipeline
from symgen.program.counts import WEIGHTS, Counts, count, weight
from symgen.program.graph import Graph
from symgen.program.program import Array, Dependence, Instruction, Op, Program, validate

Q = Array("q", (2,))


def counts_of(make):
    graph = Graph()
    names = (graph.variable("q", 0), graph.variable("q", 1), graph.parameter("m"), graph.parameter("k"))
    entries = make(graph, *names)
    return count(graph.program([Q], [(Array("y", (len(entries),)), entries)]))


COUNTS = {
    "nothing": (lambda g, x, y, m, k: [x, g.constant(0)], Counts()),
    "addition": (lambda g, x, y, m, k: [x + y], Counts(add=1)),
    "subtraction": (lambda g, x, y, m, k: [x - y], Counts(add=1)),
    "unary minus": (lambda g, x, y, m, k: [-x], Counts(add=1)),
    "free unary minus": (lambda g, x, y, m, k: [-(x - y)], Counts(add=1)),
    "multiplication": (lambda g, x, y, m, k: [x * y * x], Counts(mul=2)),
    "square": (lambda g, x, y, m, k: [x * x], Counts(mul=1)),
    "division": (lambda g, x, y, m, k: [x / y], Counts(div=1)),
    "division by a number": (lambda g, x, y, m, k: [x / 3], Counts(mul=1)),
    "root": (lambda g, x, y, m, k: [g.sqrt(x)], Counts(sqrt=1)),
    "sine and cosine": (lambda g, x, y, m, k: [g.sin(x), g.cos(x)], Counts(trig=2)),
    "hoisted": (lambda g, x, y, m, k: [m * k + m / k], Counts(hoisted=3)),
    "hoisted factor": (lambda g, x, y, m, k: [(m * k) * x], Counts(mul=1, hoisted=1)),
    "hoisted with a number": (lambda g, x, y, m, k: [2 * (m * x)], Counts(mul=1, hoisted=1)),
    "shared": (lambda g, x, y, m, k: [(x + y) * (x + y)], Counts(mul=1, add=1)),
    "dead": (lambda g, x, y, m, k: [((x * y), x)[1]], Counts()),
}


@pytest.mark.parametrize(("make", "expected"), COUNTS.values(), ids=COUNTS)
def test_counts(make, expected):
    assert counts_of(make) == expected


def test_totals_and_text():
    counts = Counts(mul=5, add=4, div=2, sqrt=1, trig=6, hoisted=9)
    assert counts.total == 18
    assert counts.arithmetic == 9
    assert list(counts.as_dict().items()) == [
        ("mul", 5),
        ("add", 4),
        ("div", 2),
        ("sqrt", 1),
        ("trig", 6),
        ("hoisted", 9),
    ]
    assert str(counts) == "5 multiplications, 4 additions, 2 divisions, 1 square root, 6 sines and cosines"
    assert str(Counts()) == "0 multiplications, 0 additions"


# validity -------------------------------------------------------------------------------------------------

X = Instruction(Op.VARIABLE, name="q", entry=0)
Y = Instruction(Op.VARIABLE, name="q", entry=1)


def constant(value):
    return Instruction(Op.CONSTANT, value=Exact.of(value), dependence=Dependence.CONSTANT)


def program(*instructions, entries=None, shape=(1,)):
    last = (len(instructions) - 1,)
    return Program((Q,), instructions, ((Array("y", shape), last if entries is None else entries),))


VALID = program(X, Y, Instruction(Op.ADD, (0, 1)))

INVALID = {
    "later operand": (program(X, Instruction(Op.ADD, (0, 1))), "not before it"),
    "missing operand": (program(X, Instruction(Op.ADD, (0, -1))), "not before it"),
    "too few operands": (program(X, Instruction(Op.MUL, (0,))), "1 operands, expected 2"),
    "too many operands": (program(X, Y, Instruction(Op.SIN, (0, 1))), "2 operands, expected 1"),
    "dead": (program(X, Y, Instruction(Op.COS, (0,))), "never used"),
    "plus 0": (program(constant(0), X, Instruction(Op.ADD, (0, 1))), "constant 0"),
    "minus 0": (program(constant(0), X, Instruction(Op.SUB, (1, 0))), "constant 0"),
    "times 1": (program(constant(1), X, Instruction(Op.MUL, (0, 1))), "constant 1"),
    "times -1": (program(constant(-1), X, Instruction(Op.MUL, (0, 1))), "constant -1"),
    "over 1": (program(constant(1), X, Instruction(Op.DIV, (1, 0))), "constant 1"),
    "over 0": (program(constant(0), X, Instruction(Op.DIV, (1, 0))), "constant 0"),
    "sine of 0": (program(constant(0), Instruction(Op.SIN, (0,))), "constant 0"),
    "no such input": (program(Instruction(Op.VARIABLE, name="r", entry=0)), "no input"),
    "no such entry": (program(Instruction(Op.VARIABLE, name="q", entry=2)), "no input"),
    "missing output": (program(X, shape=(2,)), "1 entries, expected 2"),
    "output beyond the end": (program(X, entries=(1,)), "does not exist"),
    "output before the start": (program(X, entries=(-1,)), "does not exist"),
}


@pytest.mark.parametrize(("bad", "message"), INVALID.values(), ids=INVALID)
def test_invalid_programs(bad, message):
    with pytest.raises(InternalError, match=message):
        validate(bad)


@pytest.mark.parametrize(
    "good",
    [
        VALID,
        program(constant(0)),
        program(constant(1), X, Instruction(Op.DIV, (0, 1))),
        program(constant(1), X, Instruction(Op.ADD, (0, 1))),
        replace(VALID, outputs=((Array("y", (2, 2)), (0, 2, 2, 1)),)),
    ],
)
def test_valid_programs(good):
    validate(good)


def test_uses_and_parameters():
    m = Instruction(Op.PARAMETER, name="m", dependence=Dependence.PARAMETER)
    scaled = program(X, m, Instruction(Op.MUL, (1, 0)), Instruction(Op.MUL, (2, 2)), entries=(3, 2), shape=(2,))
    assert scaled.uses() == [1, 1, 3, 1]
    assert scaled.parameters() == ("m",)
    assert VALID.parameters() == ()


@pytest.mark.parametrize(("shape", "size"), [((), 1), ((3,), 3), ((2, 3), 6)])
def test_array_sizes(shape, size):
    assert Array("y", shape).size == size


WEIGHED = {
    "arithmetic": (lambda g, x, y, m, k: [x * y + x], 2),
    "division": (lambda g, x, y, m, k: [x / y], 4),
    "root": (lambda g, x, y, m, k: [g.sqrt(x * x + 1)], 6),
    "sine": (lambda g, x, y, m, k: [g.sin(x)], 8),
    "hoisted": (lambda g, x, y, m, k: [m * k], 0),
}


@pytest.mark.parametrize(("make", "expected"), WEIGHED.values(), ids=WEIGHED)
def test_the_weight_of_a_call_is_that_of_its_instructions(make, expected):
    graph = Graph()
    names = (graph.variable("q", 0), graph.variable("q", 1), graph.parameter("m"), graph.parameter("k"))
    program = graph.program([Q], [(Array("y", (1,)), make(graph, *names))])
    assert count(program).weight == sum(map(weight, program.instructions)) == expected


@pytest.mark.parametrize("sine", [1, 100])
def test_the_search_and_the_passes_weigh_by_the_one_model(monkeypatch, sine):
    """A sine, or ten multiplications and additions: whoever chooses does as the weights say."""
    monkeypatch.setitem(WEIGHTS, "trig", sine)
    graph = Graph()
    x, y = graph.variable("q", 0), graph.variable("q", 1)
    long = x
    for _ in range(5):
        long = long * y + x
    with_sine, without = (graph.program([Q], [(Array("y", (1,)), [value])]) for value in (graph.sin(x), long))
    formulation = INVERSE_DYNAMICS.formulations[0]
    better = min((Candidate(formulation, Framing(), p) for p in (with_sine, without)), key=lambda item: item.cost)
    assert better.program is (with_sine if sine == 1 else without)

    monkeypatch.setattr(pipeline, "_check", lambda *_: None)
    course = pipeline.Course(without, (pipeline.Group("other", (lambda _: with_sine,)),), ())
    course.round()
    assert course.steps[-1].taken is (sine == 1)


def test_only_the_cost_model_weighs_operations():
    """Whoever derives or rewrites programs compares weights, and reads no numbers of single operations."""
    numbers = set(WEIGHTS) | {"total", "arithmetic"}
    for room in ("derive", "passes"):
        for path in sorted((Path(symgen.__file__).parent / room).glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            read = {item.attr for item in ast.walk(tree) if isinstance(item, ast.Attribute)} & numbers
            calls = {
                item.func.attr for item in ast.walk(tree) if isinstance(item, ast.Call) and hasattr(item.func, "attr")
            }
            assert read <= calls, f"{path.name} reads {sorted(read - calls)}"
