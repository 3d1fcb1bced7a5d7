"""Simulation: generated forward dynamics, integrated in time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.derive.options import choice
from symgen.errors import InputError
from symgen.robot import library
from symgen.robot.model import Robot
from symgen.runtime.module import DynamicsModule
from symgen.simulation import checks
from symgen.simulation.closing import Complement, Penalty
from symgen.simulation.forces import Forces, joint_forces
from symgen.simulation.loops import closed_from, module_for
from symgen.simulation.results import Simulation
from symgen.simulation.systems import FUNCTIONS, Looped, System
from symgen.simulation.trajectory import usual_move
from symgen.simulation.unassembled import NEEDED, Penalised, Projected

Floats = NDArray[np.float64]

ACCURATE = ("DOP853", "verner65")
METHODS = (*ACCURATE, "RK45")
"""Integrators: SciPy's DOP853 (Dormand and Prince, order 8), and Verner's pair of orders 6 and 5; for loose tolerances
RK45 (Dormand and Prince, orders 5 and 4)."""

UNBOUNDED, ROUNDING = 1e100, 1e-12
"""Tolerances of steps whose error is not bounded; how much longer these are: no sliver is left at the end."""

TOLERANCE = 1e-12
"""Relative and absolute tolerance of a step, where none is given.

Free falls of the papers' arms then agree with the references within 1e-8 over 2 s, whichever the method.
"""

LEAST_TOLERANCE = 1e-13


def simulate(
    robot: str | Path | Robot | DynamicsModule,
    duration: float | None = None,
    *,
    q0: object = None,
    qd0: object = None,
    tau: object = None,
    interpolation: str | None = None,
    method: str = METHODS[0],
    rtol: float = TOLERANCE,
    atol: float = TOLERANCE,
    step: float | None = None,
    max_step: float | None = None,
    samples: int = 101,
    closing: Penalty | Complement | None = None,
) -> Simulation:
    """The motion of a robot, or of a module made of one, from t = 0 to `duration` (s), at `samples` equidistant times.

    `tau` gives the joint forces: None for none (free fall), a constant vector (n,), a function of t, q and qd, the last
    two of shape (n,), that returns one, or a history: the path of a CSV file, a mapping with `t` and `tau1` to `taun`
    (or `tau` (s, n)), arrays (t, tau), or what `simulate` or `follow` returned. Samples are joined by `interpolation`:
    "cubic" where none is said (a spline, not a knot at the ends), "linear", or "hold" (each until the next); no step of
    the integrator crosses a sample. A history begins at t = 0 and is never extrapolated; `duration` defaults to its
    length.

    `q0` (n,) defaults to where the robot's usual move starts (see `follow`), `qd0` (n,) to rest; if neither is said, a
    history whose table has q and qd starts as they do. Vectors are in rad or m, their rates, and N m or N. Friction and
    rotor inertia act as everywhere. `method` is "DOP853" (Dormand and Prince, order 8) or "verner65" (Verner's pair of
    orders 6 and 5, as in the papers), or "RK45" (Dormand and Prince, orders 5 and 4); `rtol` and `atol` bound the
    error of a step, and `max_step` its length (s). With `step` all steps but the last have this length, and their error
    is not bounded.

    Loops are closed anew for every evaluation, by assembly from the positions of independent joints. With `closing`
    the tree is integrated as it is, and held together by a `symgen.Penalty`, or in a `symgen.Complement` of its
    constraints (Khan 2002, chapter 2): for comparisons, and for motions through postures that are singular for the
    independent joints.

    Raises `InputError` for wrong sizes, numbers and columns, for a history that ends before the simulation or, if it is
    joined by a cubic spline, has a gap (a step above ten times the median), for a robot that has no forward dynamics,
    and where accelerations are not finite; `LimitError` where the integration takes too many steps or gets stuck, and
    for modules in float32 or with gravity or wrenches as arguments.
    """
    needed = FUNCTIONS if closing is None else NEEDED.get(type(closing))
    if needed is None:
        raise InputError(f"closing: expected a Penalty, a Complement or None, found {closing!r}"[:200])
    if closing is not None and not isinstance(robot, DynamicsModule):
        robot = library.load(robot)
        if not robot.has_loops:
            raise InputError(_NO_LOOPS.format(robot.name))
    module = module_for(robot, needed)
    choice("method", method, METHODS)
    count = checks.samples(samples)
    tolerances = {
        name: checks.tolerance(name, value, LEAST_TOLERANCE) for name, value in (("rtol", rtol), ("atol", atol))
    }
    forces = joint_forces(module, tau, interpolation)
    end = forces.end(duration)
    start, velocity = _start(module, forces, q0, qd0)
    system = _system(module, forces, end, closing, works=tau is not None)
    times = np.linspace(0.0, end, count)
    steps = _Steps(_integrator(method), tolerances, **_lengths(step, max_step))
    with np.errstate(all="ignore"):
        states = _integrated(system, system.state(start, velocity), times, steps)
    return system.result(times, states, method=method, evaluations=system.calls, **tolerances)


_NO_LOOPS = "{}: closing: the robot has no loops to close; leave it out"


def _lengths(step: object, max_step: object) -> dict[str, float | None]:
    """The length of all steps, and the largest (s), as far as they are said."""
    given = {"step": step, "max_step": max_step}
    if None not in given.values():
        raise InputError("step and max_step exclude each other: with step all steps have one length")
    fixed, longest = (None if value is None else checks.duration(value, what) for what, value in given.items())
    return {"fixed": fixed, "longest": longest}


def _system(
    module: DynamicsModule, forces: Forces, end: float, closing: Penalty | Complement | None, *, works: bool
) -> System:
    if closing is None:
        return (Looped if module.record.loops else System)(module, forces, end, works=works)
    if not module.record.loops:
        raise InputError(_NO_LOOPS.format(module.name))
    if isinstance(closing, Penalty):
        return Penalised(module, forces, end, closing, works=works)
    return Projected(module, forces, end, closing, works=works)


def _start(module: DynamicsModule, forces: Forces, q0: object, qd0: object) -> tuple[Floats, Floats]:
    """The first positions and velocities: as said, or of the forces' table, or rest where the usual move begins."""
    usual: tuple[object, object] = usual_move(module.record).start, np.zeros(module.nv)
    if q0 is None and qd0 is None:
        usual = forces.start or usual
    (q0, qd0) = (other if value is None else value for value, other in zip((q0, qd0), usual, strict=True))
    q, qd = checks.configuration("q0", q0, module.record), checks.joint_vector("qd0", qd0, module.joints)
    return closed_from("q0", module, q), qd


