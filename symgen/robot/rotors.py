"""Rotors with an axis and a carrier of their own: links without mass that follow the joint they drive.

A motor is part of the link that carries it: that link's mass, mass centre and tensor are those with the rotor at rest
in it, as is usual. When the joint moves at q̇, the rotor, of inertia J about its axis a, turns at r q̇ in its carrier and
the kinetic energy grows by J r q̇ a·ω + J (r q̇)²/2, with ω the carrier's angular velocity (Sciavicco and Siciliano,
Modelling and Control of Robot Manipulators, section 4.1). That is the energy of a disc of moments J/2, J/2, J which
turns about a by r q, where its carrier has it no more: so the disc is a link, and the rest is as for any joint that
follows another. Where on the carrier the axis is does not matter, since the mass stays with the carrier.

A rotor on the base only has the inertia that its joint feels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symgen.algebra.exact import Exact
from symgen.robot.direction import turns_onto
from symgen.robot.expression import ONE, ZERO, Expression
from symgen.robot.joints import JointKind
from symgen.robot.linear import Linear, plus
from symgen.robot.model import BASE, Inertia, Joint, Link, Mimic, Placed, Robot, Vector
from symgen.robot.names import free
from symgen.robot.orientation import matrix, rpy_of, turns_of
from symgen.robot.placed import UP, split

_ORIGIN: Vector = (ZERO, ZERO, ZERO)

_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))

Tensor = tuple[Expression, Expression, Expression, Expression, Expression, Expression]
"""xx, yy, zz, xy, xz, yz."""


@dataclass(frozen=True)
class Rotor:
    """Where the rotor that drives the joint of link `driven` is: its axis, in the frame of link `carrier`, or `BASE`.

    Without an axis it is the joint's own, and the carrier the parent.
    """

    driven: int
    carrier: int
    axis: Vector | None = None


def with_rotors(robot: Robot, rotors: Iterable[Rotor]) -> Robot:
    """The robot with these rotors, whose inertia and gear ratios its drives have, as links after all others."""
    for rotor in rotors:
        if rotor.carrier != BASE:
            robot = _with_rotor(robot, rotor)
    return robot


def _with_rotor(robot: Robot, rotor: Rotor) -> Robot:
    links = list(robot.links)
    driven = links[rotor.driven]
    inertia, placed = driven.joint.drive.rotor_inertia, _place(robot, driven, rotor)
    own = Joint(free(f"{driven.joint.name[:50]}_rotor", _joint_names(robot)), JointKind.REVOLUTE, ZERO)
    before, after = split(own, placed, robot.defaults)
    own = replace(own, mimic=_geared(driven.joint, turned=rotor.axis is None))
    axis = matrix(_onto(robot, placed))
    disc = Inertia(ZERO, _ORIGIN, _disc(inertia, [row[2] for row in axis]), about_origin=False)
    name = free(f"{driven.name[:50]}_rotor", _link_names(robot))
    links.append(Link(name, rotor.carrier, own, before, after, disc, None, placed))
    links[rotor.carrier] = _relieved(robot, links[rotor.carrier], inertia, placed)
    idle = replace(driven.joint.drive, rotor_inertia=ZERO, gear_ratio=ONE)
    links[rotor.driven] = replace(links[rotor.driven], joint=replace(driven.joint, drive=idle))
    return replace(robot, links=tuple(links))


def _joint_names(robot: Robot) -> set[str]:
    return {name for link in robot.links for name in (link.joint.name, *link.joint.coordinate_names)}


def _link_names(robot: Robot) -> set[str]:
    return {"base", *(link.name for link in robot.links), *(frame.name for frame in robot.frames)}


def _geared(joint: Joint, *, turned: bool) -> Mimic:
    """How the rotor follows the joint, or what that follows: by the gear ratio; `turned`: about the joint's own z."""
    ratio = Linear.of(joint.drive.gear_ratio) * (joint.direction if turned else 1)
    if joint.mimic is None:
        return Mimic(joint.name, ratio.expression())
    ratios = ratio.times(Linear.of(joint.mimic.ratio)), ratio.times(Linear.of(joint.mimic.offset))
    return Mimic(joint.mimic.joint, *(each.expression() for each in ratios))


def _place(robot: Robot, driven: Link, rotor: Rotor) -> Placed:
    """The frame of the rotor in its carrier's; a turn about its own axis is left out."""
    if rotor.axis is not None:
        return Placed(_ORIGIN, _ORIGIN, rotor.axis)
    turns = [(part.axis, part.amount.constant(robot.defaults)) for part in driven.before if part.rotates]
    while turns and turns[-1][0] == 2:
        turns.pop()
    return Placed(_ORIGIN, rpy_of(turns), UP)


def _onto(robot: Robot, placed: Placed) -> list[tuple[int, Exact]]:
    """The turns that carry z onto the axis, in the frame that is placed."""
    return [(part.axis, part.amount.constant(robot.defaults)) for part in turns_onto(placed.axis, robot.defaults)]


def _disc(inertia: Expression, axis: Sequence[Exact]) -> Tensor:
    """xx, yy, zz, xy, xz, yz of a disc with this moment of inertia about its axis, a unit vector: (J/2) (1 + a aᵀ)."""
    return tuple(  # type: ignore[return-value]  # six of them
        (Linear.of(inertia) * ((axis[i] * axis[j] + int(i == j)) / 2)).expression() for i, j in _ENTRIES
    )


def moment(rotor: Link) -> Expression:
    """The moment of inertia of a rotor about its axis, half the trace of its tensor."""
    return (Linear.of(plus(*rotor.inertia.tensor[:3])) * Fraction(1, 2)).expression()


def _relieved(robot: Robot, carrier: Link, inertia: Expression, placed: Placed) -> Link:
    """The carrier without the disc that it holds."""
    own = carrier.inertia
    rows = matrix([*turns_of(placed.rpy), *_onto(robot, placed)])
    axes = matrix([(part.axis, part.amount.constant(robot.defaults)) for part in own.axes if part.rotates])
    seen = [sum((axes[i][j] * rows[i][2] for i in range(3)), Exact.of(0)) for j in range(3)]
    tensor: Tensor = tuple(  # type: ignore[assignment]  # six of them
        (Linear.of(entry) - Linear.of(part)).expression()
        for entry, part in zip(own.tensor, _disc(inertia, seen), strict=True)
    )
    return replace(carrier, inertia=replace(own, tensor=tensor))
