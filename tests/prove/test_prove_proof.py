"""Proofs in the prime field hold for every library robot, and do not hold for a wrong program."""

from dataclasses import replace

import pytest
from derivations import derivation, searched
from robot_text import head, link

from symgen.algebra.roots import sqrt
from symgen.derive.derivation import Options, derive
from symgen.prove.proof import MAX_BODIES, prove
from symgen.robot.expression import ZERO, constant
from symgen.robot.library import chain, load, names
from symgen.robot.model import Inertia
from symgen.robot.reader import read_text


@pytest.mark.parametrize(
    ("name", "algorithm"), [*((name, "auto") for name in names()), ("scara", "aba"), ("stanford", "aba")]
)
def test_library_robots_are_proved(name, algorithm):
    made = derivation(name, algorithm)
    proofs = prove(made)
    assert [proof.function for proof in proofs] == [function.name for function in made.module.functions]
    assert all(proof.holds for proof in proofs)
    assert all(proof.statement for proof in proofs)


@pytest.mark.parametrize("name", ["planar3r", "puma", "scara"])
def test_what_a_search_found_is_proved(name):
    assert all(proof.holds for proof in prove(searched(name)))


def test_a_wrong_program_is_found_out():
    made = derivation("puma")
    other = derivation("ur5").module
    functions = tuple(
        replace(function, program=wrong.program)
        for function, wrong in zip(made.module.functions, other.functions, strict=True)
    )
    mixed = replace(made, module=replace(made.module, functions=functions))
    assert not any(proof.holds for proof in prove(mixed))


def test_a_program_that_is_slightly_wrong_is_found_out():
    made = derivation("scara")
    robot = load("scara")
    last = robot.links[-1]
    heavier = replace(last, inertia=replace(last.inertia, mass=last.inertia.mass + constant(1)))
    subject = replace(made.subject, robot=replace(robot, links=(*robot.links[:-1], heavier)))
    proofs = {p.function: p.holds for p in prove(replace(made, subject=subject))}
    assert not proofs["inverse_dynamics"]
    assert not proofs["gravity_torque"]
    assert not proofs["forward_dynamics"]


def test_angles_given_by_ratios_are_proved():
    turned = '{ xx = 1, yy = 2, zz = 2, xy = 0.1, frame = { rpy = ["atan(pi)", "asin(0.2)", 0] } }'
    text = (
        head(base='{ rpy = ["atan2(1, 2)", "acos(0.123)", "asin(1/3) + 0.2"] }')
        + link(alpha='"atan2(0.6, -0.8)"', b='"sqrt(3)/10"', inertia=turned)
        + link(alpha='"asin(0.987654321)"', offset='"acos(0.9)"', inertia="{ xx = 1, yy = 2, zz = 2, xy = 0.1 }")
        + link(joint='"prismatic"', alpha='"atan(sqrt(2) + pi)/2"', theta='"2*atan(1/7)"')
    )
    made = derive(read_text(text, "arm.toml"), Options(functions=("all",), effort="low"))
    assert all(proof.holds for proof in prove(made))


@pytest.mark.parametrize("number", [2, 5, 7, 11, 13, 30])
def test_square_roots_that_the_program_has_no_more(number):
    """m (√5)² is a program without a root; the block form meets the root itself."""
    arm = chain(1)
    inertia = Inertia(constant(1), (constant(sqrt(number)), ZERO, ZERO), (ZERO,) * 6, about_origin=False)
    robot = replace(arm, links=(replace(arm.links[0], after=(), inertia=inertia),))
    made = derive(robot, Options(functions=("inertia_matrix", "inverse_dynamics")))
    assert all(proof.holds for proof in prove(made))


def test_very_long_arms_are_left_out():
    robot = chain(MAX_BODIES + 1)
    assert prove(derive(robot, Options(functions=("gravity_torque",)))) == ()


OPTIONS = {
    "all": Options(functions=("all",), effort="low"),
    "frame axes": Options(functions=("all",), axes="frame", effort="low"),
    "run-time everything": Options(
        functions=("all",), parameters="runtime", gravity="runtime", wrenches=("link2",), effort="low"
    ),
    "payload": Options(functions=("all",), parameters=("link3",), forward_dynamics="aba", effort="low"),
}


CASES = [(robot, options) for robot in ("planar3r", "stanford") for options in OPTIONS]
CASES.append(("panda", "payload"))


@pytest.mark.parametrize(("robot", "options"), CASES)
def test_every_function_and_option_is_proved(robot, options):
    assert [proof for proof in prove(derive(load(robot), OPTIONS[options])) if not proof.holds] == []


OFFSETS = """
name = "offsets"
convention = "standard"
gravity = [0, "-9.81", 1]
inertia_about = "com"
parameters = { d1 = 0.3, d2 = "pi/5" }
links = [
    { joint = "revolute", offset = "-d1", a = 0.5, alpha = "0.3", mass = 1, com = [0.1, 0.2, 0.3] },
    { joint = "revolute", offset = "d1 + d2 - pi/2", a = 0.5, mass = "1 + d1", com = [0.1, 0.2, 0.3] },
    { joint = "prismatic", offset = "2*d2 - 1", alpha = "-0.6", mass = 1, com = [0.1, 0.2, "d1"] },
]
"""


@pytest.mark.parametrize("parameters", ["numeric", "runtime", ("d1",)], ids=str)
def test_offsets_may_be_expressions_of_parameters(parameters):
    derivation = derive(read_text(OFFSETS, "offsets"), Options(functions=("all",), parameters=parameters, effort="low"))
    assert [proof for proof in prove(derivation) if not proof.holds] == []
