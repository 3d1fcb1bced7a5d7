"""Sets of cases that go by a name."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.verify.setting import REALS


@dataclass(frozen=True)
class Subject:
    """A robot to time, by name: how its root link moves, if not as its file says, and the type of all numbers."""

    name: str
    base: str | None = None
    real: str = REALS[0]


GRID_ROBOTS = ("iiwa14", "example-robot-data:hyq_no_sensors", "example-robot-data:talos_reduced")
"""A 7R arm, a quadruped of 12 joints, and a humanoid of the size of Atlas, 30 to 32 joints."""

GRID_FUNCTIONS = (
    "inverse_dynamics",
    "forward_dynamics",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)

GRID = tuple(Subject(name, "fixed", real) for real in REALS for name in GRID_ROBOTS)
"""The cases of GRiDBenchmarks (Plancher and others 2022), on fixed bases: iiwa, HyQ and, for Atlas, Talos.

Of Atlas itself no package that is installed has the robot.
"""
