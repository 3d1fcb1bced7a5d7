"""Proofs in the prime field hold for every library robot, and do not hold for a wrong program."""

import random
from dataclasses import replace
from functools import cache

import pytest
from derivations import as_derived, derivation, searched
from library_robots import ARMS
from program_mutations import mutated_program, same_numbers
from robot_text import ROOTS, head, link
from strategies import large_tree

from symgen.algebra import prime
from symgen.algebra.domain import variables
from symgen.algebra.roots import sqrt
from symgen.derive.derivation import Options, derive
from symgen.derive.options import DEFAULT_FUNCTIONS, FUNCTION_NAMES, OPTIONAL
from symgen.mechanics.coriolis import coriolis_matrix
from symgen.program.graph import Graph
from symgen.program.module import CONFIGURATIONS
from symgen.program.program import Array
from symgen.prove.proof import FORMS, UNCLAIMED, prove
from symgen.robot.expression import ZERO, constant
from symgen.robot.library import chain, load
from symgen.robot.model import Inertia
from symgen.robot.reader import read_text


@pytest.mark.parametrize(
    ("name", "algorithm"), [*((name, "auto") for name in ARMS), ("scara", "aba"), ("stanford", "aba")]
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
        if function.kind not in CONFIGURATIONS  # the same for all arms
    )
    mixed = replace(made, module=replace(made.module, functions=functions))
    assert not any(proof.holds for proof in prove(mixed))


def test_a_program_that_is_slightly_wrong_is_found_out():
    made = derivation("scara")
    robot = load("scara")
    last = robot.links[-1]
    heavier = replace(last, inertia=replace(last.inertia, mass=last.inertia.mass + constant(1)))
    subject = replace(made.subject, robot=replace(robot, links=(*robot.links[:-1], heavier)))
    proofs = {p.function: p.holds for p in prove(replace(made, made_of=lambda: subject))}
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


def test_every_kind_of_function_has_a_form():
    assert set(FORMS) | UNCLAIMED == {*FUNCTION_NAMES, *OPTIONAL}


def test_a_function_of_another_kind_is_not_proved_and_not_refuted():
    made = derivation("planar2r")
    odd = replace(made.module.functions[0], name="jerk", kind="jerk")
    (proof,) = prove(replace(made, module=replace(made.module, functions=(odd,))))
    assert (proof.function, proof.holds, proof.refuted) == ("jerk", None, False)
    assert proof.reason == "no block form is stated for jerk"


def test_more_square_roots_than_a_field_has_are_a_reason(monkeypatch):
    """In entries of the inertia that do not act, so that programs are without them."""
    monkeypatch.setattr(prime, "_SEARCH_BITS", 8)  # a short search finds no prime either
    made = derive(read_text(head() + link(inertia=ROOTS), "arm.toml"))
    proofs = prove(made)
    assert [proof.function for proof in proofs] == [function.name for function in made.module.functions]
    assert {(proof.holds, bool(proof.statement)) for proof in proofs} == {(None, True)}
    assert all("independent square roots" in proof.reason for proof in proofs)


def test_what_divides_by_zero_is_refuted():
    made, graph = derivation("planar2r"), Graph()
    a, b = (graph.variable("q", index) for index in range(2))
    hidden_zero = (a + b) * (a + b) - (a * a + 2 * (a * b) + b * b)
    outputs = [(Array("g", (2,)), [a / hidden_zero, b])]
    wrong = replace(made.module.function("gravity_torque"), program=graph.program([Array("q", (2,))], outputs))
    (proof,) = prove(replace(made, module=replace(made.module, functions=(wrong,))))
    assert (proof.holds, proof.reason) == (False, "it divides by what is identically zero")


def test_factors_that_are_not_triangular_are_found_out():
    """I = U D Uᵀ does not determine U and D: the columns of U may be exchanged with those of D."""
    made = derivation("planar2r")
    function = made.module.function("udu_factors")
    (U, (a, b, c, d)), (D, (first, second)) = function.program.outputs
    exchanged = replace(function.program, outputs=((U, (b, a, d, c)), (D, (second, first))))
    wrong = replace(made.module, functions=(replace(function, program=exchanged),))
    assert [proof.holds for proof in prove(replace(made, module=wrong))] == [False]


def test_a_coriolis_matrix_that_is_not_that_of_christoffels_symbols_is_found_out():
    """C q̇ = h does not determine C: add what q̇ makes zero."""
    made = derivation("planar2r")
    function = made.module.function("coriolis_matrix")
    graph = Graph()
    rates = list(variables(graph, "qd", 2))
    C = coriolis_matrix(made.subject.mechanism(graph), rates)
    for added, holds in ((0, True), (1, False)):
        C[0, 0], C[0, 1] = C[0, 0] + added * rates[1], C[0, 1] - added * rates[0]
        program = graph.program([Array("q", (2,)), Array("qd", (2,))], [(Array("C", (2, 2)), list(C.reshape(-1)))])
        module = replace(made.module, functions=(replace(function, program=program),))
        assert [proof.holds for proof in prove(replace(made, module=module))] == [holds]


# robots of any size ------------------------------------------------------------------------------------------


LARGE = {
    # The inertia matrix of a long chain takes long to write.
    "chain48": (chain(48), (*(name for name in DEFAULT_FUNCTIONS if name != "inertia_matrix"), "jacobian_dot")),
    "tree60": (large_tree(1, 60), (*DEFAULT_FUNCTIONS, "kinetic_energy", "forward_kinematics")),
}
MUTANTS = 12


@cache
def large(name):
    return as_derived(*LARGE[name])


@pytest.mark.parametrize("name", LARGE)
def test_programs_of_large_robots_are_proved(name):
    proofs = prove(large(name))
    assert {proof.function for proof in proofs} == set(LARGE[name][1])
    assert [proof for proof in proofs if not proof.holds] == []


@pytest.mark.parametrize("name", LARGE)
def test_no_mutated_program_of_a_large_robot_is_proved(name):
    pick, given = random.Random(name), large(name)
    functions = [pick.choice(given.module.functions) for _ in range(MUTANTS)]
    mutants = [replace(function, program=mutated_program(function.program, pick)) for function in functions]
    proofs = prove(replace(given, module=replace(given.module, functions=tuple(mutants))))
    different = [not same_numbers(f, m.program) for f, m in zip(functions, mutants, strict=True)]
    assert sum(different) > MUTANTS / 2
    assert [f"{p.function} {k}" for k, p in enumerate(proofs) if p.holds and different[k]] == []


# options ---------------------------------------------------------------------------------------------------


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
