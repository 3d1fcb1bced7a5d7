"""Batches in C: the numbers of single calls, whatever the layout, the number of states, the compiler and its flags."""

import ctypes
import functools
import math
import platform
import shutil
import subprocess
from dataclasses import replace

import flint
import numpy as np
import pytest
from contact_robots import gripper
from derivations import derivation
from quick_compilation import QUICKLY
from robots_with_drives import equipped
from sample_modules import function, module, random_module

from symgen.derive.derivation import Options, derive
from symgen.emit.c import emit_c
from symgen.emit.c.sincos import LIMIT
from symgen.mechanics.functions.registry import of_each_contact
from symgen.program.graph import Graph
from symgen.program.module import CONSTANTS
from symgen.program.program import Array
from symgen.robot.library import load as library_robot

STRICT = [
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Werror",
    "-Wvla",
    "-Wshadow",
    "-Wdouble-promotion",
    "-Wno-psabi",
]
X86 = platform.machine() in ("x86_64", "AMD64")
FLAGS = ["-O2", "-O0", "-O2 -ffast-math", "-O2 -fopenmp"] + ["-O2 -mavx2 -mfma", "-O2 -march=native"] * X86
COUNTS = (0, 1, 2, 3, 4, 7, 8, 9, 64, 65)

gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


def compiled(made, folder, flags="-O2", compiler="gcc", vectors=True):
    """The library of a module's C; without `vectors` as for a compiler that has none."""
    for file, text in emit_c(made).items():
        text = text if vectors else text.replace("__GNUC__", "ANOTHER_COMPILER")
        (folder / file).write_text(text, encoding="utf-8")
    sources = [f"{made.name}.c", f"{made.name}_batch.c"]
    call(compiler, *STRICT, *flags.split(), "-fPIC", "-c", *sources, folder=folder)
    # Linked with -ffast-math, a library would change how this process treats tiny numbers.
    link = [flag for flag in flags.split() if flag != "-ffast-math"]
    objects = [source.replace(".c", ".o") for source in sources]
    call(compiler, *link, "-shared", "-o", "library.so", *objects, "-lm", folder=folder)
    return ctypes.CDLL(str(folder / "library.so"))


