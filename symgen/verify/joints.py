"""What the coordinates of joints do: the oracle's own table, so that an error in the one of the derivation shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from symgen.robot.model import Joint, JointKind, Robot

STROKE = 0.5
"""Random lengths lie within it, in m."""


@dataclass(frozen=True)
class Screw:
    """How far a coordinate turns its link about z, in rad, and slides it along z, in m, per unit."""

    turn: float
    slide: float

    @property
    def reach(self) -> float:
        """How far from 0 random coordinates lie, in rad or m."""
        return np.pi if self.turn else STROKE


_SCREWS: dict[JointKind, Callable[[float], tuple[Screw, ...]]] = {
    JointKind.REVOLUTE: lambda pitch: (Screw(1, 0),),
    JointKind.CONTINUOUS: lambda pitch: (Screw(1, 0),),
    JointKind.PRISMATIC: lambda pitch: (Screw(0, 1),),
    JointKind.HELICAL: lambda pitch: (Screw(1, pitch),),
    JointKind.CYLINDRICAL: lambda pitch: (Screw(1, 0), Screw(0, 1)),
    JointKind.FIXED: lambda pitch: (),
}


def screws(joint: Joint, robot: Robot) -> tuple[Screw, ...]:
    """The screws of a joint's coordinates, in order; the joint's direction is not in them."""
    return _SCREWS[joint.kind](float(joint.pitch.constant(robot.defaults)))


def all_screws(robot: Robot) -> list[Screw]:
    """The screws of all coordinates of a robot, nv."""
    return [screw for joint in robot.joints for screw in screws(joint, robot)]
