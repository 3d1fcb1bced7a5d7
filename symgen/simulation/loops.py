"""Motions of robots with loops: q is assembled from the positions of the independent joints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from symgen.errors import InputError
from symgen.generation.corridor import module_of
from symgen.program.module import Record
from symgen.robot import library
from symgen.robot.model import Robot
from symgen.runtime.module import DynamicsModule

Floats = NDArray[np.float64]

ASSEMBLY = ("assembly_step", "closure", "velocity_transformation", "loop_determinants")
"""What a module of a robot with loops needs besides."""


def functions_for(robot: Robot, functions: Sequence[str]) -> tuple[str, ...]:
    """The functions that a module of the robot needs for a motion."""
    return (*functions, *ASSEMBLY) if robot.has_loops else tuple(functions)


def module_for(robot: str | Path | Robot | DynamicsModule, functions: Sequence[str]) -> DynamicsModule:
    """A module as it is; of a robot one with what a motion needs: these functions and, with loops, assembly."""
    if isinstance(robot, DynamicsModule):
        return robot
    loaded = library.load(robot)
    return module_of(loaded, functions_for(loaded, functions))


def closed_from(what: str, module: DynamicsModule, q: Floats) -> Floats:
    """The closed q (nq,) at the independent positions of a q; `InputError` calls it `what` if there is none near."""
    if not module.record.loops:
        return q
    closed, status = module.assemble(q[list(module.record.independent)], q)
    if status:
        raise InputError(
            f"{module.name}: {what}: the loops do not close near these positions; give some of a posture that closes, "
            "or leave them out for that of the robot's file"
        )
    return closed


def plain_rates(record: Record) -> Iterator[tuple[int, int]]:
    """(place in q, index among the tree's rates) of the entries of q that no free joint has."""
    free = {joint.q + k for joint in record.free for k in range(len(joint.positions))}
    for place in range(record.nq):
        if place not in free:
            # A quaternion has an entry more than there are rates.
            yield place, place - sum(joint.quaternion is not None and joint.q < place for joint in record.free)


def closed_along(module: DynamicsModule, places: Sequence[int], given: Floats, start: Floats) -> Floats:
    """Closed q (s, nq) next to these entries (s, k) of q and to the q before; NaN from where there is none.

    Positions of independent joints are among the `places`, and stay.
    """
    result = np.full((len(given), module.nq), np.nan)
    near = start.copy()
    for index, row in enumerate(given):
        near[list(places)] = row
        near, status = module.assemble(near[list(module.record.independent)], near)
        if status:
            break
        result[index] = near
    return result
