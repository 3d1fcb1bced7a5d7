"""Random mechanisms with loops against the equations of motion and constraints solved at once, and Pinocchio's own."""

import functools
from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from joint_trees import state
from loop_mechanisms import CUTS, Mechanism, closed, mechanism
from thorough import usual

from symgen.derive.derivation import Options, derive
from symgen.derive.loop_blocks import sides
from symgen.derive.loop_constraints import Constraints
from symgen.mechanics.instantiation import instantiate
from symgen.program.interpreter import evaluate
from symgen.prove.proof import prove
from symgen.robot.loops import CutKind

FUNCTIONS = (
    "inverse_dynamics",
    "forward_dynamics",
    "inertia_matrix",
    "bias_torque",
    "kinetic_energy",
    "velocity_transformation",
    "dependent_acceleration",
    "constraint_forces",
    "constraint_jacobian",
    "assembly_step",
)
TOLERANCE = 1e-8
SEEDS = (12, 19, 30, 33, 48, 82, 86, 91, 108, 244, 272, 309, 312, 321, 398, 575)
"""Of mechanisms that have two cut joints of each kind at the least, and up to three loops."""

seeds = pytest.mark.parametrize("seed", usual(8, SEEDS))


@functools.cache
def derived(seed: int):
    return derive(mechanism(seed), Options(FUNCTIONS, effort="low"))


def call(seed: int, name: str, **given):
    function = derived(seed).module.function(name)
    found = evaluate(function.program, {item.name: given[item.name] for item in function.inputs})
    return next(iter(found.values()))


def test_the_mechanisms_have_all_kinds_of_cut_joints():
    kinds = {cut.kind for seed in SEEDS for cut in mechanism(seed).cut_joints}
    assert kinds == set(CUTS)
    assert max(len(mechanism(seed).cut_joints) for seed in SEEDS) == 3


@seeds
def test_motion_and_forces_are_those_of_all_equations_at_once(seed):
    robot = mechanism(seed)
    twin, q, own = Mechanism(robot), closed(robot), list(robot.independent)
    _, qd, _, tau = (array[own] if array.shape == (robot.nv,) else array for array in state(robot, seed))
    v = call(seed, "velocity_transformation", q=q) @ qd
    phi, A, _ = twin.at(q, v)
    assert np.abs(phi).max() < 1e-9
    assert np.abs(A @ v).max() < TOLERANCE * max(1, np.abs(v).max())
    G, gamma = call(seed, "velocity_transformation", q=q), call(seed, "dependent_acceleration", q=q, qd=qd)
    found = call(seed, "forward_dynamics", q=q, qd=qd, tau=tau)
    driven = np.zeros(robot.nv)
    driven[own] = tau
    expected = twin.accelerations(q, v, driven)
    assert np.abs(G @ found + gamma - expected).max() <= TOLERANCE * np.abs(expected).max()
    forces = call(seed, "inverse_dynamics", q=q, qd=qd, qdd=found)
    assert np.abs(forces - tau).max() <= TOLERANCE * max(1, np.abs(expected).max())
    inertia = pin.crba(twin.model, twin.data, twin.twin.q(q))
    inertia = np.triu(inertia) + np.triu(inertia, 1).T
    reduced = G.T @ inertia @ G
    assert np.abs(call(seed, "inertia_matrix", q=q) - reduced).max() <= TOLERANCE * np.abs(reduced).max()
    # What the multipliers do in all joints is what the tree's motion asks for beyond the drives.
    rows, multipliers = call(seed, "constraint_jacobian", q=q), call(seed, "constraint_forces", q=q, qd=qd, qdd=found)
    asked = pin.rnea(twin.model, twin.data, twin.twin.q(q), v, expected) - driven
    assert np.abs(rows.T @ multipliers - asked).max() <= TOLERANCE * np.abs(asked).max()


def test_a_point_inline_leaves_a_line_in_space():
    """Seen from the predecessor alone: the line is its own."""
    seed = next(s for s in SEEDS if any(cut.kind is CutKind.CYLINDRICAL for cut in mechanism(s).cut_joints))
    cuts = [
        replace(cut, kind=CutKind.INLINE) if cut.kind is CutKind.CYLINDRICAL else cut
        for cut in mechanism(seed).cut_joints
    ]
    robot = replace(mechanism(seed), name="inline", cut_joints=tuple(cuts))
    constraints = Constraints(robot, lambda graph: instantiate(robot, graph))
    start = np.array(robot.near)
    phi, A = constraints.at(start)
    step = 1e-6 * np.random.default_rng(0).uniform(-1, 1, robot.nv)
    change = constraints.at(constraints.ahead(start, step))[0] - constraints.at(constraints.ahead(start, -step))[0]
    np.testing.assert_allclose(change / 2, A[: len(phi)] @ step, atol=1e-12)
    assert all(
        not each for each in sides(replace(robot, cut_joints=tuple(c for c in cuts if c.kind is CutKind.INLINE)))
    )


@pytest.mark.parametrize(
    "seed",
    [s for s in SEEDS if all(cut.kind in (CutKind.SPHERICAL, CutKind.FIXED) for cut in mechanism(s).cut_joints)],
)
def test_balls_and_welds_are_pinocchios(seed):
    robot = mechanism(seed)
    twin, q, own = Mechanism(robot), closed(robot), list(robot.independent)
    _, qd, _, tau = (array[own] if array.shape == (robot.nv,) else array for array in state(robot, seed))
    G, gamma = call(seed, "velocity_transformation", q=q), call(seed, "dependent_acceleration", q=q, qd=qd)
    models, data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for cut, ends in zip(robot.cut_joints, twin.ends, strict=True):
        kind = pin.ContactType.CONTACT_3D if cut.kind is CutKind.SPHERICAL else pin.ContactType.CONTACT_6D
        places = (part for end in ends for part in (end.joint, end.place))
        models.append(pin.RigidConstraintModel(kind, twin.model, *places, pin.LOCAL))
        data.append(models[-1].createData())
    driven = np.zeros(robot.nv)
    driven[own] = tau
    pin.initConstraintDynamics(twin.model, twin.data, models, data)
    settings = pin.ProximalSettings(1e-14, 1e-12, 100)
    expected = pin.constraintDynamics(twin.model, twin.data, twin.twin.q(q), G @ qd, driven, models, data, settings)
    found = G @ call(seed, "forward_dynamics", q=q, qd=qd, tau=tau) + gamma
    assert np.abs(found - expected).max() <= TOLERANCE * np.abs(expected).max()


@seeds
def test_every_reduction_is_proved(seed):
    assert [(proof.function, proof.holds) for proof in prove(derived(seed))] == [
        (function.name, True) for function in derived(seed).module.functions if function.name != "assembly_start"
    ]
