"""Trees, a floating base and elastic joints, the systems of Khalil (2010), against references made without symgen.

His twists are [v; ω] and his accelerations of the base are classical: a = v̇ + ω × v in the base's axes, where v̇ are the
rates of the components that symgen's floating joints have as accelerations.
"""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import symgen
from symgen.derive.derivation import Options, derive
from symgen.program.interpreter import evaluate
from symgen.robot.model import NO_DRIVE, Robot
from symgen.robot.reader import read_text

DATA = Path(__file__).parent / "data"
TOLERANCE = 1e-10
FUNCTIONS = (
    "inverse_dynamics",
    "inertia_matrix",
    "coriolis_torque",
    "gravity_torque",
    "bias_torque",
    "forward_dynamics",
)

algorithms = pytest.mark.parametrize("algorithm", ["udu", "aba"])


@functools.cache
def robot(name: str) -> Robot:
    return read_text((DATA / f"{name}.toml").read_text(encoding="utf-8"), name)


@functools.cache
def reference(name: str) -> dict:
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def states(name: str, *keys: str) -> list[np.ndarray]:
    """Arrays (states, …) of what the states hold under these keys."""
    return [np.array([state[key] for state in reference(name)["states"]]) for key in keys]


@functools.cache
def functions(name: str, given: tuple[str, ...] = (), algorithm: str = "auto", *, driven: bool = True):
    """Name → function of a robot, run by the interpreter, with this split and this algorithm of both dynamics."""
    arm = robot(name)
    if not driven:
        links = tuple(replace(link, joint=replace(link.joint, drive=NO_DRIVE)) for link in arm.links)
        arm = replace(arm, links=links)
    wanted = (*FUNCTIONS, "hybrid_dynamics") if given else FUNCTIONS
    options = Options(wanted, forward_dynamics=algorithm, hybrid_dynamics=algorithm, given=given, effort="low")
    return {each.name: functools.partial(interpreted, each) for each in derive(arm, options).module.functions}


def interpreted(function, *args):
    inputs = {argument.name: value for argument, value in zip(function.inputs, args, strict=True)}
    found = evaluate(function.program, inputs)
    values = [found[output.name] for output in function.outputs]
    return values[0] if len(values) == 1 else values


def assert_near(found, expected):
    """Norm-wise, array by array."""
    assert np.abs(found - expected).max() < TOLERANCE * np.abs(expected).max()


# tree ------------------------------------------------------------------------------------------------------


@algorithms
def test_tree(algorithm):
    bare, driven = (functions("tree7", ("joint1", "joint6"), algorithm, driven=driven) for driven in (False, True))
    q, qd, qdd, tau, M, h, gravity = states("tree7", "q", "qd", "qdd", "tau", "M", "h", "gravity")
    assert_near(bare["inverse_dynamics"](q, qd, qdd), tau)
    assert_near(bare["inertia_matrix"](q), M)
    assert_near(bare["coriolis_torque"](q, qd), h)
    assert_near(bare["gravity_torque"](q), gravity)
    pushed, answer, driven_tau, driven_answer = states("tree7", "tau_in", "qdd_fd", "tau_khalil_eq31", "qdd_fd_eq44")
    assert_near(bare["forward_dynamics"](q, qd, pushed), answer)
    assert_near(driven["inverse_dynamics"](q, qd, qdd), driven_tau)
    assert_near(driven["forward_dynamics"](q, qd, pushed), driven_answer)
    given, others = [0, 5], [1, 2, 3, 4, 6]
    for made, forces in ((bare, tau), (driven, driven_tau)):
        qdd_found, tau_found = made["hybrid_dynamics"](q, qd, qdd[:, given], forces[:, others])
        assert_near(qdd_found, qdd[:, others])
        assert_near(tau_found, forces[:, given])


# floating base ---------------------------------------------------------------------------------------------


def floating_states() -> tuple[np.ndarray, np.ndarray]:
    """q and q̇ of the arm on its base: scalar-first quaternions of the reference become x y z w."""
    point, quaternion, v, w, q, qd = states(
        "floating6r", "base_position_world", "base_quaternion", "v0", "w0", "q", "qd"
    )
    return np.hstack([point, quaternion[:, 1:], quaternion[:, :1], q]), np.hstack([v, w, qd])


