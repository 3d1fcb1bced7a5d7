"""Which constraints of a robot with loops determine which rates, and in which order.

The structure of the constraints' Jacobian A is exact: what vanishes at every q is found in the prime field. Their rank
is that at assembled postures, found by Newton's method from the posture that the robot's file gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from symgen.algebra.domain import Scalar, variables
from symgen.derive.loop_faults import singular_block, widest_gap
from symgen.derive.loop_steps import steps_of
from symgen.derive.records import independent_places
from symgen.errors import InputError
from symgen.mechanics import configuration
from symgen.mechanics.formulations.denoc import leg_pivots, misfit
from symgen.mechanics.formulations.platform import ByPlatform, carrying_rates, platform_of
from symgen.mechanics.loops.closure import closure
from symgen.mechanics.loops.plan import Block, Plan, Platform
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.mechanism import Mechanism
from symgen.program.fingerprint import fingerprint
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array
from symgen.robot.model import Robot

Floats = NDArray[np.float64]

RANK = 1e-9
"""Singular values, and parts of rows, below this share of the largest count as 0."""

SINGULAR = 1e-5
"""Where pivots are below this share of what they are at assembled postures, a posture is singular: in single precision
little would be left of what follows from them."""

CLOSED = 1e-12
"""Residual, in m and rad, below which a loop is closed."""

STEPS = 50
POSTURES = 3
"""Assembled postures at which ranks are taken; the least counts."""

STIR = 0.2
"""How far independent coordinates are stirred for other postures, in rad or m."""

REVERSED_AT_MOST = 6
"""Up to so many cut joints all combinations of sides are tried that they can be seen from."""


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


def plan_of(robot: Robot, make: Callable[[Graph], Mechanism]) -> Plan:
    """How the robot's constraints are solved; `make` makes its mechanism, in the frames that programs are derived in.

    Raises `InputError` where the loops do not close at the posture, where their freedoms are not the actuated joints,
    and where these do not determine the others.
    """
    independent = robot.independent
    dependent = [index for index in range(robot.nv) if index not in independent]
    constraints = Constraints(robot, make)
    postures = closed_postures(robot, constraints, dependent)
    matrices = [constraints.at(q)[1] for q in postures]
    _check_freedoms(robot, constraints, matrices, dependent)
    plans = [_solved(robot, constraints, matrices[0], reverse, dependent) for reverse in _sides(robot)]
    best = min(plans, key=lambda plan: (sum(len(block.rows) ** 3 for block in plan.blocks), len(plan.entries)))
    steps = steps_of(robot, make, independent_places(robot), postures[0])
    plan = replace(_guarded(robot, best, make, postures), steps=steps)
    plan = replace(plan, platform=_platform(robot, plan, make, postures, constraints))
    return replace(plan, least_of_legs=_least_of_legs(robot, plan, make, postures))


def closed_postures(robot: Robot, constraints: Constraints, dependent: Sequence[int]) -> list[Floats]:
    """Assembled postures: the robot's own first."""
    own = constraints.assembled(np.array(robot.near), dependent)
    if own is None:
        loose = constraints.assembled(np.array(robot.near), range(robot.nv))
        if loose is not None:  # what is taken as independent cannot be where it is
            _check_freedoms(robot, constraints, [constraints.at(loose)[1]], dependent)
        open_by = widest_gap(robot, constraints.left_open(np.array(robot.near), dependent))
        raise InputError(
            f"{robot.name}: the loops do not close near the posture: {open_by} where the other joints come nearest to "
            f"closing them, at the given positions of {', '.join(robot.actuated)}; correct the lengths, or give a "
            "posture nearer to the one that is meant"
        )
    random, found = np.random.default_rng(0), [own]
    for _ in range(4 * POSTURES):
        step = np.zeros(robot.nv)
        step[list(robot.independent)] = random.uniform(-STIR, STIR, len(robot.independent))
        other = constraints.assembled(constraints.ahead(own, step), dependent)
        found += [] if other is None else [other]
        if len(found) == POSTURES:
            break
    return found


