"""Generated C: compiles under strict warnings as C and C++, needs only libm, and computes what the program does."""

import ctypes
import re
import shutil
import subprocess
from dataclasses import replace
from math import inf

import numpy as np
import pytest
from derivations import derivation
from library_robots import ARMS
from random_programs import inputs
from sample_modules import function, module, random_module

from symgen.emit.c import comment_safe, emit_c
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.module import LimitRecord
from symgen.program.program import Array

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wvla", "-Wshadow", "-Wdouble-promotion"]
LIBM = {"sin", "cos", "sqrt"}

compiler = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
cpp = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def call(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def symbols(text):
    """(kind, name) of the lines that nm prints."""
    return {tuple(line.split()[-2:]) for line in text.splitlines() if line.strip()}


@compiler
@pytest.mark.parametrize("name", ARMS)
def test_robots_compile_under_strict_warnings_and_need_only_libm(sources, name, request):
    # Some warnings need optimisation, which takes long for larger arms; their code is made of the same statements.
    level = "-O1" if derivation(name).subject.robot.nv <= 4 or request.config.getoption("--thorough") else "-O0"
    call("gcc", *STRICT, level, "-c", f"{name}.c", folder=sources)
    found = symbols(call("nm", f"{name}.o", folder=sources))
    functions = {f"{name}_{item.name}" for item in derivation(name).module.functions}
    assert {symbol for kind, symbol in found if kind == "T"} == functions
    assert {symbol for kind, symbol in found if kind == "U"} <= LIBM | {"sincos", "_GLOBAL_OFFSET_TABLE_"}
    assert not {symbol for kind, symbol in found if kind in "bBdDC"}, "no mutable or shared state"


@cpp
@pytest.mark.parametrize("name", ARMS)
def test_headers_are_cpp(sources, name):
    user = sources / f"use_{name}.cpp"
    lines = [f'#include "{name}.h"', f'#include "{name}.h"', f"int n = {name.upper()}_NQ + {name.upper()}_NV;"]
    user.write_text("\n".join([*lines, f"auto *f = &{name}_inverse_dynamics;"]))
    call("g++", "-std=c++11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", user.name, folder=sources)


@pytest.mark.parametrize("name", ARMS)
def test_lines_are_short(sources, name):
    for file in (f"{name}.c", f"{name}.h", f"{name}_batch.c", f"{name}_batch.h"):
        for line in (sources / file).read_text().splitlines():
            assert len(line) <= 100 or name in line
            assert line == line.rstrip()


MAIN = """
#include "puma.h"
#include "stanford.h"
#include <stdio.h>
int main(void)
{
    double q[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, a[6], b[6];
    puma_gravity_torque(q, a);
    stanford_gravity_torque(q, b);
    for (int i = 0; i < 6; i++) printf("%.17g %.17g\\n", a[i], b[i]);
    return PUMA_NQ - STANFORD_NV;
}
"""


@compiler
def test_two_robots_link_into_one_program(sources):
    (sources / "two.c").write_text(MAIN)
    call("gcc", *STRICT, "-o", "two", "two.c", "puma.c", "stanford.c", "-lm", folder=sources)
    printed = np.array(call("./two", folder=sources).split(), dtype=float).reshape(6, 2).T
    q = {"q": np.arange(1, 7) / 10}
    for name, values in zip(("puma", "stanford"), printed, strict=True):
        expected = evaluate(derivation(name).module.function("gravity_torque").program, q)["g"]
        np.testing.assert_allclose(values, expected, rtol=1e-13, atol=1e-14)


# small modules ----------------------------------------------------------------------------------------------


def build(made, folder, *options):
    for file, text in emit_c(made).items():
        (folder / file).write_text(text, encoding="utf-8")
    library = folder / "library.so"
    call("gcc", *STRICT, *options, "-shared", "-fPIC", "-o", library, f"{made.name}.c", "-lm", folder=folder)
    return ctypes.CDLL(str(library))


def pointers(*arrays):
    return [array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for array in arrays]


@compiler
def test_c_computes_bit_for_bit_what_the_interpreter_does(tmp_path):
    made = random_module(40, trig=False)
    library = build(made, tmp_path, "-O2", "-ffp-contract=off")
    arrays = inputs()
    for item in made.functions:
        found = np.full(4, np.nan)
        getattr(library, f"sample_{item.name}")(*pointers(arrays["q"], arrays["qd"], found))
        with np.errstate(all="ignore"):
            expected = evaluate(item.program, arrays)["y"]
        np.testing.assert_array_equal(found, expected)


@compiler
def test_headers_declare_the_limits_of_joints(tmp_path):
    limits = (LimitRecord("lower", "least", (-1.5, -inf)), LimitRecord("effort", "greatest", (inf, 2.25)))
    made = random_module(1, trig=False)
    made = replace(made, record=replace(made.record, limits=limits))
    main = '#include <stdio.h>\n#include "sample.h"\nint main(void) {'
    for limit in limits:
        name = f"sample_{limit.name}_limits"
        main += f'\n    for (int i = 0; i < SAMPLE_{limit.extent}; i++) printf("%g ", {name}[i]);'
    build(made, tmp_path)
    (tmp_path / "main.c").write_text(main + "\n    return 0;\n}\n")
    call("gcc", *STRICT, "-o", "main", "main.c", "sample.c", "-lm", folder=tmp_path)
    printed = call("./main", folder=tmp_path).split()
    assert [float(value) for value in printed] == [value for limit in limits for value in limit.values]


@compiler
def test_c_with_sines_agrees_with_the_interpreter(tmp_path):
    made = random_module(20, trig=True)
    library = build(made, tmp_path, "-O2")
    arrays = inputs()
    for item in made.functions:
        found = np.full(4, np.nan)
        getattr(library, f"sample_{item.name}")(*pointers(arrays["q"], arrays["qd"], found))
        expected = evaluate(item.program, arrays)["y"]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * (1 + np.abs(expected).max()))


