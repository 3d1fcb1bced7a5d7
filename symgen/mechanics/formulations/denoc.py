"""The decoupled natural orthogonal complement of parallel robots, leg by leg: t = N_l N_c N_d q̇_a.

After Saha and Schiehlen (Saha, eqs. (24) to (32)) and Khan (2002, chapter 3). A leg gives what it shares with the
others, the twist t_e of the platform or the velocity of a point, as t_e = Σ p̃_j q̇_j (see `legs`). What is passive in it
is eliminated from the tip on: with p̃_i what the joints beyond leave of the column, δ_i = p̃_iᵀ p̃_i and
Φ_i = Φ_i+1 − p̃_i p̃_iᵀ/δ_i. Of all legs together, K t_e = Σ Φ (t̃ of the independent joints), K = Σ Φ; then each passive
rate, from the base on, is p̃_iᵀ (t_e − t̃_i−1)/δ_i. Forces go the same way backward (Khan, eq. (3.40)).

A platform is cut into as many shares as there are legs that hold it, and becomes the last link of each (Khan): then the
legs are serial chains, with τ̃ in all their joints, those too that are cut elsewhere, and τ = (N_c's) Jᵀ τ̃.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from symgen.algebra.domain import Matrix, Scalar, Vector, dot, is_zero, vector, zeros
from symgen.mechanics import composite, factorization, newton_euler
from symgen.mechanics.formulations.elimination import Elimination, Naming
from symgen.mechanics.formulations.leg_columns import columns, platform_on, twist_drift
from symgen.mechanics.formulations.legs import Leg, Legs, legs_of
from symgen.mechanics.formulations.legs import misfit as misfit
from symgen.mechanics.functions.state import rates
from symgen.mechanics.inertia import SpatialInertia, no_inertia
from symgen.mechanics.loops.cut_joints import drive_forces
from symgen.mechanics.mechanism import Mechanism


class LegByLeg:
    """Rates, accelerations and forces of all joints of the legs by those of the independent joints, at the present q.

    Vectors of all joints have `legs.count` entries: the tree's, then those of the cut joints.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        assert mechanism.plan is not None
        self.mechanism, self.domain = mechanism, mechanism.domain
        self.independent = mechanism.plan.independent
        self.legs = legs_of(mechanism)
        self.pivots: list[Scalar] = []
        """What vanishes where the independent rates do not determine the others: δ of every passive joint, then K's."""
        self._least = list(mechanism.plan.least_of_legs)
        self.eliminations = [self._eliminated(leg, f"{number + 1}") for number, leg in enumerate(self.legs.legs)]
        self.K = sum((each.projector for each in self.eliminations), zeros(self.domain, self._size, self._size))
        least = self._least[len(self.pivots) :] or None
        self._factors = factorization.factorize(self.domain, self.K, label="K", least=least)
        self.pivots += self._factors.pivots

    @property
    def _size(self) -> int:
        return len(self.legs.entries)

    def _eliminated(self, leg: Leg, label: str) -> Elimination:
        found, passive = columns(self.mechanism, self.legs, leg), self.legs.passive(self.mechanism, leg)
        result = Elimination(self.domain, found, passive, self._size, label, self._least[len(self.pivots) :])
        self.pivots += result.pivots
        return result

    def _written(self, name: str, values: Vector) -> Vector:
        """The values, under names where closed forms are written."""
        assert self.mechanism.plan is not None
        if not self.mechanism.plan.written:
            return values
        names = [name] if len(values) == 1 else [f"{name}_{k + 1}" for k in range(len(values))]
        return vector(map(self.domain.define, names, values))

    def motion(self, given: Sequence[Scalar], drifts: Sequence[Vector] | None = None, name: str = "v") -> list[Scalar]:
        """Rates of all joints by those of the independent ones, ni; accelerations, with the legs' drifts."""
        x: list[Scalar] = [self.domain.constant(0)] * self.legs.count
        for index, value in zip(self.independent, given, strict=True):
            x[index] = value
        known = [each.moved(x) for each in self.eliminations]
        if drifts is not None:
            known = [own + drift for own, drift in zip(known, drifts, strict=True)]
        known = [self._written(f"tt{number + 1}", own) for number, own in enumerate(known)]
        right = zeros(self.domain, self._size)
        for each, own in zip(self.eliminations, known, strict=True):
            right = right + each.projected(own)
        twist = self._written("te", self.solve(self._written("kt", right)))
        for each, own in zip(self.eliminations, known, strict=True):
            for index, rate in each.rates(twist - own, self._naming(name)).items():
                x[index] = rate
        return x

    def _naming(self, name: str) -> Naming:
        return lambda index, rate: self._written(f"{name}{index + 1}", vector([rate]))[0]

    def solve(self, right: Vector) -> Vector:
        """x with K x = `right`: t_e of what the legs' projectors leave of it."""
        return vector(factorization.solve(self._factors, list(right)))

    def drifts(self, velocity: Sequence[Scalar]) -> list[Vector]:
        """What each leg's motion adds to the rate of t_e while its joints do not accelerate; at rates of all joints."""
        n = self.mechanism.nv
        still = list(zeros(self.domain, n))
        motions = newton_euler.body_motions(self.mechanism, velocity[:n], still, zeros(self.domain, 3))
        return [
            self._written(f"drift{number + 1}", twist_drift(self.mechanism, self.legs, leg, motions))
            for number, leg in enumerate(self.legs.legs)
        ]

    def forces(self, forces: Sequence[Scalar]) -> Vector:
        """Jᵀ τ̃, ni: what forces τ̃ in all joints of the legs are to the independent ones (Khan, eq. (3.40))."""
        shares = [each.forces(forces) for each in self.eliminations]
        total = sum(shares, zeros(self.domain, self._size))
        common = self.solve(total)
        result: dict[int, Scalar] = {}
        for each, share in zip(self.eliminations, shares, strict=True):
            on_leg = each.projected(common) - share
            for index in self.independent:
                if index in each.columns:
                    result[index] = forces[index] + dot(each.columns[index], on_leg)
        return vector(result[index] for index in self.independent)

    def matrix(self) -> Matrix:
        """J, count×ni: rates of all joints by those of the independent ones (Khan, eq. (3.15))."""
        count = len(self.independent)
        result = zeros(self.domain, self.legs.count, count)
        for j in range(count):
            unit = list(zeros(self.domain, count))
            unit[j] = self.domain.constant(1)
            rates = self.motion(unit, name="g")
            result[:, j] = [self.domain.define(f"G{i + 1}_{j + 1}", value) for i, value in enumerate(rates)]
        return result


