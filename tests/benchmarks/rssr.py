"""The RSSR linkage with a ball joint whole and as three revolute joints, side by side: 1000 steps of a revolution.

python tests/benchmarks/rssr.py

A step is what the paper times: the posture at the crank's angle (`assemble`) and the torque there. Both models take
turns, so that what disturbs the machine disturbs both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np

import symgen
from symgen.runtime.module import Module

ROBOTS = ("rssr", "rssr_revolutes")
FORMULATIONS = ("newton_euler", "euler_parameters")
STEPS, TURNS = 1000, 300
START = 1.767
"""The crank's angle at the posture of the files: from there both are followed in the same assembly."""
FUNCTIONS = ("inverse_dynamics", "assembly_step", "closure")


def revolution(module: Module, crank: np.ndarray) -> np.ndarray:
    """q at each angle of the crank, each from the one before."""
    q = [module.neutral]
    for angle in crank:
        at, status = module.assemble(angle, q[-1])
        assert status == 0
        q.append(at)
    return np.array(q[1:])


def works(formulation: str) -> Mapping[str, Mapping[str, Callable[[], object]]]:
    """What is timed → robot → the work, on all postures of the crank's revolution at once."""
    crank = START + np.linspace(0, 2 * np.pi, STEPS)[:, None]
    qd, qdd = np.full((STEPS, 1), 2 * np.pi / 0.6), np.zeros((STEPS, 1))
    torque, both = {}, {}
    for name in ROBOTS:
        module = symgen.generate(name, functions=FUNCTIONS, inverse_dynamics=formulation, states=20)
        q = revolution(module, crank)
        before = np.roll(q, 1, axis=0)
        torque[name] = lambda module=module, q=q: module.inverse_dynamics(q, qd, qdd)
        both[name] = lambda module=module, before=before: module.inverse_dynamics(
            module.assemble(crank, before)[0], qd, qdd
        )
    found = [torque[name]() for name in ROBOTS]
    assert np.abs(found[1] - found[0]).max() < 1e-12 * np.abs(found[0]).max()
    return {"torque": torque, "posture and torque": both}


def times(work: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The median time of each, in µs for all steps."""
    spent: dict[str, list[int]] = {name: [] for name in work}
    for _ in range(TURNS):
        for name, run in work.items():
            start = time.perf_counter_ns()
            run()
            spent[name].append(time.perf_counter_ns() - start)
    return {name: float(np.median(each)) / 1000 for name, each in spent.items()}


def main() -> None:
    """One line for each formulation and each part of a step."""
    for formulation in FORMULATIONS:
        for part, work in works(formulation).items():
            whole, split = times(work).values()
            print(
                f"{formulation}, {part}: {whole:.0f} µs whole, {split:.0f} µs as three revolute joints, "
                f"{100 * (1 - whole / split):.0f} % less for {STEPS} steps",
                flush=True,
            )


if __name__ == "__main__":
    main()
