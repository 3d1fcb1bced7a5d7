"""Functions of robots with loops whose state is all of the tree's: proved, verified, refuted where they are wrong."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from loop_mechanisms import mechanism
from module_functions import interpreted, setting_of
from robots_with_drives import with_drives
from test_loop_reactions import inline

import symgen
from symgen.derive.derivation import Options, derive
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.verify.compare import verify

FUNCTIONS = ("tree_inertia_matrix", "tree_inverse_dynamics", "independent_constraints", "penalty_dynamics")
CASES = {
    "five_bar": lambda: (with_drives(inline("five_bar")), {}),
    "rssr": lambda: (symgen.load("rssr"), {"gravity": "runtime", "wrenches": ("coupler",)}),
    "gough_stewart": lambda: (symgen.load("gough_stewart"), {}),
    "palletizer": lambda: (symgen.load("palletizer"), {"parameters": "runtime"}),
    "random": lambda: (mechanism(312), {}),
    "one more": lambda: (mechanism(48), {}),
}

cases = pytest.mark.parametrize("case", CASES)


@functools.cache
def derived(case: str):
    robot, options = CASES[case]()
    return derive(robot, Options(FUNCTIONS, effort="low", **options))


def report(case: str, functions):
    made = derived(case)
    return verify(made.subject.robot, functions, 4, setting=setting_of(made), roundings=roundings(made.module))


@cases
def test_all_are_proved_and_verified(case):
    made = derived(case)
    assert {proof.function: proof.holds for proof in prove(made)} == dict.fromkeys(FUNCTIONS, True)
    found = report(case, interpreted(made))
    assert found.passed, [(item.name, item.note) for item in found.failures]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("output", [0, -1])
def test_wrong_functions_are_refuted(name, output):
    right = interpreted(derived("five_bar"))[name]

    def wrong(*arguments):
        results = right(*arguments)
        arrays = [np.array(each) for each in (results if isinstance(results, tuple | list) else [results])]
        arrays[output] = arrays[output] * (1 + 1e-9 * np.arange(arrays[output].shape[-1])) + 1e-9
        return arrays

    assert not report("five_bar", {name: wrong}).passed
    assert report("five_bar", {name: right}).passed


@pytest.mark.parametrize("name", ["five_bar", "rrr3", "delta", "ankle"])
def test_stiff_springs_hold_the_loops_as_the_constraints_do(name):
    """In a motion that keeps the loops closed a penalty does nothing; without it the tree moves as if it were cut."""
    robot = symgen.load(name)
    wanted = ("velocity_transformation", "dependent_acceleration", "forward_dynamics", *FUNCTIONS)
    call = interpreted(derive(robot, Options(wanted, effort="low")))
    q, ni = np.array(robot.near), len(robot.independent)
    q = symgen.generate(robot, functions=("assembly_step",), effort="low", states=1).assemble(
        q[list(robot.independent)], q
    )[0]
    random = np.random.default_rng(3)
    qd, tau, v = random.uniform(-1, 1, ni), random.uniform(-1, 1, ni), random.uniform(-1, 1, robot.nv)
    G, gamma = call["velocity_transformation"](q), call["dependent_acceleration"](q, qd)
    M = call["tree_inertia_matrix"](q)
    driven = np.zeros(robot.nv)
    driven[list(robot.independent)] = tau
    free = call["penalty_dynamics"](q, v, tau, [0.0, 0.0])
    np.testing.assert_allclose(call["tree_inverse_dynamics"](q, v, free), driven, atol=1e-9)
    phi, A, A_dot = call["independent_constraints"](q, G @ qd)
    np.testing.assert_allclose(phi, 0, atol=1e-11)
    np.testing.assert_allclose(A @ gamma + A_dot @ G @ qd, 0, atol=1e-9)
    # All equations at once, of the tree and of the constraints.
    count = len(phi)
    whole = np.block([[M, A.T], [A, np.zeros((count, count))]])
    bias = call["tree_inverse_dynamics"](q, G @ qd, np.zeros(robot.nv))
    found = np.linalg.solve(whole, np.concatenate([driven - bias, -A_dot @ G @ qd]))[: robot.nv]
    expected = G @ call["forward_dynamics"](q, qd, tau) + gamma
    np.testing.assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())
