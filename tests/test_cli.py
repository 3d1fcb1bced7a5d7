"""The command line: what is printed, exit codes, JSON, and no traceback whatever happens."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from library_robots import ARMS
from robot_text import GOOD, MASSLESS, ROOTS, frame, head, link, parameters
from urdf_text import random_urdf

from symgen import api
from symgen.cli import main
from symgen.generation import judging
from symgen.prove.verdict import Proof
from symgen.verify.report import Check, Report

DEFAULT = list(api.DEFAULT_FUNCTIONS)
FAILING = Report("planar2r", (Check("inverse_dynamics", "oracle", 100, 1.0, 1e-10),))


@dataclass
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def data(self):
        return json.loads(self.out)


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


@pytest.fixture
def arm(tmp_path):
    """The path of a robot file with the given text."""

    def write(text):
        path = tmp_path / "arm.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def rows(out, first):
    """Cells of the table rows that hold `first`."""
    lines = [line for line in out.splitlines() if first in line and "│" in line]
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines]


# list, info ------------------------------------------------------------------------------------------------


def test_list_shows_every_robot(symgen):
    found = symgen("list")
    assert (found.code, found.err) == (0, "")
    assert [line.split()[0] for line in found.out.splitlines()] == list(api.robot_names())
    data = symgen("list", "--json").data
    assert {"name": "panda", "description": api.load("panda").description, "joints": 7} in data


@pytest.mark.parametrize("robot", ARMS)
def test_info_shows_every_arm(symgen, robot):
    found = symgen("info", robot)
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith(f"{robot}: ")
    assert "notice" not in found.out
    assert len(rows(found.out, "(revolute)") + rows(found.out, "(prismatic)")) == api.load(robot).nv


def test_info_shows_where_the_tool_is_at_rest(symgen):
    """Read in the wrong convention, the flange would be elsewhere."""
    out = symgen("info", "panda").out
    ((_, name, origin, x, z, _),) = rows(out, "tool on link7")
    assert (name, origin, x, z) == ("tool on link7", "0.088 0 0.926", "1 0 0", "0 0 -1")
    assert "modified (Craig, Khalil) DH: Rx(alpha) Tx(a) Rz(theta) Tz(d)" in out


def test_info_shows_fixed_links_and_notices(symgen, arm):
    text = head() + link(alpha="1.5708") + link(joint='"fixed"', name='"plate"', theta='"pi/2"') + link(name='"hand"')
    found = symgen("info", arm(text))
    assert found.code == 0
    assert ["2", "plate", "1 0 1", "0 0 1", "0 -1 0", "fixed"] in rows(found.out, "plate")
    assert ["3", "hand", "1 0 2", "0 0 1", "0 -1 0", "0 -1 0"] in rows(found.out, "hand")
    assert "carried: link1 carries plate" in found.out
    assert "notice: links[1].alpha: 1.5708 is read as pi/2" in found.out


def test_info_shows_drives_and_all_frames(symgen, arm):
    drive = {"rotor_inertia": "1e-4", "gear_ratio": "-100", "coulomb_friction": '"F"', "coulomb_smoothing": "0.01"}
    text = head() + parameters(F="2") + frame(link='"link1"', xyz="[0, 0, 1]") + link(**drive) + link(name='"hand"')
    out = symgen("info", arm(text)).out
    assert rows(out, "joint1")[-1] == ["joint1", "0.0001", "-100", "1", "0", "F", "0.01"]
    assert rows(out, "joint2")[-1] == ["joint2", "0", "1", "0", "0", "0", ""]
    assert rows(out, "eye on link1") == [["", "eye on link1", "1 0 1", "1 0 0", "0 0 1", ""]]
    assert "frame 'eye' on link1: Tz(1)" in out
    assert "drives" not in symgen("info", "puma").out


def test_info_as_json(symgen):
    data = symgen("info", "panda", "--json").data
    assert set(data) >= {"robot", "description", "source", "convention", "gravity", "nq", "nv", "parameters", "links"}
    assert (data["robot"], data["nq"], data["nv"], data["gravity"]) == ("panda", 7, 7, [0, 0, -9.81])
    assert np.allclose(np.array(data["links"][6]["frame"])[:3, 3], [0.088, 0, 1.033])
    assert symgen("info", "planar2r", "--json").data["parameters"] == {"L1": 0.5, "L2": 0.4, "m1": 2.0, "m2": 1.5}


# init, convert ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_init_writes_a_file_that_works_as_it_is(symgen, tmp_path, convention):
    found = symgen("init", "new/my-arm.toml", "--convention", convention, "--joints", 3)
    assert (found.code, found.err) == (0, "")
    assert found.out == "wrote new/my-arm.toml; next: symgen info new/my-arm.toml\n"
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["my-arm.toml"]
    data = symgen("info", "new/my-arm.toml", "--json").data
    assert (data["robot"], data["convention"], data["nv"], data["notices"]) == ("my_arm", convention, 3, [])
    made = symgen("generate", "new/my-arm.toml", "--states", 5)
    assert (made.code, made.err) == (0, "")


def test_init_never_overwrites_unless_told(symgen, tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text("mine", encoding="utf-8")
    found = symgen("init", path)
    assert (found.code, found.out) == (2, "")
    assert found.err == f"symgen: {path} is there already; give --force to replace it, or choose another path\n"
    assert path.read_text(encoding="utf-8") == "mine"
    assert symgen("init", path, "--force", "--name", "other").code == 0
    assert symgen("info", path, "--json").data["robot"] == "other"


def test_convert_prints_the_other_table(symgen, tmp_path):
    found = symgen("convert", "puma", "--to", "modified")
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith('# Converted from the standard to the modified convention.\nname = "puma"\n')
    (tmp_path / "other.toml").write_text(found.out, encoding="utf-8")
    back = symgen("convert", "other.toml", "--to", "standard", "-o", "back.toml")
    assert (back.code, back.out, back.err) == (0, "wrote back.toml\n", "")
    table, original = api.load("back.toml"), api.load("puma")
    assert [entry.row for entry in table.links] == [entry.row for entry in original.links]


def test_convert_shows_that_both_agree(symgen):
    found = symgen("convert", "panda", "--to", "standard", "--frames")
    lines = rows(found.err, "(axis)") + rows(found.err, "tool (origin, z)")
    assert len(lines) == 8
    assert all(line[1:3] == line[3:5] for line in lines)
    assert lines[-1][1:3] == ["0.088 0 0.926", "0 0 -1"]
    assert re.search(r"joint forces of both differ by \d.\de-1\d of their size at most", found.err)
    assert api.load("panda").convention == "modified"


def test_convert_writes_urdfs_as_robot_files_and_back(symgen, tmp_path):
    """A URDF as TOML and back is the same robot; of a table's, what a URDF cannot say is told."""
    (tmp_path / "random.urdf").write_text(random_urdf(4), encoding="utf-8")
    assert symgen("convert", "random.urdf", "-o", "random.toml").out == "wrote random.toml\n"
    assert symgen("convert", "random.toml", "-o", "again.urdf").out == "wrote again.urdf\n"
    first, table, again = (api.load(f"random.{end}" if end else "again.urdf") for end in ("urdf", "toml", ""))
    assert first.links == table.links == again.links
    found = symgen("convert", "stanford", "--to", "urdf", "--frames")
    assert "not in the file: revolute joints without limits are continuous ones" in found.err
    assert len(rows(found.err, "(axis)")) == 6
    refused = symgen("convert", "random.urdf", "--to", "standard")
    assert (refused.code, refused.out) == (2, "")
    assert "only robots whose links all have a row of a table can be converted" in refused.err


