"""Base inertial parameters: inertia that acts only together with that of the body beneath is moved there, exactly.

What of a body's inertia a revolute joint cannot tell from inertia of the body that carries it is what is unchanged by
a turn about the joint's axis and has no moment about it: mass, first moment along the axis, and diag(a, a, 0). A
prismatic joint cannot tell the whole tensor (Khalil and Kleinfinger 1987; Gautier and Khalil 1990). Going from the tips
inward, this leaves a revolute joint's body XX, XY, XZ, YZ, ZZ, MX, MY and a prismatic one's M, MX, MY, MZ. A joint that
turns and slides at once, with a pitch or in a plane, cannot tell diag(a, a, 0) alone, and leaves nine; one that turns
about axes through a point cannot tell the mass; a floating one tells all ten. What arrives at the base is at rest.
What the first joints do not let act (see `freedom`) is left out. The mechanism that remains has the same equations of
motion, in as few inertial parameters as there can be, but other forces of constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from symgen.algebra.domain import Domain, Matrix, Scalar, is_zero, vector, zeros
from symgen.mechanics.clearing import NOTHING, Clearings, exchanged
from symgen.mechanics.freedom import (
    Freedom,
    Turning,
    fixed_rotation,
    freedoms,
    parallel,
    slides,
    turns,
    z_axis,
)
from symgen.mechanics.inertia import SpatialInertia, add_symmetric, no_inertia, second_moment
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.rotation import symmetric
from symgen.robot.model import BASE

__all__ = [
    "STEMS",
    "base_stems",
    "fixed_rotation",
    "grouped",
    "inertia_of",
    "named",
    "parameters_of",
    "with_inertias",
    "with_parameters",
]

_TENSOR = (("XX", 0, 0), ("YY", 1, 1), ("ZZ", 2, 2), ("XY", 0, 1), ("XZ", 0, 2), ("YZ", 1, 2))

STEMS = ("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M")
"""Names of a body's ten inertial parameters about the origin of its frame, without the body's number.

Entries of the inertia tensor, first moment and mass; XY is the entry itself, −∫ xy dm.
"""


@dataclass(frozen=True)
class _Split:
    """A body's inertia in two parts: what stays with the joint, and what moves on to the carrier."""

    stays: SpatialInertia
    moves: SpatialInertia


def grouped(mechanism: Mechanism, in_moments: Collection[int] = (), clearings: Clearings = NOTHING) -> Mechanism:
    """The mechanism with its inertia in base parameters; joint forces are those of `mechanism`.

    A revolute joint's diag(a, a, 0) is chosen so that YY vanishes or, for the bodies `in_moments`, the second moment
    ½ (XX + YY − ZZ) along the axis. With `clearings` some bodies keep more than they must (see `clearing`).
    """
    inertias = [body.inertia for body in mechanism.bodies]
    freedom = freedoms(mechanism)
    for index in reversed(range(len(inertias))):
        body = mechanism.bodies[index]
        if clearings:
            for place, inertia in exchanged(mechanism, freedom[index], inertias, index, clearings).items():
                inertias[place] = inertia
        split = _split(mechanism.domain, body, freedom[index], inertias[index], in_moments=index in in_moments)
        inertias[index] = split.stays
        if body.parent != BASE:
            inertias[body.parent] = inertias[body.parent] + _passed_on(mechanism.domain, body, split)
    return with_inertias(mechanism, inertias)


def base_stems(mechanism: Mechanism) -> list[tuple[str, ...]]:
    """For every body the stems of its base parameters: what stays with it of the inertia of any body in its place."""
    domain, bodies = mechanism.domain, mechanism.bodies
    any_inertia = inertia_of(domain, {stem: domain.parameter(f"any {stem}") for stem in STEMS})
    # A massless body between two motions of a joint has what the one beyond passes on, and nothing else.
    given = [any_inertia] * len(bodies)
    stay: list[SpatialInertia] = []
    for index, freedom in reversed(list(enumerate(freedoms(mechanism)))):
        body = bodies[index]
        split = _split(domain, body, freedom, given[index], in_moments=False)
        stay.insert(0, split.stays)
        if body.parent != BASE and bodies[body.parent].is_between:
            given[body.parent] = _passed_on(domain, body, split)
    return [tuple(stem for stem, value in parameters_of(inertia).items() if not is_zero(value)) for inertia in stay]


def parameters_of(inertia: SpatialInertia) -> dict[str, Scalar]:
    """Stem → value of the ten inertial parameters."""
    J, (x, y, z) = inertia.tensor, inertia.first_moment
    values = (J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2], x, y, z, inertia.mass)
    return dict(zip(STEMS, values, strict=True))


def inertia_of(domain: Domain, values: Mapping[str, Scalar]) -> SpatialInertia:
    """The inertia with these ten parameters by stem."""
    tensor = symmetric(domain, *(values[stem] for stem in ("XX", "YY", "ZZ", "XY", "XZ", "YZ")))
    return SpatialInertia(values["M"], vector(values[stem] for stem in ("MX", "MY", "MZ")), tensor)


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

    return with_inertias(mechanism, [named_inertia(body) for body in mechanism.bodies])


