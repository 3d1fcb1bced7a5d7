"""The graph of a robot as lines of text: its links below those that carry them, cut joints as marks on both links."""

from __future__ import annotations

from collections.abc import Iterator

from symgen.robot.loop_parts import way
from symgen.robot.model import BASE, CutJoint, Joint, Robot


def outline(robot: Robot) -> list[str]:
    """The tree, a line for each link; only where it branches lines are indented. Then a line for each cut joint."""
    return ["base", *_tree(robot), *(_cut_text(robot, cut) for cut in robot.cut_joints)]


def legend(robot: Robot) -> str:
    """What the marks of an outline mean."""
    if not robot.has_loops:
        return "joint (kind) -> link"
    return "joint (kind) -> link; * independent, [] cut joints, which tie two links"


def independent_joints(robot: Robot) -> set[str]:
    """Names of the joints whose coordinates are independent, all of them."""
    independent = {each.name for each in robot.independent_velocities}
    return {joint.name for joint in robot.joints if independent.issuperset(joint.coordinate_names)}


def children(robot: Robot) -> dict[int, list[int]]:
    """Link or base → the links that it carries, in order."""
    found: dict[int, list[int]] = {index: [] for index in range(BASE, len(robot.links))}
    for index, link in enumerate(robot.links):
        found[link.parent].append(index)
    return found


def kind_text(joint: Joint) -> str:
    """The kind of a joint, and which one it follows."""
    return joint.kind.value if joint.mimic is None else f"{joint.kind.value}, follows {joint.mimic.joint}"


def link_name(robot: Robot, index: int) -> str:
    """The name of a link, or of the base."""
    return "base" if index == BASE else robot.links[index].name


def loop_joints(robot: Robot, cut: CutJoint) -> Iterator[str]:
    """Names of the joints that the loop of a cut joint passes, from its predecessor to its successor."""
    one, other = (list(way(robot, end.link)) for end in (cut.predecessor, cut.successor))
    there, back = ([index for index in own if index not in others] for own, others in ((one, other), (other, one)))
    for index in (*there, *reversed(back)):
        if robot.links[index].joint.nv:
            yield robot.links[index].joint.name


def _tree(robot: Robot) -> Iterator[str]:
    carried, stars = children(robot), independent_joints(robot) if robot.has_loops else set()
    waiting = _marked(carried[BASE], "", goes_on=False)
    while waiting:
        index, mark, indent = waiting.pop()
        joint = robot.links[index].joint
        tied = [cut.name for cut in robot.cut_joints if index in (cut.predecessor.link, cut.successor.link)]
        star, marks = "*" if joint.name in stars else "", "".join(f" [{name}]" for name in tied)
        yield f"{mark}{joint.name}{star} ({kind_text(joint)}) -> {robot.links[index].name}{marks}"
        waiting += _marked(carried[index], indent, goes_on=len(carried[index]) == 1)


def _marked(links: list[int], indent: str, *, goes_on: bool) -> list[tuple[int, str, str]]:
    """(link, what stands before it, what stands before those that it carries), the last one first."""
    signs = [("├─ ", "│  ")] * (len(links) - 1) + [("└─ ", "   ")]
    if goes_on:
        signs = [("", "")]
    return [(link, indent + sign, indent + inner) for link, (sign, inner) in zip(links, signs, strict=False)][::-1]


def _cut_text(robot: Robot, cut: CutJoint) -> str:
    ends = (link_name(robot, end.link) for end in (cut.predecessor, cut.successor))
    return f"[{cut.name}] {cut.kind.value}, {' to '.join(ends)}; its loop passes {', '.join(loop_joints(robot, cut))}"