def test_convert_replaces_nothing_unless_told(symgen, arm):
    path = arm(GOOD)
    found = symgen("convert", "planar2r", "--to", "modified", "-o", path)
    assert found.code == 2
    assert "is there already; give --force" in found.err
    assert path.read_text(encoding="utf-8") == GOOD
    assert symgen("convert", path, "--to", "modified", "-o", path, "--force").code == 0
    assert symgen("info", path, "--json").data["convention"] == "modified"


# count, generate, verify ---------------------------------------------------------------------------------------


def test_count_as_json(symgen):
    data = symgen("count", "planar2r", "--json").data
    assert list(data) == ["robot", "functions", "formulations", "choices"]
    assert data["robot"] == "planar2r"
    assert list(data["functions"]) == DEFAULT
    for counts in data["functions"].values():
        assert list(counts) == ["mul", "add", "div", "sqrt", "trig", "hoisted"]
        assert all(isinstance(number, int) and number >= 0 for number in counts.values())


def test_count_shows_published_counts(symgen):
    out = symgen("count", "puma").out
    for words in ("puma: operations per call", "Saha (1999), DeNOC", "OpenSYMORO", "prints 480 additions"):
        assert words in out
    assert "OpenSYMORO" not in symgen("count", "planar2r").out


def test_count_compares_the_same_in_every_format(symgen):
    name = "Khalil et al. (1986), any 2R arm"
    for style in ("table", "markdown", "latex"):
        out = symgen("count", "planar2r", "--functions", "inverse_dynamics", "--format", style).out
        (line,) = (line for line in out.splitlines() if name in line)
        assert re.findall(r"\d+", line.split(name)[1]) == ["118", "102", "220"]


