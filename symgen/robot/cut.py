"""Parts of a robot: from a link on, or the chains to some links; functions Robot → Robot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from symgen.errors import InputError
from symgen.robot import loop_parts
from symgen.robot.expression import ZERO
from symgen.robot.joints import JointKind
from symgen.robot.model import BASE, Joint, Link, Robot
from symgen.robot.names import free, shortened
from symgen.robot.placed import AT_PARENT
from symgen.robot.rotors import moment
from symgen.robot.splitting import jointed


def link_called(robot: Robot, name: str, what: str) -> int:
    """The index of a link; `InputError` if there is none of that name, `what` it was wanted for."""
    for index, link in enumerate(robot.links):
        if link.name == name:
            return index
    known = ", ".join(link.name for link in robot.links[:30])
    more = f" and {len(robot.links) - 30} more" if len(robot.links) > 30 else ""
    raise InputError(f"{what}: {robot.name} has no link {shortened(name, 40)!r}; there are: {known}{more}")


def rooted(robot: Robot, name: str) -> Robot:
    """The link of that name, where the robot's root was, with all it carries; the rest is left out."""
    root = link_called(robot, name, "root")
    kept = {root}
    for index, link in enumerate(robot.links):
        if link.parent in kept:
            kept.add(index)
    joints = {link.joint.name for link in robot.links}
    given = robot.links[root]
    joint = Joint(free("root_joint", joints), JointKind.FIXED, ZERO)
    links = list(robot.links)
    links[root] = Link(given.name, BASE, joint, (), (), given.inertia, None, AT_PARENT, given.shapes)
    return _only(replace(robot, links=tuple(links)), sorted(kept), "root")


def chains(robot: Robot, names: Sequence[str]) -> Robot:
    """The links on the way to those of these names, and what is fixed to them on the way; the rest is left out.

    What the named links carry is left out too.
    """
    tips = [link_called(robot, name, "tip") for name in names]
    kept: set[int] = set()
    for tip in tips:
        index = tip
        while index != BASE:
            kept.add(index)
            index = robot.links[index].parent
    inner = kept - set(tips) | {robot.links[index].parent for index in kept}
    carried = set(inner) - {BASE}
    for index, link in enumerate(robot.links):
        is_carried = link.parent in carried and link.joint.kind is JointKind.FIXED
        if is_carried or (link.is_rotor and link.parent in kept | carried):
            carried.add(index)
    # The default frame is that of the last link: the tip, where there is one; rotors that it carries follow it.
    last = set() if tips[-1] in inner else {tips[-1]}
    order = sorted(kept | carried, key=lambda index: (bool(last & {index, robot.links[index].parent}), index))
    return _only(robot, order, "tip")


def _only(robot: Robot, kept: Sequence[int], what: str) -> Robot:
    """The robot of these links, parents first."""
    new = {old: index for index, old in enumerate(kept)} | {BASE: BASE}
    links = tuple(replace(robot.links[old], parent=new[robot.links[old].parent]) for old in kept)
    lost = [link for index, link in enumerate(robot.links) if link.is_rotor and index not in new]
    links = tuple(_with_rotors(robot, links, lost))
    _check_followed(links, what)
    frames = tuple(replace(frame, link=new[frame.link]) for frame in robot.frames if frame.link in new)
    tool = robot.tool if any(frame.name == robot.tool for frame in frames) else ""
    notices = [*robot.notices, *_left_out(robot, set(kept), what)]
    part = replace(loop_parts.kept(robot, new, links, what), frames=frames, tool=tool)
    return replace(part, notices=tuple(notices))


def _with_rotors(robot: Robot, links: Sequence[Link], lost: Sequence[Link]) -> Iterable[Link]:
    """The links that are left: rotors rest whose joint is left out, and are as on the base whose carrier is."""
    joints = {link.joint.name for link in links}
    on_base = {link.joint.mimic.joint: link for link in lost if link.joint.mimic is not None}
    for link in links:
        joint, rotor = link.joint, on_base.get(link.joint.name)
        if link.is_rotor and joint.mimic is not None and joint.mimic.joint not in joints:
            yield jointed(robot.convention, link, Joint(joint.name, JointKind.FIXED, ZERO), robot.defaults)
        elif rotor is not None and rotor.joint.mimic is not None and joint.drive.rotor_inertia.is_zero:
            drive = replace(joint.drive, rotor_inertia=moment(rotor), gear_ratio=rotor.joint.mimic.ratio)
            yield replace(link, joint=replace(joint, drive=drive))
        else:
            yield link


def _check_followed(links: Iterable[Link], what: str) -> None:
    joints = {link.joint.name: link.joint for link in links}
    for joint in joints.values():
        if joint.mimic is not None and joint.mimic.joint not in joints:
            raise InputError(
                f"{what}: the joint {joint.name!r} mimics {joint.mimic.joint!r}, which is left out; let it move by "
                "itself (mimic independent)"
            )


def _left_out(robot: Robot, kept: set[int], what: str) -> Iterable[str]:
    left = [link for index, link in enumerate(robot.links) if index not in kept]
    mass = sum(float(link.inertia.mass.constant(robot.defaults)) for link in left)
    if left:
        shown = ", ".join(link.name for link in left[:5]) + (f" and {len(left) - 5} more" if len(left) > 5 else "")
        yield f"{what}: left out {len(left)} links with {mass:g} kg: {shown}"
