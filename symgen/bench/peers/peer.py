"""What every peer says of itself, and what is common to those with functions in C."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from symgen.bench.cases import TIMED, Case
from symgen.bench.harness import BATCH, SINGLE, Contender
from symgen.bench.native import CFunction, Driver

Floats = NDArray[np.float64]

CHECKED = 64
"""States at which what is called from Python is checked."""


@dataclass(frozen=True)
class Plan:
    """What is to be timed: functions, states of a batch, and numbers of threads (1, or 1 and more)."""

    functions: tuple[str, ...]
    batch: int
    threads: tuple[int, ...]


@dataclass(frozen=True)
class Peer:
    """A library that is timed.

    `about` says in words what of it. `missing()`: a line that says why it cannot be, None if it can. `contenders` makes
    what is timed of a case, reporting what it does. `lacks`: why a function may not be among them. `free`: whether
    robots with free joints are, `loops`: those with loops (of these, with free joints too).
    """

    name: str
    about: str
    missing: Callable[[], str | None]
    contenders: Callable[[Case, Plan, Callable[[str], None]], Iterable[Contender]]
    lacks: str = "it has no such function"
    free: bool = False
    loops: bool = False


def sizes(case: Case, function: str) -> tuple[int, int]:
    """Entries of a function's two results; 0 where there is no second."""
    first, second = (*(case.nv**rank for rank in TIMED[function].ranks), 0)[:2]
    return first, second


def shaped(case: Case, function: str, results: Sequence[Floats]) -> list[Floats]:
    """Results in rows as vectors (states, n) or matrices (states, n, n)."""
    return [array.reshape(-1, *[case.nv] * rank) for array, rank in zip(results, TIMED[function].ranks, strict=True)]


def c_subjects(
    peer: str, function: str, native: CFunction, case: Case, plan: Plan, *, note: str = "", batch_note: str = ""
) -> Iterator[Contender]:
    """One call and batches of a function in C."""
    driver = Driver(native)
    states = [np.ascontiguousarray(array) for array in case.inputs(function)]
    made = driver.arrays(1)

    def run(start: int, calls: int) -> float:
        return driver.run(start, calls, states, made)

    yield Contender(peer, function, SINGLE, run, lambda: shaped(case, function, driver.results(states)), note=note)
    many = batch_of(case, function, plan)
    made_of_many = driver.arrays(plan.batch)
    for threads in plan.threads:

        def run_batch(start: int, calls: int, threads: int = threads) -> float:
            return driver.run_batch(threads, calls, many, made_of_many)

        yield Contender(
            peer,
            function,
            BATCH,
            run_batch,
            lambda: shaped(case, function, driver.results(states, batched=True)),
            states=plan.batch,
            threads=threads,
            note=batch_note or note,
        )


def batch_of(case: Case, function: str, plan: Plan) -> list[Floats]:
    """The inputs of a batch: the case's states again and again."""
    return [np.resize(array, (plan.batch, array.shape[1])) for array in case.inputs(function)]


def rows(case: Case, function: str, *before: object) -> list[tuple[object, ...]]:
    """The arguments of single calls, one state after the other, each after those in `before`."""
    return [
        (*before, *state) for state in zip(*(map(np.array, array) for array in case.arguments(function)), strict=True)
    ]


def stacked(results: Sequence[object]) -> list[Floats]:
    """Results of single calls, each an array or a tuple of arrays, as arrays over the states."""
    tuples = [each if isinstance(each, tuple) else (each,) for each in results]
    return [np.array(list(arrays), dtype=float) for arrays in zip(*tuples, strict=True)]


def called(function: Callable[..., object], arguments: Sequence[tuple[object, ...]]) -> list[Floats]:
    """The results of single calls at the first states."""
    return stacked([function(*each) for each in itertools.islice(arguments, CHECKED)])
