"""Forward dynamics by articulated bodies as the papers write it: φ̂, η, φ̃, q̈ and μ̃ in 6×6 blocks.

`articulated` has the same recursion on 3-vectors, for generated code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Scalar, Vector, dot, vector, zeros
from symgen.mechanics.blocks import named_vector, product
from symgen.mechanics.denoc_blocks import DenocBlocks
from symgen.mechanics.elimination import ArticulatedBodies
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.newton_euler import body_motions, carried_wrenches
from symgen.robot.model import BASE


@dataclass(frozen=True)
class ForwardRecursion:
    """φ̂ = U⁻¹ φ, φ̃ = D⁻¹ φ̂ and q̈ of every joint column; η_i and μ̃_i, 6, of every body."""

    phi_hat: Vector
    phi_tilde: Vector
    accelerations: Vector
    etas: tuple[Vector, ...]
    mus: tuple[Vector, ...]


def driving_forces(mechanism: Mechanism, velocity: Sequence[Scalar]) -> Vector:
    """φ = τ − C q̇ − gravity − friction − springs, nv (N m or N): what is left to accelerate (1999, eq. (33))."""
    domain = mechanism.domain
    tau = [domain.variable("tau", index) for index in range(mechanism.nv)]
    motions = body_motions(mechanism, velocity, list(zeros(domain, mechanism.nv)), mechanism.gravity)
    phi = [force - drag for force, drag in zip(tau, mechanism.drive_forces(velocity), strict=True)]
    for body, (moment, force) in zip(mechanism.bodies, carried_wrenches(mechanism, motions), strict=True):
        for column, index in zip(body.subspace, body.velocities, strict=True):
            phi[index] = phi[index] - dot(column[:3], moment) - dot(column[3:], force)
    return vector(phi)


def forward_recursion(denoc: DenocBlocks, bodies: ArticulatedBodies, phi: Vector) -> ForwardRecursion:
    """q̈ of I q̈ = φ in three steps (1999, eqs. (34) to (37); Saha, eqs. (19a) to (21b)).

    From the tips inward φ̂_i = φ_i − p_iᵀ Σ A_kiᵀ η_k over the children k and η_i = ψ_i φ̂_i + Σ A_kiᵀ η_k; then
    φ̃_i = φ̂_i / m̂_i; outward q̈_i = φ̃_i − ψ_iᵀ A_i,i−1 μ̃_i−1 and μ̃_i = p_i q̈_i + A_i,i−1 μ̃_i−1.
    """
    domain = denoc.domain
    phi = named_vector(domain, "phi", phi)
    phi_hat: list[Scalar] = [None] * denoc.nv
    etas = [zeros(domain, 6) for _ in denoc.blocks]
    for i in reversed(range(denoc.n)):
        body, eta = denoc.blocks[i], etas[i]
        for column, index in reversed(list(zip(body.columns, body.velocities, strict=True))):
            phi_hat[index] = domain.define(f"phihat{index + 1}", phi[index] - product(column, eta))
            eta = eta + bodies.psis[index] * phi_hat[index]
        etas[i] = eta = named_vector(domain, f"eta{i + 1}", eta)
        if body.parent != BASE:
            etas[body.parent] = etas[body.parent] + product(bodies.propagations[i].T, eta)
    phi_tilde = [value * (domain.constant(1) / pivot) for value, pivot in zip(phi_hat, bodies.pivots, strict=True)]
    accelerations, mus = _outward(denoc, bodies, phi_tilde)
    return ForwardRecursion(vector(phi_hat), vector(phi_tilde), vector(accelerations), tuple(etas), tuple(mus))


def _outward(
    denoc: DenocBlocks, bodies: ArticulatedBodies, phi_tilde: Sequence[Scalar]
) -> tuple[list[Scalar], list[Vector]]:
    """(q̈, μ̃_i)."""
    domain = denoc.domain
    accelerations: list[Scalar] = [None] * denoc.nv
    mus: list[Vector] = []
    for i, body in enumerate(denoc.blocks):
        mu = zeros(domain, 6)
        if body.parent != BASE:
            mu = product(bodies.propagations[i], mus[body.parent])
            mu = named_vector(domain, f"mu{i + 1}_{body.parent + 1}", mu)
        for column, index in zip(body.columns, body.velocities, strict=True):
            push = phi_tilde[index] - product(bodies.psis[index], mu)
            accelerations[index] = domain.define(f"qdd{index + 1}", push)
            mu = mu + column * accelerations[index]
        mus.append(named_vector(domain, f"mu{i + 1}", mu))
    return accelerations, mus