def _check_freedoms(
    robot: Robot, constraints: Constraints, matrices: Sequence[Floats], dependent: Sequence[int]
) -> None:
    # As predecessors see it: an inline joint asks for something else where its successor is taken for one.
    matrices = [matrix[: constraints.count] for matrix in matrices]
    freedoms = robot.nv - max(map(_rank, matrices))
    if freedoms != len(robot.actuated):
        names = ", ".join(robot.actuated) or "none"
        raise InputError(
            f"{robot.name}: the loops leave {freedoms} freedoms of the tree's {robot.nv}, but {len(robot.actuated)} "
            f"coordinates are independent ({names}): name as many as there are freedoms (with more actuators than "
            "freedoms, `actuated` names them all and `independent` some of them)"
        )
    _check_actuators(robot, matrices, freedoms)
    ranks = [_rank(matrix[:, dependent]) for matrix in matrices]
    if max(ranks) < len(dependent):
        raise InputError(
            f"{robot.name}: the actuated coordinates {', '.join(robot.actuated)} depend on each other: they leave "
            f"{len(dependent) - max(ranks)} freedoms of the other joints open; choose others"
        )
    if ranks[0] < len(dependent):
        raise InputError(
            f"{robot.name}: the posture is singular: there the actuated coordinates do not determine the rates of "
            f"{', '.join(_loose(robot, matrices[0], dependent))}; "
            f"{_singular_block(robot, constraints, matrices[0], matrices[int(np.argmax(ranks))], dependent)}; give "
            "another posture"
        )


def _singular_block(
    robot: Robot, constraints: Constraints, matrix: Floats, other: Floats, dependent: Sequence[int]
) -> str:
    """Which block is singular at one of two postures, and its pivot; at the other the rates are determined."""
    side = constraints.rows(frozenset())
    pattern = constraints.pattern[side]
    blocks = list(_blocks(pattern, _independent_rows(pattern, other[side], dependent), dependent))
    return singular_block(robot, blocks, matrix[side], other[side])


def _check_actuators(robot: Robot, matrices: Sequence[Floats], freedoms: int) -> None:
    if robot.motors:
        free = [np.linalg.svd(matrix)[2][_rank(matrix) :].T for matrix in matrices]
        reached = max(_rank(basis[list(robot.driven)]) for basis in free)
        if reached < freedoms:
            raise InputError(
                f"{robot.name}: the {len(robot.motors)} actuators {', '.join(robot.motors)} drive {reached} of the "
                f"{freedoms} freedoms; name others in `actuated`"
            )


def _platform(
    robot: Robot,
    plan: Plan,
    make: Callable[[Graph], Mechanism],
    postures: Sequence[Floats],
    constraints: Constraints,
) -> Platform | None:
    """How the rates follow by way of a platform, by the same constraints; None where there is none that legs carry."""
    mechanism = replace(make(Graph()), plan=plan)
    body = platform_of(mechanism)
    if isinstance(body, str):
        return None
    carrying = carrying_rates(mechanism, body)
    dependent = [index for index in range(robot.nv) if index not in carrying]
    side = constraints.rows(plan.reversed_cuts)
    rows = [row for block in plan.blocks for row in block.rows]
    part = np.ix_(rows, dependent)
    regular = [q for q in postures if _rank(constraints.at(q)[1][side][part]) == len(dependent)]
    if not regular:
        return None
    blocks = tuple(_blocks(constraints.pattern[side], rows, dependent))
    legs = _guarded(robot, replace(plan, independent=carrying, blocks=blocks, steps=()), make, regular)
    found = Platform(body, legs, ())

    def pivots(mechanism: Mechanism) -> list[tuple[Scalar, ...]]:
        return [ByPlatform(replace(mechanism, plan=plan), found).factors.pivots]

    ((least, _),) = _least(robot, make, regular, pivots)
    return replace(found, least=least)


def _least_of_legs(
    robot: Robot, plan: Plan, make: Callable[[Graph], Mechanism], postures: Sequence[Floats]
) -> tuple[Fraction, ...]:
    """What pivots must not fall below where a parallel robot is solved leg by leg; none where a robot is not one."""
    if misfit(replace(make(Graph()), plan=plan)):
        return ()
    ((least, _),) = _least(robot, make, postures, lambda mechanism: [leg_pivots(replace(mechanism, plan=plan))])
    return least


