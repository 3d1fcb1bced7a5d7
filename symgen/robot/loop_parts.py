"""What closes a robot's loops when its tree changes: links renumbered or left out, joints locked, loops opened."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from symgen.errors import InputError
from symgen.robot.expression import Expression
from symgen.robot.linear import Linear, plus
from symgen.robot.loops import Coupling
from symgen.robot.model import BASE, CutJoint, Frame, JointCoordinate, Link, Robot
from symgen.robot.names import shortened


def opened(robot: Robot) -> Robot:
    """The tree alone: every joint moves by itself, and nothing touches."""
    return _freed(replace(robot, cut_joints=(), couplings=(), switched=(), contacts=()))


def _freed(robot: Robot) -> Robot:
    """The robot, which has no loops that stay closed, without what only robots with such have."""
    return replace(robot, actuated=(), motors=(), posture=())


def passed(robot: Robot) -> set[str]:
    """Names of the joints that a loop passes: on one of the two ways from its ends to the base, or coupled."""
    of = {each.name: each.joint.name for each in robot.velocities}
    found = {of[name] for coupling in robot.couplings for name, _ in coupling.terms}
    for cut in robot.cut_joints:
        one, other = (set(way(robot, end.link)) for end in (cut.predecessor, cut.successor))
        for index in one ^ other:
            joint = robot.links[index].joint
            found.add(joint.name if joint.mimic is None else joint.mimic.joint)
    return found


def way(robot: Robot, link: int) -> Iterator[int]:
    """The links from this one to the base, which is none."""
    while link != BASE:
        yield link
        link = robot.links[link].parent


def renumbered(cuts: Iterable[CutJoint], new: Callable[[int], int]) -> tuple[CutJoint, ...]:
    """The cut joints where links have other indices."""

    def end(frame: Frame) -> Frame:
        return replace(frame, link=new(frame.link))

    return tuple(replace(cut, predecessor=end(cut.predecessor), successor=end(cut.successor)) for cut in cuts)


def kept(robot: Robot, new: Mapping[int, int], links: tuple[Link, ...], what: str) -> Robot:
    """The robot of `links`, old index → `new` index: loops of links that are left out are left out with them.

    So they are from contact sets; sets of none are left out.

    `InputError` where one end of a loop, or one joint of a coupling, is left out and another is not.
    """
    part = replace(robot, links=links)
    cuts, switched = (
        [cut for cut in cuts if _is_whole(_ends(robot, cut), new, f"{what}: the loop {cut.name!r}")]
        for cuts in (robot.cut_joints, robot.switched)
    )
    of = {each.name: index for each, index in _carriers(robot)}
    couplings = tuple(
        coupling
        for coupling in robot.couplings
        if _is_whole({name: of[name] for name, _ in coupling.terms}, new, f"{what}: the coupling {coupling.name!r}")
    )
    left = {cut.name for cut in switched}
    sets = (replace(each, loops=tuple(loop for loop in each.loops if loop in left)) for each in robot.contacts)
    part = replace(
        part,
        cut_joints=renumbered(cuts, new.__getitem__),
        couplings=couplings,
        switched=renumbered(switched, new.__getitem__),
        contacts=tuple(each for each in sets if each.loops),
    )
    return _told(part) if part.has_loops else _freed(part)


def _ends(robot: Robot, cut: CutJoint) -> dict[str, int]:
    """Link → index, of those that a cut joint ties; the base is no link."""
    indices = (cut.predecessor.link, cut.successor.link)
    return {robot.links[index].name: index for index in indices if index != BASE}


def _is_whole(ends: Mapping[str, int], new: Collection[int], what: str) -> bool:
    missing = [name for name, index in ends.items() if index not in new]
    if missing and len(missing) < len(ends):
        there = next(name for name in ends if name not in missing)
        raise InputError(
            f"{what} ties {shortened(there, 40)!r} to {shortened(missing[0], 40)!r}, which is left out; take both, or "
            "open the loops (loops = open)"
        )
    return not missing


def _carriers(robot: Robot) -> Iterable[tuple[JointCoordinate, int]]:
    """Velocity coordinates and the links that they move."""
    moved = {link.joint.name: index for index, link in enumerate(robot.links)}
    return [(each, moved[each.joint.name]) for each in robot.velocities]


def _told(robot: Robot) -> Robot:
    """The robot without names of coordinates that it does not have."""
    rates, places = {each.name for each in robot.velocities}, {each.name for each in robot.positions}
    return replace(
        robot,
        actuated=tuple(name for name in robot.actuated if name in rates),
        motors=tuple(name for name in robot.motors if name in rates),
        posture=tuple((name, value) for name, value in robot.posture if name in places),
    )


def locked(robot: Robot, values: Mapping[str, Expression]) -> Robot:
    """The robot, whose joints of these names are fixed at these values already, with couplings that say so."""
    if not robot.has_loops:
        return robot
    couplings = tuple(filter(None, (_locked(coupling, values) for coupling in robot.couplings)))
    robot = replace(robot, couplings=couplings)
    return _told(robot) if robot.has_loops else _freed(robot)


def _locked(coupling: Coupling, values: Mapping[str, Expression]) -> Coupling | None:
    """The coupling of the joints that still move; None if none does and it holds."""
    fixed = (Linear.of(values[name]) * -ratio for name, ratio in coupling.terms if name in values)
    offset = plus(coupling.offset, *(term.expression() for term in fixed))
    terms = tuple((name, ratio) for name, ratio in coupling.terms if name not in values)
    if not terms and not offset.is_zero:
        raise InputError(f"lock: the coupling {coupling.name!r} does not hold at these values; it is off by {offset}")
    return replace(coupling, terms=terms, offset=offset) if terms else None


def on_moved_base(robot: Robot, joint: str) -> Robot:
    """The robot whose base a joint of this name moves by now: its coordinates are independent too."""
    if not robot.has_loops:
        return robot
    wanted = {*robot.actuated, *(each.name for each in robot.velocities if each.joint.name == joint)}
    return _told(replace(robot, actuated=tuple(each.name for each in robot.velocities if each.name in wanted)))
