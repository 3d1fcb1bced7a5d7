"""Derivatives of the joint forces by q and q̇, from composite bodies in link frames.

With p = [w; v] the column of a joint, and everything about the origin O of its frame as seen by an observer who moves
with O at constant velocity, a joint that goes ahead by dq changes the motion of what it carries, in that body's own
axes, as if its carrier had another twist and another acceleration:

    ψ̇ = [ω × w; ω × v],    ψ̈ = [U w; U v + a × w],    U = ω̇ × 1 + (ω × 1)².

For joint i on, or carried by, joint j, with M̃ the mass of the composite body i, B the part of its matrix of convective
inertia (see `coriolis`) and w̃ the wrench that joint i carries, these are the derivatives

    ∂τ_i/∂q̇_j = 2 p_i · (B p_j + M̃ ψ̇_j)        ∂τ_i/∂q_j = p_i · (2 B ψ̇_j + M̃ ψ̈_j)
    ∂τ_j/∂q̇_i = 2 p_j · (B p_i + M̃ ψ̇_i)        ∂τ_j/∂q_i = p_j · (2 B ψ̇_i + M̃ ψ̈_i + p_i × w̃)

(Echeandia and Wensing 2021; Singh, Russell and Wensing 2022; there in an inertial frame). The forms of the first row
are p_i's wrenches M̃ p_i and Bᵀ p_i carried to joint j; B follows to another observer, at O_j, by its mass and first
moment. So no velocity of an origin is needed but those of neighbours relative to each other. ∂τ/∂q̇ is twice the matrix
of Christoffel's symbols, which is why B and the velocities in it are taken twice here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, dot, vector, zeros
from symgen.mechanics.composite import named_inertia
from symgen.mechanics.coriolis import MomentumPart, christoffel_part
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.kinematics import Twist, angular_velocities
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import Motion, carried_wrenches, carry, joint_motion, named
from symgen.robot.model import BASE

Wrench = tuple[Vector, Vector]
"""(moment, force)."""


class Derivatives:
    """Derivatives of the links' joint forces at the domain's q and at q̇ = `velocity`.

    Matrices are nv × nv; entry (i, j) is the derivative of τ_i by coordinate or rate j. Joints have one column each.
    """

    def __init__(self, mechanism: Mechanism, velocity: Sequence[Scalar]) -> None:
        self.mechanism = mechanism
        self.domain: Domain = mechanism.domain
        self.velocity = velocity

    @cached_property
    def by_rates(self) -> Matrix:
        """∂τ/∂q̇ of the links: 2 C."""
        joints = [_split(body) for body in self.mechanism.bodies]
        shifts = [(cross(spin, w), cross(spin, v)) for spin, (w, v) in zip(self._doubled, joints, strict=True)]
        columns = [
            _sum(part.apply(body.subspace[0]), mass.wrench(*shift))
            for part, body, mass, shift in zip(self._parts, self.mechanism.bodies, self._masses, shifts, strict=True)
        ]
        return self._matrix("td", columns, [w for w, _ in joints], shifts)

    def by_positions(self, motions: Sequence[Motion]) -> Matrix:
        """∂τ/∂q of the links, at these motions, less that of external wrenches, which are constant in their frames."""
        joints = [_split(body) for body in self.mechanism.bodies]
        totals = carried_wrenches(self.mechanism, motions)
        turned = [cross(motion.angular_velocity, w) for motion, (w, _) in zip(motions, joints, strict=True)]
        shifts = [_second_shift(motion, *joint) for motion, joint in zip(motions, joints, strict=True)]
        columns = []
        for index, (w, v) in enumerate(joints):
            moment, force = totals[index]
            slow = self._parts[index].apply(turned[index])
            fast = self._masses[index].wrench(*shifts[index])
            columns.append(_sum(_sum(slow, fast), (cross(w, moment) + cross(v, force), cross(w, force))))
        return self._matrix("tq", columns, turned, shifts)

    def _matrix(
        self, name: str, columns: Sequence[Wrench], backs: Sequence[Vector], pushes: Sequence[Wrench]
    ) -> Matrix:
        """Joint i's column is the work of its wrench in `columns` on the joints beneath, its row that of what it
        carries to them on their `backs` (2 Bᵀ p) and `pushes` (M̃ p)."""
        domain, bodies = self.domain, self.mechanism.bodies
        matrix = zeros(domain, self.mechanism.nv, self.mechanism.nv)
        for index in reversed(range(len(bodies))):
            (i,), wrench, k = bodies[index].velocities, columns[index], index
            while k != BASE:
                body, (w, v), (j,) = bodies[k], _split(bodies[k]), bodies[k].velocities
                matrix[j, i] = domain.define(f"{name}{j + 1}_{i + 1}", dot(w, wrench[0]) + dot(v, wrench[1]))
                if k != index:
                    push, back = self._carried[index][k]
                    turned, slid = pushes[k]
                    entry = dot(backs[k], back) + dot(turned, push[0]) + dot(slid, push[1])
                    matrix[i, j] = domain.define(f"{name}{i + 1}_{j + 1}", entry)
                if body.parent != BASE:
                    wrench = carry(domain, body, *wrench)
                k = body.parent
        return matrix

    def gravity_forces(self) -> Vector:
        """Joint forces that hold the links at rest, nv: −g · f of M̃ p = [n; f] carried to the base."""
        bodies = self.mechanism.bodies
        result = zeros(self.domain, self.mechanism.nv)
        for index, body in enumerate(bodies):
            first = next(k for k in (index, *self.mechanism.ancestors(index)) if bodies[k].parent == BASE)
            (_, force), _ = self._carried[index][first]
            result[body.velocities[0]] = -dot(bodies[first].rotation.to_parent(force), self.mechanism.gravity)
        return result

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
                moved = _moved(body, masses[index], parts[index], self._approaches[index])
                parts[parent] = _named_part(domain, bodies[parent], parts[parent] + moved)
                masses[parent] = named_inertia(
                    domain, bodies[parent], masses[parent] + masses[index].moved(body.rotation, body.position)
                )
        return masses, parts

    @property
    def _masses(self) -> list[SpatialInertia]:
        return self._composites[0]

    @property
    def _parts(self) -> list[MomentumPart]:
        return self._composites[1]

    @cached_property
    def _approaches(self) -> list[Vector]:
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
        """For every joint, body → (M̃ p, moment of 2 Bᵀ p), carried to that body and for an observer at its origin."""
        result = []
        for index, body in enumerate(self.mechanism.bodies):
            push = self._masses[index].wrench(*_split(body))
            back, _ = self._parts[index].apply_transposed(self.domain, body.subspace[0])
            carried = {index: (push, back)}
            while body.parent != BASE:
                push = carry(self.domain, body, *push)
                back = body.rotation.to_parent(back) + cross(self._approaches[index], push[1])
                index, body = body.parent, self.mechanism.bodies[body.parent]
                carried[index] = push, back
            result.append(carried)
        return result


def _split(body: Body) -> tuple[Vector, Vector]:
    """(w, v) of a body's joint."""
    (column,) = body.subspace
    return column[:3], column[3:]


def _sum(a: Wrench, b: Wrench) -> Wrench:
    return a[0] + b[0], a[1] + b[1]


def _second_shift(motion: Motion, w: Vector, v: Vector) -> tuple[Vector, Vector]:
    """ψ̈ = [U w; U v + a × w]."""
    turned, slid = (vector([dot(row, x) for row in motion.U]) for x in (w, v))
    return turned, slid + cross(motion.acceleration, w)


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
