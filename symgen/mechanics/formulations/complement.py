"""Forward dynamics by an orthogonal complement of the constraints (Khan 2002, section 2.3 and appendix A.2).

The columns of S span the rates that the constraints leave: A S = 0. With v = S υ and v̇ = S υ̇ + γ, where A γ + Ȧ v = 0,

    (Sᵀ M S) υ̇ = Sᵀ (B τ − h − M γ).

By Gaussian triangularization S is G, and that is the general reduction. Here S comes from the QR factorization of Aᵀ,
by Gram and Schmidt without roots: its columns are at right angles to each other, not of length 1. Both υ and υ̇ lead
back to the independent rates. `projection` does without S: P = 1 − A⁺ A projects all rates on the feasible ones, and
(P M P + 1 − P) x = P (B τ − h − M γ) has a symmetric positive definite matrix as large as the tree's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, dot, identity, vector, zeros
from symgen.mechanics import composite, factorization
from symgen.mechanics.functions.state import rates
from symgen.mechanics.functions.tree import constraint_biases, constraint_rows, driven, tree_forces
from symgen.mechanics.kinematics import applied
from symgen.mechanics.loops.blocks import factored
from symgen.mechanics.mechanism import Mechanism


def qr(mechanism: Mechanism) -> Vector:
    """q̈, ni, by the columns of S that are at right angles to each other."""
    feasible, domain = _Feasible(mechanism), mechanism.domain
    own, S = _independent(mechanism), feasible.complement
    back = factored(domain, S[own], "S")
    velocity = applied(S, back.solve(rates(mechanism, "qd")))
    gamma = feasible.particular(constraint_biases(mechanism, list(velocity)))
    M, left = composite.inertia_matrix(mechanism), _left(mechanism, velocity, gamma)
    factors = factorization.factorize(domain, _congruent(domain, S, M))
    change = factorization.solve(factors, [dot(column, left) for column in S.T])
    return _named(domain, (applied(S, change) + gamma)[own])


def projection(mechanism: Mechanism) -> Vector:
    """q̈, ni, by the projector P."""
    feasible, domain = _Feasible(mechanism), mechanism.domain
    own, P = _independent(mechanism), feasible.projector
    back = factored(domain, P[own][:, own], "P")
    velocity = applied(P[:, own], back.solve(rates(mechanism, "qd")))
    gamma = feasible.particular(constraint_biases(mechanism, list(velocity)))
    M, left = composite.inertia_matrix(mechanism), _left(mechanism, velocity, gamma)
    matrix = _congruent(domain, P, M) + identity(domain, mechanism.nv) - P
    x = factorization.solve(factorization.factorize(domain, matrix), list(applied(P, left)))
    return _named(domain, (vector(x) + gamma)[own])


@dataclass(frozen=True)
class _Direction:
    """A row of A without its parts along the rows before, those shares, and 1/|row|²."""

    row: Vector
    shares: tuple[Scalar, ...]
    reciprocal: Scalar


class _Feasible:
    """The rates that the constraints leave at the present q."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism, self.domain = mechanism, mechanism.domain
        self._directions: list[_Direction] = []
        for row in constraint_rows(mechanism)[1]:
            self._directions.append(self._beside(row, self._directions, f"a{len(self._directions) + 1}"))

    def _beside(self, row: Vector, before: Sequence[_Direction], label: str) -> _Direction:
        shares: list[Scalar] = []
        for one in before:
            shares.append(self.domain.define(f"r{label}_{len(shares) + 1}", dot(one.row, row) * one.reciprocal))
            row = row - one.row * shares[-1]
        row = vector(self.domain.define(f"{label}_{k + 1}", entry) for k, entry in enumerate(row))
        reciprocal = self.domain.define(f"i{label}", self.domain.constant(1) / dot(row, row))
        return _Direction(row, tuple(shares), reciprocal)

    @cached_property
    def complement(self) -> Matrix:
        """S, nv×ni: what the constraints leave of unit rates of the independent joints, one after the other."""
        n, own = self.mechanism.nv, _independent(self.mechanism)
        unit, found = identity(self.domain, n), list(self._directions)
        for j, index in enumerate(own):
            found.append(self._beside(unit[index], found, f"s{j + 1}"))
        result = zeros(self.domain, n, len(own))
        for j, one in enumerate(found[len(self._directions) :]):
            result[:, j] = one.row
        return result

    @cached_property
    def projector(self) -> Matrix:
        """P = 1 − A⁺ A, nv×nv."""
        n = self.mechanism.nv
        result = identity(self.domain, n)
        for one in self._directions:
            scaled = one.row * one.reciprocal
            for i in range(n):
                for j in range(i, n):
                    result[i, j] = result[i, j] - one.row[i] * scaled[j]
        for i in range(n):
            for j in range(i, n):
                result[i, j] = result[j, i] = self.domain.define(f"P{i + 1}_{j + 1}", result[i, j])
        return result

    def particular(self, rest: Sequence[Scalar]) -> Vector:
        """−A⁺ times `rest`, r: of all x, nv, with A x + rest = 0 the shortest."""
        found: list[Scalar] = []
        total = zeros(self.domain, self.mechanism.nv)
        for one, value in zip(self._directions, rest, strict=True):
            for share, before in zip(one.shares, found, strict=True):
                value = value - share * before
            found.append(value)
            total = total - one.row * (value * one.reciprocal)
        return total


def _independent(mechanism: Mechanism) -> list[int]:
    assert mechanism.plan is not None
    return list(mechanism.plan.independent)


def _left(mechanism: Mechanism, velocity: Vector, gamma: Vector) -> Vector:
    """B τ − h − M γ, nv."""
    return driven(mechanism) - tree_forces(mechanism, list(velocity), list(gamma))


def _congruent(domain: Domain, S: Matrix, M: Matrix) -> Matrix:
    """Sᵀ M S of a symmetric matrix M."""
    n, count = S.shape
    half = zeros(domain, n, count)
    for j in range(count):
        half[:, j] = applied(M, list(S[:, j]))
    result = zeros(domain, count, count)
    for i in range(count):
        for j in range(i, count):
            result[i, j] = result[j, i] = domain.define(f"I{i + 1}_{j + 1}", dot(S[:, i], half[:, j]))
    return result


def _named(domain: Domain, values: Vector) -> Vector:
    return vector(domain.define(f"qdd{index + 1}", value) for index, value in enumerate(values))
