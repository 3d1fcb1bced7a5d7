"""Which rows of a contact set there are: not those that vanish at every q, and others only where they are independent.

What vanishes is found in the prime field, ranks and sizes at postures: random ones, which with loops are closed.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from symgen.derive.loop_constraints import RANK, Constraints, rank
from symgen.derive.loop_guards import SINGULAR, power_of_ten
from symgen.derive.loop_plan import closed_postures
from symgen.mechanics.functions.state import State
from symgen.mechanics.loops.contacts import DependentRowsError, Kept, rows_of
from symgen.mechanics.mechanism import Mechanism
from symgen.program.fingerprint import fingerprint
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array
from symgen.robot.model import Robot

Floats = NDArray[np.float64]

POSTURES = 3
"""At so many the rank is taken; the largest counts, for at single ones a leg may be stretched."""


def rows_of_set(robot: Robot, contacts: str, make: Callable[[Graph], Mechanism]) -> Kept:
    """The rows of a contact set that do not vanish; `make` makes the robot's mechanism, in normal form.

    `DependentRowsError` where they depend on each other, beside the loops that stay closed.
    """
    graph = Graph()
    mechanism = make(graph)
    state = State(mechanism)
    rows = np.concatenate([rows_of(mechanism, cut, None).jacobian for cut in mechanism.contacts[contacts]])
    q = [Array("q", (robot.nq,))]
    program = graph.program(q, [(Array("A", rows.shape), list(rows.reshape(-1)))])
    marks = np.array(fingerprint(program), dtype=object) != 0
    kept = np.flatnonzero(np.any(marks, axis=0).reshape(rows.shape).any(axis=1))
    values = {name: float(value) for name, value in robot.defaults.items()}
    postures = _postures(robot, make)
    _check_rank(contacts, kept, [(evaluate(program, {"q": at}, values)["A"], closing) for at, closing in postures])
    projected, inertia = state.reduction.columns(rows[kept]), state.inertia_matrix
    arrays = [(Array(name, each.shape), list(each.reshape(-1))) for name, each in (("J", projected), ("I", inertia))]
    sized = graph.program(q, arrays)
    found = [evaluate(sized, {"q": at}, values) for at, _ in postures]
    pivots = np.array([_pivots(each["J"], each["I"]) for each in found])
    return Kept(tuple(map(int, kept)), tuple(map(_least, pivots.T)))


def _postures(robot: Robot, make: Callable[[Graph], Mechanism]) -> list[tuple[Floats, Floats]]:
    """Postures, and the Jacobian of the loops that stay closed in each."""
    if not robot.has_loops:
        random = np.random.default_rng(0)
        return [(random.uniform(-1, 1, robot.nq), np.zeros((0, robot.nv))) for _ in range(POSTURES)]
    constraints = Constraints(robot, make)
    dependent = [index for index in range(robot.nv) if index not in robot.independent]
    side = constraints.rows(frozenset())
    return [(q, constraints.at(q)[1][side]) for q in closed_postures(robot, constraints, dependent)]


def _check_rank(contacts: str, kept: NDArray[np.intp], found: list[tuple[Floats, Floats]]) -> None:
    held = max(rank(np.vstack([closing, rows[kept]])) - rank(closing) for rows, closing in found)
    if held < len(kept):
        raise DependentRowsError(contacts, held, len(kept))


def _pivots(rows: Floats, inertia: Floats) -> Floats:
    """Those of J I⁻¹ Jᵀ, eliminated from the last row on."""
    rest = rows @ np.linalg.pinv(inertia, hermitian=True) @ rows.T
    found = np.zeros(len(rest))
    for k in reversed(range(len(rest))):
        found[k] = rest[k, k]
        rest = rest[:k, :k] - np.outer(rest[:k, k], rest[k, :k]) / rest[k, k]
    return found


def _least(found: Floats) -> Fraction:
    """A share of a pivot's largest value; those that do not vary are taken as they are.

    Pivots are squares of lengths, so to speak: what is lost of these is lost twice.
    """
    size = float(np.abs(found).max())
    return power_of_ten(SINGULAR**2 * size) if np.ptp(found) > RANK * size else Fraction(0)
