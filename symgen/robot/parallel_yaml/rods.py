"""Rods that a file has in two halves, each on a ball joint, tied to each other: made whole, and cut at a ball joint.

Such a rod may spin about its own line, which nothing determines while its halves are two links; of a whole one the spin
is known to be none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symgen.robot.direction import back
from symgen.robot.expression import ZERO
from symgen.robot.joints import JointKind
from symgen.robot.loop_parts import way
from symgen.robot.loops import CutKind
from symgen.robot.model import BASE, CutJoint, Elementary, Frame, Joint, Placed, Robot
from symgen.robot.orientation import pose_of
from symgen.robot.placed import UP
from symgen.robot.placement import Pose
from symgen.robot.splitting import jointed


def with_whole_rods(robot: Robot) -> Robot:
    """The robot with its rods whole; a notice tells which loops are cut at a ball joint now."""
    names = []
    for number in range(len(robot.cut_joints)):
        if _is_rod(robot, robot.cut_joints[number]):
            names.append(robot.cut_joints[number].name)
            robot = _whole(robot, number)
    told = (f"rods between two ball joints are whole, and cut at one of these: {', '.join(names)}",) if names else ()
    return replace(robot, notices=(*robot.notices, *told))


def _is_rod(robot: Robot, cut: CutJoint) -> bool:
    """Whether a cut joint ties two links that hang on ball joints and carry nothing, for good."""
    ends = [robot.body(end.link) for end in (cut.predecessor, cut.successor)]
    tied = [robot.body(end.link) for each in robot.cut_joints for end in (each.predecessor, each.successor)]
    carriers = {robot.body(link.parent) for link in robot.links if link.joint.nv}
    return cut.kind is CutKind.FIXED and all(
        end != BASE
        and robot.links[end].joint.kind is JointKind.SPHERICAL
        and robot.links[end].placed is not None
        and end not in carriers
        and tied.count(end) == 1
        for end in ends
    )


def _whole(robot: Robot, number: int) -> Robot:
    """The robot whose second half of a rod is fixed to the first; its ball joint is the cut joint."""
    cut = robot.cut_joints[number]
    near, far = sorted((cut.predecessor, cut.successor), key=lambda end: robot.body(end.link))
    rod, half = (robot.body(end.link) for end in (near, far))
    link = robot.links[half]
    assert link.placed is not None, "`_is_rod` asks for it"
    xyz, rpy = pose_of((*_way_to(robot, rod, near), *back(tuple(_way_to(robot, half, far)))), robot.defaults)
    fixed = replace(link, parent=rod, placed=Placed(xyz, rpy, UP))
    links = list(robot.links)
    links[half] = jointed(robot.convention, fixed, Joint(link.joint.name, JointKind.FIXED, ZERO), robot.defaults)
    socket = Frame(f"{cut.name}_predecessor", link.parent, Pose(link.placed.xyz, link.placed.rpy).placement())
    ball = Frame(f"{cut.name}_successor", rod, Pose(xyz, rpy).placement())
    cuts = list(robot.cut_joints)
    cuts[number] = CutJoint(cut.name, CutKind.SPHERICAL, socket, ball)
    return replace(robot, links=tuple(links), cut_joints=tuple(cuts))


def _way_to(robot: Robot, body: int, end: Frame) -> Iterator[Elementary]:
    """What leads from a link's frame to a frame on a link that is fixed to it."""
    for index in reversed([each for each in way(robot, end.link) if each > body]):
        yield from (*robot.links[index].before, *robot.links[index].after)
    yield from end.placement
