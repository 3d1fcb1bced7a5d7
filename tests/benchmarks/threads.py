"""Batches from NumPy on one thread and on two, beside copying as many bytes: the least of many in turn.

    python tests/benchmarks/threads.py [ROBOT ...] [--rounds N]

States are rows, results go to arrays that are there. Bytes are those of all arguments and results; the copy reads one
half of as many and writes the other. By the wall clock, so on a machine that has nothing else to do.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

import symgen
from symgen.bench.machine import description

FUNCTIONS = {"inverse_dynamics": 3, "inertia_matrix": 1, "forward_dynamics": 3}
"""How many of q, q̇ and q̈ or τ each takes."""
COUNTS = (10_000, 100_000)
THREADS = (1, 2)

Call = Callable[[], object]
Floats = NDArray[np.floating]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", nargs="*", default=["puma", "panda"])
    parser.add_argument("--rounds", type=int, default=40)
    given = parser.parse_args()
    about = description()
    print(f"{about['processor']}, {about['cores']} cores, load {about['load']}")
    for name in given.robots:
        n = symgen.load(name).nv
        for real in ("float64", "float32"):
            module = symgen.generate(name, functions=tuple(FUNCTIONS), real=real)
            for function, number in FUNCTIONS.items():
                for count in COUNTS:
                    chance = np.random.default_rng(0)
                    arguments = [chance.uniform(-3, 3, (count, n)).astype(real) for _ in range(number)]
                    line = compare(module.functions[function], arguments, given.rounds)
                    print(f"{name:8} {function:17} {real} {count:7}  {line}", flush=True)


def compare(function: Callable[..., Floats], arguments: Sequence[Floats], rounds: int) -> str:
    """Both numbers of threads side by side, with the copy."""
    result, count = function(*arguments), len(arguments[0])
    size = sum(array.nbytes for array in (*arguments, result))
    source, target = np.ones(size // 2, np.uint8), np.zeros(size // 2, np.uint8)

    def compute(threads: int) -> None:
        if symgen.get_threads() != threads:
            symgen.set_threads(threads)
        function(*arguments, out=result)

    with ThreadPoolExecutor(max(THREADS) - 1) as pool:
        calls: dict[tuple[str, int], Call] = {}
        for threads in THREADS:
            calls["compute", threads] = partial(compute, threads)
            calls["copy", threads] = partial(copy, pool, threads, source, target)
        best = dict.fromkeys(calls, float("inf"))
        for _ in range(rounds):
            for key, call in calls.items():
                best[key] = min(best[key], least(call))
    symgen.set_threads(1)
    one, two = (best["compute", threads] / count for threads in THREADS)
    rate = {key: size / spent for key, spent in best.items()}  # bytes in a nanosecond are GB/s
    return (
        f"{one:6.1f} ns, two threads {two:6.1f} ns, {one / two:.2f} times as quick; "
        f"{rate['compute', 1]:5.1f} and {rate['compute', 2]:5.1f} GB/s, "
        f"a copy {rate['copy', 1]:5.1f} and {rate['copy', 2]:5.1f}"
    )


def copy(pool: ThreadPoolExecutor, threads: int, source: Floats, target: Floats) -> None:
    """Copy in as many pieces as threads, the last one on this thread."""
    pieces = list(zip(np.array_split(target, threads), np.array_split(source, threads), strict=True))
    others = [pool.submit(np.copyto, *pair) for pair in pieces[:-1]]
    np.copyto(*pieces[-1])
    for other in others:
        other.result()


def least(call: Call) -> float:
    """Nanoseconds of the quickest of three calls, the first of which finds other data in the caches."""
    spent = []
    for _ in range(3):
        start = time.perf_counter_ns()
        call()
        spent.append(time.perf_counter_ns() - start)
    return float(min(spent))


if __name__ == "__main__":
    main()
