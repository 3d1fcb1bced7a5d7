"""Robots as systems of differential equations of first order: what is integrated, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.errors import InputError, LimitError
from symgen.runtime.configuration import normalised, position_rates
from symgen.runtime.module import DynamicsModule
from symgen.simulation import checks
from symgen.simulation.forces import Force, Forces
from symgen.simulation.loops import closed_along, plain_rates
from symgen.simulation.results import Simulation

Floats = NDArray[np.float64]

MAX_EVALUATIONS = 1_000_000
"""Calls of forward dynamics at most: about half a minute."""

PER_SAMPLE = 40
"""Calls that a sample of a history may take, if that is more: the least are 16."""

MAX_AT_START, START = 20_000, 1e-6
"""Calls at most for the first part of the motion, of which one sees soon that there is no end to it."""

JUMP = 0.01
"""How far (rad or m) joints may be from where they have come to, when loops are assembled."""

LARGE, SINGULAR = 5.0, 1e3
"""Rates of other joints per rate of an independent one, beside the largest at the start: large, and too large."""

FUNCTIONS = ("forward_dynamics", "kinetic_energy", "potential_energy")
"""What a module needs for a simulation with its energies."""


class System:
    """q̈ = forward dynamics as a system of first order.

    Its state is [q, q̇], with the velocities of free joints for their q̇, and with joint forces their work after these.
    """

    def __init__(self, module: DynamicsModule, forces: Forces, end: float, *, works: bool) -> None:
        self._module, self._end, self.forces = module, end, forces
        self._works = works
        self._take()
        samples = 0 if forces.history is None else len(forces.history.t)
        self._most = max(MAX_EVALUATIONS // self._haste, PER_SAMPLE * samples)
        self._t, self._is_finite, self._calls = 0.0, True, 0

    def _take(self) -> None:
        """Take the module's functions; `InputError` for one that is missing."""
        module = self._module
        self._forward_dynamics = checks.function_of_state(module, "forward_dynamics", "q", "qd", "tau")
        self._energies: tuple[Callable[..., Any], Callable[..., Any]] | None = None
        if set(FUNCTIONS) <= set(module.functions):
            kinetic = checks.function_of_state(module, "kinetic_energy", "q", "qd")
            self._energies = kinetic, checks.function_of_state(module, "potential_energy", "q")
        self._works = self._energies is not None and self._works

    def state(self, q: Floats, qd: Floats) -> Floats:
        """The state at the start; raises `InputError` if its accelerations are not finite."""
        qdd = self._forward_dynamics(q, qd, self.forces.at(0.0, q, qd))
        if qdd.dtype != np.float64:
            raise LimitError(
                f"{self._module.name}: forward_dynamics computes in {qdd.dtype}, too coarse to be integrated; generate "
                'the module with real="float64"'
            )
        self._is_finite = bool(np.isfinite(qdd).all())
        if not self._is_finite:
            raise self.failure()
        return np.concatenate([self._own(q), qd, np.zeros(int(self._works))])

    def _own(self, q: Floats) -> Floats:
        """The entries of q that are integrated."""
        return q

    def rates(self, force: Force, t: float, state: Floats) -> Floats:
        """The rates of a state under the forces of a piece."""
        self._calls += 1
        if self._calls > (self._most if t > START * self._end else MAX_AT_START):
            raise LimitError(
                f"{self._module.name}: the simulation has got to t = {t:.6g} s in {self._calls - 1} calls of "
                f"{self._called} and stops there; shorten it, loosen rtol and atol, or smooth joint forces that jump "
                f"or answer the velocity too fiercely{self._cause}"
            )
        self._t = t
        q, speeds, _ = self._parts(state)
        if not (np.isfinite(state).all() and np.isfinite(q).all()):  # too long a step: the integrator will shorten it
            self._is_finite = False
            return np.full_like(state, np.nan)
        ways, changes, power = self._motion(force, t, q, speeds)
        self._is_finite = bool(np.isfinite(changes).all())
        return np.concatenate([ways, changes, [power] if self._works else []])

    def _motion(self, force: Force, t: float, q: Floats, qd: Floats) -> tuple[Floats, Floats, float]:
        """The rates of the entries of q that are integrated and of the velocities, and the power of the forces."""
        tau = force(t, q, qd)
        return self._position_rates(q, qd), self._forward_dynamics(q, qd, tau), float(tau @ qd)

    def accepted(self, state: Floats) -> None:
        """Told of the state after every step of the integrator."""

    def renewed(self, state: Floats) -> Floats | None:
        """The state to go on from after a step, if that is another: the integrator is started again."""
        return None

    def observed(self, states: Floats) -> Floats:
        """What `result` takes of states (s, ·) of the last step."""
        return states

    @property
    def calls(self) -> int:
        """How often rates were asked for."""
        return self._calls

    def _position_rates(self, q: Floats, qd: Floats) -> Floats:
        """The rates of the entries of q that are integrated."""
        return qd if self._module.record.is_plain else position_rates(self._module.record, q, qd)

    def _parts(self, states: Floats) -> tuple[Floats, Floats, Floats]:
        """q, q̇ and what is after them, of states (…, ·)."""
        nq, nv = self._module.nq, self._module.nv
        return states[..., :nq], states[..., nq : nq + nv], states[..., nq + nv :]

    def failure(self) -> InputError | LimitError:
        """Why the integrator cannot go on from where it is."""
        where = f"{self._module.name}: the motion cannot be followed beyond t = {self._t:.6g} s"
        if not self._is_finite:
            return InputError(
                f"{where}: the accelerations there are not finite; the joint forces or velocities are too large, or "
                f"the inertia matrix is singular in that position{self._cause}"
            )
        return LimitError(
            f"{where}: no step is short enough for the tolerances; loosen rtol and atol, or smooth joint forces that "
            f"jump{self._cause}"
        )

    _cause = ""
    """What else may stop a motion."""

    _called = "forward_dynamics"
    """What is called for the rates."""

    _haste = 1
    """By what the most calls of forward dynamics are divided."""

    def result(self, t: Floats, states: Floats, **facts: Any) -> Simulation:
        """The simulation whose `states` (s, ·) are those at times `t` (s,)."""
        module = self._module
        q, qd, rest = self._parts(states)
        q, qd = normalised(module.record, q), qd.copy()
        tau = np.array([self.forces.at(time, *pair) for time, *pair in zip(t, q, qd, strict=True)])
        kinetic = potential = work = None
        if self._energies is not None:
            kinetic, potential = self._energies[0](q, qd), self._energies[1](q)
            work = rest[:, 0].copy() if self._works else np.zeros(len(t))
        return Simulation(
            module.name,
            module.record,
            t,
            q,
            qd,
            tau,
            kinetic_energy=kinetic,
            potential_energy=potential,
            work=work,
            interpolation=self.forces.interpolation,
            **facts,
        )


