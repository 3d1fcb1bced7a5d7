"""Derivatives of inverse and forward dynamics; that of the sign in friction without smoothing counts as 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgen.algebra.domain import Matrix, Scalar, dot, vector
from symgen.mechanics import composite, factorization
from symgen.mechanics.derivatives import Derivatives
from symgen.mechanics.factorization import Factors
from symgen.mechanics.functions.forces import driving_forces
from symgen.mechanics.functions.joint_forces import tree_forces
from symgen.mechanics.functions.quantity import NV, QD, QDD, TAU, Output, Q, Quantity, by
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import DAMPING, MOBILITY, STIFFNESS, Unit
from symgen.mechanics.loops import variations
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.newton_euler import Motion, body_motions, load_forces

_COMPOSITE = "composite bodies in link frames"

_LEGEND = (
    "T3_xy, l3_x   twice the convective inertia of composite body 3, and twice its momentum",
    "tq1_3, td1_3  derivative of tau1 by q3 and by qd3",
)


def _inverse_dynamics_derivatives(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    velocity, acceleration = state.velocity, state.acceleration
    return list(slopes(state, Derivatives(mechanism, velocity), acceleration))


def slopes(state: State, derivatives: Derivatives, acceleration: Sequence[Scalar]) -> tuple[Matrix, Matrix]:
    """∂τ/∂q and ∂τ/∂q̇ of the independent joints, ni×ni each, at the tree's q̈, nv; with loops those along them."""
    mechanism, velocity = state.mechanism, derivatives.velocity
    motions = body_motions(mechanism, velocity, acceleration, mechanism.gravity)
    found = _by_positions(mechanism, derivatives, motions), _by_rates(mechanism, derivatives)
    if not isinstance(state.reduction, Reduction):
        return found
    of_tree = variations.Slopes(*found, composite.inertia_matrix(mechanism), tree_forces(state, acceleration))
    return (
        variations.by_positions(state.reduction, velocity, acceleration, of_tree),
        variations.by_rates(state.reduction, velocity, of_tree),
    )


def _by_positions(mechanism: Mechanism, derivatives: Derivatives, motions: Sequence[Motion]) -> Matrix:
    """∂τ/∂q with springs."""
    return _with_diagonal(derivatives.by_positions(motions), mechanism.stiffnesses)


def _by_rates(mechanism: Mechanism, derivatives: Derivatives) -> Matrix:
    """∂τ/∂q̇ with friction."""
    return _with_diagonal(derivatives.by_rates, mechanism.friction_slopes(derivatives.velocity))


def _with_diagonal(matrix: Matrix, entries: Sequence[Scalar]) -> Matrix:
    result = matrix.copy()
    for i, entry in enumerate(entries):
        result[i, i] = result[i, i] + entry
    return result


def _forward_dynamics_derivatives(mechanism: Mechanism) -> list[Any]:
    """∂q̈/∂x = −I⁻¹ ∂τ/∂x at the accelerations q̈ of forward dynamics, and ∂q̈/∂τ = I⁻¹."""
    domain, n = mechanism.domain, mechanism.ni
    state = State(mechanism)
    derivatives = Derivatives(mechanism, state.velocity)
    factors, acceleration = accelerations(state, derivatives)
    results = []
    for matrix in slopes(state, derivatives, acceleration):
        result = matrix.copy()
        for j in range(n):
            result[:, j] = [-entry for entry in factorization.solve(factors, list(matrix[:, j]))]
        results.append(result)
    return [*results, factorization.inverse(domain, factors)]


def accelerations(state: State, derivatives: Derivatives) -> tuple[Factors, list[Scalar]]:
    """Factors of the inertia matrix, and the tree's q̈, nv, under the input forces τ."""
    mechanism, velocity = state.mechanism, state.velocity
    factors = factorization.factorize(mechanism.domain, state.inertia_matrix)
    is_tree = mechanism.plan is None
    driving = vector(state.given("tau")) - _bias(mechanism, derivatives) if is_tree else driving_forces(mechanism)
    solved = factorization.solve(factors, driving)
    found = [mechanism.domain.define(f"qdd{index + 1}", value) for index, value in enumerate(solved)]
    return factors, list(state.reduction.accelerations(found, velocity))


def _bias(mechanism: Mechanism, derivatives: Derivatives) -> Any:
    """What is not τ nor I q̈ in the equations of motion: C q̇ as half of ∂τ/∂q̇ q̇, gravity, friction, springs, loads."""
    domain, velocity = mechanism.domain, derivatives.velocity
    half = domain.constant(1) / domain.constant(2)
    convective = vector(dot(row, [rate * half for rate in velocity]) for row in derivatives.by_rates)
    drags = vector(mechanism.drive_forces(velocity))
    loads = vector(load_forces(mechanism))
    return convective + derivatives.gravity_forces() + drags + loads


_SLOPE = Unit("1/s^2", "1/s^2", "1/s^2, m/(rad s^2) or rad/(m s^2), by the joints")
_ALONG = "Columns belong to independent joints; the others move along, so that loops stay closed."

_RATE = Unit("1/s", "1/s", "1/s, m/(rad s) or rad/(m s), by the joints")

INVERSE_DYNAMICS_DERIVATIVES = Quantity(
    "inverse_dynamics_derivatives",
    "Derivatives of inverse_dynamics; that by qdd is inertia_matrix.",
    (Q, QD, QDD),
    (
        Output("dtau_dq", (NV, NV), "derivatives of tau (rows) by q (columns)", STIFFNESS),
        Output("dtau_dqd", (NV, NV), "derivatives of tau (rows) by qd (columns)", DAMPING),
    ),
    by("composite", _COMPOSITE, _inverse_dynamics_derivatives),
    gravity=True,
    loads=True,
    large=True,
    looped=True,
    at_cuts=False,
    note_of_loops=_ALONG,
    legend=_LEGEND,
)

FORWARD_DYNAMICS_DERIVATIVES = Quantity(
    "forward_dynamics_derivatives",
    "Derivatives of forward_dynamics; that by tau is the inverse of the inertia matrix.",
    (Q, QD, TAU),
    (
        Output("dqdd_dq", (NV, NV), "derivatives of qdd (rows) by q (columns)", _SLOPE),
        Output(
            "dqdd_dqd",
            (NV, NV),
            "derivatives of qdd (rows) by qd (columns)",
            _RATE,
        ),
        Output(
            "dqdd_dtau",
            (NV, NV),
            "derivatives of qdd (rows) by tau (columns)",
            MOBILITY,
        ),
    ),
    by("udu", f"{_COMPOSITE} and the U D U^T factors", _forward_dynamics_derivatives),
    gravity=True,
    loads=True,
    large=True,
    looped=True,
    at_cuts=False,
    note_of_loops=_ALONG,
    legend=_LEGEND,
)
