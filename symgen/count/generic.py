"""Operations of the generic route for robots with loops: the whole tree and all of its constraints, by elimination.

Forward dynamics solves [M Aᵀ; A 0] [q̈; −λ] = [τ − h; −Ȧ q̇]. Inverse dynamics solves A_dᵀ λ = τ_d, of the dependent
joints, with the tree's forces τ, and is τ_a − A_aᵀ λ. Elimination leaves out what is 0, exchanges no rows, which costs
nothing here and would not do in floating point, and takes as many constraints as there are dependent joints. M, τ, h, A
and Ȧ q̇ are those of the tree's own formulas, before any choice of frames and any pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Matrix, Scalar, dot, is_zero, variables, vector, zeros
from symgen.derive.subject import Subject
from symgen.mechanics import composite, newton_euler
from symgen.mechanics.loops.closure import Closure, closure
from symgen.mechanics.loops.cut_joints import drive_forces
from symgen.mechanics.loops.plan import Plan
from symgen.mechanics.mechanism import Mechanism
from symgen.program.counts import Counts, count
from symgen.program.graph import Graph
from symgen.program.program import Array


@dataclass(frozen=True)
class Generic:
    """Operations from what the function is given, and where the tree's motion is given as far as it is known."""

    whole: Counts
    given: Counts


def generic_counts(subject: Subject) -> Mapping[str, Generic]:
    """Function → operations of the generic route, for a robot with loops whose numbers are known."""
    makes = {"inverse_dynamics": _inverse_dynamics, "forward_dynamics": _forward_dynamics}
    return {name: Generic(make(subject, given=False), make(subject, given=True)) for name, make in makes.items()}


class _Tree:
    """A robot's tree over a graph, with the rates of all of its joints: given, or from the independent ones."""

    def __init__(self, subject: Subject, *, given: bool) -> None:
        self.given, self.graph = given, Graph()
        self.mechanism: Mechanism = subject.mechanism(self.graph, normal=True)
        assert self.mechanism.plan is not None
        self.plan: Plan = self.mechanism.plan
        self.rows = [row for block in self.plan.blocks for row in block.rows]
        self.others = list(self.plan.dependent)
        self.jacobian: Matrix = closure(self.mechanism, reverse=self.plan.reversed_cuts).jacobian[self.rows]
        self.rates = self.all_of("qd", None)
        found: Closure = closure(self.mechanism, self.rates, self.plan.reversed_cuts)
        self.rest = [found.bias[row] for row in self.rows]

    @property
    def extent(self) -> int:
        """Entries of rates and accelerations that are given."""
        return self.mechanism.nv if self.given else len(self.plan.independent)

    def all_of(self, name: str, rest: Sequence[Scalar] | None) -> list[Scalar]:
        """x, nv, with A x + rest = 0, of its independent entries; or all of it."""
        if self.given:
            return list(variables(self.graph, name, self.mechanism.nv))
        own = list(self.plan.independent)
        x = zeros(self.graph, self.mechanism.nv)
        x[own] = variables(self.graph, name, len(own))
        right = [-dot(row[own], x[own]) for row in self.jacobian]
        right = right if rest is None else [a - b for a, b in zip(right, rest, strict=True)]
        x[self.others] = eliminated(self.jacobian[:, self.others], right)
        return list(x)

    def forces(self, acceleration: Sequence[Scalar]) -> list[Scalar]:
        """What the motion asks of all joints, nv."""
        mechanism = self.mechanism
        links = newton_euler.inverse_dynamics(mechanism, self.rates, acceleration, mechanism.gravity)
        drives = zip(mechanism.rotor_inertias, drive_forces(mechanism, self.rates), acceleration, strict=True)
        return [force + (rotor * push + drag) for force, (rotor, drag, push) in zip(links, drives, strict=True)]

    def counts(self, third: Array, result: Sequence[Scalar]) -> Counts:
        """Operations of the independent entries of a result."""
        inputs = [Array("q", (self.mechanism.nq,)), Array("qd", (self.extent,)), third]
        return count(self.graph.program(inputs, [(Array("result", (len(result),)), list(result))]))


def _inverse_dynamics(subject: Subject, *, given: bool) -> Counts:
    tree = _Tree(subject, given=given)
    forces = vector(tree.forces(tree.all_of("qdd", tree.rest)))
    multipliers = vector(eliminated(tree.jacobian[:, tree.others].T, list(forces[tree.others])))
    result = [forces[index] - dot(tree.jacobian[:, index], multipliers) for index in tree.plan.independent]
    return tree.counts(Array("qdd", (tree.extent,)), result)


def _forward_dynamics(subject: Subject, *, given: bool) -> Counts:
    tree = _Tree(subject, given=given)
    n, m, own = tree.mechanism.nv, len(tree.rows), list(tree.plan.independent)
    right = [-force for force in tree.forces(list(zeros(tree.graph, n)))] + [-value for value in tree.rest]
    for index, force in zip(own, variables(tree.graph, "tau", len(own)), strict=True):
        right[index] = right[index] + force
    matrix = zeros(tree.graph, n + m, n + m)
    matrix[:n, :n] = composite.inertia_matrix(tree.mechanism)
    matrix[:n, n:], matrix[n:, :n] = tree.jacobian.T, tree.jacobian
    found = eliminated(matrix, right)
    return tree.counts(Array("tau", (len(own),)), [found[index] for index in own])


def eliminated(matrix: Matrix, right: Sequence[Scalar]) -> list[Scalar]:
    """x, n, with `matrix` x = `right`, n, by Gauss's elimination in the given order of rows where pivots are not 0."""
    a, b, n = matrix.copy(), list(right), len(right)
    for k in range(n):
        pivot = next(i for i in range(k, n) if not is_zero(a[i, k]))
        a[[k, pivot]], b[k], b[pivot] = a[[pivot, k]], b[pivot], b[k]
        for i in range(k + 1, n):
            if is_zero(a[i, k]):
                continue
            share = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                if not is_zero(a[k, j]):
                    a[i, j] = a[i, j] - share * a[k, j]
            b[i] = b[i] - share * b[k]
    x = list(right)
    for i in reversed(range(n)):
        total = b[i]
        for j in range(i + 1, n):
            if not is_zero(a[i, j]):
                total = total - a[i, j] * x[j]
        x[i] = total / a[i, i]
    return x
