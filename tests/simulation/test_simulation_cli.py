"""The commands `simulate` and `plot`: tables, pictures, messages."""

from __future__ import annotations

import csv
import itertools
import json
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest
from robot_text import MASSLESS, head, link
from simulated_robots import reference

from symgen import api
from symgen.cli import main, motion
from symgen.display.pictures import FORMATS
from symgen.generation import judging
from symgen.simulation.checks import MAX_SAMPLES
from symgen.simulation.simulator import LEAST_TOLERANCE, METHODS, TOLERANCE
from symgen.simulation.splines import DEGREES
from symgen.simulation.trajectory import SAMPLES
from symgen.verify.report import Check, Report


@dataclass
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def symgen(capsys, tmp_path, monkeypatch):
    """Runs a command in an empty directory."""
    monkeypatch.chdir(tmp_path)

    def run(*args):
        with pytest.raises(SystemExit) as caught:
            main([str(arg) for arg in args])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Outcome(caught.value.code or 0, captured.out, captured.err)

    return run


def table(path):
    """Column → values."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def test_a_free_fall_is_written_as_a_table_and_a_picture(symgen, tmp_path):
    found = symgen("simulate", "puma", "--free-fall", 2)
    assert (found.code, found.err) == (0, "")
    assert found.out.splitlines()[0] == "puma: motion from t = 0 to 2 s"
    assert found.out.splitlines()[-2:] == [
        "wrote simulation/puma/simulation.csv",
        "wrote simulation/puma/simulation.png",
    ]
    assert "DOP853: " in found.out
    assert (tmp_path / "simulation/puma/simulation.png").read_bytes().startswith(b"\x89PNG")
    values = table(tmp_path / "simulation/puma/simulation.csv")
    at = reference("puma")["free_fall"]["free_fall_2s"]
    for joint in range(6):
        np.testing.assert_allclose(values[f"q{joint + 1}"][::20], np.array(at["q"])[:, joint], atol=1e-8)
        np.testing.assert_allclose(values[f"qd{joint + 1}"][::20], np.array(at["qd"])[:, joint], atol=1e-8)
    assert np.abs(values["drift"]).max() < 1e-9


def test_the_torques_of_the_paper(symgen, tmp_path):
    found = symgen("plot", "stanford", "--samples", 101, "-o", "out", "--format", "svg")
    assert (found.code, found.err) == (0, "")
    assert found.out.splitlines()[0] == "stanford: joint forces along a cycloidal motion of 10 s"
    assert found.out.splitlines()[-2:] == ["wrote out/torques.csv", "wrote out/torques.svg"]
    values = table(tmp_path / "out/torques.csv")
    tau = np.array([values[f"tau{joint}"] for joint in range(1, 7)]).T
    expected = np.array(reference("stanford")["trajectory"]["tau"])
    assert np.abs(tau - expected).max() < 1e-12 * np.abs(expected).max()


def test_the_same_command_writes_the_same_bytes(symgen, tmp_path):
    files = []
    for folder in ("a", "b"):
        assert symgen("plot", "planar2r", "-o", folder, "--format", "pdf").code == 0
        assert symgen("simulate", "planar2r", "--free-fall", 1, "-o", folder).code == 0
        files.append({path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()})
    assert set(files[0]) == {"torques.csv", "torques.pdf", "simulation.csv", "simulation.png"}
    assert files[0] == files[1]


def test_options_of_a_simulation(symgen, tmp_path):
    """Lists may begin with a minus, and hold expressions."""
    options = ["--from", "-pi/2,0.25", "--velocity", "-1,2*sqrt(2)", "--tau", "-0.5,-1e-1", "--method", "verner65"]
    tolerances = ["--rtol", "1e-8", "--atol", "1e-9", "--samples", 7, "--json"]
    found = symgen("simulate", "planar2r", "--duration", 0.5, *options, *tolerances)
    assert (found.code, found.err) == (0, "")
    data = json.loads(found.out)
    expected = api.simulate(
        "planar2r",
        0.5,
        q0=[-np.pi / 2, 0.25],
        qd0=[-1, 2 * np.sqrt(2)],
        tau=[-0.5, -0.1],
        method="verner65",
        rtol=1e-8,
        atol=1e-9,
        samples=7,
    )
    assert data["first"] == {"q": [-np.pi / 2, 0.25], "qd": [-1, 2 * np.sqrt(2)]}
    assert data["last"] == {"q": expected.q[-1].tolist(), "qd": expected.qd[-1].tolist()}
    assert data["largest_drift"] == np.abs(expected.drift).max()
    assert [data[key] for key in ("robot", "duration", "samples", "method", "rtol", "atol", "evaluations")] == [
        *("planar2r", 0.5, 7, "verner65", 1e-8, 1e-9),
        expected.evaluations,
    ]
    assert data["joints"][0] == {"name": "joint1", "position_unit": "rad", "velocity_unit": "rad/s"}
    assert data["files"] == ["simulation/planar2r/simulation.csv", "simulation/planar2r/simulation.png"]
    assert (tmp_path / data["files"][0]).read_text(encoding="utf-8") == expected.csv()


def test_options_of_a_plot(symgen, tmp_path):
    options = ["--from", "-1,-2", "--to", "-pi/4,0", "--duration", 3, "--samples", 31, "--json"]
    found = symgen("plot", "planar2r", *options)
    assert (found.code, found.err) == (0, "")
    data = json.loads(found.out)
    expected = api.follow("planar2r", start=[-1, -2], end=[-np.pi / 4, 0], duration=3, samples=31)
    assert (tmp_path / data["files"][0]).read_text(encoding="utf-8") == expected.csv()
    assert (data["robot"], data["duration"], data["samples"]) == ("planar2r", 3.0, 31)
    first = data["joints"][0]
    assert (first["from"], first["to"], first["force_unit"]) == (-1.0, -np.pi / 4, "N m")
    assert first["greatest"] == expected.tau[:, 0].max()
    assert expected.tau[expected.t == first["at_least"], 0] == expected.tau[:, 0].min() == first["least"]


def test_tables_go_there_and_back(symgen, tmp_path):
    """plot → simulate → plot → simulate."""
    assert symgen("plot", "planar2r", "--duration", 2, "-o", "a").code == 0
    first = symgen("simulate", "planar2r", "--tau", "a/torques.csv", "-o", "b")
    assert (first.code, first.err) == (0, "")
    assert first.out.splitlines()[0] == "planar2r: motion from t = 0 to 2 s"
    assert "samples of the joint forces: joined by a cubic spline" in first.out
    followed = symgen("plot", "planar2r", "--motion", "b/simulation.csv", "-o", "c")
    assert (followed.code, followed.err) == (0, "")
    assert followed.out.splitlines()[0] == "planar2r: joint forces along a sampled motion of 2 s"
    assert "qdd derived from quintic splines through the samples" in followed.out
    last = symgen("simulate", "planar2r", "--tau", "c/torques.csv", "--interpolation", "cubic", "--json", "-o", "d")
    assert json.loads(last.out)["interpolation"] == "cubic"
    moves = [
        table(tmp_path / name) for name in ("a/torques.csv", "b/simulation.csv", "c/torques.csv", "d/simulation.csv")
    ]
    for one, other in itertools.pairwise(moves):
        for name in set(one) & set(other) - {"work", "drift", "kinetic_energy", "potential_energy", "qdd1", "qdd2"}:
            np.testing.assert_allclose(one[name], other[name], atol=1e-5)
    assert np.abs(moves[3]["drift"]).max() < 1e-11


def test_what_a_sampled_motion_tells_a_program(symgen, tmp_path):
    (tmp_path / "moves").write_text(api.follow("planar2r", samples=11).csv(), encoding="utf-8")
    data = json.loads(symgen("plot", "planar2r", "--motion", "moves", "--json").out)
    assert (data["motion"], data["derived"], data["duration"], data["samples"]) == ("sampled", [], 10.0, 11)
    assert json.loads(symgen("plot", "planar2r", "--json").out)["motion"] == "cycloidal"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["plot", "planar2r", "--motion", "no.csv"], "symgen: no.csv: cannot be read: No such file"),
        (
            ["plot", "planar2r", "--motion", "bad.csv"],
            "symgen: bad.csv: the columns do not fit the joints: missing: q2. Expected t",
        ),
        (["plot", "planar2r", "--motion", "bad.csv", "--to", "0,0"], "--motion and --to exclude each other"),
        (["plot", "planar2r", "--motion", "bad.csv", "--samples", 5], "--motion and --samples exclude each other"),
        (
            ["simulate", "planar2r", "--tau", "bad.csv"],
            "symgen: bad.csv: the columns do not fit the joints: missing: tau",
        ),
        (
            ["simulate", "planar2r", "--duration", 2, "--tau", "ok.csv"],
            "symgen: ok.csv: the last time is 1 s, but the sim",
        ),
        (["simulate", "planar2r", "--free-fall", 1, "--tau", "ok.csv"], "--free-fall and --tau exclude each other"),
        (
            ["simulate", "planar2r", "--tau", "1,2"],
            "expected either --free-fall SECONDS or --duration SECONDS, or --tau F",
        ),
        (
            ["simulate", "planar2r", "--duration", 1, "--tau", "forces"],
            "symgen: --tau: a file of joint forces has a name",
        ),
        (["simulate", "planar2r", "--duration", 1, "--interpolation", "hold"], "--interpolation is for --tau FILE.csv"),
    ],
)
def test_tables_that_do_not_fit_give_a_message_and_write_nothing(symgen, tmp_path, args, words):
    files = {"bad.csv": "t,q1\n0,0\n1,1\n", "ok.csv": "t,tau1,tau2\n0,0,0\n.3,0,0\n.6,0,0\n1,1,1\n", "forces": "t"}
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    found = symgen(*args)
    assert (found.code, found.out) == (2, "")
    assert words in found.err
    assert {path.name for path in tmp_path.iterdir()} == set(files)


def test_a_file_that_was_there_is_replaced_whole(symgen, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "torques.csv").write_text("old", encoding="utf-8")
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    assert symgen("plot", "planar2r", "-o", folder, "--samples", 3).code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["mine.txt", "torques.csv", "torques.png"]
    assert len(table(folder / "torques.csv")["t"]) == 3


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["simulate", "puma"], "expected either --free-fall SECONDS or --duration SECONDS"),
        (["simulate", "puma", "--free-fall", 1, "--duration", 1], "expected either --free-fall SECONDS or --duration"),
        (["simulate", "puma", "--free-fall", 1, "--tau", "1"], "--free-fall and --tau exclude each other; give --dur"),
        (["simulate", "puma", "--free-fall", -1], "-1.0 is not in the range x>0"),
        (["simulate", "planar2r", "--duration", "nan"], "symgen: duration: expected a number of seconds above 0"),
        (["simulate", "planar2r", "--duration", "inf"], "symgen: duration: expected a number of seconds above 0"),
        (["simulate", "puma", "--free-fall", 1, "--method", "rk4"], "'rk4' is not one of 'DOP853', 'verner65'"),
        (["simulate", "puma", "--free-fall", 1, "--rtol", 0], "0.0 is not in the range"),
        (["simulate", "puma", "--free-fall", 1, "--samples", 1], "1 is not in the range"),
        (
            ["simulate", "planar2r", "--free-fall", 1, "--from", "1"],
            "--from: expected 2 numbers, for joint1, joint2; f",
        ),
        (["simulate", "planar2r", "--free-fall", 1, "--velocity", "1,x"], "--velocity: number 2: the name 'x' is not"),
        (["simulate", "planar2r", "--duration", 1, "--tau", "1,,2"], "--tau: number 2 is missing in '1,,2'"),
        (["simulate", "planar2r", "--duration", 1, "--tau", "1;2"], "--tau: number 1: in '1;2': the character ';'"),
        (["simulate", "planar2r", "--duration", 1, "--tau", "1,1/0"], "--tau: number 2: '1/0' divides by zero"),
        (["simulate", "planar2r", "--duration", 1, "--tau", "1e99,0"], " in 20000 calls of forward_dynamics and stops"),
        (["simulate", "nosuch", "--free-fall", 1], "symgen: 'nosuch' is neither a file nor a robot of the library"),
        (["plot", "planar2r", "--to", "pi"], "--to: expected 2 numbers, for joint1, joint2; found 1"),
        (["plot", "planar2r", "--duration", 0], "0.0 is not in the range x>0"),
        (["plot", "planar2r", "--format", "gif"], "'gif' is not one of 'png', 'svg', 'pdf'"),
        (["plot", "planar2r", "--samples", 10**7], "10000000 is not in the range"),
        (["plot"], "Missing argument 'ROBOT'"),
    ],
)
def test_bad_input_gives_a_message_and_writes_nothing(symgen, tmp_path, args, words):
    found = symgen(*args)
    assert (found.code, found.out) == (2, "")
    assert words in found.err
    assert not any(tmp_path.iterdir())


def test_a_robot_without_forward_dynamics(symgen, tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(head() + link() + link(name='"wrist"', **MASSLESS), encoding="utf-8")
    found = symgen("simulate", path, "--free-fall", 1)
    assert found.code == 2
    assert found.err.startswith("symgen: arm: forward_dynamics cannot be generated: the inertia of joint 2")
    assert symgen("plot", path).code == 0


@pytest.mark.parametrize("args", [["simulate", "planar2r", "--free-fall", 1], ["plot", "planar2r"]])
def test_a_failed_verification_writes_nothing(symgen, tmp_path, monkeypatch, args):
    failing = Report("planar2r", (Check("forward_dynamics", "oracle", 100, 1.0, 1e-10),))
    monkeypatch.setattr(judging, "compare", lambda *args, **kwargs: failing)
    found = symgen(*args)
    assert (found.code, found.out) == (1, "")
    assert "symgen: planar2r: verification failed" in found.err
    assert not any(tmp_path.iterdir())


def test_output_that_cannot_be_written(symgen, tmp_path):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    found = symgen("plot", "planar2r", "-o", "file")
    assert found.code == 2
    assert found.err.startswith("symgen: file: cannot be written: it is a file, not a directory")


def test_the_options_know_what_the_code_knows():
    options = {option.name: option for command in (motion.simulate, motion.plot) for option in command.params}
    assert tuple(options["kind"].type.choices) == FORMATS
    assert tuple(options["method"].type.choices) == METHODS
    assert options["samples"].type.max == MAX_SAMPLES
    assert tuple(options["interpolation"].type.choices) == tuple(DEGREES)
    assert str(SAMPLES) in options["samples"].help
    assert (options["rtol"].default, options["atol"].default) == (TOLERANCE, TOLERANCE)
    assert options["rtol"].type.min == LEAST_TOLERANCE


def test_help_loads_none_of_the_heavy_libraries():
    program = (
        "import sys; from symgen.cli import main\n"
        "try: main(['simulate', '--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'scipy', 'matplotlib', 'sympy', 'flint', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