@pytest.mark.parametrize("parameters", ["numeric", "symbolic"])
def test_count_takes_functions_and_parameters(symgen, parameters):
    found = symgen("count", "planar2r", "--functions", " gravity_torque, ", "--parameters", parameters, "--passes")
    assert found.code == 0
    assert "as derived and after the passes" in found.out
    assert [row[:2] for row in rows(found.out, " derived ")] == [["gravity_torque", "derived"]]
    assert not rows(found.out, "inertia_matrix")


def test_count_shows_what_passes_do(symgen):
    """Every row changes something, and the last ones are the counts."""
    command = ("count", "puma", "--functions", "inverse_dynamics,gravity_torque", "--passes")
    data = symgen(*command, "--json").data
    text = symgen(*command, "--format", "markdown").out
    for function, counts in data["functions"].items():
        steps = data["passes"][function]
        assert steps[0]["group"] == "derived"
        assert steps[-1] == {"group": steps[-1]["group"], "taken": True} | counts
        found = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if "rescale" in line]
        saved = {row[0].replace("\\", ""): int(row[-1]) for row in found}
        assert saved[function] > 0
    assert "passes" not in symgen("count", "planar2r", "--json").data


def test_count_tells_what_runtime_parameters_ask_for(symgen):
    command = ["count", "planar2r", "--functions", "inverse_dynamics", "--real", "float32", "--parameters", "link2,L1"]
    out = symgen(*command).out
    ((_, numbers, size, _),) = rows(out, "│ parameters ")
    assert int(size) == 4 * int(numbers)
    assert "multiplication" in rows(out, "made of them by init")[0][-1]
    data = symgen(*command, "--json").data["runtime_parameters"]
    assert (data["real"], data["parameters"]) == ("float32", int(numbers))
    assert data["constants_bytes"] == 4 * data["constants"]
    assert list(data["init"]) == ["mul", "add", "div", "sqrt", "trig", "hoisted"]
    assert "runtime_parameters" not in symgen("count", "planar2r", "--json").data


@pytest.mark.parametrize("command", ["generate", "count", "verify"])
def test_options_of_the_model_reach_it(symgen, monkeypatch, command):
    seen = []

    def stop(robot, options, *args, **kwargs):
        seen.append(options)
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "run", stop)
    monkeypatch.setattr(api, "derive", stop)
    given = {
        "--functions": "jacobian, inverse_dynamics",
        "--forward-dynamics": "aba",
        "--parameters": "L1,link2",
        "--gravity": "runtime",
        "--wrench": "link1,link2",
        "--frames": "link2",
        "--axes": "frame",
        "--real": "float32",
    }
    assert symgen(command, "planar2r", *(word for pair in given.items() for word in pair)).code == 130
    assert symgen(command, "planar2r").code == 130
    assert seen == [
        api.Options(
            functions=("jacobian", "inverse_dynamics"),
            forward_dynamics="aba",
            parameters=("L1", "link2"),
            gravity="runtime",
            wrenches=("link1", "link2"),
            frames=("link2",),
            axes="frame",
            real="float32",
        ),
        api.Options(),
    ]


