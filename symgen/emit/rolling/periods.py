"""Stretches of a sequence that repeat themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

SHORTEST = 12
"""Periods are not shorter than this, but where a stretch with such a period repeats itself sooner."""

TIMES = 3
"""Stretches are repeated at least so often."""


class Stretch(NamedTuple):
    """Positions from `start` up to `stop` at which a sequence repeats itself with a period."""

    start: int
    stop: int
    period: int

    @property
    def times(self) -> int:
        """The number of whole periods."""
        return (self.stop - self.start) // self.period


def stretches(sequence: Sequence[int]) -> list[Stretch]:
    """The stretches whose repetition saves most, none overlapping, in order."""
    values = np.asarray(sequence)
    found: list[Stretch] = []
    open_ = [(0, len(values))]
    while open_:
        start, stop = open_.pop()
        best = _best(values[start:stop])
        if best is not None:
            best = Stretch(start + best.start, start + best.stop, best.period)
            found.append(best)
            open_ += [(start, best.start), (best.stop, stop)]
    return sorted(found)


def _best(values: np.ndarray) -> Stretch | None:
    """The stretch that saves most positions; of several, that with the shortest period."""
    best, most = None, 0
    for period in range(SHORTEST, len(values) // TIMES + 1):
        same = np.concatenate([[False], values[period:] == values[:-period], [False]])
        edges = np.flatnonzero(same[1:] != same[:-1]).reshape(-1, 2)
        for first, last in edges[np.diff(edges)[:, 0] >= (TIMES - 1) * period]:
            times = int(last - first) // period + 1
            if (times - 1) * period > most:
                best, most = Stretch(int(first), int(last) + period, period), (times - 1) * period
    return None if best is None else best._replace(period=_shortest(values[best.start : best.stop], best.period))


def _shortest(values: np.ndarray, period: int) -> int:
    """The shortest period of values that have this one."""
    return next(
        (shorter for shorter in range(1, SHORTEST) if np.array_equal(values[shorter:], values[:-shorter])), period
    )
