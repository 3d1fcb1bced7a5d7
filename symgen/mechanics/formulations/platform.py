"""Parallel robots as a platform and legs (Khalil 2010, section 5).

All loops close at one body, the platform. Its rates u are those of the joints that carry it: the entries of its twist
where it floats, fewer where its mobility is reduced, a leg's own rates where that leg leads to it through joints of the
tree. They determine the rates of all legs, one leg after the other: with v_i, what leg i hands on to the platform,

    v_i = J_i q̇_i = J_vi u,   q̇_i = J_i⁻¹ J_vi u          (eqs. (62) to (65)),

and so those of the independent joints, q̇_a = J_p⁻¹ u. Hence

    Γ = J_pᵀ [F_p + Σ J_viᵀ J_i⁻ᵀ Γ_i]                     (eq. (66)),

with F_p and Γ_i what the motions of platform and legs ask for in joints that are free to move. The bracket is
X u̇ + c, the equation of motion in the platform's rates; it gives u̇ for J_p⁻ᵀ Γ, and then q̈_a = J_p⁻¹ u̇ + γ_a. So
forward dynamics needs J_p itself for velocities alone.

Rows of J_i and J_vi are those of A q̇ = 0 (see `loops.closure`): all of this holds at every q of the tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from symgen.algebra.domain import Matrix, Scalar, Vector, dot, vector, zeros
from symgen.mechanics import composite, factorization
from symgen.mechanics.functions.joint_forces import tree_forces
from symgen.mechanics.functions.state import State
from symgen.mechanics.kinematics import path
from symgen.mechanics.loops.blocks import Factors, factored
from symgen.mechanics.loops.plan import Platform
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.mechanism import Mechanism


def misfit(mechanism: Mechanism) -> str:
    """Why a mechanism with loops is no platform on legs, as a clause; "" if it is."""
    found = platform_of(mechanism)
    if isinstance(found, str):
        return found
    if mechanism.plan is None or mechanism.plan.platform is None:
        return f"the motion of {mechanism.bodies[found].name} does not determine that of its legs"
    return ""


def gap(mechanism: Mechanism) -> str:
    """Where the legs of a platform that fits are singular though the independent rates determine all others."""
    plan = mechanism.plan
    assert plan is not None
    assert plan.platform is not None
    platform = mechanism.bodies[plan.platform.body].name
    usual = {(frozenset(block.rows), frozenset(block.columns)) for block in plan.blocks}
    for block in plan.platform.legs.blocks:
        if any(block.least) and (frozenset(block.rows), frozenset(block.columns)) not in usual:
            body = next(body for body in mechanism.bodies if set(block.columns) & set(body.velocities))
            return f"it is singular where the motion of {platform} does not determine that of {body.name}"
    return ""


def platform_of(mechanism: Mechanism) -> int | str:
    """The index of the body at which all loops close; if there is none that legs carry from the base, why not."""
    if len(mechanism.cuts) == 1:
        return "it has one loop, and a platform on legs has several"
    common = set(range(len(mechanism.bodies))) if mechanism.cuts else set()
    for cut in mechanism.cuts:
        common &= {cut.predecessor.body, cut.successor.body}
    if not common:
        return "its loops close at no common body"
    faults = {body: _fault(mechanism, body) for body in sorted(common)}
    fitting = [body for body, fault in faults.items() if not fault]
    return fitting[0] if fitting else next(iter(faults.values()))


def _fault(mechanism: Mechanism, body: int) -> str:
    """What keeps a body from being the platform, as a clause."""
    name, carriers = mechanism.bodies[body].name, set(path(mechanism, body))
    taken: set[int] = set()
    for cut in mechanism.cuts:
        tip = cut.predecessor.body if cut.successor.body == body else cut.successor.body
        leg = path(mechanism, tip)
        if body in leg:
            return f"the chain that {cut.name} ends leads from {name} back to it"
        shared = taken & set(leg) - carriers
        if shared:
            return f"{mechanism.bodies[min(shared)].name} belongs to several legs of {name}"
        taken |= set(leg)
    carrying = carrying_rates(mechanism, body)
    if len(carrying) != mechanism.ni:
        freedoms = f"it has {mechanism.ni} freedoms, but joints with {len(carrying)}"
        return f"{freedoms} carry {name}, at which its loops close"
    if mechanism.plan is not None and set(carrying) == set(mechanism.plan.independent):
        return f"all independent joints carry {name}, so that its legs drive nothing"
    return ""


def carrying_rates(mechanism: Mechanism, body: int) -> tuple[int, ...]:
    """Indices in q̇ of the rates of the joints between the base and a body."""
    indices: Iterable[int] = (rate for k in path(mechanism, body) for rate in mechanism.bodies[k].velocities)
    return tuple(dict.fromkeys(indices))


class ByPlatform(Reduction):
    """The reduction by way of the platform's rates: G = G_u J_p, with the legs' J_i⁻¹ J_vi in G_u.

    What is known of J_p is used: rates of the platform that are independent themselves, where a leg carries it, are
    solved for no more than rates of independent joints in the legs are worked out again.
    """

    def __init__(self, mechanism: Mechanism, platform: Platform) -> None:
        assert mechanism.plan is not None
        super().__init__(mechanism, mechanism.plan)
        self._least, plan = platform.least, platform.legs
        own, given = set(plan.independent), set(self.plan.independent)
        self._places = [k for k, index in enumerate(plan.independent) if index not in given]
        self._shared = [k for k, index in enumerate(plan.independent) if index in given]
        self._beyond = [index for index in self.plan.independent if index not in own]
        self.legs = Reduction(mechanism, plan)
        known = [block for block in plan.blocks if given.issuperset(block.columns)]
        self._given = [column for block in known for column in block.columns]
        left = tuple(block for block in plan.blocks if block not in known)
        self._rest = Reduction(mechanism, replace(plan, independent=(*plan.independent, *self._given), blocks=left))

    @cached_property
    def inverse_jacobian(self) -> Matrix:
        """J_p⁻¹, ni×ni: the independent rates by the platform's (Khalil 2010, eq. (60))."""
        return self.legs.matrix[list(self.plan.independent)]

    @cached_property
    def inertia(self) -> Matrix:
        """X, ni×ni: the inertia of the platform with what its legs add to it, in its rates."""
        return self.legs.congruent(composite.inertia_matrix(self.mechanism))

    @cached_property
    def factors(self) -> Factors:
        """Those of J_p⁻¹ without the rows of rates that are the platform's own."""
        matrix = self.legs.matrix[self._beyond][:, self._places]
        return factored(self.mechanism.domain, matrix, "p", self._least)

    def coasting(self, velocity: Sequence[Scalar]) -> list[Scalar]:
        """q̈, nv, at consistent q̇ = `velocity`, nv, while the platform's rates stay as they are."""
        still = zeros(self.mechanism.domain, len(self.legs.plan.independent))
        return self.legs.accelerations(list(still), velocity)

    def on_platform(self, forces: Sequence[Scalar]) -> Vector:
        """F_p + Σ J_viᵀ J_i⁻ᵀ Γ_i, ni: what forces in all joints of the tree, nv, are to the platform's rates."""
        return self.legs.forces(forces)

    def forces(self, forces: Sequence[Scalar]) -> Vector:
        """Γ, ni, of forces in all joints of the tree, nv (eq. (66))."""
        found = self.on_platform(self.passive(forces))
        pushes = self.factors.solve_transposed([found[k] for k in self._places])
        result = dict(zip(self._beyond, pushes, strict=True))
        for k in self._shared:
            column = self.legs.matrix[self._beyond][:, k]
            result[self.legs.plan.independent[k]] = found[k] - dot(column, pushes)
        return vector(forces[index] + result[index] for index in self.plan.independent)

    def passive(self, forces: Sequence[Scalar]) -> list[Scalar]:
        """The forces, nv, without those of independent joints, which are theirs as they are."""
        left = list(forces)
        for index in self.plan.independent:
            left[index] = self.mechanism.domain.constant(0)
        return left

    def _solved(self, rates: Sequence[Scalar], bias: Sequence[Scalar] | None, name: str = "") -> list[Scalar]:
        given = dict(zip(self.plan.independent, rates, strict=True))
        u = list(zeros(self.mechanism.domain, len(rates)))
        for k in self._shared:
            u[k] = given[self.legs.plan.independent[k]]
        drift = self.legs._solved(u, bias)
        found = self.factors.solve([given[index] - drift[index] for index in self._beyond])
        for k, value in zip(self._places, found, strict=True):
            u[k] = value
        return self._rest._solved([*u, *(given[index] for index in self._given)], bias, name)


