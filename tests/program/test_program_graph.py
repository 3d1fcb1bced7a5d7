"""What the graph folds where a node is made, and that programs compute what was written down."""

import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from random_programs import INPUTS, OUTPUT, PARAMETERS, inputs, program_of, run, tapes

from symgen.algebra.domain import Floats
from symgen.algebra.exact import PI, Exact
from symgen.algebra.prime import PrimeField
from symgen.algebra.roots import sqrt
from symgen.program.counts import count
from symgen.program.fingerprint import SEEDS, fingerprint
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Op, validate

HALF = Fraction(1, 2)


@pytest.fixture
def g():
    graph = Graph()
    names = SimpleNamespace(graph=graph, one=graph.constant(1), zero=graph.constant(0))
    for index, name in enumerate("abcdxyz"):
        setattr(names, name, graph.variable("q", index))
    names.m, names.k = graph.parameter("m"), graph.parameter("k")
    return names


def same(left, right):
    return (left.node, left.sign) == (right.node, right.sign)


FOLDS = {
    "x + 0": (lambda g: g.x + 0, lambda g: g.x),
    "0 + x": (lambda g: 0 + g.x, lambda g: g.x),
    "x - 0": (lambda g: g.x - 0, lambda g: g.x),
    "0 - x": (lambda g: 0 - g.x, lambda g: -g.x),
    "x * 0": (lambda g: g.x * 0, lambda g: g.zero),
    "-x * 0": (lambda g: -g.x * 0, lambda g: g.zero),
    "x * 1": (lambda g: g.x * 1, lambda g: g.x),
    "x * -1": (lambda g: g.x * -1, lambda g: -g.x),
    "x / 1": (lambda g: g.x / 1, lambda g: g.x),
    "x / -1": (lambda g: g.x / -1, lambda g: -g.x),
    "0 / x": (lambda g: 0 / g.x, lambda g: g.zero),
    "x / x": (lambda g: g.x / g.x, lambda g: g.one),
    "-x / x": (lambda g: -g.x / g.x, lambda g: -g.one),
    "x - x": (lambda g: g.x - g.x, lambda g: g.zero),
    "x + x": (lambda g: g.x + g.x, lambda g: 2 * g.x),
    "-(x*-1)": (lambda g: -(g.x * -1), lambda g: g.x),
    "3x - 2x": (lambda g: 3 * g.x - 2 * g.x, lambda g: g.x),
    "2x - 3x": (lambda g: 2 * g.x - 3 * g.x, lambda g: -g.x),
    "x/2 + x/2": (lambda g: g.x / 2 + HALF * g.x, lambda g: g.x),
    "commutes": (lambda g: (g.x + g.y) * g.z, lambda g: g.z * (g.y + g.x)),
    "(a + b) - b": (lambda g: (g.a + g.b) - g.b, lambda g: g.a),
    "(a + b) - a": (lambda g: (g.a + g.b) - g.a, lambda g: g.b),
    "b - (a + b)": (lambda g: g.b - (g.a + g.b), lambda g: -g.a),
    "(a - b) + b": (lambda g: (g.a - g.b) + g.b, lambda g: g.a),
    "(a - b) - a": (lambda g: (g.a - g.b) - g.a, lambda g: -g.b),
    "(a + b) + (c - b)": (lambda g: (g.a + g.b) + (g.c - g.b), lambda g: g.a + g.c),
    "(a + b) - (b + c)": (lambda g: (g.a + g.b) - (g.b + g.c), lambda g: g.a - g.c),
    "(a - b) - (a - b)": (lambda g: (g.a - g.b) - (g.a - g.b), lambda g: g.zero),
    "(a - b) + (b - a)": (lambda g: (g.a - g.b) + (g.b - g.a), lambda g: g.zero),
    "(a + b) - (a + b)": (lambda g: (g.a + g.b) - (g.b + g.a), lambda g: g.zero),
    "(a - b) + (a - b)": (lambda g: (g.a - g.b) + (g.a - g.b), lambda g: 2 * (g.a - g.b)),
    "(a + b) + (a - b)": (lambda g: (g.a + g.b) + (g.a - g.b), lambda g: 2 * g.a),
    "(2a + b) - 2a": (lambda g: (2 * g.a + g.b) - 2 * g.a, lambda g: g.b),
    "((a + b) - b) - a": (lambda g: ((g.a + g.b) - g.b) - g.a, lambda g: g.zero),
    "a - b and b - a": (lambda g: g.a - g.b, lambda g: -(g.b - g.a)),
    "-a - b": (lambda g: -g.a - g.b, lambda g: -(g.a + g.b)),
    "(-a) * b": (lambda g: (-g.a) * g.b, lambda g: -(g.b * g.a)),
    "(-a) * (-b)": (lambda g: (-g.a) * (-g.b), lambda g: g.a * g.b),
    "(-a) / b": (lambda g: (-g.a) / g.b, lambda g: -(g.a / g.b)),
    "x * (1/x)": (lambda g: g.x * (1 / g.x), lambda g: g.one),
    "(1/x) * -x": (lambda g: (1 / g.x) * -g.x, lambda g: -g.one),
    "(x*y) / y": (lambda g: (g.x * g.y) / g.y, lambda g: g.x),
    "(x*y) / -x": (lambda g: (g.x * g.y) / -g.x, lambda g: -g.y),
    "x / 4": (lambda g: g.x / 4, lambda g: Fraction(1, 4) * g.x),
    "(m*k) / m": (lambda g: (g.m * g.k) / g.m, lambda g: g.k),
    "m * (1/m)": (lambda g: g.m * (1 / g.m), lambda g: g.one),
    "2 + 3": (lambda g: g.graph.constant(2) + 3, lambda g: g.graph.constant(5)),
    "2 * 3": (lambda g: g.graph.constant(2) * 3, lambda g: g.graph.constant(6)),
    "sqrt 2 * sqrt 2": (lambda g: g.graph.constant(sqrt(2)) * sqrt(2), lambda g: g.graph.constant(2)),
    "2 * (3 * x)": (lambda g: 2 * (3 * g.x), lambda g: 6 * g.x),
    "(2x) * (3y)": (lambda g: HALF * (2 * g.x), lambda g: g.x),
    "m * (2x)": (lambda g: g.m * (2 * g.x), lambda g: (2 * g.m) * g.x),
    "m * (k * x)": (lambda g: g.m * (g.k * g.x), lambda g: (g.m * g.k) * g.x),
    "(2m) * (3k)": (lambda g: (2 * g.m) * (3 * g.k), lambda g: 6 * (g.m * g.k)),
    "(2m)x - 2(mx)": (lambda g: (2 * g.m) * g.x - 2 * (g.m * g.x), lambda g: g.zero),
    "sin(-x)": (lambda g: g.graph.sin(-g.x), lambda g: -g.graph.sin(g.x)),
    "cos(-x)": (lambda g: g.graph.cos(-g.x), lambda g: g.graph.cos(g.x)),
    "sin(a - b)": (lambda g: g.graph.sin(g.a - g.b), lambda g: -g.graph.sin(g.b - g.a)),
    "sin(pi/6)": (lambda g: g.graph.sin(g.graph.constant(PI / 6)), lambda g: g.graph.constant(HALF)),
    "sin(-pi/6)": (lambda g: g.graph.sin(-g.graph.constant(PI / 6)), lambda g: -g.graph.constant(HALF)),
    "cos(pi)": (lambda g: g.graph.cos(g.graph.constant(PI)), lambda g: -g.one),
    "sqrt 0": (lambda g: g.graph.sqrt(g.zero), lambda g: g.zero),
    "sqrt 1/4": (lambda g: g.graph.sqrt(g.graph.constant(Fraction(1, 4))), lambda g: g.graph.constant(HALF)),
}


