"""The DeNOC matrices and the equations of motion in 6×6 blocks in the base frame, for reading and for proofs.

All vectors are in the base frame; see `denoc_blocks` for reference points and the tree.
"""

from __future__ import annotations

from functools import cached_property

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, cross_matrix, vector, zeros
from symgen.mechanics.base_frame import in_base_frame
from symgen.mechanics.blocks import product, twist_propagation
from symgen.mechanics.denoc_blocks import DenocBlocks
from symgen.mechanics.mechanism import FrameOnBody, Mechanism
from symgen.mechanics.reference_points import ORIGIN
from symgen.mechanics.rotation import Rotation
from symgen.robot.model import BASE


class Denoc(DenocBlocks):
    """The block form of a mechanism's dynamics at the domain's q and q̇, about `reference`, in base axes."""

    def __init__(self, mechanism: Mechanism, reference: str = ORIGIN) -> None:
        self.reference = reference
        self.bodies = in_base_frame(mechanism, reference)
        super().__init__(mechanism, self.bodies)

    def propagation(self, i: int, j: int) -> Matrix:
        """A_ij = [1 O; a_ij × 1 1], 6×6: from body j to body i."""
        return twist_propagation(self.domain, self.bodies[j].point - self.bodies[i].point)

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
