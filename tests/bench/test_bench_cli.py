"""`symgen bench`: a whole run, what it writes, and what it says of bad input."""

import json

import pytest

from symgen.bench import native
from symgen.bench.peers import pinocchio as pinocchio_peer
from symgen.cli import main

QUICK = ("--rounds", "2", "--block", "0.05", "--batch", "64")


@pytest.fixture
def symgen(capsys, tmp_path, monkeypatch):
    """Runs a command in an empty directory: exit code, what it prints, what it says of errors."""
    monkeypatch.chdir(tmp_path)

    def run(*args):
        with pytest.raises(SystemExit) as caught:
            main([str(arg) for arg in args])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return caught.value.code or 0, captured.out, captured.err

    return run


@pytest.fixture
def no_cxx(monkeypatch):
    """Without Pinocchio's C++, which takes minutes to compile."""
    monkeypatch.setattr(pinocchio_peer, "cxx_missing", lambda: "pinocchio's C++ is left out: a test")


def test_a_whole_run(symgen, no_cxx, tmp_path):
    pytest.importorskip("casadi")
    functions = ("inverse_dynamics", "inertia_matrix")
    files = ("--json", "a.json", "--picture", "a.svg")
    code, out, _ = symgen("bench", "planar3r", *QUICK, "--full-inertia", "--functions", ",".join(functions), *files)
    assert code == 0
    for words in ("planar3r, 3 joints, full inertias", "symgen/casadi", "symgen/pinocchio", "one call, Python"):
        assert words in out
    assert "pinocchio's C++ is left out: a test" in out
    data = json.loads((tmp_path / "a.json").read_text())
    (robot,) = data["robots"]
    assert {each["peer"] for each in robot["times"]} >= {"symgen", "casadi", "pinocchio"}
    assert {each["function"] for each in robot["times"]} == set(functions)
    assert all(each["ns"] > 0 and each["blocks"] == 2 for each in robot["times"])
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")
    assert bool(robot["instructions"]) == native.has_valgrind()


def test_symgen_alone_on_one_thread(symgen):
    code, out, _ = symgen(
        "bench", "planar2r", "chain3", *QUICK, "--peers", "none", "--threads", 1, "--functions", "inertia_matrix"
    )
    assert code == 0
    assert "planar2r, 2 joints" in out
    assert "chain3, 3 joints" in out
    assert "inverse_dynamics" not in out
    assert "2 threads" not in out


def test_what_is_not_installed_is_left_out_and_told(symgen, monkeypatch):
    monkeypatch.setattr(pinocchio_peer.importlib.util, "find_spec", lambda name: None)
    code, out, _ = symgen("bench", "planar2r", *QUICK, "--functions", "inertia_matrix", "--no-instructions")
    assert code == 0
    for name in ("casadi", "pinocchio", "mujoco"):
        assert f"{name} is not installed: pip install 'symgen[bench]'" in out


@pytest.mark.skipif(not native.has_valgrind(), reason="counts instructions with valgrind")
def test_instructions_are_the_same_every_time(symgen, tmp_path):
    counts = []
    for name in ("a.json", "b.json"):
        args = ("--peers", "none", "--functions", "inertia_matrix", "--json", name)
        assert symgen("bench", "planar2r", *QUICK, *args)[0] == 0
        counts.append(json.loads((tmp_path / name).read_text())["robots"][0]["instructions"])
    assert counts[0] == counts[1]
    assert counts[0][0]["instructions"] > 10


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "Missing argument"),
        (("nobody",), "neither a file nor a robot of the library"),
        (("chain0",), "expected a chain of 1 to 100 links"),
        (("planar2r", "--functions", "udu_factors"), "unknown function 'udu_factors'"),
        (("planar2r", "--functions", ","), "no function was asked for"),
        (("planar2r", "--functions", "inertia_matrix,inertia_matrix"), "named twice"),
        (("planar2r", "--peers", "drake"), "unknown peer 'drake'"),
        (("planar2r", "--threads", "64"), "cores"),
        (("planar2r", "--rounds", "0"), "Invalid value for '--rounds'"),
        (("planar2r", "--batch", "0"), "Invalid value for '--batch'"),
        (("planar2r", "--block", "0"), "more than 0 and at most 1000 ms"),
        (("planar2r", "--block", "nan"), "more than 0 and at most 1000 ms"),
        (("planar2r", "--picture", "a.gif"), "unknown picture format 'gif'"),
        (("planar2r", "--picture", "nowhere/a.png"), "there is no directory"),
        (("planar2r", "--json", "nowhere/a.json"), "there is no directory"),
    ],
)
def test_bad_input_is_told_before_anything_is_timed(symgen, args, words):
    code, out, err = symgen("bench", *args)
    assert code == 2
    assert words in err
    assert out == ""
