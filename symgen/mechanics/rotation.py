"""Rotations as sequences of turns about coordinate axes, applied turn by turn.

A turn costs 4 multiplications on a vector where a full matrix costs 9, and turns by right angles cost nothing. The
coordinates of a vector in the outer frame are R x, with R the product of the turns from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, identity, vector, zeros


@dataclass(frozen=True)
class Turn:
    """A turn about axis 0, 1 or 2 (x, y, z) by an angle with the given cosine and sine."""

    axis: int
    c: Scalar
    s: Scalar


@dataclass(frozen=True)
class Rotation:
    """A product of turns; the empty product is the identity."""

    turns: tuple[Turn, ...] = ()

    def then(self, other: Rotation) -> Rotation:
        """self · other."""
        return Rotation(self.turns + other.turns)

    def inverse(self) -> Rotation:
        """Rᵀ."""
        return Rotation(tuple(Turn(turn.axis, turn.c, -turn.s) for turn in reversed(self.turns)))

    def outward(self, x: Vector) -> Vector:
        """R x: coordinates in the outer frame of a vector given in the inner one."""
        for turn in reversed(self.turns):
            x = _turned(turn, turn.s, x)
        return x

    def inward(self, x: Vector) -> Vector:
        """Rᵀ x: coordinates in the inner frame of a vector given in the outer one."""
        for turn in self.turns:
            x = _turned(turn, -turn.s, x)
        return x

    def outward_symmetric(self, matrix: Matrix) -> Matrix:
        """R A Rᵀ of a symmetric A."""
        for turn in reversed(self.turns):
            matrix = _turned_symmetric(turn, matrix)
        return matrix

    def outward_matrix(self, matrix: Matrix) -> Matrix:
        """R A Rᵀ of any A."""
        for turn in reversed(self.turns):
            matrix = _turned_matrix(turn, matrix)
        return matrix

    def matrix(self, domain: Domain) -> Matrix:
        """R as a 3×3 matrix."""
        result = identity(domain, 3)
        for column in range(3):
            result[:, column] = self.outward(result[:, column])
        return result


def _turned(turn: Turn, s: Scalar, x: Vector) -> Vector:
    i, j = (turn.axis + 1) % 3, (turn.axis + 2) % 3
    result = vector(x)
    result[i] = turn.c * x[i] - s * x[j]
    result[j] = s * x[i] + turn.c * x[j]
    return result


def _turned_matrix(turn: Turn, a: Matrix) -> Matrix:
    """With u = s (aᵢᵢ − aⱼⱼ) + c (aᵢⱼ + aⱼᵢ) the turned entries are aᵢᵢ − s u, aⱼⱼ + s u, c u − aⱼᵢ and c u − aᵢⱼ."""
    k = turn.axis
    i, j = (k + 1) % 3, (k + 2) % 3
    c, s = turn.c, turn.s
    u = s * (a[i, i] - a[j, j]) + c * (a[i, j] + a[j, i])
    su, cu = s * u, c * u
    result = a.copy()
    result[:, k], result[k, :] = _turned(turn, s, a[:, k]), _turned(turn, s, a[k, :])
    result[i, i], result[j, j] = a[i, i] - su, a[j, j] + su
    result[i, j], result[j, i] = cu - a[j, i], cu - a[i, j]
    return result


def _turned_symmetric(turn: Turn, a: Matrix) -> Matrix:
    """With u = s (aᵢᵢ − aⱼⱼ) + 2c aᵢⱼ the turned entries are aᵢᵢ − s u, aⱼⱼ + s u and c u − aᵢⱼ."""
    k = turn.axis
    i, j = (k + 1) % 3, (k + 2) % 3
    c, s = turn.c, turn.s
    product = c * a[i, j]
    u = s * (a[i, i] - a[j, j]) + product + product
    su = s * u
    result = a.copy()
    result[i, i], result[j, j] = a[i, i] - su, a[j, j] + su
    result[i, j] = result[j, i] = c * u - a[i, j]
    result[i, k] = result[k, i] = c * a[i, k] - s * a[j, k]
    result[j, k] = result[k, j] = s * a[i, k] + c * a[j, k]
    return result


def symmetric(domain: Domain, xx: Scalar, yy: Scalar, zz: Scalar, xy: Scalar, xz: Scalar, yz: Scalar) -> Matrix:
    """The symmetric matrix with these entries."""
    matrix = zeros(domain, 3, 3)
    matrix[...] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    return matrix
