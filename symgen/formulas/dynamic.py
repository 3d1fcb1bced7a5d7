"""Closed forms of dynamics: masses, the equations of motion, energies."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from symgen.algebra.domain import vector, zeros
from symgen.formulas.catalogue import BODY, of_function, quantity
from symgen.formulas.form import Family, Form
from symgen.formulas.kinematic import KinematicForms
from symgen.formulas.robot_in_ring import BASE_AXES
from symgen.mechanics import composite, convective, coriolis, energy, joint_momenta
from symgen.mechanics.blocks import angular_velocity_matrix, coupling_matrix, extended_mass
from symgen.mechanics.functions import control, energies, forces, inertia
from symgen.mechanics.functions.forces import whole_inverse_dynamics
from symgen.mechanics.functions.units import DAMPING
from symgen.mechanics.inertia_rate import inertia_rate
from symgen.mechanics.newton_euler import inverse_dynamics as newton_euler
from symgen.mechanics.reference_points import MASS_CENTRE


class DynamicForms(KinematicForms):
    """Quantities without division, in expanded form."""

    # masses --------------------------------------------------------------------------------------

    @cached_property
    @quantity("M_{#1}", "mass matrix of body #1", "SI", BODY, blocks=True)
    def mass_matrices(self) -> Family:
        """M_i, 6×6: w = M ṫ + W M E t (Saha, eqs. (4) to (6))."""
        return self._bodies(
            "mass_matrices",
            lambda i: self._form(
                "mass_matrices",
                (6, 6),
                lambda: extended_mass(self._mechanism.domain, self._blocks.blocks[i].inertia),
                of=(i,),
            ),
        )

    @cached_property
    @quantity(r"\tilde{M}_{#1}", "mass matrix of composite body #1", "SI", BODY, blocks=True)
    def composite_mass_matrices(self) -> Family:
        """M̃_i, 6×6: body i and all it carries, made rigid (1999, eq. (23b))."""
        return self._bodies(
            "composite_mass_matrices",
            lambda i: self._form("composite_mass_matrices", (6, 6), lambda: self._composite(i), of=(i,)),
        )

    def _composite(self, i: int) -> Any:
        if self.choices.axes == BASE_AXES or self.choices.reference == MASS_CENTRE:
            return self._blocks.composite_masses[i]
        return extended_mass(self._mechanism.domain, composite.composite_inertia(self._mechanism, i))

    @cached_property
    @quantity("W_{#1}", "angular velocity matrix of body #1", "rad/s", BODY, blocks=True)
    def angular_velocity_matrices(self) -> Family:
        """W_i = diag(ω × 1, ω × 1), 6×6 (Saha, eq. (6))."""
        return self._bodies(
            "angular_velocity_matrices",
            lambda i: self._form("angular_velocity_matrices", (6, 6), lambda: self._angular(i), of=(i,)),
        )

    def _angular(self, i: int) -> Any:
        return angular_velocity_matrix(self._mechanism.domain, self._blocks.twist[6 * i : 6 * i + 3])

    @cached_property
    @quantity("E_{#1}", "coupling matrix of body #1", "1", BODY, blocks=True)
    def coupling_matrices(self) -> Family:
        """E_i = diag(1, O), 6×6 (Saha, eq. (6))."""
        return self._bodies(
            "coupling_matrices",
            lambda i: self._form("coupling_matrices", (6, 6), lambda: coupling_matrix(self._mechanism.domain), of=(i,)),
        )

    # equations of motion ---------------------------------------------------------------------------

    @cached_property
    @of_function(inertia.INERTIA_MATRIX, "generalized inertia matrix (GIM)")
    def inertia_matrix(self) -> Form:
        """I = Nᵀ M N, nv×nv, the GIM (Saha, eq. (16a)); one entry is derived without the others."""
        return self._form(
            "inertia_matrix",
            (self._nv, self._nv),
            lambda: composite.inertia_matrix(self._mechanism),
            lambda i, j: composite.inertia_entry(self._mechanism, i, j),
        )

    @cached_property
    @of_function(
        inertia.CORIOLIS_MATRIX, "matrix of convective inertia (MCI) by Christoffel's symbols; dI/dt - 2C is skew"
    )
    def coriolis_matrix(self) -> Form:
        """C, nv×nv, by Christoffel's symbols: İ − 2C is skew, C q̇ = h. The generated function of this name."""
        return self._convective("coriolis_matrix", coriolis.coriolis_matrix)

    @cached_property
    @quantity("C", "matrix of convective inertia (MCI) of the mass-centre form; dI/dt - 2C is skew", DAMPING)
    def convective_inertia_mass_centre(self) -> Form:
        """C = Nᵀ (M Ṅ + W M E N) about the mass centres, nv×nv: İ − 2C is skew (Saha 1999, eq. (29))."""
        return self._convective("convective_inertia_mass_centre", coriolis.mass_centre_matrix)

    @cached_property
    @quantity("C", "matrix of convective inertia (MCI) in the form with W M E about O_i; not skew", DAMPING)
    def convective_inertia_origin(self) -> Form:
        """C = Nᵀ (M Ṅ + W M E N) about the origins, nv×nv: C q̇ = h, but İ − 2C is not skew (Saha, eq. (16a))."""
        return self._convective("convective_inertia_origin", convective.convective_inertia_matrix)

    def _convective(self, name: str, derive: Any) -> Form:
        return self._form(name, (self._nv, self._nv), lambda: derive(self._mechanism, self._plain.velocity))

    @cached_property
    @of_function(forces.CORIOLIS_TORQUE, "vector of convective inertia (VCI)")
    def coriolis_torque(self) -> Form:
        """h = C q̇, nv: Coriolis and centrifugal forces."""
        still = zeros(self._mechanism.domain, 3)
        return self._form("coriolis_torque", (self._nv,), lambda: self._motion_forces(self._plain.velocity, still))

    @cached_property
    @of_function(forces.GRAVITY_TORQUE, "forces that hold the robot at rest against gravity")
    def gravity_torque(self) -> Form:
        """Joint forces that hold the robot at rest, nv (Saha, eq. (17))."""
        return self._form(
            "gravity_torque", (self._nv,), lambda: self._motion_forces(self._plain.rest, self._mechanism.gravity)
        )

    @cached_property
    @of_function(forces.BIAS_TORQUE, "convective inertia and gravity forces")
    def bias_torque(self) -> Form:
        """coriolis_torque + gravity_torque, nv."""
        return self._form(
            "bias_torque", (self._nv,), lambda: self._motion_forces(self._plain.velocity, self._mechanism.gravity)
        )

    def _motion_forces(self, velocity: Any, gravity: Any) -> Any:
        return vector(newton_euler(self._mechanism, velocity, self._plain.rest, gravity))

    @cached_property
    @of_function(forces.INVERSE_DYNAMICS, "joint forces")
    def inverse_dynamics(self) -> Form:
        """τ = I q̈ + h + gravity (+ friction + springs), nv, of q, q̇ and q̈; rotors included."""
        return self._form("inverse_dynamics", (self._nv,), lambda: whole_inverse_dynamics(self._mechanism))

    @property
    def tau(self) -> Form:
        """The joint forces τ: `inverse_dynamics`."""
        return self.inverse_dynamics

    # what controllers ask for -----------------------------------------------------------------------

    @cached_property
    @of_function(control.INERTIA_RATE, "rate of the inertia matrix; C + C^T")
    def inertia_rate(self) -> Form:
        """İ, nv×nv: C + Cᵀ with C by Christoffel's symbols."""
        return self._convective("inertia_rate", inertia_rate)

    @cached_property
    @of_function(control.CORIOLIS_TRANSPOSE_VELOCITY, "what momenta gain beside joint forces and weight, C^T qd")
    def coriolis_transpose_velocity(self) -> Form:
        """Cᵀ q̇, nv, with C by Christoffel's symbols: ∂T/∂q where velocities are q̇."""
        return self._of_velocity("coriolis_transpose_velocity", joint_momenta.coriolis_transpose_velocity)

    @cached_property
    @of_function(control.GENERALIZED_MOMENTUM, "generalized momenta, rotors included")
    def generalized_momentum(self) -> Form:
        """p = I q̇, nv: ∂T/∂q̇."""
        return self._of_velocity("generalized_momentum", joint_momenta.generalized_momentum)

    def _of_velocity(self, name: str, derive: Any) -> Form:
        return self._form(name, (self._nv,), lambda: vector(derive(self._mechanism, self._plain.velocity)))

    # energies ------------------------------------------------------------------------------------

    @cached_property
    @of_function(energies.KINETIC_ENERGY, "kinetic energy of links and rotors")
    def kinetic_energy(self) -> Form:
        """T = ½ q̇ᵀ I q̇ (J)."""
        return self._form("kinetic_energy", (), lambda: energy.kinetic_energy(self._mechanism, self._plain.velocity))

    @cached_property
    @of_function(energies.POTENTIAL_ENERGY, "potential energy; zero were all mass at the base frame's origin")
    def potential_energy(self) -> Form:
        """V = −g · Σ m c (+ ½ Σ K x² of springs) (J); with base parameters, but for a constant."""
        return self._form(
            "potential_energy", (), lambda: energy.potential_energy(self._mechanism, self._mechanism.gravity)
        )