def leg_pivots(mechanism: Mechanism) -> tuple[Scalar, ...]:
    """All that is divided by."""
    return tuple(LegByLeg(mechanism).pivots)


def chains(mechanism: Mechanism, legs: Legs) -> Mechanism:
    """The legs as serial chains: the platform is cut into equal shares, each the last link of a leg that holds it."""
    holding = [leg for leg in legs.legs if len(legs.passive(mechanism, leg)) < len(legs.entries)]
    if legs.platform is None or not any(leg.own for leg in holding):
        return mechanism
    bodies = list(mechanism.bodies)
    platform = bodies[legs.platform]
    own = platform.inertia if len(holding) == 1 else _share(mechanism, platform.inertia, len(holding))
    bodies[legs.platform] = replace(platform, inertia=own if legs.legs[0] in holding else no_inertia(mechanism.domain))
    for leg in holding:
        if leg.cut is not None:
            bodies.append(platform_on(mechanism, legs, leg, own))
    return replace(mechanism, bodies=tuple(bodies), nv=legs.count)


def _share(mechanism: Mechanism, inertia: SpatialInertia, count: int) -> SpatialInertia:
    part = mechanism.domain.constant(Fraction(1, count))
    return SpatialInertia(inertia.mass * part, inertia.first_moment * part, inertia.tensor * part)


def chain_forces(solved: LegByLeg) -> list[Scalar]:
    """τ̃ of all joints of the legs, those of cut joints last, in the motion of the inputs q, q̇ and q̈ (N m or N).

    Where all of these are driven, τ̃ is one answer of many, with the platform's share in every leg; Jᵀ τ̃ is the same
    for all.
    """
    mechanism = solved.mechanism
    velocity = solved.motion(rates(mechanism, "qd"))
    return _chain_forces(solved, velocity, solved.motion(rates(mechanism, "qdd"), solved.drifts(velocity), "vd"))


def _chain_forces(solved: LegByLeg, velocity: Sequence[Scalar], acceleration: Sequence[Scalar]) -> list[Scalar]:
    """Those of links, rotors, friction, springs and loads."""
    mechanism = solved.mechanism
    cut = chains(mechanism, solved.legs)
    forces = newton_euler.inverse_dynamics(cut, velocity, acceleration, mechanism.gravity, loads=True)
    drags = drive_forces(mechanism, velocity[: mechanism.nv])
    for index, (rotor, drag) in enumerate(zip(mechanism.rotor_inertias, drags, strict=True)):
        forces[index] = forces[index] + (rotor * acceleration[index] + drag)
    return forces


def inverse_dynamics(mechanism: Mechanism) -> Vector:
    """τ, ni (N m or N), of q, q̇ and q̈: N_dᵀ N_cᵀ N_lᵀ (M ṫ + …), with the legs' forces τ̃ in between."""
    solved = LegByLeg(mechanism)
    return solved.forces(chain_forces(solved))


def forward_dynamics(mechanism: Mechanism) -> Vector:
    """q̈, ni, of q, q̇ and τ: the inertia matrix Σ Jᵀ I J of the legs' own, by reverse Gaussian elimination."""
    solved, domain = LegByLeg(mechanism), mechanism.domain
    velocity = solved.motion(rates(mechanism, "qd"))
    coasting = solved.motion(list(zeros(domain, mechanism.ni)), solved.drifts(velocity))
    bias = solved.forces(_chain_forces(solved, velocity, coasting))
    left = [force - rest for force, rest in zip(rates(mechanism, "tau"), bias, strict=True)]
    found = factorization.solve(factorization.factorize(domain, inertia_matrix(solved)), left)
    return vector(domain.define(f"qdd{index + 1}", value) for index, value in enumerate(found))


def inertia_matrix(solved: LegByLeg) -> Matrix:
    """The generalized inertia matrix, ni×ni: Σ Jᵀ I J over the legs (Khan, eq. (3.41))."""
    J, domain = solved.matrix(), solved.domain
    chain = composite.inertia_matrix(chains(solved.mechanism, solved.legs))
    n, count = J.shape
    half = zeros(domain, n, count)
    for i in range(n):
        for k in range(n):
            if not is_zero(chain[i, k]):
                half[i] = half[i] + J[k] * chain[i, k]
    result = zeros(domain, count, count)
    for i in range(count):
        for j in range(i, count):
            result[i, j] = result[j, i] = domain.define(f"I{i + 1}_{j + 1}", dot(J[:, i], half[:, j]))
    return result
