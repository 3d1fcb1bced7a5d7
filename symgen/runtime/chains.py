"""Functions from chain to chain, compiled: in one thread, in several, or over MPI ranks, with the same bits."""

from __future__ import annotations

import ctypes
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.build.checks import broadcast_batch, check_input, match_arguments
from symgen.build.extension import build_uncontracted
from symgen.emit.c.chains import emit_chains
from symgen.errors import EnvironmentFault, InputError
from symgen.program.chained import ChainedFunction, ChainedModule
from symgen.runtime.ranks import Ranks

Floats = NDArray[np.float64]


class Chains:
    """Dynamics of a platform on chains, worked out by nodes that tell each other sums.

    Attributes:
        name: the robot's.
        scheme: what is exchanged when: "recursive", "condensed", "projection" or "penalty".
        chains: what each chain is made of, in words, in the order in which they are added.
        sources: the C code, by file name.
        exchanges: how often chains waited for each other's contributions in the last call, counted as it happened: for
            each of its states or, over MPI ranks, for all of them at once. None before the first.
        gathers: how often results were gathered beside that.
    """

    def __init__(
        self, module: ChainedModule, *, threads: int = 1, ranks: Ranks | None = None, gather: bool = True
    ) -> None:
        """Compiles. `InputError` for wrong numbers of threads or ranks; `EnvironmentFault` where no compiler does."""
        _check(module, threads, ranks, gather=gather)
        self.name, self.scheme, self.chains = module.name, module.scheme, module.chains
        self.module, self._threads, self._ranks, self._gather = module, threads, ranks, gather
        self.sources: Mapping[str, str] = MappingProxyType(emit_chains(module))
        if ranks is not None:  # the first rank compiles, others on its machine find it done
            ranks.shared(lambda: Library(module, self.sources, threads=False).path)
        self._library = Library(module, self.sources, threads=threads > 1)
        self.exchanges: int | None = None
        self.gathers: int | None = None

    def forward_dynamics(self, *args: ArrayLike, **keywords: ArrayLike) -> Floats:
        """q̈ (…, n) of the independent joints at q (…, nq), q̇ (…, n) and forces τ (…, n): positional or q, qd, tau."""
        return self._call("forward_dynamics", args, keywords)

    def inverse_dynamics(self, *args: ArrayLike, **keywords: ArrayLike) -> Floats:
        """τ (…, n) of the independent joints at q (…, nq), q̇ (…, n) and q̈ (…, n): positional or q, qd, qdd."""
        return self._call("inverse_dynamics", args, keywords)

    def penalty_dynamics(self, *args: ArrayLike, **keywords: ArrayLike) -> Floats:
        """v̇ (…, nt) of the tree under a penalty: positional or q, v (…, nt), tau, penalty (…, 2)."""
        return self._call("penalty_dynamics", args, keywords)

    def _call(self, name: str, args: Sequence[object], keywords: Mapping[str, object]) -> Floats:
        known = [each.name for each in self.module.functions]
        if name not in known:
            raise InputError(
                f"{self.name}: the scheme {self.scheme!r} has no {name}; it has {', '.join(known)}; choose another"
            )
        function = self.module.function(name)
        values = match_arguments(name, [each.name for each in function.inputs], args, keywords)
        real = np.dtype(float)
        given = [check_input(name, *pair, real) for pair in zip(function.inputs, values, strict=True)]
        batch = broadcast_batch(name, function.inputs, given)
        arrays = [
            np.ascontiguousarray(np.broadcast_to(array, batch + argument.shape))
            for argument, array in zip(function.inputs, given, strict=True)
        ]
        result = np.empty(batch + function.output.shape)
        count = math.prod(batch)
        if count:
            rounds = self._evaluated(function, count, arrays, result)
            self.gathers = int(function.gathered and self._gather)
            self.exchanges = rounds - self.gathers
        return result

    def _evaluated(self, function: ChainedFunction, count: int, arrays: Sequence[Floats], result: Floats) -> int:
        """How often contributions, or results, were exchanged."""
        if self._ranks is None:
            made: int = self._library.whole(function.name)(self._threads, count, *map(_pointer, (*arrays, result)))
            return made // count
        nodes = Nodes(self._library, function, count, arrays, result)
        return self._ranks.evaluate(nodes, gather=self._gather)


