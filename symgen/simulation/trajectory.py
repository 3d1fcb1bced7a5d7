"""The cycloidal law of the papers, and the joint forces along it (Saha, recursive dynamics algorithms, section 2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from symgen.derive.records import record
from symgen.errors import InputError
from symgen.program.module import Record
from symgen.robot import library
from symgen.robot.model import Robot
from symgen.runtime.module import DynamicsModule
from symgen.simulation import checks
from symgen.simulation.histories import MOTION, history
from symgen.simulation.loops import closed_along, closed_from, module_for
from symgen.simulation.moves import cycloid as cycloid
from symgen.simulation.moves import moved
from symgen.simulation.results import Trajectory
from symgen.simulation.splines import rate

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Move:
    """A move from rest to rest: q at its `start` and `end`, its `duration` in s."""

    start: Sequence[float]
    end: Sequence[float]
    duration: float


_STANFORD = Move((0, np.pi / 2, 0, 0, 0, 0), (np.pi / 3, np.pi / 3, 0.1, np.pi / 3, np.pi / 3, np.pi / 3), 10.0)

PUBLISHED = dict.fromkeys(("stanford", "stanford_1999"), _STANFORD)
"""Library robot → its move in the papers, where it is not the usual one (Saha, section 2.5.2)."""


def usual_move(robot: Record) -> Move:
    """The move of a robot for which nobody has said another.

    Angles go from 0 to π, lengths from 0 to 0.1 m, in 10 s: the setting of the papers' PUMA and planar arms, and of
    their prismatic joint. Free joints stay where they are. The library's Stanford arms make the papers' move.
    """
    published = PUBLISHED.get(robot.robot)
    if published and robot == record(library.load(robot.robot)):
        return published
    end = [position.neutral + position.move for position in robot.positions]
    return Move(robot.neutral, end, 10.0)


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
    the velocities if these are there; it is not a knot at the ends, and needs six samples. Of robots with loops `q` is
    the tree's, and the other rates are of independent joints; what closes the loops next to each sample is followed.

    Without `motion` it is the cycloidal move of the papers (`cycloid`), at `samples` (201) equidistant times. It goes
    from rest at `start` to rest at `end`, vectors (n,) in rad or m, in `duration` (s). The usual move, where none is
    said: angles go from 0 to π, lengths from 0 to 0.1 m, in 10 s, as in the papers; the library's Stanford arms make
    the papers' other move.

    Raises `InputError` for wrong sizes, numbers and columns, and for gaps (a step above ten times the median), and
    `LimitError` for a module whose `inverse_dynamics` takes gravity or wrenches.
    """
    module = module_for(robot, FUNCTIONS)
    if motion is None:
        return _follow_cycloid(module, start, end, duration, SAMPLES if samples is None else samples)
    others = {"start": start, "end": end, "duration": duration, "samples": samples}
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise InputError(f"motion and {given[0]} exclude each other: a sampled motion says where it goes, and when")
    return _follow_samples(module, motion)


def _follow_samples(module: DynamicsModule, motion: object) -> Trajectory:
    inverse_dynamics = checks.function_of_state(module, "inverse_dynamics", "q", "qd", "qdd")
    given = history("motion", motion, module.record, MOTION)
    given.check_gaps("fill it in, or follow the parts before and after it apart")
    values = dict(given.values)
    derived = tuple(name for name in MOTION.optional if name not in values)
    if "qd" in derived and module.record.free:
        free = ", ".join(joint.name for joint in module.record.free)
        raise InputError(
            f"{given.source}: the columns qd1 to qd{module.nv} are missing; velocities of free joints ({free}) are not "
            "the rates of q and are not derived from it: add them"
        )
    own = list(module.record.independent) if module.record.loops else slice(None)
    if "qd" in derived:
        values["qd"] = rate(given, "q", 1)[:, own]
    if "qdd" in derived:
        values["qdd"] = rate(given, "q", 2)[:, own] if "qd" in derived else rate(given, "qd", 1)
    q, qd, qdd = (values[name] for name in ("q", "qd", "qdd"))
    if module.record.loops:
        q, status = module.assemble(q[:, own], q)
        if status.any():
            row = int(np.argmax(status != 0))
            raise InputError(
                f"{given.source}, {given.table.place(row)}: the loops do not close near these positions, at those of "
                "the independent joints"
            )
    tau = np.asarray(inverse_dynamics(q, qd, qdd), dtype=float)
    if not np.isfinite(tau).all():
        row = int(np.argwhere(~np.isfinite(tau))[0, 0])
        raise InputError(
            f"{given.source}, {given.table.place(row)}: the joint forces there are not finite; the motion is too fast"
        )
    return Trajectory(module.name, module.record, given.t, q, qd, tau, qdd, law="sampled", derived=derived)


def _follow_cycloid(
    module: DynamicsModule, start: object, end: object, duration: object, samples: object
) -> Trajectory:
    inverse_dynamics = checks.function_of_state(module, "inverse_dynamics", "q", "qd", "qdd")
    usual = usual_move(module.record)
    period = usual.duration if duration is None else checks.duration(duration)
    first = checks.configuration("start", usual.start if start is None else start, module.record)
    last = checks.configuration("end", usual.end if end is None else end, module.record)
    times = np.linspace(0.0, period, checks.samples(samples))
    if module.record.loops:
        first = closed_from("start", module, first)
    q, qd, qdd = moved(module.record, times, first, last, period)
    if module.record.loops:
        q = closed_along(module, module.record.independent, q[:, list(module.record.independent)], first)
        if not np.isfinite(q).all():
            until = times[int(np.argwhere(~np.isfinite(q))[0, 0])]
            raise InputError(
                f"{module.name}: the loops do not close beyond t = {until:.6g} s of this move: a singular posture, or "
                "the end of what they can reach; give an end that is nearer"
            )
    tau = np.asarray(inverse_dynamics(q, qd, qdd), dtype=float)
    return Trajectory(module.name, module.record, times, q, qd, tau, qdd)
