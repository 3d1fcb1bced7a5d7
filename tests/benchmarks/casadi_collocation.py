"""Motions by direct collocation: symgen's library beside CasADi's own expressions, interpreted and compiled.

    python tests/benchmarks/casadi_collocation.py

For each problem and model: the optimum, IPOPT's iterations, the time in its callbacks (the model and what CasADi puts
around it), and the time of the model's functions alone, exact Hessians included: measured outside IPOPT, at random
states, and multiplied by the number of states that its iterations evaluate. The least of several runs. Compiled
expressions of CasADi share common parts, those of derivatives too; interpreted, derivatives are as CasADi has them.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter

import casadi
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from casadi_problems import REACH, SWING_UP, cart_pole, own_library, own_model, solved, symgen_library

from symgen.bench.cases import robot_of

RUNS, STATES = 7, 2000


def alone(function: casadi.Function) -> float:
    """Seconds a state that a function takes, in CasADi's loop over many states."""
    many = function.map(STATES)
    rng = np.random.default_rng(0)
    given = [casadi.DM(many.sparsity_in(k), rng.normal(size=many.nnz_in(k))) for k in range(many.n_in())]
    buffer, _ = many.buffer()
    inputs = [np.array(each.nonzeros()) for each in given]
    outputs = [np.zeros(many.nnz_out(k)) for k in range(many.n_out())]
    for k, each in enumerate(inputs):
        buffer.set_arg(k, memoryview(each))
    for k, each in enumerate(outputs):
        buffer.set_res(k, memoryview(each))
    times = []
    for _ in range(RUNS):
        begin = perf_counter()
        buffer._eval()
        times.append(perf_counter() - begin)
    return min(times) / STATES


def main() -> None:
    """Print a line for each model."""
    problems = (("cart-pole", cart_pole(), SWING_UP), ("panda", robot_of("panda", full_inertia=False), REACH))
    for name, robot, problem in problems:
        with tempfile.TemporaryDirectory(prefix="symgen-") as folder:
            models = {
                "symgen": casadi.external("forward_dynamics", symgen_library(robot, effort="normal")),
                "CasADi's C": casadi.external("forward_dynamics", own_library(robot, Path(folder))),
                "CasADi": own_model(robot),
            }
            for title, model in models.items():
                runs = [solved(model, problem)[1:] for _ in range(RUNS)]
                forces, found = runs[0]
                callbacks = min(sum(v for k, v in run.items() if k.startswith("t_wall_nlp_")) for _, run in runs)
                parts = [model, model.jacobian(), model.reverse(1).jacobian()]
                each = [alone(part) for part in parts]
                counts = [found[f"n_call_nlp_{part}"] for part in ("g", "jac_g", "hess_l")]
                total = sum(t * n for t, n in zip(each, counts, strict=True)) * (problem.steps + 1)
                print(
                    f"{name:10} {title:11} sum of squares {np.sum(forces**2):.9g}, {found['iter_count']} iterations, "
                    f"callbacks {1e3 * callbacks:.1f} ms, model alone {1e3 * total:.2f} ms; a state: "
                    + ", ".join(f"{w} {1e6 * t:.2f}" for w, t in zip(("f", "jac", "hess"), each, strict=True))
                    + " us"
                )


if __name__ == "__main__":
    main()