def test_all_functions_can_be_asked_for(symgen):
    made = list(symgen("count", "planar2r", "--functions", "all", "--json").data["functions"])
    assert set(DEFAULT) < set(made)
    assert "potential_energy" in made


def test_generate_can_write_a_package(symgen, monkeypatch, tmp_path):
    calls = []

    def write_package(made, directory, *, force, kind):
        calls.append((made.robot.name, directory, force, kind))
        return [directory / "setup.py"]

    monkeypatch.setattr(api, "write_package", write_package, raising=False)
    command = ["generate", "planar2r", "--package", "--states", 5, "--functions", "gravity_torque"]
    found = symgen(*command)
    assert found.code == 0
    assert found.out.splitlines()[-1] == "wrote 1 file into planar2r_pkg: setup.py"
    assert symgen(*command, "--force", "-o", "there", "--json").data["files"] == ["there/setup.py"]
    assert calls == [("planar2r", Path("planar2r_pkg"), False, "library"), ("planar2r", Path("there"), True, "library")]
    assert not (tmp_path / "generated").exists()


def test_generate_writes_compiled_and_checked_files(symgen, tmp_path):
    found = symgen("generate", "planar2r", "--states", 5)
    assert (found.code, found.err) == (0, "")
    names = ("planar2r.c", "planar2r.h", "planar2r_batch.c", "planar2r_batch.h", "planar2r.py")
    files = [tmp_path / "generated" / "planar2r" / name for name in names]
    assert all(path.is_file() for path in files)
    assert found.out.splitlines()[-1] == f"wrote 5 files into generated/planar2r: {', '.join(names)}"


def test_generate_is_brief_unless_told(symgen):
    command = ("generate", "planar2r", "--states", 5)
    found = symgen(*command).out.splitlines()
    assert len(found) <= 20
    facts = [line for line in found if line.startswith(("verified", "proved"))]
    assert [re.match(r"\w+: \d+ \w+", line)[0] for line in facts] == [
        "verified: 6 functions",
        "verified: 6 identities",
        "proved: 6 functions",
    ]
    data = symgen(*command, "--json").data
    for line, kind in zip(facts, ("oracle", "identity"), strict=False):
        worst = max((c for c in data["checks"] if c["kind"] == kind), key=lambda c: c["error"] / c["tolerance"])
        assert f"5 states; worst error {worst['error']:.1e}, rounding allows {worst['tolerance']:.0e} (" in line
    full = symgen(*command, "--verbose").out
    # The module, which runs on the C, and the plain Python.
    assert len(rows(full, "oracle")) == 2 * sum(check["kind"] == "oracle" for check in data["checks"])
    assert len(rows(full, "proved")) == len(data["proofs"]) == len(DEFAULT)
    assert "\nforward_dynamics: " in full
    assert [f"wrote {path}" for path in data["files"]] == full.splitlines()[-5:]


def test_what_is_not_proved_is_told_with_the_reason(symgen, arm, monkeypatch):
    """More square roots than a prime field has: every output says so, and none says proved."""
    monkeypatch.setattr("symgen.algebra.prime._SEARCH_BITS", 8)
    path = arm(head() + link(inertia=ROOTS))
    options = (path, "--functions", "gravity_torque,inertia_matrix", "--effort", "low", "--states", 2)
    told = "not proved: inertia_matrix, gravity_torque, because the robot's numbers hold 31 independent square roots"
    brief, full, shown = symgen("generate", *options), symgen("generate", *options, "-v"), symgen("verify", *options)
    for found in (brief, full, shown):
        assert found.code == 0
        assert told in " ".join(found.out.split())
        assert "\nproved" not in found.out
    for found in (full, shown):
        assert [row[-1] for row in rows(found.out, "N^T M")] == ["not proved", "not proved"]
    data = symgen("verify", *options, "--json").data
    assert (data["passed"], data["proved"]) == (True, False)
    assert {(proof["holds"], "square roots" in proof["reason"]) for proof in data["proofs"]} == {(None, True)}
    with pytest.warns(api.UnprovedWarning, match="not proved: gravity_torque, because"):
        api.generate(path, functions=["gravity_torque"], states=2)


