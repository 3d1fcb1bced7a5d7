"""Reverse Gaussian elimination of the inertia matrix, I = U D Uᵀ: in 6×6 blocks, and entry by entry."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, identity, vector, zeros
from symgen.mechanics.blocks import product
from symgen.mechanics.denoc_blocks import DenocBlocks
from symgen.robot.model import BASE


@dataclass(frozen=True)
class ArticulatedBodies:
    """I = U D Uᵀ through articulated bodies: U and D's diagonal m̂, with M̂_i, ψ̂_i of every joint column."""

    U: Matrix
    pivots: tuple[Scalar, ...]
    inertias: tuple[Matrix, ...]
    psi_hat: tuple[Vector, ...]


def articulated_bodies(denoc: DenocBlocks) -> ArticulatedBodies:
    """Reverse Gaussian elimination in 6×6 blocks (1999, eqs. (46) to (50)).

    M̂_i = M_i + Σ A_kiᵀ M̄_k A_ki over the children k, M̄_k = M̂_k − ψ̂_k ψ_kᵀ, ψ̂ = M̂ p, m̂ = pᵀ ψ̂, ψ = ψ̂ / m̂ and
    U_ij = p_iᵀ A_jiᵀ ψ_j. M̂_i is named as soon as it is complete.
    """
    domain = denoc.domain
    U = identity(domain, denoc.nv)
    pivots: list[Scalar] = [None] * denoc.nv
    psi_hats: list[Vector] = [zeros(domain, 6)] * denoc.nv
    inertias = [denoc.M[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] for i in range(denoc.n)]
    complete = list(inertias)
    for i in reversed(range(denoc.n)):
        body = denoc.blocks[i]
        rest = complete[i] = _named(domain, f"Mhat{i + 1}", inertias[i])
        for column, index in reversed(list(zip(body.columns, body.velocities, strict=True))):
            psi_hat = vector(product(rest, column))
            rotor = denoc.mechanism.rotor_inertias[index]
            pivots[index] = domain.define(f"mhat{index + 1}", product(column, psi_hat) + rotor)
            psi_hats[index], psi = psi_hat, psi_hat * (domain.constant(1) / pivots[index])
            _fill_column(denoc, U, i, index, psi)
            rest = rest - psi_hat.reshape(6, 1) * psi.reshape(1, 6)
        if body.parent != BASE:
            A = denoc.propagation(i, body.parent)
            inertias[body.parent] = inertias[body.parent] + product(A.T, product(rest, A))
    return ArticulatedBodies(U, tuple(pivots), tuple(complete), tuple(psi_hats))


def _named(domain: Domain, name: str, matrix: Matrix) -> Matrix:
    """The symmetric matrix with its entries defined as name_11, name_12, …"""
    result = matrix.copy()
    for i in range(6):
        for j in range(i, 6):
            result[i, j] = result[j, i] = domain.define(f"{name}_{i + 1}{j + 1}", matrix[i, j])
    return result


def _fill_column(denoc: DenocBlocks, U: Matrix, i: int, index: int, psi: Vector) -> None:
    """U_kj = p_kᵀ A_ikᵀ ψ_j for the joints k between joint j and the base."""
    k = i
    while k != BASE:
        carried = product(denoc.propagation(i, k).T, psi)
        for column, inner in zip(denoc.blocks[k].columns, denoc.blocks[k].velocities, strict=True):
            if inner < index:
                U[inner, index] = product(column, carried)
        k = denoc.blocks[k].parent


def eliminate(domain: Domain, matrix: Matrix) -> tuple[Matrix, tuple[Scalar, ...]]:
    """(U, m̂) of I = U D Uᵀ by reverse Gaussian elimination on the entries (1999, eqs. (40) to (55))."""
    n = len(matrix)
    rest, U = matrix.copy(), identity(domain, n)
    for k in reversed(range(n)):
        for i in range(k):
            U[i, k] = rest[i, k] * (domain.constant(1) / rest[k, k])
            rest[i, : k + 1] = rest[i, : k + 1] - U[i, k] * rest[k, : k + 1]
    return U, tuple(rest[k, k] for k in range(n))
