"""Forward dynamics: the accelerations that joint forces make."""

from __future__ import annotations

from symgen.algebra.domain import Vector, vector
from symgen.mechanics import articulated, factorization
from symgen.mechanics.functions.forces import driving_forces
from symgen.mechanics.functions.quantity import NV, QD, QDD, TAU, Formulation, Output, Q, Quantity
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import ACCELERATION
from symgen.mechanics.mechanism import Mechanism


def _by_factors(mechanism: Mechanism) -> list[Vector]:
    forces = driving_forces(mechanism)
    domain = mechanism.domain
    factors = factorization.factorize(domain, State(mechanism).inertia_matrix)
    result = factorization.solve(factors, forces)
    return [vector(domain.define(f"qdd{index + 1}", value) for index, value in enumerate(result))]


def _by_articulation(mechanism: Mechanism) -> list[Vector]:
    return [vector(articulated.forward_dynamics(mechanism, driving_forces(mechanism)))]


FORWARD_DYNAMICS = Quantity(
    "forward_dynamics",
    "Joint accelerations under the joint forces tau at the state (q, qd), gravity included.",
    (Q, QD, TAU),
    (Output("qdd", (NV,), QDD.meaning, ACCELERATION, r"\ddot{q}"),),
    (
        Formulation("udu", "inertia matrix and its U D U^T factors", _by_factors),
        Formulation("aba", "articulated-body recursion, O(n)", _by_articulation, tied=False),
    ),
    gravity=True,
    loads=True,
    usual=True,
    looped=True,
)
