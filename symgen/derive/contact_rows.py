"""Which rows of a contact set there are: not those that vanish at every q, and others only where they are independent.

What vanishes is found in the prime field, the rank at postures: random ones, which with loops are closed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from symgen.derive.loop_plan import RANK, Constraints, closed_postures
from symgen.mechanics.loops.contacts import DependentRowsError, rows_of
from symgen.mechanics.mechanism import Mechanism
from symgen.program.fingerprint import fingerprint
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array
from symgen.robot.model import Robot

Floats = NDArray[np.float64]

POSTURES = 3
"""At so many the rank is taken; the largest counts, for at single ones a leg may be stretched."""


def rows_of_set(robot: Robot, contacts: str, make: Callable[[Graph], Mechanism]) -> tuple[int, ...]:
    """The rows of a contact set that do not vanish; `make` makes the robot's mechanism, in normal form.

    `DependentRowsError` where they depend on each other, beside the loops that stay closed.
    """
    graph = Graph()
    mechanism = make(graph)
    jacobians = [rows_of(mechanism, cut, None).jacobian for cut in mechanism.contacts[contacts]]
    entries = [entry for jacobian in jacobians for entry in jacobian.reshape(-1)]
    count = sum(len(jacobian) for jacobian in jacobians)
    program = graph.program([Array("q", (robot.nq,))], [(Array("J", (count, robot.nv)), entries)])
    marks = np.array(fingerprint(program), dtype=object) != 0
    kept = np.flatnonzero(np.any(marks, axis=0).reshape(count, robot.nv).any(axis=1))
    values = {name: float(value) for name, value in robot.defaults.items()}
    rank = 0
    for q, closing in _postures(robot, make):
        own = evaluate(program, {"q": q}, values)["J"][kept]
        rank = max(rank, _rank(np.vstack([closing, own])) - _rank(closing))
    if rank < len(kept):
        raise DependentRowsError(contacts, rank, len(kept))
    return tuple(int(row) for row in kept)


def _postures(robot: Robot, make: Callable[[Graph], Mechanism]) -> list[tuple[Floats, Floats]]:
    """Postures, and the Jacobian of the loops that stay closed in each."""
    if not robot.has_loops:
        random = np.random.default_rng(0)
        return [(random.uniform(-1, 1, robot.nq), np.zeros((0, robot.nv))) for _ in range(POSTURES)]
    constraints = Constraints(robot, make)
    dependent = [index for index in range(robot.nv) if index not in robot.independent]
    side = constraints.rows(frozenset())
    return [(q, constraints.at(q)[1][side]) for q in closed_postures(robot, constraints, dependent)]


def _rank(matrix: Floats) -> int:
    values = np.linalg.svd(matrix, compute_uv=False) if len(matrix) else np.zeros(0)
    return int(np.sum(values > RANK * values.max(initial=0.0)))
