"""Inertia that a joint cannot tell from its carrier's, given to the body where that spares the carrier more.

What `grouping` moves inward may as well be moved outward, in any amount: a tensor diag(a, a, 0) about the axis of a
revolute joint, a mass at the body's origin. A carrier with moments of inertia XX and ZZ needs six products for its
moment, and four with one of them; a carrier without first moment has no force of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from symgen.algebra.domain import Domain, Matrix, Scalar, dot, is_number, is_zero
from symgen.mechanics.freedom import Freedom, Turning, fixed_rotation, freedoms, slides, turns
from symgen.mechanics.inertia import SpatialInertia, add_symmetric, point_mass
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
) -> dict[int, SpatialInertia]:
    """Body → its inertia afterwards, for a carrier and those of the bodies on it that clear anything.

    `freedom` is the carrier's, `index` its place; `inertias` are those of all bodies.
    """
    domain, found = mechanism.domain, {index: inertias[index]}
    for what in CLEARINGS if freedom.turning is not Turning.ONE else ():
        for child in sorted(clearings.get(what, ())):
            body, carrier, own = mechanism.bodies[child], found[index], found.get(child, inertias[child])
            if body.parent != index or not _may(body, what):
                continue
            if what == MOMENT:
                mass = _mass(domain, body, carrier)
                found[index] = carrier + point_mass(domain, -mass).moved(Rotation(), body.position)
                found[child] = own + point_mass(domain, mass)
            else:
                seen = _seen(domain, body)
                a = _across(seen, carrier, what)
                found[index] = _with_tensor(carrier, seen * a)
                found[child] = _with_tensor(own, _flat(domain) * -a)
    return found


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


def _across(seen: Matrix, carrier: SpatialInertia, what: str) -> Scalar:
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


def _with_tensor(inertia: SpatialInertia, tensor: Matrix) -> SpatialInertia:
    return replace(inertia, tensor=add_symmetric(inertia.tensor, tensor))
