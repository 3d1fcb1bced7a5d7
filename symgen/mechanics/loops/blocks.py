"""Small square systems A x = b and Aᵀ x = b over any domain, without branches: one program serves all states.

Up to 3×3 by the adjugate. Larger ones by the modified orthogonalisation of Gram and Schmidt, unnormalised: A = Q R with
orthogonal columns and a unit upper triangular R. That needs neither roots nor pivots: what elimination has by
exchanging rows at run time, it has by projecting on whole columns, and as stably, since the right-hand side is
orthogonalised along (Björck, BIT 7, 1967). It divides by zero only where A is singular.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, dot, vector

CLOSED = 3
"""The largest size that is solved by the adjugate."""


class Factors(ABC):
    """A factored matrix, n×n; `pivots` vanish where it is singular: of small ones the determinant, of large ones the
    squares of the lengths of the columns without their parts along those before."""

    pivots: tuple[Scalar, ...]

    @property
    @abstractmethod
    def determinant(self) -> Scalar:
        """The determinant of a small matrix, its absolute value of a large one."""

    @abstractmethod
    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """x, n, with A x = `right`, n."""

    @abstractmethod
    def solve_transposed(self, right: Sequence[Scalar]) -> list[Scalar]:
        """x, n, with Aᵀ x = `right`, n."""


def factored(domain: Domain, matrix: Matrix, label: str, least: Sequence[Fraction] = ()) -> Factors:
    """The factors of a square matrix; `ZeroDivisionError` where it is singular, as far as the domain sees at once.

    Values are named after the `label`. Pivots below `least`, one for each, count as 0: what is divided by them is no
    number. Those whose least is 0 are taken as they are.
    """
    kind = _Adjugate if len(matrix) <= CLOSED else _GramSchmidt
    return kind(domain, matrix, label, least)


def _reciprocal(domain: Domain, pivot: Scalar, least: Sequence[Fraction], number: int) -> Scalar:
    return domain.constant(1) / (domain.nonzero(pivot, least[number]) if least else pivot)


class _Adjugate(Factors):
    def __init__(self, domain: Domain, matrix: Matrix, label: str, least: Sequence[Fraction]) -> None:
        n = len(matrix)
        self._cofactors = _cofactors(domain, matrix)
        determinant = dot(matrix[0], self._cofactors[0]) if n > 1 else matrix[0, 0]
        determinant = domain.define(f"det{label}", determinant)
        self.pivots = (determinant,)
        self._reciprocal = domain.define(f"inv{label}", _reciprocal(domain, determinant, least, 0))

    @property
    def determinant(self) -> Scalar:
        """The only pivot."""
        return self.pivots[0]

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """By the transposed cofactors."""
        return [self._reciprocal * dot(column, right) for column in self._cofactors.T]

    def solve_transposed(self, right: Sequence[Scalar]) -> list[Scalar]:
        """By the cofactors."""
        return [self._reciprocal * dot(row, right) for row in self._cofactors]


def _cofactors(domain: Domain, a: Matrix) -> Matrix:
    result = a.copy()
    match len(a):
        case 1:
            result[0, 0] = domain.constant(1)
        case 2:
            result[...] = [[a[1, 1], -a[1, 0]], [-a[0, 1], a[0, 0]]]
        case _:
            for i in range(3):
                for j in range(3):
                    (p, q), (r, s) = ((i + 1) % 3, (i + 2) % 3), ((j + 1) % 3, (j + 2) % 3)
                    result[i, j] = a[p, r] * a[q, s] - a[p, s] * a[q, r]
    return result


@dataclass(frozen=True)
class _Direction:
    """A column of Q, and 1/|column|²."""

    column: Vector
    reciprocal: Scalar


class _GramSchmidt(Factors):
    def __init__(self, domain: Domain, matrix: Matrix, label: str, least: Sequence[Fraction]) -> None:
        n = len(matrix)
        columns = [matrix[:, j].copy() for j in range(n)]
        self._domain, self._R = domain, matrix.copy()
        self._directions: list[_Direction] = []
        pivots = []
        for j in range(n):
            length = domain.define(f"d{label}_{j + 1}", dot(columns[j], columns[j]))
            pivots.append(length)
            one = _Direction(columns[j], domain.define(f"i{label}_{j + 1}", _reciprocal(domain, length, least, j)))
            self._directions.append(one)
            for k in range(j + 1, n):
                self._R[j, k] = share = dot(one.column, columns[k]) * one.reciprocal
                columns[k] = columns[k] - one.column * share
        self.pivots = tuple(pivots)

    @property
    def determinant(self) -> Scalar:
        """The product of the lengths of the columns of Q."""
        product = self._domain.constant(1)
        for pivot in self.pivots:
            product = product * pivot
        return self._domain.sqrt(product)

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """The right-hand side is made orthogonal to the columns, one after the other; then backward with R."""
        rest, x = vector(right), list(right)
        for j, one in enumerate(self._directions):
            x[j] = dot(one.column, rest) * one.reciprocal
            if j + 1 < len(x):
                rest = rest - one.column * x[j]
        for i in reversed(range(len(x))):
            for k in range(i + 1, len(x)):
                x[i] = x[i] - self._R[i, k] * x[k]
        return x

    def solve_transposed(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Forward with Rᵀ, then the combination of the columns."""
        z, n = list(right), len(right)
        for j in range(n):
            for i in range(j):
                z[j] = z[j] - self._R[i, j] * z[i]
        total = self._directions[0].column * (z[0] * self._directions[0].reciprocal)
        for one, share in zip(self._directions[1:], z[1:], strict=True):
            total = total + one.column * (share * one.reciprocal)
        return list(total)
