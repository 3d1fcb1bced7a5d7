"""CUDA: kernels run on the host give what programs do, a GPU's compiler takes them, and blocks fit the registers."""

import re
import shutil
import subprocess
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from derivations import derivation
from documents import Page
from random_programs import program_of, seeded_tape
from robots_with_drives import equipped
from test_emit_batch import arrays

from symgen.derive.derivation import Options, derive
from symgen.emit.cuda.residency import alive, blocks
from symgen.emit.registry import language
from symgen.errors import EnvironmentFault
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.module import CONSTANTS
from symgen.program.program import Array
from symgen.robot.library import chain

CUDA = language("cuda")
cxx = pytest.mark.skipif(not any(map(shutil.which, ("c++", "g++", "clang++"))), reason="needs a C++ compiler")
nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

BOTH = ("inverse_dynamics", "forward_dynamics")
MODULES = {
    "all functions": lambda: derivation("scara").module,
    "drives, parameters, gravity": lambda: (
        derive(equipped("scara"), Options(parameters="runtime", gravity="runtime", effort="low")).module
    ),
    "loops": lambda: derive(chain(12), Options(functions=BOTH, forward_dynamics="aba", effort="low")).module,
}


@cxx
@pytest.mark.parametrize("real", ["float64", "float32"])
@pytest.mark.parametrize("name", MODULES)
def test_kernels_compute_what_programs_do(name, real):
    made = replace(MODULES[name](), real=real)
    tolerance = 1e-10 if real == "float64" else 2e-2
    with CUDA.run(made, CUDA.write(made)) as functions:
        for item in made.functions:
            given = arrays(item, 7, real=real)
            inputs = [a.name for a in item.inputs if a.name != CONSTANTS]
            bound = dict(zip(inputs, given, strict=True))
            if len(inputs) < len(item.inputs):
                values = np.array([parameter.default for parameter in made.parameters])
                bound[CONSTANTS] = np.ravel(evaluate(made.init, {"parameters": values})[CONSTANTS])
            expected = evaluate(item.program, bound)
            for result, output in zip(functions[item.name](*given), item.outputs, strict=True):
                size = 1 + np.abs(expected[output.name]).max()
                np.testing.assert_allclose(result, expected[output.name], rtol=0, atol=tolerance * size)


@nvcc
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_a_compiler_for_gpus_takes_them(real, tmp_path):
    """Without a warning, and without spilling what the bounds of a launch leave no registers for."""
    made = replace(MODULES["drives, parameters, gravity"](), real=real)
    for name, text in CUDA.write(made).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    flags = ["-cubin", "-Werror", "all-warnings", "-Xptxas", "-v", "-arch=sm_80"]
    done = subprocess.run(["nvcc", *flags, "scara_cuda.cu"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    spilled = re.findall(r"(\d+) bytes spill stores", done.stderr)
    assert len(spilled) >= len(made.functions)
    assert not any(map(int, spilled))


@cxx
def test_headers_and_sources_are_strict(tmp_path):
    made = MODULES["drives, parameters, gravity"]()
    for name, text in CUDA.write(made).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "use.c").write_text('#include "scara_cuda.h"\nint main(void) { return SCARA_CUDA_NQ != 4; }\n')
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
    for command in (["c++", "-std=c++14", "-x", "c++", *strict, "scara_cuda.cu"], ["cc", "-std=c99", *strict, "use.c"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_without_a_compiler_that_is_said(monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr("symgen.emit.host.shutil.which", lambda tool: None)
    made = MODULES["all functions"]()
    with pytest.raises(EnvironmentFault, match="no C\\+\\+ compiler found"), CUDA.run(made, CUDA.write(made)):
        pass


def test_values_that_are_alive_together():
    graph = Graph()
    a, b = (graph.variable("q", k) for k in range(2))
    first, second, third = a * b, a + b, a - b
    total = first * second * third
    program = graph.program([Array("q", (2,))], [(Array("y", (1,)), [total])])
    assert alive(program) == 3


@pytest.mark.parametrize("seed", range(3))
def test_more_values_never_mean_more_blocks(seed):
    program = program_of(seeded_tape(seed))
    assert 1 <= blocks(program, "float64") <= blocks(program, "float32") <= 8


@cxx
def test_the_lines_in_docs_run(tmp_path, monkeypatch):
    """With NumPy in place of CuPy, and the kernels on the host."""
    made = derive(equipped("planar2r"), Options(functions=BOTH, effort="low")).module
    made = replace(made, name="my_arm")
    for name, text in CUDA.write(made).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    flags = ["-x", "c++", "-O1", "-shared", "-fPIC", "my_arm_cuda.cu", "-o", "libmy_arm.so"]
    subprocess.run(["c++", *flags], cwd=tmp_path, check=True)
    stand_in = SimpleNamespace(random=np.random, empty=np.empty, empty_like=np.empty_like)
    monkeypatch.chdir(tmp_path)
    found = Page("how-to/languages/cuda").run(
        {"cupy": stand_in}, lambda code: code.replace("import cupy\n", "").replace("x.data.ptr", "x.ctypes.data")
    )
    bound = dict(zip(("q", "qd", "qdd"), (found[name].T[:5] for name in ("q", "qd", "qdd")), strict=True))
    expected = evaluate(made.functions[0].program, bound)["tau"]
    np.testing.assert_allclose(found["tau"].T[:5], expected, rtol=1e-9, atol=1e-9)
