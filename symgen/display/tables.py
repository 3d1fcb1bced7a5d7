"""Tables for the terminal: how all of them look."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.style import StyleType
from rich.table import Table
from rich.text import Text

from symgen.display.markup import Grid


class TitledTable(Table):
    """A table below its title and above notes, which may be wider than the table.

    Its cells wrap between words only, if at all.
    """

    def __init__(self, heading: str, notes: Sequence[str] = ()) -> None:
        super().__init__(header_style="bold")
        self.heading, self.notes = heading, notes

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.heading, style="italic")
        yield from super().__rich_console__(console, options)
        yield from map(Text, self.notes)

    def add_row(self, *cells: RenderableType | None, style: StyleType | None = None, end_section: bool = False) -> None:
        """Add a row, and make its columns as wide as its words."""
        super().add_row(*cells, style=style, end_section=end_section)
        for column, cell in zip(self.columns, cells, strict=False):
            text = str(cell or "")
            words = [text] if column.no_wrap else text.split()
            column.min_width = max(column.min_width or 0, *map(cell_len, words), 0)


def new_table(title: str, *columns: str, left: int = 1, notes: Sequence[str] = ()) -> TitledTable:
    """A table whose first columns are words and may wrap; the others are numbers, which never do."""
    table = TitledTable(title, notes)
    for index, column in enumerate(columns):
        words = index < left
        least = max(map(cell_len, column.split()), default=0) if words else cell_len(column)
        table.add_column(
            column, justify="left" if words else "right", overflow="fold", no_wrap=not words, min_width=least
        )
    return table


def grid_table(grid: Grid, leads: Callable[[Sequence[str]], bool] = lambda row: False) -> TitledTable:
    """A table of plain text for the terminal; a row that `leads` begins a section, in bold."""
    table = new_table(grid.title, *grid.columns, left=grid.words, notes=grid.notes)
    for row in grid.rows:
        if leads(row):
            table.add_section()
        table.add_row(*row, style="bold" if leads(row) else None)
    return table


def numbers(values: NDArray[np.float64]) -> str:
    """Numbers at a glance: rounded to four decimals, without minus zero."""
    return " ".join(f"{value + 0.0:g}" for value in np.round(values, 4) + 0.0)
