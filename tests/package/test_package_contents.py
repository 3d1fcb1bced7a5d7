"""What is in a package: the same bytes every time, in words that its receiver needs, and nothing of this machine."""

import ast
import json
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from robot_text import head, link

from symgen.derive.derivation import Options, derive
from symgen.errors import InputError
from symgen.package import package_files, write_package
from symgen.robot.library import load
from symgen.runtime.module import emit

WRITE = """
import sys
from symgen.derive.derivation import derive, Options
from symgen.runtime.module import emit
from symgen.package import write_package
from symgen.robot.library import load
robot = load("scara")
derivation = derive(robot, Options(("all",), parameters="runtime", gravity="runtime", wrenches=("gripper",)))
write_package(robot, derivation, emit(derivation.module), sys.argv[1])
"""


def everything(directory):
    return {path.relative_to(directory): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_same_bytes_in_another_process(written, run, tmp_path):
    run(sys.executable, "-c", WRITE, tmp_path / "other", env={"PYTHONHASHSEED": "7"})
    assert everything(tmp_path / "other") == everything(written["scara"])


def test_nothing_of_this_machine(written):
    for directory in written.values():
        for path, content in everything(directory).items():
            for word in (str(Path.cwd()), str(directory), sys.prefix):
                assert word.encode() not in content, path


@pytest.mark.parametrize("name", ["puma", "scara", "planar3r"])
def test_python_stands_alone(written, name):
    for path in (written[name] / "python").rglob("*.py"):
        imported = [
            node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        roots = {alias.name for node in imported if isinstance(node, ast.Import) for alias in node.names}
        roots |= {node.module for node in imported if isinstance(node, ast.ImportFrom)}
        assert not any(root.startswith("symgen") for root in roots), path


def test_project_file(written):
    project = tomllib.loads((written["puma"] / "python" / "pyproject.toml").read_text())
    assert project["project"]["name"] == "puma_dynamics"


def test_readme(written):
    text = (written["scara"] / "README.md").read_text()
    expected = [
        "| `inverse_dynamics` * | q (4), qd (4), qdd (4), gravity (3), wrench (6) | tau (4) |",
        "| `inertia` | 4 x 4 | kg m^2, kg m or kg |",
        "| 2 | `joint3` | prismatic | m | m/s | N |",
        "| `m1` | 8.5 | kg | mass, link 1 |",
        "Gravity is an argument; the robot file has (0, 0, -9.81) m/s^2",
        "The generated code belongs to you",
        "cc -std=c99 -O2 -Iinclude main.c src/scara.c -lm",
        "scara_inverse_dynamics(q, qd, qdd, gravity, wrench, &constants, tau);",
        "P. Corke's Robotics Toolbox",
    ]
    for line in expected:
        assert line in text
    assert "constants" not in (written["puma"] / "README.md").read_text()
    assert "single precision" in (written["planar3r"] / "README.md").read_text()


def odd_robot(tmp_path):
    """A robot whose links have names that are none, or words, in C, whose texts try to get out of where they stand."""
    path = tmp_path / "odd.toml"
    path.write_text(
        head(name='"odd"', description='\'*/ \\ """ # | `x` <b> {{ name }} %s\'', source='\'""" */ [x](y) ```\'')
        + link(name='"2nd arm"')
        + link(name='"while"', alpha='"pi/2"')
    )
    return load(path)


def test_odd_names_are_mapped_in_sight(tmp_path, run):
    robot = odd_robot(tmp_path)
    derivation = derive(robot, Options(("all",), frames=("2nd arm", "while"), wrenches=("2nd arm", "while")))
    write_package(robot, derivation, emit(derivation.module), tmp_path / "pkg")
    text = (tmp_path / "pkg" / "README.md").read_text()
    assert "| `2nd arm` | `f_2nd_arm` |" in text
    run("make", "check", "CFLAGS=-O1 -Werror", cwd=tmp_path / "pkg")
    for path in (tmp_path / "pkg").rglob("*.py"):
        compile(path.read_text(), str(path), "exec", dont_inherit=True)


def test_vectors_are_readable_and_in_the_real_type(written):
    vectors = json.loads((written["planar3r"] / "python" / "tests" / "vectors.json").read_text())
    for rows in vectors["inputs"].values():
        for value in np.ravel(rows):
            assert value == float(np.float32(value))
            assert value == np.float32(f"{value:.4g}")
    assert vectors["results"]["forward_dynamics"]["qdd"]["tolerance"] < 1


def test_no_directory():
    robot = load("puma")
    derivation = derive(robot, Options(("gravity_torque",)))
    with pytest.raises(InputError, match="path of a directory"):
        write_package(robot, derivation, emit(derivation.module), "")


def test_package_of_one_function():
    robot = load("planar2r")
    derivation = derive(robot, Options(("inertia_matrix",)))
    files = package_files(robot, derivation, emit(derivation.module))
    assert "planar2r_inertia_matrix(q, inertia);" in files["examples/example.c"]


def test_other_version_other_words(derivations):
    derivation = derivations["planar3r"]
    record = replace(derivation.module.record, generator="symgen 99")
    module = replace(derivation.module, record=record)
    files = package_files(load("planar3r"), replace(derivation, module=module), emit(module))
    assert "- Generator: symgen 99" in files["README.md"]
