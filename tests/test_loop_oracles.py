"""The papers' robots with loops against references made without DeNOC: random states, and samples of their motions.

Each state has the tree's q and, of the independent joints, rates, accelerations and forces; some have more.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np
import pytest
from module_functions import interpreted
from scipy.spatial.transform import Rotation

import symgen
from symgen.derive.derivation import Options, derive
from symgen.program.interpreter import evaluate

DATA = Path(__file__).parent / "data" / "loops"
TOLERANCE = 1e-9
ROBOTS = ("five_bar", "rrr3", "rssr", "carpet_scraper", "gough_stewart", "suspension")

FUNCTIONS = (
    "inverse_dynamics",
    "inertia_matrix",
    "coriolis_torque",
    "gravity_torque",
    "forward_dynamics",
    "velocity_transformation",
    "dependent_acceleration",
    "closure",
)

robots = pytest.mark.parametrize("name", ROBOTS)


@functools.cache
def functions(name: str):
    options = Options(FUNCTIONS, gravity="runtime", effort="low")
    return {function.name: function for function in derive(symgen.load(name), options).module.functions}


@functools.cache
def states(name: str) -> list[dict]:
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))["states"]


def call(name: str, function: str, state: dict) -> np.ndarray:
    """A function's result at a state, at the robot's gravity or at the state's own."""
    own = [float(entry.constant({})) for entry in symgen.load(name).gravity]
    given = state | {"tau": state.get("tau_given"), "gravity": state.get("gravity_vector", own)}
    found = functions(name)[function]
    (result,) = evaluate(found.program, {item.name: given[item.name] for item in found.inputs}).values()
    return result


def compared(name: str, function: str, key: str) -> int:
    """How many states have a reference under this key; the function's result agrees with all of them."""
    known = [state for state in states(name) if key in state]
    for state in known:
        expected, found = np.array(state[key]), call(name, function, state)
        assert np.abs(found - expected).max() <= TOLERANCE * np.abs(expected).max()
    return len(known)


@robots
def test_references_are_closed(name):
    assert all(np.abs(call(name, "closure", state)).max() < 1e-13 for state in states(name))


@robots
def test_inverse_dynamics(name):
    assert compared(name, "inverse_dynamics", "tau") >= 8


@pytest.mark.parametrize("name", ["five_bar", "rrr3", "carpet_scraper"])
def test_parts_of_the_equations_of_motion(name):
    parts = {"inertia_matrix": "inertia", "coriolis_torque": "coriolis", "gravity_torque": "gravity"}
    for function, key in (parts | {"forward_dynamics": "qdd_found"}).items():
        assert compared(name, function, key) >= 4


@pytest.mark.parametrize("name", ["five_bar", "rrr3", "carpet_scraper", "gough_stewart", "suspension"])
def test_motion_of_dependent_joints(name):
    for state in (state for state in states(name) if "tree_qd" in state):
        G, gamma = call(name, "velocity_transformation", state), call(name, "dependent_acceleration", state)
        rates, accelerations = np.array(state["tree_qd"]), np.array(state["tree_qdd"])
        assert np.abs(G @ state["qd"] - rates).max() <= TOLERANCE * np.abs(rates).max()
        assert np.abs(G @ state["qdd"] + gamma - accelerations).max() <= TOLERANCE * np.abs(accelerations).max()


def test_rocker_of_the_rssr():
    for state in states("rssr"):
        G, gamma = (call("rssr", name, state)[-1] for name in ("velocity_transformation", "dependent_acceleration"))
        found = G @ state["qd"], G @ state["qdd"] + gamma
        assert np.abs(np.subtract(found, state["rocker"])).max() <= TOLERANCE * np.abs(state["rocker"]).max()


def test_forward_dynamics_of_the_platform():
    """The platform's accelerations, in its own axes, under forces in the legs."""
    for state in states("gough_stewart"):
        qdd = call("gough_stewart", "forward_dynamics", state)
        G, gamma = (
            call("gough_stewart", name, state) for name in ("velocity_transformation", "dependent_acceleration")
        )
        expected = np.array(state["platform_found"])
        assert np.abs((G @ qdd + gamma)[:6] - expected).max() <= TOLERANCE * np.abs(expected).max()


# the suspension, whose wheel moves as it likes ----------------------------------------------------------------


@pytest.fixture(scope="module")
def suspension():
    """Functions of the suspension under the tyre's force, its rack moved, at states and samples of the motion."""
    wanted = ("inverse_dynamics", "hybrid_dynamics", "cut_wrench")
    options = Options(wanted, given=("rack",), wrenches=("wheel",), effort="low")
    made = interpreted(derive(symgen.load("suspension"), options))
    reference = json.loads((DATA / "suspension.json").read_text(encoding="utf-8"))
    return made, reference["states"], reference["trajectory"]


def arrays(states: list[dict], *names: str) -> list[np.ndarray]:
    """Arrays of all states by their keys."""
    return [np.array([state[name] for state in states]) for name in names]


def close(found: np.ndarray, expected: np.ndarray) -> bool:
    return bool(np.abs(found - expected).max() <= TOLERANCE * np.abs(expected).max())


def test_the_inertia_of_the_suspension():
    assert compared("suspension", "inertia_matrix", "inertia") == compared(
        "suspension", "forward_dynamics", "qdd_found"
    )


def test_the_tyre_pushes_the_suspension(suspension):
    made, states, _ = suspension
    q, qd, qdd, wrench, expected = arrays(states, "q", "qd", "qdd", "wheel_wrench", "tau_with_wrench")
    assert close(made["inverse_dynamics"](q, qd, qdd, wrench), expected)


def test_the_rack_moves_the_suspension_and_the_bump_is_found(suspension):
    made, states, trajectory = suspension
    for known in (states, trajectory):
        q, qd, qdd, wrench, bump, force = arrays(
            known, "q", "qd", "qdd", "wheel_wrench", "strut_acceleration", "rack_force"
        )
        found = made["hybrid_dynamics"](q, qd, qdd[:, 1:], np.zeros((len(q), 1)), wrench)
        assert close(found[0][:, 0], bump)
        assert close(found[1][:, 0], force)


def test_forces_at_the_ball_joints_of_the_suspension(suspension):
    """They are on the hub, in the axes of the lower arm, which turns about x, and of the tie rod."""
    made, states, trajectory = suspension
    for state in (*states, *trajectory):
        q, qd, qdd, wrench, expected = arrays([state], "q", "qd", "qdd", "wheel_wrench", "forces_at_cuts")
        (found,) = made["cut_wrench"](q, qd, qdd, wrench)
        assert np.abs(found[:, :3]).max() <= TOLERANCE
        turns = Rotation.from_rotvec([q[0, 0], 0, 0]), Rotation.from_quat(q[0, 7:])
        forces = np.array([turn.apply(each) for turn, each in zip(turns, found[:, 3:], strict=True)])
        assert close(forces, expected[0])
