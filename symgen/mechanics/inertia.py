"""The inertia of a rigid body about the origin of a frame: mass, first moment, second moment.

In these ten numbers the dynamics is linear, and a body's weight at any point needs no division by its mass.
"""

from __future__ import annotations

from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, dot, is_zero, vector, zeros
from symgen.mechanics.rotation import Rotation


@dataclass(frozen=True)
class SpatialInertia:
    """Mass m (kg), first moment m c (kg m) and inertia tensor J about the frame's origin (kg m²)."""

    mass: Scalar
    first_moment: Vector
    tensor: Matrix

    def __add__(self, other: SpatialInertia) -> SpatialInertia:
        return SpatialInertia(
            self.mass + other.mass,
            self.first_moment + other.first_moment,
            add_symmetric(self.tensor, other.tensor),
        )

    def moved(self, rotation: Rotation, p: Vector) -> SpatialInertia:
        """The same body seen from an outer frame, in which this frame has orientation `rotation` and origin `p`."""
        s = rotation.to_parent(self.first_moment)
        u = s + self.mass * p
        tensor = shifted(rotation.to_parent_symmetric(self.tensor), s, u, p)
        return SpatialInertia(self.mass, u, tensor)

    def wrench(self, angular: Vector, linear: Vector) -> tuple[Vector, Vector]:
        """(moment about the origin, force), 3 each, that give the resting body this angular and linear acceleration."""
        moment = vector([dot(row, angular) for row in self.tensor]) + cross(self.first_moment, linear)
        force = self.mass * linear + cross(angular, self.first_moment)
        return moment, force


def no_inertia(domain: Domain) -> SpatialInertia:
    """The inertia of a massless body."""
    return point_mass(domain, domain.constant(0))


def point_mass(domain: Domain, mass: Scalar) -> SpatialInertia:
    """The inertia of a mass at the frame's origin."""
    return SpatialInertia(mass, zeros(domain, 3), zeros(domain, 3, 3))


def shifted(tensor: Matrix, s: Vector, u: Vector, p: Vector) -> Matrix:
    """J + (2 p·s + m p·p) 1 − (p sᵀ + s pᵀ + m p pᵀ), with u = s + m p: the shift of the reference by p."""
    diagonal = [p[k] * (s[k] + u[k]) for k in range(3)]
    result = tensor.copy()
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        result[i, i] = tensor[i, i] + (diagonal[j] + diagonal[k])
        result[i, j] = result[j, i] = tensor[i, j] - (p[i] * u[j] + s[i] * p[j])
    return result


def second_moment(domain: Domain, tensor: Matrix, axis: int) -> Scalar:
    """∫ x² dm along an axis, half of the sum of the tensor's other diagonal entries less its own."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    total = tensor[i, i] + tensor[j, j] - tensor[axis, axis]
    return total / domain.constant(2) if not is_zero(total) else total


def add_symmetric(a: Matrix, b: Matrix) -> Matrix:
    """a + b of symmetric matrices, each entry added once."""
    result = a.copy()
    for i in range(3):
        for j in range(i, 3):
            result[i, j] = result[j, i] = a[i, j] + b[i, j]
    return result
