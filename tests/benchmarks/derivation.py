"""Derivation and generation time, as multiples of `import sympy` in the same run.

    python tests/benchmarks/derivation.py

Every figure is the processor time of a fresh process, the least of several runs taken in turn, so that a busy machine
disturbs all alike.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

ROUNDS = 5
UNIT = "import sympy"
DERIVE = "from symgen.derive.derivation import Options, derive; from symgen.robot.library import chain, load; "
CASES = {
    "import of the corridor": DERIVE,
    "derive puma, default functions": DERIVE + "derive(load('puma'))",
    "derive puma, every function": DERIVE + "derive(load('puma'), Options(('all',)))",
    **{
        f"derive chain({n}) inverse dynamics": DERIVE + f"derive(chain({n}), Options(('inverse_dynamics',)))"
        for n in (25, 50, 100)
    },
}

GENERATED = ("puma", "panda", "g1")

MEASURED = """
import resource, sys
from symgen.cli import main
try:
    main(["generate", sys.argv[1], "--output", sys.argv[2]])
except SystemExit as end:
    assert not end.code
own, compilers = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
times = [use.ru_utime + use.ru_stime for use in (own, compilers)]
print(*times, own.ru_maxrss / 1024, file=sys.stderr)
"""
"""Runs a command, and prints its processor time, that of the compilers (both s) and its memory (MiB)."""


def processor_time(code: str) -> float:
    """User and system time of a Python process that runs `code`."""
    before = os.times()
    subprocess.run([sys.executable, "-c", code], check=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main() -> None:
    """Print the table, then what `symgen generate` takes, cold and in a later process: all, imports included."""
    cases = {UNIT: UNIT, **CASES}
    best = dict.fromkeys(cases, float("inf"))
    for _ in range(ROUNDS):
        for name, code in cases.items():
            best[name] = min(best[name], processor_time(code))
    for name, seconds in best.items():
        print(f"{name:38} {seconds:6.2f} s  {seconds / best[UNIT]:6.2f} x")
    print()
    print(f"{'symgen generate':24}{'wall clock':>12}{'Python':>10}{'compiler':>10}{'memory':>10}")
    for robot in GENERATED:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("cold", "again"):
                print(f"{f'{robot}, {name}':24}{generation(robot, folder)}")


def generation(robot: str, folder: str) -> str:
    """The row of `symgen generate` for a robot, with the cache in the folder."""
    start = time.perf_counter()
    made = subprocess.run(
        [sys.executable, "-c", MEASURED, robot, f"{folder}/{robot}"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SYMGEN_CACHE": f"{folder}/cache"},
    )
    wall = time.perf_counter() - start
    own, compilers, memory = map(float, made.stderr.split()[-3:])
    return f"{wall:10.2f} s{own:8.2f} s{compilers:8.2f} s{memory:6.0f} MiB"


if __name__ == "__main__":
    main()
