"""Links as bodies of a scene, what their joints do, and the entries of q."""

from __future__ import annotations

from collections.abc import Iterator

from symgen.drawing.scene import Body, Entry, Free, Screw
from symgen.robot.joints import JointKind
from symgen.robot.model import BASE, Joint, Robot
from symgen.robot.scenery.placing import Values, pose


def bodies(robot: Robot) -> tuple[Body, ...]:
    """The links, in their order; each has the link's reference frame."""
    values, found = robot.defaults, []
    for index, q, _ in robot.coordinates():
        link = robot.links[index]
        free = _free(link.joint.kind, q.start) if link.joint.kind.is_free else None
        screws = () if free is not None else tuple(_screws(link.joint, q.start, values))
        before = robot.base + link.before if link.parent == BASE else link.before
        found.append(
            Body(
                link.name,
                link.joint.name,
                link.joint.kind.value,
                link.parent,
                pose(before, values),
                screws,
                free,
                pose(link.after, values),
            )
        )
    return tuple(found)


def _screws(joint: Joint, first: int, values: Values) -> Iterator[Screw]:
    """The screws of a joint whose entries of q begin with this one; what it slides by at q = 0 is in `Link.before`."""
    ratio = float(joint.ratio) * joint.direction
    for number, coordinate in enumerate(joint.kind.coordinates):
        slide = float(joint.slide(coordinate).constant(values)) * ratio
        turns = number == 0 and coordinate.turn
        offset = float(joint.rest.constant(values)) * coordinate.turn if turns else 0.0
        yield Screw(coordinate.axis, coordinate.turn * ratio, slide, offset, first + number)


def _free(kind: JointKind, first: int) -> Free:
    places = {position.name: first + number for number, position in enumerate(kind.positions)}
    point = tuple(places[axis] for axis in "xyz" if axis in places)
    return Free(point, places.get("theta"), places.get("qx"))


def entries(robot: Robot) -> tuple[Entry, ...]:
    """The entries of q."""
    free = {robot.velocities[index].name for index in robot.independent}
    followed = {each.joint for each in robot.positions if not each.joint.kind.is_free}
    names = {
        position.name: position.name in free if position.joint in followed else not robot.has_loops
        for position in robot.positions
    }
    return tuple(
        Entry(
            each.name,
            each.joint.name,
            each.position.unit,
            each.position.neutral,
            *_range(each.joint, each.position.reach, robot.defaults),
            is_independent=names[each.name],
        )
        for each in robot.positions
    )


def _range(joint: Joint, usual: float | None, values: Values) -> tuple[float | None, float | None, bool]:
    """(lowest, highest, whether a limit says so) of an entry of q; without limits what is usual."""
    limits = joint.limits
    if (limits.lower is None and limits.upper is None) or usual is None:
        return (None if usual is None else -usual), usual, False
    lower = -usual if limits.lower is None else float(limits.lower.constant(values))
    upper = usual if limits.upper is None else float(limits.upper.constant(values))
    return lower, max(lower, upper), True