def _guarded(robot: Robot, plan: Plan, make: Callable[[Graph], Mechanism], postures: Sequence[Floats]) -> Plan:
    """The plan, with what its pivots must not fall below, a share of what they are at these postures."""
    found = _least(robot, make, postures, lambda mechanism: Reduction(mechanism, plan).pivots)
    blocks = (replace(block, least=least, size=size) for block, (least, size) in zip(plan.blocks, found, strict=True))
    return replace(plan, blocks=tuple(blocks))


def _least(
    robot: Robot,
    make: Callable[[Graph], Mechanism],
    postures: Sequence[Floats],
    of: Callable[[Mechanism], Sequence[tuple[Scalar, ...]]],
) -> list[tuple[tuple[Fraction, ...], Fraction]]:
    """Of each matrix, whose pivots `of` gives: what these must not fall below, and the size of its determinant."""
    graph = Graph()
    pivots = of(make(graph))
    arrays = [(Array(f"block{number}", (len(each),)), list(each)) for number, each in enumerate(pivots)]
    program = graph.program([Array("q", (robot.nq,))], arrays)
    values = {name: float(value) for name, value in robot.defaults.items()}
    anywhere = np.random.default_rng(0).uniform(-1, 1, (POSTURES, robot.nq))
    found, other = (evaluate(program, {"q": np.array(q)}, values) for q in (postures, anywhere))
    result = []
    for array, _ in arrays:
        usual = np.abs(found[array.name]).max(axis=0)
        varies = np.ptp(np.vstack([found[array.name], other[array.name]]), axis=0) > RANK * usual
        share = SINGULAR if len(usual) == 1 else SINGULAR**2  # the pivots of large blocks are squares
        least = tuple(
            power_of_ten(share * float(size)) if moves else Fraction(0)
            for size, moves in zip(usual, varies, strict=True)
        )
        size = float(np.prod(np.sqrt(usual))) if len(usual) > 1 else float(usual[0])
        result.append((least, power_of_ten(size)))
    return result


def power_of_ten(value: float) -> Fraction:
    """The power of ten below: few digits, and the same ones on every machine."""
    return Fraction(10) ** floor(log10(value))


def _rank(matrix: Floats) -> int:
    values = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(values > RANK * values.max(initial=0.0)))


def _loose(robot: Robot, matrix: Floats, dependent: Sequence[int]) -> list[str]:
    """Names of the dependent coordinates that may move while the independent ones rest."""
    kernel = np.linalg.svd(matrix[:, dependent])[2][_rank(matrix[:, dependent]) :]
    moving = np.abs(kernel).max(axis=0) > 1e-6
    return [robot.velocities[index].name for index, moves in zip(dependent, moving, strict=True) if moves]


def _sides(robot: Robot) -> Iterator[frozenset[int]]:
    """Which cut joints are seen from their successors: all combinations, or of many joints none and all."""
    mutual = [index for index, cut in enumerate(robot.cut_joints) if cut.kind.is_mutual]
    if len(mutual) > REVERSED_AT_MOST:
        yield from (frozenset(), frozenset(mutual))
    else:
        yield from map(frozenset, chain.from_iterable(combinations(mutual, k) for k in range(len(mutual) + 1)))


def _solved(
    robot: Robot, constraints: Constraints, matrix: Floats, reverse: frozenset[int], dependent: Sequence[int]
) -> Plan:
    side = constraints.rows(reverse)
    matrix, pattern = matrix[side], constraints.pattern[side]
    rows = _independent_rows(pattern, matrix, dependent)
    entries = frozenset((int(row), int(column)) for row, column in zip(*np.nonzero(pattern), strict=True))
    blocks = tuple(_blocks(pattern, rows, dependent))
    dropped = tuple(row for row in range(constraints.count) if row not in rows)
    return Plan(robot.independent, blocks, reverse, dropped, entries, float(np.abs(matrix).max(initial=0.0)))


def _independent_rows(pattern: NDArray[np.bool_], matrix: Floats, dependent: Sequence[int]) -> list[int]:
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


def _blocks(pattern: NDArray[np.bool_], rows: Sequence[int], columns: Sequence[int]) -> Iterator[Block]:
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
