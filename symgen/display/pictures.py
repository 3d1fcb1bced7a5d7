"""Pictures, drawn with matplotlib's figures alone: no window, no global state, the same bytes every time."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from symgen.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")
"""File formats of pictures."""

BLUE, GREEN, VERMILION, GREY = "#0072B2", "#009E73", "#D55E00", "#555555"
"""Three of Okabe and Ito's colours, which colour-blind people tell apart, and a grey."""

_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#808080",
    "axes.formatter.limits": (-3, 4),
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9,
    "axes.xmargin": 0.0,
    "figure.labelsize": 9,
    "figure.titlesize": 11,
    "grid.color": "#e4e4e4",
    "pdf.fonttype": 42,
    "svg.hashsalt": "symgen",
    "text.parse_math": False,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}

_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What would make the bytes depend on the day, or name matplotlib's version."""


class Picture:
    """A drawn figure, which notebooks show."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure

    def content(self, format: str = "png") -> bytes:
        """The bytes of a file in one of `FORMATS`; `InputError` for any other."""
        if format not in FORMATS:
            raise InputError(f"unknown picture format {format!r}; there are: {', '.join(FORMATS)}"[:200])
        stream = io.BytesIO()
        with style():
            self.figure.savefig(stream, format=format, dpi=150, metadata=_METADATA[format])
        return stream.getvalue()

    def _repr_svg_(self) -> str:
        return self.content("svg").decode()


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Our style alone, whatever the user's settings of matplotlib are."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield
