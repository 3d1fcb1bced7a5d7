"""What passes do in long programs: they keep the function, cost nothing, and work in proportion to the length."""

from collections import Counter
from itertools import combinations

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_programs import program_of, seeded_tape

from symgen.passes import likely
from symgen.passes.common_subexpressions import drawn_pairs, share
from symgen.passes.factor import MAX_TERMS, factor
from symgen.passes.kernel import kernel
from symgen.passes.pipeline import GROUPS, LATE_GROUPS, optimise
from symgen.passes.recompute import _Relations, recompute
from symgen.program.counts import count
from symgen.program.fingerprint import fingerprint
from symgen.program.graph import Graph
from symgen.program.program import Array, validate

CHEAP = ("add", "sub", "mul", "twice")
LONG_IN = ("common_subexpressions", "factor", "pipeline", "value_numbering")


@pytest.fixture(params=[20, 10**9], ids=["worthwhile", "everything"])
def all_are_long(request, monkeypatch):
    """Every program counts as long; a pass must rewrite one instruction in twenty, or any."""
    for module in LONG_IN:
        monkeypatch.setattr(f"symgen.passes.{module}.LONG", 0)
    monkeypatch.setattr(likely, "SHORT", 0)
    monkeypatch.setattr("symgen.passes.rebuild.LONG", request.param)


@pytest.mark.usefixtures("all_are_long")
@pytest.mark.parametrize("seed", range(6))
def test_long_programs_keep_their_function_through_every_pass(seed):
    program = program_of(seeded_tape(seed, CHEAP if seed % 2 else (*CHEAP, "div", "define"), steps=150))
    for group in (*GROUPS, *LATE_GROUPS):
        for step in group.passes:
            result = step(program)
            validate(result)
            assert fingerprint(result) == fingerprint(program)
    best, steps = optimise(program)
    weights = [step.counts.weight for step in steps]
    assert weights == sorted(weights, reverse=True)
    assert count(best).weight == weights[-1]


@pytest.mark.usefixtures("all_are_long")
def test_long_programs_gain():
    """Products with a common factor, pairs in several sums, and a value that others make."""
    graph = Graph()
    a, b, c, d = (graph.variable("q", k) for k in range(4))
    outputs = [a * b + a * c, (a + b) + d, (a + c) + b, (a + b) * (c + d), a * c + b * c + (a * d + b * d)]
    program = graph.program([Array("q", (4,))], [(Array("y", (5,)), outputs)])
    best, _ = optimise(program)
    assert count(best).total < count(program).total - 4


# pairs that recur ----------------------------------------------------------------------------------

OPERANDS = st.lists(st.tuples(st.integers(0, 6), st.sampled_from((1, -1))), min_size=3, max_size=6)
CHAINS = st.lists(OPERANDS.map(lambda chain: list(dict(chain).items())), max_size=8)


def recounted_pairs(chains, count):
    """The pairs, all of them counted anew after each: the definition."""
    drawn = []
    while True:
        times = Counter(pair for chain in chains for pair in signed_pairs(chain))
        number, pair = min(((-number, pair) for pair, number in times.items()), default=(0, None))
        if number > -2:
            return drawn
        first, second, product = pair
        for chain in chains:
            signs = dict(chain)
            if first in signs and signs.get(second, 0) * signs[first] == product:
                chain[:] = [item for item in chain if item[0] not in (first, second)]
                chain.append((count + len(drawn), signs[first]))
        drawn.append(((first, 1), (second, product)))


def signed_pairs(chain):
    return [(a, b, x * y) for (a, x), (b, y) in combinations(sorted(chain), 2)]


@given(CHAINS)
def test_pairs_are_those_of_counting_anew(chains):
    kept, counted = ([list(chain) for chain in chains] for _ in range(2))
    assert drawn_pairs(kept, 7) == recounted_pairs(counted, 7)
    assert kept == counted


# kernels -------------------------------------------------------------------------------------------

ROWS = st.lists(st.dictionaries(st.integers(0, 7), st.sampled_from((-2, -1, 1, 3)), max_size=3), max_size=8)


@given(ROWS)
def test_kernels_are_those_of_the_reduced_matrix(rows):
    matrix = flint.fmpq_mat(len(rows) + 1, 8)
    for place, row in enumerate(rows):
        for column, entry in row.items():
            matrix[place, column] = entry
    _, rank = matrix.rref()
    found = kernel(rows, 8)
    assert len(found) == 8 - rank
    last = [max(vector) for vector in found]
    assert last == sorted(set(last))
    for vector in found:
        assert all(sum(entry * vector.get(column, 0) for column, entry in row.items()) == 0 for row in rows)
        assert not set(vector) & (set(last) - {max(vector)})


# work ----------------------------------------------------------------------------------------------


def examined(steps, monkeypatch):
    """Pairs of values that are looked at per instruction of a program of so many steps."""
    pairs = []
    related = likely._related
    monkeypatch.setattr(
        likely, "_related", lambda program: (pairs.append(len(t)) or (t, y) for t, y in related(program))
    )
    monkeypatch.setattr(likely, "SHORT", 0)
    monkeypatch.setattr(likely, "HUB_PAIRS", 0)
    program = program_of(seeded_tape(3, CHEAP, steps))
    recompute(program)
    monkeypatch.undo()
    return sum(pairs) / len(program.instructions)


def test_pairs_examined_grow_with_the_length_alone(monkeypatch):
    short, long = (examined(steps, monkeypatch) for steps in (400, 3200))
    assert 0 < long < 1.5 * short


def test_sums_of_very_many_terms_are_left_as_they_are():
    graph = Graph()
    x, y = (graph.variable("q", k) for k in range(2))
    total = x * y
    for k in range(20 * MAX_TERMS):
        total = total + (graph.constant(k + 2) + x) * y
    program = graph.program([Array("q", (2,))], [(Array("y", (1,)), [total])])
    for step in (factor, share):
        result = step(program)
        assert fingerprint(result) == fingerprint(program)
        assert count(program).mul - MAX_TERMS <= count(result).mul <= count(program).mul


@pytest.mark.parametrize("seed", range(8))
def test_related_values_show_nothing_that_all_pairs_do_not(seed, monkeypatch):
    program = program_of(seeded_tape(seed, CHEAP, steps=60))
    every = _Relations(program).found
    monkeypatch.setattr(likely, "SHORT", 0)
    some = _Relations(program).found
    assert some
    assert all(set(recipes) <= set(every[node]) for node, recipes in some.items())
