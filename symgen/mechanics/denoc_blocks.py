"""The DeNOC matrices of a mechanism in 6×6 blocks, whatever axes the vectors of a body are in.

Twists and wrenches are t = [ω; v] and w = [n; f]; the reference point of body i is the origin O_i of its own frame on
the joint axis (Saha, recursive dynamics algorithms), or its mass centre C_i (Saha 1999). The tree generalises the
papers' chain: a block (i, j) of N_l is zero unless body j carries body i.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, reduce
from operator import add
from typing import Any, Protocol

from symgen.algebra.domain import Matrix, Scalar, Vector, vector, zeros
from symgen.mechanics.blocks import angular_velocity_matrix, coupling_matrix, extended_mass, product
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.mechanism import Mechanism
from symgen.robot.model import BASE


class BlockBody(Protocol):
    """What the blocks need of a body: its parent, joint columns p_i, their indices, its inertia about the reference."""

    @property
    def parent(self) -> int:
        """Index of the body that carries it, or `BASE`."""

    @property
    def columns(self) -> tuple[Vector, ...]:
        """p_i, 6 each, about the reference point."""

    @property
    def velocities(self) -> tuple[int, ...]:
        """Their indices in q̇."""

    @property
    def inertia(self) -> SpatialInertia:
        """Mass, first moment and tensor about the reference point."""


class DenocBlocks(ABC):
    """The block matrices; a subclass says in which axes its bodies are, and how twists are carried between them."""

    def __init__(self, mechanism: Mechanism, bodies: Sequence[BlockBody]) -> None:
        self.mechanism = mechanism
        self.domain = mechanism.domain
        self.blocks = bodies
        self.n = len(bodies)
        self.nv = mechanism.nv

    @abstractmethod
    def propagation(self, i: int, j: int) -> Matrix:
        """A_ij, 6×6: the twist of body i, were it rigidly joined to body j, from that of body j."""

    # kinematics ----------------------------------------------------------------------------------

    def carries(self, j: int, i: int) -> bool:
        """Whether body j is body i or lies between it and the base."""
        while i not in (j, BASE):
            i = self.blocks[i].parent
        return i == j

    @cached_property
    def N_l(self) -> Matrix:  # noqa: N802 — the papers' name
        """N_l, 6n×6n: blocks A_ij, lower block triangular (eq. (13b))."""
        return self._blocks(self.propagation)

    @cached_property
    def N_d(self) -> Matrix:  # noqa: N802 — the papers' name
        """N_d, 6n×nv: columns p_i on the block diagonal (eq. (13b))."""
        matrix = zeros(self.domain, 6 * self.n, self.nv)
        for i, body in enumerate(self.blocks):
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
        return self._diagonal(lambda i: extended_mass(self.domain, self.blocks[i].inertia))

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
            parent = self.blocks[i].parent
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
        """I_ij = p_iᵀ M̃_i A_ij p_j for i ≥ j, without the other entries (1999, eq. (24)); indices of velocities.

        Where joints move together it is the sum over those that i moves and those that j moves.
        """
        i, j = max(i, j), min(i, j)
        parts = [self._coupling(one, other) for one in self._columns(i) for other in self._columns(j)]
        entry = reduce(add, (part for part in parts if part is not None), self.domain.constant(0))
        return entry + self.mechanism.rotor_inertias[i] if i == j else entry

    def _coupling(self, one: tuple[int, Vector], other: tuple[int, Vector]) -> Scalar | None:
        """pᵀ M̃ A p of two columns of bodies, whichever is the outer one; None if neither body carries the other."""
        if not self.carries(other[0], one[0]):
            one, other = other, one
        (outer, p_i), (inner, p_j) = one, other
        if not self.carries(inner, outer):
            return None
        carried = product(self.propagation(outer, inner), p_j)
        entry: Scalar = product(p_i, product(self.composite_masses[outer], carried))
        return entry

    def _columns(self, index: int) -> list[tuple[int, Vector]]:
        """(body, p) of all that moves with a velocity."""
        return [
            (i, column)
            for i, body in enumerate(self.blocks)
            for column, known in zip(body.columns, body.velocities, strict=True)
            if known == index
        ]

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
