"""What functions were generated with, as far as it changes what they take and give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

BASE_AXES, FRAME_AXES = "base", "frame"
"""Axes of Jacobians: those of the base, or the frame's own; the reference point is the frame's origin."""

REALS = ("float64", "float32")
"""Floating-point types of the functions."""


@dataclass(frozen=True)
class Setting:
    """The inputs functions have beside the state, the frames they belong to, and how they compute.

    `gravity`: whether gravity (3) is an input. `wrenches`: (argument name, frame name) pairs, inputs of 6 entries.
    `frames`: (frame name, identifier) pairs of kinematic functions; with several, Jacobians carry the identifier as
    a suffix; without any, the frame is that of the robot's tool or of its last link. `axes`: of
    Jacobians, "base" or "frame". `real`: "float64" or "float32". `parameters`: the values bound to the functions
    (None: the defaults). `regressor`: the columns of the regressor, each the number of a link in the table, from 1,
    and the stem of one of its inertial parameters, such as ZZ; `regressor_values`: the values of these parameters.
    `base`: such a column for the name of each parameter, if these are the base inertial parameters; potential energy is
    then compared up to a constant. `given`: indices of the velocities whose accelerations hybrid dynamics is given.
    `blocks`: rows and columns of the constraints' Jacobian that go together, and the size of their determinant.
    `order`: for each entry of the functions' q its place in the robot's, whose quaternions are x, y, z, w (none: the
    same).
    """

    gravity: bool = False
    wrenches: tuple[tuple[str, str], ...] = ()
    frames: tuple[tuple[str, str], ...] = ()
    axes: str = BASE_AXES
    real: str = "float64"
    parameters: Mapping[str, float] | None = None
    regressor: tuple[tuple[int, str], ...] = ()
    regressor_values: tuple[float, ...] = ()
    base: Mapping[str, tuple[int, str]] | None = None
    given: tuple[int, ...] = ()
    blocks: tuple[tuple[tuple[int, ...], tuple[int, ...], float], ...] = ()
    order: tuple[int, ...] = ()

    def others(self, nv: int) -> tuple[int, ...]:
        """Indices of the velocities, of `nv`, whose forces hybrid dynamics is given."""
        return tuple(index for index in range(nv) if index not in self.given)
