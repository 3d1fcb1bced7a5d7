"""What every peer says of itself, and what is common to those with functions in C."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from symgen.bench.cases import TIMED, Case
from symgen.bench.harness import BATCH, SINGLE, TOLERANCE, Contender
from symgen.bench.native import CFunction, Driver

Floats = NDArray[np.float64]

CHECKED = 64
"""States at which what is called from Python is checked."""


SINGLE_TOLERANCE = 0.01
"""The same in single precision, where nearly singular postures cost most digits."""


@dataclass(frozen=True)
class Plan:
    """What is to be timed: functions, states of a batch, numbers of threads (1, or 1 and more), and the type of all
    numbers."""

    functions: tuple[str, ...]
    batch: int
    threads: tuple[int, ...]
    real: str = "float64"

    @property
    def is_single(self) -> bool:
        """Whether all numbers are in single precision."""
        return self.real == "float32"

    @property
    def tolerance(self) -> float:
        """Relative error of results up to which the same is computed."""
        return SINGLE_TOLERANCE if self.is_single else TOLERANCE


@dataclass(frozen=True)
class Peer:
    """A library that is timed.

    `about` says in words what of it. `missing()`: a line that says why it cannot be, None if it can. `contenders` makes
    what is timed of a case, reporting what it does. `lacks`: why a function may not be among them. `free`: whether
    robots with free joints are, `loops`: those with loops (of these, with free joints too), `single`: functions in
    single precision. `free_missing()`: why robots with free joints cannot be timed here, None if they can.
    """

    name: str
    about: str
    missing: Callable[[], str | None]
    contenders: Callable[[Case, Plan, Callable[[str], None]], Iterable[Contender]]
    lacks: str = "it has no such function"
    free: bool = False
    loops: bool = False
    single: bool = False
    free_missing: Callable[[], str | None] = lambda: None

    def refusal(self, case: Case, plan: Plan) -> str | None:
        """Why nothing of it is timed of a case, if so."""
        if plan.is_single and not self.single:
            return "symgen times it in double precision alone"
        if case.loops is not None:
            return None if self.loops else "symgen gives it no loops"
        if not case.has_free_joints:
            return None
        return self.free_missing() if self.free else "symgen gives it no free joints"


def sizes(case: Case, function: str) -> tuple[int, int, int]:
    """Entries of a function's three results; 0 where there are fewer."""
    first, second, third = (*(case.nv**rank for rank in TIMED[function].ranks), 0, 0)[:3]
    return first, second, third


def shaped(case: Case, function: str, results: Sequence[Floats]) -> list[Floats]:
    """Results in rows as vectors (states, n) or matrices (states, n, n)."""
    return [array.reshape(-1, *[case.nv] * rank) for array, rank in zip(results, TIMED[function].ranks, strict=True)]


def c_subjects(
    peer: str, function: str, native: CFunction, case: Case, plan: Plan, *, note: str = "", batch_note: str = ""
) -> Iterator[Contender]:
    """One call and batches of a function in C."""
    driver = Driver(native)
    states = [driver.given(array) for array in case.inputs(function)]
    made = driver.arrays(1)

    def run(start: int, calls: int) -> float:
        return driver.run(start, calls, states, made)

    yield Contender(
        peer,
        function,
        SINGLE,
        run,
        lambda: shaped(case, function, driver.results(states)),
        note=note,
        tolerance=plan.tolerance,
    )
    many = [driver.given(array) for array in batch_of(case, function, plan)]
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
            tolerance=plan.tolerance,
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
