"""Which constraints of a robot with loops determine which rates, and in which order.

The structure of the constraints' Jacobian A is exact: what vanishes at every q is found in the prime field. Their rank
is that at assembled postures, found by Newton's method from the posture that the robot's file gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from symgen.algebra.domain import Scalar
from symgen.derive.loop_blocks import blocks_of, independent_rows, sides, solved
from symgen.derive.loop_constraints import Constraints, rank
from symgen.derive.loop_faults import singular_block, widest_gap
from symgen.derive.loop_guards import guarded, least_of
from symgen.derive.loop_steps import steps_of
from symgen.derive.records import independent_places
from symgen.errors import InputError
from symgen.mechanics.formulations.denoc import leg_pivots, misfit
from symgen.mechanics.formulations.platform import ByPlatform, carrying_rates, platform_of
from symgen.mechanics.loops.plan import Plan, Platform
from symgen.mechanics.mechanism import Mechanism
from symgen.program.graph import Graph
from symgen.robot.model import Robot

Floats = NDArray[np.float64]

POSTURES = 3
"""Assembled postures at which ranks are taken; the least counts."""

STIR = 0.2
"""How far independent coordinates are stirred for other postures, in rad or m."""


def plan_of(robot: Robot, make: Callable[[Graph], Mechanism], *, legs: bool = True) -> Plan:
    """How the robot's constraints are solved; `make` makes its mechanism, in the frames that programs are derived in.

    Without `legs` what formulations need of a platform's legs is left out.
    Raises `InputError` where the loops do not close at the posture, where their freedoms are not the actuated joints,
    and where these do not determine the others.
    """
    independent = robot.independent
    dependent = [index for index in range(robot.nv) if index not in independent]
    constraints = Constraints(robot, make)
    postures = closed_postures(robot, constraints, dependent)
    matrices = [constraints.at(q)[1] for q in postures]
    _check_freedoms(robot, constraints, matrices, dependent)
    plans = [solved(robot, constraints, matrices[0], reverse, dependent) for reverse in sides(robot)]
    best = min(plans, key=lambda plan: (sum(len(block.rows) ** 3 for block in plan.blocks), len(plan.entries)))
    steps = steps_of(robot, make, independent_places(robot), postures[0])
    plan = replace(guarded(robot, best, make, postures), steps=steps)
    if not legs:
        return plan
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
    freedoms = robot.nv - max(map(rank, matrices))
    if freedoms != len(robot.actuated):
        names = ", ".join(robot.actuated) or "none"
        raise InputError(
            f"{robot.name}: the loops leave {freedoms} freedoms of the tree's {robot.nv}, but {len(robot.actuated)} "
            f"coordinates are independent ({names}): name as many as there are freedoms (with more actuators than "
            "freedoms, `actuated` names them all and `independent` some of them)"
        )
    _check_actuators(robot, matrices, freedoms)
    ranks = [rank(matrix[:, dependent]) for matrix in matrices]
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
    blocks = list(blocks_of(pattern, independent_rows(pattern, other[side], dependent), dependent))
    return singular_block(robot, blocks, matrix[side], other[side])


def _check_actuators(robot: Robot, matrices: Sequence[Floats], freedoms: int) -> None:
    if robot.motors:
        free = [np.linalg.svd(matrix)[2][rank(matrix) :].T for matrix in matrices]
        reached = max(rank(basis[list(robot.driven)]) for basis in free)
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
    regular = [q for q in postures if rank(constraints.at(q)[1][side][part]) == len(dependent)]
    if not regular:
        return None
    blocks = tuple(blocks_of(constraints.pattern[side], rows, dependent))
    legs = guarded(robot, replace(plan, independent=carrying, blocks=blocks, steps=()), make, regular)
    found = Platform(body, legs, ())

    def pivots(mechanism: Mechanism) -> list[tuple[Scalar, ...]]:
        return [ByPlatform(replace(mechanism, plan=plan), found).factors.pivots]

    ((least, _),) = least_of(robot, make, regular, pivots)
    return replace(found, least=least)


def _least_of_legs(
    robot: Robot, plan: Plan, make: Callable[[Graph], Mechanism], postures: Sequence[Floats]
) -> tuple[Fraction, ...]:
    """What pivots must not fall below where a parallel robot is solved leg by leg; none where a robot is not one."""
    if misfit(replace(make(Graph()), plan=plan)):
        return ()
    ((least, _),) = least_of(robot, make, postures, lambda mechanism: [leg_pivots(replace(mechanism, plan=plan))])
    return least


def _loose(robot: Robot, matrix: Floats, dependent: Sequence[int]) -> list[str]:
    """Names of the dependent coordinates that may move while the independent ones rest."""
    kernel = np.linalg.svd(matrix[:, dependent])[2][rank(matrix[:, dependent]) :]
    moving = np.abs(kernel).max(axis=0) > 1e-6
    return [robot.velocities[index].name for index, moves in zip(dependent, moving, strict=True) if moves]
