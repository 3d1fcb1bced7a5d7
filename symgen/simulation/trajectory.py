"""The cycloidal law of the papers, and the joint forces along it (Saha, recursive dynamics algorithms, section 2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.derive.records import record
from symgen.errors import InputError
from symgen.generation.corridor import module_of
from symgen.program.module import Record
from symgen.robot import library
from symgen.robot.model import Robot
from symgen.runtime.module import DynamicsModule
from symgen.simulation import checks
from symgen.simulation.histories import MOTION, history
from symgen.simulation.results import Trajectory
from symgen.simulation.splines import rate

Floats = NDArray[np.float64]


def cycloid(t: ArrayLike, start: ArrayLike, end: ArrayLike, duration: float) -> tuple[Floats, Floats, Floats]:
    """(q, q̇, q̈) of a move from rest at `start` to rest at `end` in `duration` T (s); eqs. (22a), (22b), (23).

    θ(t) = θ(0) + (θ(T) − θ(0))/T [t − T/2π sin(2πt/T)]. Before 0 and after T the joints rest. `start` and `end` are
    numbers or vectors (n,), in rad or m; `t`, in s, has any shape (…), and the results have the shape (…, n).
    Raises `InputError` for what is no finite number, and a duration that is not above 0.
    """
    period = checks.duration(duration)
    times, first, last = (_finite(*pair) for pair in (("t", t), ("start", start), ("end", end)))
    if first.ndim > 1 or first.shape != last.shape:
        raise InputError(
            f"start and end: expected two numbers, or two vectors of one length; found {first.shape} and {last.shape}"
        )
    times = np.clip(times, 0.0, period)[(..., *[None] * first.ndim)]
    omega, rate = 2 * np.pi / period, (last - first) / period
    angle = omega * times
    q = first + rate * (times - np.sin(angle) / omega)
    return q, rate * (1 - np.cos(angle)), rate * omega * np.sin(angle)


def _finite(what: str, values: ArrayLike) -> Floats:
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected numbers, found {values!r}"[:200]) from None
    if not np.isfinite(array).all():
        raise InputError(f"{what}: expected finite numbers, found {values!r}"[:200])
    return array


@dataclass(frozen=True)
class Move:
    """A move from rest to rest: joint coordinates at its `start` and `end` in rad or m, its `duration` in s."""

    start: Sequence[float]
    end: Sequence[float]
    duration: float


_STANFORD = Move((0, np.pi / 2, 0, 0, 0, 0), (np.pi / 3, np.pi / 3, 0.1, np.pi / 3, np.pi / 3, np.pi / 3), 10.0)

PUBLISHED = dict.fromkeys(("stanford", "stanford_1999"), _STANFORD)
"""Library robot → its move in the papers, where it is not the usual one (Saha, section 2.5.2)."""


def usual_move(robot: Record) -> Move:
    """The move of a robot for which nobody has said another.

    Angles go from 0 to π, lengths from 0 to 0.1 m, in 10 s: the setting of the papers' PUMA and planar arms, and of
    their prismatic joint. The library's Stanford arms make the papers' move.
    """
    published = PUBLISHED.get(robot.robot)
    if published and robot == record(library.load(robot.robot)):
        return published
    end = [joint.move for joint in robot.joints]
    return Move([0.0] * len(end), end, 10.0)


SAMPLES = 201
"""Times along a cycloidal move, where no other number is said."""

FUNCTIONS = ("inverse_dynamics",)
"""What a module needs to follow a motion."""


def follow(
    robot: str | Path | Robot | DynamicsModule,
    *,
    motion: object = None,
    start: object = None,
    end: object = None,
    duration: float | None = None,
    samples: int | None = None,
) -> Trajectory:
    """The joint forces of a robot, or of a module made of one, along a motion.

    `motion` gives its samples: the path of a CSV file, a mapping with `t` and `q1` to `qn` (or `q` (s, n)), arrays
    (t, q), (t, q, qd) or (t, q, qd, qdd), or what `simulate` or `follow` returned. The joint forces are those at the
    samples. Rates `qd` and `qdd` that are not among them are derivatives of a quintic spline through the positions, or
    the velocities if these are there; it is not a knot at the ends, and needs six samples.

    Without `motion` it is the cycloidal move of the papers (`cycloid`), at `samples` (201) equidistant times. It goes
    from rest at `start` to rest at `end`, vectors (n,) in rad or m, in `duration` (s). The usual move, where none is
    said: angles go from 0 to π, lengths from 0 to 0.1 m, in 10 s, as in the papers; the library's Stanford arms make
    the papers' other move.

    Raises `InputError` for wrong sizes, numbers and columns, and for gaps (a step above ten times the median), and
    `LimitError` for a module whose `inverse_dynamics` takes gravity or wrenches.
    """
    module = module_of(robot, FUNCTIONS)
    if motion is None:
        return _follow_cycloid(module, start, end, duration, SAMPLES if samples is None else samples)
    others = {"start": start, "end": end, "duration": duration, "samples": samples}
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise InputError(f"motion and {given[0]} exclude each other: a sampled motion says where it goes, and when")
    return _follow_samples(module, motion)


def _follow_samples(module: DynamicsModule, motion: object) -> Trajectory:
    inverse_dynamics = checks.function_of_state(module, "inverse_dynamics", "q", "qd", "qdd")
    given = history("motion", motion, module.joints, MOTION)
    given.check_gaps("fill it in, or follow the parts before and after it apart")
    values = dict(given.values)
    derived = tuple(name for name in MOTION.optional if name not in values)
    if "qd" in derived:
        values["qd"] = rate(given, "q", 1)
    if "qdd" in derived:
        values["qdd"] = rate(given, "q", 2) if "qd" in derived else rate(given, "qd", 1)
    q, qd, qdd = (values[name] for name in ("q", "qd", "qdd"))
    tau = np.asarray(inverse_dynamics(q, qd, qdd), dtype=float)
    if not np.isfinite(tau).all():
        row = int(np.argwhere(~np.isfinite(tau))[0, 0])
        raise InputError(
            f"{given.source}, {given.table.place(row)}: the joint forces there are not finite; the motion is too fast"
        )
    return Trajectory(module.name, module.joints, given.t, q, qd, tau, qdd, law="sampled", derived=derived)


def _follow_cycloid(
    module: DynamicsModule, start: object, end: object, duration: object, samples: object
) -> Trajectory:
    inverse_dynamics = checks.function_of_state(module, "inverse_dynamics", "q", "qd", "qdd")
    usual = usual_move(module.record)
    period = usual.duration if duration is None else checks.duration(duration)
    first = checks.joint_vector("start", usual.start if start is None else start, module.joints)
    last = checks.joint_vector("end", usual.end if end is None else end, module.joints)
    times = np.linspace(0.0, period, checks.samples(samples))
    q, qd, qdd = cycloid(times, first, last, period)
    tau = np.asarray(inverse_dynamics(q, qd, qdd), dtype=float)
    return Trajectory(module.name, module.joints, times, q, qd, tau, qdd)
