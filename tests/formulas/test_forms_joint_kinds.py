"""Closed forms of robots with joints of all kinds, and of joints that follow others: their values are Pinocchio's."""

import numpy as np
import pytest
from joint_trees import tree
from tree_cases import Case

import symgen
from symgen.errors import LimitError
from symgen.robot.joints import JointKind

PLAIN = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC)
KINDS = (
    JointKind.HELICAL,
    JointKind.CYLINDRICAL,
    JointKind.UNIVERSAL,
    JointKind.TRANSLATION,
    JointKind.SPHERICAL,
    JointKind.PLANAR,
    JointKind.FLOATING,
)

ROBOTS = {kind.value: tree(5, 2, (kind, JointKind.REVOLUTE)) for kind in KINDS}
FOLLOWED = {"gripper": tree(1, 3, PLAIN, mimics=True), "branched": tree(7, 4, PLAIN, mimics=True)}

NAMES = (
    "inverse_dynamics",
    "inertia_matrix",
    "coriolis_torque",
    "gravity_torque",
    "bias_torque",
    "kinetic_energy",
    "potential_energy",
    "inverse_inertia_matrix",
)

DIVIDED = ("U", "D", "U_inverse", "inverse_inertia_articulated", "forward_dynamics")


class Closed:
    """A robot's closed forms, as numbers at a state."""

    def __init__(self, robot):
        self.case = Case(robot)
        self.forms = symgen.closed_form(robot, parameters="numeric")

    def value(self, form):
        q, qd, qdd, tau = self.case.state
        return np.array(form.values(q=q, qd=qd, qdd=qdd, tau=tau), dtype=float)

    def __getitem__(self, name):
        return self.value(getattr(self.forms, name))

    def expected(self, name):
        return self.case.expected(name)[0]


def near(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * max(1.0, np.abs(expected).max()))


@pytest.fixture(scope="module", params=[*ROBOTS, *FOLLOWED])
def closed(request):
    return Closed((ROBOTS | FOLLOWED)[request.param])


def test_functions_are_pinocchios(closed):
    for name in NAMES:
        near(np.ravel(closed[name]), np.ravel(closed.expected(name)))


def test_the_inertia_matrix_as_a_whole_is_that_of_its_entries(closed):
    whole = symgen.closed_form(closed.case.robot, parameters="numeric").inertia_matrix
    assert whole.matrix.shape == whole.shape  # derived as a whole; entries asked for alone are derived alone
    near(closed.value(whole), closed.expected("inertia_matrix"))


def test_matrices_of_convective_inertia_give_its_vector(closed):
    for name in ("coriolis_matrix", "convective_inertia_mass_centre", "convective_inertia_origin"):
        near(closed[name] @ closed.case.qd, closed.expected("coriolis_torque"))


def test_the_orthogonal_complement_gives_the_inertia_matrix(closed):
    N, masses = closed["N"], [closed.value(form) for form in closed.forms.mass_matrices]
    near(closed["N_l"] @ closed["N_d"], N)
    blocks = N.reshape(len(masses), 6, -1)
    near(
        sum(block.T @ mass @ block for block, mass in zip(blocks, masses, strict=True)),
        closed.expected("inertia_matrix"),
    )


@pytest.mark.parametrize("name", ROBOTS)
def test_articulated_bodies_are_those_of_joints_with_several_rates(name):
    closed = Closed(ROBOTS[name])
    U, D, inertia = closed["U"], closed["D"], closed.expected("inertia_matrix")
    near(U * D @ U.T, inertia)
    near(closed["inverse_inertia_articulated"] @ inertia, np.eye(len(D)))
    near(closed["forward_dynamics"], closed.expected("forward_dynamics"))


@pytest.mark.parametrize("name", ROBOTS)
def test_vectors_of_joints_have_a_column_for_each_rate(name):
    closed = Closed(ROBOTS[name])
    families = (closed.forms.joint_motions, closed.forms.psis, closed.forms.psi_hats)
    motions, psis, psi_hats = (np.hstack([closed.value(form).reshape(6, -1) for form in family]) for family in families)
    assert motions.shape == psis.shape == psi_hats.shape == (6, closed.case.robot.nv)
    near(psis * closed["D"], psi_hats)
    near(np.einsum("ij,ij->j", motions, psi_hats), closed["D"])


@pytest.mark.parametrize("quantity", DIVIDED)
@pytest.mark.parametrize("name", FOLLOWED)
def test_articulated_bodies_of_joints_that_follow_others_are_refused(name, quantity):
    with pytest.raises(LimitError, match="follows another; take inverse_inertia_matrix"):
        Closed(FOLLOWED[name])[quantity]
