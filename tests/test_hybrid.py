"""Hybrid dynamics: derived both ways, proved, held against the oracle and Pinocchio, for random splits."""

from __future__ import annotations

import numpy as np
import pytest
from module_functions import interpreted, setting_of
from robot_text import MASSLESS, head, link
from strategies import equipped_robot
from tree_cases import TREES, Case

import symgen
from symgen.derive.derivation import Options, derive
from symgen.derive.split import given_velocities
from symgen.errors import InputError
from symgen.package.vectors import draw_vectors
from symgen.program.counts import count
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.robot.library import load
from symgen.robot.reader import read_text
from symgen.verify.compare import verify

FUNCTIONS = ("inverse_dynamics", "hybrid_dynamics")


def split(robot, seed: int) -> tuple[str, ...]:
    """Some joints, not all, of a robot with two or more."""
    names = [joint.name for joint in robot.joints]
    chance = np.random.default_rng(seed)
    return tuple(str(name) for name in chance.choice(names, size=int(chance.integers(1, len(names))), replace=False))


def derived(robot, given, algorithm="auto", **options):
    wanted = options.pop("functions", FUNCTIONS)
    return derive(robot, Options(wanted, hybrid_dynamics=algorithm, given=given, effort="low", **options))


def check(made, robot):
    report = verify(robot, interpreted(made), 10, setting=setting_of(made), roundings=roundings(made.module))
    assert report.passed, [item.name for item in report.failures]
    assert "hybrid_dynamics" in {item.name for item in report.checks}
    assert [proof.holds for proof in prove(made)] == [True] * len(made.module.functions)


SPLIT = [robot for robot in TREES if len(robot.joints) > 1]


@pytest.mark.parametrize("robot", SPLIT, ids=lambda robot: robot.name)
def test_trees_of_all_joints_move_as_pinocchio_says(robot):
    """Accelerations and forces that belong to each other: what is not given is found."""
    case, given = Case(robot), split(robot, 1)
    (tau,) = case.expected("inverse_dynamics")
    tied = any(each.joint.mimic is not None for each in robot.links)
    for algorithm in ("udu",) if tied else ("udu", "aba"):
        made = derived(robot, given, algorithm)
        indices = list(made.subject.given)
        others = [index for index in range(robot.nv) if index not in indices]
        qdd_found, tau_found = interpreted(made)["hybrid_dynamics"](case.q, case.qd, case.qdd[indices], tau[others])
        np.testing.assert_allclose(qdd_found, case.qdd[others], rtol=0, atol=1e-9)
        np.testing.assert_allclose(tau_found, tau[indices], rtol=0, atol=1e-9 * max(1, np.abs(tau).max()))
        assert all(proof.holds for proof in prove(made))


EQUIPPED = [robot for robot in map(equipped_robot, range(8)) if len(robot.joints) > 1][:4]


@pytest.mark.parametrize(("seed", "robot"), list(enumerate(EQUIPPED)), ids=lambda each: getattr(each, "name", ""))
@pytest.mark.parametrize("algorithm", ["udu", "aba"])
def test_robots_with_drives_springs_and_loads(seed, robot, algorithm):
    check(derived(robot, split(robot, seed), algorithm, gravity="runtime", wrenches=("tcp",)), robot)


@pytest.mark.parametrize("parameters", ["runtime", "base"])
def test_parameters_at_run_time(parameters):
    made = derived(load("scara"), ("joint2", "joint4"), parameters=parameters)
    assert [proof.holds for proof in prove(made)] == [True, True]


def test_compiled_in_single_precision_with_test_vectors():
    scara = load("scara")
    module = symgen.generate(scara, functions=FUNCTIONS, given=["joint3", "joint1"], real="float32", effort="low")
    state = np.random.default_rng(0).uniform(-1, 1, (4, 7, 4)).astype(np.float32)
    tau = module.inverse_dynamics(*state[:3])
    qdd_found, tau_found = module.hybrid_dynamics(*state[:2], state[2][:, [0, 2]], tau[:, [1, 3]])
    np.testing.assert_allclose(qdd_found, state[2][:, [1, 3]], atol=1e-4)
    np.testing.assert_allclose(tau_found, tau[:, [0, 2]], atol=1e-4)
    vectors = draw_vectors(scara, derived(scara, ("joint1", "joint3")))
    assert set(vectors.results["hybrid_dynamics"]) == {"qdd_found", "tau_found"}


