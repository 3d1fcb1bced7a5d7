"""Derivatives along loops against differences: postures assembled beside each other, forces and inertia there."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from loop_mechanisms import mechanism
from robots_with_drives import with_drives

import symgen
from symgen.derive.derivation import Options, derive
from symgen.derive.loop_constraints import Constraints
from symgen.mechanics.instantiation import instantiate
from symgen.program.interpreter import evaluate

STEP = 2e-4
WEIGHTS = {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12}
TOLERANCE = 1e-7
"""Beside the largest entry: of differences to fourth order."""

SEEDS = (19, 108, 312)
CASES = ("five_bar, driven", "rssr", "ankle, driven", *SEEDS)
"""Names of the library's robots, with drives in all joints or as they are, and seeds of random mechanisms."""

cases = pytest.mark.parametrize("case", CASES)

DYNAMICS = (
    "inverse_dynamics",
    "forward_dynamics",
    "inertia_matrix",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)
RATES = ("inertia_matrix", "coriolis_torque", "coriolis_matrix", "jacobian", "jacobian_dot")


@functools.cache
def robot_of(case):
    if not isinstance(case, str):
        return mechanism(case)
    name, *drives = case.split(", ")
    return with_drives(symgen.load(name)) if drives else symgen.load(name)


class State:
    """A robot at a closed posture near its own, with rates and accelerations of the independent joints."""

    def __init__(self, case, functions: tuple[str, ...]) -> None:
        self.robot = robot_of(case)
        self.functions = derive(self.robot, Options(functions, effort="low")).module
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
        function = self.functions.function(name)
        known = {"q": self.q, "qd": self.qd, "qdd": self.qdd, "tau": self.tau, **given}
        found = list(evaluate(function.program, {item.name: known[item.name] for item in function.inputs}).values())
        return found[0] if len(found) == 1 else found

    def slope(self, of, way: np.ndarray) -> np.ndarray:
        """The derivative of a function of q where the independent positions move so."""
        return sum(weight * of(self.beside(self.q, k * STEP * way)) for k, weight in WEIGHTS.items()) / STEP

    def slopes(self, of) -> np.ndarray:
        """The same by every independent coordinate, columns."""
        return np.stack([self.slope(of, way) for way in np.eye(len(self.own))], axis=-1)


def close(found, expected, tolerance=TOLERANCE) -> bool:
    return np.abs(found - expected).max() <= tolerance * max(1, np.abs(expected).max())


@cases
def test_derivatives_of_dynamics_are_differences_along_the_loops(case):
    at = State(case, DYNAMICS)
    inverse = np.linalg.inv(at.call("inertia_matrix"))
    by_q, by_qd = at.call("inverse_dynamics_derivatives")
    assert close(by_q, at.slopes(lambda q: at.call("inverse_dynamics", q=q)))
    rates = [
        sum(weight * at.call("inverse_dynamics", qd=at.qd + k * STEP * way) for k, weight in WEIGHTS.items()) / STEP
        for way in np.eye(len(at.own))
    ]
    assert close(by_qd, np.stack(rates, axis=-1))
    answer_by_q, answer_by_qd, answer_by_tau = at.call("forward_dynamics_derivatives")
    assert close(answer_by_q, at.slopes(lambda q: at.call("forward_dynamics", q=q)))
    assert close(answer_by_tau, inverse, 1e-9)
    _, by_qd = at.call("inverse_dynamics_derivatives", qdd=at.call("forward_dynamics"))
    assert close(answer_by_qd, -inverse @ by_qd, 1e-9)


@cases
def test_rates_of_inertia_and_of_jacobians_along_the_loops(case):
    at = State(case, RATES)
    matrix = at.call("coriolis_matrix")
    assert close(matrix @ at.qd, at.call("coriolis_torque"), 1e-9)
    slopes = at.slopes(lambda q: at.call("inertia_matrix", q=q))
    assert close(matrix + matrix.T, slopes @ at.qd)  # dI/dt - 2 C is skew
    assert close(at.call("jacobian_dot"), at.slope(lambda q: at.call("jacobian", q=q), at.qd))
    if not any(joint.kind.is_free for joint in at.robot.joints):
        # C_ij = sum of (dI_ij/dq_k + dI_ik/dq_j - dI_jk/dq_i) qd_k / 2
        symbols = (slopes + np.swapaxes(slopes, 1, 2) - np.moveaxis(slopes, 2, 0)) / 2
        assert close(matrix, symbols @ at.qd)


@pytest.mark.parametrize("case", CASES[:2])
def test_second_derivatives_are_differences_along_the_loops(case):
    at = State(case, ("inverse_dynamics_derivatives", "inverse_dynamics_hessian"))
    weights = np.random.default_rng(2).uniform(-1, 1, len(at.own))
    by_q, by_q_qd, by_qd, by_q_qdd = at.call("inverse_dynamics_hessian", weights=weights)

    def first(index, **given):
        return weights @ at.call("inverse_dynamics_derivatives", **given)[index]

    def by(name, index):
        rates = np.eye(len(at.own))
        values = getattr(at, name)
        ends = [
            [weight * first(index, **{name: values + k * STEP * way}) for k, weight in WEIGHTS.items()] for way in rates
        ]
        return np.stack([sum(each) / STEP for each in ends], axis=-1)

    assert close(by_q, at.slopes(lambda q: first(0, q=q)))
    assert close(by_q_qd, by("qd", 0))
    assert close(by_qd, by("qd", 1))
    assert close(by_q_qdd, by("qdd", 0))
