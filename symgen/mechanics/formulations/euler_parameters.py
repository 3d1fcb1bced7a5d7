"""Inverse dynamics with ball joints whole, in the fixed frame, after Rahmani Hanzaki, Saha and Rao (2009).

Loops are cut into branches that start from the base. A ball joint is no three revolute joints: body i has the twist

    t_i = A_{i,i−1} t_{i−1} + P_i θ̇_i,    P_i = [B_i; O]                    (15), (16), (37)

of its rate ω in its own axes, with B_i its orientation in the fixed frame, made of Euler parameters (3). The paper's
rate is ė, for which P_i = [B_{i−1} G*_i; O] and G*_i = (B_{i,i−1} + 1)/e₀: that is singular where e₀ = 0, while ω never
is, and the drives are the same. With N = N_l N_d (17), (28) of all branches side by side

    Nᵀ (M ṫ + W M E t) = Nᵀ (w^e + w^λ)                                    (19)

are as many equations as there are drives and multipliers λ, which are solved for at once. Nᵀ w^λ = Φᵀ λ, with Φ the
constraints' Jacobian (8). All vectors are in the fixed frame, about the bodies' own origins O_i, and so are the inertia
tensors (43), (44). The motion of the dependent joints, (8) and (10), is that of the general reduction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, dot, vector, zeros
from symgen.mechanics.functions.state import State
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.loops.blocks import factored
from symgen.mechanics.loops.view import branches
from symgen.mechanics.mechanism import CutOnBodies, FrameOnBody, Mechanism
from symgen.mechanics.newton_euler import named
from symgen.mechanics.rotation import Orientation
from symgen.robot.model import BASE


def misfit(mechanism: Mechanism) -> str:
    """Which condition of the formulation a mechanism does not meet, as a clause; "" if it fits."""
    plan = mechanism.plan
    if plan is None:
        return "it is for robots with closed loops"
    if not any(body.is_ball for body in mechanism.bodies):
        return "no joint of its tree is a ball joint, whole or made of turns about one point"
    if mechanism.ties:
        return "couplings are no cut joints"
    for cut in mechanism.cuts:
        if not cut.kind.holds_points:
            return f"its loop {cut.name} is cut at a joint of kind {cut.kind.value}, whose ends are not one point"
        ends = cut.predecessor, cut.successor
        carriers = [each[-1] for each in branches(mechanism, *ends) if each]
        if any(mechanism.bodies[index].parent != BASE for index in carriers):
            return f"the branches of its loop {cut.name} do not start from the base"
    if plan.dropped:
        return f"{len(plan.dropped)} of its constraints hold already where the others do, and leave multipliers open"
    return ""


def inverse_dynamics(mechanism: Mechanism) -> Vector:
    """The drives' τ, ni (N m or N)."""
    return _Branches(mechanism).solved()[0]


def constraint_forces(mechanism: Mechanism) -> list[Scalar]:
    """λ of (19): for each cut joint the force on its successor and moments across axes, in the fixed frame; spins."""
    return _Branches(mechanism).solved()[1]


@dataclass(frozen=True)
class _Placed:
    """A body in the fixed frame: B (3×3), the arm from its parent's origin to its own, and the columns P = [ω; v]."""

    orientation: Orientation
    arm: Vector
    columns: tuple[tuple[Vector, Vector], ...]


@dataclass(frozen=True)
class _Twist:
    """ω, and ṫ = [ω̇; v̇], in the fixed frame; nothing needs v."""

    spin: Vector
    angular_acceleration: Vector
    acceleration: Vector


