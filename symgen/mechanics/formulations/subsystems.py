"""Inverse dynamics subsystem by subsystem, after Chaudhary and Saha (Saha, recursive dynamics, section 4).

Subsystems are the branches of the tree that start from the base. Each has a natural orthogonal complement of its own,
N_j = (N_l N_d)_j, and equations of motion of its own (eq. (42)),

    N_jᵀ w*_j = τ^E_j + τ^λ_j,        w*_j = M_j ṫ_j + W_j M_j E_j t_j,

which are linear in its unknowns: the drives of its joints, in τ^E_j, and the multipliers λ of the cut joints at its
bodies, in τ^λ_j = N_jᵀ w^λ_j. A subsystem with as many unknowns as freedoms is determinate. It is solved, its
multipliers are known forces for the others, and some of these become determinate in turn. Where none is, the least set
of subsystems that together have as many unknowns as freedoms is solved at once: in the end the whole tree (eq. (44)).

N = diag(N_1 … N_s) (eq. (46)), so that the recursion over the tree is that of all subsystems side by side, and the
columns of A at a subsystem's joints are N_jᵀ times the wrenches of unit multipliers. The paper takes the motion of the
tree as known; here it follows from that of the independent joints, as in the general reduction. That one solves for the
same λ, but by the blocks in which it finds the motion: one or several to what is solved at once here, none across.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Matrix, Scalar, Vector, is_zero, vector, zeros
from symgen.mechanics.functions.joint_forces import tree_forces
from symgen.mechanics.functions.state import State
from symgen.mechanics.loops.blocks import factored
from symgen.mechanics.loops.plan import Plan
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.mechanism import Mechanism
from symgen.robot.model import BASE


@dataclass(frozen=True)
class Stage:
    """Subsystems that are solved together: indices in q̇ of the joints of each, and their unknowns.

    `multipliers`: rows of A; `drives`: indices in q̇. Both together are as many as the joints.
    """

    subsystems: tuple[tuple[int, ...], ...]
    multipliers: tuple[int, ...]
    drives: tuple[int, ...]


def misfit(mechanism: Mechanism) -> str:
    """What keeps the unknowns from being as many as the freedoms of the tree, as a clause; "" where nothing does."""
    plan = mechanism.plan
    if plan is None:
        return "it is for robots with closed loops"
    if mechanism.actuated:
        return (
            f"its tree is not determinate: {len(mechanism.actuated)} drives for {mechanism.ni} freedoms leave more "
            "unknowns than equations"
        )
    surplus = [row for row in plan.dropped if any(row == each for each, _ in plan.entries)]
    if surplus:
        return (
            f"its tree is not determinate: {len(surplus)} of the constraints hold already where the others do, and "
            "their multipliers leave more unknowns than equations"
        )
    return ""


def subsystems(mechanism: Mechanism) -> list[tuple[int, ...]]:
    """Indices in q̇ of the joints of every subsystem; branches with joints that follow each other are one."""
    roots: list[int] = []
    found: dict[int, set[int]] = {}
    for index, body in enumerate(mechanism.bodies):
        roots.append(index if body.parent == BASE else roots[body.parent])
        found.setdefault(roots[-1], set()).update(body.velocities)
    result: list[set[int]] = []
    for rates in found.values():
        tied = [each for each in result if each & rates]
        result = [*(each for each in result if each not in tied), rates.union(*tied)]
    return sorted(tuple(sorted(each)) for each in result)


def stages(mechanism: Mechanism) -> Iterator[Stage]:
    """The order in which subsystems are solved."""
    plan = mechanism.plan
    assert plan is not None
    branches = subsystems(mechanism)
    needs = [_needs(plan, branches, joints) for joints in branches]
    for _ in branches:  # whatever is needed for what is needed
        needs = [set(own).union(*(needs[other] for other in own)) for own in needs]
    done: set[int] = set()
    while len(done) < len(branches):
        left = [index for index in range(len(branches)) if index not in done]
        # The first whose needs need it in turn or are met.
        first = next(i for i in left if all(i in needs[other] for other in needs[i] - done))
        group = sorted({first} | (needs[first] - done))
        done.update(group)
        yield _stage(plan, [branches[index] for index in group])


def _needs(plan: Plan, branches: Sequence[tuple[int, ...]], joints: Sequence[int]) -> set[int]:
    """Indices of the subsystems whose equations determine the multipliers that act at joints of one."""
    rows = {row for row, column in plan.entries if column in joints}
    columns = {column for block in plan.blocks if rows.intersection(block.rows) for column in block.columns}
    return {index for index, own in enumerate(branches) if columns.intersection(own)}


def _stage(plan: Plan, group: Sequence[tuple[int, ...]]) -> Stage:
    joints = {index for own in group for index in own}
    rows = (row for block in plan.blocks if joints.intersection(block.columns) for row in block.rows)
    return Stage(tuple(group), tuple(sorted(rows)), tuple(index for index in plan.independent if index in joints))


def inverse_dynamics(mechanism: Mechanism) -> Vector:
    """The drives' τ, ni (N m or N)."""
    forces, _ = _solved(State(mechanism))
    return vector(forces)


def constraint_forces(mechanism: Mechanism) -> list[Scalar]:
    """λ of the constraints that close the loops, one for every row of A; 0 in those that vanish at every q."""
    return _solved(State(mechanism))[1]


def _solved(state: State) -> tuple[list[Scalar], list[Scalar]]:
    """(τ, λ), ni and one for every row of A, in the motion of the inputs."""
    mechanism, plan = state.mechanism, state.mechanism.plan
    assert isinstance(state.reduction, Reduction)
    assert plan is not None
    A, domain = state.reduction.jacobian, mechanism.domain
    left = tree_forces(state, state.acceleration)  # N_jᵀ w*_j, less what is known of τ^λ_j
    multipliers = list(zeros(domain, len(A)))
    for number, stage in enumerate(stages(mechanism)):
        rows = list(stage.multipliers)
        driven = set(stage.drives)
        joints = [index for own in stage.subsystems for index in own if index not in driven]
        for row, value in zip(rows, _multipliers(state, A[rows][:, joints], left, joints, number), strict=True):
            multipliers[row] = domain.define(f"lambda{row + 1}", value)
            for index in range(mechanism.nv):
                if index not in joints and not is_zero(A[row, index]):
                    left[index] = left[index] - A[row, index] * multipliers[row]
    return [left[index] for index in plan.independent], multipliers


def _multipliers(
    state: State, matrix: Matrix, left: Sequence[Scalar], joints: Sequence[int], number: int
) -> list[Scalar]:
    """λ with matrixᵀ λ what is left at these joints: all of a stage at once."""
    if not joints:
        return []
    factors = factored(state.mechanism.domain, matrix, f"s{number + 1}")
    return factors.solve_transposed([left[index] for index in joints])
