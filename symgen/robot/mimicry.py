"""Joints that follow others: what a file says of them, resolved to joints that follow none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from symgen.robot.expression import Expression, constant
from symgen.robot.joints import JointKind
from symgen.robot.linear import plus
from symgen.robot.model import Mimic
from symgen.robot.names import shortened


@dataclass(frozen=True)
class Follower:
    """A joint as a file has it: its place in messages, its kind, and what it follows, maybe a joint that follows."""

    place: str
    kind: JointKind
    mimic: Mimic | None = None


def resolved(joints: Mapping[str, Follower], problem: Callable[[str, str], None]) -> dict[str, Mimic]:
    """Joint → the joint that moves by itself and that it follows, in the end; what is wrong is told to `problem`."""
    found: dict[str, Mimic] = {}
    for name, joint in joints.items():
        if joint.mimic is None:
            continue
        fault = _fault(joint)
        result = fault or _resolved(name, joint.mimic, joints)
        if isinstance(result, str):
            problem(joint.place, result)
        else:
            found[name] = result
    return found


def _fault(joint: Follower) -> str:
    assert joint.mimic is not None
    if joint.kind.nv != 1:
        return f"a {joint.kind.value} joint cannot mimic another: only joints with one coordinate can"
    if not joint.mimic.ratio.is_constant or joint.mimic.ratio.constant({}).rational is None:
        return f"expected a rational ratio, found {joint.mimic.ratio}"
    return ""


def _resolved(name: str, mimic: Mimic, joints: Mapping[str, Follower]) -> Mimic | str:
    seen, ratio, offset = [name], mimic.ratio, mimic.offset
    while True:
        shown = repr(shortened(mimic.joint, 40))
        followed = joints.get(mimic.joint)
        if followed is None:
            return (
                f"there is no joint {shown}, which {seen[-1]!r} mimics; correct the name, or let joints that mimic "
                "move by themselves (mimic = independent)"
            )
        if mimic.joint in seen:
            around = " mimics ".join(map(repr, (*seen, mimic.joint)))
            return f"no joint of a circle moves by itself: {around}"
        if followed.kind.nv != 1:
            return f"the joint {shown} is {followed.kind.value}; only a joint with one coordinate can be mimicked"
        if followed.mimic is None:
            return Mimic(mimic.joint, ratio, offset)
        seen.append(mimic.joint)
        offset = plus(_times(ratio, followed.mimic.offset), offset)
        ratio = _times(ratio, followed.mimic.ratio)
        mimic = followed.mimic


def _times(one: Expression, other: Expression) -> Expression:
    if one.op == "constant" and other.op == "constant":
        return constant(one.value * other.value)
    return one * other