def test_long_chains_are_proved(symgen):
    out = symgen("generate", "chain17", "--functions", "gravity_torque", "--effort", "low", "--states", 2).out
    assert "\nproved: 1 function equal to" in out
    assert "not proved" not in out


def test_generate_as_json(symgen):
    found = symgen("generate", "planar2r", "--json", "--lang", "c", "-o", "out", "--states", 5)
    data = found.data
    assert (data["robot"], data["passed"], data["notices"]) == ("planar2r", True, [])
    assert data["files"] == [f"out/planar2r{end}" for end in (".c", ".h", "_batch.c", "_batch.h")]
    assert list(data["functions"]) == DEFAULT
    assert {check["passed"] for check in data["checks"]} == {True}


def test_what_is_written_is_run_in_its_language(symgen, monkeypatch):
    command = ("generate", "planar2r", "--lang", "python,js", "-o", "out", "--states", 5)
    out = symgen(*command).out
    assert "\nPython: verified: 6 functions against the oracle, 5 states; " in out
    assert out.endswith("wrote 2 files into out: planar2r.py, planar2r.mjs\n")
    monkeypatch.setattr("symgen.emit.js.runner.TOOL", "no-such-tool")
    assert "\nJavaScript: written, not run: no no-such-tool found\n" in symgen(*command).out
    found = symgen("verify", "planar2r", "--states", 5, "--lang", "js", "--json").data["languages"]
    assert found == {"js": {"run": False, "passed": None, "reason": "no no-such-tool found"}}


def test_verify_joins_what_passed_alike(symgen):
    found = symgen("verify", "planar2r", "--states", 5)
    assert found.code == 0
    ((name, *_, verdict),) = rows(found.out, "single calls = batch")
    assert (name, verdict) == ("every function: single calls = batch", "ok")
    assert len(rows(found.out, "proved")) == len(DEFAULT)


def test_verify_as_json(symgen):
    data = symgen("verify", "planar2r", "--json", "--states", 5, "--seed", 3).data
    assert set(data) == {"robot", "backend", "passed", "proved", "checks", "languages", "proofs"}
    assert set(data["checks"][0]) == {"name", "kind", "states", "error", "tolerance", "passed"}
    assert set(data["proofs"][0]) == {"function", "statement", "holds", "reason"}
    assert [proof["function"] for proof in data["proofs"]] == DEFAULT


def test_what_is_left_out_is_told(symgen, arm):
    path = arm(head() + link() + link(name='"tip"', joint_name='"wrist"', **MASSLESS))
    for command in (["count", path, "--json"], ["verify", path, "--states", 5, "--json"]):
        found = symgen(*command)
        assert found.code == 0
        assert "notice: arm: forward_dynamics cannot be generated" in found.err
        assert "(wrist)" in found.err
        assert found.data["robot"] == "arm"
    found = symgen("generate", path, "--functions", "forward_dynamics")
    assert found.code == 2
    assert found.err.startswith("symgen: arm: forward_dynamics cannot be generated")
    assert "(wrist)" in found.err


@pytest.mark.parametrize("command", ["count", "verify", "generate"])
def test_every_command_shows_what_the_reader_noticed(symgen, arm, command):
    found = symgen(command, arm(head() + link(alpha="1.57")), "--functions", "gravity_torque")
    assert found.code == 0
    assert found.err == (
        'notice: links[1].alpha: 1.57 is close to pi/2 but is not it; write "pi/2" for a right angle\n'
    )


