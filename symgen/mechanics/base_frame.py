"""The bodies of a mechanism at the present q in the base frame, about the reference points of the papers.

Orientations, points and inertias are named body by body, so that in a ring of named definitions no entry grows with the
number of joints.
"""

from __future__ import annotations

from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Vector, vector
from symgen.mechanics.blocks import named_matrix, named_symmetric, named_vector, product
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.reference_points import LinkFrameBody, about_reference
from symgen.mechanics.rotation import Rotation
from symgen.robot.model import BASE


@dataclass(frozen=True)
class BaseFrameBody:
    """A body at the present q, in base axes: its frame's pose, reference point, joint columns p_i, inertia about it."""

    parent: int
    rotation: Rotation
    origin: Vector
    point: Vector
    columns: tuple[Vector, ...]
    velocities: tuple[int, ...]
    inertia: SpatialInertia


def in_base_frame(mechanism: Mechanism, reference: str) -> list[BaseFrameBody]:
    """The bodies with everything moved to the reference point and turned into base axes."""
    domain = mechanism.domain
    result: list[BaseFrameBody] = []
    orientations: list[Matrix] = []
    for index, body in enumerate(mechanism.bodies):
        Q, rotation, origin = body.rotation.matrix(domain), body.rotation, body.position
        if body.parent != BASE:
            outer = result[body.parent]
            rotation = outer.rotation.then(rotation)
            origin = outer.origin + product(orientations[body.parent], origin)
            Q = product(orientations[body.parent], Q)
        Q = named_matrix(domain, f"Q{index + 1}", Q)
        origin = named_vector(domain, f"o{index + 1}", origin)
        orientations.append(Q)
        own = about_reference(domain, body, reference)
        result.append(_turned(domain, index, body, own, (rotation, Q, origin)))
    return result


def _turned(
    domain: Domain, index: int, body: Body, own: LinkFrameBody, pose: tuple[Rotation, Matrix, Vector]
) -> BaseFrameBody:
    """A body that is known in its own axes, with its reference point, in those of the base."""
    rotation, Q, origin = pose
    tensor = named_symmetric(domain, f"J{index + 1}", own.inertia.tensor)
    inertia = SpatialInertia(own.inertia.mass, product(Q, own.inertia.first_moment), product(Q, product(tensor, Q.T)))
    columns = [vector([*product(Q, column[:3]), *product(Q, column[3:])]) for column in own.columns]
    columns = [
        named_vector(domain, f"p{velocity + 1}", column)
        for column, velocity in zip(columns, body.velocities, strict=True)
    ]
    point = named_vector(domain, f"C{index + 1}", origin + product(Q, own.point))
    return BaseFrameBody(body.parent, rotation, origin, point, tuple(columns), body.velocities, inertia)
