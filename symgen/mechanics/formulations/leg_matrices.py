"""The matrices of t = N_l N_c N_d q̇_a as the paper has them (Saha, eqs. (31) and (32)), in base axes, for reading.

t holds the twists [ω; v] of all bodies about the origins O_i on their joints' axes, those of the legs' chains: a share
of the platform at the end of a leg is a body of its own. Legs with a drive have it at the base. The paper's N_c lacks
factors: the block row of body i is p_i p̃_iᵀ/δ_i K⁻¹ [Φ_2 A_e1 …], one block for every leg with a drive.
"""

from __future__ import annotations

from functools import cached_property

from symgen.algebra.domain import Matrix, Scalar, Vector, identity, vector, zeros
from symgen.mechanics.blocks import product
from symgen.mechanics.denoc import Denoc
from symgen.mechanics.formulations.denoc import LegByLeg, chains
from symgen.mechanics.formulations.elimination import Elimination
from symgen.mechanics.formulations.leg_columns import columns_at
from symgen.mechanics.formulations.legs import legs_of
from symgen.mechanics.formulations.legs import misfit as misfit_of_legs
from symgen.mechanics.mechanism import Mechanism


def misfit(mechanism: Mechanism) -> str:
    """Why there are no such matrices, as a clause; "" where there are."""
    text = misfit_of_legs(mechanism)
    if text:
        return text
    legs, plan = legs_of(mechanism), mechanism.plan
    assert plan is not None
    if any(len(body.subspace) > 1 for body in mechanism.bodies):
        return "some of its joints move a link in several ways at once"
    inner = {index for leg in legs.legs for index in leg.joints[1:]}
    return "not all of its drives are at the base" if inner & set(plan.independent) else ""


class LegMatrices:
    """Ψ_i of every passive body, N_l, N_c and N_d."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.solved = LegByLeg(mechanism)
        self.domain = mechanism.domain
        self.blocks = Denoc(chains(mechanism, self.solved.legs))
        self.driven = [each for each in self.solved.eliminations if len(each.passive) < len(each.columns)]

    @property
    def n(self) -> int:
        """Number of bodies."""
        return self.blocks.n

    @cached_property
    def _of_body(self) -> dict[int, tuple[Elimination, int]]:
        """Body → its leg, and the index of its joint's rate."""
        leg_of = {index: each for each in self.solved.eliminations for index in each.columns}
        return {i: (leg_of[body.velocities[0]], body.velocities[0]) for i, body in enumerate(self.blocks.blocks)}

    def psi(self, i: int) -> Matrix:
        """Ψ_i = 1 − p_i p̃_iᵀ A_ei/δ_i, 6×6 (eq. (31)), of a body on a passive joint; 1 of others."""
        result = identity(self.domain, 6)
        each, index = self._of_body[i]
        if index not in each.passive:
            return result
        (p,), (left, reciprocal) = self.blocks.blocks[i].columns, self._left(each, index)
        at_end = product(left * reciprocal, self._to_end(each, i))
        for row in range(6):
            for column in range(6):
                entry = result[row, column] - p[row] * at_end[column]
                result[row, column] = self.domain.define(f"Psi{i + 1}_{row + 1}{column + 1}", entry)
        return result

    def _left(self, each: Elimination, index: int) -> tuple[Vector, Scalar]:
        return each.left[index], each.reciprocals[index]

    def _to_end(self, each: Elimination, i: int) -> Matrix:
        """The rows of A_ei that count, d×6: from the twist of body i to t_e, were all joints beyond fixed."""
        leg = self.solved.legs.legs[self.solved.eliminations.index(each)]
        return columns_at(self.solved.mechanism, self.solved.legs, leg, self.blocks.bodies[i].point)

    @cached_property
    def N_d(self) -> Matrix:  # noqa: N802 — the papers' name
        """N_d, 6L×ni: p_1 of each leg with a drive (eq. (32c))."""
        result = zeros(self.domain, 6 * len(self.driven), len(self.solved.independent))
        for number, each in enumerate(self.driven):
            first = self._first(each)
            (p,) = self.blocks.blocks[first].columns
            place = self.solved.independent.index(self.blocks.blocks[first].velocities[0])
            result[6 * number : 6 * number + 6, place] = p
        return result

    def _first(self, each: Elimination) -> int:
        return min(i for i, (leg, _) in self._of_body.items() if leg is each)

    @cached_property
    def N_c(self) -> Matrix:  # noqa: N802 — the papers' name
        """N_c, 6n×6L: how what the driven bodies do reaches the passive ones by way of t_e (eq. (32c))."""
        result = zeros(self.domain, 6 * self.n, 6 * len(self.driven))
        shares = [self._share(each, number) for number, each in enumerate(self.driven)]
        for i, body in enumerate(self.blocks.blocks):
            each, index = self._of_body[i]
            rows = slice(6 * i, 6 * i + 6)
            if index not in each.passive:
                number = self.driven.index(each)
                result[rows, 6 * number : 6 * number + 6] = identity(self.domain, 6)
                continue
            left, reciprocal = self._left(each, index)
            for number, share in enumerate(shares):
                reached = product(left * reciprocal, share)
                result[rows, 6 * number : 6 * number + 6] = product(
                    body.columns[0].reshape(6, 1), reached.reshape(1, 6)
                )
        return result

    def _share(self, each: Elimination, number: int) -> Matrix:
        """K⁻¹ Φ_2 A_e1 of a leg with a drive, d×6: the part of t_e that its first body's twist makes."""
        right: Matrix = product(each.projector, self._to_end(each, self._first(each)))
        result = right.copy()
        for column in range(6):
            solved = self.solved.solve(right[:, column])
            for row, value in enumerate(solved):
                result[row, column] = self.domain.define(f"S{number + 1}_{row + 1}{column + 1}", value)
        return result

    @cached_property
    def N_l(self) -> Matrix:  # noqa: N802 — the papers' name
        """N_l, 6n×6n, lower block triangular: Ã_ij = Ψ_i A_i,i−1 … Ψ_j+1 A_j+1,j (eq. (32d))."""
        result = identity(self.domain, 6 * self.n)
        for i, body in enumerate(self.blocks.blocks):
            if body.parent < 0:
                continue
            step = product(self.psi(i), self.blocks.propagation(i, body.parent))
            rows, inner = slice(6 * i, 6 * i + 6), slice(6 * body.parent, 6 * body.parent + 6)
            result[rows, : 6 * body.parent + 6] = product(step, result[inner, : 6 * body.parent + 6])
        return result

    @cached_property
    def end_jacobian(self) -> Matrix:
        """J, d×ni, with t_e = J q̇_a (eq. (29b))."""
        result = zeros(self.domain, len(self.solved.legs.entries), len(self.solved.independent))
        for each in self.driven:
            (index,) = (index for index in each.columns if index not in each.passive)
            column = self.solved.solve(product(each.projector, each.columns[index]))
            result[:, self.solved.independent.index(index)] = vector(column)
        return result
