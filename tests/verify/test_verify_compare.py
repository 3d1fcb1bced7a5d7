"""What `verify` passes and what it catches: every way of being wrong must fail the report."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

from symgen.errors import InputError, LimitError
from symgen.robot import library
from symgen.robot.expression import constant
from symgen.robot.model import Elementary
from symgen.robot.reader import read_text
from symgen.verify.compare import ARGUMENTS, BLOCK, Check, Report, verify
from symgen.verify.oracle import Oracle
from symgen.verify.states import draw

FORCES = tuple(ARGUMENTS)[:6]
"""Functions that are made by default; the others are tested in test_verify_functions."""

TWO_LINKS = """
name = "arm"
convention = "{convention}"
gravity = [0, 0, -9.81]
inertia_about = "com"

[[links]]
joint = "revolute"
a = 0.3
alpha = 0.7
mass = 1
com = [0.1, 0.2, 0.3]
inertia = {{ xx = 0.02, yy = 0.03, zz = 0.04, xy = 0.001 }}

[[links]]
joint = "revolute"
a = 0.4
alpha = -0.4
mass = {mass}
com = {com}
inertia = {{ xx = {moment}, yy = {moment}, zz = {moment} }}
"""


def two_links(convention="standard", mass=1.5, com="[-0.2, 0.1, 0.05]", moment="0.05"):
    return read_text(TWO_LINKS.format(convention=convention, mass=mass, com=com, moment=moment), "arm")


def correct(robot):
    """Functions that are right: the oracle's own."""
    oracle = Oracle(robot)
    return {name: getattr(oracle, name) for name in FORCES}


def broken(robot, name, spoil):
    """As `correct`, with what one function returns passed through `spoil`."""
    functions = correct(robot)
    right = functions[name]
    return functions | {name: lambda *args: spoil(right(*args))}


def failed_names(report):
    return {check.name for check in report.failures}


@pytest.fixture(scope="module", params=["puma", "stanford", "scara", "planar2r"])
def robot(request):
    return library.load(request.param)


def test_correct_functions_pass(robot):
    report = verify(robot, correct(robot), states=50)
    assert report.passed, str(report)
    assert report.robot == robot.name
    assert report.failures == ()
    assert {check.kind for check in report.checks} == {"oracle", "identity"}
    assert len(report.checks) == 18


@pytest.mark.parametrize("name", FORCES)
def test_every_function_alone(robot, name):
    report = verify(robot, {name: correct(robot)[name]}, states=20)
    assert report.passed
    assert report.checks[0].name == name
    assert report.checks[0].states == 20


@pytest.mark.parametrize("name", FORCES)
def test_a_millionth_in_one_entry_is_caught(robot, name):
    n = robot.nv
    shape = (n, n) if name == "inertia_matrix" else (n,)
    right = correct(robot)[name]
    usual = np.abs(right(*np.random.default_rng(0).uniform(-1, 1, (len(ARGUMENTS[name]), 5, n)))).max(axis=0)
    for entry in np.ndindex(shape):
        if usual[entry] < 1e-12:
            continue  # a factor cannot spoil what is always zero
        factor = np.ones(shape)
        factor[entry] += 1e-6
        spoilt = {name: lambda *args, factor=factor: factor * right(*args)}
        assert name in failed_names(verify(robot, spoilt, states=20)), entry


@pytest.mark.parametrize("name", FORCES)
@pytest.mark.parametrize("joint", range(5))
def test_the_sign_of_one_joint_is_caught(name, joint):
    """Of what comes out for it, and of its coordinate (but the first: turning a vertical axis changes nothing)."""
    robot = library.load("puma")
    flip = np.ones(robot.nv)
    flip[joint] = -1
    right = correct(robot)[name]
    if not (name == "gravity_torque" and joint == 0):
        found = verify(robot, broken(robot, name, lambda values: flip * values), states=10)
        assert name in failed_names(found)
    if joint:
        found = verify(robot, {name: lambda q, *args: right(flip * q, *args)}, states=10)
        assert name in failed_names(found)


@pytest.mark.parametrize("name", FORCES)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_single_number_that_is_none_is_caught(name, value):
    def spoil(values):
        values = np.array(values)
        values.reshape(-1)[-1] = value
        return values

    robot = library.load("stanford")
    report = verify(robot, broken(robot, name, spoil), states=7)
    check = next(check for check in report.failures if check.name == name)
    assert check.error == np.inf
    assert not report.passed


