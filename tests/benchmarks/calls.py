"""Time of one call from Python with plain vectors, beside Pinocchio on the same states in the same run.

python tests/benchmarks/calls.py [ROBOT ...]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pinocchio as pin

sys.path.insert(0, str(Path(__file__).parents[1]))

from pinocchio_oracle import Model

import symgen

STATES = 1024
ROUNDS = 200


def least(call: Callable[[], None]) -> float:
    """Nanoseconds per state of the quickest of several rounds."""
    start = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - start) / STATES


def compare(name: str) -> None:
    """Print the figures of one robot."""
    robot = symgen.load(name)
    module = symgen.generate(robot)
    model = Model(robot).model
    data = model.createData()
    chance = np.random.default_rng(0)
    states = [tuple(chance.uniform(-1, 1, robot.nv) for _ in range(3)) for _ in range(STATES)]
    ours, theirs = module.inverse_dynamics, pin.rnea
    pairs = (
        ("inverse_dynamics", lambda: [ours(q, v, a) for q, v, a in states]),
        ("pin.rnea", lambda: [theirs(model, data, q, v, a) for q, v, a in states]),
        ("forward_dynamics", lambda: [module.forward_dynamics(q, v, a) for q, v, a in states]),
        ("pin.aba", lambda: [pin.aba(model, data, q, v, a) for q, v, a in states]),
        ("inertia_matrix", lambda: [module.inertia_matrix(q) for q, v, a in states]),
        ("pin.crba", lambda: [pin.crba(model, data, q) for q, v, a in states]),
    )
    best = dict.fromkeys((label for label, _ in pairs), float("inf"))
    for _ in range(ROUNDS):
        for label, call in pairs:
            best[label] = min(best[label], least(call))
    for (label, _), (peer, _) in zip(pairs[::2], pairs[1::2], strict=True):
        print(
            f"{name:10} {label:18} {best[label]:7.0f} ns   {peer:9} {best[peer]:7.0f} ns"
            f"   ratio {best[label] / best[peer]:.2f}"
        )


if __name__ == "__main__":
    for robot_name in sys.argv[1:] or ["puma", "panda"]:
        compare(robot_name)
