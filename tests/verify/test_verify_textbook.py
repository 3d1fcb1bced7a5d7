"""No correct robot is refused, however its numbers cancel; and wrong code for them is."""

from __future__ import annotations

import numpy as np
import pytest
from module_functions import interpreted, setting_of
from textbook_robots import EQUAL_LINKS, MASSLESS_MIDDLE, textbook_robot
from thorough import usual

import symgen
from symgen.derive.derivation import Options, derive
from symgen.program.graph import Graph
from symgen.program.module import Argument, Function
from symgen.program.program import Array, Op
from symgen.program.rounding import UNITS, Rounding, loss, roundings
from symgen.prove.proof import prove
from symgen.robot.reader import read_text
from symgen.verify.compare import verify


@pytest.mark.parametrize("text", [EQUAL_LINKS, MASSLESS_MIDDLE], ids=["equal links", "massless middle"])
def test_a_module_of_a_hard_robot_is_generated(text):
    module = symgen.generate(read_text(text, "robot"), states=1000)
    assert np.isfinite(module.inertia_matrix(np.zeros(3))).all()


@pytest.mark.parametrize("chunk", usual(2, range(8)))
def test_no_textbook_robot_is_refused(chunk):
    refused = []
    for seed in range(chunk, 60, 8):
        robot = read_text(textbook_robot(seed), "robot")
        derivation = derive(robot, Options(effort="low", functions=("all",) if seed % 6 == 0 else None))
        bounds = roundings(derivation.module)
        report = verify(robot, interpreted(derivation), 20, setting=setting_of(derivation), roundings=bounds)
        refused += [f"{seed}: {check}" for check in report.failures]
        refused += [f"{seed}: {proof.function} is not proved" for proof in prove(derivation) if not proof.holds]
    assert refused == []


def test_drives_that_are_far_stronger_than_the_links_hide_no_slopes():
    """As in hands, whose links weigh grams: friction does not change with q, whatever it amounts to."""
    drives = "mass = 1e-3\nviscous_friction = 1e4\nrotor_inertia = 1e3\nstiffness = 1e3\n"
    robot = read_text(EQUAL_LINKS.replace("mass = 1\n", drives), "robot")
    functions = ("inverse_dynamics_derivatives", "inverse_dynamics_hessian")
    derivation = derive(robot, Options(functions=functions, effort="low"))
    bounds = roundings(derivation.module)
    report = verify(robot, interpreted(derivation), setting=setting_of(derivation), roundings=bounds)
    assert report.passed, str(report)


def test_the_algorithm_that_keeps_the_digits_is_taken():
    """A heavy hand on a light arm: factors of the inertia matrix lose what articulated bodies keep."""
    text = EQUAL_LINKS.replace("mass = 1\n", "mass = 1e-7\n", 1)
    text = "mass = 1e4\n".join(text.rsplit("mass = 1\n", 1))
    robot = read_text(text, "robot")
    chosen = derive(robot, Options(functions=("forward_dynamics",), effort="low"))
    losses = {
        algorithm: loss(
            derive(robot, Options(functions=("forward_dynamics",), forward_dynamics=algorithm, effort="low"))
            .module.functions[0]
            .program,
            {},
        )
        for algorithm in ("udu", "aba")
    }
    assert losses["udu"] > 2**20
    assert losses["aba"] < losses["udu"] / 8
    assert chosen.choices["forward_dynamics"].algorithm == "aba"


def test_bounds_hold_and_are_no_wider_than_they_must_be():
    """In single precision, where double precision tells the errors: some reach a hundredth of a bound, none one."""
    derivation = derive(symgen.load("puma"), Options(functions=("all",), effort="low", real="float32"))
    generator = np.random.default_rng(3)
    for function, bound in roundings(derivation.module).items():
        program = derivation.module.function(function).program
        inputs = {array.name: np.float32(generator.uniform(-2, 2, (50, *array.shape))) for array in program.inputs}
        exact, single = run(program, inputs, np.float64), run(program, inputs, np.float32)
        radii = bound(*(inputs[argument.name] for argument in derivation.module.function(function).inputs))
        shares = []
        for right, rough, radius in zip(exact, single, radii, strict=True):
            off = np.abs(right - rough)
            assert (off <= radius).all(), function
            shares.append(np.max(off[radius > 0] / radius[radius > 0], initial=0))
        assert max(shares) > 0.01 or not any((radius > 0).any() for radius in radii), function


def test_bounds_hold_where_nothing_but_rounding_is_left():
    """Of a product whose factors are both zero but for rounding."""
    graph = Graph()
    x, y, z = (graph.variable("x", k) for k in range(3))
    nothing = (x * y) * z - x * (y * z)
    products = [nothing * nothing, nothing * ((y * z) * x - y * (z * x))]
    program = graph.program((Array("x", (3,)),), [(Array("y", (2,)), products)])
    given, result = Argument("x", (3,), "1", ""), Argument("y", (2,), "1", "")
    bound = Rounding(Function("product", "", "", (given,), (result,), program), UNITS["float32"])
    points = np.float32(np.random.default_rng(1).uniform(-2, 2, (50, 3)))
    (found,), (radius,) = run(program, {"x": points}, np.float32), bound(points)
    assert np.abs(found).max() > 0
    assert (np.abs(found) <= radius).all()


def run(program, inputs, real):
    """The outputs of a program in a real type, every operation rounded to it."""
    values = []
    operations = {
        Op.ADD: np.add,
        Op.SUB: np.subtract,
        Op.MUL: np.multiply,
        Op.DIV: np.divide,
        Op.NEG: np.negative,
        Op.SIN: np.sin,
        Op.COS: np.cos,
    }
    for instruction in program.instructions:
        if instruction.op is Op.CONSTANT:
            value = np.full(50, float(instruction.value), dtype=real)
        elif instruction.op is Op.VARIABLE:
            value = inputs[instruction.name].reshape(50, -1)[:, instruction.entry].astype(real)
        else:
            value = operations[instruction.op](*(values[arg] for arg in instruction.args)).astype(real)
        values.append(value)
    return [
        np.stack([values[node] for node in nodes], axis=-1).reshape(50, *array.shape).astype(float)
        for array, nodes in program.outputs
    ]


COAXIAL = """
name = "coaxial"
convention = "standard"
gravity = [0, -9.81, 0]
inertia_about = "com"

[[links]]
joint = "revolute"
mass = 0
com = [0, 0, 0]
inertia = { zz = 1e-20 }

[[links]]
joint = "revolute"
mass = 1
com = [0.3, 0, 0]
inertia = { zz = 1 }
"""


def test_where_nothing_is_known_that_is_said():
    """Two joints about one line, and next to nothing between them: only their sum's acceleration is determined."""
    robot = read_text(COAXIAL, "robot")
    derivation = derive(robot, Options(effort="low", forward_dynamics="udu"))
    report = verify(robot, interpreted(derivation), roundings=roundings(derivation.module))
    assert report.passed, str(report)
    note = next(check.note for check in report.checks if check.name == "forward_dynamics")
    assert "nothing is known at 100 of 100 states" in note
    assert all(check.note == "" for check in report.checks if "forward_dynamics" not in check.name)
