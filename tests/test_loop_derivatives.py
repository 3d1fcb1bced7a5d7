"""Derivatives along loops against differences: postures assembled beside each other, forces and inertia there."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from loop_mechanisms import mechanism

import symgen
from symgen.derive.derivation import Options, derive
from symgen.derive.loop_plan import Constraints
from symgen.mechanics.instantiation import instantiate
from symgen.program.interpreter import evaluate

STEP = 2e-4
WEIGHTS = {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12}
TOLERANCE = 1e-7
"""Beside the largest entry: of differences to fourth order."""

LIBRARY = ("five_bar", "rssr", "delta", "palletizer", "ankle")
SEEDS = (19, 30, 48, 108, 312, 321)
CASES = (*LIBRARY, *SEEDS)
cases = pytest.mark.parametrize("case", CASES)

FUNCTIONS = (
    "inverse_dynamics",
    "forward_dynamics",
    "inertia_matrix",
    "coriolis_torque",
    "coriolis_matrix",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "velocity_transformation",
    "jacobian",
    "jacobian_dot",
)


@functools.cache
def robot_of(case):
    return symgen.load(case) if isinstance(case, str) else mechanism(case)


@functools.cache
def functions(case):
    return {each.name: each for each in derive(robot_of(case), Options(FUNCTIONS, effort="low")).module.functions}


class State:
    """A robot at a closed posture near its own, with rates and accelerations of the independent joints."""

    def __init__(self, case) -> None:
        self.case, self.robot = case, robot_of(case)
        chance = np.random.default_rng(1)
        self.own = list(self.robot.independent)
        self.dependent = [k for k in range(self.robot.nv) if k not in self.own]
        self.constraints = Constraints(self.robot, lambda graph: instantiate(self.robot, graph))
        start = self.constraints.assembled(np.array(self.robot.near), self.dependent)
        assert start is not None
        self.q = self.beside(start, chance.uniform(-0.1, 0.1, len(self.own)))
        self.qd, self.qdd, self.tau = chance.uniform(-1, 1, (3, len(self.own)))

    def beside(self, q: np.ndarray, way: np.ndarray) -> np.ndarray:
        """The closed posture at independent positions that are so far away."""
        step = np.zeros(self.robot.nv)
        step[self.own] = way
        found = self.constraints.assembled(self.constraints.ahead(q, step), self.dependent)
        assert found is not None
        return found

    def call(self, name: str, **given):
        function = functions(self.case)[name]
        known = {"q": self.q, "qd": self.qd, "qdd": self.qdd, "tau": self.tau, **given}
        found = list(evaluate(function.program, {item.name: known[item.name] for item in function.inputs}).values())
        return found[0] if len(found) == 1 else found

    def slope(self, of, way: np.ndarray) -> np.ndarray:
        """The derivative of a function of q where the independent positions move so."""
        return sum(weight * of(self.beside(self.q, k * STEP * way)) for k, weight in WEIGHTS.items()) / STEP

    def slopes(self, of) -> np.ndarray:
        """The same by every independent coordinate, columns."""
        return np.stack([self.slope(of, way) for way in np.eye(len(self.own))], axis=-1)


@functools.cache
def state(case) -> State:
    return State(case)


def close(found, expected, tolerance=TOLERANCE) -> bool:
    return np.abs(found - expected).max() <= tolerance * max(1, np.abs(expected).max())


@cases
def test_derivatives_of_inverse_dynamics_are_differences_along_the_loops(case):
    at = state(case)
    by_q, by_qd = at.call("inverse_dynamics_derivatives")
    assert close(by_q, at.slopes(lambda q: at.call("inverse_dynamics", q=q)))
    # forces are quadratic in rates, but for friction that is smoothed
    rates = [
        sum(weight * at.call("inverse_dynamics", qd=at.qd + k * STEP * way) for k, weight in WEIGHTS.items()) / STEP
        for way in np.eye(len(at.own))
    ]
    assert close(by_qd, np.stack(rates, axis=-1))


@cases
def test_derivatives_of_forward_dynamics_are_differences_along_the_loops(case):
    at = state(case)
    by_q, by_qd, by_tau = at.call("forward_dynamics_derivatives")
    assert close(by_q, at.slopes(lambda q: at.call("forward_dynamics", q=q)))
    inverse = np.linalg.inv(at.call("inertia_matrix"))
    assert close(by_tau, inverse, 1e-9)
    forces = at.call("inverse_dynamics_derivatives", qdd=at.call("forward_dynamics"))
    assert close(by_qd, -inverse @ forces[1], 1e-9)


@cases
def test_coriolis_matrix_makes_the_rate_of_inertia_skew(case):
    at = state(case)
    matrix = at.call("coriolis_matrix")
    assert close(matrix @ at.qd, at.call("coriolis_torque"), 1e-9)
    rate = at.slope(lambda q: at.call("inertia_matrix", q=q), at.qd)
    assert close(matrix + matrix.T, rate)


@cases
def test_coriolis_matrix_has_christoffels_symbols(case):
    at = state(case)
    if any(joint.kind.is_free for joint in at.robot.joints):
        pytest.skip("rates are not those of coordinates")
    slopes = at.slopes(lambda q: at.call("inertia_matrix", q=q))
    # C_ij = sum of (dI_ij/dq_k + dI_ik/dq_j - dI_jk/dq_i) qd_k / 2
    symbols = (slopes + np.swapaxes(slopes, 1, 2) - np.moveaxis(slopes, 2, 0)) / 2
    assert close(at.call("coriolis_matrix"), symbols @ at.qd)


@cases
def test_rate_of_the_jacobian(case):
    at = state(case)
    assert close(at.call("jacobian_dot"), at.slope(lambda q: at.call("jacobian", q=q), at.qd))
