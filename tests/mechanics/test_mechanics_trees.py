"""Trees of all kinds of joints against Pinocchio, in floating point, in frames as given and reframed."""

import numpy as np
import pinocchio as pin
import pytest
import tree_cases
from joint_trees import KINDS, state
from tree_cases import STEP, TREES

from symgen.algebra.domain import Floats
from symgen.derive.options import FUNCTION_NAMES, Options
from symgen.derive.subject import subject_of
from symgen.mechanics import kinematics
from symgen.mechanics.functions import registry
from symgen.mechanics.grouping import STEMS
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.reframing import Framing, reframed
from symgen.mechanics.regressor import REGRESSORS, parameter_values, regressor

ANY = {f"any {stem}": 0.3 + 0.1 * k for k, stem in enumerate(STEMS)}


class Case(tree_cases.Case):
    """A tree at a state, here and in Pinocchio."""

    def __init__(self, robot):
        super().__init__(robot)
        self.inputs = Floats(dict(zip(("q", "qd", "qdd", "tau"), self.state, strict=True)), ANY)
        self.mechanism = instantiate(robot, self.inputs)


def near(found, expected, tolerance):
    found = np.array(found, dtype=float)
    assert np.abs(found - expected).max(initial=0) <= tolerance * max(1.0, np.abs(expected).max(initial=0))


def framings(mechanism):
    every = frozenset(range(len(mechanism.bodies)))
    return Framing(), Framing(unturned=every, to_parent=every, in_moments=every), Framing(to_child=every)


def test_the_trees_have_all_kinds():
    assert {link.joint.kind for robot in TREES for link in robot.links} == set(KINDS)
    assert any(link.joint.mimic for robot in TREES for link in robot.links)


@pytest.mark.parametrize("robot", TREES, ids=lambda robot: robot.name)
def test_all_functions_of_the_state_are_pinocchios(robot):
    case = Case(robot)
    given, choices = case.mechanism, framings(case.mechanism)
    mechanisms = {
        grouped: [given, *(reframed(given, framing, in_base_parameters=grouped) for framing in choices)]
        for grouped in (True, False)
    }
    for item in registry.quantities(subject_of(robot, Options()).scope("base"), FUNCTION_NAMES):
        expected = case.expected(item.name)
        if expected is None:
            continue
        tolerance = 1e-6 if "derivatives" in item.name else 1e-11
        for formulation in item.formulations:
            for mechanism in mechanisms[item.grouped] if item.framed else [given]:
                if formulation.trees and (formulation.tied or not mechanism.is_tied):
                    for found, wanted in zip(formulation.derive(mechanism), expected, strict=True):
                        near(found, wanted, tolerance)


@pytest.mark.parametrize("robot", TREES, ids=lambda robot: robot.name)
def test_the_coriolis_matrix_makes_the_rate_of_inertia_skew(robot):
    case = Case(robot)
    (C,) = registry.named("coriolis_matrix").formulations[0].derive(case.mechanism)
    C = np.array(C, dtype=float)
    near(C @ case.qd, case.expected("coriolis_torque")[0], 1e-11)
    ahead = STEP * (case.G @ case.qd)
    inertia = [case.tree_inertia(pin.integrate(case.model, case.at, sign * ahead)) for sign in (1, -1)]
    rate = case.G.T @ ((inertia[0] - inertia[1]) / (2 * STEP)) @ case.G
    near(C + C.T, rate, 1e-7)


@pytest.mark.parametrize("robot", TREES, ids=lambda robot: robot.name)
def test_jacobians_and_their_rates(robot):
    case = Case(robot)
    frame, joint = case.mechanism.frame(robot.links[-1].name), case.twin.joints[-1]
    swap = [3, 4, 5, 0, 1, 2]
    for axes, reference in ((kinematics.BASE_AXES, pin.LOCAL_WORLD_ALIGNED), (kinematics.FRAME_AXES, pin.LOCAL)):

        def jacobian(step, reference=reference):
            at = pin.integrate(case.model, case.at, step)
            pin.computeJointJacobians(case.model, case.data, at)
            pin.framesForwardKinematics(case.model, case.data, at)
            return pin.getJointJacobian(case.model, case.data, joint, reference)[swap] @ case.G

        ahead = case.G @ case.qd
        rate = case.difference(lambda step: jacobian(step), STEP * ahead)
        near(kinematics.jacobian(case.mechanism, frame, axes), jacobian(0 * ahead), 1e-12)
        near(kinematics.jacobian_dot(case.mechanism, frame, list(case.qd), axes), rate, 1e-7)
        near(kinematics.jacobian_dot_velocity(case.mechanism, frame, list(case.qd), axes), rate @ case.qd, 1e-7)


@pytest.mark.parametrize("robot", TREES, ids=lambda robot: robot.name)
def test_regressors_give_the_forces_and_base_parameters_are_the_fewest(robot):
    case = Case(robot)
    for kind in REGRESSORS:
        Y = np.array(regressor(case.mechanism, kind, list(case.qd), list(case.qdd)), dtype=float)
        near(Y @ np.array(parameter_values(case.mechanism, kind), float), case.expected("inverse_dynamics")[0], 1e-11)
    if case.mechanism.is_tied:
        return
    rows = []
    for seed in range(60):
        q, qd, qdd, _ = state(robot, seed)
        at = instantiate(robot, Floats({"q": q, "qd": qd, "qdd": qdd}))
        rows.append(np.array(regressor(at, "standard", list(qd), list(qdd)), dtype=float))
    stacked = np.vstack(rows)
    scaled = stacked / np.maximum(np.linalg.norm(stacked, axis=0), 1e-12)
    assert np.linalg.matrix_rank(scaled, tol=1e-9) == len(parameter_values(case.mechanism, "base"))
