"""Operations of forward dynamics of robots with loops, beside those of the generic route.

    python tests/benchmarks/loop_counts.py [ROBOT ...]

The generic route solves [M Aᵀ; A 0] [q̈; −λ] = [τ − h; −Ȧ q̇] of the whole tree by elimination that leaves out what is 0,
and takes as many constraints as there are dependent joints; rates of the whole tree are given to it. It exchanges no
rows, which costs nothing here and would not do in floating point. Neither M, h, A nor Ȧ q̇ are reduced by passes.
"""

import sys

from symgen.algebra.domain import is_zero, variables, zeros
from symgen.derive.derivation import derive
from symgen.derive.options import Options
from symgen.derive.subject import subject_of
from symgen.mechanics import composite, newton_euler
from symgen.mechanics.loops.closure import closure
from symgen.program.counts import count
from symgen.program.graph import Graph
from symgen.program.program import Array
from symgen.robot import library


def main(names):
    """One line for each robot."""
    for name in names:
        robot = library.load(name)
        ours = derive(robot, Options(("forward_dynamics",))).counts["forward_dynamics"]
        other = generic(robot)
        share = (ours.mul + ours.add) / (other.mul + other.add)
        print(f"{name}: {ours.mul} + {ours.add}, generic {other.mul} + {other.add}: {share:.2f}", flush=True)


def generic(robot):
    """Operations of the generic route."""
    graph = Graph()
    mechanism = subject_of(robot, Options()).mechanism(graph, normal=True)
    plan, n = mechanism.plan, mechanism.nv
    rates, tau = list(variables(graph, "v", n)), variables(graph, "tau", len(plan.independent))
    bias = newton_euler.inverse_dynamics(mechanism, rates, list(zeros(graph, n)), mechanism.gravity)
    found = closure(mechanism, rates, plan.reversed_cuts)
    rows = [row for block in plan.blocks for row in block.rows]
    matrix = zeros(graph, n + len(rows), n + len(rows))
    matrix[:n, :n] = composite.inertia_matrix(mechanism)
    matrix[:n, n:], matrix[n:, :n] = found.jacobian[rows].T, found.jacobian[rows]
    right = [-force for force in bias] + [-found.bias[row] for row in rows]
    for index, force in zip(plan.independent, tau, strict=True):
        right[index] = right[index] + force
    inputs = [Array("q", (robot.nq,)), Array("v", (n,)), Array("tau", (len(tau),))]
    return count(graph.program(inputs, [(Array("qdd", (n,)), eliminated(matrix, right)[:n])]))


def eliminated(matrix, right):
    """x with `matrix` x = `right`."""
    a, b, n = matrix.copy(), list(right), len(right)
    for k in range(n):
        for i in range(k + 1, n):
            if is_zero(a[i, k]):
                continue
            share = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] = a[i, j] - share * a[k, j]
            b[i] = b[i] - share * b[k]
    x = [None] * n
    for i in reversed(range(n)):
        total = b[i]
        for j in range(i + 1, n):
            total = total - a[i, j] * x[j]
        x[i] = total / a[i, i]
    return x


if __name__ == "__main__":
    main(sys.argv[1:] or [name for name in library.names() if library.load(name).has_loops])