@pytest.mark.parametrize(("left", "right"), FOLDS.values(), ids=FOLDS)
def test_folding(g, left, right):
    assert same(left(g), right(g))


KEPT = {
    "no distribution": (lambda g: g.x * (g.y + g.z), lambda g: g.x * g.y + g.x * g.z),
    "no reassociation": (lambda g: (g.a + g.b) + g.c, lambda g: g.a + (g.b + g.c)),
    "sign matters": (lambda g: g.x, lambda g: -g.x),
    "variables differ": (lambda g: g.x, lambda g: g.y),
}


@pytest.mark.parametrize(("left", "right"), KEPT.values(), ids=KEPT)
def test_what_stays_apart(g, left, right):
    assert not same(left(g), right(g))


def test_a_near_zero_is_not_folded(g):
    assert not same(g.x * (1 + Fraction(1, 10**30)), g.x)
    assert not same(g.x + Fraction(1, 10**30), g.x)


@pytest.mark.parametrize("divisor", [lambda g: g.zero, lambda g: g.x - g.x])
def test_division_by_the_constant_zero(g, divisor):
    with pytest.raises(ZeroDivisionError):
        g.x / divisor(g)


def test_root_of_a_negative_constant(g):
    with pytest.raises(ValueError, match="negative"):
        g.graph.sqrt(-g.one)


@pytest.mark.parametrize("turns", range(-4, 5))
def test_quarter_turns_of_the_joint_offset_are_free(turns):
    graph = Graph()
    c, s = graph.cos_sin(0, Exact.of(0))
    nodes = len(graph.nodes)
    turned = graph.cos_sin(0, turns * PI / 2)
    assert len(graph.nodes) == nodes
    expected = {0: (c, s), 1: (-s, c), 2: (-c, -s), 3: (s, -c)}[turns % 4]
    assert all(same(left, right) for left, right in zip(turned, expected, strict=True))


def test_other_offsets_cost_one_addition():
    graph = Graph()
    graph.cos_sin(0, PI / 4)
    assert sum(node.op in (Op.ADD, Op.SUB) for node in graph.nodes) == 1
    nodes = len(graph.nodes)
    graph.cos_sin(0, PI / 4 - PI / 2)
    assert len(graph.nodes) == nodes


# labels ---------------------------------------------------------------------------------------------------


