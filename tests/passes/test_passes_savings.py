"""What factoring, sharing and recomputing save: small programs, and how many operations are left."""

import pytest
from random_programs import INPUTS

from symgen.passes.factor import factor
from symgen.passes.pipeline import optimise
from symgen.passes.recompute import recompute
from symgen.passes.share import share
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
