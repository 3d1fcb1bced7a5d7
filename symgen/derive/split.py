"""Of which joints accelerations are given in hybrid dynamics: names, or words for the usual splits, to indices."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.errors import InputError
from symgen.robot.model import BASE, Robot

JOINTS, BASE_WORD = "joints", "base"
"""Words for all joints but the free ones that move the base, and for these."""


def given_velocities(robot: Robot, names: Sequence[str]) -> tuple[int, ...]:
    """The indices of the velocities of the joints in `names`, in the robot's order, among the independent ones.

    With loops names of independent coordinates do too: joints of several may be driven in part.
    `InputError` for a name that is none, for a joint that follows another or moves as loops make it, and where nothing
    is left to be found.
    """
    if not names:
        return ()
    coordinates = [each.name if robot.has_loops else "" for each in robot.independent_velocities]
    wanted: set[str] = set()
    for name in names:
        wanted.update(() if name in coordinates else _named(robot, name))
    found = {number for number, name in enumerate(coordinates) if name in names}
    index = 0
    for joint in robot.joints:
        own = [robot.independent.index(k) for k in range(index, index + joint.nv) if k in robot.independent]
        found.update(own if joint.name in wanted else [])
        if joint.name in names and not own:
            raise InputError(
                f"{robot.name}: the joint {joint.name!r} moves as the loops make it and has no acceleration of its "
                f"own; name independent ones: {', '.join(coordinates)}"
            )
        index += joint.nv
    if len(found) == len(robot.independent):
        raise InputError(
            f"{robot.name}: the accelerations of all joints are given, so that hybrid_dynamics has none to find; that "
            "is inverse_dynamics"
        )
    return tuple(sorted(found))


def _named(robot: Robot, name: str) -> set[str]:
    own = {joint.name for joint in robot.joints}
    if name in own:
        return {name}
    if name in (JOINTS, BASE_WORD):
        moving = _moving_the_base(robot)
        return moving if name == BASE_WORD else own - moving
    for link in robot.links:
        if link.joint.mimic is not None and link.joint.name == name:
            raise InputError(
                f"{robot.name}: the joint {name!r} follows {link.joint.mimic.joint!r} and has no acceleration of its "
                "own; name that one"
            )
    raise InputError(
        f"{robot.name}: no joint that moves is called {name[:60]!r}; there are: {', '.join(sorted(own))}; and the "
        f"words {JOINTS} and {BASE_WORD} where the base is free"
    )


def _moving_the_base(robot: Robot) -> set[str]:
    """The free joints between the base and the first link of a robot whose base moves."""
    found = {link.joint.name for link in robot.links if link.joint.kind.is_free and link.parent == BASE}
    if not found:
        raise InputError(
            f"{robot.name}: no free joint carries the robot, so that {JOINTS} and {BASE_WORD} name nothing; name the "
            "joints whose accelerations are given"
        )
    return found