@pytest.mark.parametrize("command", ["count", "verify", "show"])
def test_only_info_tells_of_inertia_that_no_body_has(symgen, arm, command):
    path = arm(head() + link(alpha='"pi/2"') + link(name='"hand"', inertia="{ zz = 5 }"))
    told = symgen("info", path).out
    assert told.count("notice: links[2].inertia (link 'hand'): no body has this inertia") == 1
    assert symgen("info", path, "--json").data["notices"][0].startswith("links[2].inertia (link 'hand'): no body")
    found = symgen(command, path, *(["--functions", "gravity_torque"] if command != "show" else []))
    assert (found.code, found.err) == (0, "")


def test_every_command_tells_once_of_numbers_in_other_units(symgen, arm):
    path = arm(head() + link(com="[-198, 0, 0]") + link(com="[-140, 0, 0]"))
    text = "notice: units: the mass centre of link1 is 198 m from its frame"
    assert symgen("info", path).out.count(text) == 1
    found = symgen("count", path, "--functions", "gravity_torque")
    assert found.err.count("notice") == 1
    assert found.err.startswith(text)


def test_info_and_headers_show_joints_that_turn_the_other_way(symgen, arm, tmp_path):
    path = arm(head() + link(direction="-1", offset="0.5") + link())
    found = symgen("info", path)
    assert re.search(r"joint1 \(revolute\) │ +1 │ +0 │ 0 │ +-q │ +0.5 │", found.out)
    assert [entry["direction"] for entry in symgen("info", path, "--json").data["links"]] == [-1, 1]
    assert [entry["axis"][2] for entry in symgen("info", path, "--json").data["links"]] == [-1, 1]
    assert symgen("generate", path, "--functions", "gravity_torque", "--output", tmp_path).code == 0
    assert "link1: revolute, a = 1, offset = 0.5, direction = -1, mass = 2" in (tmp_path / "arm.h").read_text()


# errors ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["info", "nosuch"], "symgen: 'nosuch' is neither a file nor a robot of the library"),
        (["info", "nosuch.toml"], "symgen: 'nosuch.toml': there is no such file"),
        (["info", "."], "symgen: '.' is a directory; expected a robot file"),
        (["generate", "planar2r", "--functions", "nope"], "symgen: unknown function 'nope'; there are: inverse_dyn"),
        (["generate", "planar2r", "--functions", ""], "symgen: no function was asked for; there are"),
        (["generate", "planar2r", "--lang", "cobol"], "symgen: unknown language 'cobol'; there are: c, python, js"),
        (["generate", "planar2r", "--lang", ""], "symgen: no language was asked for"),
        (
            ["generate", "planar2r", "--forward-dynamics", "crba"],
            "'crba' is not one of 'auto', 'udu', 'columns', ",
        ),
        (["generate", "planar2r", "--states", "0"], "0 is not in the range"),
        (["verify", "planar2r", "--seed", "x"], "'x' is not a valid integer"),
        (["info"], "Missing argument 'ROBOT'"),
        (["init"], "Missing argument 'PATH'"),
        (["init", "."], "symgen: . is a directory; expected the path of a robot file, such as my_arm.toml"),
        (["init", "con.toml"], "symgen: a robot named 'con' would give its files the name of a device"),
        (["init", "x.toml", "--name", "a b"], "symgen: the name 'a b' must be a letter followed by"),
        (["init", "x.toml", "--convention", "craig"], "'craig' is not one of 'standard', 'modified'"),
        (["init", "x.toml", "--joints", "0"], "0 is not in the range"),
        (["convert", "puma", "--to", "craig"], "'craig' is not one of 'standard', 'modified', 'toml', 'urdf'"),
        (["convert", "nosuch", "--to", "modified"], "symgen: 'nosuch' is neither a file nor a robot of the library"),
        (["convert", "puma", "--to", "modified", "-o", "."], "symgen: . is a directory"),
        (["generate", "planar2r", "--wrench", "hand"], "symgen: planar2r: no frame is called 'hand'; there are: link1"),
        (["count", "planar2r", "--frames", "hand"], "symgen: planar2r: no frame is called 'hand'; there are: link1"),
        (["count", "planar2r", "--parameters", "m9"], "symgen: planar2r: unknown parameter 'm9'; there are"),
        (["count", "planar2r", "--parameters", "runtime,m2"], "runtime stands for all parameters and excludes names"),
        (
            ["count", "planar2r", "--parameters", " , "],
            "--parameters: expected numeric, runtime, base or names, found nothing",
        ),
        (["count", "planar2r", "--parameters", "base,L1"], "base stands for all parameters and excludes names"),
        (["verify", "puma", "--parameters", "base", "--regressor", "standard"], "symgen: regressor: expected 'base'"),
        (["generate", "planar2r", "--parameters", "symbolic"], "symgen: symbolic parameters are for counting"),
        (["verify", "planar2r", "--gravity", "none"], "'none' is not one of 'numeric', 'runtime'"),
        (["verify", "planar2r", "--axes", "tool"], "'tool' is not one of 'base', 'frame'"),
        (["verify", "planar2r", "--real", "float16"], "'float16' is not one of 'float64', 'float32'"),
        (["generate", "planar2r", "--package", "--lang", "c"], "--package and --lang exclude each other"),
        (["generate", "planar2r", "--force"], "--force goes with --package; plain files are always replaced"),
        (["info", "puma", "extra"], "unexpected extra argument (extra)"),
        (["nosuch"], "No such command 'nosuch'"),
        (["--nosuch"], "No such option"),
    ],
)
def test_bad_input_gives_a_message_and_exit_code_2(symgen, args, words):
    found = symgen(*args)
    assert (found.code, found.out) == (2, "")
    assert words in found.err


