"""Joints of several axes, free joints and joints that follow others: the oracle is Pinocchio's, and judges rightly."""

import dataclasses
import functools
import random

import numpy as np
import pinocchio as pin
import pytest
from joint_trees import SCREWS, tree
from module_functions import interpret, interpreted, setting_of
from oracle_functions import oracle_functions
from program_mutations import mutated_program, same_numbers
from thorough import usual
from tree_cases import STEP, TREES, Case

from symgen.derive.derivation import Options, derive
from symgen.program.program import Op
from symgen.program.rounding import roundings
from symgen.robot.joints import JointKind
from symgen.verify.compare import verify
from symgen.verify.linear import Instant, inertia_slopes, inverse_dynamics_derivatives, regressor
from symgen.verify.oracle import Oracle
from symgen.verify.rates import slope
from symgen.verify.states import draw

trees = pytest.mark.parametrize("robot", TREES, ids=lambda robot: robot.name)

FUNCTIONS = {
    "inverse_dynamics": ("q", "qd", "qdd"),
    "inertia_matrix": ("q",),
    "coriolis_torque": ("q", "qd"),
    "gravity_torque": ("q",),
    "bias_torque": ("q", "qd"),
    "forward_dynamics": ("q", "qd", "tau"),
    "inverse_inertia_matrix": ("q",),
    "kinetic_energy": ("q", "qd"),
    "potential_energy": ("q",),
    "center_of_mass": ("q",),
    "center_of_mass_jacobian": ("q",),
    "centroidal_momentum": ("q", "qd"),
    "centroidal_momentum_matrix": ("q",),
    "joint_wrench": ("q", "qd", "qdd"),
}


def near(found, expected, tolerance):
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * max(1.0, np.abs(expected).max(initial=0)))


def test_zeros_of_an_inverse_are_right():
    """Two joints that push each other through nothing: elimination leaves rounding where the program has 0."""
    derivation = derive(tree(1000, 5), Options(functions=("inverse_inertia_matrix",), effort="low"))
    functions = interpreted(derivation)
    assert any(functions["inverse_inertia_matrix"](Case(derivation.subject.robot).q)[8] == 0)
    assert verify(derivation.subject.robot, functions, states=5, setting=setting_of(derivation)).failures == ()


# the oracle ----------------------------------------------------------------------------------------------


@trees
def test_the_oracle_agrees_with_pinocchio(robot):
    case, functions = Case(robot), oracle_functions(robot)
    for name, arguments in FUNCTIONS.items():
        (expected,) = case.expected(name)
        found = functions[name](*(getattr(case, argument) for argument in arguments))
        near(np.ravel(found), np.ravel(expected), 1e-10)


@trees
def test_its_derivatives_are_those_in_the_tangent_space(robot):
    case = Case(robot)
    found = inverse_dynamics_derivatives(Oracle(robot), Instant(case.q, case.qd, case.qdd, None, ()))
    for slopes, expected in zip(found, case.expected("inverse_dynamics_derivatives"), strict=True):
        near(slopes, expected, 1e-7)


@trees
def test_its_jacobians_and_their_rates_agree_with_pinocchio(robot):
    case, oracle = Case(robot), Oracle(robot)
    frame, joint, ahead = robot.links[-1].name, case.twin.joints[-1], case.G @ case.qd
    for axes, reference in (("base", pin.LOCAL_WORLD_ALIGNED), ("frame", pin.LOCAL)):

        def jacobian(step, reference=reference):
            at = pin.integrate(case.model, case.at, step)
            pin.computeJointJacobians(case.model, case.data, at)
            pin.framesForwardKinematics(case.model, case.data, at)
            return pin.getJointJacobian(case.model, case.data, joint, reference)[[3, 4, 5, 0, 1, 2]] @ case.G

        rate = case.difference(lambda step: jacobian(step), STEP * ahead)
        near(oracle.jacobian(case.q, frame, axes), jacobian(0 * ahead), 1e-10)
        near(oracle.jacobian_dot(case.q, case.qd, frame, axes), rate, 1e-7)
        near(oracle.jacobian_dot_velocity(case.q, case.qd, frame, axes), rate @ case.qd, 1e-7)


@trees
def test_convective_forces_make_the_rate_of_inertia_skew(robot):
    case, oracle = Case(robot), Oracle(robot)
    matrix = oracle.coriolis_matrix(case.q, case.qd)
    near(matrix @ case.qd, oracle.coriolis_torque(case.q, case.qd), 1e-12)
    near(matrix + matrix.T, inertia_slopes(oracle, case.q) @ case.qd, 1e-11)


HOLONOMIC = [robot for robot in TREES if not any(joint.kind.is_free for joint in robot.joints)]


@pytest.mark.parametrize("robot", HOLONOMIC, ids=lambda robot: robot.name)
def test_the_coriolis_matrix_has_christoffels_symbols(robot):
    """Where rates are q̇: c_ij = Σ_k ½ (∂_k I_ij + ∂_j I_ik − ∂_i I_jk) q̇_k."""
    case, oracle = Case(robot), Oracle(robot)
    slopes = inertia_slopes(oracle, case.q)
    sideways = np.einsum("ikj,k->ij", slopes, case.qd)
    near(oracle.coriolis_matrix(case.q, case.qd), (slopes @ case.qd + sideways - sideways.T) / 2, 1e-11)


