"""Batches on several threads: the same results, wherever the states are cut."""

import os
import threading

import numpy as np
import pytest
import toy_module

from symgen.build.callables import bind, bind_loops
from symgen.build.extension import build_extension, build_library
from symgen.build.loading import load_extension
from symgen.build.threads import LONG, get_threads, in_threads, set_threads, work_of
from symgen.emit.binding import emit_binding, emit_loops
from symgen.errors import InputError

MANY = 4103
ARGUMENTS = {"inverse_dynamics": 3, "inertia_matrix": 1, "udu_factors": 2, "kinetic_energy": 2, "energies": 1}


@pytest.fixture(scope="module", params=["extension", "loops"])
def functions(request):
    module, sources = toy_module.MODULE, toy_module.sources()
    if request.param == "loops":
        return bind_loops(module, build_library("toy", sources, emit_loops(module)))
    return bind(module, load_extension(build_extension("toy", sources, emit_binding(module))))


@pytest.fixture(autouse=True)
def _few_states_are_many(monkeypatch):
    monkeypatch.setattr("symgen.build.threads.LONG", 1)
    yield
    set_threads(1)


def results(function, *arrays, **keywords):
    found = function(*arrays, **keywords)
    return [np.array(each) for each in (found if isinstance(found, tuple) else (found,))]


def both_ways(function, *arrays):
    """The results on one thread and on three."""
    set_threads(1)
    expected = results(function, *arrays)
    set_threads(3)
    return expected, results(function, *arrays)


@pytest.mark.parametrize("name", ARGUMENTS)
@pytest.mark.parametrize("batch", [(MANY,), (3, MANY // 3 + 9), (MANY // 2 + 3, 2), (1, MANY, 1)], ids=str)
def test_results_are_those_of_one_thread(functions, name, batch):
    arrays = np.random.default_rng(1).uniform(0.5, 3, (ARGUMENTS[name], *batch, toy_module.SIZE))
    for one, other in zip(*both_ways(functions[name], *arrays), strict=True):
        np.testing.assert_array_equal(one, other)


def test_inputs_that_are_broadcast(functions):
    chance = np.random.default_rng(2)
    q, qd, qdd = (chance.uniform(0.5, 3, shape) for shape in ((2, MANY, 6), (6,), (2, 1, 6)))
    for one, other in zip(*both_ways(functions["inverse_dynamics"], q, qd, qdd), strict=True):
        np.testing.assert_array_equal(one, other)


def test_given_outputs_are_filled(functions):
    q, qd = np.random.default_rng(3).uniform(0.5, 3, (2, MANY, 6))
    expected = results(functions["udu_factors"], q, qd)
    set_threads(2)
    out = (np.empty((MANY, 36)).reshape(MANY, 6, 6), np.empty((6, MANY)).T)
    assert functions["udu_factors"](q, qd, out=out)[1] is out[1]
    np.testing.assert_array_equal(out[0], expected[0])
    np.testing.assert_array_equal(out[1], expected[1])


def test_outputs_that_overlap_inputs(functions):
    rows = np.random.default_rng(4).uniform(0.5, 3, (MANY + 1, 6))
    expected = results(functions["inverse_dynamics"], rows[1:].copy(), rows[1:].copy(), rows[1:].copy())[0]
    set_threads(2)
    functions["inverse_dynamics"](rows[1:], rows[1:], rows[1:], out=rows[:-1])
    np.testing.assert_array_equal(rows[:-1], expected)


def test_several_callers_at_once(functions):
    q = np.random.default_rng(5).uniform(0.5, 3, (4, MANY, 6))
    expected = [results(functions["inertia_matrix"], each)[0] for each in q]
    set_threads(2)
    found = [None] * 4

    def call(k):
        found[k] = results(functions["inertia_matrix"], q[k])[0]

    callers = [threading.Thread(target=call, args=(k,)) for k in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(functions):
    q = np.ones((MANY, 6))
    set_threads(2)
    expected = results(functions["inertia_matrix"], q)[0].sum()
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.write(writing, str(results(functions["inertia_matrix"], q)[0].sum()).encode())
        os._exit(0)
    assert float(os.read(reading, 100)) == expected
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("real", ["float64", "float32"])
def test_work_decides_what_is_cut(real, monkeypatch):
    """Short batches stay whole; of long ones every state is computed once, and pieces begin at whole vectors."""
    monkeypatch.setattr("symgen.build.threads.LONG", LONG)
    found = []

    def kernel(q, *, out):
        found.append((int(q[0, 0]), len(q)))
        return out[0]

    function = toy_module.MODULE.function("inertia_matrix")
    threaded = in_threads(function, kernel, np.dtype(real))
    set_threads(3)
    least = -(-LONG // (work_of(function) * np.dtype(real).itemsize))
    for count in (1, least - 1, least):
        found.clear()
        q = np.broadcast_to(np.arange(count)[:, None], (count, 6))
        threaded(q, out=(np.broadcast_to(np.zeros(1, dtype=real), (count, 6, 6)),))
        assert len(found) == (1 if count < least else 6)
        ends = [0, *(start + length for start, length in sorted(found))]
        assert [start for start, _ in sorted(found)] == ends[:-1]
        assert ends[-1] == count
        assert all(start % 64 == 0 for start, _ in found)


@pytest.mark.parametrize("count", [0, -1, 1.5, "2", True])
def test_numbers_that_are_none(count):
    with pytest.raises(InputError, match="from 1 on"):
        set_threads(count)
    assert get_threads() == 1


def test_none_is_all():
    set_threads()
    assert get_threads() >= 1
