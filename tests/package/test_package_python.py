"""The Python package: installed where symgen is not, compiled or not, it has the oracle's values."""

import importlib.metadata
import os
import shutil
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest
from quick_compilation import NOT_INLINED

ROBOTS = ["puma", "scara", "planar3r"]

CHECK = """
import importlib.util, pickle, sys
import numpy as np
import planar3r_dynamics as planar3r, puma_dynamics as puma, scara_dynamics as scara

assert importlib.util.find_spec("symgen") is None
assert {puma.BACKEND, scara.BACKEND, planar3r.BACKEND} == {sys.argv[1]}
rng = np.random.default_rng(0)
q, qd, qdd = rng.uniform(-1, 1, (3, 5, 1, 6))
tau = puma.inverse_dynamics(q, qd, qdd)
assert tau.shape == (5, 1, 6) and tau.dtype == np.float64
assert np.allclose(puma.forward_dynamics(q=q, tau=tau, qd=qd), qdd)
assert np.array_equal(puma.inverse_dynamics(q[3, 0], qd[3, 0], qdd=qdd[3, 0]), tau[3, 0])
one = q[3, 0], qd[3, 0]
assert np.allclose(puma.inverse_dynamics(list(one[0]), one[1], np.zeros((2, 6)))[1], puma.bias_torque(*one))
out = np.empty((5, 1, 6))
assert puma.inverse_dynamics(q, qd, qdd, out=out) is out and np.array_equal(out, tau)
assert "141 multiplications" in puma.inverse_dynamics.__doc__
assert puma.inverse_dynamics.__name__ == "inverse_dynamics"
assert np.isnan(puma.gravity_torque(np.full(6, np.nan))).any()
assert (puma.NQ, puma.NV, dict(puma.PARAMETERS)) == (6, 6, {}) and puma.JOINTS[0] == "joint1"
assert set(puma.__all__) <= set(dir(puma))
again = pickle.loads(pickle.dumps(puma.inertia_matrix))
assert np.array_equal(again(q), puma.inertia_matrix(q))

q4 = rng.uniform(-1, 1, 4)
U, D = scara.udu_factors(q4)
assert np.allclose(U @ np.diag(D) @ U.T, scara.inertia_matrix(q4))
A, B = np.empty((4, 4)), np.empty(4)
assert scara.udu_factors(q4, out=(A, B))[0] is A and np.array_equal(A, U) and np.array_equal(B, D)
assert scara.kinetic_energy(q4, q4).shape == ()
heavy = scara.with_parameters({"m4": 1.6})
down = [0, 0, -9.81]
assert np.isclose(scara.gravity_torque(q4, down)[2] - heavy.gravity_torque(q=q4, gravity=down)[2], 9.81)
assert heavy.parameters["m4"] == 1.6 and scara.PARAMETERS["m4"] == 0.6
again = pickle.loads(pickle.dumps(heavy.gravity_torque))
assert np.array_equal(again(q4, down), heavy.gravity_torque(q4, down))
both = heavy.with_parameters({"cx4": 0.25})
assert both.parameters == {**scara.PARAMETERS, "m4": 1.6, "cx4": 0.25} and heavy.parameters["cx4"] != 0.25
try:
    scara.with_parameters({"m9": 1.0})
except ValueError as error:
    assert "scara: parameters unknown: m9; there are: " in str(error)
else:
    raise AssertionError("wrong parameters were taken")

assert planar3r.inertia_matrix([0.1, 0.2, 0.3]).dtype == np.float32
for wrong in (np.zeros(5), "q", 1j * np.zeros(6), [None] * 6, np.array([None] * 6)):
    try:
        puma.gravity_torque(wrong)
    except (TypeError, ValueError) as error:
        assert "gravity_torque: q" in str(error), error
    else:
        raise AssertionError("a wrong argument was taken")
print("all is well")
"""

WITHOUT_ISOLATION = ["--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check", "--quiet"]


def needs():
    """Why a package cannot be built here without the network; None if it can."""
    version = importlib.metadata.version("setuptools").split(".") if _has("setuptools") else ["0"]
    if (int(version[0]), int(version[1]) if len(version) > 1 else 0) < (70, 1):
        return "setuptools 70.1 or newer is not installed"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "Python's headers are not installed"
    if not _has("pip"):
        return "pip is not installed"
    return None if shutil.which("cc") else "there is no cc"


def _has(name):
    return any(True for _ in importlib.metadata.distributions(name=name))


@pytest.fixture(scope="session")
def environment(tmp_path_factory, run):
    """A virtual environment in which NumPy, setuptools and pip can be seen, and symgen cannot: its python."""
    root = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", root / "venv")
    seen = root / "seen"
    seen.mkdir()
    for distribution in ("numpy", "setuptools", "pip"):
        for name in {path.parts[0] for path in importlib.metadata.files(distribution) or () if path.parts[0] != ".."}:
            (seen / name).symlink_to(importlib.metadata.distribution(distribution).locate_file(name))
    return root / "venv" / "bin" / "python", {"PYTHONPATH": os.fspath(seen)}


def compiled_quickly(setup):
    """A large package without optimisation, which takes long; the small one is compiled as users do."""
    text = setup.read_text()
    assert text.count('"-O2"') == 1
    setup.write_text(text.replace('"-O2"', '"-O0", "' + NOT_INLINED + '"'))


@pytest.mark.skipif(needs() is not None, reason=str(needs()))
@pytest.mark.parametrize("backend", ["ufunc", "numpy"])
def test_install_where_symgen_is_not(written, environment, run, tmp_path, backend):
    python, seen = environment
    sources = [shutil.copytree(written[robot] / "python", tmp_path / robot) for robot in ROBOTS]
    for large in ("puma", "scara"):
        compiled_quickly(tmp_path / large / "setup.py")
    target = tmp_path / "site"
    # Without a compiler the packages install all the same.
    compiler = {"CC": "cc"} if backend == "ufunc" else {"CC": "false"}
    run(python, "-m", "pip", "install", *WITHOUT_ISOLATION, "--target", target, *sources, env=seen | compiler)
    found = seen | {"PYTHONPATH": f"{target}{os.pathsep}{seen['PYTHONPATH']}", "PYTHONWARNINGS": "error"}
    assert run(python, "-c", CHECK, backend, env=found, cwd=tmp_path) == "all is well\n"
    for source in sources:
        run(python, "-m", "unittest", "discover", "-s", source / "tests", env=found, cwd=tmp_path)


@pytest.mark.skipif(needs() is not None, reason=str(needs()))
def test_source_distribution_holds_everything(written, environment, run, tmp_path):
    python, seen = environment
    source = shutil.copytree(written["puma"] / "python", tmp_path / "puma")
    run(python, "setup.py", "--quiet", "sdist", cwd=source, env=seen)
    (archive,) = (source / "dist").iterdir()
    with tarfile.open(archive) as packed:
        names = {Path(name).name for name in packed.getnames()}
    assert {
        "puma.c",
        "puma.h",
        "puma_batch.c",
        "puma_batch.h",
        "_puma.c",
        "pure.py",
        "vectors.json",
        "setup.py",
    } <= names
