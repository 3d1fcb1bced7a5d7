"""Stretches of a sequence that repeat themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

SHORTEST = 12
"""Stretches are not shorter than `TIMES` times so many positions."""

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

    @property
    def is_long(self) -> bool:
        """Whether it is repeated often enough, and is worth a loop."""
        return self.times >= TIMES and self.stop - self.start >= TIMES * SHORTEST

    @property
    def rank(self) -> tuple[int, int, int]:
        """Stretches that save more come first; of several, that with the shortest period."""
        return (1 - self.times) * self.period, self.period, self.start


def stretches(sequence: Sequence[int]) -> list[Stretch]:
    """The stretches whose repetition saves most, none overlapping, in order.

    The time it takes grows with the length of the sequence times its logarithm.
    """
    waiting = [(found.rank, found) for found in _repetitions(np.asarray(sequence)) if found.is_long]
    heapify(waiting)
    taken = np.zeros(len(sequence) + 1, dtype=bool)
    chosen: list[Stretch] = []
    while waiting:
        _, best = heappop(waiting)
        covered = taken[best.start : best.stop]
        if not covered.any():
            taken[best.start : best.stop] = True
            chosen.append(best)
            continue
        for start, stop in _runs(~covered):
            part = Stretch(best.start + start, best.start + stop, best.period)
            if part.is_long:
                heappush(waiting, (part.rank, part))
    return sorted(chosen)


def _repetitions(values: np.ndarray) -> Iterator[Stretch]:
    """All stretches that repeat themselves at least three times and cannot be extended, by their shortest period.

    A window at least as long as the period comes again one period later, and not before: else the period would not be
    the shortest. So it is enough to look, among windows of every power of two, for the next that is the same. Windows
    are numbered such that equal ones have equal numbers, those twice as long by the numbers of their halves.
    """
    _, names = np.unique(values, return_inverse=True)
    width = 1
    while width < len(values):
        order = np.argsort(names, kind="stable")
        again = np.flatnonzero(names[order[1:]] == names[order[:-1]])
        distance = np.zeros(len(names), dtype=np.int64)
        distance[order[again]] = order[again + 1] - order[again]
        distance[(distance <= width // 2) | (distance > width)] = 0
        starts, stops = _steps(distance)
        periods = distance[starts]
        stops += width - 1 + periods
        often = (periods > 0) & (stops - starts >= TIMES * periods)
        yield from map(Stretch, starts[often].tolist(), stops[often].tolist(), periods[often].tolist())
        if len(names) <= width:
            return
        pairs = names[:-width] * len(values) + names[width:]
        _, names = np.unique(pairs, return_inverse=True)
        width *= 2


def _steps(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where values are the same one after the other: starts and stops."""
    edges = np.flatnonzero(np.diff(values)) + 1
    return np.concatenate([[0], edges]), np.concatenate([edges, [len(values)]])


def _runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """Where flags are set one after the other: (start, stop)."""
    starts, stops = _steps(flags.astype(np.int8))
    return list(zip(starts[flags[starts]].tolist(), stops[flags[starts]].tolist(), strict=True))
