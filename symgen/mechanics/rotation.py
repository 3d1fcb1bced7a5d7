"""Rotations as products of turns about coordinate axes and of plain matrices, applied factor by factor.

A turn costs 4 multiplications on a vector where a matrix of nine scalars costs 9; turns by right angles cost nothing.
The coordinates of a vector in the outer frame are R x, with R the product of the factors from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, dot, identity, vector, zeros


@dataclass(frozen=True)
class Turn:
    """A turn about axis 0, 1 or 2 (x, y, z) by an angle with the given cosine and sine."""

    axis: int
    c: Scalar
    s: Scalar

    def inverse(self) -> Turn:
        """The turn back."""
        return Turn(self.axis, self.c, -self.s)

    def to_parent(self, x: Vector) -> Vector:
        """R x, 3: the outer coordinates of a vector given in inner ones."""
        return _turned(self, self.s, x)

    def to_child(self, x: Vector) -> Vector:
        """Rᵀ x, 3: the inner coordinates of a vector given in outer ones."""
        return _turned(self, -self.s, x)

    def to_parent_symmetric(self, matrix: Matrix) -> Matrix:
        """R A Rᵀ of a symmetric A."""
        return _turned_symmetric(self, matrix)

    def to_parent_matrix(self, matrix: Matrix) -> Matrix:
        """R A Rᵀ of any A."""
        return _turned_matrix(self, matrix)


@dataclass(frozen=True)
class Orientation:
    """A rotation about any axis, as its orthogonal matrix R of nine scalars."""

    matrix: Matrix

    def inverse(self) -> Orientation:
        """The rotation back."""
        return Orientation(self.matrix.T)

    def to_parent(self, x: Vector) -> Vector:
        """R x, 3: the outer coordinates of a vector given in inner ones."""
        return vector([dot(row, x) for row in self.matrix])

    def to_child(self, x: Vector) -> Vector:
        """Rᵀ x, 3: the inner coordinates of a vector given in outer ones."""
        return vector([dot(column, x) for column in self.matrix.T])

    def to_parent_matrix(self, matrix: Matrix) -> Matrix:
        """R A Rᵀ of any A."""
        left = matrix.copy()
        for j in range(3):
            left[:, j] = self.to_parent(matrix[:, j])
        result = matrix.copy()
        for i in range(3):
            result[i] = self.to_parent(left[i])
        return result

    def to_parent_symmetric(self, matrix: Matrix) -> Matrix:
        """R A Rᵀ of a symmetric A, which is symmetric."""
        result = self.to_parent_matrix(matrix)
        for i in range(3):
            for j in range(i):
                result[i, j] = result[j, i]
        return result


@dataclass(frozen=True)
class Rotation:
    """A product of turns and orientations; the empty product is the identity."""

    turns: tuple[Turn | Orientation, ...] = ()

    def then(self, other: Rotation) -> Rotation:
        """self · other."""
        return Rotation(self.turns + other.turns)

    def inverse(self) -> Rotation:
        """Rᵀ."""
        return Rotation(tuple(turn.inverse() for turn in reversed(self.turns)))

    def to_parent(self, x: Vector) -> Vector:
        """R x: coordinates in the outer frame of a vector given in the inner one."""
        for turn in reversed(self.turns):
            x = turn.to_parent(x)
        return x

    def to_child(self, x: Vector) -> Vector:
        """Rᵀ x: coordinates in the inner frame of a vector given in the outer one."""
        for turn in self.turns:
            x = turn.to_child(x)
        return x

    def to_parent_symmetric(self, matrix: Matrix) -> Matrix:
        """R A Rᵀ of a symmetric A."""
        for turn in reversed(self.turns):
            matrix = turn.to_parent_symmetric(matrix)
        return matrix

    def to_parent_matrix(self, matrix: Matrix) -> Matrix:
        """R A Rᵀ of any A."""
        for turn in reversed(self.turns):
            matrix = turn.to_parent_matrix(matrix)
        return matrix

    def matrix(self, domain: Domain) -> Matrix:
        """R as a 3×3 matrix."""
        result = identity(domain, 3)
        for column in range(3):
            result[:, column] = self.to_parent(result[:, column])
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
    """The symmetric 3×3 matrix with these entries."""
    matrix = zeros(domain, 3, 3)
    matrix[...] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    return matrix
