"""The papers' robots with loops against references made without DeNOC: random states, and samples of their motions.

Each state has the tree's q and, of the independent joints, rates, accelerations and forces; some have more.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

import numpy as np
import pytest

import symgen
from symgen.derive.derivation import Options, derive
from symgen.program.interpreter import evaluate

DATA = Path(__file__).parent / "data" / "loops"
TOLERANCE = 1e-9
ROBOTS = ("five_bar", "rrr3", "rssr", "carpet_scraper", "gough_stewart")

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


@pytest.mark.parametrize("name", ["five_bar", "rrr3", "carpet_scraper", "gough_stewart"])
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
