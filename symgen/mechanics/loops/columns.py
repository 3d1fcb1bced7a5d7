"""Equations of motion from the twists that each independent rate gives the bodies (Kane's form of d'Alembert's).

With t_ij, the twist of body i at a rate 1 of the independent joint j alone (a column of A N G), I_jk = Σ t_ijᵀ M_i t_ik
and what a motion asks of joint j is Σ t_ijᵀ w_i, with w_i the bodies' net wrenches. Where few joints are independent
that is less than the tree's matrix and forces, and then Gᵀ I G and Gᵀ τ.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, dot, is_zero, vector, zeros
from symgen.mechanics.kinematics import Twist, twists
from symgen.mechanics.loops.cut_joints import drive_forces
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import body_motions, net_wrenches


class Columns:
    """The bodies' twists at unit independent rates, for G (nv×ni) at the present q."""

    def __init__(self, mechanism: Mechanism, G: Matrix) -> None:
        self.mechanism, self.G = mechanism, G
        self._twists = [twists(mechanism, list(column)) for column in G.T]

    def inertia_matrix(self) -> Matrix:
        """The generalized inertia matrix of the independent joints, ni×ni, with rotors."""
        domain, count = self.mechanism.domain, self.G.shape[1]
        result = zeros(domain, count, count)
        for body, *own in zip(self.mechanism.bodies, *self._twists, strict=True):
            moving = _Moving(body, own)
            for j in range(count):
                for k in range(j, count):
                    result[j, k] = result[j, k] + moving.coupling(j, k)
        for rotor, row in zip(self.mechanism.rotor_inertias, self.G, strict=True):
            for j in range(count):
                for k in range(j, count):
                    result[j, k] = result[j, k] + rotor * row[j] * row[k]
        for j in range(count):
            for k in range(j, count):
                result[j, k] = result[k, j] = domain.define(f"I{j + 1}_{k + 1}", result[j, k])
        return result

    def forces(
        self, velocity: Sequence[Scalar], acceleration: Sequence[Scalar], gravity: Vector, *, bare: bool = False
    ) -> list[Scalar]:
        """τ, ni (N m or N), that moves links and rotors with the tree's q̇ and q̈, nv.

        Unless `bare`, friction, springs and loads are in it.
        """
        motions = body_motions(self.mechanism, velocity, acceleration, gravity)
        wrenches = net_wrenches(self.mechanism, motions, loads=not bare)
        drives = [rotor * push for rotor, push in zip(self.mechanism.rotor_inertias, acceleration, strict=True)]
        if not bare:
            drags = drive_forces(self.mechanism, velocity)
            drives = [own + drag for own, drag in zip(drives, drags, strict=True)]
        result = []
        for own, column in zip(self._twists, self.G.T, strict=True):
            total = dot(column, drives)
            for twist, (moment, force) in zip(own, wrenches, strict=True):
                total = total + (dot(twist.angular, moment) + dot(twist.linear, force))
            result.append(total)
        return result


class _Moving:
    """A body in the motions of all columns: its momenta, as far as they serve several entries."""

    def __init__(self, body: Body, twists: Sequence[Twist]) -> None:
        self._mass, self._twists = body.inertia.mass, twists
        self._turned = [vector(dot(row, twist.angular) for row in body.inertia.tensor) for twist in twists]
        self._shifted = [cross(body.inertia.first_moment, twist.linear) for twist in twists]

    def coupling(self, j: int, k: int) -> Scalar:
        """t_jᵀ M t_k = ω_j·(J ω_k + s × v_k) + ω_k·(s × v_j) + m v_j·v_k, with the column first that has more zeros."""
        if all(map(is_zero, self._shifted[j])):
            j, k = k, j
        near, far = self._twists[j], self._twists[k]
        spun = self._turned[j] + self._shifted[j]
        if j == k:
            turning = dot(near.angular, spun + self._shifted[j])
        else:
            turning = dot(far.angular, spun) + dot(near.angular, self._shifted[k])
        return turning if is_zero(self._mass) else turning + self._mass * dot(near.linear, far.linear)
