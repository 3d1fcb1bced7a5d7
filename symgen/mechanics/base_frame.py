"""The bodies of a mechanism at the present q in the base frame, about the reference points of the papers."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.algebra.domain import Domain, Vector, vector, zeros
from symgen.mechanics.blocks import product, twist_propagation
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.rotation import Rotation
from symgen.robot.model import BASE

ORIGIN = "origin"
"""Reference point O_i, the origin of the body's frame (the later papers; the default)."""

MASS_CENTRE = "mass_centre"
"""Reference point C_i, the body's mass centre (Saha 1999)."""


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
    """The bodies with everything turned into base axes and moved to the reference point."""
    result: list[BaseFrameBody] = []
    rotations: list[Rotation] = []
    origins: list[Vector] = []
    for body in mechanism.bodies:
        rotation, origin = body.rotation, body.position
        if body.parent != BASE:
            outer = rotations[body.parent]
            rotation, origin = outer.then(rotation), origins[body.parent] + outer.outward(origin)
        rotations.append(rotation)
        origins.append(origin)
        result.append(_base_frame_body(mechanism.domain, body, rotation, origin, reference))
    return result


def _base_frame_body(domain: Domain, body: Body, rotation: Rotation, origin: Vector, reference: str) -> BaseFrameBody:
    inertia = body.inertia.moved(rotation, zeros(domain, 3))
    columns = [vector([*rotation.outward(column[:3]), *rotation.outward(column[3:])]) for column in body.subspace]
    point = origin
    if reference == MASS_CENTRE:
        com = mass_centre(domain, inertia)
        shift = twist_propagation(domain, -com)
        columns = [vector(product(shift, column)) for column in columns]
        inertia = inertia.moved(Rotation(), -com)
        point = origin + com
    return BaseFrameBody(body.parent, rotation, origin, point, tuple(columns), body.velocities, inertia)


def mass_centre(domain: Domain, inertia: SpatialInertia) -> Vector:
    """The mass centre from a frame's origin; the origin itself for a body without mass."""
    try:
        return vector(moment / inertia.mass for moment in inertia.first_moment)
    except ZeroDivisionError:
        return zeros(domain, 3)
