"""Packed matrices, from the option to every language, against the functions that return whole ones."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from module_functions import interpreted
from scipy.sparse import csc_array

import symgen
from symgen.cli import main
from symgen.derive.derivation import Options, derive
from symgen.emit.python.runner import namespace
from symgen.emit.registry import language
from symgen.errors import InputError
from symgen.package import package_files
from symgen.program.sparsity import packed
from symgen.robot.library import load
from symgen.runtime.module import build, emit

FUNCTIONS = ("inertia_matrix", "udu_factors", "inverse_dynamics_derivatives")
gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@pytest.fixture(scope="module")
def scara():
    return symgen.generate("scara", functions=FUNCTIONS, packed=True, effort="low", states=5)


@pytest.fixture(scope="module")
def wholes():
    """Functions of the SCARA that return whole matrices."""
    return interpreted(derive(load("scara"), Options(FUNCTIONS, effort="low")))


def arguments(name, batch=(), count=4):
    q, qd, qdd = np.random.default_rng(5).uniform(-1, 1, (3, *batch, count))
    return (q, qd, qdd) if name == "inverse_dynamics_derivatives" else (q,)


def arrays(results):
    return results if isinstance(results, tuple) else (results,)


@pytest.mark.parametrize("batch", [(), (7,), (3, 40)], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_unpacked_results_are_the_whole_ones(scara, wholes, name, batch):
    given = arguments(name, batch)
    function = getattr(scara, name)
    found, expected = arrays(function.unpack(function(*given))), arrays(wholes[name](*given))
    for matrix, whole in zip(found, expected, strict=True):
        np.testing.assert_allclose(matrix, whole, rtol=1e-12, atol=1e-13)


def test_a_function_knows_its_pattern(scara):
    q = np.array([0.1, 0.2, 0.3, 0.4])
    indptr, indices, shape = pattern = scara.inertia_matrix.pattern
    values = scara.inertia_matrix(q)
    assert values.shape == (pattern.nnz,)
    assert pattern.nnz < 16
    matrix = csc_array((values, indices, indptr), shape=shape).toarray()
    np.testing.assert_array_equal(matrix, scara.inertia_matrix.unpack(values))
    np.testing.assert_array_equal(matrix, matrix.T)  # both triangles are there
    upper, diagonal = scara.udu_factors.pattern
    assert diagonal is None
    assert scara.patterns["udu_factors"] == {"U": upper}
    assert "column by column" in scara.inertia_matrix.__doc__
    with pytest.raises(ValueError, match="found one of shape"):
        scara.inertia_matrix.unpack(np.zeros((4, 4)))
    again = pickle.loads(pickle.dumps(scara))
    assert again.patterns == scara.patterns
    assert scara.with_parameters().inertia_matrix.pattern == pattern


def test_modules_that_are_not_packed_know_patterns_too():
    plain = symgen.generate("planar2r", functions=["inertia_matrix", "gravity_torque"], states=2)
    assert plain.inertia_matrix.pattern is None
    matrix = plain.inertia_matrix([0, 1])
    assert plain.inertia_matrix.unpack(matrix) is matrix
    assert plain.patterns["inertia_matrix"]["inertia"].shape == (2, 2)
    assert list(plain.patterns) == ["inertia_matrix"]


# code ---------------------------------------------------------------------------------------------------------


def test_the_module_of_numpy(scara, wholes):
    names = namespace({name: text for name, text in scara.sources.items() if name.endswith(".py")})
    for name in FUNCTIONS:
        given = arguments(name)
        results = names[name](*given)
        dense, sparse = arrays(names["to_dense"](name, results)), arrays(names["to_sparse"](name, results))
        for matrix, other, whole in zip(dense, sparse, arrays(wholes[name](*given)), strict=True):
            np.testing.assert_allclose(matrix, whole, rtol=1e-12, atol=1e-13)
            np.testing.assert_array_equal(other.toarray() if hasattr(other, "toarray") else other, matrix)
        several = names[name](*arguments(name, (2, 3)))
        assert arrays(names["to_dense"](name, several))[0].shape == (2, 3, 4, 4)
    with pytest.raises(ValueError, match="bias_torque returns nothing packed; functions that do: inertia_matrix"):
        names["to_dense"]("bias_torque", np.zeros(4))
    with pytest.raises(ValueError, match="expected 2 results: U, D; found 1"):
        names["to_dense"]("udu_factors", np.zeros(4))
    with pytest.raises(ValueError, match="of one state"):
        names["to_sparse"]("inertia_matrix", names["inertia_matrix"](np.zeros((2, 4))))


MAIN = """
#include <stdio.h>
#include "scara.h"

