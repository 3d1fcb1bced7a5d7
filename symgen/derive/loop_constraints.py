"""The constraints of a robot with loops in numbers: their residuals and Jacobian, and postures that they hold at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from symgen.algebra.domain import variables
from symgen.mechanics import configuration
from symgen.mechanics.loops.closure import closure
from symgen.mechanics.mechanism import Mechanism
from symgen.program.fingerprint import fingerprint
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array
from symgen.robot.model import Robot

Floats = NDArray[np.float64]

RANK = 1e-9
"""Singular values, and parts of rows, below this share of the largest count as 0."""

CLOSED = 1e-12
"""Residual, in m and rad, below which a loop is closed."""

STEPS = 50


class Constraints:
    """φ(q) and A(q) as numbers, of cut joints seen from either side, and what of A vanishes at every q.

    Rows of both sides stand one after the other; `rows` of a choice of sides picks theirs.
    """

    def __init__(self, robot: Robot, make: Callable[[Graph], Mechanism]) -> None:
        self._values = {name: float(value) for name, value in robot.defaults.items()}
        self.sizes = [cut.kind.size for cut in robot.cut_joints] + [1] * (len(robot.couplings) + len(robot.spins))
        self.nv, self.count = robot.nv, sum(self.sizes)
        graph = Graph()
        mechanism = make(graph)
        sides = [
            closure(mechanism, reverse=reverse) for reverse in (frozenset(), frozenset(range(len(mechanism.cuts))))
        ]
        step = variables(graph, "v", mechanism.nv)
        ahead = configuration.integrate(mechanism, variables(graph, "q", mechanism.nq), step)
        q, v = Array("q", (robot.nq,)), Array("v", (robot.nv,))
        entries = [entry for side in sides for entry in side.jacobian.reshape(-1)]
        jacobian = (Array("A", (2 * self.count, robot.nv)), entries)
        self._closure = graph.program([q], [(Array("phi", (robot.constraints,)), sides[0].residual), jacobian])
        self._ahead = graph.program([q, v], [(Array("q", (robot.nq,)), list(ahead))])
        marks = np.array(fingerprint(graph.program([q], [jacobian])), dtype=object) != 0
        self.pattern: NDArray[np.bool_] = np.any(marks, axis=0).reshape(-1, robot.nv)

    def rows(self, reverse: frozenset[int]) -> list[int]:
        """The rows of A where the cut joints of these indices are seen from their successors."""
        starts = np.cumsum([0, *self.sizes])
        return [
            int(start) + k + (self.count if index in reverse else 0)
            for index, (start, size) in enumerate(zip(starts, self.sizes, strict=False))
            for k in range(size)
        ]

    def at(self, q: Floats) -> tuple[Floats, Floats]:
        """φ (m), seen from the predecessors, and A (2 m, nv) at q (nq)."""
        found = evaluate(self._closure, {"q": q}, self._values)
        return found["phi"], found["A"]

    def ahead(self, q: Floats, step: Floats) -> Floats:
        """q (nq) after the velocities lasted so long that `step` (nv) is their product with that time."""
        return evaluate(self._ahead, {"q": q, "v": step})["q"]

    def assembled(self, q: Floats, free: Sequence[int]) -> Floats | None:
        """The closed q next to the given one if only the rates `free` move; None if there is none near."""
        for _ in range(STEPS):
            phi, A = self.at(q)
            if np.abs(phi).max(initial=0.0) <= CLOSED:
                return q
            step = np.zeros(self.nv)
            wanted = np.concatenate([-phi, np.zeros(self.count - len(phi))])
            step[list(free)] = np.linalg.lstsq(A[: self.count, list(free)], wanted, rcond=RANK)[0]
            q = self.ahead(q, step * min(1.0, 0.5 / np.abs(step).max(initial=0.5)))
        return None

    def left_open(self, q: Floats, free: Sequence[int]) -> Floats:
        """φ where it is as short as it gets near the given q if only the rates `free` move."""
        from scipy.optimize import least_squares

        def residual(given: Floats) -> Floats:
            step = np.zeros(self.nv)
            step[list(free)] = given
            return self.at(self.ahead(q, step))[0]

        found: Floats = least_squares(residual, np.zeros(len(free))).fun
        return found


def rank(matrix: Floats) -> int:
    """The rank of a matrix, which may have no rows."""
    values = np.linalg.svd(matrix, compute_uv=False) if len(matrix) else np.zeros(0)
    return int(np.sum(values > RANK * values.max(initial=0.0)))
