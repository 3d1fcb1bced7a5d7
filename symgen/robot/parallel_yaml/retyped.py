"""Joints of other kinds than a URDF can say: balls, universal joints, fixed ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from symgen.robot.choices import MASSLESS
from symgen.robot.expression import ONE, ZERO
from symgen.robot.joints import JointKind
from symgen.robot.loop_parts import renumbered
from symgen.robot.model import BASE, NO_DRIVE, Joint, Link, Placed, Robot, Vector
from symgen.robot.names import free
from symgen.robot.parallel_yaml.read import FIXED, UNIVERSAL
from symgen.robot.placed import AT_PARENT, UP
from symgen.robot.splitting import jointed

AXES: Mapping[str, Vector] = {"X": (ONE, ZERO, ZERO), "Y": (ZERO, ONE, ZERO), "Z": UP}


def problem_of(robot: Robot, name: str) -> str:
    """Why the joint of that name cannot be of another kind; the empty text if it can."""
    link = next((link for link in robot.links if link.joint.name == name), None)
    followers = [each.joint.name for each in robot.links if each.joint.mimic and each.joint.mimic.joint == name]
    if link is None or not link.joint.nv:
        known = ", ".join(joint.name for joint in robot.joints[:20]) or "none"
        return (
            f"{'there is no joint' if link is None else 'the joint does not move'}: {name!r}; those that move: {known}"
        )
    if followers:
        return f"the joint {followers[0]!r} mimics {name!r}, which so must keep its kind"
    if link.placed is None:
        return f"the joint {name!r} is one of a table; only those of placed links, as in a URDF, change their kind"
    return ""


def with_kinds(robot: Robot, words: Mapping[str, str]) -> Robot:
    """The robot whose joints of these names are of the kinds that the words say, about where they are.

    A universal joint is two joints that turn, about the axes in its word, named after it with _X, _Y or _Z. Drives and
    limits of such joints are left out; notices tell those of drives.
    """
    names = {link.name for link in robot.links} | {frame.name for frame in robot.frames}
    links: list[Link] = []
    new = {BASE: BASE}
    for index, link in enumerate(robot.links):
        word = words.get(link.joint.name)
        link = replace(link, parent=new[link.parent])
        links += [link] if word is None else _made(robot, link, word, len(links), names)
        new[index] = len(links) - 1
    frames = tuple(replace(frame, link=new[frame.link]) for frame in robot.frames)
    cuts = renumbered(robot.cut_joints, new.__getitem__)
    lost = [link.joint.name for link in robot.links if link.joint.name in words and link.joint.drive != NO_DRIVE]
    told = (f"friction of joints that are of another kind now is left out: {', '.join(lost)}",) if lost else ()
    return replace(robot, links=tuple(links), frames=frames, cut_joints=cuts, notices=(*robot.notices, *told))


def _made(robot: Robot, link: Link, word: str, index: int, names: set[str]) -> Iterator[Link]:
    """The link on a joint of another kind, and a link before it on the first of two joints; `index`: the first's."""
    assert link.placed is not None, "`problem_of` refuses others"
    name = link.joint.name
    if word not in UNIVERSAL:
        kind = JointKind.FIXED if word == FIXED else JointKind.SPHERICAL
        upright = replace(link, placed=replace(link.placed, axis=UP))
        yield jointed(robot.convention, upright, Joint(name, kind, ZERO), robot.defaults)
        return
    one, other = UNIVERSAL[word]
    first, second = (Joint(f"{name}_{axis}", JointKind.REVOLUTE, ZERO) for axis in (one, other))
    cross = Link(free(f"{link.name}_cross", names), link.parent, first, (), (), MASSLESS, None, _on(link.placed, one))
    yield jointed(robot.convention, cross, first, robot.defaults)
    arm = replace(link, parent=index, placed=_on(AT_PARENT, other))
    yield jointed(robot.convention, arm, second, robot.defaults)


def _on(placed: Placed, axis: str) -> Placed:
    return replace(placed, axis=AXES[axis])
