"""Closed forms, as multiples of `import sympy` in the same run.

    python tests/benchmarks/closed_forms.py

Every figure is processor time, the least of several runs taken in turn. Derivations are measured without imports, from
the robot to SymPy matrices; `symgen show` is a fresh process, imports included.
"""

from __future__ import annotations

import os
import subprocess
import sys

ROUNDS = 5
UNIT = "import sympy"
_DERIVE = """
import time, sympy, symgen
robot = symgen.load({robot!r})
closed = symgen.closed_form(robot{options})
start = time.process_time()
for name in {names!r}:
    getattr(closed, name).matrix
print(time.process_time() - start)
"""
_STANFORD = ("inertia_matrix", "convective_inertia_mass_centre", "gravity_torque", "inverse_dynamics")
DERIVATIONS = {
    "puma: complete GIM": ("puma", ("inertia_matrix",), ""),
    "puma: complete GIM, twists symbolic": ("puma", ("inertia_matrix",), ", angles='symbolic'"),
    "stanford: GIM, MCI, gravity and tau": ("stanford", _STANFORD, ""),
    "panda: complete GIM": ("panda", ("inertia_matrix",), ""),
    "panda: tau": ("panda", ("inverse_dynamics",), ""),
}
COMMANDS = {
    "symgen show puma inertia_matrix 2 2": ["show", "puma", "inertia_matrix", "2", "2"],
    "the same in base parameters": ["show", "puma", "inertia_matrix", "2", "2", "--inertia", "base"],
}


def processor_time(arguments: list[str]) -> float:
    """User and system time of a Python process."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def derivation_time(robot: str, names: tuple[str, ...], options: str) -> float:
    """Time between the robot and the matrices."""
    code = _DERIVE.format(robot=robot, names=names, options=options)
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(result.stdout)


def main() -> None:
    """Print the table."""
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        figures = {UNIT: processor_time(["-c", UNIT])}
        figures |= {name: derivation_time(*case) for name, case in DERIVATIONS.items()}
        figures |= {name: processor_time(["-m", "symgen", *command]) for name, command in COMMANDS.items()}
        best = {name: min(best.get(name, value), value) for name, value in figures.items()}
    for name, seconds in best.items():
        print(f"{name:38} {seconds:6.2f} s  {seconds / best[UNIT]:6.2f} x")


if __name__ == "__main__":
    main()
