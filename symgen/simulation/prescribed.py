"""The joint forces of a prescribed motion as a function of time, exact at every time: no samples are joined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.errors import InputError
from symgen.runtime.module import DynamicsModule
from symgen.simulation import checks
from symgen.simulation.loops import closed_from

Floats = NDArray[np.float64]

KNOTS = 300
"""Times from whose positions assembly starts: it is the same whatever was asked before."""


class Prescribed:
    """τ(t) of a motion of a robot with loops whose independent joints are told, from t = 0 to `duration` (s).

    `motion` gives (q_a, q̇_a, q̈_a), (n,) each, of these joints at a time; the loops close next to `start` (nq,) at t = 0
    and next to what came before later. It is called as `simulate` calls its `tau`, which it may be.

    Raises `InputError` for a module without `inverse_dynamics` or assembly, for a motion of other numbers, and where
    the loops do not close.
    """

    def __init__(
        self, module: DynamicsModule, motion: Callable[[float], Any], duration: float, start: object = None
    ) -> None:
        if not module.record.loops:
            raise InputError(f"{module.name}: the robot has no loops; call inverse_dynamics with the motion")
        self._module, self._motion = module, motion
        self.duration = checks.duration(duration)
        self._inverse_dynamics = checks.function_of_state(module, "inverse_dynamics", "q", "qd", "qdd")
        near = checks.configuration("start", module.record.neutral if start is None else start, module.record)
        near = near.copy()
        near[self._places] = self.independent(0.0)[0]
        self._knots = [closed_from("start", module, near)]
        for t in np.linspace(0.0, self.duration, KNOTS + 1)[1:]:
            self._knots.append(self._closed(float(t), self._knots[-1]))

    @property
    def _places(self) -> list[int]:
        return list(self._module.record.independent)

    def independent(self, t: float) -> tuple[Floats, Floats, Floats]:
        """(q_a, q̇_a, q̈_a) of the independent joints."""
        values = self._motion(t)
        if not isinstance(values, tuple | list) or len(values) != 3:
            raise InputError(f"motion: expected positions, velocities and accelerations at t = {t:.6g} s")
        q, qd, qdd = (
            checks.joint_vector(f"motion at t = {t:.6g} s: {name}", value, self._module.joints)
            for name, value in zip(("q", "qd", "qdd"), values, strict=True)
        )
        return q, qd, qdd

    def position(self, t: float) -> Floats:
        """q (nq,) at a time within the motion."""
        knot = int(np.clip(round(t / self.duration * KNOTS), 0, KNOTS))
        return self._closed(t, self._knots[knot])

    def _closed(self, t: float, near: Floats) -> Floats:
        q, status = self._module.assemble(self.independent(t)[0], near)
        if status:
            raise InputError(f"{self._module.name}: motion: the loops do not close at t = {t:.6g} s")
        return q

    def __call__(self, t: float, q: Floats | None = None, qd: Floats | None = None) -> Floats:
        """τ (n,), N m or N, at a time; the state does not matter."""
        _, rates, accelerations = self.independent(t)
        return np.asarray(self._inverse_dynamics(self.position(t), rates, accelerations))
