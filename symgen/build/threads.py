"""Long batches on several threads: the compiled functions need no Python while they compute."""

from __future__ import annotations

import math
import os
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

LONG = 4096
"""Batches of fewer states stay on one thread: starting others would take as long."""


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
    """Run batches of thousands of states on `count` threads from now on (None: one for each processor).

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
    """`kernel`, with long batches cut into one piece for each thread."""

    def threaded(*arrays: Array, out: Outputs) -> Any:
        batch = np.broadcast_shapes(*map(batch_shape, function.inputs, arrays))
        axis = _longest(batch)
        if _threads.pool is None or axis is None or _overlap(arrays, out):
            return kernel(*arrays, out=out)
        results = [
            np.empty(batch + argument.shape, dtype=real) if given is None else given
            for argument, given in zip(function.outputs, out, strict=True)
        ]
        ranks = [array.ndim - len(argument.shape) for argument, array in zip(function.inputs, arrays, strict=True)]

        def piece(start: int, stop: int) -> None:
            given = [_part(a, axis - len(batch) + rank, start, stop) for a, rank in zip(arrays, ranks, strict=True)]
            kernel(*given, out=[_part(result, axis, start, stop) for result in results])

        _in_pieces(_threads.pool, batch[axis], _threads.count, piece)
        return results[0] if len(results) == 1 else tuple(results)

    return threaded


def _longest(batch: Sequence[int]) -> int | None:
    """The leading dimension to be cut; None if there are not enough states."""
    if math.prod(batch) < LONG:
        return None
    return max(range(len(batch)), key=lambda axis: batch[axis])


def _overlap(arrays: Sequence[Array], out: Outputs) -> bool:
    """Whether an output may share memory with an input: then one thread could read what another has written."""
    return any(target is not None and np.may_share_memory(target, array) for target in out for array in arrays)


def _part(array: Array, axis: int, start: int, stop: int) -> Array:
    """The states from `start` to `stop` along a leading dimension; all of an array that is broadcast along it."""
    if axis < 0 or array.shape[axis] == 1:
        return array
    return array[(slice(None),) * axis + (slice(start, stop),)]


def _in_pieces(pool: ThreadPoolExecutor, length: int, count: int, piece: Callable[[int, int], None]) -> None:
    """Every piece of `length` on a thread of its own, the first on this one."""
    bounds = [length * k // count for k in range(count + 1)]
    others = [pool.submit(piece, *pair) for pair in pairwise(bounds[1:])]
    try:
        piece(bounds[0], bounds[1])
    finally:
        for other in others:
            other.result()
