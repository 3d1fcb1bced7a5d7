"""Chains of a platform on legs, each worked out by itself but for sums over all (Khan 2002, chapter 3).

Everything is said of the platform's twist t_P and the driven rates q̇_a. Chain j gives t_P = Σ p̃ q̇ for its joints; with
its passive ones eliminated (see `elimination`) Φʲ t_P = Φʲ Σ p̃_a q̇_a, and the sum over the chains, K t_P = Σ Φ p̃_a q̇_a
(3.10), is all that couples their motion. What chain j's passive joints ask for acts on the platform as the wrench p̄ʲ,
and K⁻¹ Σ p̄ leads it on to the driven joints (3.40). These equations are those of A q̇ = 0 at every q of the tree.

The platform's own inertia is in the chain that it is on. See `chain_schemes` for what is exchanged when.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from symgen.algebra.domain import Matrix, Scalar, Vector, dot, vector, zeros
from symgen.mechanics import composite, newton_euler
from symgen.mechanics.blocks import named_symmetric
from symgen.mechanics.formulations import legs as platforms
from symgen.mechanics.formulations.elimination import Elimination
from symgen.mechanics.formulations.leg_columns import columns, twist_drift
from symgen.mechanics.formulations.legs import Leg, Legs, legs_of
from symgen.mechanics.kinematics import path
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.newton_euler import Motion


def misfit(mechanism: Mechanism) -> str:
    """Why the mechanism is no platform on chains, as a clause; "" where it is one."""
    clause = platforms.misfit(mechanism)
    if clause:
        return clause
    if any(cut.drive.acts for cut in mechanism.cuts):
        return "friction or a spring acts in a cut joint of it"
    legs = legs_of(mechanism)
    if sum(len(legs.passive(mechanism, leg)) for leg in legs.legs) != (len(legs.legs) - 1) * len(legs.entries):
        return "its legs hold the platform in more directions than it has"
    return ""


# chains ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chain:
    """A leg as a node sees it: everything that depends on its own joints and on the platform's pose.

    `driven`: indices in q̇ of its independent joints; `places`: theirs among all independent ones.
    """

    mechanism: Mechanism
    legs: Legs
    leg: Leg
    number: int

    @property
    def driven(self) -> tuple[int, ...]:
        """Indices in q̇ of its independent joints."""
        passive = self.legs.passive(self.mechanism, self.leg)
        return tuple(index for index in self.leg.joints if index not in passive)

    @property
    def places(self) -> tuple[int, ...]:
        """The places of its independent joints among all independent ones."""
        assert self.mechanism.plan is not None
        return tuple(self.mechanism.plan.independent.index(index) for index in self.driven)

    @cached_property
    def columns(self) -> dict[int, Vector]:
        """Index of a rate → p̃, d."""
        return columns(self.mechanism, self.legs, self.leg)

    @cached_property
    def elimination(self) -> Elimination:
        """That of its passive joints."""
        assert self.mechanism.plan is not None
        before = sum(len(self.legs.passive(self.mechanism, leg)) for leg in self.legs.legs[: self.number])
        passive = self.legs.passive(self.mechanism, self.leg)
        least = self.mechanism.plan.least_of_legs[before:]
        size, label = len(self.legs.entries), f"{self.number + 1}"
        return Elimination(self.mechanism.domain, self.columns, passive, size, label, least)

    @property
    def projection(self) -> Matrix:
        """Φ, d×d."""
        return self.elimination.projector

    @cached_property
    def projected(self) -> Matrix:
        """Φ p̃ of the driven joints, d×a."""
        return _matrix(self, [self.projection.dot(self.columns[index]) for index in self.driven])

    def moved(self, rates: Sequence[Scalar]) -> Vector:
        """Σ p̃ q̇ of the driven joints at the independent rates, d."""
        return self.elimination.moved(
            {index: rates[place] for index, place in zip(self.driven, self.places, strict=True)}
        )

    def rates(self, twist: Vector, rates: Sequence[Scalar]) -> dict[int, Scalar]:
        """Index → rate of all its joints in the tree, at t_P and the independent rates."""
        found = {index: rates[place] for index, place in zip(self.driven, self.places, strict=True)}
        found |= self.elimination.rates(twist - self.moved(rates))
        return {index: found[index] for index in self.leg.rates}

    def drift(self, velocity: Sequence[Scalar], twist: Vector) -> Vector:
        """What is left of ṫ_P at q̈ = 0, d, at the tree's q̇ of this chain."""
        still = zeros(self.mechanism.domain, 3)
        rest = [self.mechanism.domain.constant(0)] * self.mechanism.nv
        motions = newton_euler.body_motions(self.mechanism, velocity, rest, still)
        return twist_drift(self.mechanism, self.legs, self.leg, self._with_spin(motions, twist))

    def _with_spin(self, motions: Sequence[Motion], twist: Vector) -> list[Motion]:
        """The motions with the platform turning as t_P says, whatever chain it is on."""
        found, platform = list(motions), self.legs.platform
        if platform is not None and self.leg.own:
            spin = zeros(self.mechanism.domain, 3)
            for entry, value in zip(self.legs.entries, twist, strict=True):
                if entry < 3:
                    spin[entry] = value
            if not self.legs.turned:
                for index in path(self.mechanism, platform):
                    spin = self.mechanism.bodies[index].rotation.to_child(spin)
            found[platform] = replace(found[platform], angular_velocity=spin)
        return found

    def forces(self, velocity: Sequence[Scalar], acceleration: Sequence[Scalar]) -> dict[int, Scalar]:
        """Index → τ̃ of its joints in the tree (N m or N), which move it so: drives and loads included."""
        mechanism = self.mechanism
        links = newton_euler.inverse_dynamics(mechanism, velocity, acceleration, mechanism.gravity, loads=True)
        drives, rotors = mechanism.drive_forces(velocity), mechanism.rotor_inertias
        return {i: links[i] + (rotors[i] * acceleration[i] + drives[i]) for i in self.leg.rates}

    def shares(self, forces: Mapping[int, Scalar]) -> tuple[Vector, Vector]:
        """(p̄, d; τ̃_a − p̃_aᵀ p̄, a): what forces of its joints are to the platform's twist and to the driven joints."""
        nothing = self.mechanism.domain.constant(0)  # in what cut joints leave free
        pull = self.elimination.forces({i: forces.get(i, nothing) for i in self.leg.joints})
        return pull, vector(forces[index] - dot(self.columns[index], pull) for index in self.driven)

    @cached_property
    def inertia(self) -> tuple[Matrix, Matrix, Matrix]:
        """(Ā, d×d; B, d×a; D, a×a): twice its energy is t_Pᵀ Ā t_P − 2 t_Pᵀ B q̇_a + q̇_aᵀ D q̇_a."""
        domain, own = self.mechanism.domain, list(self.driven)
        whole = composite.inertia_matrix(self.mechanism)
        passive = [i for i in self.elimination.passive if i in self.leg.rates]
        carried = self.elimination.wrenches(passive)
        half = carried.dot(whole[passive][:, passive]) if passive else carried
        A = named_symmetric(domain, f"A{self.number + 1}", half.dot(carried.T))
        if not own:
            nothing = zeros(domain, len(A), 0)
            return A, nothing, zeros(domain, 0, 0)
        J = _matrix(self, [self.columns[index] for index in own])
        coupling = carried.dot(whole[passive][:, own]) if passive else zeros(domain, len(A), len(own))
        B = A.dot(J) - coupling
        return A, B, whole[own][:, own] + J.T.dot(B) - coupling.T.dot(J)


def chains_of(mechanism: Mechanism) -> list[Chain]:
    """The chains of a mechanism that has no misfit."""
    legs = legs_of(mechanism)
    return [Chain(mechanism, legs, leg, number) for number, leg in enumerate(legs.legs)]


def _matrix(chain: Chain, found: Sequence[Vector]) -> Matrix:
    result = zeros(chain.mechanism.domain, len(chain.legs.entries), len(found))
    for place, column in enumerate(found):
        result[:, place] = column
    return result
