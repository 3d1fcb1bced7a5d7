"""What is timed is the same robot for everybody: its joints in numbers, and the full inertias."""

import numpy as np
import pinocchio as pin
import pytest
from bench_robots import TREE
from library_robots import ARMS
from pinocchio_oracle import Model
from robot_text import head, link

from symgen import api
from symgen.bench import cases
from symgen.bench.joints import plain_tree
from symgen.bench.peers.pinocchio_model import model_of
from symgen.errors import InputError, LimitError
from symgen.robot.library import chain
from symgen.robot.physical import remarks
from symgen.robot.reader import read_text
from symgen.verify.geometry import bodies


@pytest.mark.parametrize("name", ["puma", "stanford", "scara", "panda", "rx90", "chain7", "tree"])
def test_joints_in_numbers_are_the_robot(name):
    robot = read_text(TREE, "tree.toml") if name == "tree" else cases.robot_of(name, full_inertia=False)
    case = cases.case_of(robot, states=5)
    model, expected = model_of(case.joints, case.gravity), Model(robot)
    data = model.createData()
    for q, qd, qdd in zip(case.q, case.qd, case.qdd, strict=True):
        np.testing.assert_allclose(
            pin.rnea(model, data, q, qd, qdd), expected.inverse_dynamics(q, qd, qdd), rtol=1e-11, atol=1e-11
        )


def test_states_are_the_same_every_time_and_in_reach():
    robot = cases.robot_of("stanford", full_inertia=False)
    first, second = cases.case_of(robot, states=70), cases.case_of(robot, states=70)
    for name in ("q", "qd", "qdd", "tau"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
        assert getattr(first, name).shape == (70, 6)
    sliding = [not joint.turns for joint in first.joints]
    assert np.abs(first.q[:, sliding]).max() <= 0.5 < np.abs(first.q).max() <= np.pi


@pytest.mark.parametrize("name", ARMS)
def test_full_inertias_have_no_zeros_and_are_those_of_bodies(name):
    robot = cases.robot_of(name, full_inertia=True)
    assert remarks(robot) == ()
    assert robot == cases.robot_of(name, full_inertia=True)
    for body in bodies(robot):
        if not body.is_fixed:
            assert body.mass > 0
            assert np.all(body.com != 0)
            assert np.all(body.inertia != 0)


def test_full_inertias_keep_what_is_there():
    plain, full = (bodies(cases.robot_of("puma", full_inertia=flag)) for flag in (False, True))
    for before, after in zip(plain, full, strict=True):
        assert before.mass == after.mass
        given = before.com != 0
        np.testing.assert_allclose(after.com[given], before.com[given])
        assert np.abs(after.inertia - before.inertia).max() < 0.2 * np.abs(before.inertia).max()


def test_chains_by_number():
    assert cases.robot_of("chain12", full_inertia=False) == chain(12)


@pytest.mark.parametrize(
    ("name", "words"),
    [("chain0", "1 to 100"), ("chain101", "found 101"), ("chain(3", "neither a file nor"), ("nobody", "library has")],
)
def test_names_that_are_no_robots(name, words):
    with pytest.raises(InputError, match=words):
        cases.robot_of(name, full_inertia=False)


def test_interleaved_branches_are_refused():
    rows = [link(name='"a"'), link(name='"b"', parent='"base"'), link(name='"c"', parent='"a"')]
    with pytest.raises(LimitError, match="interleaved"):
        plain_tree(read_text(head() + "".join(rows), "arm.toml"))


def test_drives_are_left_out(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(head() + link(viscous_friction="0.5", rotor_inertia="0.1"))
    assert cases.has_drives(str(path))
    assert not cases.has_drives("puma")
    (joint,) = cases.robot_of(str(path), full_inertia=False).joints
    assert float(joint.drive.viscous.constant({})) == float(joint.drive.rotor_inertia.constant({})) == 0
    assert api.load(path).joints[0] != joint
