"""The matrix of convective inertia Nᵀ (M Ṅ + W M E N) about the origins O_i, by composite bodies in link frames.

See `coriolis` for the forms with İ − 2C skew; this one is not, since L differs from −l × 1 by −(s × 1)(ω × 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross_matrix, dot, vector
from symgen.mechanics.articulated import matrix_product
from symgen.mechanics.coriolis import composed
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.kinematics import Twist
from symgen.mechanics.mechanism import Body, Mechanism


@dataclass(frozen=True)
class BlockPart:
    """Both blocks of B, 3×3, in link axes about the frame's origin: T, moment, and L, force, per angular velocity."""

    T: Matrix
    L: Matrix

    def __add__(self, other: BlockPart) -> BlockPart:
        return BlockPart(self.T + other.T, self.L + other.L)

    def moved(self, domain: Domain, body: Body) -> BlockPart:
        """Seen from the parent's frame: T + (p × 1) L."""
        L = body.rotation.to_parent_matrix(self.L)
        return BlockPart(body.rotation.to_parent_matrix(self.T) + matrix_product(cross_matrix(body.position), L), L)

    def apply(self, column: Vector) -> tuple[Vector, Vector]:
        """B S as (moment, force)."""
        w = column[:3]
        return vector([dot(row, w) for row in self.T]), vector([dot(row, w) for row in self.L])

    def apply_transposed(self, domain: Domain, column: Vector) -> tuple[Vector, Vector]:
        """Bᵀ S as (moment, force)."""
        w, v = column[:3], column[3:]
        moment = [dot(self.T[:, i], w) + dot(self.L[:, i], v) for i in range(3)]
        return vector(moment), vector(domain.constant(0) for _ in range(3))


def convective_inertia_matrix(mechanism: Mechanism, velocity: Sequence[Scalar]) -> Matrix:
    """C = Nᵀ (M Ṅ + W M E N) about the origins, nv × nv, at q and q̇ = `velocity`, nv (Saha, eq. (16a)).

    C q̇ = h, the convective inertia forces (N m or N).
    """
    return composed(mechanism, velocity, _about_origin)


def _about_origin(domain: Domain, inertia: SpatialInertia, twist: Twist) -> BlockPart:
    w, v = cross_matrix(twist.angular), cross_matrix(twist.linear)
    s = cross_matrix(inertia.first_moment)
    T = matrix_product(w, inertia.tensor) - matrix_product(s, v)
    return BlockPart(T, -(v * inertia.mass) - matrix_product(w, s))
