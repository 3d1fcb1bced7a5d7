"""Inertia that a joint cannot tell from its carrier's, given to the body where that spares the carrier more.

What `grouping` moves inward may as well be moved outward, in any amount: a tensor diag(a, a, 0) about the axis of a
revolute joint, a mass at the body's origin. A carrier with moments of inertia XX and ZZ needs six products for its
moment, and four with one of them; a carrier without first moment has no force of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from symgen.algebra.domain import Domain, Matrix, Scalar, dot, is_number, is_zero, zeros
from symgen.mechanics.freedom import Freedom, Turning, fixed_rotation, freedoms, slides, turns
from symgen.mechanics.inertia import SpatialInertia, add_symmetric
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.rotation import Rotation, symmetric
from symgen.robot.model import BASE

XX, ZZ, MOMENT = "clearing_xx", "clearing_zz", "clearing_moment"
CLEARINGS = (MOMENT, XX, ZZ)
"""What bodies clear of their carriers: the first moment along the way to their origins, XX − YY, ZZ."""

Clearings = Mapping[str, Collection[int]]
"""What is cleared → the bodies that clear it."""

NOTHING: Clearings = MappingProxyType({})


def exchanged(
    mechanism: Mechanism, freedom: Freedom, inertias: Sequence[SpatialInertia], index: int, clearings: Clearings
) -> Iterator[tuple[int, SpatialInertia]]:
    """(body, its inertia afterwards) for those of the bodies on a carrier that clear anything, and for the carrier.

    `freedom` is the carrier's, `index` its place; `inertias` are those of all bodies.
    """
    if freedom.turning is Turning.ONE:
        return
    domain, carrier = mechanism.domain, inertias[index]
    for what in CLEARINGS:
        for child in sorted(clearings.get(what, ())):
            body, own = mechanism.bodies[child], inertias[child]
            if body.parent != index or not _may(body, what):
                continue
            if what == MOMENT:
                mass = _mass(domain, body, carrier)
                carrier = carrier + _point(domain, -mass).moved(Rotation(), body.position)
                own = own + _point(domain, mass)
            else:
                a = _across(body, _seen(domain, body), carrier, what)
                carrier = _with_tensor(carrier, _seen(domain, body) * a)
                own = _with_tensor(own, _flat(domain) * -a)
            yield child, own
    yield index, carrier


def clearable(mechanism: Mechanism, inertias: Sequence[SpatialInertia]) -> Iterator[tuple[str, int]]:
    """(what, body) of the likely ones, from the tips inward: first moments, then XX beside ZZ and one product.

    `inertias` are the bodies' in base parameters.
    """
    domain, freedom = mechanism.domain, freedoms(mechanism)
    for index, body in reversed(list(enumerate(mechanism.bodies))):
        if body.parent == BASE or freedom[body.parent].turning is Turning.ONE:
            continue
        carrier = inertias[body.parent]
        if _may(body, MOMENT) and not is_zero(_mass(domain, body, carrier)):
            yield MOMENT, index
        products = sum(not is_zero(carrier.tensor[i, j]) for i, j in ((0, 1), (0, 2), (1, 2)))
        both = not is_zero(carrier.tensor[0, 0]) and not is_zero(carrier.tensor[2, 2])
        if _may(body, XX) and products <= 1 and both:
            yield XX, index


def _may(body: Body, what: str) -> bool:
    """Whether the body's joint does not tell the inertia from the carrier's."""
    return not slides(body) if what == MOMENT else turns(body) and not body.is_ball


def _mass(domain: Domain, body: Body, carrier: SpatialInertia) -> Scalar:
    """The mass at the body's origin that leaves the carrier no first moment along the way there, across its axis."""
    way = body.position[:2]
    square = dot(way, way)
    # A length that is given when the code runs may be 0.
    if is_zero(square) or not is_number(square):
        return domain.constant(0)
    return dot(way, carrier.first_moment[:2]) / square


def _across(body: Body, seen: Matrix, carrier: SpatialInertia, what: str) -> Scalar:
    """The a for which the carrier has no ZZ or, once its YY has moved on, no XX; 0 unless axes are at right angles."""
    tensor = carrier.tensor
    share, rest = seen[2, 2], tensor[2, 2]
    if what == XX:
        share, rest = seen[0, 0] - seen[1, 1], tensor[0, 0] - tensor[1, 1]
    return -(rest * share) if is_zero(share - 1) or is_zero(share + 1) else 0 * rest


def _flat(domain: Domain) -> Matrix:
    """diag(1, 1, 0)."""
    zero, one = domain.constant(0), domain.constant(1)
    return symmetric(domain, one, one, zero, zero, zero, zero)


def _seen(domain: Domain, body: Body) -> Matrix:
    """diag(1, 1, 0) about the body's axis, in the axes of its carrier."""
    return fixed_rotation(body).to_parent_symmetric(_flat(domain))


def _point(domain: Domain, mass: Scalar) -> SpatialInertia:
    return SpatialInertia(mass, zeros(domain, 3), zeros(domain, 3, 3))


def _with_tensor(inertia: SpatialInertia, tensor: Matrix) -> SpatialInertia:
    return replace(inertia, tensor=add_symmetric(inertia.tensor, tensor))