def with_parameters(mechanism: Mechanism, values: Mapping[tuple[int, str], Scalar]) -> Mechanism:
    """The mechanism of bodies that have these inertial parameters, by number of the link and stem, and no others.

    Given base parameters, it is what `grouped` makes of every mechanism that has them.
    """
    domain = mechanism.domain
    none = domain.constant(0)
    return with_inertias(
        mechanism,
        [
            inertia_of(
                domain, {stem: none if body.is_between else values.get((body.number, stem), none) for stem in STEMS}
            )
            for body in mechanism.bodies
        ],
    )


def with_inertias(mechanism: Mechanism, inertias: Sequence[SpatialInertia]) -> Mechanism:
    """The mechanism with other inertias of its bodies."""
    bodies = (replace(body, inertia=inertia) for body, inertia in zip(mechanism.bodies, inertias, strict=True))
    return replace(mechanism, bodies=tuple(bodies))


def _passed_on(domain: Domain, body: Body, split: _Split) -> SpatialInertia:
    """What moves on from a body, as inertia of its carrier: where the body is without the motion of its joint."""
    position = body.position
    if body.shift is not None:
        position = position - body.rotation.to_parent(vector([domain.constant(0), domain.constant(0), body.shift]))
    return split.moves.moved(fixed_rotation(body), position)


def _split(domain: Domain, body: Body, freedom: Freedom, inertia: SpatialInertia, *, in_moments: bool) -> _Split:
    zero, none, flat = domain.constant(0), zeros(domain, 3), zeros(domain, 3, 3)
    if not turns(body):
        return _split_of_slide(domain, freedom, inertia)
    if body.is_ball:
        if body.is_between:
            return _Split(no_inertia(domain), inertia)
        # The mass alone is at rest in the carrier about the point where the axes meet, if the joint does not slide.
        stays, moved_mass = (inertia.mass, zero) if slides(body) else (zero, inertia.mass)
        own = SpatialInertia(stays, inertia.first_moment, inertia.tensor)
        return _Split(own, SpatialInertia(moved_mass, none, flat))
    x, y, z = inertia.first_moment
    moment, along = vector([x, y, zero]), vector([zero, zero, z])
    if freedom.turning is Turning.ONE:
        about_z, mass_stays = inertia.tensor[2, 2], slides(body) and freedom.pitch is None
        if slides(body) and freedom.pitch is not None:
            # Along the axis it moves by its turn alone: there its mass acts as a moment of inertia, which must not act
            # again with the mass that moves on.
            lift = inertia.mass * freedom.pitch * freedom.pitch
            about_z, flat = about_z + lift, symmetric(domain, zero, zero, -lift, zero, zero, zero)
        tensor = symmetric(domain, zero, about_z if in_moments else zero, about_z, zero, zero, zero)
        mass, moved_mass = (inertia.mass, zero) if mass_stays else (zero, inertia.mass)
        stays = SpatialInertia(mass, moment if freedom.across else none, tensor)
        return _Split(stays, SpatialInertia(moved_mass, along, flat))
    tensor, moved = _split_tensor(domain, inertia, in_moments=in_moments)
    if slides(body):
        return _Split(SpatialInertia(inertia.mass, inertia.first_moment, tensor), SpatialInertia(zero, none, moved))
    if freedom.pivot is not None:
        # About the point at rest the first moment does not act: what is left of it is the shift to that point.
        shift = symmetric(domain, zero, zero, zero, zero, freedom.pivot * x, freedom.pivot * y)
        tensor, moment = add_symmetric(tensor, shift), none
    return _Split(SpatialInertia(zero, moment, tensor), SpatialInertia(inertia.mass, along, moved))


def _split_tensor(domain: Domain, inertia: SpatialInertia, *, in_moments: bool) -> tuple[Matrix, Matrix]:
    """(what stays, what moves on) of the tensor of a body that turns in all directions."""
    zero = domain.constant(0)
    a = second_moment(domain, inertia.tensor, 2) if in_moments else inertia.tensor[1, 1]
    moved = symmetric(domain, a, a, zero, zero, zero, zero)
    tensor = add_symmetric(inertia.tensor, -moved)
    if in_moments:
        # Written in second moments, so that domains see the one along the axis vanish.
        along_x, along_y = (second_moment(domain, inertia.tensor, axis) for axis in (0, 1))
        tensor[0, 0], tensor[1, 1], tensor[2, 2] = along_y, along_x, along_x + along_y
    return tensor, moved


def _split_of_slide(domain: Domain, freedom: Freedom, inertia: SpatialInertia) -> _Split:
    """What stays of the inertia of a body that a prismatic joint slides, and what moves on."""
    zero, none, flat = domain.constant(0), zeros(domain, 3), zeros(domain, 3, 3)
    mass, moment, tensor = inertia.mass, inertia.first_moment, inertia.tensor
    if freedom.turning is Turning.NONE:
        return _Split(SpatialInertia(mass, none, flat), SpatialInertia(zero, none, flat))
    if freedom.turning is Turning.ONE:
        axis = freedom.axis
        if parallel(axis, z_axis(domain)):
            return _Split(SpatialInertia(mass, none, flat), SpatialInertia(zero, moment, tensor))
        # Along the direction it turns about the first moment does not act: one of its entries can be taken out.
        index = next(k for k in (2, 1, 0) if not is_zero(axis[k]))
        moment = moment - axis * (moment[index] / axis[index])
        moment[index] = zero
    return _Split(SpatialInertia(mass, moment, flat), SpatialInertia(zero, none, tensor))
