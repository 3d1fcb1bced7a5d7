"""Tables for the terminal: how all of them look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.style import StyleType
from rich.table import Table
from rich.text import Text

from symgen.markup import Grid


class TitledTable(Table):
    """A table below its title, which may be wider than the table. Its cells wrap between words only, if at all."""

    def __init__(self, heading: str) -> None:
        super().__init__(header_style="bold")
        self.heading = heading

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.heading, style="italic")
        yield from super().__rich_console__(console, options)

    def add_row(self, *cells: RenderableType | None, style: StyleType | None = None, end_section: bool = False) -> None:
        """Add a row, and make its columns as wide as its words."""
        super().add_row(*cells, style=style, end_section=end_section)
        for column, cell in zip(self.columns, cells, strict=False):
            text = str(cell or "")
            words = [text] if column.no_wrap else text.split()
            column.min_width = max(column.min_width or 0, *map(cell_len, words), 0)


def new_table(title: str, *columns: str, left: int = 1) -> TitledTable:
    """A table whose first columns are words and may wrap; the others are numbers, which never do."""
    table = TitledTable(title)
    for index, column in enumerate(columns):
        words = index < left
        least = max(map(cell_len, column.split()), default=0) if words else cell_len(column)
        table.add_column(
            column, justify="left" if words else "right", overflow="fold", no_wrap=not words, min_width=least
        )
    return table


def noted(grid: Grid, *notes: str) -> RenderableType:
    """A table of plain text with lines below it."""
    return Group(grid_table(grid), *map(Text, notes))


def grid_table(grid: Grid) -> TitledTable:
    """A table of plain text for the terminal."""
    table = new_table(grid.title, *grid.columns, left=grid.words)
    for row in grid.rows:
        table.add_row(*row)
    return table


def numbers(values: NDArray[np.float64]) -> str:
    """Numbers at a glance: rounded to four decimals, without minus zero."""
    return " ".join(f"{value + 0.0:g}" for value in np.round(values, 4) + 0.0)
