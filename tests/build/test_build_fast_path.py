"""The compiled callable: which calls go straight to C, and that it is a well-behaved object."""

import gc
import subprocess
import sys
import sysconfig
import threading
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import parameter_module as pendulum
import pytest
import toy_module as toy

from symgen.build.compiler import AMONG_FOREIGN_HEADERS, STRICT, find_compiler
from symgen.build.extension import has_python_headers
from symgen.build.loading import load_extension
from symgen.emit.binding import emit_binding, emit_loops

V = np.linspace(0.1, 0.6, toy.SIZE)


@pytest.fixture(scope="module")
def loaded(extension):
    return load_extension(extension)


@pytest.fixture
def slow_calls():
    return []


@pytest.fixture
def function(loaded, slow_calls):
    def slow(*args, **keywords):
        slow_calls.append((args, keywords))
        return "slow"

    return loaded.Function("inverse_dynamics", slow)


def test_plain_vectors_never_reach_python(function, slow_calls):
    np.testing.assert_allclose(function(V, V, V), toy.inverse_dynamics(V, V, V), rtol=1e-14)
    assert slow_calls == []


@pytest.mark.parametrize(
    ("args", "keywords"),
    [
        ((), {}),
        ((V, V), {}),
        ((V, V, V, V), {}),
        ((V, V), {"qdd": V}),
        ((V, V, V), {"out": None}),
        ((V, V, V[None]), {}),
        ((V, V, V[:5]), {}),
        ((V, V, V[::-1]), {}),
        ((V, V, V.astype(np.float32)), {}),
        ((V, V, V.astype(np.longdouble)), {}),
        ((V, V, V.astype(">f8")), {}),
        ((V, V, V.tolist()), {}),
        ((V, V, np.ma.masked_array(V)), {}),
        ((V, V, 0.0), {}),
        ((V, V, None), {}),
    ],
)
def test_all_other_calls_do(function, slow_calls, args, keywords):
    assert function(*args, **keywords) == "slow"
    assert slow_calls == [(args, keywords)]


def test_results_are_new_arrays(function):
    first = function(V, V, V)
    assert first.flags.owndata
    assert first.flags.writeable
    assert first is not function(V, V, V)


def test_scalar_results_are_scalars(compiled):
    assert type(compiled["kinetic_energy"](V, V)) is np.float64
    assert [type(value) for value in compiled["energies"](V)] == [np.float64, np.float64]


def test_wrapped(function):
    assert function(V, V) == function.__wrapped__(V, V) == "slow"
    with pytest.raises(AttributeError):
        function.__wrapped__ = None


def test_errors_of_the_slow_path_come_through(loaded):
    def slow():
        raise LookupError("slow")

    with pytest.raises(LookupError, match="slow"):
        loaded.Function("energies", slow)()


def test_construction(loaded):
    with pytest.raises(KeyError, match="toy has no function nothing"):
        loaded.Function("nothing", print)
    with pytest.raises(TypeError, match="slow must be callable, not int"):
        loaded.Function("energies", 3)
    with pytest.raises(TypeError):
        loaded.Function("energies")
    with pytest.raises(TypeError):
        loaded.Function.mark = 1


def test_cycles_are_collected(loaded):
    class Slow:
        def __call__(self):
            """Never called."""

    slow = Slow()
    function = loaded.Function("energies", slow)
    slow.back, function.self = function, function
    watch = weakref.ref(function)
    del slow, function
    gc.collect()
    assert watch() is None


def test_no_references_are_lost(compiled):
    def call():
        for name, count in (("inverse_dynamics", 3), ("udu_factors", 2), ("energies", 1)):
            compiled[name](*[V] * count)
            compiled[name](*[V] * count, out=None)
            with pytest.raises(ValueError, match="shape"):
                compiled[name](*[V[:2]] * count)

    function = compiled["inverse_dynamics"]
    call()
    before = [sys.getrefcount(thing) for thing in (V, function, function.__wrapped__, None.__class__)]
    for _ in range(100):
        call()
    assert before == [sys.getrefcount(thing) for thing in (V, function, function.__wrapped__, None.__class__)]


def test_memory_does_not_grow(compiled):
    one, several = compiled["inverse_dynamics"], compiled["udu_factors"]
    tracemalloc.start()
    try:
        for repeats in (1_000, 100_000):
            for _ in range(repeats):
                one(V, V, V)
                several(V, V)
            gc.collect()
            if repeats == 1_000:
                before = tracemalloc.get_traced_memory()[0]
        assert tracemalloc.get_traced_memory()[0] - before < 10_000
    finally:
        tracemalloc.stop()


def test_threads_agree_to_the_bit(compiled):
    arrays = np.random.default_rng(5).normal(size=(3, 400, toy.SIZE))
    expected = compiled["inverse_dynamics"](*arrays)

    def work(offset):
        for index in range(offset, offset + 400):
            item = [np.ascontiguousarray(array[index % 400]) for array in arrays]
            np.testing.assert_array_equal(compiled["inverse_dynamics"](*item), expected[index % 400])
        np.testing.assert_array_equal(compiled["inverse_dynamics"](*arrays), expected)
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(0, 400, 50)))


def test_batches_release_the_gil(compiled):
    """While one thread computes a long batch, another must be able to run Python."""
    batch = np.zeros((1_000_000, toy.SIZE))
    out = np.empty_like(batch)
    started, ticks = threading.Event(), []
    interval = sys.getswitchinterval()

    def work():
        started.set()
        compiled["inverse_dynamics"].ufunc(batch, batch, batch, out=out)

    thread = threading.Thread(target=work)
    sys.setswitchinterval(1e-5)
    try:
        thread.start()
        started.wait()
        while thread.is_alive():
            ticks.append(None)
    finally:
        sys.setswitchinterval(interval)
        thread.join()
    # With the GIL held for the whole batch this loop could turn a few times before and after it.
    assert len(ticks) > 1_000


MODULES = {
    "toy in doubles": (toy.MODULE, toy.sources()),
    "toy in floats": (toy.FLOAT_MODULE, toy.sources(real="float32")),
    "pendulum in doubles": (pendulum.module(), pendulum.sources()),
    "pendulum in floats": (pendulum.module("float32"), pendulum.sources("float32")),
}
NO_DOUBLES = ("-Wdouble-promotion", "-Wfloat-conversion")


@pytest.mark.skipif(not has_python_headers(), reason="needs Python's headers")
@pytest.mark.parametrize("which", MODULES)
def test_binding_compiles_without_warnings(tmp_path, which):
    module, sources = MODULES[which]
    includes = [f"-isystem{sysconfig.get_path('include')}", f"-isystem{np.get_include()}"]
    flags = (*AMONG_FOREIGN_HEADERS, *NO_DOUBLES, "-Werror", *includes)
    assert _compile(tmp_path, sources, emit_binding(module), *flags) == ""


@pytest.mark.parametrize("which", MODULES)
def test_loops_compile_without_warnings(tmp_path, which):
    module, sources = MODULES[which]
    assert _compile(tmp_path, sources, emit_loops(module), *STRICT, *NO_DOUBLES) == ""


def _compile(directory, sources, text, *flags):
    for name, source in (sources | {"unit.c": text}).items():
        (directory / name).write_text(source, encoding="utf-8")
    command = [*find_compiler().command, *flags, "-c", "unit.c", "-o", "unit.o"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
