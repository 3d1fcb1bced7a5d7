"""How derivation grows with the robot: processor time for each operation of the code, for trees of rising size.

    python tests/benchmarks/growth.py [FUNCTION ...]

Trees of revolute joints, with branches, have 10, 20, 40 and 80 bodies; each is derived in a fresh process, the least of
several runs taken in turn. Where the last column keeps within 1.5 of the first line's, derivation is linear in what it
makes. Beside it stands the largest resident memory.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BODIES = (10, 20, 40, 80)
ROUNDS = 3
FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "forward_dynamics", "inverse_dynamics_derivatives")

CODE = """
import resource, sys, time
sys.path.insert(0, sys.argv[1])
from joint_trees import tree
from symgen.derive.derivation import Options, derive
from symgen.robot.library import load
from symgen.robot.model import JointKind
options = Options(functions=(sys.argv[3],))
derive(load("planar2r"), Options(functions=("inverse_dynamics",)))  # imports
robot = tree(int(sys.argv[2]), int(sys.argv[2]), (JointKind.REVOLUTE,))
start = time.process_time()
counts = derive(robot, options).counts[sys.argv[3]]
print(time.process_time() - start, counts.total, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def measured(function: str, bodies: int) -> tuple[float, int, float]:
    """(processor time in s, operations, memory in MiB) of deriving a function of a tree."""
    tests = str(Path(__file__).resolve().parents[1])
    command = [sys.executable, "-c", CODE, tests, str(bodies), function]
    seconds, operations, memory = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(seconds), int(operations), float(memory)


def main() -> None:
    """Print a table for each function."""
    for function in sys.argv[1:] or FUNCTIONS:
        print(f"\n{function}\n{'bodies':>8}{'operations':>12}{'s':>9}{'µs/operation':>14}{'MiB':>7}{'ratio':>7}")
        first = 0.0
        best = {bodies: (float("inf"), 0, 0.0) for bodies in BODIES}
        for _ in range(ROUNDS):
            for bodies in BODIES:
                best[bodies] = min(best[bodies], measured(function, bodies))
        for bodies, (seconds, operations, memory) in best.items():
            each = seconds / operations * 1e6
            first = first or each
            print(f"{bodies:>8}{operations:>12}{seconds:>9.2f}{each:>14.1f}{memory:>7.0f}{each / first:>7.2f}")


if __name__ == "__main__":
    main()
