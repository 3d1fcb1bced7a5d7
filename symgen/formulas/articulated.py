"""Closed forms with division: articulated bodies, U D Uᵀ, the inverse and forward dynamics, as named definitions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from symgen.algebra.domain import vector
from symgen.algebra.prime import PrimeField
from symgen.algebra.vanishing import SEEDS
from symgen.errors import InputError, LimitError
from symgen.formulas.catalogue import BODY, of_function, quantity
from symgen.formulas.dynamic import DynamicForms
from symgen.formulas.form import Family, Form
from symgen.formulas.kinematic import joined_columns
from symgen.formulas.robot_in_ring import RobotInRing
from symgen.mechanics import composite, factorization
from symgen.mechanics.blocks import product
from symgen.mechanics.denoc_blocks import DenocBlocks
from symgen.mechanics.elimination import ArticulatedBodies, articulated_bodies, upper_factor
from symgen.mechanics.forward_recursion import ForwardRecursion, driving_forces, forward_recursion
from symgen.mechanics.functions import accelerations, inertia
from symgen.mechanics.functions.units import ACCELERATION, FORCE, MOBILITY, RATIO


@dataclass(frozen=True)
class _Elimination:
    """The reverse Gaussian elimination of a subject, and what follows from it when it is asked for."""

    subject: RobotInRing
    blocks: DenocBlocks
    bodies: ArticulatedBodies

    @cached_property
    def U(self) -> Any:  # noqa: N802 — the papers' name
        return upper_factor(self.blocks, self.bodies)

    @cached_property
    def U_inverse(self) -> Any:  # noqa: N802 — the papers' name
        """U⁻¹, in named entries of U."""
        ring, named = self.subject.ring, self.U.copy()
        for i in range(len(named)):
            for j in range(i + 1, len(named)):
                named[i, j] = ring.define(f"u{i + 1}_{j + 1}", named[i, j])
        return factorization.unit_inverse(ring, named, "v")

    @cached_property
    def inverse(self) -> Any:
        """U⁻ᵀ D⁻¹ U⁻¹."""
        one = self.subject.ring.constant(1)
        return product(self.U_inverse.T * vector(one / pivot for pivot in self.bodies.pivots), self.U_inverse)

    @cached_property
    def phi(self) -> Any:
        return driving_forces(self.subject.mechanism, self.subject.velocity)

    @cached_property
    def forward(self) -> ForwardRecursion:
        return forward_recursion(self.blocks, self.bodies, self.phi)


class ArticulatedForms(DynamicForms):
    """Quantities with division, as sequences of named definitions."""

    @cached_property
    def _blockwise(self) -> _Elimination:
        """For quantities of bodies, in the axes and about the points that were chosen."""
        return self._elimination(self._named)

    @cached_property
    def _jointwise(self) -> _Elimination:
        """For quantities of joints, which depend on neither axes nor points."""
        return self._blockwise if self._scalars is self._named else self._elimination(self._scalars)

    def _elimination(self, subject: RobotInRing) -> _Elimination:
        self._check_joints()
        self._check_inertia()
        blocks = self._blocks_of(subject)
        return _Elimination(subject, blocks, articulated_bodies(blocks))

    def _check_joints(self) -> None:
        """`LimitError` where joints move together: an articulated body's joints each move on their own."""
        tied = next((link.joint for link in self.robot.links if link.joint.mimic is not None), None)
        if tied is not None:
            raise LimitError(
                f"{self.robot.name}: what is found by articulated bodies holds where every joint moves on its own, but "
                f"{tied.name} follows another; take inverse_inertia_matrix in entries of the inertia matrix, or let "
                "joints move by themselves (mimic independent)"
            )

    def _check_inertia(self) -> None:
        """`InputError` where the inertia of a joint is identically zero: the elimination would divide by it.

        Decided at a random point of a prime field, since the pivots do not show it in every choice of axes.
        """
        domain = PrimeField(self._plain.ring.radicands(), SEEDS[0])
        try:
            factorization.factorize(domain, composite.inertia_matrix(self._plain.mechanism_over(domain)))
        except factorization.ZeroPivotError as error:
            joint = f"joint {error.joint + 1} ({self.robot.velocities[error.joint].name})"
            raise InputError(
                f"{self.robot.name}: the inertia matrix is singular, and what divides by it does not exist: the "
                f"inertia of {joint} vanishes, since no mass or inertia between it and the joints beyond resists its "
                "motion; give a link there mass or inertia"
            ) from None

    def _of_bodies(self, name: str, shape: tuple[int, ...], derive: Any) -> Family:
        """A quantity of every body; `derive` takes the elimination and the number of a body."""

        def make(i: int) -> Form:
            return self._form(name, shape, lambda: derive(self._blockwise, i), of=(i,), subject=self._named)

        return self._bodies(name, make)

    def _of_joints(self, name: str, shape: tuple[int, ...], derive: Any) -> Form:
        """A quantity of all joints; `derive` takes the elimination."""
        return self._form(name, shape, lambda: derive(self._jointwise), subject=self._scalars)

    def _of_columns(self, name: str, derive: Any) -> Family:
        """A wrench for each rate of every body's joint, the rates after it free; `derive` takes the elimination."""

        def make(i: int) -> Form:
            velocities = self._mechanism.bodies[i].velocities

            def columns() -> Any:
                wrenches = derive(self._blockwise)
                return joined_columns([wrenches[index] for index in velocities])

            return self._form(name, self._of_rates(i), columns, of=(i,), subject=self._named)

        return self._bodies(name, make)

    # articulated bodies --------------------------------------------------------------------------

    @cached_property
    @quantity(r"\hat{M}_{#1}", "mass matrix of articulated body #1", "SI", BODY, blocks=True)
    def articulated_mass_matrices(self) -> Family:
        """M̂_i, 6×6: body i and all it carries, the joints beyond left free (1999, eq. (50); Saha, eq. (19d))."""
        return self._of_bodies("articulated_mass_matrices", (6, 6), lambda it, i: it.bodies.inertias[i])

    @cached_property
    @quantity(r"\bar{M}_{#1}", "mass matrix that body #1 passes on through its joint", "SI", BODY, blocks=True)
    def transmitted_mass_matrices(self) -> Family:
        """M̄_i = M̂_i − ψ̂_i ψ_iᵀ, 6×6: what the carrier feels of M̂_i (1999, eq. (50); Saha, eq. (19d)); M̄_i p_i = 0."""
        return self._of_bodies("transmitted_mass_matrices", (6, 6), lambda it, i: it.bodies.transmitted[i])

    @cached_property
    @quantity(r"\hat{\psi}_{#1}", "psi-hat of body #1, M-hat p", "SI", BODY, blocks=True)
    def psi_hats(self) -> Family:
        """ψ̂_i = M̂_i p_i, 6: the wrench that a unit acceleration of joint i needs (1999, eq. (47); Saha, eq. (19c))."""
        return self._of_columns("psi_hats", lambda it: it.bodies.psi_hats)

    @cached_property
    @quantity(r"\psi_{#1}", "psi of body #1, psi-hat / m-hat", "SI", BODY, blocks=True)
    def psis(self) -> Family:
        """ψ_i = ψ̂_i / m̂_i, 6: the wrench that comes with a unit force of joint i (1999, eq. (48)); p_iᵀ ψ_i = 1.

        With a rotor in the joint m̂_i holds its inertia too, and p_iᵀ ψ_i is less. Saha, eq. (19c), prints A_i+1,iᵀ ψ̂_i.
        """
        return self._of_columns("psis", lambda it: it.bodies.psis)

    @property
    def psi(self) -> Family:
        """The vectors ψ_i: `psis`."""
        return self.psis

    # the factors and the inverse ----------------------------------------------------------------------

    @cached_property
    @of_function(inertia.UDU_FACTORS, "unit upper triangular factor of I = U D U^T")
    def U(self) -> Form:  # noqa: N802 — the papers' name
        """U, nv×nv, of I = U D Uᵀ: U_ij = p_iᵀ A_jiᵀ ψ_j (1999, eqs. (40) to (55); Saha, eq. (18))."""
        return self._of_joints("U", (self._nv, self._nv), lambda it: it.U)

    @cached_property
    @of_function(
        inertia.UDU_FACTORS, "diagonal of D in I = U D U^T: m-hat, the articulated inertias of the joints", output=1
    )
    def D(self) -> Form:  # noqa: N802 — the papers' name
        """The diagonal of D, nv: m̂_i = p_iᵀ ψ̂_i, what joint i moves, the joints beyond free (1999, eqs. (47), (54))."""
        return self._of_joints("D", (self._nv,), lambda it: vector(it.bodies.pivots))

    @cached_property
    @quantity("U^{-1}", "inverse of U", RATIO)
    def U_inverse(self) -> Form:  # noqa: N802 — the papers' name
        """U⁻¹, nv×nv, in entries of U: the E of reverse Gaussian elimination (1999, eqs. (51) and (53))."""
        return self._of_joints("U_inverse", (self._nv, self._nv), lambda it: it.U_inverse)

    @cached_property
    @of_function(inertia.INVERSE_INERTIA_MATRIX, "inverse of the generalized inertia matrix, in entries of it")
    def inverse_inertia_matrix(self) -> Form:
        """I⁻¹, nv×nv, from U and D by elimination on the entries of I (1999, eqs. (40) to (55))."""
        shape = (self._nv, self._nv)
        return self._form("inverse_inertia_matrix", shape, self._inverse_in_entries, subject=self._entrywise)

    @cached_property
    def _entrywise(self) -> RobotInRing:
        """For what is written in entries of I, with the same names as what is not."""
        return RobotInRing(self.robot, self._scalars.choices, is_named=True)

    def _inverse_in_entries(self) -> Any:
        self._check_inertia()
        mechanism, ring = self._entrywise.mechanism, self._entrywise.ring
        with ring.expanding():
            entries = composite.inertia_matrix(mechanism)
        for i in range(self._nv):
            for j in range(i, self._nv):
                entries[i, j] = entries[j, i] = ring.define(f"I{i + 1}_{j + 1}", entries[i, j])
        return factorization.inverse(ring, factorization.factorize(ring, entries))

    @cached_property
    @quantity("I^{-1}", "inverse of the generalized inertia matrix, by articulated bodies", MOBILITY)
    def inverse_inertia_articulated(self) -> Form:
        """I⁻¹ = U⁻ᵀ D⁻¹ U⁻¹, nv×nv, by articulated bodies (from 1999, eq. (55))."""
        return self._of_joints("inverse_inertia_articulated", (self._nv, self._nv), lambda it: it.inverse)

    # forward dynamics ------------------------------------------------------------------------------

    @cached_property
    @quantity(r"\phi", "joint forces less convective inertia, gravity, friction and springs", FORCE)
    def phi(self) -> Form:
        """φ = τ − C q̇ − gravity (− friction − springs), nv: what is left to accelerate (1999, eq. (33))."""
        return self._of_joints("phi", (self._nv,), lambda it: it.phi)

    @cached_property
    @quantity(r"\hat{\phi}", "phi-hat, U^-1 phi", FORCE)
    def phi_hat(self) -> Form:
        """φ̂ = U⁻¹ φ, nv: φ̂_i = φ_i − p_iᵀ η_i,i+1 (Saha, eq. (19a); 1999, eq. (34))."""
        return self._of_joints("phi_hat", (self._nv,), lambda it: it.forward.phi_hat)

    @cached_property
    @quantity(r"\eta_{#1}", "eta of body #1: the wrench of phi of its joint and those beyond", "SI", BODY, blocks=True)
    def etas(self) -> Family:
        """η_i = ψ_i φ̂_i + η_i,i+1, 6; η_i,i+1 = Σ A_kiᵀ η_k over the children k (Saha, eq. (19b); 1999, eq. (35))."""
        return self._of_bodies("etas", (6,), lambda it, i: it.forward.etas[i])

    @cached_property
    @quantity(r"\tilde{\phi}", "phi-tilde, D^-1 U^-1 phi", ACCELERATION)
    def phi_tilde(self) -> Form:
        """φ̃ = D⁻¹ φ̂, nv: φ̃_i = φ̂_i / m̂_i, the accelerations were the carriers at rest (Saha, eq. (20))."""
        return self._of_joints("phi_tilde", (self._nv,), lambda it: it.forward.phi_tilde)

    @cached_property
    @quantity(
        r"\tilde{\mu}_{#1}",
        "mu of body #1: the part of its twist rate that is linear in joint accelerations",
        "SI",
        BODY,
        blocks=True,
    )
    def mus(self) -> Family:
        """μ̃_i = p_i q̈_i + μ̃_i,i−1, 6, with μ̃_i,i−1 = A_i,i−1 μ̃_i−1 (Saha, eq. (21b); 1999, eq. (37))."""
        return self._of_bodies("mus", (6,), lambda it, i: it.forward.mus[i])

    @cached_property
    @of_function(accelerations.FORWARD_DYNAMICS, "joint accelerations under joint forces, by articulated bodies")
    def forward_dynamics(self) -> Form:
        """q̈, nv, of τ: q̈_i = φ̃_i − ψ_iᵀ μ̃_i,i−1 (1999, eq. (36); Saha, eq. (21a), prints ψ̂_i)."""
        return self._of_joints("forward_dynamics", (self._nv,), lambda it: it.forward.accelerations)
