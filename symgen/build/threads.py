"""Long batches on several threads: the compiled functions need no Python while they compute."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from symgen.build.checks import Array, batch_shape
from symgen.build.kernels import Kernel, Outputs
from symgen.errors import InputError

if TYPE_CHECKING:
    from symgen.program.module import Function

LONG = 40_000_000
"""Batches of less work stay on one thread: waking another takes as long as a quarter of it. Work is what states fill
while they are computed and moved: bytes of the results of instructions, and of inputs and outputs."""

_SHARE = 0.8
"""Every thread is given a piece, all of them this share of the states; the rest is cut into one more for
each, which those take that are ready: none waits long for one that woke up late, or is disturbed."""

_ROUND = 64
"""Pieces begin at multiples of so many states: processors compute several at a time."""


class _Threads:
    """How many threads long batches run on, and those that wait for work."""

    def __init__(self) -> None:
        self.count = 1
        self.pool: ThreadPoolExecutor | None = None

    def set(self, count: int) -> None:
        self.count = count
        if self.pool is not None:
            self.pool.shutdown(wait=True)
        self.pool = ThreadPoolExecutor(count - 1, "symgen") if count > 1 else None

    def forget(self) -> None:
        """In a forked process, which has none of its parent's threads."""
        self.pool = ThreadPoolExecutor(self.count - 1, "symgen") if self.count > 1 else None


_threads = _Threads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.forget)


def set_threads(count: int | None = None) -> None:
    """Run long batches on `count` threads from now on (None: one for each processor).

    A batch is long if it takes tenths of a millisecond: from about ten thousand states on, for an arm's dynamics.
    Every process starts with one thread. Results do not depend on it. Raises `InputError` for fewer than one.
    """
    if count is None:
        count = os.cpu_count() or 1
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InputError(f"set_threads: expected a number of threads from 1 on, or None for all, found {count!r}")
    _threads.set(count)


def get_threads() -> int:
    """How many threads long batches run on."""
    return _threads.count


def in_threads(function: Function, kernel: Kernel, real: np.dtype[Any]) -> Kernel:
    """`kernel`, with long batches cut into pieces for several threads."""
    work = work_of(function) * real.itemsize

    def threaded(*arrays: Array, out: Outputs) -> Any:
        pool = _threads.pool
        if pool is None:
            return kernel(*arrays, out=out)
        batch = np.broadcast_shapes(*map(batch_shape, function.inputs, arrays))
        if math.prod(batch) * work < LONG or _overlap(arrays, out):
            return kernel(*arrays, out=out)
        axis = max(range(len(batch)), key=lambda axis: batch[axis])
        results = [
            np.empty(batch + argument.shape, dtype=real) if given is None else given
            for argument, given in zip(function.outputs, out, strict=True)
        ]
        ranks = [array.ndim - len(argument.shape) for argument, array in zip(function.inputs, arrays, strict=True)]

        def piece(start: int, stop: int) -> None:
            given = [_part(a, axis - len(batch) + rank, start, stop) for a, rank in zip(arrays, ranks, strict=True)]
            kernel(*given, out=[_part(result, axis, start, stop) for result in results])

        _in_pieces(pool, _bounds(batch[axis], _threads.count), _threads.count, piece)
        return results[0] if len(results) == 1 else tuple(results)

    return threaded


def work_of(function: Function) -> int:
    """The work of one state: the instructions of the function's program, and the numbers that it reads and writes."""
    moved = sum(math.prod(argument.shape) for argument in (*function.inputs, *function.outputs))
    return len(function.program.instructions) + moved


def _overlap(arrays: Sequence[Array], out: Outputs) -> bool:
    """Whether an output may share memory with an input: then one thread could read what another has written."""
    return any(target is not None and np.may_share_memory(target, array) for target in out for array in arrays)


def _part(array: Array, axis: int, start: int, stop: int) -> Array:
    """The states from `start` to `stop` along a leading dimension; all of an array that is broadcast along it."""
    if axis < 0 or array.shape[axis] == 1:
        return array
    return array[(slice(None),) * axis + (slice(start, stop),)]


def _bounds(length: int, count: int) -> list[int]:
    """Where pieces of `length` states for `count` threads begin and end: first the large ones, then the small ones."""
    large = int(length * _SHARE)
    bounds = [large * k // count for k in range(count)]
    bounds += [large + (length - large) * k // count for k in range(count)]
    unit = _ROUND if length >= _ROUND * len(bounds) else 1
    return sorted({*(bound // unit * unit for bound in bounds), length})


def _in_pieces(pool: ThreadPoolExecutor, bounds: Sequence[int], count: int, piece: Callable[[int, int], None]) -> None:
    """Every piece once, on this thread and `count` - 1 others: each takes the next one that is left."""
    left = deque(pairwise(bounds))

    def work() -> None:
        while True:
            try:
                start, stop = left.popleft()
            except IndexError:
                return
            piece(start, stop)

    others = [pool.submit(work) for _ in range(count - 1)]
    try:
        work()
    finally:
        left.clear()
        for other in others:
            if not other.cancel():
                other.result()
