"""Derivatives of the joint forces by q and q̇, from composite bodies in link frames.

With p = [w; v] a column of a joint, and everything about the origin O of its frame as seen by an observer who moves
with O at constant velocity, a joint that goes ahead by dq along p changes the motion of what it carries, in that body's
own axes, as if its carrier had another twist and another acceleration:

    ψ̇ = [ω₀ × w; ω₀ × v + v₀ × w],    ψ̈ = [U₀ w; U₀ v + a₀ × w + 2 v₀ × (ω₀ × w)],    U₀ = ω̇₀ × 1 + (ω₀ × 1)²,

where ω₀, v₀ and a₀ are those of the carrier's point at O. Columns are fixed in their body and have the rate
ṗ = [ω × w; ω × v]. Where a joint has one column, all of this may be taken of the body itself, since p × p = 0: then
v₀ = 0 and ψ̇ = ṗ. For column i on, or carried by, column j, with M̃ the mass of the composite body i, B the part of its
matrix of convective inertia (see `coriolis`) and w̃ the wrench that joint i carries, these are the derivatives

    ∂τ_i/∂q̇_j = p_i · (2 B p_j + M̃ (ψ̇_j + ṗ_j))        ∂τ_i/∂q_j = p_i · (2 B ψ̇_j + M̃ ψ̈_j)
    ∂τ_j/∂q̇_i = p_j · (2 B p_i + M̃ (ψ̇_i + ṗ_i))        ∂τ_j/∂q_i = p_j · (2 B ψ̇_i + M̃ ψ̈_i + p_i × w̃)

the last for a joint j that carries joint i (Echeandia and Wensing 2021; Singh, Russell and Wensing 2022; there in an
inertial frame). By q means along the joint's columns, in the tangent space: for joints whose q̇ are their rates the
derivatives by the entries of q. The forms of the first row are p_i's wrenches M̃ p_i and Bᵀ p_i carried to joint j; B
follows to another observer, at O_j, by its mass and first moment. So no velocity of an origin is needed but those of
neighbours relative to each other. B and the velocities in it are taken twice here, so that ∂τ/∂q̇ of joints with one
column is twice the matrix of Christoffel's symbols.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, dot, is_zero, vector, zeros
from symgen.mechanics.composite import named_inertia
from symgen.mechanics.coriolis import MomentumPart, christoffel_part
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.kinematics import Twist, angular_velocities
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import Motion, carried_motion, carried_wrenches, carry, joint_motion, named
from symgen.robot.model import BASE

Wrench = tuple[Vector, Vector]
"""(moment, force)."""


@dataclass(frozen=True)
class Column:
    """A column p = [w; v] of a body's joint and its index in q̇."""

    body: int
    index: int
    w: Vector
    v: Vector


@dataclass(frozen=True)
class _Ahead:
    """What follows from going ahead along a column: a wrench on all joints at or beneath it, one on those beneath
    alone, and what wrenches 2 Bᵀ p and M̃ p of columns beyond work on: an angular part, and a twist."""

    wrench: Wrench
    beneath: Wrench
    back: Vector
    push: Wrench


