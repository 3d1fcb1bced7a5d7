"""The generalized inertia matrix, its factors, its inverse, and the matrix of convective inertia."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symgen.algebra.domain import Matrix, vector
from symgen.mechanics import composite, coriolis, factorization
from symgen.mechanics.functions.quantity import NV, QD, Formulation, Output, Q, Quantity, by
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import DAMPING, INERTIA, MOBILITY, RATIO
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.mechanism import Mechanism


def _inertia_matrix(mechanism: Mechanism, inertia: Matrix) -> list[Any]:
    return [inertia]


def _coriolis_matrix(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    matrix = coriolis.coriolis_matrix(mechanism, state.velocity)
    if not isinstance(state.reduction, Reduction):
        return [matrix]
    G, rate = state.reduction.matrix, state.reduction.matrix_rate(state.velocity)
    return [state.reduction.rows(matrix.dot(G) + composite.inertia_matrix(mechanism).dot(rate))]


def _udu_factors(mechanism: Mechanism, inertia: Matrix) -> list[Any]:
    factors = factorization.factorize(mechanism.domain, inertia)
    return [factors.U, vector(factors.pivots)]


def _inverse_inertia_matrix(mechanism: Mechanism, inertia: Matrix) -> list[Any]:
    return [factorization.inverse(mechanism.domain, factorization.factorize(mechanism.domain, inertia))]


def _of_inertia(name: str, text: str, derive: Callable[[Mechanism, Matrix], Sequence[Any]]) -> tuple[Formulation, ...]:
    """The formulations of what follows from the inertia matrix: by the tree's and, with loops, by columns of twists."""
    return (
        Formulation(name, text, lambda mechanism: derive(mechanism, State(mechanism).inertia_matrix)),
        Formulation(
            "columns",
            "twists of unit independent rates",
            lambda mechanism: derive(mechanism, State(mechanism).columns.inertia_matrix()),
            trees=False,
        ),
    )


INERTIA_MATRIX = Quantity(
    "inertia_matrix",
    "Generalized inertia matrix (GIM), symmetric and positive definite.",
    (Q,),
    (Output("inertia", (NV, NV), "generalized inertia matrix", INERTIA, "I"),),
    _of_inertia("composite", "composite bodies", _inertia_matrix),
    usual=True,
    looped=True,
    exchanged=True,
)

CORIOLIS_MATRIX = Quantity(
    "coriolis_matrix",
    "Matrix of convective inertia by Christoffel's symbols: C qd = h, and dI/dt - 2 C is skew.",
    (Q, QD),
    (Output("C", (NV, NV), "matrix of convective inertia", DAMPING, "C"),),
    by("composite", "composite bodies and momenta", _coriolis_matrix),
    looped=True,
)

UDU_FACTORS = Quantity(
    "udu_factors",
    "Factors of the inertia matrix, I = U diag(D) U^T, with U unit upper triangular.",
    (Q,),
    (
        Output("U", (NV, NV), "unit upper triangular factor", RATIO, "U"),
        Output("D", (NV,), "articulated inertias of the joints", INERTIA, "D"),
    ),
    _of_inertia("composite", "reverse Gaussian elimination of the inertia matrix by composite bodies", _udu_factors),
    looped=True,
    exchanged=True,
)

INVERSE_INERTIA_MATRIX = Quantity(
    "inverse_inertia_matrix",
    "Inverse of the generalized inertia matrix, symmetric and positive definite.",
    (Q,),
    (Output("inverse", (NV, NV), "inverse of the inertia matrix", MOBILITY, "I^{-1}"),),
    _of_inertia("udu", "from its U D U^T factors", _inverse_inertia_matrix),
    looped=True,
    exchanged=True,
)
