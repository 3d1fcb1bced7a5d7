"""Timing many things side by side: in rounds over all of them, disturbed blocks left out, medians and quartiles."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from symgen.errors import VerificationError

Floats = NDArray[np.float64]

SINGLE, BATCH, PYTHON, PYTHON_BATCH = "one call, C", "batch, C", "one call, Python", "batch, Python"
COLUMNS = "batch, C, columns"
"""How a function is called; C stands for C++ too."""

TOLERANCE = 1e-9
"""Relative to the largest entry of a state's result, beyond which a peer computes something else."""

QUIET = 1.12
"""A block counts if the calibrations before and after it took at most so many times the quickest ones' time."""

ENOUGH = 5
"""Quiet blocks; where there are fewer, all blocks count, and the sample says so."""


@dataclass(frozen=True)
class Contender:
    """What is timed: a function of a peer, called in one way.

    `run(start, calls)`: nanoseconds of `calls` calls, beginning with the state `start`. `states`: states a call
    computes. `results()`: the peer's results, to be checked (see `check`). `note` says in a few words what it is.
    """

    peer: str
    function: str
    how: str
    run: Callable[[int, int], float]
    results: Callable[[], Sequence[Floats]]
    states: int = 1
    threads: int = 1
    note: str = ""
    upper: bool = False
    """Whether only the upper triangle of a matrix is computed."""
    tolerance: float = TOLERANCE
    """Relative error of its results up to which it computes the same; infinite where it is known not to."""

    @property
    def label(self) -> str:
        """Peer, function and way in words."""
        return f"{self.peer}, {self.function}, {self.how}" + (f", {self.threads} threads" if self.threads > 1 else "")


@dataclass(frozen=True)
class Sample:
    """Nanoseconds per state of a contender: median and quartiles of the blocks that count."""

    contender: Contender
    median: float
    low: float
    high: float
    blocks: int
    quiet: int

    @property
    def disturbed(self) -> bool:
        """Whether there were too few quiet blocks, so that all of them count."""
        return self.quiet < ENOUGH


@dataclass
class _Record:
    calls: int
    times: list[float] = field(default_factory=list)
    calibrations: list[float] = field(default_factory=list)
    start: int = 0


def check(contender: Contender, expected: Sequence[Floats]) -> float:
    """The largest error of a contender's results relative to `expected`, arrays (states, n) or (states, n, n).

    The contender may compute the first states only. Raises `VerificationError` beyond the tolerance: what computes
    something else is not to be compared.
    """
    worst = float(np.max(_errors(contender, expected), initial=0.0))
    worst = worst if np.isfinite(worst) else np.inf
    if worst > contender.tolerance:
        raise VerificationError(
            f"{contender.label}: differs from symgen's C by {worst:.1e}, relative, where at most "
            f"{contender.tolerance:.0e} was "
            "expected; times of different functions cannot be compared. If the robot's inertia matrix is nearly "
            "singular, leave out forward_dynamics; else please report this with the robot file"
        )
    return worst


def typical_error(contender: Contender, expected: Sequence[Floats]) -> float:
    """The median of the errors that `check` has the largest of; infinite where results have not the same entries."""
    if any(found.shape[1:] != wanted.shape[1:] for found, wanted in zip(contender.results(), expected, strict=True)):
        return np.inf
    return float(np.median(_errors(contender, expected)))


def _errors(contender: Contender, expected: Sequence[Floats]) -> Floats:
    """Errors of all states' results, relative to the largest entry of each."""
    all_errors = []
    for found, wanted in zip(contender.results(), expected, strict=True):
        wanted = wanted[: len(found)]
        found = found.reshape(wanted.shape)
        if contender.upper:
            found, wanted = np.triu(found), np.triu(wanted)
        axes = tuple(range(1, wanted.ndim))
        scale = np.abs(wanted).max(axis=axes)
        all_errors.append(np.abs(found - wanted).max(axis=axes) / np.where(scale > 0, scale, 1))
    return np.concatenate(all_errors)


def measure(
    contenders: Sequence[Contender],
    calibrate: Callable[[], float],
    *,
    rounds: int,
    block: float,
    progress: Callable[[str], None],
) -> list[Sample]:
    """Time every contender in every round, in blocks of about `block` nanoseconds; `calibrate` times a fixed work."""
    records = [_Record(_calls(contender, block)) for contender in contenders]
    for number in range(rounds):
        progress(f"timing, round {number + 1} of {rounds}")
        for contender, record in zip(contenders, records, strict=True):
            before = calibrate()
            spent = contender.run(record.start, record.calls)
            after = calibrate()
            record.start += record.calls
            record.times.append(spent / (record.calls * contender.states))
            record.calibrations.append(max(before, after))
    every = np.concatenate([record.calibrations for record in records]) if records else np.zeros(0)
    # The quickest calibrations are those of a core that nobody else used.
    limit = QUIET * float(np.quantile(every, 0.05)) if len(every) else 0.0
    return [_sample(contender, record, limit) for contender, record in zip(contenders, records, strict=True)]


def _calls(contender: Contender, block: float) -> int:
    """How many calls fill a block, after one call to warm up."""
    contender.run(0, 1)
    calls, spent = 1, contender.run(0, 1)
    while spent < block / 20:
        calls *= 8
        spent = contender.run(0, calls)
    return max(1, round(block / spent * calls))


def _sample(contender: Contender, record: _Record, limit: float) -> Sample:
    times, quiet = np.array(record.times), np.array(record.calibrations) <= limit
    used = times[quiet] if quiet.sum() >= ENOUGH else times
    low, median, high = (float(value) for value in np.quantile(used, (0.25, 0.5, 0.75)))
    return Sample(contender, median, low, high, len(times), int(quiet.sum()))


def python_runner(function: Callable[..., object], calls: Sequence[tuple[object, ...]]) -> Callable[[int, int], float]:
    """A `run` that calls a Python function with the arguments of one state after the other."""

    def run(start: int, count: int) -> float:
        cycled = itertools.cycle(calls)
        arguments = list(itertools.islice(cycled, start % len(calls), start % len(calls) + count))
        begin = time.thread_time_ns()
        for each in arguments:
            function(*each)
        return float(time.thread_time_ns() - begin)

    return run


def batch_runner(call: Callable[[], object], *, threads: int) -> Callable[[int, int], float]:
    """A `run` that computes a whole batch at every call; of several threads the wall clock counts."""
    clock = time.thread_time_ns if threads == 1 else time.perf_counter_ns

    def run(start: int, count: int) -> float:
        begin = clock()
        for _ in range(count):
            call()
        return float(clock() - begin)

    return run