class Derivatives:
    """Derivatives of the links' joint forces at the domain's q and at q̇ = `velocity`.

    Matrices are nv × nv; entry (i, j) is the derivative of τ_i along column j, or by its rate.
    """

    def __init__(self, mechanism: Mechanism, velocity: Sequence[Scalar]) -> None:
        self.mechanism = mechanism
        self.domain: Domain = mechanism.domain
        self.velocity = velocity
        self.columns = [
            Column(number, index, column[:3], column[3:])
            for number, body in enumerate(mechanism.bodies)
            for column, index in zip(body.subspace, body.velocities, strict=True)
        ]

    @cached_property
    def by_rates(self) -> Matrix:
        """∂τ/∂q̇ of the links, nv × nv: 2 C, where joints have one column."""
        pushes = [self.rate_of_twist(column) for column in self.columns]
        ahead = []
        for column, push in zip(self.columns, pushes, strict=True):
            part, mass = self.parts[column.body], self.masses[column.body]
            wrench = _sum(part.apply(vector([*column.w, *column.v])), mass.wrench(*push))
            ahead.append(_Ahead(wrench, wrench, column.w, push))
        return self._matrix("td", ahead)

    def by_positions(self, motions: Sequence[Motion]) -> Matrix:
        """∂τ/∂q of the links, nv × nv, at these motions, less that of external wrenches, constant in their frames."""
        totals = carried_wrenches(self.mechanism, motions)
        carriers = [self.carrier(index, motions) for index in range(len(self.mechanism.bodies))]
        turned = [cross(carriers[column.body].angular_velocity, column.w) for column in self.columns]
        pushes = [self.second_shift(column, carriers[column.body]) for column in self.columns]
        ahead = []
        for column, turn, push in zip(self.columns, turned, pushes, strict=True):
            moment, force = totals[column.body]
            slow = self.parts[column.body].apply(turn)
            wrench = _sum(slow, self.masses[column.body].wrench(*push))
            total = _sum(wrench, (cross(column.w, moment) + cross(column.v, force), cross(column.w, force)))
            # A screw's wrench does no work along the screw that it comes of.
            at_joint = wrench if self.mechanism.bodies[column.body].is_free else total
            ahead.append(_Ahead(at_joint, total, turn, push))
        return self._matrix("tq", ahead)

    def _matrix(self, name: str, ahead: Sequence[_Ahead]) -> Matrix:
        """A column's wrench works on the columns at or beneath it; what they do works on M̃ p and 2 Bᵀ p of it."""
        domain, bodies = self.domain, self.mechanism.bodies
        matrix = zeros(domain, self.mechanism.nv, self.mechanism.nv)

        def put(i: int, j: int, entry: Scalar) -> None:
            # Joints that move together share an entry.
            total = entry if is_zero(matrix[i, j]) else matrix[i, j] + entry
            matrix[i, j] = domain.define(f"{name}{i + 1}_{j + 1}", total)

        for number, column in reversed(list(enumerate(self.columns))):
            i, k, effect = column.index, column.body, ahead[number]
            for _, other in self._on(k):
                put(other.index, i, _work(other.w, other.v, effect.wrench))
            wrench = effect.beneath
            while bodies[k].parent != BASE:
                wrench, k = carry(domain, bodies[k], *wrench), bodies[k].parent
                push, back = self._carried[number][k]
                for inner, other in self._on(k):
                    put(other.index, i, _work(other.w, other.v, wrench))
                    turned, slid = ahead[inner].push
                    put(i, other.index, dot(ahead[inner].back, back) + dot(turned, push[0]) + dot(slid, push[1]))
        return matrix

    def _on(self, body: int) -> list[tuple[int, Column]]:
        """The columns of a body's joint, and their numbers among all."""
        return [(number, column) for number, column in enumerate(self.columns) if column.body == body]

    def gravity_forces(self) -> Vector:
        """Joint forces that hold the links at rest, nv (N m or N): −g · f of M̃ p = [n; f] carried to the base."""
        bodies = self.mechanism.bodies
        result = zeros(self.domain, self.mechanism.nv)
        for number, column in enumerate(self.columns):
            first = next(k for k in (column.body, *self.mechanism.ancestors(column.body)) if bodies[k].parent == BASE)
            (_, force), _ = self._carried[number][first]
            weight = dot(bodies[first].rotation.to_parent(force), self.mechanism.gravity)
            known = result[column.index]
            result[column.index] = -weight if is_zero(known) else known - weight
        return result

    # motions of carriers -------------------------------------------------------------------------

    def rate_of_twist(self, column: Column) -> Wrench:
        """ψ̇ + ṗ = [(ω + ω₀) × w; (ω + ω₀) × v + v₀ × w]."""
        body, spin = self.mechanism.bodies[column.body], self._doubled[column.body]
        if not body.is_free:
            return cross(spin, column.w), cross(spin, column.v)
        turn, slide = joint_motion(self.domain, body, self.velocity)
        return cross(spin - turn, column.w), cross(spin - turn, column.v) - cross(slide, column.w)

    def carrier(self, index: int, motions: Sequence[Motion]) -> Motion:
        """ω₀, ω̇₀, a₀ and U₀ in the body's axes; of a joint with one column the body's own."""
        body = self.mechanism.bodies[index]
        if not body.is_free:
            return motions[index]
        base = -self.mechanism.gravity
        return carried_motion(self.domain, body, None if body.parent == BASE else motions[body.parent], base)

    def slide_of_twist(self, column: Column, carrier: Motion) -> Vector:
        """The linear part of ψ̇, ω₀ × v + v₀ × w."""
        body = self.mechanism.bodies[column.body]
        slid = cross(carrier.angular_velocity, column.v)
        return slid - cross(joint_motion(self.domain, body, self.velocity)[1], column.w) if body.is_free else slid

    def second_shift(self, column: Column, carrier: Motion) -> Wrench:
        """ψ̈ = [U₀ w; U₀ v + a₀ × w + 2 v₀ × (ω₀ × w)]."""
        turned, slid = (vector([dot(row, x) for row in carrier.U]) for x in (column.w, column.v))
        slid = slid + cross(carrier.acceleration, column.w)
        body = self.mechanism.bodies[column.body]
        if body.is_free:
            _, slide = joint_motion(self.domain, body, self.velocity)
            slid = slid - cross(slide + slide, cross(carrier.angular_velocity, column.w))
        return turned, slid

    # composite bodies ----------------------------------------------------------------------------

    @cached_property
    def _doubled(self) -> list[Vector]:
        """2 ω of every body."""
        spins = angular_velocities(self.mechanism, self.velocity)
        return [spin + spin for spin in spins]

    @cached_property
    def _composites(self) -> tuple[list[SpatialInertia], list[MomentumPart]]:
        """M̃ and 2 B of every composite body about its own origin, B for an observer at that origin."""
        domain, bodies = self.domain, self.mechanism.bodies
        still = zeros(domain, 3)
        masses = [body.inertia for body in bodies]
        parts = [
            christoffel_part(domain, body.inertia, Twist(spin, still))
            for body, spin in zip(bodies, self._doubled, strict=True)
        ]
        for index in reversed(range(len(bodies))):
            body = bodies[index]
            if body.parent != BASE:
                parent = body.parent
                moved = _moved(body, masses[index], parts[index], self.approaches[index])
                parts[parent] = _named_part(domain, bodies[parent], parts[parent] + moved)
                masses[parent] = named_inertia(
                    domain, bodies[parent], masses[parent] + masses[index].moved(body.rotation, body.position)
                )
        return masses, parts

    @property
    def masses(self) -> list[SpatialInertia]:
        """M̃ of every composite body, about its own origin."""
        return self._composites[0]

    @property
    def parts(self) -> list[MomentumPart]:
        """2 B of every composite body, about its own origin and for an observer there."""
        return self._composites[1]

    @cached_property
    def approaches(self) -> list[Vector]:
        """Twice the velocity of every body's origin for an observer at its parent's, in the parent's axes."""
        result = []
        for body in self.mechanism.bodies:
            _, slide = joint_motion(self.domain, body, self.velocity)
            approach = body.rotation.to_parent(slide + slide)
            if body.parent != BASE:
                approach = approach + cross(self._doubled[body.parent], body.position)
            result.append(approach)
        return result

    @cached_property
    def _carried(self) -> list[dict[int, tuple[Wrench, Vector]]]:
        """For every column, body → (M̃ p, moment of 2 Bᵀ p), carried to that body and for an observer at its origin."""
        result = []
        for column in self.columns:
            index, body = column.body, self.mechanism.bodies[column.body]
            push = self.masses[index].wrench(column.w, column.v)
            back, _ = self.parts[index].apply_transposed(self.domain, vector([*column.w, *column.v]))
            carried = {index: (push, back)}
            while body.parent != BASE:
                push = carry(self.domain, body, *push)
                back = body.rotation.to_parent(back) + cross(self.approaches[index], push[1])
                index, body = body.parent, self.mechanism.bodies[body.parent]
                carried[index] = push, back
            result.append(carried)
        return result