@compiler
def test_functions_without_inputs_or_with_long_argument_lists(tmp_path):
    graph = Graph()
    long_names = [Array(f"a_rather_long_name_of_an_input_{k}", (2,)) for k in range(5)]
    constant = function("constant", graph.program(long_names, [(Array("y", (2,)), [graph.constant(2)] * 2)]))
    several = graph.program(
        [Array("q", (1,))], [(Array("u", ()), [graph.variable("q", 0)]), (Array("v", (1, 1)), [graph.constant(1)])]
    )
    library = build(module(constant, function("several", several)), tmp_path)
    y, u, v = np.zeros(2), np.zeros(1), np.zeros(1)
    zeros = [np.zeros(2) for _ in long_names]
    library.sample_constant(*pointers(*zeros, y))
    library.sample_several(*pointers(np.array([7.0]), u, v))
    assert (y.tolist(), u.tolist(), v.tolist()) == ([2.0, 2.0], [7.0], [1.0])


AWKWARD = [
    "ends */ a comment",
    "nests /* a comment",
    "slashes */*/ /*/ //*",
    "trigraphs ??/ ???/ ????/",
    "ends with a backslash \\",
    'quotes " and \\" and \'\'\' and """',
    "wide: αβγ, 机器人",
    "percent %s {braces} {{ jinja }} {% raw %}",
    "x" * 300,
]


@pytest.mark.parametrize("text", AWKWARD)
def test_comments_hold_any_text(text):
    safe = comment_safe(text)
    assert "*/" not in safe
    assert "/*" not in safe
    assert "??" not in safe
    words = re.sub(r"[\s]", "", text)
    assert re.sub(r"[\s]", "", safe) == words


@compiler
@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_descriptions_compile(tmp_path, text):
    graph = Graph()
    program = graph.program([Array("q", (1,))], [(Array("y", (1,)), [graph.variable("q", 0)])])
    build(module(function("copy", program), description=text), tmp_path)