def test_the_other_convention_is_caught():
    report = verify(two_links("standard"), correct(two_links("modified")), states=5)
    assert set(FORCES) <= failed_names(report)


def test_inertia_axes_turned_the_wrong_way_are_caught():
    given = two_links()
    first, second = given.links
    forth = (Elementary(True, 0, constant(Fraction(1, 2))),)
    back = (Elementary(True, 0, constant(Fraction(-1, 2))),)

    def with_axes(axes):
        turned = dataclasses.replace(first, inertia=dataclasses.replace(first.inertia, axes=axes))
        return dataclasses.replace(given, links=(turned, second))

    report = verify(with_axes(forth), correct(with_axes(back)))
    assert {"inverse_dynamics", "inertia_matrix"} <= failed_names(report)


def test_an_asymmetric_matrix_is_caught():
    def spoil(matrix):
        matrix = np.array(matrix)
        matrix[..., 0, 1] *= 1 + 1e-8
        return matrix

    robot = library.load("puma")
    assert "inertia_matrix is symmetric" in failed_names(verify(robot, broken(robot, "inertia_matrix", spoil)))


def test_an_indefinite_matrix_is_caught():
    robot = library.load("puma")
    report = verify(robot, broken(robot, "inertia_matrix", lambda matrix: matrix - 0.5 * np.eye(6)))
    assert "inertia_matrix is positive definite" in failed_names(report)


def test_a_batch_that_differs_from_single_calls_is_caught():
    robot = library.load("puma")
    for name in FORCES:
        right = correct(robot)[name]

        def swapped(*args, right=right):
            values = right(*args)
            return values[::-1] if args[0].ndim > 1 else values

        assert f"{name}: single calls = batch" in failed_names(verify(robot, {name: swapped}))


@pytest.mark.parametrize("name", FORCES)
def test_another_shape_is_caught(name):
    robot = library.load("planar2r")
    report = verify(robot, broken(robot, name, lambda values: values[..., :1]))
    check = next(check for check in report.failures if check.name == name)
    assert "expected" in check.note
    assert "shape" in check.note


def test_a_function_that_raises_is_caught_and_named():
    def refuse(*args):
        raise ValueError("no such state")

    report = verify(library.load("planar2r"), {"gravity_torque": refuse})
    assert not report.passed
    assert all("gravity_torque raised ValueError: no such state" in check.note for check in report.checks)


def test_forward_dynamics_that_disregards_gravity_is_caught():
    robot = library.load("stanford")
    weightless = dataclasses.replace(robot, gravity=tuple(-entry for entry in robot.gravity))
    functions = correct(robot) | {"forward_dynamics": Oracle(weightless).forward_dynamics}
    found = failed_names(verify(robot, functions))
    assert {"forward_dynamics", "forward_dynamics, residual"} <= found
    assert "forward_dynamics of inverse_dynamics = qdd" in found


# near-singular inertia -----------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["1e-6", "1e-9", "1e-12", "1e-15"])
def test_a_nearly_massless_link_does_not_fail_falsely(moment):
    robot = two_links(mass=moment, moment=moment)
    assert verify(robot, correct(robot)).passed


@pytest.mark.parametrize("moment", ["1e-6", "1e-9", "1e-12"])
@pytest.mark.parametrize("joint", [0, 1])
def test_errors_beside_a_nearly_massless_link_do_not_pass(moment, joint):
    robot = two_links(mass=moment, moment=moment)
    factor = np.ones(2)
    factor[joint] += 1e-6
    for name in ("inverse_dynamics", "forward_dynamics", "gravity_torque"):
        if name == "gravity_torque" and joint == 0:
            continue
        assert not verify(robot, broken(robot, name, lambda values: values * factor)).passed


@pytest.mark.parametrize("spread", ["1e-4", "1e-6", "1e-8"])
def test_a_nearly_singular_arm(spread):
    """Two coaxial joints and nearly nothing between them: κ grows without bound, as 1 over the first inertia."""
    text = f"""
name = "coaxial"
convention = "standard"
gravity = [0, -9.81, 0]
inertia_about = "com"

[[links]]
joint = "revolute"
mass = 0.1
com = [0, 0, 0]
inertia = {{ zz = {spread} }}

[[links]]
joint = "revolute"
mass = 1
com = [0.3, 0, 0]
inertia = {{ zz = 1 }}
"""
    robot = read_text(text, "coaxial")
    assert verify(robot, correct(robot)).passed
    off = verify(robot, broken(robot, "forward_dynamics", lambda values: values * (1 + 1e-4)))
    assert "forward_dynamics" in failed_names(off)