def _integrator(method: str) -> Any:
    from scipy.integrate import DOP853, RK45

    from symgen.simulation.verner import Verner65

    return {"DOP853": DOP853, "verner65": Verner65, "RK45": RK45}[method]


@dataclass(frozen=True)
class _Steps:
    """What makes steps: the integrator, and its tolerances, or the length of all steps, and the largest (s)."""

    integrator: Any
    tolerances: dict[str, float]
    fixed: float | None
    longest: float | None

    def solver(self, rates: Callable[..., Any], t: float, state: Floats, until: float, first: float | None) -> Any:
        """The integrator from a state on, `first` (s) being its first step, if that is known."""
        tolerances, longest = self.tolerances, self.longest or np.inf
        if self.fixed is not None:
            tolerances = dict.fromkeys(tolerances, UNBOUNDED)
            first = longest = self.fixed * (1 + ROUNDING)
        first = None if first is None else min(first, until - t)
        return self.integrator(rates, t, state, until, first_step=first, max_step=longest, **tolerances)


def _integrated(system: System, state: Floats, times: Floats, steps: _Steps) -> Floats:
    """What is observed of the states at `times` (s, ·).

    Every smooth piece of the forces is integrated by itself, so that no step goes over a jump or kink.
    """
    t, first_step = 0.0, None
    found: list[Floats] = []
    done = 0
    for until, force in system.forces.pieces(times[-1]):
        rates = partial(system.rates, force)
        solver = steps.solver(rates, t, state, until, first_step)
        while solver.status == "running":
            solver.step()
            if solver.status == "failed":
                raise system.failure()
            system.accepted(solver.y)
            reached = int(np.searchsorted(times, solver.t, side="right"))
            if reached > done:
                found.append(system.observed(solver.dense_output()(times[done:reached]).T))
                done = reached
            other = system.renewed(solver.y) if solver.status == "running" else None
            if other is not None:
                solver = steps.solver(rates, solver.t, other, until, solver.h_abs)
        t, state, first_step = solver.t, solver.y, solver.h_abs
    return np.concatenate(found)
