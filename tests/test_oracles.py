"""Derived programs, and the NumPy oracle, against reference values computed independently (tests/data/README.md)."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from symgen.derive.derivation import Options, derive
from symgen.program.interpreter import evaluate
from symgen.robot import library
from symgen.verify.oracle import Oracle

ROBOTS = ("puma", "stanford", "stanford_1999", "planar3r", "planar3r_unequal")
SOURCES = ("udu", "aba", "oracle")
TOLERANCE = 1e-12
ACCELERATION_TOLERANCE = 1e-10
INTEGRATION_TOLERANCE = 1e-6
"""What Runge-Kutta's steps of 1 ms leave (1.1e-7 for the fastest arm), not what the accelerations lack."""

Functions = dict[str, Callable[..., np.ndarray]]


@functools.cache
def reference(robot: str) -> dict:
    return json.loads((Path(__file__).parent / "data" / f"{robot}.json").read_text(encoding="utf-8"))


@functools.cache
def functions(robot: str, source: str) -> Functions:
    """Functions by name: the interpreter on programs with that forward dynamics algorithm, or the NumPy oracle."""
    if source == "oracle":
        oracle = Oracle(library.load(robot))
        names = ("inverse_dynamics", "inertia_matrix", "coriolis_torque", "gravity_torque", "bias_torque")
        return {name: getattr(oracle, name) for name in (*names, "forward_dynamics")}
    module = derive(
        library.load(robot), Options(forward_dynamics=source, effort="normal" if source == "auto" else "low")
    ).module
    return {function.name: functools.partial(interpret, function) for function in module.functions}


def interpret(function, *args) -> np.ndarray:
    inputs = {argument.name: value for argument, value in zip(function.inputs, args, strict=True)}
    return evaluate(function.program, inputs)[function.outputs[0].name]


def worst(found: np.ndarray, expected: list) -> float:
    """The largest norm-wise error over the samples (axis 0), against at least a thousandth of the largest sample."""
    reference = np.asarray(expected)
    axes = tuple(range(1, reference.ndim))
    norms = np.abs(reference).max(axis=axes)
    scale = np.maximum(norms, 1e-3 * norms.max())
    return float((np.abs(found - reference).max(axis=axes) / scale).max())


every = pytest.mark.parametrize(("robot", "source"), [(robot, source) for robot in ROBOTS for source in SOURCES])


@every
def test_forces_and_inertia_at_random_states(robot, source):
    at, compute = reference(robot)["states"], functions(robot, source)
    assert worst(compute["inverse_dynamics"](at["q"], at["qd"], at["qdd"]), at["tau"]) < TOLERANCE
    assert worst(compute["inertia_matrix"](at["q"]), at["inertia"]) < TOLERANCE
    assert worst(compute["coriolis_torque"](at["q"], at["qd"]), at["coriolis"]) < TOLERANCE
    assert worst(compute["gravity_torque"](at["q"]), at["gravity"]) < TOLERANCE
    bias = np.add(at["coriolis"], at["gravity"])
    assert worst(compute["bias_torque"](at["q"], at["qd"]), bias) < TOLERANCE


@every
def test_accelerations_at_random_states(robot, source):
    at, compute = reference(robot)["states"], functions(robot, source)["forward_dynamics"]
    assert worst(compute(at["q"], at["qd"], at["tau_in"]), at["qdd_fd"]) < ACCELERATION_TOLERANCE
    nothing = np.zeros_like(at["q"])
    assert worst(compute(at["q"], at["qd"], nothing), at["qdd_free_fall"]) < ACCELERATION_TOLERANCE


@every
def test_torques_along_the_trajectory(robot, source):
    at = reference(robot)["trajectory"]
    found = functions(robot, source)["inverse_dynamics"](at["q"], at["qd"], at["qdd"])
    assert worst(found, at["tau"]) < TOLERANCE


@every
def test_inertia_and_gravity_at_configurations(robot, source):
    at, compute = reference(robot)["configurations"], functions(robot, source)
    assert worst(compute["inertia_matrix"](at["q"]), at["inertia"]) < TOLERANCE
    assert worst(compute["gravity_torque"](at["q"]), at["gravity"]) < TOLERANCE


FALLS = [(robot, fall) for robot in ROBOTS for fall in reference(robot)["free_fall"]]


@pytest.mark.parametrize(("robot", "fall"), FALLS)
@pytest.mark.parametrize("source", ["udu", "aba"])
def test_free_fall(robot, fall, source):
    """Between two stored samples, 0.2 s apart: every step starts from the reference, so that all run as one batch."""
    at = reference(robot)["free_fall"][fall]
    compute = functions(robot, source)["forward_dynamics"]
    q, qd = np.array(at["q"]), np.array(at["qd"])
    end_q, end_qd = integrate(compute, q[:-1], qd[:-1], duration=0.2, steps=200)
    assert worst(end_q, q[1:]) < INTEGRATION_TOLERANCE
    assert worst(end_qd, qd[1:]) < INTEGRATION_TOLERANCE


def integrate(compute, q, qd, *, duration, steps):
    """Classical Runge-Kutta for q̈ = compute(q, q̇, 0)."""
    nothing, h = np.zeros_like(q), duration / steps

    def rate(state):
        return np.array([state[1], compute(*state, nothing)])

    state = np.array([q, qd])
    for _ in range(steps):
        k1 = rate(state)
        k2 = rate(state + h / 2 * k1)
        k3 = rate(state + h / 2 * k2)
        k4 = rate(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return state
