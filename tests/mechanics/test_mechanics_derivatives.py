"""Derivatives of the joint forces by composite bodies are those of Newton and Euler's recursion over dual numbers."""

from __future__ import annotations

import pytest
from proving import SEEDS, equal, library
from strategies import equipped_robot

from symgen.algebra.domain import vector
from symgen.algebra.duals import Duals
from symgen.algebra.prime import Element, PrimeField
from symgen.mechanics.derivatives import Derivatives
from symgen.mechanics.functions.accelerations import FORWARD_DYNAMICS
from symgen.mechanics.functions.derivatives import FORWARD_DYNAMICS_DERIVATIVES, INVERSE_DYNAMICS_DERIVATIVES
from symgen.mechanics.functions.forces import GRAVITY_TORQUE, whole_inverse_dynamics
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.newton_euler import body_motions
from symgen.mechanics.reframing import Framing, reframed

RADICANDS = frozenset((2, 3, 5, 6, 7, 11, 13))
ROBOTS = [*library(), *map(equipped_robot, SEEDS)]
DERIVED = {
    item.name: item.formulations[0].derive for item in (INVERSE_DYNAMICS_DERIVATIVES, FORWARD_DYNAMICS_DERIVATIVES)
}


def field():
    return PrimeField(RADICANDS)


def loads(robot):
    return [("wrench", robot.frames[-1].name)] if robot.frames else []


def direction(domain, name, index):
    return {(name, index): domain.constant(1)}


def slopes(robot, name, compute):
    """The derivatives of what `compute` makes of a mechanism by each entry of an input, as columns."""
    columns = []
    for index in range(robot.nv):
        domain = field()
        duals = Duals(domain, direction(domain, name, index))
        columns.append([entry.slope for entry in compute(instantiate(robot, duals, wrenches=loads(robot)))])
    return [[column[i] for column in columns] for i in range(robot.nv)]


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda robot: robot.name)
def test_of_inverse_dynamics(robot):
    by_position, by_rate = DERIVED["inverse_dynamics_derivatives"](instantiate(robot, field(), wrenches=loads(robot)))
    assert equal(by_position, slopes(robot, "q", whole_inverse_dynamics))
    assert equal(by_rate, slopes(robot, "qd", whole_inverse_dynamics))


@pytest.mark.parametrize("robot", [r for r in ROBOTS if r.nv <= 4], ids=lambda robot: robot.name)
@pytest.mark.parametrize("algorithm", ["udu", "aba"])
def test_of_forward_dynamics(robot, algorithm):
    (formulation,) = (each for each in FORWARD_DYNAMICS.formulations if each.name == algorithm)

    def accelerations(mechanism):
        return formulation.derive(mechanism)[0]

    found = DERIVED["forward_dynamics_derivatives"](instantiate(robot, field(), wrenches=loads(robot)))
    for matrix, name in zip(found, ("q", "qd", "tau"), strict=True):
        assert equal(matrix, slopes(robot, name, accelerations)), name


@pytest.mark.parametrize("robot", library(), ids=lambda robot: robot.name)
def test_in_any_frames(robot):
    mechanism = instantiate(robot, field())
    every = frozenset(range(robot.nv))
    expected = DERIVED["inverse_dynamics_derivatives"](mechanism)
    for framing in (Framing(), Framing(unturned=every), Framing(to_child=every), Framing(in_moments=every)):
        found = DERIVED["inverse_dynamics_derivatives"](reframed(mechanism, framing))
        assert all(equal(a, b) for a, b in zip(found, expected, strict=True)), framing


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda robot: robot.name)
def test_gravity_forces_are_those_of_the_recursion(robot):
    mechanism = instantiate(robot, field())
    still = vector([mechanism.domain.constant(0)] * robot.nv)
    derivatives = Derivatives(mechanism, still)
    assert equal(derivatives.gravity_forces(), GRAVITY_TORQUE.formulations[0].derive(mechanism)[0])


def test_without_motion_the_derivative_by_positions_is_symmetric():
    """It is the Hessian of the potential energy then."""
    mechanism = instantiate(library()[0], field())
    still = vector([mechanism.domain.constant(0)] * mechanism.nv)
    derivatives = Derivatives(mechanism, still)
    hessian = derivatives.by_positions(body_motions(mechanism, still, still, mechanism.gravity))
    assert equal(hessian, hessian.T)
    assert not all(isinstance(entry, Element) and entry.is_zero for entry in hessian.reshape(-1))
