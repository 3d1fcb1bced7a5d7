"""Base inertial parameters: inertia that acts only together with that of the body beneath is moved there, exactly.

What of a body's inertia a revolute joint cannot tell from inertia of the body that carries it is what is unchanged by
a turn about the joint's axis and has no moment about it: mass, first moment along the axis, and diag(a, a, 0). A
prismatic joint cannot tell the whole tensor (Khalil and Kleinfinger 1987; Gautier and Khalil 1990). Going from the tips
inward, this leaves a revolute joint's body XX, XY, XZ, YZ, ZZ, MX, MY and a prismatic one's M, MX, MY, MZ; what arrives
at the base is at rest. The mechanism that remains has the same equations of motion, but other forces of constraint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from symgen.algebra.domain import Domain, Scalar, Vector, is_zero, vector, zeros
from symgen.mechanics.inertia import SpatialInertia, add_symmetric
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.rotation import Rotation, symmetric
from symgen.robot.model import BASE

Name = Callable[[str, Scalar], Scalar]
"""Names a group of inertial parameters: the name without the body's number in it, and the value."""

_TENSOR = (("XX", 0, 0), ("YY", 1, 1), ("ZZ", 2, 2), ("XY", 0, 1), ("XZ", 0, 2), ("YZ", 1, 2))


@dataclass(frozen=True)
class _Split:
    """A body's inertia in two parts: what stays with the joint, and what moves on to the carrier."""

    stays: SpatialInertia
    moves: SpatialInertia


def grouped(mechanism: Mechanism) -> Mechanism:
    """The mechanism with its inertia in base parameters; joint forces are those of `mechanism`."""
    inertias = [body.inertia for body in mechanism.bodies]
    for index in reversed(range(len(inertias))):
        body = mechanism.bodies[index]
        split = _split(mechanism.domain, body, inertias[index])
        inertias[index] = split.stays
        if body.parent != BASE:
            moved = split.moves.moved(fixed_rotation(body), _fixed_position(mechanism.domain, body))
            inertias[body.parent] = inertias[body.parent] + moved
    return _with(mechanism, inertias)


def named(mechanism: Mechanism, name: Callable[[int, str, Scalar], Scalar]) -> Mechanism:
    """The mechanism with `name(body number, stem, value)` in place of every inertial parameter that is not zero."""

    def named_inertia(body: Body) -> SpatialInertia:
        inertia, number = body.inertia, body.number
        mass = name(number, "M", inertia.mass)
        moment = vector(
            name(number, stem, value) for stem, value in zip(("MX", "MY", "MZ"), inertia.first_moment, strict=True)
        )
        tensor = inertia.tensor.copy()
        for stem, i, j in _TENSOR:
            tensor[i, j] = tensor[j, i] = name(number, stem, tensor[i, j])
        return SpatialInertia(mass, moment, tensor)

    return _with(mechanism, [named_inertia(body) for body in mechanism.bodies])


def fixed_rotation(body: Body) -> Rotation:
    """The constant part of a body's rotation: without the turn of a revolute joint."""
    return Rotation(body.rotation.turns[:-1]) if _turns(body) else body.rotation


def _fixed_position(domain: Domain, body: Body) -> Vector:
    """The position of the moved part: what a prismatic joint moves on has neither mass nor moment."""
    return body.position if _turns(body) else zeros(domain, 3)


def _turns(body: Body) -> bool:
    (column,) = body.subspace
    return not is_zero(column[2])


def _split(domain: Domain, body: Body, inertia: SpatialInertia) -> _Split:
    zero = domain.constant(0)
    if not _turns(body):
        stays = SpatialInertia(inertia.mass, inertia.first_moment, zeros(domain, 3, 3))
        return _Split(stays, SpatialInertia(zero, zeros(domain, 3), inertia.tensor))
    x, y, z = inertia.first_moment
    a = inertia.tensor[1, 1]
    moved = symmetric(domain, a, a, zero, zero, zero, zero)
    stays = SpatialInertia(zero, vector([x, y, zero]), add_symmetric(inertia.tensor, -moved))
    return _Split(stays, SpatialInertia(inertia.mass, vector([zero, zero, z]), moved))


def _with(mechanism: Mechanism, inertias: list[SpatialInertia]) -> Mechanism:
    bodies = (replace(body, inertia=inertia) for body, inertia in zip(mechanism.bodies, inertias, strict=True))
    return replace(mechanism, bodies=tuple(bodies))