def _work(w: Vector, v: Vector, wrench: Wrench) -> Scalar:
    return dot(w, wrench[0]) + dot(v, wrench[1])


def _sum(a: Wrench, b: Wrench) -> Wrench:
    return a[0] + b[0], a[1] + b[1]


def _named_part(domain: Domain, body: Body, part: MomentumPart) -> MomentumPart:
    T = part.T.copy()
    for i in range(3):
        for j in range(3):
            T[i, j] = domain.define(f"T{body.label}_{'xyz'[i]}{'xyz'[j]}", T[i, j])
    return MomentumPart(T, named(domain, f"l{body.label}", part.momentum))


def _moved(body: Body, mass: SpatialInertia, part: MomentumPart, approach: Vector) -> MomentumPart:
    """A composite body's part seen from the parent's frame, by an observer at the parent's origin.

    T − (s × 1)(u × 1) − (p × 1)(l × 1), with u the velocity of the origin for that observer and l = l + m u.
    """
    p, u, s = body.position, approach, body.rotation.to_parent(mass.first_moment)
    l = body.rotation.to_parent(part.momentum) + mass.mass * u  # noqa: E741 — the momentum's symbol
    T = body.rotation.to_parent_matrix(part.T)
    moved = T.copy()
    inner = [p[k] * l[k] + u[k] * s[k] for k in range(3)]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        moved[i, i] = T[i, i] + (inner[j] + inner[k])
        for other in (j, k):
            moved[i, other] = T[i, other] - (l[i] * p[other] + u[i] * s[other])
    return MomentumPart(moved, l)
