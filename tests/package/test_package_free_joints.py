"""Packages of robots with free joints test themselves, at quaternions of length 1 and others."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest
from free_robots import FREE, FUNCTIONS, robot

from symgen.derive.derivation import derive
from symgen.derive.options import Options
from symgen.package import package_files
from symgen.runtime.module import emit


@pytest.mark.parametrize("kind", FREE)
def test_a_package_of_a_robot_with_a_free_joint_passes_its_test(kind, tmp_path):
    given = robot(kind)
    derivation = derive(given, Options(functions=FUNCTIONS))
    files = package_files(given, derivation, emit(derivation.module))
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    command = ["make", "check", "CFLAGS=-O0"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    q = np.array(json.loads(files["python/tests/vectors.json"])["inputs"]["q"])
    assert q.shape == (4, given.nq)
    if kind != "planar":
        place = 3 if kind == "floating" else 0
        lengths = np.linalg.norm(q[:, place : place + 4], axis=1)
        assert lengths[0] == pytest.approx(1, abs=1e-3)
        assert abs(lengths[1] - 1) > 1e-2
    assert f"q={[*given.neutral]}" in files["README.md"]
    for position in given.positions:
        assert f"| `{position.name}` | {position.joint.kind.value} | {position.position.unit} |" in files["README.md"]
