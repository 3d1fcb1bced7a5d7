"""Horizontal bars of operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symgen.display.pictures import BLUE, GREEN, Picture, style

_BAR, _GAP, _TOP, _BOTTOM, _WIDTH, _LABELS = 0.26, 0.5, 0.55, 0.55, 8.0, 3.4
"""Heights and widths in inches."""


def bars(title: str, panels: Mapping[str, Sequence[tuple[str, int, int]]]) -> Picture:
    """One panel for each entry: (label, multiplications and divisions, additions), the first on top."""
    from matplotlib.figure import Figure

    heights = [len(rows) * _BAR for rows in panels.values()]
    high = _TOP + sum(heights) + _GAP * len(heights) + _BOTTOM
    largest = max(mul + add for rows in panels.values() for _, mul, add in rows)
    with style():
        figure = Figure(figsize=(_WIDTH, high))
        top = high - _TOP
        for (name, rows), height in zip(panels.items(), heights, strict=True):
            top -= _GAP / 2
            axes = figure.add_axes(
                (_LABELS / _WIDTH, (top - height) / high, 1 - (_LABELS + 0.7) / _WIDTH, height / high)
            )
            top -= height + _GAP / 2
            places = range(len(rows))
            muls, adds = [row[1] for row in rows], [row[2] for row in rows]
            axes.barh(places, muls, color=BLUE, height=0.7, label="multiplications and divisions")
            axes.barh(places, adds, left=muls, color=GREEN, height=0.7, label="additions")
            for place, (mul, add) in enumerate(zip(muls, adds, strict=True)):
                axes.text(mul + add + 0.01 * largest, place, str(mul + add), va="center", fontsize=8)
            axes.set_yticks(list(places), [row[0] for row in rows])
            axes.set_title(name)
            axes.set_xlim(0, 1.02 * largest)
            axes.invert_yaxis()
            axes.grid(axis="y", visible=False)
        figure.axes[0].legend(loc="lower right", fontsize=8, frameon=False)
        figure.suptitle(title, y=1 - 0.12 / high)
    return Picture(figure)