def test_all_problems_of_a_file_are_shown(symgen, arm):
    path = arm(head(gravity=None) + link(joint='"rotary"') + link(com=None))
    found = symgen("generate", path)
    assert found.code == 2
    assert found.err.splitlines()[0] == f"symgen: {path}: 3 problems"
    assert [line.split(":")[0] for line in found.err.splitlines()[1:]] == [
        "  gravity",
        "  links[1].joint",
        "  links[2].mass",
    ]


@pytest.mark.parametrize("options", [["--help"], ["-h"], ["--version"], ["info", "--help"]])
def test_help_is_no_error(symgen, options):
    found = symgen(*options)
    assert (found.code, found.err) == (0, "")
    assert found.out


@pytest.mark.parametrize(
    ("name", "result"), [("compare", FAILING), ("prove", (Proof("gravity_torque", "= -N^T M [0; g]", False),))]
)
def test_a_failed_verification_has_exit_code_1_and_writes_nothing(symgen, tmp_path, monkeypatch, name, result):
    output = tmp_path / "out"
    output.mkdir()
    (output / "planar2r.c").write_text("old", encoding="utf-8")
    monkeypatch.setattr(judging, name, lambda *args, **kwargs: result)
    for command in (["generate", "planar2r", "-o", output, "--states", 2], ["verify", "planar2r", "--states", 2]):
        found = symgen(*command)
        assert found.code == 1
        assert rows(found.out + found.err, "FAILED") or rows(found.out + found.err, "REFUTED")
        assert "symgen: planar2r: verification failed" in found.err
    assert [path.read_text(encoding="utf-8") for path in output.iterdir()] == ["old"]


def test_output_that_cannot_be_written(symgen, arm):
    path = arm(GOOD)
    for output in (path, path / "below"):
        found = symgen("generate", path, "-o", output, "--states", 2)
        assert found.code == 2
        assert found.err.startswith(f"symgen: {output}: cannot be written: ")
        assert path.read_text(encoding="utf-8") == GOOD


