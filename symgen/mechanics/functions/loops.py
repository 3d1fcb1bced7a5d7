"""Functions that only robots with loops have: closure, and what it makes of the independent rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgen.algebra.domain import Scalar, vector, zeros
from symgen.mechanics.formulations import subsystems
from symgen.mechanics.functions.forces import multipliers
from symgen.mechanics.functions.quantity import (
    CUTS,
    NQ,
    NV,
    QD,
    QDD,
    ROWS,
    TREE,
    Formulation,
    Input,
    Output,
    Q,
    Quantity,
    by,
)
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import ACCELERATION, POSITION, RATIO, WRENCH
from symgen.mechanics.loops import assembly, reactions
from symgen.mechanics.loops.closure import closure
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.loops.start import start
from symgen.mechanics.mechanism import Mechanism

ASSEMBLY = "assembly_step"
"""The function that assembly iterates."""

START = "assembly_start"
"""The function that finds in closed form where it starts."""

USUAL = ("closure", "velocity_transformation", "dependent_acceleration", "loop_determinants", ASSEMBLY)
"""Functions that are generated, beside the usual ones of all robots, where no function is named."""

_TREE = "of the tree that is left when the loops are cut"
_ROWS = "cut joint by cut joint, then couplings, as the header lists them"
_CHAIN = "chains from one end of each cut joint to the other"


def sides(mechanism: Mechanism) -> frozenset[int]:
    """The indices of the cut joints that are seen from their successor."""
    return frozenset() if mechanism.plan is None else mechanism.plan.reversed_cuts


def _closure(mechanism: Mechanism) -> list[Any]:
    return [vector(closure(mechanism, reverse=sides(mechanism)).residual)]


def _constraint_jacobian(mechanism: Mechanism) -> list[Any]:
    found = closure(mechanism, reverse=sides(mechanism))
    return [found.jacobian[: len(found.residual)]]


def _velocity_transformation(mechanism: Mechanism) -> list[Any]:
    return [State(mechanism).reduction.matrix]


def _dependent_acceleration(mechanism: Mechanism) -> list[Any]:
    return [vector(State(mechanism).coasting)]


def _constraint_forces(mechanism: Mechanism) -> list[Any]:
    return _without_spins(mechanism, multipliers(State(mechanism)))


def _by_subsystems(mechanism: Mechanism) -> list[Any]:
    return _without_spins(mechanism, subsystems.constraint_forces(mechanism))


def _without_spins(mechanism: Mechanism, found: Sequence[Scalar]) -> list[Any]:
    return [vector(found[: len(found) - len(mechanism.spins)])]


def _cut_wrench(mechanism: Mechanism) -> list[Any]:
    found = reactions.reactions(mechanism, multipliers(State(mechanism)))
    matrix = zeros(mechanism.domain, len(found), 6)
    for row, reaction in enumerate(found):
        matrix[row] = reaction.of_predecessor
    return [matrix]


def _loop_determinants(mechanism: Mechanism) -> list[Any]:
    assert mechanism.plan is not None
    return [vector(Reduction(mechanism, mechanism.plan.unguarded).determinants)]


def _quantity(
    name: str,
    summary: str,
    inputs: Sequence[Any],
    output: Output,
    text: str,
    derive: Any,
    others: Sequence[Formulation] = (),
    **more: Any,
) -> Quantity:
    ways = (*by("loops", text, derive), *others)
    return Quantity(name, summary, tuple(inputs), (output,), ways, looped=True, unlooped=False, **more)


def _assembly_step(mechanism: Mechanism) -> list[Any]:
    q, residual = assembly.step(mechanism)
    return [q, vector([residual])]


ASSEMBLY_STEP = Quantity(
    ASSEMBLY,
    "A step of Newton's method towards the q that closes the loops; entries of q of independent joints stay. What "
    "assemble iterates.",
    (Q,),
    (
        Output("q_next", (NQ,), "q after the step, quaternions of length 1", POSITION),
        Output("residual", (), "sum of the squares of the constraints' residuals at q", "m^2 or 1"),
    ),
    by("newton", "blocks of the constraints' Jacobian", _assembly_step),
    inertial=False,
    looped=True,
    unlooped=False,
)

ASSEMBLY_START = Quantity(
    START,
    "Where assembly starts: the entries of q that follow from those of independent joints in closed form. Of two "
    "solutions it is the one on the side that the guess is on; angles are within half a turn of the guess's. NaN where "
    "there is none.",
    (Q, Input("guess", NQ, "a q of the assembly that is meant", POSITION)),
    (Output("q_start", (NQ,), "q, with what was found for other entries than those of independent joints", POSITION),),
    by("dyads", "one unknown after the other, of distances in dyads", lambda mechanism: [start(mechanism)]),
    framed=False,
    inertial=False,
    looped=True,
    unlooped=False,
)

CLOSURE = _quantity(
    "closure",
    "Residuals of the constraints that close the loops: 0 where q is consistent.",
    (Q,),
    Output("phi", (ROWS,), f"residuals, {_ROWS}", "m, m^2 or 1"),
    _CHAIN,
    _closure,
    inertial=False,
)

CONSTRAINT_JACOBIAN = _quantity(
    "constraint_jacobian",
    f"Jacobian A of the constraints: their rates are A times the joint velocities {_TREE}.",
    (Q,),
    Output(
        "A", (ROWS, TREE), f"rates of the residuals (rows, {_ROWS}) by joint velocities of the tree (columns)", "SI"
    ),
    _CHAIN,
    _constraint_jacobian,
    inertial=False,
)

VELOCITY_TRANSFORMATION = _quantity(
    "velocity_transformation",
    f"G, by which the joint velocities {_TREE} are G qd.",
    (Q,),
    Output("G", (TREE, NV), "joint velocities of the tree (rows) by qd (columns)", RATIO),
    "blocks of the constraints' Jacobian",
    _velocity_transformation,
    inertial=False,
)

DEPENDENT_ACCELERATION = _quantity(
    "dependent_acceleration",
    f"gamma, by which the joint accelerations {_TREE} are G qdd + gamma.",
    (Q, QD),
    Output("gamma", (TREE,), "joint accelerations of the tree at qdd = 0", ACCELERATION),
    "blocks of the constraints' Jacobian",
    _dependent_acceleration,
    inertial=False,
)

LOOP_DETERMINANTS = _quantity(
    "loop_determinants",
    "How far a posture is from singular ones: for each joint rate of the tree the determinant of the constraints that "
    "determine it together with others, divided by a power of ten that makes it 1 to 10 at the posture of the robot's "
    "file; 1 for independent joints. Where one vanishes the independent joints do not determine the others.",
    (Q,),
    Output("share", (TREE,), "determinants, of more than 3 constraints without sign", "1"),
    "blocks of the constraints' Jacobian",
    _loop_determinants,
    inertial=False,
    beside=("constraint_jacobian",),
)

CONSTRAINT_FORCES = _quantity(
    "constraint_forces",
    "Multipliers lambda of the constraints in the motion (q, qd, qdd): A^T lambda are the forces of the tree's joints "
    "that close the loops, and inverse_dynamics of the tree is A^T lambda where joints are not actuated, but for "
    "moments that keep links between ball joints from spinning.",
    (Q, QD, QDD),
    Output("lambda_", (ROWS,), f"multipliers, {_ROWS}; 0 for constraints that others imply", "N, N m or N/m"),
    "recursive Newton-Euler in link frames; transposed blocks of the constraints' Jacobian",
    _constraint_forces,
    gravity=True,
    loads=True,
    beside=("constraint_jacobian",),
    others=(
        Formulation(
            "subsystems",
            "branches from the base one after the other, each by its own DeNOC",
            _by_subsystems,
            trees=False,
            misfit=subsystems.misfit,
            tried=False,
        ),
    ),
)

CUT_WRENCH = _quantity(
    "cut_wrench",
    "Wrenches [n; f] that cut joints carry in the motion (q, qd, qdd): of the predecessor on the successor, about the "
    "origin of the predecessor's frame, in its axes. They do no work in what the joint leaves free: friction and "
    "springs of cut joints are not in them.",
    (Q, QD, QDD),
    Output(
        "wrenches", (CUTS, 6), "moment n (3) and force f (3), cut joint by cut joint, as the header lists them", WRENCH
    ),
    "recursive Newton-Euler in link frames; transposed blocks of the constraints' Jacobian",
    _cut_wrench,
    gravity=True,
    loads=True,
    reacting=True,
)
