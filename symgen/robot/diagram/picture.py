"""The graph of a robot as a picture: links as boxes, joints as lines, cut joints as dashed lines between two links."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from symgen.display.pictures import BLUE, GREY, VERMILION, Picture, style
from symgen.errors import LimitError
from symgen.robot.diagram.layout import BOX, LEVEL, Layout, Place, cut_label, joint_lines, layout
from symgen.robot.model import BASE, Robot
from symgen.robot.outline import independent_joints, link_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST = 4000
"""Square inches of the largest picture."""

_SIZE, _SMALL = 9, 8
"""Of names and of what stands beside, in points."""

_MARGIN, _TOP, _NOTES = 0.3, 0.7, 0.2
"""Around the graph, above it, and for each line below it, in inches."""

_PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1.2}


def graph_picture(robot: Robot) -> Picture:
    """The picture; `LimitError` for robots whose picture would be too large."""
    from matplotlib.figure import Figure

    with style():
        placed = layout(robot, _width)
        notes = list(_notes(robot))
        title = f"{robot.name}: {_counts(robot)}"
        wide = max(placed.right - placed.left, _width(title) * 1.25, *(_width(text) for text, _ in notes)) + 2 * _MARGIN
        below = _MARGIN + _NOTES * len(notes)
        high = _TOP + BOX / 2 - placed.lowest + below
        if wide * high > LARGEST:
            raise LimitError(f"{robot.name}: its graph is too large for a picture; symgen info shows it as text")
        figure = Figure(figsize=(wide, high))
        axes = figure.add_axes((0, 0, 1, 1))
        left = (placed.left + placed.right - wide) / 2
        axes.set(xlim=(left, left + wide), ylim=(placed.lowest - below, _TOP + BOX / 2))
        axes.set_axis_off()
        axes.text(left + wide / 2, _TOP - 0.12, title, ha="center", va="center", fontsize=11)
        _draw(axes, robot, placed)
        for number, (text, colour) in enumerate(notes):
            y = placed.lowest - _MARGIN - _NOTES * (number + 0.3)
            axes.text(left + _MARGIN, y, text, color=colour, fontsize=_SMALL, va="center")
    return Picture(figure)


@cache
def _width(text: str) -> float:
    """The width of a name, in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=_SIZE), ismath=False)
    return float(width) / 72


def _counts(robot: Robot) -> str:
    joints = f"{len(robot.joints)} joints"
    if not robot.has_loops:
        return f"{joints}, {robot.nv} coordinates"
    cuts = f" and {len(robot.cut_joints)} cut" if robot.cut_joints else ""
    return f"{joints}{cuts}, {len(robot.actuated)} of {robot.nv} coordinates independent"


def _notes(robot: Robot) -> Iterator[tuple[str, str]]:
    """(text, colour) of the lines below the graph."""
    if not robot.has_loops:
        return
    yield "independent joints", BLUE
    yield "joints that follow from them", GREY
    if robot.cut_joints:
        yield "cut joints, which tie two links", VERMILION
    for each in robot.couplings:
        total = " + ".join(f"{ratio} {name}" if ratio != 1 else name for name, ratio in each.terms)
        yield f"{each.name}: {total} = {each.offset}", VERMILION


def _draw(axes: Axes, robot: Robot, placed: Layout) -> None:
    independent = independent_joints(robot)
    for cut, way in zip(robot.cut_joints, placed.ways, strict=True):
        axes.plot(*zip(*way, strict=True), color=VERMILION, linestyle=(0, (4, 2)), linewidth=1.4, zorder=1)
        middle = len(way) // 2
        x, y = ((way[middle - 1][k] + way[middle][k]) / 2 for k in (0, 1))
        _label(axes, x, y - 0.12, cut_label(cut), VERMILION)
    for index, link in enumerate(robot.links):
        colour = BLUE if link.joint.name in independent else GREY
        _joint(axes, placed.places[link.parent], placed.places[index], colour, moves=bool(link.joint.nv))
    for index in range(len(robot.links)):
        place, joint = placed.places[index], robot.links[index].joint
        colour = BLUE if joint.name in independent else GREY
        name, kind = joint_lines(robot, index)
        # Of a joint that does not move the kind says all.
        lines = f"{name}\n{kind}" if joint.nv else kind
        _label(axes, place.x, place.y + BOX / 2 + (LEVEL - BOX) * 0.42, lines, colour)
    for index, place in placed.places.items():
        _box(axes, place, link_name(robot, index), is_base=index == BASE)


def _joint(axes: Axes, parent: Place, child: Place, colour: str, *, moves: bool) -> None:
    """The line from a link to one that it carries: down, across and down again."""
    turn = parent.y - BOX / 2 - 0.1
    xs, ys = (parent.x, parent.x, child.x, child.x), (parent.y - BOX / 2, turn, turn, child.y + BOX / 2)
    axes.plot(xs, ys, color=colour, linewidth=1.6 if moves else 0.8, zorder=2, solid_joinstyle="round")


def _label(axes: Axes, x: float, y: float, text: str, colour: str) -> None:
    axes.text(x, y, text, color=colour, fontsize=_SMALL, ha="center", va="center", bbox=_PAPER, zorder=3)


def _box(axes: Axes, place: Place, text: str, *, is_base: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    shape: Any = (place.x - place.width / 2 + 0.04, place.y - BOX / 2 + 0.04)
    axes.add_patch(
        FancyBboxPatch(
            shape,
            place.width - 0.08,
            BOX - 0.08,
            boxstyle="round,pad=0.04",
            facecolor="#e4e4e4" if is_base else "white",
            edgecolor="#404040",
            linewidth=1.0,
            zorder=4,
        )
    )
    axes.text(place.x, place.y, text, fontsize=_SIZE, ha="center", va="center_baseline", zorder=5)
