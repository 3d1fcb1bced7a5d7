"""Pictures of motions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from symgen.display.pictures import BLUE, GREEN, GREY, VERMILION, Picture, style
from symgen.simulation.results import Simulation, Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Panel:
    """A curve over time, with what stands above it and the unit beside it."""

    title: str
    unit: str
    values: Floats
    colour: str


def torques_picture(trajectory: Trajectory) -> Picture:
    """The joint forces of a trajectory over time, with a panel for each joint."""
    panels = [
        _Panel(f"{joint.name} {joint.effort}", joint.force_unit, tau, BLUE)
        for joint, tau in zip(trajectory.joints, trajectory.tau.T, strict=True)
    ]
    title = f"{trajectory.robot}: joint {_forces(trajectory)} along the trajectory"
    return _picture(title, trajectory.t, panels, columns=1 if len(panels) < 4 else 2)


def simulation_picture(simulation: Simulation) -> Picture:
    """Positions and velocities of a simulation, its joint forces if there are any, and the drift of its energy."""
    panels: list[_Panel | None] = []
    driven = bool(simulation.tau.any())
    for q, v in simulation.record.pairs:
        panels.append(None if q is None else _position_panel(simulation, q))
        panels += [None] * (1 + driven) if v is None else _joint_panels(simulation, v)[: 1 + driven]
    last = None
    if simulation.drift is not None:
        last = _Panel(
            "energy beyond the work of the joint forces" if driven else "change of the energy",
            "J",
            simulation.drift,
            GREY,
        )
    title = f"{simulation.robot}: " + ("motion under joint forces" if driven else "free fall")
    return _picture(title, simulation.t, panels, columns=3 if driven else 2, last=last)


def _position_panel(simulation: Simulation, index: int) -> _Panel:
    position = simulation.positions[index]
    return _Panel(f"{position.name} position", position.unit, simulation.q[:, index], BLUE)


def _joint_panels(simulation: Simulation, index: int) -> list[_Panel]:
    """Of a joint's velocity and force."""
    joint = simulation.joints[index]
    return [
        _Panel(f"{joint.name} velocity", joint.velocity_unit, simulation.qd[:, index], GREEN),
        _Panel(f"{joint.name} {joint.effort}", joint.force_unit, simulation.tau[:, index], VERMILION),
    ]


def _forces(trajectory: Trajectory) -> str:
    words = sorted({joint.effort for joint in trajectory.joints}, reverse=True)
    return " and ".join(f"{word}s" for word in words)


_WIDTH, _HEIGHT = {1: 5.5, 2: 3.3, 3: 2.9}, 1.0
"""Of a panel, by the number of columns, in inches."""

_LEFT, _RIGHT, _TOP, _BOTTOM, _ABOVE, _TIMES, _UNIT, _BETWEEN = 0.8, 0.2, 0.6, 0.5, 0.4, 0.2, 0.55, 1.35
"""Margins, room above a panel, for the times below one, from a panel to its unit, and between columns, in inches.

Columns are so far apart that a unit stands nearer to its own panel than to the one on its left.
"""


def _picture(
    title: str, t: Floats, panels: Sequence[_Panel | None], *, columns: int, last: _Panel | None = None
) -> Picture:
    """Panels row by row over one time axis, None leaving a place empty; the `last` one has a row of its own.

    They are laid out by hand: matplotlib's engines take longer than the drawing.
    """
    from matplotlib.figure import Figure

    rows, width = -(-len(panels) // columns), _WIDTH[columns]
    below = _BOTTOM + (0 if last is None else _HEIGHT + _ABOVE + _TIMES)
    wide = _LEFT + columns * width + (columns - 1) * _BETWEEN + _RIGHT
    high = _TOP + rows * (_HEIGHT + _ABOVE) - _ABOVE + below
    with style():
        figure = Figure(figsize=(wide, high))
        sides = {"left": _LEFT / wide, "right": 1 - _RIGHT / wide}
        gaps = {"wspace": _BETWEEN / width, "hspace": _ABOVE / _HEIGHT}
        grid = figure.add_gridspec(rows, columns, top=1 - _TOP / high, bottom=below / high, **sides, **gaps)
        for index, panel in enumerate(panels):
            if panel is not None:
                timed = not any(panels[index + columns :: columns])
                _draw(figure.add_subplot(grid[divmod(index, columns)]), t, panel, timed=timed)
        if last is not None:
            row = figure.add_gridspec(1, 1, top=(_BOTTOM + _HEIGHT) / high, bottom=_BOTTOM / high, **sides)
            _draw(figure.add_subplot(row[0]), t, last, timed=True)
        for axes in figure.axes:
            axes.yaxis.set_label_coords(-_UNIT / (wide * axes.get_position().width), 0.5)
        figure.suptitle(title, y=1 - 0.1 / high)
        figure.supxlabel("time (s)", y=0.08 / high)
    return Picture(figure)


def _draw(axes: Axes, t: Floats, panel: _Panel, *, timed: bool) -> None:
    axes.plot(t, panel.values, color=panel.colour)
    axes.set_title(panel.title)
    axes.set_ylabel(panel.unit)
    axes.tick_params(axis="x", labelbottom=timed)
    axes.yaxis.set_offset_position("right")  # a power of ten, away from the title
