"""Every pass keeps the function, costs nothing, and leaves its input alone."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from random_programs import INPUTS, PARAMETERS, inputs, program_of, seeded_tape, tapes

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import PI
from symgen.algebra.roots import sqrt
from symgen.errors import InternalError
from symgen.passes.balance import CYCLES, balance
from symgen.passes.cancel import cancel, collect
from symgen.passes.common_subexpressions import share
from symgen.passes.factor import factor
from symgen.passes.pipeline import QUICK_GROUPS, Group, optimise
from symgen.passes.rebuild import finished
from symgen.passes.recompute import recompute
from symgen.passes.value_numbering import merge
from symgen.program.counts import Counts, count
from symgen.program.fingerprint import fingerprint
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array, Op, validate

PASSES = {
    "cancel": cancel,
    "collect": collect,
    "balance": balance,
    "merge": merge,
    "factor": factor,
    "share": share,
    "recompute": recompute,
}
CHEAP = ("add", "sub", "neg", "twice", "mul")


def cosine(angle):
    return cos_sin(angle)[0]


def outputs_program(make):
    graph = Graph()
    a, b, c, d, e = (graph.variable(array.name, k) for array in INPUTS for k in range(array.size))
    outputs = make(graph, a, b, c, d, e)
    return graph.program(INPUTS, [(Array("y", (len(outputs),)), outputs)])


@pytest.mark.parametrize("step", PASSES.values(), ids=PASSES)
@given(tape=st.one_of(tapes(), tapes(CHEAP)))
def test_passes_keep_the_function(step, tape):
    program = program_of(tape)
    saved = replace(program, instructions=tuple(program.instructions))
    result = step(program)
    validate(result)
    assert fingerprint(result) == fingerprint(program)
    assert result.inputs == program.inputs
    assert program == saved
    assert step(program) == result


@given(tape=st.one_of(tapes(), tapes(CHEAP)))
def test_the_pipeline_keeps_values_and_never_costs(tape):
    program = program_of(tape)
    best, steps = optimise(program)
    totals = [step.counts.total + 3 * step.counts.div for step in steps]
    assert totals == sorted(totals, reverse=True)
    assert steps[0].counts == count(program)
    assert steps[-1].counts == count(best)
    arrays = inputs(batch=(2,))
    expected, found = (evaluate(p, arrays, PARAMETERS)["y"] for p in (program, best))
    scale = np.abs(expected).max()
    assume(scale < 1e6)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * (1 + scale))


@given(tapes())
def test_programs_are_built_so_that_building_them_anew_saves_nothing(tape):
    program, graph = program_of(tape), Graph()
    assert count(finished(graph, program, graph.load(program))) == count(program)


@pytest.mark.parametrize("seed", range(5))
def test_optimising_twice_costs_no_more(seed):
    once, _ = optimise(program_of(seeded_tape(seed)))
    twice, _ = optimise(once)
    assert count(twice).total <= count(once).total


# what single passes find ------------------------------------------------------------------------------------

MERGED = {
    "association": lambda g, a, b, c, d, e: [(a + b) + c, a + (c + b)],
    "association and sign": lambda g, a, b, c, d, e: [(a - b) - c, (c + b) - a],
    "products": lambda g, a, b, c, d, e: [(a * b) * c, a * (c * b)],
    "distribution": lambda g, a, b, c, d, e: [a * (b + c), a * b + a * c],
    "squares": lambda g, a, b, c, d, e: [(a - b) * (a + b), a * a - b * b],
    "circle": lambda g, a, b, c, d, e: [(1 - g.sin(a) * g.sin(a)) * b, g.cos(a) * g.cos(a) * b],
    "angle sum": lambda g, a, b, c, d, e: [g.sin(a + b), g.sin(a) * g.cos(b) + g.cos(a) * g.sin(b)],
    "double angle": lambda g, a, b, c, d, e: [g.cos(2 * a), 1 - 2 * (g.sin(a) * g.sin(a))],
    "offset": lambda g, a, b, c, d, e: [g.cos(a + PI / 3) * 2, g.cos(a) - sqrt(3) * g.sin(a)],
    "fractions": lambda g, a, b, c, d, e: [(a / b) / c, a / (b * c)],
    "parameters": lambda g, a, b, c, d, e: [
        g.parameter("m") * a + g.parameter("k") * a,
        (g.parameter("k") + g.parameter("m")) * a,
    ],
    "roots": lambda g, a, b, c, d, e: [g.sqrt((a + b) + c), g.sqrt(a + (b + c))],
}


@pytest.mark.parametrize("make", MERGED.values(), ids=MERGED)
def test_merge_finds_equal_values(make):
    program = outputs_program(make)
    (_, (first, second)) = program.outputs[0]
    assert first != second
    result = merge(program)
    (_, entries) = result.outputs[0]
    nodes = {result.instructions[e].args[0] if result.instructions[e].op is Op.NEG else e for e in entries}
    assert len(nodes) == 1
    assert count(result).total < count(program).total
    assert fingerprint(result) == fingerprint(program)


CONSTANT = {
    "zero": (lambda g, a, b, c, d, e: [(a + b) * (a - b) - (a * a - b * b) + c], Counts()),
    "one": (lambda g, a, b, c, d, e: [(g.sin(a) * g.sin(a) + g.cos(a) * g.cos(a)) * c], Counts()),
    "minus one": (
        lambda g, a, b, c, d, e: [(g.sin(a) * g.sin(a) + g.cos(a) * g.cos(a) - 2) * (b - c)],
        Counts(add=1),
    ),
    "cosines of fixed angles": (
        lambda g, a, b, c, d, e: [(cosine(PI / 18) - cosine(7 * PI / 18)) * a - cosine(5 * PI / 18) * a + b],
        Counts(),
    ),
}


@pytest.mark.parametrize(("make", "left"), CONSTANT.values(), ids=CONSTANT)
def test_merge_removes_constants(make, left):
    assert count(merge(outputs_program(make))) == left


DISTINCT = {
    "near": lambda g, a, b, c, d, e: [a * b, a * b * (1 + Fraction(1, 10**40))],
    "opposite angles": lambda g, a, b, c, d, e: [g.sin(a + b), g.sin(a - b)],
    "roots": lambda g, a, b, c, d, e: [g.sqrt(a), g.sqrt(b)],
    "half angle": lambda g, a, b, c, d, e: [g.sin(a / 2), g.sin(a)],
}


@pytest.mark.parametrize("make", DISTINCT.values(), ids=DISTINCT)
def test_merge_keeps_what_differs(make):
    result = merge(outputs_program(make))
    assert len(set(result.outputs[0][1])) == 2


CANCELLED = {
    "across one level": (lambda g, a, b, c, d, e: [((a + b) + c) - (b + d)], Counts(add=2)),
    "across two levels": (lambda g, a, b, c, d, e: [(((a + b) + c) + d) - b], Counts(add=2)),
    "multiples": (lambda g, a, b, c, d, e: [((2 * a + b) + c) - (a + b)], Counts(add=1)),
    "everything": (lambda g, a, b, c, d, e: [((a + b) + c) - (a + (b + c))], Counts()),
    "shared sums stay": (lambda g, a, b, c, d, e: [((a + b) + c) - (b + d), (a + b) + c, b + d], Counts(add=4)),
}


@pytest.mark.parametrize(("make", "left"), CANCELLED.values(), ids=CANCELLED)
def test_cancel(make, left):
    program = outputs_program(make)
    result = cancel(program)
    assert count(result) == left
    assert fingerprint(result) == fingerprint(program)


COLLECTED = {
    "across one level": (lambda g, a, b, c, d, e: [(2 + a * b) + (c - 3)], Counts(mul=1, add=2)),
    "across two levels": (lambda g, a, b, c, d, e: [((2 + a) + b) + (1 - c)], Counts(add=3)),
    "to nothing": (lambda g, a, b, c, d, e: [(2 + a) - (2 - b)], Counts(add=1)),
    "in a shared sum": (lambda g, a, b, c, d, e: [(2 + a) + b, ((2 + a) + c) - 1], Counts(add=4)),
    "none": (lambda g, a, b, c, d, e: [(2 + a) - b], Counts(add=2)),
}


@pytest.mark.parametrize(("make", "left"), COLLECTED.values(), ids=COLLECTED)
def test_collect(make, left):
    program = outputs_program(make)
    result = collect(program)
    assert count(result) == left
    assert fingerprint(result) == fingerprint(program)


def path(program):
    """Cycles on the longest path."""
    known = []
    for instruction in program.instructions:
        known.append(max((known[arg] for arg in instruction.args), default=0) + CYCLES.get(instruction.op, 0))
    return max(known)


BALANCED = {
    "what is late comes last": (lambda g, a, b, c, d, e: [((a * b * c * d + e) - a) - b], 24, 16),
    "with its sign": (lambda g, a, b, c, d, e: [a - ((b - a * b * c * d) - e)], 24, 16),
    "signs alike": (lambda g, a, b, c, d, e: [((a - b * c * d * e) - b) - c], 24, 16),
    "in a product": (lambda g, a, b, c, d, e: [a * (((b * c) * d + a) + e)], 20, 16),
    "what is shared stays": (lambda g, a, b, c, d, e: [(a * b * c + d) + e, (a * b * c + d) * 3], 16, 16),
    "numbers meet": (lambda g, a, b, c, d, e: [(2 + a * b) + (c - 3)], 12, 8),
}


@pytest.mark.parametrize(("make", "before", "after"), BALANCED.values(), ids=BALANCED)
def test_balance(make, before, after):
    program = outputs_program(make)
    result = balance(program)
    assert (path(program), path(result)) == (before, after)
    assert count(result).total <= count(program).total
    assert fingerprint(result) == fingerprint(program)


def test_balance_keeps_what_has_a_name_and_adds_parameters_first():
    graph = Graph()
    a, b = (graph.variable("q", k) for k in range(2))
    named = graph.define("w", (graph.parameter("m") * a + b) + graph.parameter("k"))
    program = graph.program(INPUTS, [(Array("y", (1,)), [((named + graph.parameter("m")) + a) + graph.parameter("k")])])
    result = balance(program)
    assert [i.label for i in result.instructions if i.label] == ["w"]
    assert count(program) == Counts(mul=1, add=5)
    assert count(result) == Counts(mul=1, add=4, hoisted=1)


def test_cancel_keeps_labels():
    graph = Graph()
    a, b = (graph.variable("q", k) for k in range(2))
    c, d = (graph.variable("qd", k) for k in range(2))
    result = graph.define("w", ((a + b) + c) - (b + d))
    program = graph.program(INPUTS, [(Array("y", (1,)), [result * result])])
    assert [i.label for i in cancel(program).instructions if i.label] == ["w"]


# the pipeline's guard -------------------------------------------------------------------------------------

PROGRAM = outputs_program(lambda g, a, b, c, d, e: [a * b + c, d - e])


def _twice(program):
    graph = Graph()
    values = graph.load(program)
    return graph.program(
        program.inputs, [(array, [2 * values[entry] for entry in entries]) for array, entries in program.outputs]
    )


def _dead(program):
    return replace(program, instructions=(*program.instructions, program.instructions[0]))


def _forward_reference(program):
    last = program.instructions[-1]._replace(args=(0, len(program.instructions)))
    return replace(program, instructions=(*program.instructions[:-1], last))


def _no_outputs(program):
    return replace(program, outputs=tuple((array, entries[:-1]) for array, entries in program.outputs))


def _swapped(program):
    return replace(program, outputs=tuple((array, entries[::-1]) for array, entries in program.outputs))


def _renamed(program):
    return replace(program, outputs=tuple((Array("z", array.shape), entries) for array, entries in program.outputs))


def _more_inputs(program):
    return replace(program, inputs=(*program.inputs, Array("tau", (2,))))


WRONG = {
    "another function": (_twice, "changed the function"),
    "swapped outputs": (_swapped, "changed the function"),
    "renamed output": (_renamed, "changed the function"),
    "more inputs": (_more_inputs, "changed the function"),
    "dead code": (_dead, "invalid program"),
    "forward reference": (_forward_reference, "invalid program"),
    "missing output": (_no_outputs, "invalid program"),
}


@pytest.mark.parametrize(("step", "message"), WRONG.values(), ids=WRONG)
def test_the_pipeline_refuses_a_wrong_pass(step, message):
    with pytest.raises(InternalError, match=f"'bad'.*{message}"):
        optimise(PROGRAM, (Group("bad", (step,)),))


def test_the_pipeline_refuses_an_invalid_program():
    with pytest.raises(InternalError, match="never used"):
        optimise(_dead(PROGRAM))


def _detour(program):
    """The same function with one addition more."""
    graph = Graph()
    values = graph.load(program)
    angle = graph.variable("q", 0)
    one = graph.sin(angle) * graph.sin(angle) + graph.cos(angle) * graph.cos(angle)
    return graph.program(
        program.inputs, [(array, [values[entry] * one for entry in entries]) for array, entries in program.outputs]
    )


def test_a_group_that_costs_more_is_left_out_and_reported():
    best, steps = optimise(PROGRAM, (Group("detour", (_detour,)), *QUICK_GROUPS), ())
    assert [(step.group, step.taken) for step in steps] == [
        ("derived", True),
        ("detour", False),
        ("cancel", True),
        ("merge", True),
        ("collect", True),
        ("balance", True),
    ]
    assert count(best) == count(PROGRAM)
    assert steps[1].counts == count(PROGRAM)


def test_a_pass_is_not_run_again_on_what_it_left_as_it_is():
    met = []

    def idle(program):
        met.append(program)
        return program

    groups = (Group("idle", (idle,)), Group("work", (merge,)), Group("idle again", (idle, idle)))
    _, steps = optimise(PROGRAM, groups, groups)
    assert len(met) == len(set(map(id, met))) < len([step for step in steps if "idle" in step.group])


def test_a_group_may_cost_in_between():
    _, steps = optimise(PROGRAM, (Group("there and back", (_detour, merge)),), ())
    assert steps[1].taken
    assert steps[1].counts == count(PROGRAM)


@pytest.mark.parametrize("number", [5, 7, 11, 13])
def test_square_roots_that_cancel_do_not_change_the_function(number):
    root = sqrt(number)
    program = outputs_program(lambda g, a, b, c, d, e: [((root * a + b) + c) - root * a + d])
    best, _ = optimise(program)
    assert count(best).add == 2
    assert count(best).mul == 0


def test_division_by_what_is_zero_everywhere():
    with pytest.raises(ZeroDivisionError, match="identically zero"):
        optimise(outputs_program(lambda g, a, b, c, d, e: [c / ((a + b) * (a - b) - (a * a - b * b))]))
