"""A joint that moves the other way: every function is that of the plain robot at S q, S q̇, …, S the joints' signs."""

import functools
from dataclasses import replace

import numpy as np
import pytest
from module_functions import interpreted, setting_of
from robots_with_drives import equipped
from strategies import equipped_robot

import symgen
from symgen.derive.derivation import Options, derive
from symgen.prove.proof import prove
from symgen.robot import library
from symgen.runtime.module import build, emit
from symgen.verify.compare import verify

ALL = Options(functions=("all",), effort="low", gravity="runtime", wrenches=("tcp",), frames=("tcp",))
IN_AXES = replace(ALL, axes="frame", regressor="standard", forward_dynamics="aba", parameters="runtime")

STATE = ("q", "qd", "qdd", "tau", "x", "qd_ref", "qdd_ref", "weights")
VECTORS = ("inverse_dynamics", "forward_dynamics", "coriolis_torque", "gravity_torque", "bias_torque")
CONTROL = ("coriolis_product", "coriolis_transpose_velocity", "generalized_momentum", "reference_torque")
MATRICES = ("inertia_matrix", "inverse_inertia_matrix", "coriolis_matrix", "inertia_rate")
DERIVATIVES = ("inverse_dynamics_derivatives", "forward_dynamics_derivatives")
HESSIANS = ("inverse_dynamics_hessian", "forward_dynamics_hessian", "kinematic_hessian")
WITHOUT = ("jacobian_dot_velocity", "forward_kinematics", "kinetic_energy", "potential_energy")
PER_JOINT = {
    **dict.fromkeys((*VECTORS, *CONTROL), ((0,),)),
    **dict.fromkeys(MATRICES, ((0, 1),)),
    **dict.fromkeys(DERIVATIVES, ((0, 1),) * 3),
    **dict.fromkeys(HESSIANS, ((0, 1),) * 4),
    **dict.fromkeys(WITHOUT, ((),)),
    "udu_factors": ((0, 1), ()),
    "regressor": ((0,),),
    "slotine_li_regressor": ((0,),),
    "center_of_mass": ((),),
    "center_of_mass_jacobian": ((1,),),
    "centroidal_momentum": ((),),
    "centroidal_momentum_matrix": ((1,),),
    "jacobian": ((1,),),
    "jacobian_dot": ((1,),),
}
"""Function → which axes of its results belong to joints."""

UNSEEN = {"integrate", "difference", "normalize", "joint_wrench"}
"""Functions that the oracle alone judges: of coordinates and not of forces, and in axes that turn with the joint's."""


def redirected(robot, directions):
    """The robot with these directions of its moving joints; what their drives do to the links stays as it is."""
    rest = iter(directions)
    links = [replace(link, joint=_turned(link.joint, next(rest))) if link.joint.nv else link for link in robot.links]
    return replace(robot, links=tuple(links))


def _turned(joint, direction):
    drive = joint.drive
    if direction != joint.direction:
        drive = replace(drive, rest=-drive.rest, shift=-drive.shift)
    return replace(joint, direction=direction, drive=drive)


def plain(robot):
    return redirected(robot, [1] * robot.nv)


CASES = {
    "stanford": (lambda: equipped("stanford"), (-1, 1, -1, -1, 1, 1), ALL),
    "scara": (lambda: equipped("scara"), (1, -1, -1, -1), IN_AXES),
    "tree": (lambda: plain(equipped_robot(22)), None, ALL),
    "planar3r": (lambda: equipped("planar3r"), (-1, -1, -1), ALL),
}


@functools.cache
def derived(name, *, directed):
    make, directions, options = CASES[name]
    robot = make()
    if directions is None:
        directions = [(-1) ** (index + 1) for index in range(robot.nv)]
    return derive(redirected(robot, directions) if directed else robot, options)


def disagreements(given, functions, reference):
    """Names of the functions that are not those of the plain robot at S q."""
    signs = np.array([joint.direction for joint in given.subject.robot.joints])
    assert -1 in signs
    wrong = []
    for function in given.module.functions:
        inputs = [argument for argument in function.inputs if argument.name != "constants"]
        chance = np.random.default_rng(1)
        for _ in range(3):
            values = [chance.uniform(-2, 2, argument.shape) for argument in inputs]
            there = [value * signs if a.name in STATE else value for a, value in zip(inputs, values, strict=True)]
            found, wanted = functions[function.name](*values), reference[function.name](*there)
            if function.name in UNSEEN:
                continue
            parts = zip(_parts(found), _parts(wanted), PER_JOINT[function.name], strict=False)
            if not all(_close(part, _seen(other, axes, signs)) for part, other, axes in parts):
                wrong.append(function.name)
    return wrong


def _close(found, wanted):
    return np.allclose(found, wanted, rtol=1e-10, atol=1e-10 * np.abs(wanted).max())


def _parts(result):
    return result if isinstance(result, tuple) else (result,)


def _seen(array, axes, signs):
    for axis in axes:
        array = array * np.expand_dims(signs, [k for k in range(np.ndim(array)) if k != axis])
    return array


@pytest.mark.parametrize("name", CASES)
def test_every_function_is_that_of_the_plain_robot_with_signs(name):
    given, reference = derived(name, directed=True), derived(name, directed=False)
    assert disagreements(given, interpreted(given), interpreted(reference)) == []
    report = verify(given.subject.robot, interpreted(given), states=10, setting=setting_of(given))
    assert report.passed, str(report)
    proofs = prove(given)
    assert len(proofs) == len(given.module.functions)
    assert [proof.function for proof in proofs if not proof.holds] == []


def test_compiled_functions_too():
    few = Options(functions=("inverse_dynamics", "forward_dynamics", "jacobian"), effort="low")
    robot = equipped("scara")
    given = derive(redirected(robot, [-1, 1, -1, -1]), few)
    module = build(given, emit(given.module))
    assert module.backend != "numpy"
    assert disagreements(given, module.functions, interpreted(derive(robot, few))) == []


@pytest.mark.parametrize("name", ["planar3r", "scara", "puma"])
def test_base_parameters_do_not_depend_on_directions(name):
    robot = library.load(name)
    found = symgen.base_parameters(redirected(robot, [-1] * robot.nv))
    assert found.as_dict() == symgen.base_parameters(robot).as_dict()


@pytest.mark.parametrize("directions", [(1, -1, 1), (1, -1, -1), (-1, -1, -1)])
def test_closed_forms_have_the_signs(directions):
    robot, q, signs = library.load("planar3r"), np.array([0.3, -0.7, 1.1]), np.array(directions)
    closed, wanted = symgen.closed_form(redirected(robot, directions)), symgen.closed_form(robot)
    expected = _seen(wanted.inertia_matrix.values(q=signs * q), (0, 1), signs)
    assert np.allclose(closed.inertia_matrix.values(q=q), expected, rtol=1e-12)
    expected = _seen(wanted.gravity_torque.values(q=signs * q), (0,), signs)
    assert np.allclose(closed.gravity_torque.values(q=q), expected, rtol=1e-12)
    # Angles of parallel axes are added, or subtracted, whichever way they turn: no formula gets longer.
    for index in ((0, 0), (0, 1), (1, 1), (0, 2)):
        assert closed.inertia_matrix.entry(*index).length <= wanted.inertia_matrix.entry(*index).length
