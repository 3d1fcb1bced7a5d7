"""The quantities that functions are generated for: what each takes, gives, and how it is derived.

Every derivation is a formula over a mechanism of any domain; its inputs are variables of that domain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from symgen.algebra.domain import Domain, Scalar, Vector, zeros
from symgen.mechanics import articulated, composite, factorization, newton_euler
from symgen.mechanics.mechanism import Mechanism


@dataclass(frozen=True)
class Formulation:
    """One way to derive a quantity; `derive` returns the entries of the output, row by row."""

    name: str
    text: str
    derive: Callable[[Mechanism], Sequence[Scalar]]


@dataclass(frozen=True)
class Quantity:
    """A function of the joint state: its name, inputs, output and formulations (the first is the default)."""

    name: str
    summary: str
    inputs: tuple[str, ...]
    output: str
    matrix: bool
    formulations: tuple[Formulation, ...]


def variables(domain: Domain, name: str, size: int) -> Vector:
    """The input array `name` as a vector of the domain."""
    array = zeros(domain, size)
    for index in range(size):
        array[index] = domain.variable(name, index)
    return array


def _recursion(*, velocity: bool, acceleration: bool, gravity: bool) -> Callable[[Mechanism], Sequence[Scalar]]:
    def derive(mechanism: Mechanism) -> Sequence[Scalar]:
        domain, n = mechanism.domain, mechanism.nv
        rest = zeros(domain, n)
        return newton_euler.inverse_dynamics(
            mechanism,
            list(variables(domain, "qd", n) if velocity else rest),
            list(variables(domain, "qdd", n) if acceleration else rest),
            mechanism.gravity if gravity else zeros(domain, 3),
        )

    return derive


_bias = _recursion(velocity=True, acceleration=False, gravity=True)


def _inertia_matrix(mechanism: Mechanism) -> Sequence[Scalar]:
    return list(composite.inertia_matrix(mechanism).reshape(-1))


def _driving_forces(mechanism: Mechanism) -> list[Scalar]:
    """φ = τ − h − gravity."""
    tau: Any = variables(mechanism.domain, "tau", mechanism.nv)
    bias = _bias(mechanism)
    return [force - rest for force, rest in zip(tau, bias, strict=True)]


def _accelerations_by_factors(mechanism: Mechanism) -> Sequence[Scalar]:
    forces = _driving_forces(mechanism)
    matrix = composite.inertia_matrix(mechanism)
    domain = mechanism.domain
    result = factorization.solve(factorization.factorize(domain, matrix), forces)
    return [domain.define(f"qdd{index + 1}", value) for index, value in enumerate(result)]


def _accelerations_by_articulation(mechanism: Mechanism) -> Sequence[Scalar]:
    return articulated.forward_dynamics(mechanism, _driving_forces(mechanism))


_NEWTON_EULER = "recursive Newton-Euler in link frames"

QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "inverse_dynamics",
        "Joint forces that produce the acceleration qdd at the state (q, qd), gravity included.",
        ("q", "qd", "qdd"),
        "tau",
        False,
        (Formulation("newton_euler", _NEWTON_EULER, _recursion(velocity=True, acceleration=True, gravity=True)),),
    ),
    Quantity(
        "inertia_matrix",
        "Generalized inertia matrix (GIM), symmetric and positive definite.",
        ("q",),
        "inertia",
        True,
        (Formulation("composite", "composite bodies", _inertia_matrix),),
    ),
    Quantity(
        "coriolis_torque",
        "Convective inertia forces h(q, qd): Coriolis and centrifugal, without gravity.",
        ("q", "qd"),
        "h",
        False,
        (Formulation("newton_euler", _NEWTON_EULER, _recursion(velocity=True, acceleration=False, gravity=False)),),
    ),
    Quantity(
        "gravity_torque",
        "Joint forces that hold the robot at rest against gravity.",
        ("q",),
        "g",
        False,
        (Formulation("newton_euler", _NEWTON_EULER, _recursion(velocity=False, acceleration=False, gravity=True)),),
    ),
    Quantity(
        "bias_torque",
        "Joint forces at zero acceleration: coriolis_torque + gravity_torque.",
        ("q", "qd"),
        "bias",
        False,
        (Formulation("newton_euler", _NEWTON_EULER, _bias),),
    ),
    Quantity(
        "forward_dynamics",
        "Joint accelerations under the joint forces tau at the state (q, qd), gravity included.",
        ("q", "qd", "tau"),
        "qdd",
        False,
        (
            Formulation("udu", "inertia matrix and its U D U^T factors", _accelerations_by_factors),
            Formulation("aba", "articulated-body recursion, O(n)", _accelerations_by_articulation),
        ),
    ),
)


def quantity(name: str) -> Quantity:
    """The quantity called `name`; `KeyError` if there is none."""
    return {item.name: item for item in QUANTITIES}[name]
