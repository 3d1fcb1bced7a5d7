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


def processor_time(code: str) -> float:
    """User and system time of a Python process that runs `code`."""
    before = os.times()
    subprocess.run([sys.executable, "-c", code], check=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main() -> None:
    """Print the table, then the wall-clock time of `symgen generate puma`, cold and in a later process."""
    cases = {UNIT: UNIT, **CASES}
    best = dict.fromkeys(cases, float("inf"))
    for _ in range(ROUNDS):
        for name, code in cases.items():
            best[name] = min(best[name], processor_time(code))
    for name, seconds in best.items():
        print(f"{name:38} {seconds:6.2f} s  {seconds / best[UNIT]:6.2f} x")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "symgen", "generate", "puma", "--output", f"{folder}/puma"]
        environment = {**os.environ, "SYMGEN_CACHE": f"{folder}/cache"}
        for name in ("cold", "again"):
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
            print(f"{f'symgen generate puma, {name}, wall clock':38} {time.perf_counter() - start:6.2f} s")


if __name__ == "__main__":
    main()
