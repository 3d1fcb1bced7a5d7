"""MPI ranks as nodes: each takes chains r, r + size, …, and all contributions go to all ranks.

Sums are not left to MPI, whose order depends on the number of ranks: every rank adds what it received in the order of
the chains. Nobody waits for ever: where a contribution does not come in time, all ranks are ended with a message.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from symgen.errors import EnvironmentFault, InputError, InternalError, SymgenError

Floats = NDArray[np.float64]
Made = TypeVar("Made")

TIMEOUT = 60.0
"""How long a rank waits for the others' contributions, in seconds, where nothing else is asked for."""

MAKING = 1200.0
"""How long ranks wait for what the first rank derives, compiles and verifies, in seconds."""

WORLD = "world"
"""What stands for all ranks that mpiexec started."""

EXTRA = "pip install 'symgen[mpi]'"


class Parts(Protocol):
    """An evaluation in parts; see `chains.Nodes`. `code` differs where code does."""

    code: int
    count: int
    chains: int
    widths: list[int]
    arrays: Sequence[Floats]

    @property
    def function(self) -> Any:
        """The function that is evaluated."""

    def contribute(self, stage: int, chain: int, sent: Floats) -> None:
        """What a chain contributes."""

    def conclude(self, stage: int, received: Floats) -> None:
        """What follows from the contributions of all."""


def communicator(comm: Any) -> Any:
    """An MPI communicator as mpi4py has it, or that of all ranks for "world".

    Raises `EnvironmentFault` where mpi4py, or the MPI library that it loads, is missing, `InputError` for what is none.
    """
    if comm == WORLD:
        try:
            from mpi4py import MPI
        except (ImportError, RuntimeError) as error:
            raise EnvironmentFault(
                f"chains over MPI ranks need mpi4py and an MPI library, which cannot be loaded here ({error}). "
                f"Install both: {EXTRA}"
            ) from error
        return MPI.COMM_WORLD
    if not comm or not all(hasattr(comm, name) for name in ("Get_rank", "Get_size", "Iallgather", "Ibcast", "Abort")):
        raise InputError(
            f'comm: expected an intracommunicator of mpi4py, such as MPI.COMM_WORLD, or "{WORLD}", found {comm!r:.80}'
        )
    return comm


class Ranks:
    """The ranks of a communicator, this one among them."""

    def __init__(self, comm: Any, timeout: float | None = TIMEOUT) -> None:
        """`timeout`, s: None waits for ever. Raises as `communicator` does, and `InputError` for a wrong timeout."""
        number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
        if timeout is not None and not (number and timeout > 0):
            raise InputError(f"timeout: expected seconds above 0, or None for no end, found {timeout!r:.60}")
        self._comm = communicator(comm)
        self.rank, self.size, self._timeout = self._comm.Get_rank(), self._comm.Get_size(), timeout

    def shared(self, make: Callable[[], Made]) -> Made:
        """What the first rank makes, on all of them; where it fails, all of them do."""
        made: Made | None = None
        fault: SymgenError | None = None
        if self.rank == 0:
            try:
                made = make()
            except SymgenError as error:
                fault = error
            except Exception as error:
                fault = InternalError(f"rank 0: {type(error).__name__}: {error}")
        told = None if fault is None else (type(fault), str(fault))
        told, made = pickle.loads(self._broadcast(pickle.dumps((told, made))))
        if fault is not None:
            raise fault
        if told is not None:
            raise _again(*told)
        assert made is not None
        return made

    def _broadcast(self, data: bytes) -> bytes:
        """The first rank's data."""
        size = np.array([len(data)], dtype=np.int64)
        self._wait(self._comm.Ibcast(size, root=0), self._timeout and MAKING)
        content = np.frombuffer(data, dtype=np.uint8).copy() if self.rank == 0 else np.empty(size[0], dtype=np.uint8)
        self._wait(self._comm.Ibcast(content, root=0), self._timeout and MAKING)
        return content.tobytes()

    def evaluate(self, nodes: Parts, *, gather: bool) -> int:
        """Run the parts of this rank's chains; the number of exchanges."""
        rounds, last = 0, len(nodes.widths) - 1
        per = -(-nodes.chains // self.size)
        seal = _seal(nodes)
        for stage, width in enumerate(nodes.widths):
            block = np.zeros(1 + per * nodes.count * width)
            block[0] = seal
            sent = block[1:].reshape(per, nodes.count, width)
            for place, chain in enumerate(range(self.rank, nodes.chains, self.size)):
                nodes.contribute(stage, chain, sent[place])
            if stage == last and not gather:
                blocks = np.full((self.size, block.size), np.nan)
                blocks[self.rank] = block
            else:
                blocks = self._exchanged(block)
                rounds += 1
                self._check(blocks[:, 0], nodes)
            parts = blocks[:, 1:].reshape(self.size, per, nodes.count, width)
            order = [(chain % self.size, chain // self.size) for chain in range(nodes.chains)]
            nodes.conclude(stage, np.ascontiguousarray([parts[place] for place in order]))
        return rounds

    def _check(self, seals: Floats, nodes: Parts) -> None:
        others = [rank for rank, seal in enumerate(seals) if seal != seals[0]]
        if others:
            raise InputError(
                f"{nodes.function.name}: rank {others[0]} was given another state, or has other code, than rank 0; all "
                "ranks must be called with the same arguments"
            )

    def _exchanged(self, block: Floats) -> Floats:
        """The blocks of all ranks, (size, …)."""
        blocks = np.empty((self.size, block.size))
        try:
            self._wait(self._comm.Iallgather(block, blocks), self._timeout)
        except InputError:
            raise
        except Exception as error:
            self._end(f"the exchange of contributions failed: {error}")
        return blocks

    def _wait(self, request: Any, timeout: float | None) -> None:
        limit = None if timeout is None else time.monotonic() + timeout
        while not request.Test():
            if limit is not None and time.monotonic() > limit:
                self._end(
                    f"no contribution of another rank came for {timeout:g} s: it failed, was stopped, or was not "
                    "called as this one was; timeout= sets how long to wait"
                )
            _give_way()

    def _end(self, message: str) -> None:
        """All ranks end: those that wait in an exchange can do nothing else."""
        print(f"symgen: rank {self.rank} of {self.size}: {message}. All ranks are ended.", file=sys.stderr, flush=True)
        self._comm.Abort(1)


def _again(kind: type[SymgenError], message: str) -> SymgenError:
    """An error of another rank; those of robot files are told in one text."""
    for known in kind.__mro__:
        if known in (InputError, EnvironmentFault, InternalError, SymgenError):
            return known(message)
    return SymgenError(message)


def _seal(nodes: Parts) -> float:
    """A number that differs where what ranks were given does."""
    found = zlib.crc32(repr((nodes.code, nodes.function.name, nodes.count)).encode())
    for array in nodes.arrays:
        found = zlib.crc32(array.tobytes(), found)
    return float(found)


def _give_way() -> None:
    """Let another process run, which may be what is waited for."""
    if hasattr(os, "sched_yield"):
        os.sched_yield()
    else:
        time.sleep(0)
