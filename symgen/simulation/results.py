"""What a motion is, sampled: tables of numbers with the names and units of their robot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from symgen.program.module import JointRecord, PositionRecord, Record

Floats = NDArray[np.float64]

ENERGIES = ("kinetic_energy", "potential_energy", "work", "drift")
"""Columns of a simulation's table that are no joints'."""


@dataclass(frozen=True, eq=False)
class _Sampled:
    """Of a robot at s times; arrays cannot be written to."""

    robot: str
    record: Record
    t: Floats
    q: Floats
    qd: Floats
    tau: Floats

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def joints(self) -> tuple[JointRecord, ...]:
        """The velocity coordinates, nv."""
        return self.record.joints

    @property
    def positions(self) -> tuple[PositionRecord, ...]:
        """The entries of q, nq."""
        return self.record.positions

    @property
    def columns(self) -> Mapping[str, Floats]:
        """Column name → values (s,): `t`, then `q1`, `q2`, … for every array, by the entry's number from 1."""
        named: dict[str, Floats] = {}
        for name in self._tabled():
            array = getattr(self, name)
            if array is not None and array.ndim == 1:
                named[name] = array
            elif array is not None:
                named |= {f"{name}{joint + 1}": array[:, joint] for joint in range(array.shape[1])}
        return named

    def csv(self) -> str:
        """The `columns` as comma-separated values under a line of names; 17 digits give every number back exactly."""
        columns = self.columns
        rows = np.column_stack(list(columns.values())) + 0.0  # no -0
        lines = [",".join(columns), *(",".join(f"{value:.17g}" for value in row) for row in rows.tolist())]
        return "\n".join(lines) + "\n"

    def _tabled(self) -> tuple[str, ...]:
        return "t", "q", "qd", "tau"


@dataclass(frozen=True, eq=False)
class Trajectory(_Sampled):
    """A prescribed motion and the joint forces it takes.

    `t` (s,) in s; `q` (s, nq), `qd`, `qdd` (s, nv) in rad or m and their rates; `tau` (s, nv) in N m or N. `law` says
    what motion it is: "cycloidal" or "sampled"; `derived` which rates of a sampled one come from splines.
    """

    qdd: Floats
    law: str = "cycloidal"
    derived: tuple[str, ...] = ()

    def _tabled(self) -> tuple[str, ...]:
        return "t", "q", "qd", "qdd", "tau"


@dataclass(frozen=True, eq=False)
class Simulation(_Sampled):
    """The motion that follows from joint forces.

    `t` (s,) in s; `q` (s, nq), `qd` (s, nv) in rad or m and their rates, quaternions of length 1; `tau` (s, nv), the
    given joint forces, in N m or N. `kinetic_energy`, `potential_energy` and `work` (s,) in J, `work` being what `tau`
    has done since the start; None where the module lacks the energies. `method`, `rtol`, `atol` name the integrator and
    its tolerances, `evaluations` counts its calls of forward dynamics; `interpolation` says what joins samples of
    `tau`, None if it was no history. `residual` (s,), None where loops are assembled or there are none, is the largest
    residual of the constraints, `resets` the times (s) at which independent rates were chosen anew.
    """

    kinetic_energy: Floats | None
    potential_energy: Floats | None
    work: Floats | None
    method: str
    rtol: float
    atol: float
    evaluations: int
    interpolation: str | None = None
    residual: Floats | None = None
    resets: tuple[float, ...] = ()

    @property
    def energy(self) -> Floats | None:
        """Kinetic and potential energy (s,) in J."""
        if self.kinetic_energy is None or self.potential_energy is None:
            return None
        return self.kinetic_energy + self.potential_energy

    @property
    def drift(self) -> Floats | None:
        """Energy gained since the start beyond the work of `tau`, (s,) in J.

        It is the integrator's error alone, unless joints have friction: then it is what friction has taken.
        """
        energy, work = self.energy, self.work
        return None if energy is None or work is None else np.asarray(energy - energy[0] - work)

    def _tabled(self) -> tuple[str, ...]:
        return "t", "q", "qd", "tau", *ENERGIES, "residual"
