"""The block triangular form of constraints: which of them determine which rates, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from symgen.derive.loop_constraints import Constraints
from symgen.mechanics.loops.plan import Block, Plan
from symgen.robot.model import Robot

Floats = NDArray[np.float64]

REVERSED_AT_MOST = 6
"""Up to so many cut joints all combinations of sides are tried that they can be seen from."""


def sides(robot: Robot) -> Iterator[frozenset[int]]:
    """Which cut joints are seen from their successors: all combinations, or of many joints none and all."""
    mutual = [index for index, cut in enumerate(robot.cut_joints) if cut.kind.is_mutual]
    if len(mutual) > REVERSED_AT_MOST:
        yield from (frozenset(), frozenset(mutual))
    else:
        yield from map(frozenset, chain.from_iterable(combinations(mutual, k) for k in range(len(mutual) + 1)))


def solved(
    robot: Robot, constraints: Constraints, matrix: Floats, reverse: frozenset[int], dependent: Sequence[int]
) -> Plan:
    """How the constraints, whose A at an assembled posture is `matrix`, are solved with these joints reversed."""
    side = constraints.rows(reverse)
    matrix, pattern = matrix[side], constraints.pattern[side]
    rows = independent_rows(pattern, matrix, dependent)
    entries = frozenset((int(row), int(column)) for row, column in zip(*np.nonzero(pattern), strict=True))
    blocks = tuple(blocks_of(pattern, rows, dependent))
    dropped = tuple(row for row in range(constraints.count) if row not in rows)
    return Plan(robot.independent, blocks, reverse, dropped, entries, float(np.abs(matrix).max(initial=0.0)))


def independent_rows(pattern: NDArray[np.bool_], matrix: Floats, dependent: Sequence[int]) -> list[int]:
    """As many rows as there are dependent rates that determine them: those with the fewest of them first."""
    order = sorted(range(len(pattern)), key=lambda row: (pattern[row, dependent].sum(), row))
    chosen: list[int] = []
    basis: list[Floats] = []
    for row in order:
        rest = matrix[row, dependent]
        size = np.linalg.norm(rest)
        for _ in range(2):
            for unit in basis:
                rest = rest - (unit @ rest) * unit
        if pattern[row, dependent].any() and np.linalg.norm(rest) > 1e-6 * size:
            chosen.append(row)
            basis.append(rest / np.linalg.norm(rest))
    return chosen


def blocks_of(pattern: NDArray[np.bool_], rows: Sequence[int], columns: Sequence[int]) -> Iterator[Block]:
    """The block triangular form: strong components of the graph in which a row needs the columns it has entries in."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

    part = pattern[np.ix_(rows, columns)]
    matched = maximum_bipartite_matching(csr_matrix(part), perm_type="column")
    # Row i determines column matched[i]; it needs the other columns in which it has entries.
    needs = part[:, matched]
    _, labels = connected_components(csr_matrix(needs), directed=True, connection="strong")
    groups = {label: [i for i in range(len(rows)) if labels[i] == label] for label in dict.fromkeys(labels)}
    done: set[int] = set()
    while groups:
        label = next(
            label
            for label, group in groups.items()
            if all(labels[j] == label or j in done for i in group for j in np.flatnonzero(needs[i]))
        )
        group = groups.pop(label)
        done.update(group)
        yield Block(tuple(rows[i] for i in group), tuple(columns[matched[i]] for i in group))