def test_the_first_label_stays_and_leaves_have_none():
    graph = Graph()
    x, y = graph.variable("q", 0), graph.variable("q", 1)
    first = graph.define("w", x + y)
    graph.define("late", x + y)
    graph.define("w", x - y)
    graph.define("leaf", x)
    graph.define("five", graph.constant(5))
    assert graph.labels == {first.node: ("w", 1)}


def test_the_label_of_a_negative_says_so_once():
    graph = Graph()
    x, y = graph.variable("q", 0), graph.variable("q", 1)
    graph.define("w", -(x * y))
    program = graph.program(INPUTS, [(OUTPUT, [x * y, x * y + 1, x, y])])
    label = "w_neg"
    for _ in range(3):
        (product,) = (i for i in program.instructions if i.op is Op.MUL)
        assert product.label == label
        again = Graph()
        values = again.load(program)
        program = again.program(
            program.inputs, [(array, [values[e] for e in entries]) for array, entries in program.outputs]
        )


def test_negatives_of_negatives_have_the_plain_label():
    graph = Graph()
    x, y = graph.variable("q", 0), graph.variable("q", 1)
    graph.define("w_neg", -(x * y))
    program = graph.program(INPUTS, [(OUTPUT, [x * y, x * y + 1, x, y])])
    assert [i.label for i in program.instructions if i.op is Op.MUL] == ["w"]


# programs -------------------------------------------------------------------------------------------------


@given(tapes())
def test_programs_compute_what_the_formulas_do(tape):
    program = program_of(tape)
    validate(program)
    for seed, found in zip(SEEDS, fingerprint(program), strict=True):
        field = PrimeField(seed=seed)
        assert found == tuple(element.value for element in run(tape, field))


@given(tapes(max_steps=12))
def test_the_interpreter_computes_the_numbers_of_the_formulas(tape):
    arrays = inputs()
    expected = run(tape, Floats(arrays, PARAMETERS))
    scale = max(map(abs, expected))
    assume(scale < 1e6)
    found = evaluate(program_of(tape), arrays, PARAMETERS)["y"]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * (1 + scale))


@given(tapes(max_steps=10))
def test_the_interpreter_broadcasts(tape):
    program = program_of(tape)
    arrays = inputs(batch=(3, 1))
    arrays["qd"] = inputs(1, batch=(2,))["qd"]
    found = evaluate(program, arrays, PARAMETERS)["y"]
    assert found.shape == (3, 2, 4)
    for i in range(3):
        for j in range(2):
            one = evaluate(program, {"q": arrays["q"][i, 0], "qd": arrays["qd"][j]}, PARAMETERS)["y"]
            np.testing.assert_array_equal(found[i, j], one)


@given(tapes())
def test_zero_and_one_never_enter(tape):
    program = program_of(tape)
    trivial = {index for index, i in enumerate(program.instructions) if i.value in (0, 1, -1)}
    for instruction in program.instructions:
        if instruction.op in (Op.MUL, Op.DIV):
            assert instruction.args[-1] not in trivial
    zero = {index for index, i in enumerate(program.instructions) if i.value == 0}
    assert not zero & {arg for i in program.instructions for arg in i.args}


@given(tapes())
def test_nothing_is_computed_twice(tape):
    instructions = [i._replace(label=None) for i in program_of(tape).instructions]
    keys = [(i.op, i.args, i.value, i.name, i.entry) for i in instructions if i.op is not Op.NEG]
    assert len(keys) == len(set(keys))


@given(tapes())
def test_building_again_changes_nothing_but_names(tape):
    program = program_of(tape)
    graph = Graph()
    values = graph.load(program)
    outputs = [(array, [values[entry] for entry in entries]) for array, entries in program.outputs]
    again = graph.program(program.inputs, outputs)
    assert count(again) == count(program)
    assert fingerprint(again) == fingerprint(program)


_SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
from random_programs import program_of, seeded_tape
from symgen.passes.pipeline import optimise
for seed in range(20):
    program, steps = optimise(program_of(seeded_tape(seed)))
    print(program.instructions, program.outputs, steps)
"""


def test_programs_do_not_depend_on_the_hash_seed(request):
    script = _SCRIPT.format(folder=str(request.config.rootpath / "tests"))
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "271828")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 1000


def test_operands_of_other_kinds():
    graph = Graph()
    x = graph.variable("q", 0)
    array = x * np.array([graph.constant(2), x], dtype=object)
    assert same(array[0], 2 * x)
    with pytest.raises(TypeError):
        x + 0.5  # a float is not exact
    with pytest.raises(TypeError):
        "q" * x


@given(tapes(), tapes(), tapes())
def test_a_rewound_graph_is_what_it_was(first, second, third):
    """What was made in between leaves no trace in what is made afterwards, constants and names included."""
    used, fresh = Graph(), Graph()
    for graph in (used, fresh):
        run(first, graph)
    extent = used.extent
    run(second, used)
    used.rewind(extent)
    programs = [graph.program(INPUTS, [(OUTPUT, run(third, graph))]) for graph in (used, fresh)]
    assert programs[0] == programs[1]
