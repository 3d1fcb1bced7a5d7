"""Pictures of a benchmark: nanoseconds beside other libraries'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symgen.bench.harness import BATCH, PYTHON, SINGLE
from symgen.bench.report import BenchResult, RobotResult, number_text
from symgen.display.pictures import BLUE, FORMATS, GREEN, Picture, style
from symgen.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GREY, _VERMILION, _YELLOW = "#999999", "#D55E00", "#E69F00"
_COLOURS = (BLUE, GREEN, _VERMILION, _YELLOW, _GREY)
_BAR, _GROUP_GAP, _ABOVE, _TOP, _BOTTOM, _WIDTH, _LABELS = 0.2, 0.15, 0.6, 0.35, 0.5, 8.0, 2.6
"""Heights and widths in inches."""


def check_format(format: str) -> None:
    """`InputError` unless pictures can be written in this format."""
    if format not in FORMATS:
        raise InputError(f"unknown picture format {format!r}; there are: {', '.join(FORMATS)}"[:200])


def bench_picture(result: BenchResult) -> Picture:
    """Bars of every robot: single calls from C and from Python, and batches of one thread."""
    panels = [
        Panel(f"{robot.robot}, {robot.joints} joints, {robot.model}: {how}", list(_groups(robot, how)))
        for robot in result.robots
        for how in (SINGLE, BATCH, PYTHON)
    ]
    return speed_picture("nanoseconds per state", panels)


def _groups(robot: RobotResult, how: str) -> Iterator[tuple[str, list[Bar]]]:
    found = [e for e in robot.samples if e.contender.how == how and e.contender.threads == 1]
    for function in dict.fromkeys(each.contender.function for each in found):
        bars = [Bar(e.contender.peer, e.median, e.low, e.high) for e in found if e.contender.function == function]
        yield function, bars


@dataclass(frozen=True)
class Bar:
    """A median with its quartiles, in nanoseconds."""

    peer: str
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Panel:
    """Groups of bars, (label, bars), under a title."""

    title: str
    groups: Sequence[tuple[str, Sequence[Bar]]]

    @property
    def height(self) -> float:
        """In inches."""
        return sum(len(bars) * _BAR + _GROUP_GAP for _, bars in self.groups)


def speed_picture(title: str, panels: Sequence[Panel]) -> Picture:
    """One panel below the other, on a common logarithmic scale; whiskers are quartiles."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    peers = list(dict.fromkeys(bar.peer for panel in panels for _, bars in panel.groups for bar in bars))
    colours = {peer: _COLOURS[k % len(_COLOURS)] for k, peer in enumerate(peers)}
    every = [bar.median for panel in panels for _, bars in panel.groups for bar in bars]
    high = _TOP + sum(panel.height + _ABOVE for panel in panels) + _BOTTOM
    with style():
        figure = Figure(figsize=(_WIDTH, high))
        top = high - _TOP
        for panel in panels:
            top -= panel.height + _ABOVE
            place = (
                _LABELS / _WIDTH,
                (top + _ABOVE / 2 - 0.05) / high,
                1 - (_LABELS + 0.8) / _WIDTH,
                panel.height / high,
            )
            axes = figure.add_axes(place)
            _draw(axes, panel, colours)
            axes.set_xlim(min(every) / 1.5, max(every) * 1.5)
        handles = [Patch(color=colours[peer], label=peer) for peer in peers]
        figure.legend(handles=handles, loc="upper right", ncols=len(peers), fontsize=8, frameon=False)
        figure.supxlabel("nanoseconds per state, logarithmic", y=0.1 / high)
        figure.suptitle(title, x=0.02, y=1 - 0.1 / high, ha="left")
    return Picture(figure)


def _draw(axes: Axes, panel: Panel, colours: dict[str, str]) -> None:
    place, ticks = 0.0, []
    for label, bars in panel.groups:
        ticks.append((place + (len(bars) - 1) * _BAR / 2, label))
        for bar in bars:
            spread = [[bar.median - bar.low], [bar.high - bar.median]]
            axes.barh(place, bar.median, height=0.9 * _BAR, color=colours[bar.peer])
            axes.errorbar(bar.median, place, xerr=spread, color="#333333", linewidth=0.8)
            axes.annotate(
                number_text(bar.median), (bar.high, place), (3, 0), textcoords="offset points", va="center", fontsize=7
            )
            place += _BAR
        place += _GROUP_GAP
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    axes.set_yticks([at for at, _ in ticks], [label for _, label in ticks])
    axes.set_ylim(place - _GROUP_GAP - _BAR / 2 + 0.02, -_BAR / 2 - 0.02)
    axes.set_title(panel.title)
    axes.grid(axis="y", visible=False)
