"""Hybrid dynamics: of every joint either the acceleration is given or the force, and the other is found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgen.algebra.domain import variables, zeros
from symgen.mechanics import hybrid, newton_euler
from symgen.mechanics.functions.joint_forces import tree_forces
from symgen.mechanics.functions.quantity import QD, Dependent, Formulation, Input, Output, Q, Quantity, Scope
from symgen.mechanics.functions.state import State, rest
from symgen.mechanics.functions.units import ACCELERATION, FORCE
from symgen.mechanics.hybrid import Split
from symgen.mechanics.mechanism import Mechanism

QDD_GIVEN, TAU_GIVEN = "qdd_given", "tau_given"
"""Names of the inputs: accelerations of the joints that have theirs given, and forces of the others."""

_ACCELERATED, _DRIVEN = ("accelerated",), ("driven",)


def _hybrid_dynamics(scope: Scope) -> Quantity:
    split = Split.of(scope.given, len(scope.names))
    given, others = (_names(scope, indices) for indices in (split.given, split.others))

    def by_factors(mechanism: Mechanism) -> list[Any]:
        qdd, tau = _inputs(mechanism, split)
        state = State(mechanism)
        accelerations = list(zeros(mechanism.domain, mechanism.ni))
        for index, value in zip(split.given, qdd, strict=True):
            accelerations[index] = value
        pushed = state.reduction.accelerations(accelerations, state.velocity)
        resting = list(state.forces(tree_forces(state, pushed)))
        return hybrid.by_factors(mechanism.domain, state.inertia_matrix, split, tau, resting)

    def by_articulation(mechanism: Mechanism) -> list[Any]:
        qdd, tau = _inputs(mechanism, split)
        speed = State(mechanism).velocity
        links = newton_euler.inverse_dynamics(mechanism, speed, rest(mechanism), mechanism.gravity, loads=True)
        bias = [force + drag for force, drag in zip(links, mechanism.drive_forces(speed), strict=True)]
        return hybrid.by_articulation(mechanism, split, tau, qdd, bias)

    accelerated, driven = len(split.given), len(split.others)
    return Quantity(
        "hybrid_dynamics",
        f"Accelerations of {others} under given forces, and forces of {given} for given accelerations, at the state "
        "(q, qd), gravity included.",
        (
            Q,
            QD,
            Input(QDD_GIVEN, accelerated, f"accelerations of {given}", ACCELERATION, dimensions=_ACCELERATED),
            Input(TAU_GIVEN, driven, f"forces of {others}", FORCE, dimensions=_DRIVEN),
        ),
        (
            Output("qdd_found", (driven,), f"accelerations of {others}", ACCELERATION, dimensions=_DRIVEN),
            Output("tau_found", (accelerated,), f"forces of {given}", FORCE, dimensions=_ACCELERATED),
        ),
        (
            Formulation("udu", "part of the inertia matrix and its U D U^T factors", by_factors),
            Formulation("aba", "articulated bodies, rigid at accelerated joints, O(n)", by_articulation, tied=False),
        ),
        gravity=True,
        loads=True,
        looped=True,
    )


def _inputs(mechanism: Mechanism, split: Split) -> tuple[Any, Any]:
    domain = mechanism.domain
    return variables(domain, QDD_GIVEN, len(split.given)), variables(domain, TAU_GIVEN, len(split.others))


def _names(scope: Scope, indices: Sequence[int]) -> str:
    return ", ".join(scope.names[index] for index in indices)


HYBRID_DYNAMICS = Dependent("hybrid_dynamics", _hybrid_dynamics, option="given")
