"""JavaScript: the numbers of the C bit for bit, every option, and what Node says of bad arguments."""

import json
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from beside_c import OPTIONS, assert_any_program, assert_large_angles, assert_same_as_c, circles, gcc

from symgen.emit.registry import language
from symgen.errors import EnvironmentFault, InternalError

JS = language("js")
node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


@node
@gcc
@pytest.mark.parametrize("real", ["float64", "float32"])
@pytest.mark.parametrize("name", OPTIONS)
def test_the_numbers_are_those_of_the_c(name, real, tmp_path):
    assert_same_as_c("js", replace(OPTIONS[name](), real=real), tmp_path)


@node
def test_any_program():
    assert_any_program("js", 60)


@node
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_large_angles_and_what_is_no_number(real):
    assert_large_angles("js", real)


def script(folder, made, text):
    """What a module that uses the generated one prints, as JSON."""
    for name, content in JS.write(made).items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "use.mjs").write_text(f'import * as robot from "./{made.name}.mjs";\n{text}')
    done = subprocess.run(["node", str(folder / "use.mjs")], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


@node
def test_what_a_program_sees(tmp_path):
    made = OPTIONS["run-time parameters"]()
    first = made.parameters[0].name
    text = f"""
    const n = robot.NQ;
    const q = new Float64Array(n), tau = new Float64Array(n), g = Float64Array.of(0, 0, -9.81);
    const usual = robot.inverse_dynamics(q, q, q, g, robot.constants_of(), tau);
    const heavy = robot.inverse_dynamics(q, q, q, g, robot.constants_of({{ {first}: 1e3 }}));
    console.log(JSON.stringify([usual === tau, heavy.length, robot.JOINTS, robot.PARAMETERS.{first}]));
    """
    assert script(tmp_path, made, text) == [
        True,
        made.record.nv,
        [joint.name for joint in made.record.joints],
        made.parameters[0].default,
    ]


BAD = {
    "robot.gravity_torque([0, 0])": "gravity_torque: q: expected a Float64Array of 2, found object",
    "robot.gravity_torque(new Float64Array(3))": "expected a Float64Array of 2, found one of 3",
    "robot.gravity_torque()": "expected a Float64Array of 2, found undefined",
    "robot.constants_of({ nosuch: 1 })": "parameters unknown: nosuch; there are: ",
}


@node
@pytest.mark.parametrize("call", BAD)
def test_bad_arguments_are_named(call, tmp_path):
    assert BAD[call] in script(tmp_path, OPTIONS["base parameters"](), call)


@node
def test_a_module_that_node_cannot_load_is_our_fault():
    made = circles()
    with JS.run(made, {"sample.mjs": "export const = 1;"}) as functions, pytest.raises(InternalError, match="Syntax"):
        functions["circles"](np.zeros((1, 3)))


def test_without_node(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EnvironmentFault, match="no node found"), JS.run(circles(), {}):
        pass
