"""Joint forces of a simulation, as users give them: none, constant, a function, or a history."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.derive.options import choice
from symgen.errors import InputError
from symgen.runtime.module import DynamicsModule
from symgen.simulation import checks
from symgen.simulation.histories import FORCES, History, history
from symgen.simulation.results import Simulation, Trajectory
from symgen.simulation.splines import DEGREES, Interpolant
from symgen.simulation.tables import is_tuple_of_arrays

Floats = NDArray[np.float64]
Force = Callable[[float, Floats, Floats], Floats]

ROUNDING = 1e-12
"""How far, of its length, a history may end before the simulation: sums of decimal steps are no more exact."""


@dataclass(frozen=True)
class Forces:
    """Joint forces (n,) in N m or N.

    `at` gives them for a time and state; `pieces`, for the end of the simulation, the times at which they may jump or
    kink, and the end, each with the smooth forces before it. `history` and `interpolation` are None where the forces
    are no history.
    """

    at: Force
    pieces: Callable[[float], Iterable[tuple[float, Force]]]
    history: History | None = None
    interpolation: str | None = None

    def end(self, duration: object) -> float:
        """The end of a simulation of this `duration`, or of as much as the history lasts if it is None.

        Raises `InputError` for a history that ends before.
        """
        if self.history is None or duration is not None:
            end = checks.duration(duration)
        if self.history is None:
            return end
        last = float(self.history.t[-1])
        if duration is None:
            return last
        if end > last * (1 + ROUNDING):
            raise InputError(
                f"{self.history.source}: the last time is {last:.10g} s, but the simulation lasts {end:.10g} s; give a "
                "longer history or a shorter duration"
            )
        return end

    @property
    def start(self) -> tuple[Floats, Floats] | None:
        """The positions and velocities at t = 0 that stand in the history's table, if they do.

        Raises `InputError` for a table that has but one of them.
        """
        values = {} if self.history is None else self.history.values
        found = [name for name in ("q", "qd") if name in values]
        if self.history is not None and len(found) == 1:
            other = "qd" if found == ["q"] else "q"
            raise InputError(
                f"{self.history.source}: the columns of {other} are missing beside those of {found[0]}, so it is not "
                "clear how the simulation starts; add them, or say q0 and qd0 (--from and --velocity)"
            )
        return (values["q"][0], values["qd"][0]) if found else None


def joint_forces(module: DynamicsModule, tau: object, interpolation: str | None) -> Forces:
    """The joint forces that `tau` says: see `symgen.simulate`."""
    if interpolation is not None:
        choice("interpolation", interpolation, tuple(DEGREES))
    if _is_history(tau):
        return _sampled(history("tau", tau, module.record, FORCES), interpolation or next(iter(DEGREES)))
    if interpolation is not None:
        raise InputError("interpolation: joint forces that are no history are not interpolated; leave it out")
    force = _of_function(module, tau) if callable(tau) else _constant(module, tau)
    return Forces(force, lambda end: [(end, force)])


def _is_history(tau: object) -> bool:
    known = isinstance(tau, History | Simulation | Trajectory | str | os.PathLike)
    return known or hasattr(tau, "keys") or is_tuple_of_arrays(tau)


def _constant(module: DynamicsModule, tau: object) -> Force:
    constant = checks.joint_vector("tau", np.zeros(module.nv) if tau is None else tau, module.joints)
    return lambda t, q, qd: constant


def _of_function(module: DynamicsModule, tau: Callable[..., Any]) -> Force:
    """Checked; it may change the arrays it is given."""

    def force(t: float, q: Floats, qd: Floats) -> Floats:
        return checks.joint_vector(f"tau(t, q, qd) at t = {t:.6g} s", tau(t, q.copy(), qd.copy()), module.joints)

    return force


def _sampled(samples: History, interpolation: str) -> Forces:
    if interpolation == "cubic":
        samples.check_gaps(
            "fill it in, or choose the interpolation linear or hold, which joins samples at any distance"
        )
    if samples.t[0] != 0:
        raise InputError(
            f"{samples.source}: the first time is {samples.t[0]:.10g} s; a simulation begins at t = 0: shift the times"
        )
    interpolant = Interpolant(samples, "tau", DEGREES[interpolation])

    def force(step: int, t: float, q: Floats, qd: Floats) -> Floats:
        return interpolant.within(step, t)

    return Forces(
        at=lambda t, q, qd: interpolant(t),
        pieces=lambda end: ((until, partial(force, step)) for step, until in interpolant.steps(end)),
        history=samples,
        interpolation=interpolation,
    )