def call(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def arrays(function, count, seed=0, real="float64"):
    """Random inputs for `count` states; no constants."""
    chance = np.random.default_rng(seed)
    given = [a for a in function.inputs if a.name != CONSTANTS]
    return [chance.uniform(-3, 3, (count, *a.shape)).astype(real) for a in given]


def empty(function, count, real="float64"):
    return [np.full((count, *a.shape), np.nan, dtype=real) for a in function.outputs]


def pointers(values):
    return [value.ctypes.data_as(ctypes.c_void_p) for value in values]


def singles(library, made, item, given, constants=()):
    """The results of one call for each state."""
    results = empty(item, len(given[0]), made.real)
    call = getattr(library, f"{made.name}_{item.name}")
    for k in range(len(given[0])):
        call(*pointers([x[k : k + 1] for x in given]), *constants, *pointers([y[k : k + 1] for y in results]))
    return results


def units_apart(found, expected):
    """The largest difference, in units in the last place of the norm of a state's result."""
    worst = 0.0
    for one, other in zip(found, expected, strict=True):
        entries = tuple(range(1, other.ndim))
        size = np.sqrt((other.astype(float) ** 2).sum(axis=entries))
        difference = abs(one.astype(float) - other).max(axis=entries, initial=0)
        worst = max(worst, np.max(difference / (size * np.finfo(other.dtype).eps + 1e-300), initial=0.0))
    return worst


def batch(library, made, item, given, constants=()):
    results = empty(item, len(given[0]), made.real)
    call = getattr(library, f"{made.name}_{item.name}_batch")
    call(ctypes.c_size_t(len(given[0])), *pointers(given), *constants, *pointers(results))
    return results


@gcc
@pytest.mark.parametrize(("name", "real"), [("scara", "float64"), ("stanford", "float64"), ("scara", "float32")])
def test_batches_give_what_single_calls_give(name, real, tmp_path):
    """Every function of a small arm, and those that are usual of a larger one and in single precision."""
    every = (name, real) == ("scara", "float64")
    made = replace(derivation(name).module if every else usual(name), real=real)
    library = compiled(made, tmp_path, QUICKLY if every else "-O1")
    for item in made.functions:
        given = arrays(item, 21, real=real)
        assert units_apart(batch(library, made, item, given), singles(library, made, item, given)) < 4


NAMED = {
    "gripper": (gripper, (*of_each_contact(), "integrate", "difference", "normalize")),
    "five_bar": (lambda: library_robot("five_bar"), ("all",)),
}


@gcc
@pytest.mark.parametrize("name", NAMED)
def test_names_of_arguments_are_free(name, tmp_path):
    """Functions whose arguments have names of their own, single letters among them, that the text must not use."""
    load, functions = NAMED[name]
    made = derive(load(), Options(functions=functions, effort="low")).module
    library = compiled(made, tmp_path, QUICKLY)
    for item in made.functions:
        given = arrays(item, 21)
        assert units_apart(batch(library, made, item, given), singles(library, made, item, given)) < 4


@gcc
@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_compilers_flags_and_numbers_of_states(compiler, flags, tmp_path):
    if shutil.which(compiler) is None or (compiler == "clang" and "openmp" in flags):
        pytest.skip(f"no {compiler} for {flags}")
    options = Options(functions=("inverse_dynamics", "forward_dynamics", "forward_kinematics"), effort="low")
    made = derive(equipped("scara"), options).module
    library = compiled(made, tmp_path, flags, compiler)
    for item in made.functions:
        for count in COUNTS:
            given = arrays(item, count)
            found = batch(library, made, item, given)
            # What -ffast-math makes of the two need not be the same.
            assert units_apart(found, singles(library, made, item, given)) < (64 if "fast" in flags else 4)


@gcc
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_compilers_without_vectors(real, tmp_path):
    options = Options(functions=("inverse_dynamics", "forward_dynamics"), effort="low")
    made = replace(derive(equipped("scara"), options).module, real=real)
    library, plain = (compiled(made, folder, vectors=vectors) for folder, vectors in _folders(tmp_path))
    for item in made.functions:
        given = arrays(item, 21, real=real)
        expected = singles(library, made, item, given)
        for found in (singles(plain, made, item, given), batch(plain, made, item, given)):
            assert units_apart(found, expected) < 4


def _folders(path):
    for name, vectors in (("vectors", True), ("none", False)):
        (path / name).mkdir()
        yield path / name, vectors


@gcc
def test_run_time_parameters(tmp_path):
    made = derive(equipped("scara"), Options(parameters="runtime", gravity="runtime", effort="low")).module
    library = compiled(made, tmp_path)
    parameters = np.array([p.default for p in made.parameters])
    constants = np.full(made.constants_size, np.nan)
    library.scara_init(*pointers([parameters, constants]))
    for item in made.functions:
        given = arrays(item, 21)
        bound = pointers([constants]) if item.inputs[-1].name == CONSTANTS else []
        expected = singles(library, made, item, given, bound)
        assert units_apart(batch(library, made, item, given, bound), expected) < 4


@gcc
def test_any_program(tmp_path):
    """Constants as results, functions of constants, results that are inputs, and the like."""
    made = random_module(25, trig=True)
    library = compiled(made, tmp_path, "-O0")
    for item in made.functions:
        given = arrays(item, 11)
        for one, other in zip(batch(library, made, item, given), singles(library, made, item, given), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


@functools.cache
def usual(name):
    """An arm with functions of all shapes."""
    names = ("inverse_dynamics", "forward_dynamics", "inertia_matrix", "udu_factors", "forward_kinematics")
    return derive(library_robot(name), Options(functions=names, effort="low")).module


@pytest.fixture(scope="module")
def scara(tmp_path_factory):
    """The library of the SCARA arm."""
    return compiled(usual("scara"), tmp_path_factory.mktemp("scara"), "-O1")


@gcc
def test_layouts(scara):
    """Rows, columns, gaps, and one value for all states."""
    made, library = usual("scara"), scara
    item = made.function("inverse_dynamics")
    n, count = 4, 19
    q, qd, qdd = arrays(item, count)
    wide = np.zeros((count, 2 * n))
    wide[:, ::2] = qd
    columns, tau = np.asfortranarray(q), np.full((n, count), np.nan)
    library.scara_inverse_dynamics_strided.argtypes = [
        ctypes.c_size_t,
        *[ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_ssize_t] * 4,
    ]
    library.scara_inverse_dynamics_strided(
        count,
        columns.ctypes.data,
        1,
        count,
        wide.ctypes.data,
        2 * n,
        2,
        qdd.ctypes.data,
        0,
        1,
        tau.ctypes.data,
        1,
        count,
    )
    expected = singles(library, made, item, [q, qd, np.repeat(qdd[:1], count, axis=0)])
    assert units_apart([tau.T], expected) < 4


def columns(library, made, item, given, *, stride, offset):
    """The results over columns, `stride` apart, which begin `offset` numbers after a line of the caches."""
    count, call = len(given[0]), getattr(library, f"{made.name}_{item.name}_strided")
    arrays, places = [], [ctypes.c_size_t(count)]
    for values in (*given, *empty(item, count, made.real)):
        entries = values.reshape(count, -1).T
        room = np.full(len(entries) * stride + 64, np.nan, dtype=made.real)
        start = (-room.ctypes.data % 64) // room.itemsize + offset
        table = room[start : start + len(entries) * stride].reshape(-1, stride)
        table[:, :count] = entries
        arrays.append((room, table, values.shape))
        places += [ctypes.c_void_p(table.ctypes.data), ctypes.c_ssize_t(1), ctypes.c_ssize_t(stride)]
    call(*places)
    found = arrays[len(given) :]
    for room, table, _ in found:  # nothing else is written
        assert np.isnan(table[:, count:]).all()
        assert np.isnan(room).sum() == room.size - len(table) * count
    return [table[:, :count].T.reshape(shape) for _, table, shape in found]


LAYOUTS = [  # states, distance of columns, numbers before the first
    (1, 1, 0),
    (3, 4, 1),
    (65, 67, 0),
    (512, 512, 0),
    (600, 1024, 2),
    (1025, 2048, 1),
    (1029, 1029, 0),
]


@gcc
@pytest.mark.parametrize("flags", ["-O2", *["-O2 -mavx2 -mfma", "-O2 -march=native"] * X86])
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_columns_are_rows(real, flags, tmp_path, monkeypatch):
    """Vectors and matrices, odd numbers of states, columns that crowd each other, and such as no cache holds."""
    options = Options(functions=("inverse_dynamics", "inertia_matrix", "inverse_dynamics_derivatives"), effort="low")
    monkeypatch.setattr("symgen.emit.c.batch.CACHED", 700 * 4 * 4)  # bytes; arrays of a test are small
    made = replace(derive(equipped("scara"), options).module, real=real)
    library = compiled(made, tmp_path, flags)
    for item in made.functions:
        for count, stride, offset in LAYOUTS:
            given = arrays(item, count, real=real)
            expected = batch(library, made, item, given)
            found = columns(library, made, item, given, stride=stride, offset=offset)
            assert units_apart(found, expected) < 4  # tanh of a lane depends on which it is


@gcc
def test_an_output_may_be_an_input_in_columns(tmp_path, monkeypatch):
    """Which is read before it is written, also tile by tile."""
    monkeypatch.setattr("symgen.emit.c.batch.CACHED", 1024)
    made = derive(equipped("scara"), Options(functions=("inverse_dynamics",), effort="low")).module
    library, item, count = compiled(made, tmp_path), made.function("inverse_dynamics"), 1037
    given = arrays(item, count)
    (expected,) = batch(library, made, item, given)
    tables = [np.ascontiguousarray(x.T) for x in given]
    layout = [part for x in (*tables, tables[2]) for part in (ctypes.c_void_p(x.ctypes.data), 1, count)]
    call = library.scara_inverse_dynamics_strided
    call.argtypes = [ctypes.c_size_t, *[ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_ssize_t] * 4]
    call(count, *layout)
    assert units_apart([tables[2].T], [expected]) < 4


@gcc
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e9, -3e6, 1e200, 1e308])
def test_what_is_odd_stays_in_its_state(bad, scara):
    made, library = usual("scara"), scara
    for item in made.functions:
        given = arrays(item, 16)
        clean = batch(library, made, item, given)
        for array in given:
            array[5, 0] = bad
        found = batch(library, made, item, given)
        for one, alone, before in zip(found, singles(library, made, item, given), clean, strict=True):
            np.testing.assert_allclose(one[5], alone[5], rtol=1e-12)
            others = np.arange(16) != 5
            np.testing.assert_array_equal(one[others], before[others])


