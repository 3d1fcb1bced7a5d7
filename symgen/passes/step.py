"""A line of the report of the passes."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.program.counts import Counts


@dataclass(frozen=True)
class Step:
    """One line of the report: the group, whether its result was taken, and the counts after it."""

    group: str
    taken: bool
    counts: Counts
