"""Links and joints → the tree they make: joints in the order of q, parents first, or what keeps them from being one."""

from __future__ import annotations

from collections.abc import Iterable

from symgen.robot.names import shortened
from symgen.robot.urdf.elements import JointElement, Reading

MAX_LINKS = 1000


def ordered(reading: Reading) -> tuple[str, tuple[JointElement, ...]]:
    """(root link, joints in depth-first order, children in the order of the file); problems are noted in `reading`.

    Where elements could not be read, or joints lead nowhere, the rest of the tree is not judged.
    """
    if len(reading.links) > MAX_LINKS:
        reading.problem("robot", f"the file has {len(reading.links)} links; at most {MAX_LINKS} are read")
        return "", ()
    if not reading.is_whole:
        return "", ()
    if not reading.links:
        reading.problem("robot", "the file has no links")
        return "", ()
    known = len(reading.problems)
    carriers = _carriers(reading)
    if len(reading.problems) > known:
        return "", ()
    roots = [name for name in reading.links if name not in carriers]
    if len(roots) > 1:
        shown = ", ".join(repr(name) for name in roots[:10])
        more = f" and {len(roots) - 10} more" if len(roots) > 10 else ""
        reading.problem(
            "robot",
            f"expected one root, a link that is no joint's child; found {len(roots)}: {shown}{more}; join them by "
            "fixed joints",
        )
    joints = _depth_first(roots[:1], carriers.values())
    _note_cycle(reading, carriers, {roots[0] if roots else "", *(joint.child for joint in joints)}, len(roots))
    return (roots[0] if roots else ""), joints


def _carriers(reading: Reading) -> dict[str, JointElement]:
    """Link → the joint whose child it is."""
    carriers: dict[str, JointElement] = {}
    for joint in reading.joints.values():
        for link in (joint.parent, joint.child):
            if link not in reading.links:
                reading.problem(joint.place, f"there is no link called {shortened(link, 40)!r}")
        other = carriers.setdefault(joint.child, joint)
        if other is not joint:
            reading.problem(
                joint.place,
                f"the link {joint.child!r} has two parents: {other.parent!r} by joint {other.name!r} and "
                f"{joint.parent!r} by this one; a URDF is a tree, make one of them a <loop>, as in URDF+",
            )
    return carriers


def _depth_first(roots: Iterable[str], joints: Iterable[JointElement]) -> tuple[JointElement, ...]:
    children: dict[str, list[JointElement]] = {}
    for joint in joints:
        children.setdefault(joint.parent, []).append(joint)
    order: list[JointElement] = []
    waiting = [joint for root in roots for joint in reversed(children.get(root, []))]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting += reversed(children.get(joint.child, []))
    return tuple(order)


def _note_cycle(reading: Reading, carriers: dict[str, JointElement], reached: set[str], roots: int) -> None:
    """Tell of a cycle among the links that no root carries."""
    start = next((name for name in reading.links if name not in reached and name in carriers), None)
    if start is None or roots > 1:
        return
    path: list[str] = []
    while start in carriers and start not in path:
        path.append(start)
        start = carriers[start].parent
    if start in path:
        cycle = [*path[path.index(start) :], start]
        shown = " on ".join(repr(name) for name in cycle[:10])
        reading.problem(carriers[start].place, f"links carry each other in a cycle: {shown}")
