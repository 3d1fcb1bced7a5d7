"""The DeNOC matrices and the equations of motion in 6×6 blocks, for reading and for proofs.

All vectors are in the base frame. Twists and wrenches are t = [ω; v] and w = [n; f]; the reference point of body i is
the origin O_i of its own frame on the joint axis (Saha, recursive dynamics algorithms), or its mass centre C_i
(Saha 1999). The tree generalises the papers' chain: a block (i, j) of N_l is zero unless body j carries body i.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, cross_matrix, vector, zeros
from symgen.mechanics.base_frame import ORIGIN, in_base_frame
from symgen.mechanics.blocks import (
    angular_velocity_matrix,
    coupling_matrix,
    extended_mass,
    product,
    twist_propagation,
)
from symgen.mechanics.mechanism import FrameOnBody, Mechanism
from symgen.mechanics.rotation import Rotation
from symgen.robot.model import BASE


class Denoc:
    """The block form of a mechanism's dynamics at the domain's q and q̇, about `reference`."""

    def __init__(self, mechanism: Mechanism, reference: str = ORIGIN) -> None:
        self.mechanism = mechanism
        self.domain = mechanism.domain
        self.reference = reference
        self.bodies = in_base_frame(mechanism, reference)
        self.n = len(self.bodies)
        self.nv = mechanism.nv

    # kinematics ----------------------------------------------------------------------------------

    def carries(self, j: int, i: int) -> bool:
        """Whether body j is body i or lies between it and the base."""
        while i not in (j, BASE):
            i = self.bodies[i].parent
        return i == j

    def propagation(self, i: int, j: int) -> Matrix:
        """A_ij, 6×6: from body j to body i."""
        return twist_propagation(self.domain, self.bodies[j].point - self.bodies[i].point)

    @cached_property
    def N_l(self) -> Matrix:  # noqa: N802 — the papers' name
        """N_l, 6n×6n: blocks A_ij, lower block triangular (eq. (13b))."""
        return self._blocks(self.propagation)

    @cached_property
    def N_d(self) -> Matrix:  # noqa: N802 — the papers' name
        """N_d, 6n×nv: columns p_i on the block diagonal (eq. (13b))."""
        matrix = zeros(self.domain, 6 * self.n, self.nv)
        for i, body in enumerate(self.bodies):
            for column, index in zip(body.columns, body.velocities, strict=True):
                matrix[6 * i : 6 * i + 6, index] = column
        return matrix

    @cached_property
    def N(self) -> Matrix:  # noqa: N802 — the papers' name
        """N = N_l N_d, 6n×nv, the natural orthogonal complement: t = N q̇."""
        matrix: Matrix = product(self.N_l, self.N_d)
        return matrix

    @cached_property
    def velocity(self) -> Vector:
        """q̇, nv."""
        return vector(self.domain.variable("qd", index) for index in range(self.nv))

    @cached_property
    def twist(self) -> Vector:
        """The generalized twist t = N q̇, 6n (eq. (13a))."""
        twist: Vector = product(self.N, self.velocity)
        return twist

    def _twist_of(self, i: int) -> Vector:
        return self.twist[6 * i : 6 * i + 6]

    # masses --------------------------------------------------------------------------------------

    @cached_property
    def M(self) -> Matrix:  # noqa: N802 — the papers' name
        """M = diag(M_1 … M_n), 6n×6n (eq. (9))."""
        return self._diagonal(lambda i: extended_mass(self.domain, self.bodies[i].inertia))

    @cached_property
    def W(self) -> Matrix:  # noqa: N802 — the papers' name
        """W = diag(W_1 … W_n), 6n×6n (eq. (9))."""
        return self._diagonal(lambda i: angular_velocity_matrix(self.domain, self._twist_of(i)[:3]))

    @cached_property
    def E(self) -> Matrix:  # noqa: N802 — the papers' name
        """E = diag(E_1 … E_n), 6n×6n (eq. (9))."""
        return self._diagonal(lambda i: coupling_matrix(self.domain))

    @cached_property
    def composite_masses(self) -> tuple[Matrix, ...]:
        """M̃_i, 6×6 each: the mass matrices of the composite bodies (1999, eq. (23b))."""
        masses = [self.M[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] for i in range(self.n)]
        for i in reversed(range(self.n)):
            parent = self.bodies[i].parent
            if parent != BASE:
                A = self.propagation(i, parent)
                masses[parent] = masses[parent] + product(A.T, product(masses[i], A))
        return tuple(masses)

    # equations of motion ---------------------------------------------------------------------------

    @cached_property
    def inertia_matrix(self) -> Matrix:
        """I = Nᵀ M N, nv×nv, the generalized inertia matrix (eq. (16a)), with the rotors on its diagonal."""
        matrix: Matrix = product(self.N.T, product(self.M, self.N))
        for i, rotor in enumerate(self.mechanism.rotor_inertias):
            matrix[i, i] = matrix[i, i] + rotor
        return matrix

    def inertia_entry(self, i: int, j: int) -> Scalar:
        """I_ij = p_iᵀ M̃_i A_ij p_j for i ≥ j, without the other entries (1999, eq. (24)); indices of velocities."""
        i, j = max(i, j), min(i, j)
        (outer, p_i), (inner, p_j) = self._column(i), self._column(j)
        if not self.carries(inner, outer):
            return self.domain.constant(0)
        carried = product(self.propagation(outer, inner), p_j)
        entry = product(p_i, product(self.composite_masses[outer], carried))
        return entry + self.mechanism.rotor_inertias[i] if i == j else entry

    def _column(self, index: int) -> tuple[int, Vector]:
        """(body, p) of a velocity."""
        for i, body in enumerate(self.bodies):
            for column, known in zip(body.columns, body.velocities, strict=True):
                if known == index:
                    return i, column
        raise IndexError(index)

    @cached_property
    def N_dot(self) -> Matrix:  # noqa: N802 — the papers' name
        """Ṅ = Ṅ_l N_d + N_l Ṅ_d, 6n×nv, with Ṅ_d = W N_d."""
        rates = self._blocks(self._propagation_rate, diagonal=False)
        matrix: Matrix = product(rates, self.N_d) + product(self.N_l, self._column_rates())
        return matrix

    def _propagation_rate(self, i: int, j: int) -> Matrix:
        """Ȧ_ij: a_ij changes with the velocities of the reference points."""
        matrix = zeros(self.domain, 6, 6)
        matrix[3:, :3] = cross_matrix(self._twist_of(j)[3:] - self._twist_of(i)[3:])
        return matrix

    def _column_rates(self) -> Matrix:
        """Ṅ_d: columns Ω_i p_i, since p_i is fixed in body i."""
        matrix = zeros(self.domain, 6 * self.n, self.nv)
        for i, body in enumerate(self.bodies):
            w = self._twist_of(i)[:3]
            for column, index in zip(body.columns, body.velocities, strict=True):
                matrix[6 * i : 6 * i + 3, index] = cross(w, column[:3])
                matrix[6 * i + 3 : 6 * i + 6, index] = cross(w, column[3:])
        return matrix

    @cached_property
    def convective_inertia(self) -> Matrix:
        """C = Nᵀ (M Ṅ + W M E N), nv×nv (eq. (16a)).

        About the mass centres İ − 2C is skew; about the origins it is not, though C q̇ is the same.
        """
        rate = product(self.M, self.N_dot) + product(self.W, product(self.M, product(self.E, self.N)))
        matrix: Matrix = product(self.N.T, rate)
        return matrix

    @cached_property
    def convective_forces(self) -> Vector:
        """h = C q̇, nv."""
        forces: Vector = product(self.convective_inertia, self.velocity)
        return forces

    @cached_property
    def gravity_forces(self) -> Vector:
        """−Nᵀ M [0; g], nv: the joint forces that hold the robot at rest (eq. (17))."""
        push = zeros(self.domain, 6 * self.n)
        for i in range(self.n):
            push[6 * i + 3 : 6 * i + 6] = -self.mechanism.gravity
        forces: Vector = product(self.N.T, product(self.M, push))
        return forces

    @cached_property
    def potential_energy(self) -> Scalar:
        """−g · Σ (m o + m c) over the bodies, with o the reference points."""
        total = self.domain.constant(0)
        for body in self.bodies:
            moment = body.point * body.inertia.mass + body.inertia.first_moment
            total = total - product(self.mechanism.gravity, moment)
        return total

    @cached_property
    def load_forces(self) -> Vector:
        """Nᵀ wᴱ, nv: what the external wrenches contribute to the joint forces."""
        total = zeros(self.domain, self.nv)
        for frame, wrench in self.mechanism.wrenches:
            if frame.body != BASE:
                rotation, origin = self.frame_pose(frame)
                force = rotation.outward(wrench[3:])
                moment = rotation.outward(wrench[:3]) + cross(origin - self.bodies[frame.body].point, force)
                block = self.N[6 * frame.body : 6 * frame.body + 6]
                total = total + product(block.T, vector([*moment, *force]))
        return total

    # frames --------------------------------------------------------------------------------------

    def frame_pose(self, frame: FrameOnBody) -> tuple[Rotation, Vector]:
        """(orientation, origin) of a named frame in the base frame."""
        if frame.body == BASE:
            return frame.rotation, frame.position
        body = self.bodies[frame.body]
        return body.rotation.then(frame.rotation), body.origin + body.rotation.outward(frame.position)

    def jacobian(self, frame: FrameOnBody) -> Matrix:
        """A N_i, 6×nv: the Jacobian of a frame about its origin, in base axes."""
        if frame.body == BASE:
            return zeros(self.domain, 6, self.nv)
        matrix: Matrix = product(self._to_frame(frame), self._rows(self.N, frame))
        return matrix

    def jacobian_rate(self, frame: FrameOnBody) -> Matrix:
        """Ȧ N_i + A Ṅ_i, 6×nv: the rate of the Jacobian in base axes."""
        if frame.body == BASE:
            return zeros(self.domain, 6, self.nv)
        speed = product(self.jacobian(frame), self.velocity)[3:]
        rate = zeros(self.domain, 6, 6)
        rate[3:, :3] = cross_matrix(self._twist_of(frame.body)[3:] - speed)
        matrix: Matrix = product(rate, self._rows(self.N, frame)) + product(
            self._to_frame(frame), self._rows(self.N_dot, frame)
        )
        return matrix

    def _to_frame(self, frame: FrameOnBody) -> Matrix:
        return twist_propagation(self.domain, self.bodies[frame.body].point - self.frame_pose(frame)[1])

    def _rows(self, matrix: Matrix, frame: FrameOnBody) -> Matrix:
        rows: Matrix = matrix[6 * frame.body : 6 * frame.body + 6]
        return rows

    # blocks --------------------------------------------------------------------------------------

    def _blocks(self, block: Any, *, diagonal: bool = True) -> Matrix:
        matrix = zeros(self.domain, 6 * self.n, 6 * self.n)
        for i in range(self.n):
            for j in range(i + 1 if diagonal else i):
                if self.carries(j, i):
                    matrix[6 * i : 6 * i + 6, 6 * j : 6 * j + 6] = block(i, j)
        return matrix

    def _diagonal(self, block: Any) -> Matrix:
        matrix = zeros(self.domain, 6 * self.n, 6 * self.n)
        for i in range(self.n):
            matrix[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = block(i)
        return matrix
