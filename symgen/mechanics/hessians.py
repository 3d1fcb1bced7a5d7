"""Second derivatives of weighted joint forces λᵀ τ by q, q̇ and q̈, from composite bodies in link frames.

λᵀ τ = ∫ u · r̈ dm, with u the velocities that the bodies would have at joint velocities λ. Of the motion of what carries
a joint this is linear in few numbers: seen as in `derivatives`, going ahead along column j changes, for all that it
carries, the spin by ψ̇, the acceleration by the field of the twist ψ̈ and by 2 ψ̇ × ṙ, and u by the field of the twist

    χ = [ν₀ × w; ν₀ × v + n₀ × w],        ν₀, n₀ the carrier's spin and velocity at joint velocities λ.

A rate changes them by w, ψ̇ + ṗ and nothing, an acceleration by nothing, p and nothing. So a second derivative is what
such a change does to a first one, ∂λᵀτ/∂q_i, for column i on, or carried by, column j. With M̃, B, w̃ as in `derivatives`
(B, and the velocities in it, are twice those), and of u: π = [n; f] its momentum, K = ∫ u rᵀ dm, L = 2 (Kᵀ − tr K 1)
and h = 2 ∫ ṙ × u dm, these first derivatives change by

    q_i:   ψ̇ · (Bᵀ χ_i + L ψ̇_i + 2 s_i × f + w_i × h) + ψ̈ · (M̃ χ_i + p_i × π) + χ · (B ψ̇_i + M̃ ψ̈_i + p_i × w̃)
    q̇_i:   ψ̇ · (L w_i + 2 v_i × f)                                             + χ · (B p_i + M̃ (ψ̇_i + ṗ_i))
    q̈_i:                                                                          χ · M̃ p_i

where s_i is the linear part of ψ̇_i, of which elsewhere only the angular part is meant (Singh and Wensing 2022 have the
derivatives of τ itself, in an inertial frame). These are three vectors for ψ̇, twists' wrenches for the others, carried
from joint to joint. By q means in the tangent space, of q ⊕ δ: along columns of one joint, which need not commute, the
mean of both orders. Columns come ahead of rates and accelerations of their own joint, which are in the moved axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, cross_matrix, dot, is_zero, vector, zeros
from symgen.mechanics.articulated import matrix_product
from symgen.mechanics.coriolis import MomentumPart
from symgen.mechanics.derivatives import Column, Derivatives, Wrench
from symgen.mechanics.inertia import SpatialInertia, second_moment
from symgen.mechanics.kinematics import Twist
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import Motion, carried_wrenches, carry, joint_motion, named
from symgen.robot.model import BASE

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Blocks:
    """Second derivatives of λᵀ τ, nv × nv each; rows belong to the variable named first."""

    positions: Matrix
    positions_rates: Matrix
    rates: Matrix
    positions_accelerations: Matrix


@dataclass(frozen=True)
class _Change:
    """What a joint changes for all that it carries: the spin (3), and the twist of accelerations."""

    spin: Vector
    twist: Wrench


@dataclass(frozen=True)
class _Slope:
    """What a first derivative changes by per such change, and per twist of virtual velocities."""

    spin: Vector
    twist: Wrench
    virtual: Wrench

    def along(self, change: _Change) -> Scalar:
        """By how much the change of spin and accelerations changes it."""
        return dot(self.spin, change.spin) + _work(self.twist, change.twist)


@dataclass(frozen=True)
class _Swept:
    """A body, or a composite body, moved by u: L (3×3), f (3), and what h (3) is more than L ω."""

    L: Matrix
    force: Vector
    turning: Vector

    @property
    def momentum(self) -> Wrench:
        """(angular, linear) momentum of u about the origin: the angular one is the axial vector of K."""
        L = self.L
        axial = (L[1, 2] - L[2, 1], L[2, 0] - L[0, 2], L[0, 1] - L[1, 0])
        return vector(entry * _HALF for entry in axial), self.force


class Hessians:
    """Second derivatives of λᵀ τ at the domain's q, at q̇ of the derivatives, motions and weights λ, nv."""

    def __init__(self, derivatives: Derivatives, motions: Sequence[Motion], weights: Sequence[Scalar]) -> None:
        self.derivatives = derivatives
        self.mechanism: Mechanism = derivatives.mechanism
        self.domain: Domain = self.mechanism.domain
        self.motions = motions
        self.weights = weights
        self.columns = derivatives.columns
        self._nothing = zeros(self.domain, 3)
        self._virtuals: dict[tuple[int, int], Wrench] = {}

    @cached_property
    def blocks(self) -> Blocks:
        """The four blocks of the links and of the drives' friction."""
        n = self.mechanism.nv
        found = Blocks(*(zeros(self.domain, n, n) for _ in range(4)))
        for number in reversed(range(len(self.columns))):
            self._within(found, number)
            self._inward(found, number)
        curvatures = self.mechanism.friction_curvatures(self.derivatives.velocity)
        for i, (weight, curvature) in enumerate(zip(self.weights, curvatures, strict=True)):
            found.rates[i, i] = found.rates[i, i] + weight * curvature
        return found

    def _within(self, found: Blocks, number: int) -> None:
        """Column i with itself, and with the other columns of its joint."""
        column, (position, rate, _) = self.columns[number], self._slopes[number]
        i, (ahead, faster, pushed) = column.index, self._changes[number]
        chi = self._virtual(number, column.body)
        self._put("qq", found.positions, i, i, position.along(ahead) + _work(position.virtual, chi))
        self._put("dd", found.rates, i, i, rate.along(faster))
        if self.mechanism.bodies[column.body].is_free:
            self._within_free(found, number)
        else:
            # A joint's only column stays as it is where the joint goes ahead: which comes first is all the same.
            self._put("qd", found.positions_rates, i, i, position.along(faster))
            self._put("qa", found.positions_accelerations, i, i, position.along(pushed))

    def _within_free(self, found: Blocks, number: int) -> None:
        i, body = self.columns[number].index, self.columns[number].body
        position, rate, acceleration = self._slopes[number]
        ahead, faster, _ = self._changes[number]
        for other, column in self._on(body):
            j, chi = column.index, self._virtual(other, body)
            its_ahead, its_faster, _ = self._changes[other]
            self._put("qd", found.positions_rates, j, i, rate.along(its_ahead) + _work(rate.virtual, chi))
            self._put("qa", found.positions_accelerations, j, i, _work(acceleration.virtual, chi))
            if other < number:
                its_position, its_rate, _ = self._slopes[other]
                first = position.along(its_ahead) + _work(position.virtual, chi)
                second = its_position.along(ahead) + _work(its_position.virtual, self._virtual(number, body))
                self._put_both("qq", found.positions, i, j, _HALF * (first + second))
                self._put_both("dd", found.rates, i, j, _HALF * (rate.along(its_faster) + its_rate.along(faster)))

    def _inward(self, found: Blocks, number: int) -> None:
        """Column i with the columns of all joints that carry its own."""
        i, body = self.columns[number].index, self.columns[number].body
        position, rate, acceleration = self._slopes[number]
        k = body
        while self.mechanism.bodies[k].parent != BASE:
            position, rate = self._carried(k, position), self._carried(k, rate)
            k = self.mechanism.bodies[k].parent
            for other, column in self._on(k):
                j, chi = column.index, self._virtual(other, body)
                ahead, faster, pushed = self._changes[other]
                self._put_both("qq", found.positions, i, j, position.along(ahead) + _work(position.virtual, chi))
                self._put_both("dd", found.rates, i, j, rate.along(faster))
                self._put("qd", found.positions_rates, i, j, position.along(faster))
                self._put("qd", found.positions_rates, j, i, rate.along(ahead) + _work(rate.virtual, chi))
                self._put("qa", found.positions_accelerations, i, j, position.along(pushed))
                self._put("qa", found.positions_accelerations, j, i, _work(acceleration.virtual, chi))

    def _on(self, body: int) -> list[tuple[int, Column]]:
        """The columns of a body's joint, and their numbers among all."""
        return [(number, column) for number, column in enumerate(self.columns) if column.body == body]

    def _put(self, name: str, matrix: Matrix, i: int, j: int, entry: Scalar) -> None:
        # Joints that move together share an entry.
        total = entry if is_zero(matrix[i, j]) else matrix[i, j] + entry
        matrix[i, j] = self.domain.define(f"{name}{i + 1}_{j + 1}", total)

    def _put_both(self, name: str, matrix: Matrix, i: int, j: int, entry: Scalar) -> None:
        """An entry of a symmetric matrix, once for each of two columns."""
        if i == j:
            self._put(name, matrix, i, i, entry + entry)
            return
        low, high = sorted((i, j))
        self._put(name, matrix, low, high, entry)
        matrix[high, low] = matrix[low, high]

    def _carried(self, index: int, slope: _Slope) -> _Slope:
        """What changes of spin and accelerations at the origin of a body's parent do, in its axes."""
        body = self.mechanism.bodies[index]
        twist = carry(self.domain, body, *slope.twist)
        spin = body.rotation.to_parent(slope.spin) + cross(self.derivatives.approaches[index], twist[1])
        return _Slope(spin, twist, slope.virtual)

    # columns ---------------------------------------------------------------------------------------

    @cached_property
    def _changes(self) -> list[tuple[_Change, _Change, _Change]]:
        """What going ahead along every column changes, what its rate does, and what its acceleration does."""
        found = []
        for column in self.columns:
            carrier = self._carriers[column.body]
            turned = cross(carrier.angular_velocity, column.w)
            ahead = _Change(turned, self.derivatives.second_shift(column, carrier))
            faster = _Change(column.w, self.derivatives.rate_of_twist(column))
            found.append((ahead, faster, _Change(self._nothing, (column.w, column.v))))
        return found

    @cached_property
    def _slopes(self) -> list[tuple[_Slope, _Slope, _Slope]]:
        """What the derivatives by every column, by its rate, and by its acceleration change by."""
        totals, none = carried_wrenches(self.mechanism, self.motions), (self._nothing, self._nothing)
        found = []
        for number, (column, (ahead, faster, _)) in enumerate(zip(self.columns, self._changes, strict=True)):
            mass, part, swept = self._bodies(column.body)
            chi = self._virtual(number, column.body)
            twist = _sum(mass.wrench(*chi), _turned(column, swept.momentum))
            total = _sum(_sum(part.apply(ahead.spin), mass.wrench(*ahead.twist)), _turned(column, totals[column.body]))
            push = _sum(part.apply(column.w), mass.wrench(*faster.twist))
            spin = _applied(swept.L, column.w) + cross(column.v + column.v, swept.force)
            resistance = mass.wrench(column.w, column.v)
            found.append(
                (
                    _Slope(self._spin_slope(column, ahead, chi), twist, total),
                    _Slope(spin, none, push),
                    _Slope(self._nothing, none, resistance),
                )
            )
        return found

    def _spin_slope(self, column: Column, ahead: _Change, chi: Wrench) -> Vector:
        """Bᵀ χ + L ψ̇ + 2 s × f + w × h."""
        _, part, swept = self._bodies(column.body)
        body, carrier = self.mechanism.bodies[column.body], self._carriers[column.body]
        back, _ = part.apply_transposed(self.domain, vector([*chi[0], *chi[1]]))
        spin, slid = self.motions[column.body].angular_velocity, self.derivatives.slide_of_twist(column, carrier)
        if body.is_free:
            whole = swept.turning + _applied(swept.L, spin)
            back = back + _applied(swept.L, ahead.spin) + cross(column.w, whole)
        else:
            # L (ω × w) + w × (L ω), of which h has more than L ω alone.
            turn = cross_matrix(column.w)
            bend = matrix_product(turn, swept.L) - matrix_product(swept.L, turn)
            back = back + _applied(bend, spin) + cross(column.w, swept.turning)
        return back + cross(slid + slid, swept.force)

    def _virtual(self, number: int, body: int) -> Wrench:
        """χ of a column at the origin of a body that its joint carries, in its axes.

        Of a joint with one column ν and n may be those of the body itself.
        """
        known = self._virtuals.get((number, body))
        if known is None:
            column, own = self.columns[number], self.mechanism.bodies[body]
            if column.body == body:
                twist = self._carrier_twist(own, self._twists) if own.is_free else self._twists[body]
                known = (
                    cross(twist.angular, column.w),
                    cross(twist.angular, column.v) + cross(twist.linear, column.w),
                )
            else:
                angular, linear = self._virtual(number, own.parent)
                known = own.rotation.to_child(angular), own.rotation.to_child(linear + cross(angular, own.position))
            self._virtuals[number, body] = known
        return known

    # bodies ----------------------------------------------------------------------------------------

    @cached_property
    def _carriers(self) -> list[Motion]:
        return [self.derivatives.carrier(index, self.motions) for index in range(len(self.mechanism.bodies))]

    def _bodies(self, index: int) -> tuple[SpatialInertia, MomentumPart, _Swept]:
        return self.derivatives.masses[index], self.derivatives.parts[index], self._swept[index]

    def _carrier_twist(self, body: Body, twists: Sequence[Twist]) -> Twist:
        """The carrier's twist at joint velocities λ, about the body's origin, in its axes."""
        if body.parent == BASE:
            return Twist(self._nothing, self._nothing)
        outer = twists[body.parent]
        point = outer.linear + cross(outer.angular, body.position)
        return Twist(body.rotation.to_child(outer.angular), body.rotation.to_child(point))

    @cached_property
    def _twists(self) -> list[Twist]:
        """The twist of every body at joint velocities λ, in its own frame."""
        result: list[Twist] = []
        for body in self.mechanism.bodies:
            carrier = self._carrier_twist(body, result)
            turn, slide = joint_motion(self.domain, body, self.weights)
            angular = named(self.domain, f"y{body.label}", carrier.angular + turn)
            result.append(Twist(angular, named(self.domain, f"z{body.label}", carrier.linear + slide)))
        return result

    @cached_property
    def _swept(self) -> list[_Swept]:
        """Every composite body as u moves it, about its own origin."""
        bodies = self.mechanism.bodies
        found = [self._swept_body(body.inertia, twist) for body, twist in zip(bodies, self._twists, strict=True)]
        for index in reversed(range(len(bodies))):
            body = bodies[index]
            found[index] = self._named(body, found[index])
            if body.parent != BASE:
                own, more = found[body.parent], self._moved(body, found[index])
                found[body.parent] = _Swept(own.L + more.L, own.force + more.force, own.turning + more.turning)
        return found

    def _swept_body(self, inertia: SpatialInertia, twist: Twist) -> _Swept:
        """L, f and nothing of a rigid body, for which h = L ω: K = n sᵀ + (ν × 1) Q."""
        s, nu, n = inertia.first_moment, twist.angular, twist.linear
        Q = _doubled_moments(self.domain, inertia)
        turning = [cross(nu, Q[:, j]) for j in range(3)]
        K = [[n[i] * (s[j] + s[j]) + turning[j][i] for j in range(3)] for i in range(3)]
        L = zeros(self.domain, 3, 3)
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            L[i, i], L[i, j], L[i, k] = -(K[j][j] + K[k][k]), K[j][i], K[k][i]
        return _Swept(L, inertia.mass * n + cross(nu, s), self._nothing)

    def _moved(self, body: Body, swept: _Swept) -> _Swept:
        """A composite body seen from its carrier: L + 2 (p fᵀ − p·f 1), and turned by its joint too."""
        turn, slide = joint_motion(self.domain, body, self.derivatives.velocity)
        turning = swept.turning + _applied(swept.L, turn) + cross(slide + slide, swept.force)
        force, p = body.rotation.to_parent(swept.force), body.position + body.position
        L = body.rotation.to_parent_matrix(swept.L)
        moved = L.copy()
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            moved[i, i] = L[i, i] - (p[j] * force[j] + p[k] * force[k])
            moved[i, j], moved[i, k] = L[i, j] + p[i] * force[j], L[i, k] + p[i] * force[k]
        return _Swept(moved, force, body.rotation.to_parent(turning))

    def _named(self, body: Body, swept: _Swept) -> _Swept:
        L = swept.L.copy()
        for i in range(3):
            for j in range(3):
                L[i, j] = self.domain.define(f"L{body.label}_{'xyz'[i]}{'xyz'[j]}", L[i, j])
        force, turning = (
            named(self.domain, f"{name}{body.label}", array)
            for name, array in (("g", swept.force), ("h", swept.turning))
        )
        return _Swept(L, force, turning)


def _doubled_moments(domain: Domain, inertia: SpatialInertia) -> Matrix:
    """Twice the second moments about the frame's origin, tr J 1 − 2 J."""
    tensor = inertia.tensor
    matrix = -(tensor + tensor)
    for axis in range(3):
        moment = second_moment(domain, tensor, axis)
        matrix[axis, axis] = moment + moment
    return matrix


def _turned(column: Column, wrench: Wrench) -> Wrench:
    """p × a wrench: what it changes by where its body goes ahead along p."""
    moment, force = wrench
    return cross(column.w, moment) + cross(column.v, force), cross(column.w, force)


def _applied(matrix: Matrix, x: Vector) -> Vector:
    return vector([dot(row, x) for row in matrix])


def _work(a: Wrench, b: Wrench) -> Scalar:
    return dot(a[0], b[0]) + dot(a[1], b[1])


def _sum(a: Wrench, b: Wrench) -> Wrench:
    return a[0] + b[0], a[1] + b[1]