class Looped(System):
    """The same for a robot with loops, whose q is assembled anew every time from the positions of independent joints.

    Positions of other joints are integrated beside them, so that the integrator sees where these go fast: next to
    singular postures. They are where assembly starts from, and tell whether it went over to another posture.
    """

    _cause = ", or the loops come to a singular posture, beyond which independent joints do not determine the others"
    _haste = 20

    def __init__(self, module: DynamicsModule, forces: Forces, end: float, *, works: bool) -> None:
        super().__init__(module, forces, end, works=works)
        self._transformation = checks.function_of_state(module, "velocity_transformation", "q")
        self._determinants = checks.function_of_state(module, "loop_determinants", "q")
        record = module.record
        self._tied = {place: rate for place, rate in plain_rates(record) if place not in record.independent}
        self._places = sorted({*record.independent, *self._tied})

    def state(self, q: Floats, qd: Floats) -> Floats:
        """See `System`; what is assembled starts from here."""
        self._near = self._start = q
        self._shares, self._ratios = self._determinants(q), self._transformation(q)
        self._usual = 1 + np.abs(self._ratios).max()
        return super().state(q, qd)

    def accepted(self, state: Floats) -> None:
        """Raise `LimitError` next to a singular posture, and where assembly went over to another one."""
        q, _, _ = self._parts(state)
        off = np.abs(self._own(q) - state[: len(self._places)]).max()
        shares, self._shares = self._shares, self._determinants(q)
        before, self._ratios = self._ratios, self._transformation(q)
        sizes = [np.abs(ratios) / self._usual for ratios in (before, self._ratios)]
        # Through a singular posture a determinant changes its sign; of one without sign a ratio, by way of infinity.
        crossed = ((before * self._ratios < 0) & (np.minimum(*sizes) > LARGE)).any() or (
            shares * self._shares < 0
        ).any()
        if not (off <= JUMP and sizes[1].max() <= SINGULAR) or crossed:
            raise LimitError(
                f"{self._module.name}: the motion cannot be followed beyond t = {self._t:.6g} s: the loops come to a "
                "singular posture, beyond which independent joints do not determine the others, or the tolerances are "
                "too loose for the way the joints go there"
            )

    def _own(self, q: Floats) -> Floats:
        return q[..., self._places]

    def _position_rates(self, q: Floats, qd: Floats) -> Floats:
        rates = position_rates(self._module.record, q, qd)
        rates[list(self._tied)] = (self._transformation(q) @ qd)[list(self._tied.values())]
        return self._own(rates)

    def _parts(self, states: Floats) -> tuple[Floats, Floats, Floats]:
        count, nv = len(self._places), self._module.nv
        if states.ndim == 1:
            near = self._near.copy()
            near[self._places] = states[:count]
            q, status = self._module.assemble(near[list(self._module.record.independent)], near)
            self._near = self._near if status else q
        else:
            q = closed_along(self._module, self._places, states[:, :count], self._start)
        return q, states[..., count : count + nv], states[..., count + nv :]