def convected(qd: np.ndarray) -> np.ndarray:
    """ω × v, by which the classical acceleration of the base exceeds the rates of v's components."""
    return np.cross(qd[:, 3:6], qd[:, :3])


def base_acceleration(solution: str) -> np.ndarray:
    """[v̇; ω̇] of the base in a solution of the reference."""
    (found,) = states("floating6r", solution)
    a, rate = (np.array([each[key] for each in found]) for key in ("a0", "w0d"))
    return np.hstack([a - convected(floating_states()[1]), rate])


@algorithms
def test_floating_base_from_accelerations_of_the_joints(algorithm):
    """Khalil's inverse dynamics (89) to (100), with (96) as it should be."""
    q, qd = floating_states()
    qdd, inverse = states("floating6r", "qdd", "inverse")
    solve = functions("floating6r", ("joints",), algorithm)["hybrid_dynamics"]
    base, tau = solve(q, qd, qdd, np.zeros((len(q), 6)))
    assert_near(base, base_acceleration("inverse"))
    assert_near(tau, np.array([each["tau"] for each in inverse]))


@algorithms
def test_floating_base_from_forces(algorithm):
    """Khalil's direct dynamics (101) to (112)."""
    q, qd = floating_states()
    forces, direct = states("floating6r", "tau_in", "direct")
    found = functions("floating6r", (), algorithm)["forward_dynamics"](
        q, qd, np.hstack([np.zeros((len(q), 6)), forces])
    )
    assert_near(found[:, :6], base_acceleration("direct"))
    assert_near(found[:, 6:], np.array([each["qdd"] for each in direct]))


@algorithms
def test_a_base_whose_motion_is_given_asks_for_no_wrench_where_it_moves_freely(algorithm):
    q, qd = floating_states()
    forces, direct = states("floating6r", "tau_in", "direct")
    base, qdd = base_acceleration("direct"), np.array([each["qdd"] for each in direct])
    found, wrench = functions("floating6r", ("base",), algorithm)["hybrid_dynamics"](q, qd, base, forces)
    assert_near(found, qdd)
    (A,) = states("floating6r", "A")
    assert np.abs(wrench).max() < TOLERANCE * np.abs(A[:, :6, 6:] @ qdd[..., None]).max()
    whole = functions("floating6r")["inverse_dynamics"](q, qd, np.hstack([base, qdd]))
    assert_near(whole[:, 6:], forces)


def test_floating_base_matrices():
    q, qd = floating_states()
    A, H = states("floating6r", "A", "H")
    made = functions("floating6r")
    assert_near(made["inertia_matrix"](q), A)
    assert_near(made["bias_torque"](q, qd), H + (A[:, :, :3] @ convected(qd)[..., None])[..., 0])


# elastic joints --------------------------------------------------------------------------------------------

MOTORS, SPRINGS = [0, 2], [1, 3]


@algorithms
def test_elastic_joints(algorithm):
    """Inverse dynamics (72) to (82) and direct dynamics (36) to (43); no force acts in elastic joints but springs'."""
    made = functions("elastic2r", ("motor1", "motor2"), algorithm)
    q, qd, pushed, forces, answer, A, H = states(
        "elastic2r", "q", "qd", "qdd_rigid", "Gamma_rigid_in", "direct_qdd", "A", "H"
    )
    qdd, tau = made["hybrid_dynamics"](q, qd, pushed, np.zeros((len(q), 2)))
    (inverse,) = states("elastic2r", "inverse")
    assert_near(qdd, np.array([each["qdd_elastic"] for each in inverse]))
    assert_near(tau, np.array([each["Gamma_rigid"] for each in inverse]))
    whole = np.zeros_like(q)
    whole[:, MOTORS] = forces
    assert_near(made["forward_dynamics"](q, qd, whole), answer)
    assert_near(made["inertia_matrix"](q), A)
    assert_near(made["bias_torque"](q, qd), H)


def test_elastic_joints_swing_as_they_should():
    at = reference("elastic2r")["simulation"]
    module = symgen.generate(robot("elastic2r"), functions=["forward_dynamics", "kinetic_energy", "potential_energy"])
    found = symgen.simulate(module, at["t"][-1], samples=len(at["t"]), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(found.t, at["t"], rtol=1e-12)
    assert_near(found.q, np.array(at["q"]))
    assert_near(found.qd, np.array(at["qd"]))
    assert np.abs(found.drift).max() < TOLERANCE
