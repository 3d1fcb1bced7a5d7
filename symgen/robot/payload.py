"""Loads fixed to links: point masses from the command line, bodies with inertia from a file; functions Robot → Robot.

A file of loads is TOML, a table for each:

    [[attach]]
    link = "flange"
    xyz = [0, 0, 0.1]
    rpy = [0, 0, 0]
    mass = 1.5
    com = [0, 0, 0.05]
    inertia = { xx = 0.01, yy = 0.01, zz = 0.002 }

The load's frame is placed by xyz and rpy in the link's frame; mass centre and tensor (about the mass centre) are given
in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from symgen.errors import InputError
from symgen.robot.cut import link_called
from symgen.robot.expression import ZERO, Expression, parse
from symgen.robot.joints import JointKind
from symgen.robot.loop_parts import renumbered
from symgen.robot.model import Inertia, Joint, Link, Placed, Robot, Vector
from symgen.robot.names import free, shortened
from symgen.robot.placed import UP, split

_ORIGIN: Vector = (ZERO, ZERO, ZERO)


@dataclass(frozen=True)
class Payload:
    """A load on a link: where its frame is in the link's, and its inertia there."""

    link: str
    inertia: Inertia
    xyz: Vector = _ORIGIN
    rpy: Vector = _ORIGIN


def point_mass(text: str) -> Payload:
    """The load that "LINK:mass:x,y,z" describes: a point mass (kg) at a point (m) of the link's frame."""
    parts = text.rsplit(":", 2)
    numbers = [parts[1], *parts[2].split(",")] if len(parts) == 3 else []
    if len(numbers) != 4:
        raise InputError(f"attach: expected LINK:mass:x,y,z such as flange:1.5:0,0,0.1, found {shortened(text, 60)!r}")
    try:
        mass, x, y, z = (_constant(number) for number in numbers)
    except ValueError as error:
        raise InputError(f"attach: {shortened(text, 60)!r}: {error}") from None
    if mass.constant({}).midpoint() < 0:
        raise InputError(f"attach: {shortened(text, 60)!r}: expected a mass of at least 0 kg")
    return Payload(parts[0], Inertia(mass, (x, y, z), (ZERO,) * 6, about_origin=False))


def _constant(text: str) -> Expression:
    expression = parse(text)
    if not expression.is_constant:
        raise ValueError(f"expected a number, found {shortened(text, 40)!r}")
    return expression


def attached(robot: Robot, payload: Payload) -> Robot:
    """The robot with a load on one of its links, a fixed link more; `InputError` if it has no such link."""
    parent = link_called(robot, payload.link, "attach")
    names = {"base", *(link.name for link in robot.links), *(frame.name for frame in robot.frames)}
    joint = Joint(
        free(f"{payload.link[:50]}_load_joint", {link.joint.name for link in robot.links}), JointKind.FIXED, ZERO
    )
    placed = Placed(payload.xyz, payload.rpy, UP)
    before, after = split(joint, placed, robot.defaults)
    load = Link(free(f"{payload.link[:50]}_load", names), parent, joint, before, after, payload.inertia, None, placed)
    last = robot.last
    # The last link's frame is the one that is meant where none is said, so the load stands before it.
    place = last + 1 if parent == last else last
    links = [replace(link, parent=link.parent + (link.parent >= place)) for link in robot.links]
    frames = tuple(replace(frame, link=frame.link + (frame.link >= place)) for frame in robot.frames)
    cuts, switched = (
        renumbered(cuts, lambda link: link + (link >= place)) for cuts in (robot.cut_joints, robot.switched)
    )
    links = [*links[:place], load, *links[place:]]
    return replace(robot, links=tuple(links), frames=frames, cut_joints=cuts, switched=switched)


def payloads_of_file(path: Path) -> tuple[Payload, ...]:
    """The loads that a file describes; `InputError` or `RobotFileError` for what is wrong with it."""
    from symgen.robot.payload_file import read

    return read(path)
