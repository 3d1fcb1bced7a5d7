"""Proofs in the prime field hold for every library robot, and do not hold for a wrong program."""

from dataclasses import replace

import pytest
from derivations import derivation

from symgen.algebra.exact import sqrt
from symgen.derivation import Options, derive
from symgen.proof import MAX_BODIES, prove
from symgen.robot.expression import ZERO, constant
from symgen.robot.library import chain, load, names
from symgen.robot.model import Inertia


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("algorithm", ["udu", "aba"])
def test_library_robots_are_proved(name, algorithm):
    made = derivation(name, algorithm).module
    proofs = prove(load(name), made)
    assert proofs
    assert {proof.function for proof in proofs} <= {function.name for function in made.functions}
    assert all(proof.holds for proof in proofs)
    assert all(proof.statement for proof in proofs)


def test_a_wrong_program_is_found_out():
    made = derivation("puma").module
    other = derivation("ur5").module
    mixed = replace(
        made,
        functions=tuple(
            replace(function, program=wrong.program)
            for function, wrong in zip(made.functions, other.functions, strict=True)
        ),
    )
    assert not any(proof.holds for proof in prove(load("puma"), mixed))


def test_a_program_that_is_slightly_wrong_is_found_out():
    made = derivation("scara").module
    robot = load("scara")
    last = robot.links[-1]
    heavier = replace(last, inertia=replace(last.inertia, mass=last.inertia.mass + constant(1)))
    proofs = {p.function: p.holds for p in prove(replace(robot, links=(*robot.links[:-1], heavier)), made)}
    assert not proofs["inverse_dynamics"]
    assert not proofs["gravity_torque"]
    assert not proofs["forward_dynamics"]


@pytest.mark.parametrize("number", [2, 5, 7, 11, 13, 30])
def test_square_roots_that_the_program_has_no_more(number):
    """m (√5)² is a program without a root; the block form meets the root itself."""
    arm = chain(1)
    inertia = Inertia(constant(1), (constant(sqrt(number)), ZERO, ZERO), (ZERO,) * 6, about_origin=False)
    robot = replace(arm, links=(replace(arm.links[0], after=(), inertia=inertia),))
    made = derive(robot, Options(functions=("inertia_matrix", "inverse_dynamics"))).module
    assert all(proof.holds for proof in prove(robot, made))


def test_very_long_arms_are_left_out():
    robot = chain(MAX_BODIES + 1)
    made = derive(robot, Options(functions=("gravity_torque",))).module
    assert prove(robot, made) == ()
