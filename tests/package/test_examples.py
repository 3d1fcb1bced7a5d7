"""The two examples: a control loop in C and a fall in SciPy."""

import importlib.util
import shutil
import time
from pathlib import Path

import pytest

import symgen

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


@pytest.fixture(scope="module")
def loop(run, tmp_path_factory):
    if not shutil.which("cc"):
        pytest.skip("there is no cc")
    tmp_path = tmp_path_factory.mktemp("loop")
    symgen.generate("puma", output=tmp_path, languages=("c",))
    strict = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    sources = [NOTEBOOKS / "control_loop.c", tmp_path / "puma.c"]
    run("cc", *strict, f"-I{tmp_path}", *sources, "-lm", "-o", tmp_path / "loop")
    return tmp_path / "loop"


def test_control_loop_reaches_its_goal(loop, run):
    lines = run(loop, "4").splitlines()
    errors = [float(line.split()[1]) for line in lines[1:]]
    assert len(errors) == 5
    assert errors[0] == 1.0
    assert errors[-1] < 1e-4


def test_control_loop_keeps_time(loop, run):
    start = time.monotonic()
    lines = run(loop, "1", "--real-time").splitlines()
    assert len(lines) == 3
    assert time.monotonic() - start > 1


def test_free_fall_keeps_its_energy():
    pytest.importorskip("scipy")
    spec = importlib.util.spec_from_file_location("free_fall", NOTEBOOKS / "free_fall.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    times, q, energy = example.fall(seconds=1.0)
    assert times[-1] == 1.0
    assert abs(q[-1] - q[0]).max() > 1
    assert abs(energy - energy[0]).max() < 1e-6
