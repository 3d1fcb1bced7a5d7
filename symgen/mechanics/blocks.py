"""The papers' 6×6 matrices of one body or of two: what the block form of the dynamics is made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgen.algebra.domain import Domain, Matrix, Vector, cross_matrix, identity, vector, zeros
from symgen.mechanics.inertia import SpatialInertia


def twist_propagation(domain: Domain, a: Vector) -> Matrix:
    """A_ij = [1 O; a_ij × 1 1], 6×6, with a_ij the vector from O_i to O_j (eq. (11d); B_ij in 1999, eq. (13)).

    It carries the twist of body j to the point O_i of a body rigidly joined to it: t_i = A_ij t_j.
    """
    matrix = identity(domain, 6)
    matrix[3:, :3] = cross_matrix(a)
    return matrix


def extended_mass(domain: Domain, inertia: SpatialInertia) -> Matrix:
    """M_i = [J mc×1; −mc×1 m1] about O_i, 6×6, so that w = M ṫ + W M E t (eqs. (4) to (6))."""
    matrix = zeros(domain, 6, 6)
    moment = cross_matrix(inertia.first_moment)
    matrix[:3, :3] = inertia.tensor
    matrix[:3, 3:], matrix[3:, :3] = moment, -moment
    for i in range(3, 6):
        matrix[i, i] = inertia.mass
    return matrix


def angular_velocity_matrix(domain: Domain, angular_velocity: Vector) -> Matrix:
    """W_i = diag(ω × 1, ω × 1), 6×6 (eq. (6))."""
    matrix = zeros(domain, 6, 6)
    matrix[:3, :3] = matrix[3:, 3:] = cross_matrix(angular_velocity)
    return matrix


def coupling_matrix(domain: Domain) -> Matrix:
    """E_i = diag(1, O), 6×6 (eq. (6))."""
    matrix = zeros(domain, 6, 6)
    for i in range(3):
        matrix[i, i] = domain.constant(1)
    return matrix


def product(a: Any, b: Any) -> Any:
    """a b of matrices and vectors."""
    return np.dot(a, b)


def named_vector(domain: Domain, name: str, values: Vector) -> Vector:
    """The vector with its entries defined as name_1, name_2, …"""
    return vector(domain.define(f"{name}_{i + 1}", value) for i, value in enumerate(values))


def named_matrix(domain: Domain, name: str, matrix: Matrix) -> Matrix:
    """The matrix with its entries defined as name_11, name_12, …"""
    result = matrix.copy()
    for (i, j), value in np.ndenumerate(matrix):
        result[i, j] = domain.define(f"{name}_{i + 1}{j + 1}", value)
    return result


def named_symmetric(domain: Domain, name: str, matrix: Matrix) -> Matrix:
    """The symmetric matrix with its entries defined once, as name_11, name_12, …"""
    result = matrix.copy()
    for i in range(len(matrix)):
        for j in range(i, len(matrix)):
            result[i, j] = result[j, i] = domain.define(f"{name}_{i + 1}{j + 1}", matrix[i, j])
    return result