def test_arguments_say_whose_they_are():
    (function,) = derived(load("scara"), ("joint1",), functions="hybrid_dynamics").module.functions
    assert [(each.name, each.shape) for each in function.inputs[2:]] == [("qdd_given", (1,)), ("tau_given", (3,))]
    assert [(each.name, each.shape) for each in function.outputs] == [("qdd_found", (3,)), ("tau_found", (1,))]
    assert function.inputs[3].meaning == "forces of joint2, joint3, joint4"
    assert function.outputs[1].meaning == "forces of joint1"


# what is found out ---------------------------------------------------------------------------------------


def test_wrong_results_are_caught():
    robot = load("scara")
    made = derived(robot, ("joint2",))
    right = interpreted(made)
    for spoilt in range(2):

        def wrong(*args, spoilt=spoilt):
            values = list(right["hybrid_dynamics"](*args))
            values[spoilt] = values[spoilt] * (1 + 1e-7)
            return tuple(values)

        report = verify(robot, right | {"hybrid_dynamics": wrong}, 20, setting=setting_of(made))
        assert "hybrid_dynamics" in {item.name for item in report.failures}
        assert any(item.kind == "identity" for item in report.failures)


def test_a_program_of_another_split_is_refuted():
    one, other = (derived(load("planar3r"), (name,)) for name in ("joint1", "joint2"))
    swapped = type(one)(lambda: one.subject, other.module, one.steps, (), one.choices)
    assert [proof.holds for proof in prove(swapped)] == [True, False]


# long chains, light links ----------------------------------------------------------------------------------


def test_articulated_bodies_grow_linearly():
    costs = []
    for joints in (8, 12, 16):
        given = tuple(f"joint{number}" for number in range(2, joints, 2))
        made = derived(load(f"chain{joints}"), given, "aba", functions="hybrid_dynamics")
        costs.append(count(made.module.functions[0].program).total)
    assert costs[2] - costs[1] == costs[1] - costs[0]


def test_a_massless_leaf_may_have_its_acceleration_given():
    robot = read_text(head() + link() + link(**MASSLESS), "arm")
    made = derived(robot, ("joint2",))
    assert [proof.holds for proof in prove(made)] == [True, True]
    with pytest.raises(InputError, match=r"hybrid_dynamics cannot be generated: the inertia of joint 2 \(joint2\)"):
        derived(robot, ("joint1",))


# words ---------------------------------------------------------------------------------------------------


def test_the_function_is_there_where_joints_are_named():
    robot = load("planar2r")
    assert "hybrid_dynamics" not in Options(functions=("all",)).wanted
    for functions in (None, ("all",), ("hybrid_dynamics",)):
        assert "hybrid_dynamics" in Options(functions=functions, given="joint1").wanted
    assert "hybrid_dynamics" not in Options(functions=("inverse_dynamics",), given="joint1").wanted
    assert given_velocities(robot, ()) == ()


def test_joints_are_named_in_any_order_and_a_free_one_as_a_whole():
    robot = read_text(head() + link(joint='"floating"', joint_name='"free"') + link() + link(), "walker")
    for names, expected in (
        (("joint3", "joint2"), (6, 7)),
        (("free",), range(6)),
        (("joints",), (6, 7)),
        (("base",), range(6)),
        (("base", "joint3"), (*range(6), 7)),
    ):
        assert given_velocities(robot, names) == tuple(expected)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("elbow",), "no joint that moves is called 'elbow'; there are: joint1, joint2"),
        (("joint1", "joint2"), "none to find; that is inverse_dynamics"),
        (("joints",), "no free joint carries the robot"),
    ],
)
def test_what_cannot_be_split_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        derive(load("planar2r"), Options(given=given))


def test_a_joint_that_follows_is_not_split():
    robot = next(each for each in TREES if any(link.joint.mimic is not None for link in each.links))
    follower = next(link.joint for link in robot.links if link.joint.mimic is not None)
    with pytest.raises(InputError, match=f"follows '{follower.mimic.joint}' and has no acceleration of its own"):
        given_velocities(robot, (follower.name,))


def test_the_option_is_asked_for():
    with pytest.raises(InputError, match="hybrid_dynamics needs the option given"):
        Options(functions=("hybrid_dynamics",))
