"""One way of `sympy_derivations` for one robot, in a process of its own, within a limit of CPU time.

    python tests/benchmarks/sympy_worker.py ROBOT WAY LIMIT

Prints a line of JSON when the simplification of a result begins, and one for every result when it is ready: its label,
the CPU seconds of this process until then, its size as it stands and its values at random points. Reading the robot
file (for plain SymPy) and judging results are not in the seconds. When the limit is reached, the system ends the
process by SIGXCPU.
"""

from __future__ import annotations

import contextlib
import json
import random
import resource
import sys
import time
from collections.abc import Iterator

import mpmath
import sympy
import sympy_derivations as derivations

POINTS = 3
DIGITS = 30
SIMPLIFIERS = {"simplify": sympy.simplify, "trigsimp": sympy.trigsimp}


class Clock:
    """CPU seconds of this process, with a limit; what is done `aside` does not count."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.not_counted = 0.0
        self._bound(limit)

    def seconds(self) -> float:
        return time.process_time() - self.not_counted

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        start = time.process_time()
        self._bound(resource.RLIM_INFINITY)
        yield
        self.not_counted += time.process_time() - start
        self._bound(int(self.limit + self.not_counted))

    def _bound(self, seconds: int) -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, hard))


def size(expression: sympy.Expr) -> dict[str, int]:
    """Summands of the outermost sum, and SymPy's count of operations."""
    terms = len(sympy.Add.make_args(expression)) if expression != 0 else 0
    return {"terms": terms, "operations": int(sympy.count_ops(expression))}


def values(expression: sympy.Expr) -> list[str]:
    """The expression at random points, to `DIGITS` digits; a symbol's values depend on its name alone."""
    symbols = sorted(expression.free_symbols, key=str)
    # Summand by summand, as Python cannot compile a sum of thousands.
    summands = sympy.lambdify(symbols, sympy.Add.make_args(expression), "mpmath")
    with mpmath.workdps(DIGITS):
        points = [[mpmath.mpf(random.Random(f"{s} {k}").uniform(-3, 3)) for s in symbols] for k in range(POINTS)]
        return [mpmath.nstr(mpmath.fsum(summands(*point)), DIGITS) for point in points]


def results(robot: str, way: str, clock: Clock) -> Iterator[derivations.Result]:
    """What the way yields."""
    if way == "symgen":
        return derivations.closed_form(robot)
    with clock.aside():
        arm = derivations.arm(robot)
    if way == "kane":
        return derivations.kane(arm)

    def simplified(label: str, expression: sympy.Expr) -> sympy.Expr:
        print(json.dumps({"begun": label}), flush=True)
        return SIMPLIFIERS[way](expression)

    return derivations.lagrange(arm, simplified)


def main(robot: str, way: str, limit: str) -> None:
    """Derive, and print."""
    clock = Clock(int(limit))
    for label, expression in results(robot, way, clock):
        seconds = clock.seconds()
        with clock.aside():
            record = {"label": label, "seconds": seconds, **size(expression), "values": values(expression)}
            print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
