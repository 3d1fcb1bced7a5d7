"""The Hessian of inverse dynamics, contracted with weights: symgen's C beside CasADi's, operations and time of a call.

    python tests/benchmarks/hessians.py [ROBOT ...] [--rounds N] [--count]

Needs CasADi (`pip install 'symgen[bench]'`). CasADi differentiates its own plain recursion in two ways: `hessian` by
q, q̇ and q̈ at once, and block by block, mixed ones from the gradients that are cheaper to go on from. Beside both stands
what symgen would have by differentiating its Newton-Euler program, forward over reverse. `--count` counts alone; times
are medians of rounds in turn, each of the best of its blocks. Of robots with free joints or loops, such as solo12, g1
and gough_stewart, CasADi has no such recursion, and symgen's operations are counted alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import casadi
import numpy as np

from symgen.bench.cases import Case, case_of, robot_of
from symgen.bench.native import CFunction, Driver
from symgen.bench.peers import casadi_dynamics
from symgen.bench.peers.casadi import c_text
from symgen.derive.derivation import Derivation, derive
from symgen.derive.options import Options
from symgen.emit.registry import language
from symgen.passes.pipeline import QUICK_GROUPS, optimise
from symgen.program.counts import count
from symgen.program.differentiation import gradient, tangents
from symgen.program.graph import Graph
from symgen.program.program import Array, Program
from symgen.runtime.module import emit

FUNCTION, FORCES = "inverse_dynamics_hessian", "inverse_dynamics"
INPUTS = ("q", "qd", "qdd", "weights")
OUTPUTS = ("hessian_qq", "hessian_qqd", "hessian_qdqd", "hessian_qqdd")
STATES, CALLS = 256, 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", nargs="*", default=["puma", "panda", "ur5"])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--count", action="store_true")
    given = parser.parse_args()
    for name in given.robots:
        robot = robot_of(name, full_inertia=False)
        if robot.has_loops or robot.nq > robot.nv:
            found = derive(robot, Options(functions=(FUNCTION,))).counts[FUNCTION]
            print(f"{name}: {found.total} operations, {found.mul} * and {found.add} + among them", flush=True)
            continue
        case = case_of(robot, states=STATES)
        derivation = derive(case.robot, Options(functions=(FORCES, FUNCTION)))
        programs = {function.name: function.program for function in derivation.module.functions}
        ours = count(programs[FUNCTION]).total
        print(f"{name}: {ours} operations, program differentiated {count(differentiated(programs[FORCES])).total}")
        for way, expression in expressions(case).items():
            theirs = operations(expression)
            line = f"  CasADi, {way}: {theirs} operations, ratio {ours / theirs:.3f}"
            print(line if given.count else f"{line}; {timed(case, derivation, expression, given.rounds)}", flush=True)


# operations ----------------------------------------------------------------------------------------


def expressions(case: Case) -> dict[str, Any]:
    """CasADi's functions, by the way the blocks were differentiated; matrices transposed, so that they lie in rows."""
    n = len(case.joints)
    q, qd, qdd, weights = inputs = [casadi.SX.sym(name, n) for name in INPUTS]
    total = casadi.dot(weights, casadi_dynamics.inverse_dynamics(case, q, qd, qdd))
    whole = casadi.hessian(total, casadi.vertcat(q, qd, qdd))[0]
    at_once = [whole[:n, :n], whole[:n, n : 2 * n], whole[n : 2 * n, n : 2 * n], whole[:n, 2 * n :]]
    by_blocks = [
        casadi.hessian(total, q)[0],
        casadi.jacobian(casadi.gradient(total, qd), q).T,
        casadi.hessian(total, qd)[0],
        casadi.jacobian(casadi.gradient(total, qdd), q).T,
    ]
    return {
        way: casadi.Function(FUNCTION, inputs, [casadi.densify(each.T) for each in casadi.cse(blocks)])
        for way, blocks in (("hessian at once", at_once), ("block by block", by_blocks))
    }


def operations(expression: Any) -> int:
    """Operations but for inputs, outputs and constants, as symgen counts its own."""
    free = {casadi.OP_INPUT, casadi.OP_OUTPUT, casadi.OP_CONST}
    return sum(expression.instruction_id(k) not in free for k in range(expression.n_instructions()))