def reduction_of(mechanism: Mechanism) -> ByPlatform:
    """The reduction of a mechanism that fits, at its present q."""
    assert mechanism.plan is not None
    assert mechanism.plan.platform is not None
    return ByPlatform(mechanism, mechanism.plan.platform)


def inverse_dynamics(mechanism: Mechanism) -> Vector:
    """τ of links, rotors, friction, springs and loads, ni (N m or N), by eq. (66)."""
    state = State(mechanism, reduction_of(mechanism))
    return state.forces(tree_forces(state, state.acceleration))


def forward_dynamics(mechanism: Mechanism) -> Vector:
    """q̈, ni (rad/s² or m/s²): the platform's acceleration by X u̇ + c = J_p⁻ᵀ τ, then the independent joints'."""
    domain, reduction = mechanism.domain, reduction_of(mechanism)
    state, J = State(mechanism, reduction), reduction.inverse_jacobian
    coasting, own = reduction.coasting(state.velocity), reduction.plan.independent
    asked = tree_forces(state, coasting)
    tau = [force - asked[index] for force, index in zip(state.given("tau"), own, strict=True)]
    c = reduction.on_platform(reduction.passive(asked))
    forces = [dot(column, tau) - bias for column, bias in zip(J.T, c, strict=True)]
    found = factorization.solve(factorization.factorize(domain, reduction.inertia), forces)
    pushes = [domain.define(f"ud{k + 1}", value) for k, value in enumerate(found)]
    result = (dot(row, pushes) + coasting[index] for row, index in zip(J, own, strict=True))
    return vector(domain.define(f"qdd{k + 1}", value) for k, value in enumerate(result))
