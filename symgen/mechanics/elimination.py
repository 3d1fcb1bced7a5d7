"""Reverse Gaussian elimination of the inertia matrix, I = U D Uᵀ, in 6×6 blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symgen.algebra.domain import Matrix, Scalar, Vector, identity
from symgen.mechanics.blocks import named_matrix, named_symmetric, named_vector, product
from symgen.mechanics.denoc_blocks import DenocBlocks
from symgen.robot.model import BASE


@dataclass(frozen=True)
class ArticulatedBodies:
    """Articulated bodies: M̂_i and M̄_i, 6×6, of every body, ψ̂ and ψ, 6, and m̂ of every joint column, A_i,i−1, 6×6."""

    inertias: tuple[Matrix, ...]
    transmitted: tuple[Matrix, ...]
    psi_hats: tuple[Vector, ...]
    psis: tuple[Vector, ...]
    pivots: tuple[Scalar, ...]
    propagations: tuple[Matrix, ...]


def articulated_bodies(denoc: DenocBlocks) -> ArticulatedBodies:
    """Reverse Gaussian elimination in 6×6 blocks (1999, eqs. (46) to (50); Saha, eqs. (19c) and (19d)).

    M̂_i = M_i + Σ A_kiᵀ M̄_k A_ki over the children k, M̄_k = M̂_k − ψ̂_k ψ_kᵀ, ψ̂ = M̂ p, m̂ = pᵀ ψ̂ and ψ = ψ̂ / m̂. All
    are named as soon as they are complete, so that formulas do not grow with the number of bodies.
    """
    domain = denoc.domain
    pivots: list[Scalar] = [None] * denoc.nv
    psi_hats: list[Any] = [None] * denoc.nv
    psis: list[Any] = [None] * denoc.nv
    inertias = [denoc.M[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] for i in range(denoc.n)]
    transmitted = list(inertias)
    propagations: list[Any] = [None] * denoc.n
    for i in reversed(range(denoc.n)):
        body = denoc.blocks[i]
        rest = inertias[i] = named_symmetric(domain, f"Mhat{i + 1}", inertias[i])
        for column, index in reversed(list(zip(body.columns, body.velocities, strict=True))):
            psi_hat = named_vector(domain, f"psihat{index + 1}", product(rest, column))
            rotor = denoc.mechanism.rotor_inertias[index]
            pivots[index] = domain.define(f"mhat{index + 1}", product(column, psi_hat) + rotor)
            psi = named_vector(domain, f"psi{index + 1}", psi_hat * (domain.constant(1) / pivots[index]))
            rest = named_symmetric(domain, f"Mbar{index + 1}", rest - psi_hat.reshape(6, 1) * psi.reshape(1, 6))
            psi_hats[index], psis[index] = psi_hat, psi
        transmitted[i] = rest
        if body.parent != BASE:
            A = propagations[i] = _propagation(denoc, i)
            inertias[body.parent] = inertias[body.parent] + product(A.T, product(rest, A))
    return ArticulatedBodies(
        tuple(inertias), tuple(transmitted), tuple(psi_hats), tuple(psis), tuple(pivots), tuple(propagations)
    )


def _propagation(denoc: DenocBlocks, i: int) -> Matrix:
    """A_i,i−1 of a body and the one that carries it, named."""
    parent = denoc.blocks[i].parent
    return named_matrix(denoc.domain, f"A{i + 1}_{parent + 1}", denoc.propagation(i, parent))


def upper_factor(denoc: DenocBlocks, bodies: ArticulatedBodies) -> Matrix:
    """U, nv×nv, of I = U D Uᵀ: U_kj = p_kᵀ A_jkᵀ ψ_j for the joints k between joint j and the base (1999, eq. (46))."""
    U = identity(denoc.domain, denoc.nv)
    for i, body in enumerate(denoc.blocks):
        for index in body.velocities:
            _fill_column(denoc, bodies, U, (i, index))
    return U


def _fill_column(denoc: DenocBlocks, bodies: ArticulatedBodies, U: Matrix, of: tuple[int, int]) -> None:
    k, index = of
    carried = bodies.psis[index]
    while True:
        for column, inner in zip(denoc.blocks[k].columns, denoc.blocks[k].velocities, strict=True):
            if inner < index:
                U[inner, index] = product(column, carried)
        parent = denoc.blocks[k].parent
        if parent == BASE:
            return
        if k != of[0]:
            carried = named_vector(denoc.domain, f"psi{index + 1}_{k + 1}", carried)
        carried, k = product(bodies.propagations[k].T, carried), parent
