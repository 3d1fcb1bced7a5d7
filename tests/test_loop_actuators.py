"""More actuators than freedoms: least forces, what they hold against each other, and what is no such robot."""

from dataclasses import replace

import numpy as np
import pytest

import symgen
from symgen.errors import InputError
from symgen.robot import library
from symgen.robot.writer import robot_text

FUNCTIONS = (
    *("inverse_dynamics", "velocity_transformation", "assembly_step", "closure"),
    *("actuator_jacobian", "actuator_forces", "actuator_null_space"),
)

CASES = {
    "five_bar": ("proximal1", "distal1", "proximal2"),
    "rrr3": ("base1", "elbow1", "base2", "base3", "elbow3"),
    "four_bar": ("crank", "coupler_pivot", "rocker"),
}


def redundant(name, motors):
    robot = library.load(name)
    known = {each.name for each in robot.velocities}
    assert set(motors) <= known, known
    return replace(robot, motors=tuple(each.name for each in robot.velocities if each.name in motors))


@pytest.fixture(scope="module", params=CASES)
def case(request):
    robot = redundant(request.param, CASES[request.param])
    result = symgen.generate(robot, functions=FUNCTIONS, effort="low", states=20)
    random = np.random.default_rng(0)
    q = np.array(result.neutral)[None] + 0.0
    q, status = result.assemble(q[:, list(result.record.independent)], q)
    assert not status.any()
    return robot, result, q[0], *random.normal(size=(2, result.nv))


def test_rates_of_actuators_are_rows_of_the_trees(case):
    robot, module, q, _, _ = case
    np.testing.assert_array_equal(module.actuator_jacobian(q), module.velocity_transformation(q)[list(robot.driven)])


def test_forces_are_the_shortest_that_do(case):
    _, module, q, qd, qdd = case
    G, tau = module.actuator_jacobian(q), module.inverse_dynamics(q, qd, qdd)
    least = np.linalg.lstsq(G.T, tau, rcond=None)[0]
    np.testing.assert_allclose(module.actuator_forces(q, qd, qdd), least, rtol=0, atol=1e-11 * np.abs(tau).max())


def test_the_null_space_does_nothing(case):
    robot, module, q, _, _ = case
    P, G = module.actuator_null_space(q), module.actuator_jacobian(q)
    np.testing.assert_allclose(P, P.T, atol=1e-13)
    np.testing.assert_allclose(P @ P, P, atol=1e-12)
    np.testing.assert_allclose(G.T @ P, 0, atol=1e-12)
    assert round(np.trace(P)) == len(robot.motors) - module.nv
    assert f"tau_m: {', '.join(robot.motors)}" in " ".join(
        module.sources[f"{robot.name}.h"].replace(" *  ", "").split()
    )


TABLE = """
name = "twin"
convention = "placed"
gravity = [0, 0, -9.81]
actuated = {actuated}
independent = {independent}
[[links]]
name = "left"
mass = 1
com = [0.5, 0, 0]
joint = "revolute"
joint_name = "a"
axis = [0, 0, 1]
[[links]]
name = "right"
parent = "base"
xyz = [1, 0, 0]
mass = 1
com = [0.5, 0, 0]
joint = "revolute"
joint_name = "b"
axis = [0, 0, 1]
[[couplings]]
terms = {{ a = 1, b = -1 }}
"""


def written(tmp_path, actuated, independent):
    path = tmp_path / "twin.toml"
    path.write_text(TABLE.format(actuated=actuated, independent=independent))
    return symgen.load(path)


def test_files_name_them(tmp_path):
    robot = written(tmp_path, '["a", "b"]', '["a"]')
    assert (robot.actuated, robot.motors) == (("a",), ("a", "b"))
    again = tmp_path / "again.toml"
    again.write_text(robot_text(robot))
    assert symgen.load(again).motors == robot.motors


@pytest.mark.parametrize(
    ("actuated", "independent", "message"),
    [
        ('["a"]', '["a"]', "independent: names joints of actuated"),
        ('["a", "a"]', "[]", "'a' is named twice"),
    ],
)
def test_what_is_no_surplus_is_told(tmp_path, actuated, independent, message):
    with pytest.raises(InputError, match=message):
        written(tmp_path, actuated, independent)


def test_too_many_independent_joints_name_both_numbers(tmp_path):
    with pytest.raises(InputError, match=r"leave 1 freedoms .* but 2 coordinates are independent"):
        symgen.generate(written(tmp_path, '["a", "b"]', "[]"), functions=["inverse_dynamics"])


def test_others_lack_these_functions():
    with pytest.raises(InputError, match="only robots with more actuators than freedoms"):
        symgen.generate("five_bar", functions=["actuator_forces"])


def test_actuators_that_drive_too_little_are_told():
    robot = replace(redundant("gough_stewart", ()), motors=library.load("gough_stewart").actuated[:5])
    with pytest.raises(InputError, match="drive 5 of the 6 freedoms"):
        symgen.generate(robot, functions=["actuator_jacobian"])
