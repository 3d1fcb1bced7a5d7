"""Random trees of all kinds of joints: generated functions against Pinocchio and the oracle, and proofs of all.

    python tests/benchmarks/random_trees.py [COUNT] [FIRST_SEED] [COMPILED]

Tree number `seed` has 1 to 12 joints; every third tree has joints that follow others. All functions are derived and
run by the interpreter; COMPILED of the trees, spread evenly, are compiled instead, those with up to 12 velocities with
the search for fewer operations. These and every fifth tree are held against the oracle too. Prints what fails, and the
worst error of each function: norm-wise, relative to the largest entry or to 1. Where an array comes from a solution
with the inertia matrix, the error is divided by this matrix's condition number beyond 1e4.
"""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from joint_trees import SCREWS, tree
from module_functions import interpreted, setting_of
from tree_cases import Case

from symgen.derive.derivation import Options, derive
from symgen.prove.proof import prove
from symgen.robot.model import JointKind
from symgen.runtime.module import build, emit
from symgen.verify.compare import verify

STATES = 3
SEARCHED = 12
ROUNDING, DIFFERENCES = 1e-10, 1e-5
"""What is allowed of rounding, and of the finite differences that derivatives are compared with."""

SOLVED = ("forward_dynamics", "inverse_inertia_matrix", "forward_dynamics_derivatives")


def robot(seed):
    """The tree of this number."""
    mimics = seed % 3 == 0
    return tree(seed, 1 + seed % 12, *([(*SCREWS, JointKind.FLOATING)] if mimics else []), mimics=mimics)


def errors(arm, functions):
    """Function → worst error over some states, of those that Pinocchio has."""
    worst = {}
    for case in (Case(arm, seed) for seed in range(STATES)):
        inputs = dict(zip(("q", "qd", "qdd", "tau"), case.state, strict=True))
        for name, (function, arguments) in functions.items():
            expected = case.expected(name)
            if expected is None:
                continue
            found = function(*(inputs[argument] for argument in arguments))
            found = found if isinstance(found, tuple) else (found,)
            condition = np.linalg.cond(case.expected("inertia_matrix")[0]) if name in SOLVED else 1
            error = max(map(_error, found, expected)) / max(1, condition / 1e4)
            worst[name] = max(worst.get(name, 0), error)
    return worst


def _error(found, expected):
    scale = max(1.0, np.abs(expected).max(initial=0))
    return float(np.abs(np.reshape(found, expected.shape) - expected).max(initial=0) / scale)


def examined(arm, compiled, verified):
    """(errors by function, what is wrong in words) of a tree; `verified`: whether the oracle is asked too."""
    derivation = derive(arm, Options(functions=("all",), effort="normal" if compiled and arm.nv <= SEARCHED else "low"))
    functions = build(derivation, emit(derivation.module)).functions if compiled else interpreted(derivation)
    arguments = {each.name: [argument.name for argument in each.inputs] for each in derivation.module.functions}
    found = errors(arm, {name: (functions[name], arguments[name]) for name in arguments})
    wrong = [
        f"{name} is off by {error:.1e}"
        for name, error in found.items()
        if not error < (DIFFERENCES if name.endswith("derivatives") else ROUNDING)
    ]
    wrong += [f"{proof.function} is not proved: {proof.reason}" for proof in prove(derivation) if not proof.holds]
    if verified:
        report = verify(arm, functions, states=STATES, setting=setting_of(derivation))
        wrong += [str(check) for check in report.failures]
    return found, [*derivation.notices, *wrong]


def main(count=300, first=0, compiled=20):
    """Examine `count` trees; 1 if anything is wrong with any."""
    worst, bad, start = {}, 0, time.perf_counter()
    chosen = {first + k * count // max(compiled, 1) for k in range(compiled)}
    for number, seed in enumerate(range(first, first + count)):
        arm = robot(seed)
        try:
            found, wrong = examined(arm, seed in chosen, seed in chosen or seed % 5 == 0)
        except Exception as error:
            found, wrong = {}, [f"{type(error).__name__}: {error}"]
        bad += bool(wrong)
        for text in wrong:
            print(f"seed {seed} ({len(arm.links)} joints, nv {arm.nv}): {text}", flush=True)
        for name, error in found.items():
            worst[name] = max(worst.get(name, (0, seed)), (error, seed))
        if number % 25 == 24:
            print(f"{number + 1} trees, {bad} bad, {time.perf_counter() - start:.0f} s", flush=True)
    for name, (error, seed) in worst.items():
        print(f"{name:30} {error:.1e}  (seed {seed})")
    print(f"{count} trees, {len(chosen)} compiled, {bad} with something wrong, {time.perf_counter() - start:.0f} s")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:4])))
