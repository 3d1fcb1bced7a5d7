"""Forward dynamics: the accelerations that joint forces make."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, vector
from symgen.mechanics import articulated, factorization
from symgen.mechanics.formulations import complement, denoc, platform
from symgen.mechanics.functions.forces import driving_forces
from symgen.mechanics.functions.quantity import NV, QD, QDD, TAU, Formulation, Output, Q, Quantity, of_loops
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import ACCELERATION
from symgen.mechanics.mechanism import Mechanism


def _by_factors(mechanism: Mechanism) -> list[Vector]:
    forces = driving_forces(mechanism)
    return [_accelerations(mechanism.domain, State(mechanism).inertia_matrix, forces)]


def _accelerations(domain: Domain, inertia: Matrix, forces: Sequence[Scalar]) -> Vector:
    result = factorization.solve(factorization.factorize(domain, inertia), forces)
    return vector(domain.define(f"qdd{index + 1}", value) for index, value in enumerate(result))


def _by_columns(mechanism: Mechanism) -> list[Vector]:
    state, domain = State(mechanism), mechanism.domain
    biases = state.columns.forces(state.velocity, state.coasting, mechanism.gravity)
    forces = [force - bias for force, bias in zip(state.given("tau"), biases, strict=True)]
    return [_accelerations(domain, state.columns.inertia_matrix(), forces)]


def _by_articulation(mechanism: Mechanism) -> list[Vector]:
    return [vector(articulated.forward_dynamics(mechanism, driving_forces(mechanism)))]


FORWARD_DYNAMICS = Quantity(
    "forward_dynamics",
    "Joint accelerations under the joint forces tau at the state (q, qd), gravity included.",
    (Q, QD, TAU),
    (Output("qdd", (NV,), QDD.meaning, ACCELERATION, r"\ddot{q}"),),
    (
        Formulation("udu", "inertia matrix and its U D U^T factors", _by_factors),
        Formulation("columns", "twists of unit independent rates and U D U^T factors", _by_columns, trees=False),
        of_loops(
            "denoc",
            "inertia matrices of a parallel robot's serial chains, leg by leg, and U D U^T factors",
            denoc.forward_dynamics,
            misfit=denoc.misfit,
            tried=False,
        ),
        of_loops(
            "platform",
            "equations of motion in the rates of a platform that legs carry (Khalil)",
            platform.forward_dynamics,
            misfit=platform.misfit,
            gap=platform.gap,
        ),
        Formulation("aba", "articulated-body recursion, O(n)", _by_articulation, tied=False),
        of_loops(
            "qr",
            "orthogonal complement of the constraints by Gram and Schmidt, and U D U^T factors",
            complement.qr,
            tried=False,
        ),
        of_loops(
            "projection",
            "projector on the rates that the constraints leave, and U D U^T factors as large as the tree",
            complement.projection,
            tried=False,
        ),
    ),
    gravity=True,
    loads=True,
    usual=True,
    looped=True,
    exchanged=True,
)
