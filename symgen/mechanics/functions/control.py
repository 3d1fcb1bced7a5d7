"""What controllers ask for: products with the Coriolis matrix and its transpose, momenta, and the inertia's rate.

All are with C of Christoffel's symbols, and each comes without the matrix that it avoids; for robots of a few joints,
where that matrix is cheaper, there is a formulation by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgen.algebra.domain import Matrix, Scalar, Vector, zeros
from symgen.mechanics import composite, inertia_rate, joint_momenta, newton_euler
from symgen.mechanics.functions import inertia
from symgen.mechanics.functions.quantity import (
    NV,
    QD,
    Dependent,
    Formulation,
    Input,
    Output,
    Q,
    Quantity,
    Scope,
    by,
)
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import ACCELERATION, DAMPING, FORCE, PER_PARAMETER, VELOCITY, Unit
from symgen.mechanics.kinematics import applied
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.reference_motion import Reference, reference_motions
from symgen.mechanics.regressor import BASE_COLUMNS, columns, of_motions

X = Input("x", NV, "any vector, with an entry for each joint velocity", VELOCITY, "entry of a vector")
QD_REF = Input("qd_ref", NV, "reference joint velocities v", VELOCITY, "reference joint velocity")
QDD_REF = Input("qdd_ref", NV, "reference joint accelerations a", ACCELERATION, "reference joint acceleration")

_MOMENTUM = Unit("kg m^2/s", "kg m/s")
_BY_MATRIX = "by the matrix"


def _reference(state: State, rates: Sequence[Scalar], pushes: Sequence[Scalar]) -> Reference:
    """The tree's reference motion of the independent one, ni each."""
    return Reference(*state.reduction.references(rates, pushes, state.velocity))


def _forces(state: State, reference: Reference, gravity: Vector) -> Vector:
    """I a + C v + gravity of links and rotors, ni."""
    mechanism = state.mechanism
    links = newton_euler.moving_forces(mechanism, reference_motions(mechanism, state.velocity, reference, gravity))
    rotors = zip(mechanism.rotor_inertias, reference.acceleration, strict=True)
    return state.forces([force + rotor * push for force, (rotor, push) in zip(links, rotors, strict=True)])


def _none(mechanism: Mechanism) -> list[Scalar]:
    return list(zeros(mechanism.domain, mechanism.ni))