def test_without_a_compiler_one_notice_says_so(symgen, monkeypatch, tmp_path):
    monkeypatch.setenv("CC", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = symgen("generate", "planar2r", "--states", 5, "--json")
    assert found.code == 0
    assert found.err.count("notice") == 1
    assert "no C compiler found" in found.err
    assert "runs on pure NumPy" in found.err
    assert (found.data["backend"], found.data["passed"], len(found.data["files"])) == ("numpy", True, 5)


def test_a_failing_compiler_is_quoted(symgen, monkeypatch, tmp_path):
    compiler = tmp_path / "badcc"
    compiler.write_text('#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "license expired" >&2\nexit 1\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("SYMGEN_CACHE", str(tmp_path / "cache"))
    found = symgen("generate", "planar2r")
    assert found.code == 2
    assert "license expired" in found.err
    assert f"command: {compiler}" in found.err
    assert not (tmp_path / "generated").exists()


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (KeyboardInterrupt(), 130, "symgen: interrupted"),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
        (OSError(28, "No space left on device"), 2, "symgen: No space left on device"),
        (PermissionError(13, "Permission denied", "/x"), 2, "symgen: /x: Permission denied"),
        (ZeroDivisionError("oops"), 3, "symgen: this is a bug of symgen: ZeroDivisionError: oops (test_cli.py, line"),
        (RecursionError("too deep"), 3, "Please report it with the robot file"),
    ],
)
def test_whatever_happens_there_is_no_traceback(symgen, monkeypatch, error, code, words):
    def run(*args, **kwargs):
        raise error

    monkeypatch.setattr(api, "run", run)
    found = symgen("generate", "planar2r")
    assert (found.code, found.out) == (code, "")
    assert words in found.err


# pipes and terminals -------------------------------------------------------------------------------------------

_COMMAND = [sys.executable, "-c", "from symgen.cli import main; main()"]


@pytest.mark.parametrize("args", [["list"], ["list", "--json"], ["info", "puma"]])
def test_a_reader_that_goes_away_is_no_error(args):
    process = subprocess.Popen([*_COMMAND, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    with process:
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("args", [["list"], ["info", "puma"]])
def test_a_full_device_is_told(args):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*_COMMAND, *args], stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert (done.returncode, done.stderr) == (2, "symgen: No space left on device\n")


def test_letters_that_the_terminal_lacks_are_replaced(arm):
    path = arm(
        head(description='"Stäubli θ"')
        + link(alpha='"pi/2"')
        + link(name='"hand"', inertia="{ xx = 1, yy = 1, zz = 5 }")
    )
    for args in (["info", str(path)], ["count", str(path)]):
        environment = os.environ | {"PYTHONIOENCODING": "ascii"}
        done = subprocess.run([*_COMMAND, *args], env=environment, capture_output=True, check=False, text=True)
        assert done.returncode == 0
        assert "Stäubli" not in done.stdout + done.stderr
        assert ("break the triangle inequality" in done.stdout) is (args[0] == "info")


def on_a_terminal(columns, *args):
    """What a command shows on a terminal of that width."""
    pty = pytest.importorskip("pty")
    reader, writer = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CI")}
    environment |= {"COLUMNS": str(columns), "LINES": "50", "TERM": "xterm"}
    with subprocess.Popen([*_COMMAND, *args], stdout=writer, stderr=writer, stdin=writer, env=environment) as process:
        os.close(writer)
        shown = b"".join(iter(lambda: _read(reader), b""))
    os.close(reader)
    return process.returncode, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())


def _read(reader):
    try:
        return os.read(reader, 4096)
    except OSError:  # Linux's way to say that the other end is closed
        return b""


@pytest.mark.parametrize("columns", [20, 60, 80, 300])
@pytest.mark.parametrize("args", [["info", "puma"], ["convert", "panda", "--to", "standard", "--frames"]])
def test_nothing_is_cut_on_a_narrow_terminal(columns, args):
    code, shown = on_a_terminal(columns, *args)
    assert code == 0
    assert "…" not in shown
    assert "joint6" in shown
    assert ("0.452 0.149 -0.382" if args[0] == "info" else "0.088 0 0.926") in shown


def test_long_steps_show_on_a_terminal():
    code, shown = on_a_terminal(80, "verify", "planar2r", "--states", "5", "--json")
    assert code == 0
    assert "deriving" in shown or "compiling" in shown or "verifying" in shown
