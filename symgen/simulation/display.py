"""What the command line says of motions: tables for people, plain data (for JSON) for programs."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from symgen.display.tables import new_table
from symgen.simulation.results import Simulation, Trajectory


def trajectory_view(trajectory: Trajectory) -> RenderableType:
    """Joint × (start, end, least and greatest force with their times), and which rates were derived."""
    table = new_table(
        f"{trajectory.robot}: joint forces along a {trajectory.law} motion of {_duration(trajectory):g} s",
        *("joint", "from", "to", "", "least", "at (s)", "greatest", "at (s)", ""),
    )
    for joint, peak in zip(trajectory.joints, _peaks(trajectory), strict=True):
        table.add_row(
            joint.name,
            *(f"{peak[key]:.4g}" for key in ("from", "to")),
            joint.position_unit,
            *(f"{peak[key]:.5g}" for key in ("least", "at_least", "greatest", "at_greatest")),
            joint.force_unit,
        )
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
        "joints": [
            {"name": joint.name, **peak, "position_unit": joint.position_unit, "force_unit": joint.force_unit}
            for joint, peak in zip(trajectory.joints, _peaks(trajectory), strict=True)
        ],
    }


def _duration(trajectory: Trajectory) -> float:
    return float(trajectory.t[-1] - trajectory.t[0])


def _peaks(trajectory: Trajectory) -> list[dict[str, float]]:
    least, greatest = trajectory.tau.argmin(axis=0), trajectory.tau.argmax(axis=0)
    return [
        {
            "from": float(q[0]),
            "to": float(q[-1]),
            "least": float(tau[low]),
            "at_least": float(trajectory.t[low]),
            "greatest": float(tau[high]),
            "at_greatest": float(trajectory.t[high]),
        }
        for q, tau, low, high in zip(trajectory.q.T, trajectory.tau.T, least, greatest, strict=True)
    ]


_JOINED = {"cubic": "joined by a cubic spline", "linear": "joined by lines", "hold": "each held until the next"}


def simulation_view(simulation: Simulation) -> RenderableType:
    """Joint × (first and last position, last velocity), and what the integrator did."""
    table = new_table(
        f"{simulation.robot}: motion from t = 0 to {simulation.t[-1]:g} s",
        *("joint", "first position", "last position", "", "last velocity", ""),
    )
    for joint, q, qd in zip(simulation.joints, simulation.q.T, simulation.qd.T, strict=True):
        positions = (f"{q[0]:.6g}", f"{q[-1]:.6g}", joint.position_unit)
        table.add_row(joint.name, *positions, f"{qd[-1]:.6g}", joint.velocity_unit)
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
        "joints": [
            {"name": joint.name, "position_unit": joint.position_unit, "velocity_unit": joint.velocity_unit}
            for joint in simulation.joints
        ],
        "first": {"q": simulation.q[0].tolist(), "qd": simulation.qd[0].tolist()},
        "last": {"q": simulation.q[-1].tolist(), "qd": simulation.qd[-1].tolist()},
        "largest_drift": None if drift is None else float(np.abs(drift).max()),
    }
