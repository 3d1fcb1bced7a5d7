"""The passive joints of a leg by those that are driven and the platform's twist (Khan 2002, eqs. (3.3) to (3.13)).

A leg says t_P = Σ p̃_j q̇_j, with p̃_j of each of its joints at P. Its passive joints are eliminated one by one, from the
platform on: with Φ the projection on what is at right angles to those beyond, that of joint k is p̂_k = Φ_{k+1} p̃_k,
δ_k = p̂_kᵀ p̂_k, and Φ_k = Φ_{k+1} − p̂_k p̂_kᵀ/δ_k. What is left of the leg's equation, Φ t_P = Φ Σ p̃_a q̇_a, holds driven
joints alone; and once t_P is known, rates follow from the base on. Legs may have joints of any kind, driven ones
anywhere among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, dot, identity, is_zero, zeros


class Elimination:
    """The elimination of a leg's passive joints.

    `passive`: index of a rate → p̃, d, of each passive joint, from the base on. `projection`: Φ, d×d, of the whole leg.
    """

    def __init__(self, domain: Domain, passive: Mapping[int, Vector], size: int, label: str) -> None:
        self.domain, self.passive, self.size = domain, passive, size
        self.projection = identity(domain, size)
        self._directions: dict[int, Vector] = {}
        for number in reversed(list(passive)):
            direction = _applied(self.projection, passive[number])
            name = f"{label}_{number + 1}"
            length = domain.define(f"delta{name}", dot(direction, direction))
            scaled = direction * domain.define(f"idelta{name}", domain.constant(1) / length)
            self._directions[number] = scaled
            for i in range(size):
                for j in range(i, size):
                    left = self.projection[i, j] - direction[i] * scaled[j]
                    self.projection[i, j] = self.projection[j, i] = left
        for i in range(size):
            for j in range(i, size):
                entry = domain.define(f"Phi{label}_{i + 1}{j + 1}", self.projection[i, j])
                self.projection[i, j] = self.projection[j, i] = entry

    def rates(self, twist: Vector) -> dict[int, Scalar]:
        """The passive rates with Σ p̃_k q̇_k = `twist`, d: what of t_P driven joints leave to them."""
        rest, found = twist, {}
        for number, column in self.passive.items():
            found[number] = dot(self._directions[number], rest)
            rest = rest - column * found[number]
        return found

    def forces(self, forces: Mapping[int, Scalar]) -> Vector:
        """p̄, d: the wrench whose power Σ τ_k q̇_k of passive joints is p̄ᵀ `twist`; absent joints are free of force."""
        total = zeros(self.domain, self.size)
        shares: dict[int, Scalar] = {}
        for number in reversed(list(self.passive)):
            share = forces.get(number, self.domain.constant(0))
            for outer, value in shares.items():
                share = share - value * dot(self._directions[outer], self.passive[number])
            if not is_zero(share):
                shares[number] = share
                total = total + self._directions[number] * share
        return total

    def wrenches(self, numbers: Sequence[int]) -> Matrix:
        """p̄ of a force of 1 in each of these passive joints, as columns, d×m."""
        result = zeros(self.domain, self.size, len(numbers))
        for place, number in enumerate(numbers):
            result[:, place] = self.forces({number: self.domain.constant(1)})
        return result


def _applied(matrix: Matrix, x: Vector) -> Vector:
    result = x.copy()
    for i, row in enumerate(matrix):
        result[i] = dot(row, x)
    return result