def _check(module: ChainedModule, threads: int, ranks: Ranks | None, *, gather: bool) -> None:
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise InputError(f"{module.name}: threads: expected a number from 1 on, found {threads!r:.60}")
    if not gather and (ranks is None or not all(function.gathered for function in module.functions)):
        raise InputError(
            f"{module.name}: gather=False leaves results where they are worked out: that needs comm, and one of the "
            f"schemes projection and penalty, found {'no comm' if ranks is None else module.scheme}"
        )
    if ranks is None:
        return
    if threads > 1:
        raise InputError(f"{module.name}: threads are those of one process, and comm spans several: give one of them")
    most = len(module.chains) + 1
    if ranks.size > most:
        raise InputError(
            f"{module.name}: {ranks.size} ranks for {len(module.chains)} chains: some would have nothing to do; start "
            f"at most {most}, one for each chain and one for the central part alone (mpiexec -n {most})"
        )


class Library:
    """The compiled code behind ctypes, which lets other Python threads run meanwhile."""

    def __init__(self, module: ChainedModule, sources: Mapping[str, str], *, threads: bool) -> None:
        self.path = build_uncontracted(module.prefix, sources, threads=threads)
        try:
            self._code = ctypes.CDLL(str(self.path))
        except OSError as error:
            raise EnvironmentFault(f"{self.path} was compiled, but cannot be loaded: {error}") from error
        self._prefix = module.prefix
        self.digest = zlib.crc32("".join(sources.values()).encode())

    def whole(self, function: str) -> Callable[..., int]:
        """(threads, count, inputs…, result) → number of exchanges in all."""
        return self._named(function, ctypes.c_int, [ctypes.c_int, ctypes.c_size_t])

    def chain(self, function: str) -> Callable[..., None]:
        """(stage, chain, count, inputs…, told, memory, sent)."""
        return self._named(f"{function}_chain", None, [ctypes.c_int, ctypes.c_int, ctypes.c_size_t])

    def central(self, function: str) -> Callable[..., None]:
        """(stage, count, inputs…, received, told, memory, result)."""
        return self._named(f"{function}_central", None, [ctypes.c_int, ctypes.c_size_t])

    def _named(self, name: str, result: Any, first: list[Any]) -> Callable[..., Any]:
        found = self._code[f"{self._prefix}_{name}"]
        found.restype = result

        def called(*args: Any) -> Any:
            head = [kind(value) for kind, value in zip(first, args, strict=False)]
            return found(*head, *map(ctypes.c_void_p, args[len(first) :]))

        return called


def _pointer(array: Floats) -> int:
    return array.ctypes.data


class Nodes:
    """The parts of an evaluation of `count` states, as nodes that share no memory run them."""

    def __init__(
        self, library: Library, function: ChainedFunction, count: int, arrays: Sequence[Floats], result: Floats
    ) -> None:
        staged = function.staged
        self.code, self.function, self.count, self.arrays = library.digest, function, count, arrays
        self.widths = [stage.sent for stage in staged.stages]
        self.chains = len(staged.stages[0].chains)
        self._chain, self._central = library.chain(function.name), library.central(function.name)
        self._given = [_pointer(array) for array in arrays]
        self._told, self._result = np.zeros((count, staged.told)), result
        self._memories = np.zeros((self.chains + 1, count, staged.memory))

    def contribute(self, stage: int, chain: int, sent: Floats) -> None:
        """What a chain contributes in a stage, (count, width)."""
        told, memory = _pointer(self._told), _pointer(self._memories[chain])
        self._chain(stage, chain, self.count, *self._given, told, memory, _pointer(sent))

    def conclude(self, stage: int, received: Floats) -> None:
        """What follows from the contributions of all chains, (chains, count, width)."""
        told, memory = _pointer(self._told), _pointer(self._memories[-1])
        self._central(stage, self.count, *self._given, _pointer(received), told, memory, _pointer(self._result))