int main(void)
{
    const double q[4] = {0.1, 0.2, 0.3, 0.4};
    double values[SCARA_INERTIA_MATRIX_INERTIA_NNZ];
    scara_inertia_matrix(q, values);
    for (int j = 0; j < 4; j++) {
        for (int k = scara_inertia_matrix_inertia_indptr[j]; k < scara_inertia_matrix_inertia_indptr[j + 1]; k++) {
            printf("%d %d %.17g\\n", scara_inertia_matrix_inertia_indices[k], j, values[k]);
        }
    }
    return 0;
}
"""


@gcc
def test_the_header(scara, tmp_path):
    """What a program in C reads of it is the pattern, under strict warnings, in C++ too."""
    for name, text in {**scara.sources, "main.c": MAIN}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    strict = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
    subprocess.run(["gcc", *strict, "-o", "main", "main.c", "scara.c", "-lm"], cwd=tmp_path, check=True)
    subprocess.run(["g++", "-Wall", "-Werror", "-fsyntax-only", "scara.h"], cwd=tmp_path, check=True)
    lines = subprocess.run(["./main"], cwd=tmp_path, check=True, text=True, capture_output=True).stdout.split("\n")[:-1]
    found = np.zeros((4, 4))
    for row, column, value in (line.split() for line in lines):
        found[int(row), int(column)] = float(value)
    expected = scara.inertia_matrix.unpack(scara.inertia_matrix([0.1, 0.2, 0.3, 0.4]))
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)
    assert len(lines) == scara.inertia_matrix.pattern.nnz


SCRIPT = """
import * as scara from "./scara.mjs";
const { inertia } = scara.PATTERNS.inertia_matrix;
const values = scara.inertia_matrix(Float64Array.of(0.1, 0.2, 0.3, 0.4));
const matrix = scara.to_dense(inertia, values);
console.log(JSON.stringify({ matrix: Array.from(matrix), indptr: Array.from(inertia.indptr) }));
try { scara.to_dense(inertia, new Float64Array(3)); } catch (error) { console.log(error.message); }
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_module_of_javascript(scara, tmp_path):
    made = language("js").write(derive(load("scara"), Options(FUNCTIONS, effort="low", packed=True)).module)
    for name, text in {**made, "main.mjs": SCRIPT}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    ran = subprocess.run(["node", "main.mjs"], cwd=tmp_path, check=True, text=True, capture_output=True)
    first, second = ran.stdout.splitlines()
    found = json.loads(first)
    expected = scara.inertia_matrix.unpack(scara.inertia_matrix([0.1, 0.2, 0.3, 0.4]))
    np.testing.assert_allclose(np.reshape(found["matrix"], (4, 4)), expected, rtol=1e-12, atol=1e-14)
    assert tuple(found["indptr"]) == scara.inertia_matrix.pattern.indptr
    assert "expected a Float64Array of" in second


def test_packages_test_what_is_packed(tmp_path):
    options = Options(("inertia_matrix", "jacobian"), parameters=("m2",), packed=True, effort="low")
    derivation = derive(load("planar2r"), options)
    for name, text in package_files(load("planar2r"), derivation, emit(derivation.module)).items():
        if name.startswith("python"):
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    environment = {"PYTHONPATH": str(tmp_path / "python" / "src"), "PATH": os.environ["PATH"]}
    code = (
        "import unittest, planar2r_dynamics as p\n"
        "assert p.to_dense('inertia_matrix', p.inertia_matrix([0, 1])).shape == (2, 2)\n"
        "unittest.main(module=None, argv=['', 'discover', '-s', 'tests'])\n"
    )
    command, folder = [sys.executable, "-c", code], tmp_path / "python"
    ran = subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "Ran 3 tests" in ran.stderr


# other robots and options -----------------------------------------------------------------------------------------


def test_loops_are_simulated_with_packed_matrices():
    """The tree's matrices come packed, and what integrates them needs whole ones; states are told, too."""
    names = ("tree_inertia_matrix", "tree_inverse_dynamics", "independent_constraints", "closure", "assembly_step")
    names += ("velocity_transformation", "potential_energy")
    derivation = derive(load("four_bar"), Options(names, effort="low"))
    short_one = replace(derivation, module=packed(derivation.module))
    plain, short = (build(each, emit(each.module)) for each in (derivation, short_one))
    found, expected = (
        symgen.simulate(module, 0.1, samples=3, closing=symgen.Complement("fixed")) for module in (short, plain)
    )
    np.testing.assert_allclose(found.q, expected.q, rtol=1e-9, atol=1e-12)
    q, _ = plain.assemble(plain.neutral[list(plain.record.independent)])
    assert short.status(np.stack([q, q + 1])).tolist() == plain.status(np.stack([q, q + 1])).tolist() == [0, 1]


def test_the_option_is_checked():
    with pytest.raises(InputError, match="packed: expected True or False, found 'lower'"):
        symgen.Options(packed="lower")


def test_the_command_writes_and_tells_patterns(capsys, tmp_path):
    with pytest.raises(SystemExit) as ended:
        main(["generate", "planar2r", "--functions", "coriolis_matrix", "--packed", "--json", "-o", str(tmp_path)])
    assert ended.value.code in (0, None)
    found = json.loads(capsys.readouterr().out)
    expected = {"shape": [2, 2], "nnz": 3, "indptr": [0, 2, 3], "indices": [0, 1, 0]}
    assert found["patterns"] == {"coriolis_matrix": {"C": expected}}
    assert "PLANAR2R_CORIOLIS_MATRIX_C_NNZ 3" in (tmp_path / "planar2r.h").read_text()


def test_the_command_says_how_many_entries_there_are(capsys, tmp_path):
    with pytest.raises(SystemExit):
        main(["generate", "planar2r", "--functions", "coriolis_matrix", "--packed", "-o", str(tmp_path)])
    assert "packed: 3 of 4 entries of a matrix\n" in capsys.readouterr().out
