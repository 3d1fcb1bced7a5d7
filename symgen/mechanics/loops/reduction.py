"""Reduction: all rates, accelerations and forces of a robot with loops by those of its independent joints.

The constraints A q̇ = 0 give q̇ = G q̇_a, and φ̈ = 0 gives q̈ = G q̈_a + γ, with q̇_a the independent rates; forces of
the tree act on these as Gᵀ τ (Khalil 2010, eqs. (55) to (58)). The dependent columns of A are block triangular (see
`Plan`): small systems are solved one after the other, as Saha goes from leg to leg and Chaudhary and Saha from
subsystem to subsystem. A tree's reduction is the identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, identity, is_zero, vector, zeros
from symgen.mechanics.kinematics import applied
from symgen.mechanics.loops.blocks import Factors, factored
from symgen.mechanics.loops.closure import closure
from symgen.mechanics.loops.plan import Plan
from symgen.mechanics.loops.slopes import jacobian_slope, moving
from symgen.mechanics.mechanism import Mechanism


class Reduction:
    """What the constraints make of the independent rates at the present q."""

    def __init__(self, mechanism: Mechanism, plan: Plan) -> None:
        self.mechanism, self.plan = mechanism, plan

    @cached_property
    def jacobian(self) -> Matrix:
        """A, with nothing where it vanishes at every q."""
        found = closure(self.mechanism, reverse=self.plan.reversed_cuts).jacobian
        result = zeros(self.mechanism.domain, *found.shape)
        for row, column in sorted(self.plan.entries):
            result[row, column] = self._written(f"A{row + 1}_{column + 1}", found[row, column])
        return result

    def _written(self, name: str, value: Scalar) -> Scalar:
        return self.mechanism.domain.define(name, value) if self.plan.written else value

    @cached_property
    def _factors(self) -> list[Factors]:
        domain = self.mechanism.domain
        return [
            factored(domain, self.jacobian[list(block.rows)][:, list(block.columns)], f"{number + 1}", block.least)
            for number, block in enumerate(self.plan.blocks)
        ]

    @property
    def pivots(self) -> list[tuple[Scalar, ...]]:
        """What vanishes where the independent rates do not determine the others: of every block in turn."""
        return [factors.pivots for factors in self._factors]

    @property
    def determinants(self) -> list[Scalar]:
        """For each rate of the tree, nv, the determinant of the block that determines it, in units of its size; 1 for
        independent ones."""
        result = [self.mechanism.domain.constant(1)] * self.mechanism.nv
        for number, (block, factors) in enumerate(zip(self.plan.blocks, self._factors, strict=True)):
            scaled = factors.determinant * self.mechanism.domain.constant(1 / block.size)
            for column in block.columns:
                result[column] = self.mechanism.domain.define(f"share{number + 1}", scaled)
        return result

    def velocities(self, rates: Sequence[Scalar]) -> list[Scalar]:
        """q̇ = G q̇_a, nv, of independent rates, ni."""
        return self._solved(rates, None, "v")

    def accelerations(self, rates: Sequence[Scalar], velocity: Sequence[Scalar] | None) -> list[Scalar]:
        """q̈ = G q̈_a + γ, nv, of independent accelerations, ni, at consistent q̇ = `velocity`, nv; γ = 0 without it."""
        if velocity is None:
            return self._solved(rates, None)
        bias = closure(self.mechanism, velocity, self.plan.reversed_cuts).bias
        return self._solved(rates, [self._written(f"b{row + 1}", value) for row, value in enumerate(bias)], "vd")

    def references(
        self, rates: Sequence[Scalar], pushes: Sequence[Scalar], velocity: Sequence[Scalar]
    ) -> tuple[list[Scalar], list[Scalar]]:
        """(G v, G a + Ġ v), nv each, of a reference velocity and acceleration, ni, at q̇ = `velocity`, nv."""
        asked = self._solved(rates, None, "vr")
        rest = applied(jacobian_slope(moving(self.mechanism, velocity), self.plan), asked)
        return asked, self._solved(pushes, list(rest), "vrd")

    def changing(self, forces: Sequence[Scalar], velocity: Sequence[Scalar]) -> list[Scalar]:
        """The tree's forces, nv, that do to the independent joints what Ġᵀ `forces` is: −Ȧᵀ λ with A_dᵀ λ = τ_d."""
        change = jacobian_slope(moving(self.mechanism, velocity), self.plan)
        _, multipliers = self.multipliers(forces)
        return [-entry for entry in applied(change.T, multipliers)]

    def closing(self, residual: Sequence[Scalar]) -> list[Scalar]:
        """δ, nv, with A δ = −φ and no part along independent rates: Newton's step; φ is 0 for spins."""
        nothing = self.mechanism.domain.constant(0)
        return self.following([*residual, *(nothing for _ in self.mechanism.spins)])

    def following(self, rest: Vector | Sequence[Scalar]) -> list[Scalar]:
        """x, nv, with A x + `rest` = 0 and no part along independent rates; `rest` has an entry for every row of A."""
        return self._solved(list(zeros(self.mechanism.domain, len(self.plan.independent))), list(rest))

    def _solved(self, rates: Sequence[Scalar], bias: Sequence[Scalar] | None, name: str = "") -> list[Scalar]:
        """x, nv, with A x + bias = 0 and the independent entries given; the others are called by a name."""
        x = list(zeros(self.mechanism.domain, self.mechanism.nv))
        for index, rate in zip(self.plan.independent, rates, strict=True):
            x[index] = rate
        known = list(self.plan.independent)
        for block, factors in zip(self.plan.blocks, self._factors, strict=True):
            right = []
            for row in block.rows:
                total = self.mechanism.domain.constant(0) if bias is None else bias[row]
                for index in known:
                    if not is_zero(self.jacobian[row, index]):
                        total = total + self.jacobian[row, index] * x[index]
                right.append(-total)
            for index, value in zip(block.columns, factors.solve(right), strict=True):
                x[index] = self._written(f"{name}{index + 1}", value) if name else value
            known += block.columns
        return x

    def multipliers(self, forces: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        """(Gᵀ τ, λ) of the tree's forces τ, nv: λ, m, keep the dependent joints free of them; 0 in dropped rows.

        A_dᵀ λ = τ_d; Gᵀ τ = τ_a − A_aᵀ λ (N, N m).
        """
        left = list(forces)
        result = list(zeros(self.mechanism.domain, len(self.jacobian)))
        for number in reversed(range(len(self.plan.blocks))):
            block = self.plan.blocks[number]
            found = self._factors[number].solve_transposed([left[index] for index in block.columns])
            others = [*self.plan.independent, *(c for each in self.plan.blocks[:number] for c in each.columns)]
            for row, value in zip(block.rows, found, strict=True):
                result[row] = value
                for index in others:
                    if not is_zero(self.jacobian[row, index]):
                        left[index] = left[index] - self.jacobian[row, index] * value
        return [left[index] for index in self.plan.independent], result

    def forces(self, forces: Sequence[Scalar]) -> Vector:
        """Gᵀ τ, ni: what the tree's forces τ, nv, are to the independent joints (Khalil 2010, eq. (56))."""
        return vector(self.multipliers(forces)[0])

    def rows(self, matrix: Matrix) -> Matrix:
        """Gᵀ Y, ni×p, of a matrix, nv×p, whose columns are forces."""
        columns = [self.forces(list(matrix[:, j])) for j in range(matrix.shape[1])]
        result = zeros(self.mechanism.domain, len(self.plan.independent), len(columns))
        for j, column in enumerate(columns):
            result[:, j] = column
        return result

    def columns(self, matrix: Matrix) -> Matrix:
        """J G, p×ni, of a matrix, p×nv, whose columns belong to the tree's rates."""
        domain, (count, n) = self.mechanism.domain, matrix.shape
        result = zeros(domain, count, len(self.plan.independent))
        for i in range(count):
            for j in range(result.shape[1]):
                result[i, j] = _sum(domain, (matrix[i, k] * self.matrix[k, j] for k in range(n)))
        return result

    @cached_property
    def matrix(self) -> Matrix:
        """G, nv×ni, with q̇ = G q̇_a."""
        domain, count = self.mechanism.domain, len(self.plan.independent)
        result = zeros(domain, self.mechanism.nv, count)
        for j in range(count):
            unit = list(zeros(domain, count))
            unit[j] = domain.constant(1)
            for i, value in enumerate(self._solved(unit, None)):
                result[i, j] = domain.define(f"G{i + 1}_{j + 1}", value)
        return result

    def matrix_rate(self, velocity: Sequence[Scalar]) -> Matrix:
        """Ġ, nv×ni, at consistent q̇ = `velocity`, nv: A Ġ = −Ȧ G."""
        result = zeros(self.mechanism.domain, *self.matrix.shape)
        change = jacobian_slope(moving(self.mechanism, velocity), self.plan)
        for j, column in enumerate(self.matrix.T):
            result[:, j] = self.following(applied(change, column))
        return result

    def congruent(self, matrix: Matrix) -> Matrix:
        """Gᵀ I G, ni×ni, of a symmetric matrix, nv×nv."""
        G, domain = self.matrix, self.mechanism.domain
        n, count = G.shape
        half = zeros(domain, n, count)
        for i in range(n):
            for j in range(count):
                half[i, j] = _sum(domain, (matrix[i, k] * G[k, j] for k in range(n)))
        result = zeros(domain, count, count)
        for i in range(count):
            for j in range(i, count):
                value = _sum(domain, (G[k, i] * half[k, j] for k in range(n)))
                result[i, j] = result[j, i] = domain.define(f"I{i + 1}_{j + 1}", value)
        return result


def _sum(domain: Domain, values: Iterable[Scalar]) -> Scalar:
    total = domain.constant(0)
    for value in values:
        total = total + value
    return total


class Tree:
    """The reduction of a robot without loops: all rates are independent, so that everything is what it is."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism

    def velocities(self, rates: Sequence[Scalar]) -> list[Scalar]:
        """q̇, nv."""
        return list(rates)

    def accelerations(self, rates: Sequence[Scalar], velocity: Sequence[Scalar] | None) -> list[Scalar]:
        """q̈, nv."""
        return list(rates)

    def references(
        self, rates: Sequence[Scalar], pushes: Sequence[Scalar], velocity: Sequence[Scalar]
    ) -> tuple[list[Scalar], list[Scalar]]:
        """(v, a), nv each."""
        return list(rates), list(pushes)

    def forces(self, forces: Sequence[Scalar]) -> Vector:
        """τ, nv."""
        return vector(forces)

    def multipliers(self, forces: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        """(τ, λ): there are no constraints."""
        return list(forces), []

    def congruent(self, matrix: Matrix) -> Matrix:
        """The matrix itself."""
        return matrix

    def rows(self, matrix: Matrix) -> Matrix:
        """The matrix itself."""
        return matrix

    def columns(self, matrix: Matrix) -> Matrix:
        """The matrix itself."""
        return matrix

    @property
    def matrix(self) -> Matrix:
        """The identity, nv×nv."""
        return identity(self.mechanism.domain, self.mechanism.nv)


def reduction_of(mechanism: Mechanism) -> Reduction | Tree:
    """The reduction of a mechanism at its present q."""
    return Tree(mechanism) if mechanism.plan is None else Reduction(mechanism, mechanism.plan)
