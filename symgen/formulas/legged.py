"""Closed forms of parallel robots leg by leg, t = N_l N_c N_d q̇_a, after Saha and Schiehlen and Khan (2002)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from symgen.algebra.domain import vector
from symgen.errors import LimitError
from symgen.formulas.catalogue import BODY, quantity
from symgen.formulas.form import Family, Form
from symgen.formulas.looped import LOOPED, LoopedForms
from symgen.mechanics.formulations.denoc import chain_forces
from symgen.mechanics.formulations.leg_matrices import LegMatrices, misfit

_AXES = "about O_i, in base axes"


class LeggedForms(LoopedForms):
    """Quantities of robots that are a platform, or a point, on legs; `LimitError` where they are not."""

    @cached_property
    def _legs(self) -> LegMatrices:
        text = misfit(self._named.mechanism)
        if text:
            raise LimitError(f"{self.robot.name}: it has no closed forms leg by leg: {text}")
        return LegMatrices(self._named.mechanism)

    def _of_legs(self, name: str, shape: tuple[int, ...], derive: Callable[[], Any]) -> Form:
        return self._form(name, shape, derive, subject=self._named)

    @property
    def _size(self) -> int:
        return len(self._legs.solved.legs.entries)

    @cached_property
    @quantity(r"\Phi", "projectors of the legs, side by side: what passive joints leave of t_e", "SI", into=LOOPED)
    def leg_projectors(self) -> Form:
        """[Φ_2 of each leg], d×Ld: Φ_i = Φ_i+1 − p̃_i p̃_iᵀ/δ_i (Saha, eq. (27b); Khan 2002, eq. (3.10))."""
        each = self._legs.solved.eliminations
        shape = (self._size, self._size * len(each))
        return self._of_legs("leg_projectors", shape, lambda: np.hstack([leg.projector for leg in each]))

    @cached_property
    @quantity("K", "sum of the legs' projectors", "SI", into=LOOPED)
    def sum_of_projectors(self) -> Form:
        """K = Σ Φ_2, d×d: singular where the drives do not determine t_e (Saha, eq. (29a), calls it Φ)."""
        return self._of_legs("sum_of_projectors", (self._size, self._size), lambda: self._legs.solved.K)

    @cached_property
    @quantity("J", "Jacobian of t_e: the platform's twist, or the velocity of the point", "SI", into=LOOPED)
    def end_jacobian(self) -> Form:
        """J, d×ni: t_e = J q̇_a (Saha, eq. (29b)); of a point v alone, in base axes."""
        return self._of_legs("end_jacobian", (self._size, self._ni), lambda: self._legs.end_jacobian)

    @cached_property
    @quantity("J_c", "rates of all joints of the legs by those of the drives", "SI", into=LOOPED)
    def chain_jacobian(self) -> Form:
        """J, c×ni: of the tree's nv joints, then of what cut joints leave free there (Khan 2002, eq. (3.15))."""
        shape = (self._legs.solved.legs.count, self._ni)
        return self._of_legs("chain_jacobian", shape, self._legs.solved.matrix)

    @cached_property
    @quantity(r"\tilde{\tau}", "forces of all joints of the legs, with shares of the platform", "SI", into=LOOPED)
    def chain_forces(self) -> Form:
        """τ̃, c: what drives in all these joints would do in a motion; Jᵀ τ̃ is τ (Khan 2002, eqs. (3.34), (3.37))."""
        shape = (self._legs.solved.legs.count,)
        return self._of_legs("chain_forces", shape, lambda: vector(chain_forces(self._legs.solved)))

    @cached_property
    @quantity(r"\Psi_{#1}", f"Psi of body #1: what its joint leaves of a twist, {_AXES}", "SI", BODY, into=LOOPED)
    def psi_matrices(self) -> Family:
        """Ψ_i = 1 − p_i p̃_iᵀ A_ei/δ_i, 6×6, of bodies on passive joints, 1 of others (Saha, eq. (31))."""

        def make(i: int) -> Form:
            return self._form("psi_matrices", (6, 6), lambda: self._legs.psi(i), of=(i,), subject=self._named)

        return Family("psi_matrices", (self._legs.n,), make)

    @cached_property
    @quantity("N_l", f"N_l: what twists of bodies do to those beyond in their legs, {_AXES}", "SI", into=LOOPED)
    def N_l(self) -> Form:  # noqa: N802 — the papers' name
        """N_l, 6n×6n: Ψ_i A_i,i−1 … Ψ_j+1 A_j+1,j (Saha, eq. (32d))."""
        return self._of_legs("N_l", (6 * self._legs.n, 6 * self._legs.n), lambda: self._legs.N_l)

    @cached_property
    @quantity("N_c", f"N_c: what the legs do to each other by way of t_e, {_AXES}", "SI", into=LOOPED)
    def N_c(self) -> Form:  # noqa: N802 — the papers' name
        """N_c, 6n×6L for L legs with a drive (Saha, eq. (32c), which lacks factors)."""
        return self._of_legs("N_c", (6 * self._legs.n, 6 * len(self._legs.driven)), lambda: self._legs.N_c)

    @cached_property
    @quantity("N_d", f"N_d: columns p_1 of the driven joints, {_AXES}", "SI", into=LOOPED)
    def N_d(self) -> Form:  # noqa: N802 — the papers' name
        """N_d, 6L×ni (Saha, eq. (32c)): t = N_l N_c N_d q̇_a of all bodies."""
        return self._of_legs("N_d", (6 * len(self._legs.driven), self._ni), lambda: self._legs.N_d)
