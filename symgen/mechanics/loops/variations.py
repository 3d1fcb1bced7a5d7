"""How forces of independent joints change with their state: along the loops, q with dq = G dq_a, and q̇ and q̈ with it.

With D a derivative along the loops, A q̇ = 0 and A q̈ + b = 0, b = Ȧ q̇, say what dependent rates do,

    A Dq̇ = −(DA) q̇        A Dq̈ = −(DA) q̈ − Db,

nothing along independent ones that are held; and Aᵀ λ what forces do: τ_a = Gᵀ τ, A_dᵀ λ = τ_d gives

    Dτ_a = Gᵀ (Dτ − (DA)ᵀ λ),        Dτ = ∂τ/∂q Dq + ∂τ/∂q̇ Dq̇ + I Dq̈.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Matrix, Scalar, Vector, vector, zeros
from symgen.mechanics.kinematics import applied
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.loops.slopes import bias_slope, jacobian_slope, moving


@dataclass(frozen=True)
class Slopes:
    """∂τ/∂q and ∂τ/∂q̇ of the tree, its inertia matrix, nv×nv each, and its forces τ, nv."""

    by_positions: Matrix
    by_rates: Matrix
    inertia: Matrix
    forces: Sequence[Scalar]


def by_positions(
    reduction: Reduction, velocity: Sequence[Scalar], acceleration: Sequence[Scalar], slopes: Slopes
) -> Matrix:
    """∂τ_a/∂q_a, ni×ni, at the tree's consistent q̇ and q̈, nv each; q̇_a and q̈_a are held."""
    _, multipliers = reduction.multipliers(slopes.forces)
    columns = []
    for way in reduction.matrix.T:
        moved = moving(reduction.mechanism, way)
        change = jacobian_slope(moved, reduction.plan)
        faster = reduction.following(applied(change, velocity))
        rest = vector(bias_slope(moved, reduction.plan, velocity, faster))
        pushed = reduction.following(applied(change, acceleration) + rest)
        forces = applied(slopes.by_positions, way) + applied(slopes.by_rates, faster)
        forces = forces + applied(slopes.inertia, pushed) - applied(change.T, multipliers)
        columns.append(reduction.forces(list(forces)))
    return _joined(reduction, columns)


def by_rates(reduction: Reduction, velocity: Sequence[Scalar], slopes: Slopes) -> Matrix:
    """∂τ_a/∂q̇_a, ni×ni, at the tree's consistent q̇, nv; q_a and q̈_a are held."""
    still = moving(reduction.mechanism, zeros(reduction.mechanism.domain, reduction.mechanism.nv))
    columns = []
    for way in reduction.matrix.T:
        pushed = reduction.following(bias_slope(still, reduction.plan, velocity, list(way)))
        forces = applied(slopes.by_rates, way) + applied(slopes.inertia, pushed)
        columns.append(reduction.forces(list(forces)))
    return _joined(reduction, columns)


def of_projection(reduction: Reduction, slopes: Matrix, forces: Sequence[Scalar]) -> Matrix:
    """∂(Gᵀ τ)/∂q_a, ni×ni, of forces τ of q alone, nv, whose derivatives by the tree's q are `slopes`, nv×nv."""
    _, multipliers = reduction.multipliers(forces)
    columns = []
    for way in reduction.matrix.T:
        change = jacobian_slope(moving(reduction.mechanism, way), reduction.plan)
        columns.append(reduction.forces(list(applied(slopes, way) - applied(change.T, multipliers))))
    return _joined(reduction, columns)


def _joined(reduction: Reduction, columns: Sequence[Vector]) -> Matrix:
    result = zeros(reduction.mechanism.domain, len(columns), len(columns))
    for j, column in enumerate(columns):
        result[:, j] = column
    return result
