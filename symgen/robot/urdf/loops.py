"""What URDF+ adds to a URDF: loops, couplings, and joints that are independent or not.

loop      ties a frame of its predecessor to one of its successor, as a joint of its type about its axis would
coupling  ratio · Σ coordinates on the way to the predecessor = Σ of those to the successor, from where the ways part
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction

from symgen.robot.cut_frames import turned_onto
from symgen.robot.expression import ONE, ZERO, Expression, constant
from symgen.robot.loop_parts import way
from symgen.robot.loops import Coupling, CutKind
from symgen.robot.model import CutJoint, Frame, Placement, Robot, Vector
from symgen.robot.names import shortened
from symgen.robot.placement import Pose as Placing
from symgen.robot.urdf.elements import (
    CouplingElement,
    LoopElement,
    Pose,
    Reading,
    axis_of,
    end_of,
    name_of,
    number_of,
    pose_of,
)
from symgen.robot.urdf.snap import Snapping
from symgen.robot.urdf.xml import Element

KINDS = {
    "revolute": CutKind.REVOLUTE,
    "continuous": CutKind.REVOLUTE,
    "prismatic": CutKind.PRISMATIC,
    "planar": CutKind.PLANAR,
    "fixed": CutKind.FIXED,
}
"""The format's words for kinds of loops; a planar one slides at right angles to its axis."""

MAX_LOOPS = 100

_DRAFTS = ("loop_constraint", "joint_constraint", "constraint", "loop_joint")
"""Tags of other formats, among them drafts of this one, for what closes loops."""

_SIDES = ("predecessor", "successor")


def read_loops(root: Element, reading: Reading) -> None:
    """Add the loops and couplings of a `robot` element whose links are read."""
    for element in root.all("loop"):
        if (name := name_of(element, reading.loops, reading)) and (loop := _loop(element, name, reading)):
            reading.loops[name] = loop
    for element in root.all("coupling"):
        if (name := name_of(element, reading.couplings, reading)) and (coupling := _coupling(element, name, reading)):
            reading.couplings[name] = coupling
    drafts = [
        element.attributes.get("name", "") or "one without a name"
        for element in root.children
        if element.tag in _DRAFTS
    ]
    if drafts:
        shown = ", ".join(shortened(name, 40) for name in drafts[:10])
        reading.notices.append(f"constraints that are no loop or coupling of URDF+ are left out: {shown}")
    for tag, found in (("loop", reading.loops), ("coupling", reading.couplings)):
        if len(found) > MAX_LOOPS:
            reading.problem("robot", f"the file has {len(found)} {tag}s; at most {MAX_LOOPS} are read")


def _loop(element: Element, name: str, reading: Reading) -> LoopElement | None:
    place = f"line {element.line} (loop {name!r})"
    word = element.attributes.get("type", "")
    if word not in KINDS:
        found = f"found {shortened(word, 40)!r}" if word else "found none"
        reading.problem(place, f"expected a type {', '.join(KINDS)}; {found}")
    links = _links(element, place, reading)
    if word not in KINDS or links is None:
        return None
    first, second = (pose_of(end, place, reading) for side in _SIDES if (end := element.first(side)))
    axis = (ZERO, ZERO, ONE) if word == "fixed" else axis_of(element, place, reading)
    return LoopElement(name, place, KINDS[word], ((links[0], first), (links[1], second)), axis)


def _coupling(element: Element, name: str, reading: Reading) -> CouplingElement | None:
    place = f"line {element.line} (coupling {name!r})"
    links = _links(element, place, reading)
    ratio = element.first("ratio")
    if ratio is None:
        reading.problem(place, 'the coupling has no ratio; write <ratio value="2"/>')
    value = None if ratio is None else number_of(ratio, "value", place, reading)
    if value is not None and value.is_zero:
        reading.problem(place, "expected a ratio other than 0")
    return None if links is None or value is None else CouplingElement(name, place, links, value)


def _links(element: Element, place: str, reading: Reading) -> tuple[str, str] | None:
    """The links at both ends; None where one is not said or not there."""
    first, second = (end_of(element, side, place, reading) for side in _SIDES)
    for link in (first, second):
        if link and link not in reading.links:
            reading.problem(place, f"there is no link called {shortened(link, 40)!r}")
    return (first, second) if first in reading.links and second in reading.links else None


# the robot -----------------------------------------------------------------------------------------


def with_loops(robot: Robot, reading: Reading, snapping: Snapping) -> Robot:
    """The robot with its loops and couplings; what is wrong with them is noted in `reading`."""
    if not (reading.loops or reading.couplings):
        return robot
    links = {link.name: index for index, link in enumerate(robot.links)}
    cuts = tuple(_cut(robot, loop, links, snapping, reading) for loop in reading.loops.values())
    couplings = (_sum(robot, coupling, links, reading) for coupling in reading.couplings.values())
    dependent = {name for name, joint in reading.joints.items() if not joint.independent}
    actuated = tuple(each.name for each in robot.velocities if each.joint.name not in dependent)
    return replace(robot, cut_joints=cuts, couplings=tuple(filter(None, couplings)), actuated=actuated)


def _cut(robot: Robot, loop: LoopElement, links: Mapping[str, int], snapping: Snapping, reading: Reading) -> CutJoint:
    label = f"loop {loop.name}"
    axis = snapping.axis(loop.axis, label)
    (one, first), (other, second) = loop.ends
    if robot.body(links[one]) == robot.body(links[other]):
        reading.problem(loop.place, "both ends are on one body, or on bodies fixed to each other: nothing is tied")
    predecessor, successor = (
        Frame(f"{loop.name}_{side}", links[link], _placement(pose, axis, label, snapping))
        for side, link, pose in zip(_SIDES, (one, other), (first, second), strict=True)
    )
    return CutJoint(loop.name, loop.kind, predecessor, successor)


def _placement(pose: Pose, axis: Vector, label: str, snapping: Snapping) -> Placement:
    """The frame at a pose, turned so that its z axis is the loop's."""
    placing = Placing(snapping.lengths(pose.xyz, label), snapping.angles(pose.rpy, label))
    return turned_onto(placing.placement(), axis, {})


def _sum(robot: Robot, coupling: CouplingElement, links: Mapping[str, int], reading: Reading) -> Coupling | None:
    one, other = ([*way(robot, links[link])] for link in coupling.links)
    ratio = coupling.ratio.constant({}).rational
    assert ratio is not None, "decimals are rational"
    terms: dict[str, Fraction] = {}
    offset: Expression = ZERO
    for factor, own, others in ((ratio, one, other), (Fraction(-1), other, one)):
        for index in _apart(own, others):
            joint = robot.links[index].joint
            if joint.nv > 1:
                reading.problem(
                    coupling.place, f"the {joint.kind.value} joint {joint.name!r} is on the way between its links"
                )
                return None
            if joint.nv and joint.mimic is not None:
                offset = constant(offset.constant({}) - joint.mimic.offset.constant({}) * factor)
            if joint.nv:
                name = joint.name if joint.mimic is None else joint.mimic.joint
                terms[name] = terms.get(name, Fraction(0)) + factor * joint.ratio
    kept = tuple((name, factor) for name, factor in terms.items() if factor)
    if not kept:
        reading.problem(coupling.place, "no joint moves between its links: nothing is coupled")
        return None
    return Coupling(coupling.name, kept, offset)


def _apart(own: list[int], others: Collection[int]) -> list[int]:
    return [index for index in reversed(own) if index not in others]
