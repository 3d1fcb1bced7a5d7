"""The passive joints of a leg by those that are driven and the platform's twist.

After Saha and Schiehlen (Saha, eqs. (27) and (28)) and Khan (2002, eqs. (3.3) to (3.13)). A leg says t_e = Σ p̃_j q̇_j,
with p̃_j of each of its joints at P. Its passive joints are eliminated one by one, from the tip on: with Φ the
projection on what is at right angles to those beyond, that of joint k is p̂_k = Φ_{k+1} p̃_k, δ_k = p̂_kᵀ p̂_k, and
Φ_k = Φ_{k+1} − p̂_k p̂_kᵀ/δ_k. What is left of the leg's equation, Φ t_e = Φ Σ p̃_a q̇_a, holds driven joints alone; and
once t_e is known, rates follow from the base on. Legs may have joints of any kind, driven ones anywhere among them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, dot, identity, vector, zeros

Naming = Callable[[int, Scalar], Scalar]


class Elimination:
    """The elimination of a leg's passive joints.

    `columns`: index of a rate → p̃, d = `size`, of all of its joints, which a leg that ends at the base has none of.
    `passive`: those that are eliminated, from the base on.
    `left`: p̂ of these, `reciprocals` 1/δ, `directions` p̂/δ. `projector`: Φ, d×d, of the whole leg. `pivots`: δ from
    the tip on; below `least`, one for each, they count as 0 (none: never).
    """

    def __init__(
        self,
        domain: Domain,
        columns: Mapping[int, Vector],
        passive: Sequence[int],
        size: int,
        label: str,
        least: Sequence[Fraction] = (),
    ) -> None:
        self.domain, self.columns, self.passive, self.size = domain, columns, tuple(passive), size
        self.left: dict[int, Vector] = {}
        self.reciprocals: dict[int, Scalar] = {}
        self.directions: dict[int, Vector] = {}
        self.projector = identity(domain, self.size)
        self.pivots: list[Scalar] = []
        for number, index in enumerate(reversed(self.passive)):
            self._eliminate(index, f"{label}_{number + 1}", least[number] if least else Fraction(0))
        if len(self.passive) == self.size:
            self.projector = zeros(domain, self.size, self.size)

    def _eliminate(self, index: int, label: str, least: Fraction) -> None:
        domain = self.domain
        part = self.columns[index] if not self.left else self.projected(self.columns[index])
        part = vector(domain.define(f"p{index + 1}_{k + 1}", entry) for k, entry in enumerate(part))
        delta = domain.define(f"delta{index + 1}", dot(part, part))
        self.pivots.append(delta)
        reciprocal = domain.define(f"r{index + 1}", domain.constant(1) / domain.nonzero(delta, least))
        scaled = part * reciprocal
        self.left[index], self.reciprocals[index], self.directions[index] = part, reciprocal, scaled
        result = self.projector.copy()
        for i in range(self.size):
            for j in range(i, self.size):
                entry = domain.define(f"Phi{label}_{i + 1}{j + 1}", self.projector[i, j] - scaled[i] * part[j])
                result[i, j] = result[j, i] = entry
        self.projector = result

    def projected(self, x: Vector) -> Vector:
        """Φ x, d."""
        return vector(dot(row, x) for row in self.projector)

    def moved(self, rates: Mapping[int, Scalar] | Sequence[Scalar]) -> Vector:
        """Σ p̃ q̇ of its driven joints, d, at their rates by index."""
        total = zeros(self.domain, self.size)
        for index, column in self.columns.items():
            if index not in self.passive:
                total = total + column * rates[index]
        return total

    def rates(self, twist: Vector, named: Naming = lambda index, rate: rate) -> dict[int, Scalar]:
        """The passive rates with Σ p̃_k q̇_k = `twist`, d: what of t_e driven joints leave to them."""
        rest, found = twist, {}
        for index in self.passive:
            found[index] = named(index, dot(self.directions[index], rest))
            rest = rest - self.columns[index] * found[index]
        return found

    def forces(self, forces: Mapping[int, Scalar] | Sequence[Scalar]) -> Vector:
        """p̄, d: the wrench whose power Σ τ_k q̇_k of passive joints, by index, is p̄ᵀ `twist`."""
        total = zeros(self.domain, self.size)
        for index in reversed(self.passive):
            total = total + self.directions[index] * (forces[index] - dot(self.columns[index], total))
        return total

    def wrenches(self, indices: Sequence[int]) -> Matrix:
        """p̄ of a force of 1 in each of these passive joints, as columns, d×m."""
        result = zeros(self.domain, self.size, len(indices))
        for place, unit in enumerate(indices):
            result[:, place] = self._of_unit(unit)
        return result

    def _of_unit(self, unit: int) -> Vector:
        """p̄ of a force of 1: what joints within take of it is the same for all beyond."""
        total = self.directions[unit]
        shares = {unit: self.domain.constant(1)}
        for index in reversed(self.passive[: self.passive.index(unit)]):
            share = self.domain.constant(0)
            for outer, value in shares.items():
                share = share - value * dot(self.directions[outer], self.columns[index])
            shares[index] = share
            total = total + self.directions[index] * share
        return total