def differentiated(forces: Program) -> Program:
    """The same blocks by differentiating a program of joint forces: reverse, then forward along q and q̇."""
    graph = Graph()
    values = graph.load(forces)
    ((array, nodes),) = forces.outputs
    n = array.size
    weights = [graph.variable("weights", k) for k in range(n)]
    entries = {name: [(name, k) for k in range(n)] for name in INPUTS[:3]}
    every = [entry for each in entries.values() for entry in each]
    slopes = gradient(graph, [values[node] for node in nodes], weights, every)
    one = graph.constant(1)
    by_q = [tangents(graph, slopes, {entry: one}) for entry in entries["q"]]
    by_qd = [tangents(graph, slopes[n : 2 * n], {entry: one}) for entry in entries["qd"]]
    upper = [(min(i, j), max(i, j)) for i in range(n) for j in range(n)]
    blocks = (
        [by_q[i][j] for i, j in upper],
        [row[n + j] for row in by_q for j in range(n)],
        [by_qd[i][j] for i, j in upper],
        [row[2 * n + j] for row in by_q for j in range(n)],
    )
    outputs = [(Array(name, (n, n)), block) for name, block in zip(OUTPUTS, blocks, strict=True)]
    inputs = (*forces.inputs, Array("weights", (n,)))
    return optimise(graph.program(inputs, outputs), QUICK_GROUPS, ())[0]


# times ---------------------------------------------------------------------------------------------


def timed(case: Case, derivation: Derivation, expression: Any, rounds: int) -> str:
    """Nanoseconds of a call of each and their ratio, after both gave the same."""
    n = len(case.joints)
    weights = np.random.default_rng(1).uniform(-1, 1, case.q.shape)
    states = [np.ascontiguousarray(np.hstack([case.q, case.qd, case.qdd, weights])), case.qd, case.qdd]
    drivers = [Driver(ours(derivation, n)), Driver(theirs(expression, n))]
    (first,), (second,) = (driver.results(states) for driver in drivers)
    error = np.abs(first - second).max() / np.abs(first).max()
    assert error < 1e-10, f"they differ by {error:.1e}"
    times = np.array([[block(driver, states) for driver in drivers] for _ in range(rounds)])
    mine, other = np.median(times, axis=0)
    ratio = np.median(times[:, 0] / times[:, 1])
    return f"{mine:.0f} ns beside {other:.0f} ns, ratio {ratio:.3f}"


def block(driver: Driver, states: Sequence[Any]) -> float:
    """Nanoseconds of a call: the least of a few blocks."""
    made = driver.arrays(1)
    return min(driver.run(0, CALLS, states, made) for _ in range(3)) / CALLS


def packed(n: int) -> tuple[list[str], list[str]]:
    """Pointers to the inputs, which lie in one row, and to the outputs."""
    return [f"q + {n * k}" for k in range(4)], [f"first + {n * n * k}" for k in range(4)]


def ours(derivation: Derivation, n: int) -> CFunction:
    """symgen's function, whose inputs and outputs lie in one row each."""
    sources, name = emit(derivation.module).c, language("c").fitting(derivation.module).name
    arguments, results = packed(n)
    call = f"{name}_{FUNCTION}({', '.join((*arguments, *results))});"
    return CFunction(sources, (f'#include "{name}.h"',), (call,), None, 4 * n, n, (4 * n * n, 0, 0))


def theirs(expression: Any, n: int) -> CFunction:
    """CasADi's, in the same form."""
    arguments, results = packed(n)
    size = max(expression.sz_iw(), 1), max(expression.sz_w(), 1)
    return CFunction(
        sources={"casadi_function.c": c_text(expression, "double")},
        declarations=(f"int {FUNCTION}(const double **arg, double **res, long long int *iw, double *w, int mem);",),
        call=(
            f"const double *arg[] = {{{', '.join(arguments)}}};",
            f"double *res[] = {{{', '.join(results)}}};",
            f"long long int iw[{size[0]}];",
            f"double w[{size[1]}];",
            f"{FUNCTION}(arg, res, iw, w, 0);",
        ),
        batch=None,
        nq=4 * n,
        nv=n,
        sizes=(4 * n * n, 0, 0),
    )


if __name__ == "__main__":
    main()