def test_a_singular_arm_is_judged_by_what_is_determined():
    robot = two_links(mass=0, com="[0, 0, 0]", moment="0")
    functions = correct(robot)
    del functions["forward_dynamics"]
    report = verify(robot, functions)
    assert report.passed
    definite = next(check for check in report.checks if "positive definite" in check.name)
    assert definite.tolerance < 1e-10


def test_inertia_that_no_robot_has_is_compared_with_the_oracle():
    robot = two_links(mass=1, com="[0, 0, 0]", moment="-0.5")
    functions = correct(robot)
    report = verify(robot, functions)
    definite = next(check for check in report.checks if "positive definite" in check.name)
    assert definite.passed
    assert definite.tolerance < 1e-10
    lower = broken(robot, "inertia_matrix", lambda matrix: matrix - 1e-6 * np.eye(2))
    assert "inertia_matrix is positive definite" in failed_names(verify(robot, lower))


# nothing where the oracle says nothing ----------------------------------------------------------------


def test_zero_gravity_is_compared_absolutely():
    robot = dataclasses.replace(two_links(), gravity=(two_links().gravity[0],) * 3)
    assert np.all(Oracle(robot).gravity_torque(np.ones(2)) == 0)
    assert verify(robot, correct(robot)).passed
    wrong = broken(robot, "gravity_torque", lambda values: values + 1e-9)
    assert "gravity_torque" in failed_names(verify(robot, wrong))


# what may be asked, and what is answered --------------------------------------------------------------------


def test_what_cannot_be_verified_is_refused():
    robot = library.load("planar2r")
    with pytest.raises(InputError, match="no oracle for 'regressor'"):
        verify(robot, {"regressor": lambda q, qd: q})
    with pytest.raises(InputError, match="nothing to verify"):
        verify(robot, {})
    with pytest.raises(InputError, match="nothing to verify"):
        verify(robot, correct(robot), states=0)
    rowless = dataclasses.replace(robot, links=tuple(dataclasses.replace(link, row=None) for link in robot.links))
    with pytest.raises(LimitError, match="no oracle for it"):
        verify(rowless, correct(robot))


def test_states_are_of_sensible_size_and_repeatable():
    oracle = Oracle(library.load("stanford"))
    at, again = draw(oracle, 500, 3), draw(oracle, 500, 3)
    assert np.array_equal(at.tau, again.tau)
    assert not np.array_equal(at.q, draw(oracle, 500, 4).q)
    assert 2.9 < np.abs(at.q[:, 0]).max() <= np.pi
    assert 0.4 < np.abs(at.q[:, 2]).max() <= 0.5
    assert np.abs(at.qd).max() <= 2
    assert np.abs(at.qdd).max() <= 5


def test_many_states_are_computed_in_blocks():
    robot = library.load("planar2r")
    shapes = []

    def gravity_torque(q):
        shapes.append(q.shape)
        values = np.array(Oracle(robot).gravity_torque(q))
        if q.shape == (7, 2):
            values[6, 1] *= 1 + 1e-6
        return values

    report = verify(robot, {"gravity_torque": gravity_torque}, states=2 * BLOCK + 7)
    assert max(shapes)[0] == BLOCK
    assert report.checks[0].states == 2 * BLOCK + 7
    assert "gravity_torque" in failed_names(report)


def test_a_report_says_what_was_found():
    good = Check("gravity_torque", "oracle", 100, 1e-15, 1e-10, "every entry")
    bad = dataclasses.replace(good, error=1e-3)
    assert good.passed
    assert not bad.passed
    assert not dataclasses.replace(good, error=np.nan).passed
    report = Report("arm", (good, bad))
    assert not report.passed
    assert str(report).splitlines()[0] == "arm: FAILED"
    assert "passed  gravity_torque (oracle): error 1.0e-15, tolerance 1.0e-10, 100 states; every entry" in str(report)
    assert not Report("arm", ()).passed