@trees
def test_regressors_are_linear_in_the_parameters(robot):
    """Of a mass at the origin of a link's joint: the work that moving it asks of the joints."""
    case, oracle = Case(robot), Oracle(robot)
    state = case.q, case.qd, case.qdd
    still = np.zeros(3)
    for number, link in enumerate(robot.links, start=1):
        found = regressor(oracle, [(number, "M")], *state, still)[:, 0]
        J = oracle.jacobian(case.q, link.name)[3:]
        acceleration = J @ case.qdd + oracle.jacobian_dot_velocity(case.q, case.qd, link.name)[3:]
        near(found, J.T @ acceleration, 1e-10)


def test_slopes_along_joints_that_move_together_are_exact():
    """Also for ratios that no short period has."""
    for seed in range(100, 106):
        robot = tree(seed, 4, SCREWS, mimics=True)
        oracle, step = Oracle(robot), 1e-5
        q = np.random.default_rng(2).uniform(-1, 1, robot.nq)
        for index, unit in enumerate(np.eye(robot.nv)):
            ahead, back = (oracle.inertia_matrix(q + sign * step * unit) for sign in (1, -1))
            near(slope(robot, oracle.inertia_matrix, q, index), (ahead - back) / (2 * step), 1e-6)


def test_quaternions_of_any_length_stand_for_unit_quaternions():
    oracle = Oracle(tree(7, 2, (JointKind.FLOATING, JointKind.SPHERICAL)))
    at = draw(oracle, 40, 0)
    quaternions = [at.q[:, joint.stop - 4 : joint.stop] for _, joint, _ in oracle.robot.coordinates()]
    lengths = np.linalg.norm(np.stack(quaternions), axis=-1)
    assert np.isclose(lengths, 1).mean() > 0.5
    assert lengths.min() < 0.6
    assert lengths.max() > 1.8
    unit = at.q.copy()
    for _, joint, _ in oracle.robot.coordinates():
        own = unit[:, joint.stop - 4 : joint.stop]
        own /= np.linalg.norm(own, axis=-1, keepdims=True)
    near(oracle.inverse_dynamics(unit, at.qd, at.qdd), oracle.inverse_dynamics(at.q, at.qd, at.qdd), 1e-14)


# programs ------------------------------------------------------------------------------------------------

ROBOTS = {
    "floating": (tree(5, 2, (JointKind.FLOATING, JointKind.REVOLUTE)), {"axes": "frame", "forward_dynamics": "aba"}),
    "spherical": (tree(5, 2, (JointKind.SPHERICAL, JointKind.UNIVERSAL)), {"regressor": "standard"}),
    "planar": (tree(5, 2, (JointKind.PLANAR, JointKind.CYLINDRICAL)), {"gravity": "runtime"}),
    "axes": (tree(5, 2, (JointKind.SPHERICAL_ZYX, JointKind.TRANSLATION)), {"wrenches": ("link2",)}),
    "mimics": (tree(101, 3, (*SCREWS, JointKind.PLANAR), mimics=True), {"axes": "frame"}),
}


@functools.cache
def derivation(name):
    robot, options = ROBOTS[name]
    return derive(robot, Options(functions=("all",), effort="low", **options))


def test_the_robots_have_all_kinds():
    kinds = {link.joint.kind for robot, _ in ROBOTS.values() for link in robot.links}
    assert kinds.issuperset(kind for kind in JointKind if kind.is_free or len({e.axis for e in kind.coordinates}) > 1)
    assert any(link.joint.mimic for robot, _ in ROBOTS.values() for link in robot.links)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("bounded", usual(1, [True, False]), ids=["its own rounding", "the oracle's rounding"])
def test_correct_programs_pass(name, bounded):
    given = derivation(name)
    bounds = roundings(given.module) if bounded else None
    report = verify(ROBOTS[name][0], interpreted(given), 8, setting=setting_of(given), roundings=bounds)
    assert [str(check) for check in report.failures] == []
    assert len(report.checks) > len(given.module.functions)


MUTANTS = 40


@pytest.mark.parametrize("name", ROBOTS)
def test_mutated_programs_are_refused(name):
    pick, given = random.Random(name), derivation(name)
    robot, setting, bounds = ROBOTS[name][0], setting_of(given), roundings(given.module)
    passed, different = [], 0
    for number in range(MUTANTS):
        function = pick.choice([f for f in given.module.functions if has_operations(f.program)])
        mutant = dataclasses.replace(function, program=mutated_program(function.program, pick))
        if same_numbers(function, mutant.program):
            continue
        different += 1
        wrong = {function.name: functools.partial(interpret, mutant, {})}
        with np.errstate(all="ignore"):
            report = verify(robot, wrong, 8, setting=setting, roundings=bounds)
        if report.passed:
            passed.append(f"{function.name} {number}")
    assert passed == []
    assert different > 0.8 * MUTANTS


def has_operations(program):
    return any(instruction.op in (Op.ADD, Op.SUB, Op.NEG) for instruction in program.instructions)


@pytest.mark.parametrize("name", ["spherical", "planar"])
def test_base_parameters_can_be_arguments(name):
    robot = ROBOTS[name][0]
    given = derive(robot, Options(functions=("inverse_dynamics", "potential_energy"), effort="low", parameters="base"))
    values = {parameter.name: parameter.default for parameter in given.module.parameters}
    setting = dataclasses.replace(setting_of(given, values), base=given.subject.base_columns)
    assert verify(robot, interpreted(given, values), 8, setting=setting).failures == ()