class _Branches:
    """The open branches at the present q, and the constraints that their ends obey."""

    def __init__(self, mechanism: Mechanism) -> None:
        assert mechanism.plan is not None
        self.mechanism, self.domain, self.plan = mechanism, mechanism.domain, mechanism.plan
        self.state = State(mechanism)
        self.placed: list[_Placed] = []
        for index in range(len(mechanism.bodies)):
            self.placed.append(self._place(index))

    def solved(self) -> tuple[Vector, list[Scalar]]:
        """(τ, λ), ni and as many as there are constraints, in the motion of the inputs (19)."""
        constraints, forces = self._constraints(), self._forces()
        independent, dependent = list(self.plan.independent), list(self.plan.dependent)
        factors = factored(self.domain, constraints[:, dependent], "phi")
        found = factors.solve_transposed([forces[index] for index in dependent])
        multipliers = [self.domain.define(f"lambda{k + 1}", value) for k, value in enumerate(found)]
        return vector(forces[index] - dot(constraints[:, index], multipliers) for index in independent), multipliers

    # what closes the loops (8) ------------------------------------------------------------------------

    def _constraints(self) -> Matrix:
        """Φ: for every cut joint rows of its forces, then of its moments; then rows of spins."""
        rows = [row for cut in self.mechanism.cuts for row in self._rows(cut)]
        rows += [self._turning(spin.body, self._line(spin)) for spin in self.mechanism.spins]
        matrix = zeros(self.domain, len(rows), self.mechanism.nv)
        for number, row in enumerate(rows):
            matrix[number] = row
        return matrix

    def _rows(self, cut: CutOnBodies) -> Iterator[Vector]:
        far, near = self._moving(cut.successor), self._moving(cut.predecessor)
        yield from (one - other for one, other in zip(far, near, strict=True))
        for normal in self._normals(cut):
            yield self._turning(cut.successor.body, normal) - self._turning(cut.predecessor.body, normal)

    def _moving(self, frame: FrameOnBody) -> Matrix:
        """The velocity of a frame's origin per unit of each rate, 3×nv."""
        result, arm, index = zeros(self.domain, 3, self.mechanism.nv), self._turned(frame, frame.position), frame.body
        while index != BASE:
            body, placed = self.mechanism.bodies[index], self.placed[index]
            for (angular, linear), rate in zip(placed.columns, body.velocities, strict=True):
                result[:, rate] = result[:, rate] + (cross(angular, arm) + linear)
            arm, index = arm + placed.arm, body.parent
        return result

    def _turning(self, index: int, axis: Vector) -> Vector:
        """The angular velocity of a body about an axis per unit of each rate, nv."""
        row = zeros(self.domain, self.mechanism.nv)
        while index != BASE:
            body, placed = self.mechanism.bodies[index], self.placed[index]
            for (angular, _), rate in zip(placed.columns, body.velocities, strict=True):
                row[rate] = row[rate] + dot(axis, angular)
            index = body.parent
        return row

    def _normals(self, cut: CutOnBodies) -> Iterator[Vector]:
        """b × a of axes a of the predecessor and b of the successor that stay at right angles."""
        one, other = ((frame, frame.rotation.matrix(self.domain)) for frame in (cut.predecessor, cut.successor))
        for own, far in cut.kind.angles:
            a, b = self._turned(one[0], one[1][:, own]), self._turned(other[0], other[1][:, far])
            yield cross(b, a)

    # twists and wrenches -----------------------------------------------------------------------------

    def _place(self, index: int) -> _Placed:
        body = self.mechanism.bodies[index]
        if body.parent == BASE:
            rows, arm = body.rotation.matrix(self.domain), body.position
        else:
            parent = self.placed[body.parent].orientation
            rows, arm = parent.matrix.copy(), parent.to_parent(body.position)
            for k in range(3):
                rows[k] = named(self.domain, f"B{body.label}_{'xyz'[k]}", body.rotation.to_child(rows[k]))
        turned = Orientation(rows)
        columns = tuple((turned.to_parent(each[:3]), turned.to_parent(each[3:])) for each in body.subspace)
        return _Placed(turned, named(self.domain, f"a{body.label}", arm), columns)

    def _twists(self) -> list[_Twist]:
        """Those of all bodies; gravity is an acceleration of the base (15), (48)."""
        base, velocity, acceleration = -self.mechanism.gravity, self.state.velocity, self.state.acceleration
        result: list[_Twist] = []
        rest = _Twist(zeros(self.domain, 3), zeros(self.domain, 3), base)
        for body, placed in zip(self.mechanism.bodies, self.placed, strict=True):
            inner = rest if body.parent == BASE else result[body.parent]
            turn, slide = self._along(placed, body.velocities, velocity)
            turning, sliding = self._along(placed, body.velocities, acceleration)
            spin = named(self.domain, f"w{body.label}", inner.spin + turn)
            pushed = inner.acceleration + _carried(inner, placed.arm)
            pushed = pushed + (cross(inner.spin, slide) + cross(spin, slide)) + sliding
            whirl = inner.angular_acceleration + cross(inner.spin, turn) + turning
            result.append(
                _Twist(
                    spin,
                    named(self.domain, f"wd{body.label}", whirl),
                    named(self.domain, f"vd{body.label}", pushed),
                )
            )
        return result

    def _along(self, placed: _Placed, indices: Sequence[int], values: Sequence[Scalar]) -> tuple[Vector, Vector]:
        """P times a joint's rates or accelerations."""
        turn, slide = zeros(self.domain, 3), zeros(self.domain, 3)
        for (angular, linear), index in zip(placed.columns, indices, strict=True):
            turn, slide = turn + angular * values[index], slide + linear * values[index]
        return turn, slide

    def _forces(self) -> list[Scalar]:
        """Nᵀ (M ṫ + W M E t − w^e) with rotors, friction and springs, nv: wrenches carried inward (22), (23)."""
        twists = self._twists()
        wrenches = [self._moved(index, twist) for index, twist in enumerate(twists)]
        for frame, load in self.mechanism.wrenches:
            if frame.body != BASE:
                moment, force = (self._turned(frame, frame.rotation.to_parent(load[k : k + 3])) for k in (0, 3))
                moment = moment + cross(self._turned(frame, frame.position), force)
                known = wrenches[frame.body]
                wrenches[frame.body] = known[0] - moment, known[1] - force
        forces = list(zeros(self.domain, self.mechanism.nv))
        for index in reversed(range(len(wrenches))):
            body, placed, (moment, force) = self.mechanism.bodies[index], self.placed[index], wrenches[index]
            for (angular, linear), rate in zip(placed.columns, body.velocities, strict=True):
                forces[rate] = forces[rate] + (dot(angular, moment) + dot(linear, force))
            if body.parent != BASE:
                inner = wrenches[body.parent]
                wrenches[body.parent] = inner[0] + (moment + cross(placed.arm, force)), inner[1] + force
        drives = zip(
            self.mechanism.rotor_inertias, self.state.drive_forces, self.state.acceleration, forces, strict=True
        )
        return [force + (rotor * push + drag) for rotor, drag, push, force in drives]

    def _moved(self, index: int, twist: _Twist) -> tuple[Vector, Vector]:
        """w*_i = M_i ṫ_i + W_i M_i E_i t_i (43): moment about O_i and force."""
        own, turned = self.mechanism.bodies[index].inertia, self.placed[index].orientation
        inertia = SpatialInertia(own.mass, turned.to_parent(own.first_moment), turned.to_parent_symmetric(own.tensor))
        moment, force = inertia.wrench(twist.angular_acceleration, twist.acceleration)
        spun = vector(dot(row, twist.spin) for row in inertia.tensor)
        return (
            moment + cross(twist.spin, spun),
            force + cross(twist.spin, cross(twist.spin, inertia.first_moment)),
        )

    def _turned(self, frame: FrameOnBody, x: Vector) -> Vector:
        """A vector in the axes of a frame's body, in the fixed frame."""
        return x if frame.body == BASE else self.placed[frame.body].orientation.to_parent(x)

    def _line(self, spin: FrameOnBody) -> Vector:
        """The line about which a link between ball joints does not spin."""
        return self._turned(spin, spin.position)


def _carried(twist: _Twist, arm: Vector) -> Vector:
    """What a point at the end of an arm accelerates by beside the body's origin: ω̇ × a + ω × (ω × a)."""
    return cross(twist.angular_acceleration, arm) + cross(twist.spin, cross(twist.spin, arm))
