"""Joints fixed at a value: the link is where the joint had moved it, and the joint is a fixed one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symgen.algebra.exact import Exact
from symgen.errors import InputError
from symgen.robot import loop_parts
from symgen.robot.direction import back, turns_onto
from symgen.robot.expression import ZERO, Expression
from symgen.robot.joints import JointKind
from symgen.robot.linear import Linear, plus
from symgen.robot.model import Joint, Link, Placed, Robot, Row
from symgen.robot.names import shortened
from symgen.robot.orientation import Turns, matrix, then_turned, turns_of
from symgen.robot.placed import UP
from symgen.robot.splitting import jointed


def locked(robot: Robot, values: Mapping[str, Expression]) -> Robot:
    """The robot with these joints fixed at these values (rad, m), constants; those that follow them are fixed too.

    `InputError` for joints there are not, that follow others or have several coordinates.
    """
    joints = {link.joint.name: link.joint for link in robot.links}
    for name in values:
        if problem := _problem(joints.get(name)):
            known = ", ".join(joint.name for joint in robot.joints[:30])
            raise InputError(f"lock: {shortened(name, 40)!r} {problem}; the joints that move: {known}")
    return loop_parts.locked(replace(robot, links=tuple(_locked(robot, link, values) for link in robot.links)), values)


def _problem(joint: Joint | None) -> str:
    if joint is None:
        return "is no joint of this robot"
    if joint.mimic is not None:
        return f"mimics {joint.mimic.joint!r}, so lock that one"
    if joint.nv == 0:
        return "is fixed already"
    return "" if joint.nv == 1 else f"is {joint.kind.value} and has several coordinates"


def _locked(robot: Robot, link: Link, values: Mapping[str, Expression]) -> Link:
    joint = link.joint
    value = values.get(joint.name)
    if joint.mimic is not None and joint.mimic.joint in values:
        ratio = Linear.of(joint.mimic.ratio)
        value = plus(Linear.of(values[joint.mimic.joint]).times(ratio).expression(), joint.mimic.offset)
    if value is None:
        return link
    moved = plus(value if joint.direction > 0 else -value, joint.offset)
    (coordinate,) = joint.kind.coordinates
    turn = moved if coordinate.turn else ZERO
    slide = Linear.of(joint.slide(coordinate)).times(Linear.of(moved)).expression()
    fixed = Joint(joint.name, JointKind.FIXED, ZERO)
    if link.row is not None:
        moved_row = _row(link.row, turn, slide)
        return jointed(robot.convention, replace(link, row=moved_row), fixed, robot.defaults)
    if link.placed is None:
        raise InputError(f"lock: the link {link.name!r} was made without a place")
    place = _placed(robot, link.placed, turn, slide)
    return jointed(robot.convention, replace(link, placed=place), fixed, robot.defaults)


def _row(row: Row, turn: Expression, slide: Expression) -> Row:
    return replace(row, theta=plus(row.theta, turn), b=plus(row.b, slide))


def _placed(robot: Robot, given: Placed, turn: Expression, slide: Expression) -> Placed:
    onto = [(part.axis, part.amount.constant({})) for part in turns_onto(given.axis, robot.defaults)]
    x, y, z = given.xyz
    if not slide.is_zero:
        directions = matrix([*turns_of(given.rpy), *onto])
        x, y, z = (
            plus(entry, (Linear.of(slide) * row[2]).expression())
            for entry, row in zip(given.xyz, directions, strict=True)
        )
    angle = turn.constant(robot.defaults)
    rpy = then_turned(given.rpy, _turns(robot, given, angle)) if angle else given.rpy
    return replace(given, xyz=(x, y, z), rpy=rpy, axis=UP)


def _turns(robot: Robot, given: Placed, angle: Exact) -> Turns:
    """The turn about the axis, as one turn where it is a coordinate axis."""
    values = [entry.constant(robot.defaults) for entry in given.axis]
    along = [axis for axis, value in enumerate(values) if value]
    if len(along) == 1:
        sense = 1 if values[along[0]].midpoint() > 0 else -1
        return [(along[0], angle * sense)]
    onto = turns_onto(given.axis, robot.defaults)
    there, again = ([(part.axis, part.amount.constant({})) for part in turns] for turns in (onto, back(onto)))
    return [*there, (2, angle), *again]
