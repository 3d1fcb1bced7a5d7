"""Simulation: generated forward dynamics, integrated in time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.errors import InputError, LimitError
from symgen.generation import DynamicsModule
from symgen.options import choice
from symgen.simulation import checks
from symgen.simulation.results import Simulation
from symgen.simulation.trajectory import usual_move

Floats = NDArray[np.float64]
Force = Callable[[float, Floats, Floats], Any]

METHODS = ("DOP853", "verner65")
"""Integrators: SciPy's DOP853 (Dormand and Prince, order 8), and Verner's pair of orders 6 and 5."""

TOLERANCE = 1e-12
"""Relative and absolute tolerance of a step, where none is given.

Free falls of the papers' arms then agree with the references within 1e-8 over 2 s, whichever the method.
"""

LEAST_TOLERANCE = 1e-13
MAX_EVALUATIONS = 1_000_000
"""Calls of forward dynamics at most: about half a minute."""

MAX_AT_START, START = 20_000, 1e-6
"""Calls at most for the first part of the motion, of which one sees soon that there is no end to it."""

FUNCTIONS = ("forward_dynamics", "kinetic_energy", "potential_energy")
"""What a module needs for a simulation with its energies."""


def simulate(
    module: DynamicsModule,
    duration: float,
    *,
    q0: object = None,
    qd0: object = None,
    tau: object = None,
    method: str = METHODS[0],
    rtol: float = TOLERANCE,
    atol: float = TOLERANCE,
    samples: int = 101,
) -> Simulation:
    """The motion under joint forces `tau` from `q0`, `qd0`: see `symgen.simulate`, which takes robots too."""
    from scipy.integrate import solve_ivp

    choice("method", method, METHODS)
    end, count = checks.duration(duration), checks.samples(samples)
    tolerances = {
        name: checks.tolerance(name, value, LEAST_TOLERANCE) for name, value in (("rtol", rtol), ("atol", atol))
    }
    start = usual_move(module.record).start if q0 is None else q0
    q = checks.joint_vector("q0", start, module.joints)
    qd = checks.joint_vector("qd0", np.zeros(module.nv) if qd0 is None else qd0, module.joints)
    system = _System(module, tau, end)
    times = np.linspace(0.0, end, count)
    with np.errstate(all="ignore"):
        found = solve_ivp(
            system, (0.0, end), system.state(q, qd), method=_integrator(method), t_eval=times, **tolerances
        )
    if found.status != 0:
        raise system.failure()
    return system.result(times, found.y.T, method=method, evaluations=found.nfev, **tolerances)


def _integrator(method: str) -> Any:
    from symgen.simulation.verner import Verner65

    return Verner65 if method == "verner65" else method


class _System:
    """q̈ = forward dynamics as a system of first order.

    Its state is [q, q̇], and with joint forces their work after these.
    """

    def __init__(self, module: DynamicsModule, tau: object, end: float) -> None:
        self._module, self._end = module, end
        self._forward_dynamics = checks.function_of_state(module, "forward_dynamics", "q", "qd", "tau")
        self._energies: tuple[Callable[..., Any], Callable[..., Any]] | None = None
        if set(FUNCTIONS) <= set(module.functions):
            kinetic = checks.function_of_state(module, "kinetic_energy", "q", "qd")
            self._energies = kinetic, checks.function_of_state(module, "potential_energy", "q")
        self._works = self._energies is not None and tau is not None
        self._force = _force(module, tau)
        self._t, self._is_finite, self._calls = 0.0, True, 0

    def state(self, q: Floats, qd: Floats) -> Floats:
        """The state at the start; raises `InputError` if its accelerations are not finite."""
        qdd = self._forward_dynamics(q, qd, self._force(0.0, q, qd))
        if qdd.dtype != np.float64:
            raise LimitError(
                f"{self._module.name}: forward_dynamics computes in {qdd.dtype}, too coarse to be integrated; generate "
                'the module with real="float64"'
            )
        self._is_finite = bool(np.isfinite(qdd).all())
        if not self._is_finite:
            raise self.failure()
        return np.concatenate([q, qd, np.zeros(int(self._works))])

    def __call__(self, t: float, state: Floats) -> Floats:
        """The rates of a state."""
        self._calls += 1
        if self._calls > (MAX_EVALUATIONS if t > START * self._end else MAX_AT_START):
            raise LimitError(
                f"{self._module.name}: the simulation has got to t = {t:.6g} s in {self._calls - 1} calls of "
                "forward_dynamics and stops there; shorten it, loosen rtol and atol, or smooth joint forces that jump "
                "or answer the velocity too fiercely"
            )
        self._t = t
        n = self._module.nv
        q, qd = state[:n], state[n : 2 * n]
        if not np.isfinite(state).all():  # a step that was too long: the integrator will shorten it
            self._is_finite = False
            return np.full_like(state, np.nan)
        tau = self._force(t, q, qd)
        qdd = self._forward_dynamics(q, qd, tau)
        self._is_finite = bool(np.isfinite(qdd).all())
        return np.concatenate([qd, qdd, [tau @ qd] if self._works else []])

    def failure(self) -> InputError | LimitError:
        """Why the integrator cannot go on from where it is."""
        where = f"{self._module.name}: the motion cannot be followed beyond t = {self._t:.6g} s"
        if not self._is_finite:
            return InputError(
                f"{where}: the accelerations there are not finite; the joint forces or velocities are too large, or "
                "the inertia matrix is singular in that position"
            )
        return LimitError(
            f"{where}: no step is short enough for the tolerances; loosen rtol and atol, or smooth joint forces that "
            "jump"
        )

    def result(self, t: Floats, states: Floats, **facts: Any) -> Simulation:
        """The simulation whose `states` (s, ·) are those at times `t` (s,)."""
        n, module = self._module.nv, self._module
        q, qd = states[:, :n].copy(), states[:, n : 2 * n].copy()
        tau = np.array([self._force(time, *pair) for time, *pair in zip(t, q, qd, strict=True)])
        kinetic = potential = work = None
        if self._energies is not None:
            kinetic, potential = self._energies[0](q, qd), self._energies[1](q)
            work = states[:, 2 * n].copy() if self._works else np.zeros(len(t))
        return Simulation(
            module.name,
            module.joints,
            t,
            q,
            qd,
            tau,
            kinetic_energy=kinetic,
            potential_energy=potential,
            work=work,
            **facts,
        )


def _force(module: DynamicsModule, tau: object) -> Callable[[float, Floats, Floats], Floats]:
    """The joint forces as a function of time and state, checked; it may change the arrays it is given."""
    if not callable(tau):
        constant = checks.joint_vector("tau", np.zeros(module.nv) if tau is None else tau, module.joints)
        return lambda t, q, qd: constant

    def force(t: float, q: Floats, qd: Floats) -> Floats:
        return checks.joint_vector(f"tau(t, q, qd) at t = {t:.6g} s", tau(t, q.copy(), qd.copy()), module.joints)

    return force
