"""Quantities that say how the dynamics changes: the regressor, and derivatives of inverse and forward dynamics."""

from __future__ import annotations

from typing import Any

from symgen.algebra.domain import Matrix, Scalar, dot, variables, vector
from symgen.mechanics import composite, factorization
from symgen.mechanics.derivatives import Derivatives
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.newton_euler import body_motions, load_forces
from symgen.mechanics.quantities import Formulation, Output, Quantity
from symgen.mechanics.regressor import BASE_COLUMNS, regressor

REGRESSOR = "regressor"

SENSITIVITY_NAMES = (REGRESSOR, "inverse_dynamics_derivatives", "forward_dynamics_derivatives")
"""Names of the functions of this module, in the order in which they are generated."""


def _state(mechanism: Mechanism, *names: str) -> list[list[Scalar]]:
    return [list(variables(mechanism.domain, name, mechanism.nv)) for name in names]


# the regressor -------------------------------------------------------------------------------------


def regressor_quantity(kind: str, width: int) -> Quantity:
    """The regressor with its number of columns."""

    def derive(mechanism: Mechanism) -> list[Any]:
        return [regressor(mechanism, kind, *_state(mechanism, "qd", "qdd"))]

    which = "base inertial parameters" if kind == BASE_COLUMNS else "ten inertial parameters of every moving link"
    return Quantity(
        REGRESSOR,
        f"Regressor of the {which}: joint forces of the links, gravity included, are Y times the parameters; "
        "rotors and friction are not in it.",
        ("q", "qd", "qdd"),
        (Output("Y", ("n", width), "joint forces by parameters, columns in the parameters' order", "per_parameter"),),
        (Formulation("newton_euler", "unit wrenches and joint axes in link frames", derive),),
        gravity=True,
        framed=False,
        large=True,
    )


# derivatives ---------------------------------------------------------------------------------------


def _inverse_dynamics_derivatives(mechanism: Mechanism) -> list[Any]:
    velocity, acceleration = _state(mechanism, "qd", "qdd")
    derivatives = Derivatives(mechanism, velocity)
    motions = body_motions(mechanism, velocity, acceleration, mechanism.gravity)
    return [derivatives.by_positions(motions), _by_rates(mechanism, derivatives)]


def _by_rates(mechanism: Mechanism, derivatives: Derivatives) -> Matrix:
    """∂τ/∂q̇ with friction."""
    matrix = derivatives.by_rates.copy()
    for i, slope in enumerate(mechanism.friction_slopes(derivatives.velocity)):
        matrix[i, i] = matrix[i, i] + slope
    return matrix


def _forward_dynamics_derivatives(mechanism: Mechanism) -> list[Any]:
    """∂q̈/∂x = −I⁻¹ ∂τ/∂x at the accelerations q̈ of forward dynamics, and ∂q̈/∂τ = I⁻¹."""
    domain, n = mechanism.domain, mechanism.nv
    velocity, tau = _state(mechanism, "qd", "tau")
    derivatives = Derivatives(mechanism, velocity)
    factors = factorization.factorize(domain, composite.inertia_matrix(mechanism))
    driving = vector(tau) - _bias(mechanism, derivatives)
    solved = factorization.solve(factors, driving)
    acceleration = [domain.define(f"qdd{index + 1}", value) for index, value in enumerate(solved)]
    motions = body_motions(mechanism, velocity, acceleration, mechanism.gravity)
    results = []
    for slopes in (derivatives.by_positions(motions), _by_rates(mechanism, derivatives)):
        matrix = slopes.copy()
        for j in range(n):
            matrix[:, j] = [-entry for entry in factorization.solve(factors, list(slopes[:, j]))]
        results.append(matrix)
    return [*results, factorization.inverse(domain, factors)]


def _bias(mechanism: Mechanism, derivatives: Derivatives) -> Any:
    """What is not τ nor I q̈ in the equations of motion: C q̇ as half of ∂τ/∂q̇ q̇, gravity, friction and loads."""
    domain, velocity = mechanism.domain, derivatives.velocity
    half = domain.constant(1) / domain.constant(2)
    convective = vector(dot(row, [rate * half for rate in velocity]) for row in derivatives.by_rates)
    friction = vector(mechanism.friction(velocity))
    loads = vector(load_forces(mechanism))
    return convective + derivatives.gravity_forces() + friction + loads


_COMPOSITE = "composite bodies in link frames"

DERIVATIVE_QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "inverse_dynamics_derivatives",
        "Derivatives of inverse_dynamics; that by qdd is inertia_matrix.",
        ("q", "qd", "qdd"),
        (
            Output("dtau_dq", ("n", "n"), "derivatives of tau (rows) by q (columns)", "stiffness"),
            Output("dtau_dqd", ("n", "n"), "derivatives of tau (rows) by qd (columns)", "damping"),
        ),
        (Formulation("composite", _COMPOSITE, _inverse_dynamics_derivatives),),
        gravity=True,
        loads=True,
        large=True,
    ),
    Quantity(
        "forward_dynamics_derivatives",
        "Derivatives of forward_dynamics; that by tau is the inverse of the inertia matrix.",
        ("q", "qd", "tau"),
        (
            Output("dqdd_dq", ("n", "n"), "derivatives of qdd (rows) by q (columns)", "slope"),
            Output("dqdd_dqd", ("n", "n"), "derivatives of qdd (rows) by qd (columns)", "rate"),
            Output("dqdd_dtau", ("n", "n"), "derivatives of qdd (rows) by tau (columns)", "mobility"),
        ),
        (Formulation("udu", f"{_COMPOSITE} and the U D U^T factors", _forward_dynamics_derivatives),),
        gravity=True,
        loads=True,
        large=True,
    ),
)
"""Derivatives; the derivative of the sign in friction without smoothing counts as 0."""
