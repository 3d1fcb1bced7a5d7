"""What the command line says of motions: tables for people, plain data (for JSON) for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from symgen.display.tables import new_table
from symgen.simulation.results import Floats, Simulation, Trajectory

Motion = Trajectory | Simulation


def trajectory_view(trajectory: Trajectory) -> RenderableType:
    """Joint × (start, end, least and greatest force with their times), and which rates were derived."""
    table = new_table(
        f"{trajectory.robot}: joint forces along a {trajectory.law} motion of {_duration(trajectory):g} s",
        *_columns(trajectory, ("from", "to", ""), ("least", "at (s)", "greatest", "at (s)", "")),
    )
    ends, peaks = _ends(trajectory), _peaks(trajectory)
    for q, v in trajectory.record.pairs:
        way = [""] * 3 if q is None else [*(f"{end:.4g}" for end in ends[q].values()), trajectory.positions[q].unit]
        forces = [""] * 5 if v is None else [*(f"{x:.5g}" for x in peaks[v].values()), trajectory.joints[v].force_unit]
        table.add_row(*_cells(trajectory, q, v, way, forces))
    if not trajectory.derived:
        return table
    return Group(table, Text(f"{' and '.join(trajectory.derived)} derived from quintic splines through the samples"))


def trajectory_summary(trajectory: Trajectory) -> dict[str, Any]:
    """What `symgen plot --json` prints."""
    return {
        "robot": trajectory.robot,
        "motion": trajectory.law,
        "derived": list(trajectory.derived),
        "duration": _duration(trajectory),
        "samples": len(trajectory.t),
        "positions": [
            {"name": position.name, **ends, "unit": position.unit}
            for position, ends in zip(trajectory.positions, _ends(trajectory), strict=True)
        ],
        "joints": [
            {"name": joint.name, **ends, **peak, "position_unit": joint.position_unit, "force_unit": joint.force_unit}
            for joint, ends, peak in zip(
                trajectory.joints, _ends_of_joints(trajectory), _peaks(trajectory), strict=True
            )
        ],
    }


def _columns(motion: Motion, of_position: Sequence[str], of_joint: Sequence[str]) -> list[str]:
    """Heads of a table: what is said of entries of q and of joints, which have names of their own if some are free."""
    first, second = (["entry of q"], ["joint"]) if not motion.record.is_plain else (["joint"], [])
    return [*first, *of_position, *second, *of_joint]


def _cells(
    motion: Motion, q: int | None, v: int | None, of_position: Sequence[str], of_joint: Sequence[str]
) -> list[str]:
    """A row below these heads."""
    position = "" if q is None else motion.positions[q].name
    joint = "" if v is None else motion.joints[v].name
    return [position, *of_position, *([] if motion.record.is_plain else [joint]), *of_joint]


def _ends(trajectory: Trajectory) -> list[dict[str, float]]:
    return [{"from": float(q[0]), "to": float(q[-1])} for q in trajectory.q.T]


def _duration(trajectory: Trajectory) -> float:
    return float(trajectory.t[-1] - trajectory.t[0])


def _ends_of_joints(trajectory: Trajectory) -> list[dict[str, float]]:
    """The ends beside the joints; nothing where free joints have others than there are joints."""
    return _ends(trajectory) if trajectory.record.is_plain else [{}] * len(trajectory.joints)


def _peaks(trajectory: Trajectory) -> list[dict[str, float]]:
    least, greatest = trajectory.tau.argmin(axis=0), trajectory.tau.argmax(axis=0)
    return [
        {
            "least": float(tau[low]),
            "at_least": float(trajectory.t[low]),
            "greatest": float(tau[high]),
            "at_greatest": float(trajectory.t[high]),
        }
        for tau, low, high in zip(trajectory.tau.T, least, greatest, strict=True)
    ]


_JOINED = {"cubic": "joined by a cubic spline", "linear": "joined by lines", "hold": "each held until the next"}


def simulation_view(simulation: Simulation) -> RenderableType:
    """Joint × (first and last position, last velocity), and what the integrator did."""
    table = new_table(
        f"{simulation.robot}: motion from t = 0 to {simulation.t[-1]:g} s",
        *_columns(simulation, ("first position", "last position", ""), ("last velocity", "")),
    )
    for q, v in simulation.record.pairs:
        ends = ("", "", "") if q is None else (*_first_and_last(simulation.q[:, q]), simulation.positions[q].unit)
        last = ("", "") if v is None else (f"{simulation.qd[-1, v]:.6g}", simulation.joints[v].velocity_unit)
        table.add_row(*_cells(simulation, q, v, ends, last))
    line = (
        ""
        if simulation.interpolation is None
        else f"samples of the joint forces: {_JOINED[simulation.interpolation]}\n"
    )
    line += f"{simulation.method}: {simulation.evaluations} calls of forward_dynamics"
    if simulation.drift is not None:
        beyond = " beyond the work of the joint forces" if simulation.tau.any() else ""
        line += f"; energy changes by {np.abs(simulation.drift).max():.1e} J at most{beyond}"
    return Group(table, line)


def _first_and_last(values: Floats) -> tuple[str, str]:
    return f"{values[0]:.6g}", f"{values[-1]:.6g}"


def simulation_summary(simulation: Simulation) -> dict[str, Any]:
    """What `symgen simulate --json` prints."""
    drift = simulation.drift
    return {
        "robot": simulation.robot,
        "duration": float(simulation.t[-1]),
        "samples": len(simulation.t),
        "method": simulation.method,
        "rtol": simulation.rtol,
        "atol": simulation.atol,
        "interpolation": simulation.interpolation,
        "evaluations": simulation.evaluations,
        "positions": [{"name": position.name, "unit": position.unit} for position in simulation.positions],
        "joints": [
            {"name": joint.name, "position_unit": joint.position_unit, "velocity_unit": joint.velocity_unit}
            for joint in simulation.joints
        ],
        "first": {"q": simulation.q[0].tolist(), "qd": simulation.qd[0].tolist()},
        "last": {"q": simulation.q[-1].tolist(), "qd": simulation.qd[-1].tolist()},
        "largest_drift": None if drift is None else float(np.abs(drift).max()),
    }
