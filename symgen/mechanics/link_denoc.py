"""The DeNOC matrices with the twist of every body in the axes of its own frame: the shortest entries.

M_i is constant, and composite and articulated inertias depend only on the joints beyond. The twist propagation then
turns as well as it carries: A_ij = [Q O; Q (a_ij × 1) Q], with Q from the axes of body j to those of body i.
"""

from __future__ import annotations

from symgen.algebra.domain import Matrix, Vector, cross_matrix, zeros
from symgen.mechanics.denoc_blocks import DenocBlocks
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.reference_points import ORIGIN, about_reference
from symgen.mechanics.rotation import Rotation


class LinkDenoc(DenocBlocks):
    """The block matrices in link axes, about `reference`."""

    def __init__(self, mechanism: Mechanism, reference: str = ORIGIN) -> None:
        self.reference = reference
        self.bodies = [about_reference(mechanism.domain, body, reference) for body in mechanism.bodies]
        super().__init__(mechanism, self.bodies)

    def relative(self, i: int, j: int) -> tuple[Rotation, Vector]:
        """Orientation and origin of body i's frame in that of body j, which carries it."""
        if i == j:
            return Rotation(), zeros(self.domain, 3)
        body = self.mechanism.bodies[i]
        outer, origin = self.relative(body.parent, j)
        return outer.then(body.rotation), origin + outer.to_parent(body.position)

    def propagation(self, i: int, j: int) -> Matrix:
        """A_ij, 6×6: from body j in its axes to body i in its own."""
        rotation, origin = self.relative(i, j)
        arm = self.bodies[j].point - origin - rotation.to_parent(self.bodies[i].point)
        carried = cross_matrix(arm)
        matrix = zeros(self.domain, 6, 6)
        matrix[:3, :3] = matrix[3:, 3:] = rotation.matrix(self.domain).T
        for column in range(3):
            matrix[3:, column] = rotation.to_child(carried[:, column])
        return matrix