# sines and cosines ---------------------------------------------------------------------------------------


def circle():
    """A module with one function: an angle's cosine and sine."""
    graph = Graph()
    c, s = graph.circle(graph.variable("q", 0))
    return module(function("circle", graph.program([Array("q", (1,))], [(Array("y", (2,)), [c, s])])))


def angles(real):
    """Angles of all sizes, and those nearest to multiples of π/2."""
    chance, limit = np.random.default_rng(5), LIMIT[real]
    multiples = np.arange(-3000, 3000) if real == "float64" else np.arange(-500, 500)
    near = (multiples * (math.pi / 2)).astype(real)
    some = [chance.uniform(-size, size, 3000) for size in (1e-8, 0.1, 1, 10, 1000, limit)]
    far = np.array([limit, -limit, 1.5 * limit, -1e3 * limit, 1e12])
    return np.concatenate([near, np.nextafter(near, np.inf, dtype=near.dtype), far, [0.0], *some]).astype(real)


def exact(angle):
    """(cos, sin) of a number, from 200 bits."""
    with flint.ctx.workprec(200):
        x = flint.arb(float(angle))
        return float(x.cos()), float(x.sin())


@gcc
@pytest.mark.parametrize("flags", ["-O2", "-O2 -ffp-contract=off"] + ["-O2 -mavx2 -mfma -ffp-contract=fast"] * X86)
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_sines_and_cosines(real, flags, tmp_path):
    """To 1.5 units in the last place of the larger; doubles to 2.5 of their own, next to zero too."""
    made = replace(circle(), real=real)
    library = compiled(made, tmp_path, flags)
    given = angles(real).reshape(-1, 1)
    expected = np.array([exact(angle) for angle in given[:, 0]])
    item = made.functions[0]
    for (found,) in (batch(library, made, item, [given]), singles(library, made, item, [given])):
        error, own = abs(found - expected), np.spacing(abs(expected).astype(real)).astype(float)
        assert np.max(error / own.max(axis=1, keepdims=True)) < 1.5
        assert real == "float32" or np.max(error / own) < 2.5


@gcc
@pytest.mark.parametrize(("real", "large"), [("float64", 1e15), ("float32", 1e7)])
def test_an_angle_that_is_no_number_hides_none_that_is_too_large(real, large, tmp_path):
    graph = Graph()
    points = [part for k in range(2) for part in graph.circle(graph.variable("q", k))]
    made = module(function("circles", graph.program([Array("q", (2,))], [(Array("y", (4,)), points)])))
    made = replace(made, real=real)
    library = compiled(made, tmp_path)
    given = [np.array([[0.5, 0.6], [large, math.nan], [math.nan, large], [large, 2.0]], dtype=real)]
    (found,) = batch(library, made, made.functions[0], given)
    np.testing.assert_allclose(found[:, ::2], np.cos(given[0]), rtol=1e-5)
    np.testing.assert_allclose(found[:, 1::2], np.sin(given[0]), rtol=1e-5)