def _coriolis_product(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    return [_forces(state, _reference(state, state.given("x"), _none(mechanism)), zeros(mechanism.domain, 3))]


def _coriolis_matrix_times_x(mechanism: Mechanism) -> list[Any]:
    return [applied(_coriolis_matrix(mechanism), State(mechanism).given("x"))]


def _coriolis_matrix(mechanism: Mechanism) -> Matrix:
    (matrix,) = inertia.CORIOLIS_MATRIX.formulations[0].derive(mechanism)
    found: Matrix = matrix
    return found


def _coriolis_transpose_velocity(mechanism: Mechanism) -> list[Any]:
    """Cᵀ q̇; with loops Gᵀ Cᵀ q̇ + Ġᵀ I q̇ of the tree's."""
    state = State(mechanism)
    found = joint_momenta.coriolis_transpose_velocity(mechanism, state.velocity)
    if isinstance(state.reduction, Reduction):
        momenta = joint_momenta.generalized_momentum(mechanism, state.velocity)
        more = state.reduction.changing(momenta, state.velocity)
        found = [own + other for own, other in zip(found, more, strict=True)]
    return [state.forces(found)]


def _inertia_rate(mechanism: Mechanism) -> list[Any]:
    """İ; with loops Gᵀ İ G + Gᵀ I Ġ + (Gᵀ I Ġ)ᵀ of the tree's."""
    state = State(mechanism)
    rate = inertia_rate.inertia_rate(mechanism, state.velocity)
    if not isinstance(state.reduction, Reduction):
        return [rate]
    moved = composite.inertia_matrix(mechanism).dot(state.reduction.matrix_rate(state.velocity))
    back = state.reduction.rows(moved)
    result = state.reduction.congruent(rate) + back + back.T
    return [result]


def _generalized_momentum(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    return [state.forces(joint_momenta.generalized_momentum(mechanism, state.velocity))]


def _inertia_matrix_times_rates(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    return [applied(state.inertia_matrix, state.given("qd"))]


def _inertia_by_columns_times_rates(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    return [applied(state.columns.inertia_matrix(), state.given("qd"))]


def _reference_torque(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    reference = _reference(state, state.given("qd_ref"), state.given("qdd_ref"))
    return [_forces(state, reference, mechanism.gravity)]


def _slotine_li_regressor(scope: Scope) -> Quantity:
    """The regressor with its number of columns."""
    kind = scope.columns
    width = len(columns(scope.mechanism(), kind))

    def derive(mechanism: Mechanism) -> list[Any]:
        state = State(mechanism)
        reference = _reference(state, state.given("qd_ref"), state.given("qdd_ref"))
        motions = reference_motions(mechanism, state.velocity, reference, mechanism.gravity)
        return [state.reduction.rows(of_motions(mechanism, kind, motions))]

    which = "base inertial parameters" if kind == BASE_COLUMNS else "ten inertial parameters of every moving link"
    meaning = "forces of the reference motion by parameters, columns in the parameters' order"
    return Quantity(
        "slotine_li_regressor",
        f"Regressor of the {which} for adaptive control (Slotine and Li): reference_torque of the links, gravity "
        "included, is Y times the parameters; rotors are not in it.",
        (Q, QD, QD_REF, QDD_REF),
        (Output("Y", (NV, width), meaning, PER_PARAMETER, dimensions=("joint", "parameter")),),
        by("newton_euler", "unit wrenches and joint axes in link frames, motions by the reference", derive),
        gravity=True,
        framed=False,
        large=True,
        columns=kind,
        looped=True,
        legend=("e3_1_x, b3_1_x   angular velocity of link 3, velocity of its origin, for joint 1 at unit rate",),
    )


_LEGEND = ("wr3_x, wrd3_x, ar3_x   angular velocity, angular and linear acceleration of link 3 by reference",)

CORIOLIS_PRODUCT = Quantity(
    "coriolis_product",
    "Product C x of coriolis_matrix, by Christoffel's symbols, and any vector x; coriolis_torque for x = qd.",
    (Q, QD, X),
    (Output("product", (NV,), "C(q, qd) x", FORCE, "C x"),),
    (
        Formulation("newton_euler", "recursive Newton-Euler by q̇ and x in link frames", _coriolis_product),
        Formulation("matrix", _BY_MATRIX, _coriolis_matrix_times_x),
    ),
    looped=True,
    legend=_LEGEND,
)

CORIOLIS_TRANSPOSE_VELOCITY = Quantity(
    "coriolis_transpose_velocity",
    "Product C^T qd of coriolis_matrix transposed: the generalized momentum changes by d(I qd)/dt = tau + C^T qd - g, "
    "with g gravity_torque and tau all other joint forces.",
    (Q, QD),
    (Output("product", (NV,), "C(q, qd)^T qd", FORCE, r"C^\mathrm{T} \dot{q}"),),
    by("momenta", "twists in link frames, momenta from the tips inward", _coriolis_transpose_velocity),
    looped=True,
)

INERTIA_RATE = Quantity(
    "inertia_rate",
    "Rate of inertia_matrix as the robot moves: C + C^T.",
    (Q, QD),
    (Output("rate", (NV, NV), "rate of the generalized inertia matrix", DAMPING, r"\dot{I}"),),
    by("composite", "rates of composite bodies in link frames", _inertia_rate),
    looped=True,
)

GENERALIZED_MOMENTUM = Quantity(
    "generalized_momentum",
    "Generalized momenta I qd of the joints, those of rotors included.",
    (Q, QD),
    (Output("p", (NV,), "generalized momenta", _MOMENTUM, "p"),),
    (
        Formulation("momenta", "twists in link frames, momenta from the tips inward", _generalized_momentum),
        Formulation("columns", "twists of unit independent rates", _inertia_by_columns_times_rates, trees=False),
        Formulation("matrix", _BY_MATRIX, _inertia_matrix_times_rates),
    ),
    looped=True,
)

REFERENCE_TORQUE = Quantity(
    "reference_torque",
    "Joint forces I a + C v + g of a reference velocity v and acceleration a, with C by Christoffel's symbols, for "
    "passivity-based control: of links and rotors, gravity included; friction, springs and external wrenches are not "
    "in it.",
    (Q, QD, QD_REF, QDD_REF),
    (Output("tau", (NV,), "I a + C v + g", FORCE, r"\tau_r"),),
    by("newton_euler", "recursive Newton-Euler by q̇, v and a in link frames", _reference_torque),
    gravity=True,
    looped=True,
    legend=_LEGEND,
)

SLOTINE_LI_REGRESSOR = Dependent("slotine_li_regressor", _slotine_li_regressor)
