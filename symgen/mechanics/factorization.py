"""I = U D Uᵀ by reverse Gaussian elimination, and forward dynamics with it (Saha 1999, appendix B, eq. (33)).

The elimination starts at the last joint, so that the pivots m̂ᵢ are the articulated-body inertias of the joints, and
entries between different branches stay zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from symgen.algebra.domain import Domain, Matrix, Scalar, identity

_TAKEN = Fraction(0)
"""What pivots are not to fall below that are taken as they are."""


@dataclass(frozen=True)
class Factors:
    """U (n×n, unit upper triangular), the pivots m̂ of D (n, in the units of the matrix), and their reciprocals."""

    U: Matrix
    pivots: tuple[Scalar, ...]
    reciprocals: tuple[Scalar, ...]


def factorize(
    domain: Domain,
    matrix: Matrix,
    joints: Sequence[int] | None = None,
    label: str = "",
    least: Sequence[Fraction] | None = None,
) -> Factors:
    """The factors of a symmetric positive definite matrix, n×n; `ZeroPivotError` where a pivot is the constant 0.

    `joints`: the indices in q̇ that its rows belong to, if they are not all (Saha 1999, appendix B). Values are named
    after the `label`. Pivots below `least`, one for each, count as 0: what is divided by them is no number. Those
    whose least is 0 are taken as they are.
    """
    n = len(matrix)
    joints = range(n) if joints is None else joints
    rest = matrix.copy()
    U = identity(domain, n)
    pivots: list[Scalar] = [None] * n
    reciprocals: list[Scalar] = [None] * n
    for k in reversed(range(n)):
        pivots[k], reciprocals[k] = reciprocal(
            domain, joints[k], rest[k, k], label, _TAKEN if least is None else least[k]
        )
        for i in range(k):
            U[i, k] = domain.define(f"u{label}{joints[i] + 1}_{joints[k] + 1}", rest[i, k] * reciprocals[k])
        for i in reversed(range(k)):
            for j in range(i + 1):
                rest[i, j] = rest[j, i] = rest[i, j] - U[i, k] * rest[j, k]
    return Factors(U, tuple(pivots), tuple(reciprocals))


class ZeroPivotError(Exception):
    """The inertia of a joint vanishes; `joint` is its index."""

    def __init__(self, joint: int) -> None:
        super().__init__(f"the inertia of joint {joint + 1} vanishes")
        self.joint = joint


def reciprocal(
    domain: Domain, joint: int, pivot: Scalar, label: str = "", least: Fraction = _TAKEN
) -> tuple[Scalar, Scalar]:
    """(m̂, 1/m̂) of a joint, named."""
    pivot = domain.define(f"mhat{label}{joint + 1}", pivot)
    try:
        return pivot, domain.define(f"r{label}{joint + 1}", domain.constant(1) / domain.nonzero(pivot, least))
    except ZeroDivisionError:
        raise ZeroPivotError(joint) from None


def solve(factors: Factors, forces: Sequence[Scalar]) -> list[Scalar]:
    """q̈, n, of U D Uᵀ q̈ = φ, with φ = `forces`, n (Saha 1999, section 5.2, steps 1 to 3; Saha, eq. (18))."""
    return second_half(factors, first_half(factors, forces))


def first_half(factors: Factors, forces: Sequence[Scalar]) -> list[Scalar]:
    """U⁻¹ φ, n."""
    x = list(forces)
    for k in reversed(range(len(x))):
        for i in range(k):
            x[i] = x[i] - factors.U[i, k] * x[k]
    return x


def second_half(factors: Factors, reduced: Sequence[Scalar]) -> list[Scalar]:
    """U⁻ᵀ D⁻¹ y, n."""
    x = [value * factor for value, factor in zip(reduced, factors.reciprocals, strict=True)]
    for k in range(len(x)):
        for i in range(k):
            x[k] = x[k] - factors.U[i, k] * x[i]
    return x


def inverse(domain: Domain, factors: Factors) -> Matrix:
    """I⁻¹ = U⁻ᵀ D⁻¹ U⁻¹, n×n, symmetric."""
    n = len(factors.pivots)
    V = unit_inverse(domain, factors.U)
    scaled = [[V[k, j] * factors.reciprocals[k] for j in range(n)] for k in range(n)]
    result = identity(domain, n)
    for i in range(n):
        for j in range(i, n):
            total = domain.constant(0)
            for k in range(i + 1):
                total = total + V[k, i] * scaled[k][j]
            result[i, j] = result[j, i] = domain.define(f"B{i + 1}_{j + 1}", total)
    return result


def unit_inverse(domain: Domain, U: Matrix, name: str = "") -> Matrix:
    """U⁻¹, n×n, of a unit upper triangular matrix; with a name, entries are defined as soon as they are known."""
    n = len(U)
    V = identity(domain, n)
    for j in range(n):
        for i in reversed(range(j)):
            total = U[i, j]
            for k in range(i + 1, j):
                total = total + U[i, k] * V[k, j]
            V[i, j] = domain.define(f"{name}{i + 1}_{j + 1}", -total) if name else -total
    return V
