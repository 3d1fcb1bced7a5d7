"""Closed forms at random states against the oracle, which shares no code with them."""

from functools import cache

import numpy as np
import pytest
from form_robots import FIXED_TREE, LIBRARY, RANDOM, SLIDES, TREE, robot, state

import symgen
from symgen.formulas.robot_in_ring import INERTIAS
from symgen.robot.model import BASE
from symgen.robot.symbolic import symbolic
from symgen.verify.oracle import Oracle

ROBOTS = (*LIBRARY, "scara+", *RANDOM)
SMALL = ("planar2r", "scara+", TREE, SLIDES)

ARGUMENTS = {
    "inertia_matrix": 1,
    "gravity_torque": 1,
    "potential_energy": 1,
    "coriolis_matrix": 2,
    "coriolis_torque": 2,
    "bias_torque": 2,
    "kinetic_energy": 2,
    "inverse_dynamics": 3,
}
"""Quantities that the oracle has under the same name, and how many of q, q̇, q̈ they take."""


@cache
def closed(name, inertia="file", parameters="symbolic"):
    return symgen.closed_form(robot(name), inertia=inertia, parameters=parameters)


def check(found, expected, tolerance=1e-11):
    assert found.shape == expected.shape
    assert np.allclose(found, expected, rtol=0, atol=tolerance * max(1, np.abs(expected).max(initial=0)))


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("quantity", ARGUMENTS)
def test_dynamics(name, quantity):
    states = state(robot(name))[: ARGUMENTS[quantity]]
    expected = getattr(Oracle(robot(name)), quantity)(*states)
    check(getattr(closed(name), quantity).values(*states), np.asarray(expected))


@pytest.mark.parametrize("name", ["planar3r_unequal", "stanford_1999", "rx90", "ur5", "panda"])
def test_the_rest_of_the_library(name):
    q, qd, _ = state(robot(name))
    oracle, forms = Oracle(robot(name)), closed(name, "base")
    check(forms.inertia_matrix.values(q), oracle.inertia_matrix(q))
    check(forms.gravity_torque.values(q), oracle.gravity_torque(q))
    check(forms.coriolis_torque.values(q, qd), oracle.coriolis_torque(q, qd))


@pytest.mark.parametrize("inertia", ["frame", "base"])
@pytest.mark.parametrize("name", SMALL)
def test_dynamics_in_other_inertial_parameters(name, inertia):
    oracle, forms = Oracle(robot(name)), closed(name, inertia)
    for quantity, count in ARGUMENTS.items():
        states = state(robot(name))[:count]
        expected, found = getattr(oracle, quantity)(*states), getattr(forms, quantity).values(*states)
        if quantity == "potential_energy":  # base parameters leave a constant out
            expected = expected - oracle.potential_energy(0 * states[0])
            found = found - forms.potential_energy.values()
        check(found, np.asarray(expected))


@pytest.mark.parametrize("inertia", INERTIAS)
@pytest.mark.parametrize("name", SMALL)
def test_what_divides(name, inertia):
    q, *_ = state(robot(name))
    expected, forms = Oracle(robot(name)).inertia_matrix(q), closed(name, inertia)
    assert np.linalg.cond(expected) < 1e6
    inverse, U, D = (form.values(q) for form in (forms.inverse_inertia_matrix, forms.U, forms.D))
    check(inverse @ expected, np.eye(len(q)), 1e-9)
    check(U @ np.diag(D) @ U.T, expected)
    assert np.array_equal(U, np.triu(U))
    assert np.array_equal(np.diag(U), np.ones(len(q)))


@pytest.mark.parametrize("name", ["planar2r", "scara+", "puma", TREE, FIXED_TREE, 83])
def test_positions_and_jacobians(name):
    q, *_ = state(robot(name))
    oracle, forms = Oracle(robot(name)), closed(name)
    for frame in robot(name).all_frames:
        check(forms.forward_kinematics(frame.name).values(q), oracle.forward_kinematics(q, [frame.name])[0])
        for axes in ("base", "frame"):
            check(forms.jacobian(frame.name, axes).values(q), oracle.jacobian(q, frame.name, axes))
    frames = oracle.frames(q)
    for i, link in enumerate(robot(name).links):
        carrier = np.eye(4) if link.parent == BASE else frames[link.parent]
        check(carrier @ forms.transforms[i].values(q), frames[i])
        check(forms.rotations[i].values(q), forms.transforms[i].values(q)[:3, :3])


@pytest.mark.parametrize("name", ["planar2r", "scara", "puma"])
def test_other_values_of_the_parameters(name):
    q, qd, _ = state(robot(name))
    form = closed(name).coriolis_torque
    given = {key: 1.1 * float(value) + 0.01 for key, value in form.subject.parameter_values().items() if key != "g"}
    expected = Oracle(symbolic(robot(name)).robot, given).coriolis_torque(q, qd)
    check(form.values(q, qd, parameters=given), expected)
    assert not np.allclose(form.values(q, qd), expected)
