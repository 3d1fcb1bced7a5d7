"""Closed forms of robots with joints that follow others."""

import numpy as np
import pytest
from joint_trees import tree

import symgen
from symgen.errors import LimitError
from symgen.robot.joints import JointKind
from symgen.verify.oracle import Oracle

KINDS = (JointKind.REVOLUTE, JointKind.PRISMATIC)
SEEDS = (5, 8, 11)


def robot(seed):
    made = tree(seed, 5, KINDS, mimics=True)
    assert any(link.joint.mimic for link in made.links)
    return made


@pytest.mark.parametrize("axes", ["link", "base"])
@pytest.mark.parametrize("seed", SEEDS)
def test_forms_are_the_oracles(seed, axes):
    given, oracle = robot(seed), Oracle(robot(seed))
    forms = symgen.closed_form(given, parameters="numeric", axes=axes)
    q, qd, qdd = np.random.default_rng(seed).uniform(-1, 1, (3, given.nv))
    expected = {
        "inertia_matrix": oracle.inertia_matrix(q),
        "inverse_inertia_matrix": oracle.inverse_inertia_matrix(q),
        "coriolis_torque": oracle.coriolis_torque(q, qd),
        "gravity_torque": oracle.gravity_torque(q),
        "inverse_dynamics": oracle.inverse_dynamics(q, qd, qdd),
        "coriolis_matrix": oracle.coriolis_matrix(q, qd),
        "kinetic_energy": oracle.kinetic_energy(q, qd),
    }
    for name, value in expected.items():
        found = np.asarray(getattr(forms, name).values(q=q, qd=qd, qdd=qdd), dtype=float)
        np.testing.assert_allclose(found.reshape(np.shape(value)), value, rtol=1e-11, atol=1e-11, err_msg=name)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_entry_alone_is_that_of_the_matrix(seed):
    given = robot(seed)
    q = np.random.default_rng(seed).uniform(-1, 1, given.nq)
    M = Oracle(given).inertia_matrix(q)
    for i in range(given.nv):
        for j in range(given.nv):
            form = symgen.closed_form(given, parameters="numeric").inertia_matrix  # it knows no other entry
            np.testing.assert_allclose(float(form.values(q=q)[i, j]), M[i, j], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", ["U", "D", "forward_dynamics", "inverse_inertia_articulated"])
def test_articulated_bodies_are_refused(name):
    forms = symgen.closed_form(robot(5), parameters="numeric")
    with pytest.raises(LimitError, match="by articulated bodies holds where every joint moves on its own"):
        getattr(forms, name).values(q=np.zeros(robot(5).nq), qd=np.zeros(robot(5).nv), tau=np.zeros(robot(5).nv))
