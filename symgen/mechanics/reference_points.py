"""The reference points of the papers, and a body about its own in its own axes."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.algebra.domain import Domain, Vector, vector, zeros
from symgen.mechanics.blocks import product, twist_propagation
from symgen.mechanics.inertia import SpatialInertia, shifted
from symgen.mechanics.mechanism import Body

ORIGIN = "origin"
"""Reference point O_i, the origin of the body's frame (the later papers; the default)."""

MASS_CENTRE = "mass_centre"
"""Reference point C_i, the body's mass centre (Saha 1999)."""


@dataclass(frozen=True)
class LinkFrameBody:
    """A body in its own axes: joint columns p_i and inertia about its reference point, which lies at `point`."""

    parent: int
    columns: tuple[Vector, ...]
    velocities: tuple[int, ...]
    inertia: SpatialInertia
    point: Vector


def about_reference(domain: Domain, body: Body, reference: str) -> LinkFrameBody:
    """The body about O_i or C_i, in the axes of its own frame."""
    point, columns, inertia = zeros(domain, 3), body.subspace, body.inertia
    if reference == MASS_CENTRE:
        point = mass_centre(domain, inertia)
        shift = twist_propagation(domain, -point)
        columns = tuple(vector(product(shift, column)) for column in columns)
        none = zeros(domain, 3)
        inertia = SpatialInertia(inertia.mass, none, shifted(inertia.tensor, inertia.first_moment, none, -point))
    return LinkFrameBody(body.parent, columns, body.velocities, inertia, point)


def mass_centre(domain: Domain, inertia: SpatialInertia) -> Vector:
    """The mass centre from a frame's origin; the origin itself for a body without mass."""
    try:
        return vector(moment / inertia.mass for moment in inertia.first_moment)
    except ZeroDivisionError:
        return zeros(domain, 3)
