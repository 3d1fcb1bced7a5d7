"""JavaScript: the numbers of the C bit for bit, every option, and what Node says of bad arguments."""

import ctypes
import json
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from derivations import derivation
from robots_with_drives import equipped
from sample_modules import function, module, random_module
from test_emit_batch import arrays, call, pointers, singles

from symgen.derive.derivation import Options, derive
from symgen.emit.registry import language
from symgen.errors import EnvironmentFault, InternalError
from symgen.program.graph import Graph
from symgen.program.module import CONSTANTS
from symgen.program.program import Array, Op
from symgen.program.rounding import roundings
from symgen.robot.library import chain

JS = language("js")
node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")

ABA = Options(functions=("inverse_dynamics", "forward_dynamics"), forward_dynamics="aba", effort="low")
OPTIONS = {
    "one of everything": lambda: derivation("scara").module,
    "all functions": lambda: derive(equipped("planar2r"), Options(functions=("all",), effort="low")).module,
    "run-time parameters": lambda: (
        derive(equipped("scara"), Options(parameters="runtime", gravity="runtime", effort="low")).module
    ),
    "base parameters": lambda: (
        derive(equipped("planar2r"), Options(functions=("all",), parameters="base", effort="low")).module
    ),
    "loops": lambda: derive(chain(12), ABA).module,
    "loops over parameters": lambda: derive(chain(12), replace(ABA, parameters="runtime", gravity="runtime")).module,
}


def compiled(made, folder):
    """The library of a module's C for single states, without contraction."""
    for file, text in language("c").write(made).items():
        (folder / file).write_text(text, encoding="utf-8")
    flags = ["-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared"]
    call("gcc", *flags, "-o", "library.so", f"{made.name}.c", "-lm", folder=folder)
    return ctypes.CDLL(str(folder / "library.so"))


def run(made, given):
    """Function → results in Node."""
    with JS.run(made, JS.write(made)) as functions:
        return {item.name: functions[item.name](*given[item.name]) for item in made.functions}


@node
@gcc
@pytest.mark.parametrize("real", ["float64", "float32"])
@pytest.mark.parametrize("name", OPTIONS)
def test_the_numbers_are_those_of_the_c(name, real, tmp_path):
    """Bit for bit, but where the library's tanh or atan make a difference: there within what rounding allows."""
    made = replace(OPTIONS[name](), real=real)
    library = compiled(made, tmp_path)
    given = {item.name: arrays(item, 11, real=real) for item in made.functions}
    constants = np.full(made.constants_size, np.nan, dtype=real)
    if made.parameters:
        values = np.array([parameter.default for parameter in made.parameters], dtype=real)
        getattr(library, f"{made.name}_init")(*pointers([values, constants]))
    found = run(made, given)
    for item in made.functions:
        bound = pointers([constants]) if item.inputs[-1].name == CONSTANTS else []
        expected = singles(library, made, item, given[item.name], bound)
        if not {Op.TANH, Op.ATAN}.isdisjoint(instruction.op for instruction in item.program.instructions):
            radii = roundings(made)[item.name](*given[item.name])
            assert all(np.all(abs(x - y) <= r) for x, y, r in zip(found[item.name], expected, radii, strict=True))
        else:
            assert [y.tobytes() for y in found[item.name]] == [y.tobytes() for y in expected]


@node
def test_any_program():
    made = random_module(60, trig=True)
    given = {item.name: arrays(item, 5) for item in made.functions}
    with language("python").run(made, language("python").write(made)) as plain, np.errstate(all="ignore"):
        found = run(made, given)
        for item in made.functions:
            expected = plain[item.name](*given[item.name])
            np.testing.assert_allclose(found[item.name][0], expected, rtol=1e-9, atol=1e-12)


def circles():
    graph = Graph()
    points = [part for k in range(3) for part in graph.circle(graph.variable("q", k))]
    return module(function("circles", graph.program([Array("q", (3,))], [(Array("y", (6,)), points)])))


@node
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_large_angles_and_what_is_no_number(real):
    made = replace(circles(), real=real)
    large = 1e15 if real == "float64" else 1e7
    q = np.array([[0.5, 0.6, 0.7], [large, np.nan, 1.0], [-large, 1.0, 2.0], [-0.0, np.pi, -np.pi / 2]], dtype=real)
    ((found,),) = run(made, {"circles": [q]}).values()
    np.testing.assert_allclose(found[:, ::2], np.cos(q), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found[:, 1::2], np.sin(q), rtol=1e-5, atol=1e-6)


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
