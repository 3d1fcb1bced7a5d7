"""What factoring, sharing, recomputing and rescaling save: small programs, and how many operations are left."""

import pytest
from random_programs import INPUTS

from symgen.passes.common_subexpressions import share
from symgen.passes.factor import factor
from symgen.passes.pipeline import optimise
from symgen.passes.recompute import recompute
from symgen.passes.rescale import rescale
from symgen.program.counts import Counts, count
from symgen.program.fingerprint import fingerprint
from symgen.program.graph import Graph
from symgen.program.program import Array


def program(make):
    graph = Graph()
    a, b, c, d, e = (graph.variable(array.name, k) for array in INPUTS for k in range(array.size))
    outputs = make(graph, a, b, c, d, e)
    return graph.program(INPUTS, [(Array("y", (len(outputs),)), outputs)])


FACTORED = {
    "common factor": (lambda g, a, b, c, d, e: [a * b + a * c], Counts(mul=1, add=1)),
    "three terms": (lambda g, a, b, c, d, e: [a * b + a * c - a * d], Counts(mul=1, add=2)),
    "numbers of equal size": (lambda g, a, b, c, d, e: [3 * a - 3 * b], Counts(mul=1, add=1)),
    "numbers and factors": (lambda g, a, b, c, d, e: [2 * (a * b) + 2 * (a * c)], Counts(mul=2, add=1)),
    "nested": (lambda g, a, b, c, d, e: [a * b * c + a * b * d + a * e], Counts(mul=2, add=2)),
    "a factor alone": (lambda g, a, b, c, d, e: [a * b + a], Counts(mul=1, add=1)),
    "terms that cancel": (lambda g, a, b, c, d, e: [(a * b + c) - a * b], Counts()),
    "parameters": (
        lambda g, a, b, c, d, e: [g.parameter("m") * a + g.parameter("m") * b],
        Counts(mul=1, add=1),
    ),
    "nothing in common": (lambda g, a, b, c, d, e: [a * b + c * d], Counts(mul=2, add=1)),
    "shared values stay": (lambda g, a, b, c, d, e: [a * b + a * c, a * b, a * c], Counts(mul=2, add=1)),
}


@pytest.mark.parametrize(("make", "left"), FACTORED.values(), ids=FACTORED)
def test_factor(make, left):
    before = program(make)
    after = factor(before)
    assert count(after) == left
    assert fingerprint(after) == fingerprint(before)


SHARED = {
    "a pair in two sums": (lambda g, a, b, c, d, e: [(a + b) + c, (a + d) + b], Counts(add=3)),
    "a difference": (lambda g, a, b, c, d, e: [(a - b) + c, (d + b) - a], Counts(add=3)),
    "a pair in two products": (lambda g, a, b, c, d, e: [(a * b) * c, (a * d) * b], Counts(mul=3)),
    "three sums": (lambda g, a, b, c, d, e: [(a + c) + b, (a + d) + b, (a + e) + b], Counts(add=4)),
    "nothing recurs": (lambda g, a, b, c, d, e: [(a + b) + c, (a + d) + e], Counts(add=4)),
}


@pytest.mark.parametrize(("make", "left"), SHARED.values(), ids=SHARED)
def test_share(make, left):
    before = program(make)
    after = share(before)
    assert count(after) == left
    assert fingerprint(after) == fingerprint(before)


RECOMPUTED = {
    "a product that is a difference of others": (
        lambda g, a, b, c, d, e: [a * b + a * c, a * b, (b + c) * a * d],
        Counts(mul=3, add=1),
    ),
    "one minus a square": (
        lambda g, a, b, c, d, e: [
            (g.cos(a) * g.cos(a)) * b,
            b - (g.cos(a) * g.cos(a)) * b,
            g.sin(a) * g.sin(a) * b,
        ],
        Counts(mul=2, add=1, trig=1),
    ),
    "nothing to save": (lambda g, a, b, c, d, e: [a * b, c + d], Counts(mul=1, add=1)),
}


@pytest.mark.parametrize(("make", "left"), RECOMPUTED.values(), ids=RECOMPUTED)
def test_recompute(make, left):
    before = program(make)
    after, _ = optimise(recompute(before))
    found = count(after)
    assert (found.mul, found.add, found.trig) == (left.mul, left.add, left.trig)
    assert fingerprint(after) == fingerprint(before)


RESCALED = {
    "a sum between multiples": (lambda g, a, b, c, d, e: [5 * (3 * (a * b) + 2 * (c * d))], Counts(mul=4, add=1)),
    "factors alike": (lambda g, a, b, c, d, e: [5 * (3 * (a * b) + 3 * (c * d)) * e], Counts(mul=4, add=1)),
    "a sum with a number": (lambda g, a, b, c, d, e: [5 * (3 * (a * b) + 1) * c], Counts(mul=3, add=1)),
    "a quotient": (lambda g, a, b, c, d, e: [5 * ((3 * (a * b) + 2 * (c * d)) / (d + 1))], Counts(4, 2, div=1)),
    "through two sums": (
        lambda g, a, b, c, d, e: [7 * (3 * (a * b) + 3 * (c * d) + (3 * (a * d) + 3 * (b * c)) * e)],
        Counts(mul=6, add=3),
    ),
    "parameters take up any unit": (
        lambda g, a, b, c, d, e: [g.parameter(name) * (3 * (a * b) + 2 * (c * d)) for name in ("m", "k")],
        Counts(mul=5, add=1, hoisted=2),
    ),
    "outputs keep theirs": (lambda g, a, b, c, d, e: [3 * (a * b) + c * d], Counts(mul=3, add=1)),
    "inputs keep theirs": (lambda g, a, b, c, d, e: [5 * (a + 3 * b)], Counts(mul=2, add=1)),
    "angles keep theirs": (lambda g, a, b, c, d, e: [g.sin(3 * (a * b) + 2 * (c * d))], Counts(4, 1, trig=1)),
}


@pytest.mark.parametrize(("make", "left"), RESCALED.values(), ids=RESCALED)
def test_rescale(make, left):
    before = program(make)
    after = rescale(before)
    assert count(after) == left
    assert fingerprint(after) == fingerprint(before)


def test_rescaled_values_say_so():
    def make(graph, a, b, c, d, e):
        value = graph.define("f3_x", 3 * (a * b) + 3 * (c * d))
        opposite = graph.define("n3_x", -(3 * (a * d) + 3 * (c * b)))
        return [5 * value + 7 * opposite * e]

    labels = {instruction.label for instruction in rescale(program(make)).instructions} - {None}
    assert labels == {"f3_x_scaled", "n3_x_scaled_neg"}
