"""Motions of robots with loops: q is assembled from the positions of the independent joints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from symgen.errors import InputError
from symgen.generation.corridor import module_of
from symgen.robot import library
from symgen.robot.model import Robot
from symgen.runtime.module import DynamicsModule

Floats = NDArray[np.float64]

ASSEMBLY = ("assembly_step", "closure")
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


def closed_along(module: DynamicsModule, given: Floats, start: Floats) -> Floats:
    """Closed q (s, nq) along independent positions (s, k), each next to the one before; NaN from where none is."""
    result = np.full((len(given), module.nq), np.nan)
    near = start
    for index, row in enumerate(given):
        near, status = module.assemble(row, near)
        if status:
            break
        result[index] = near
    return result
