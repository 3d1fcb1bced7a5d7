"""Functions of robots with loops whose state is all of the tree's: positions q and velocities v, closed or not.

With M, h and B τ the tree's inertia matrix, bias and driving forces, closing takes M v̇ + h = B τ − Aᵀ λ with φ = 0.
What integrates these equations as they stand, by a penalty or an orthogonal complement (Khan 2002, chapter 2), needs
their parts at a q that drifts off φ = 0, and rates v that A does not restrain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgen.algebra.domain import Matrix, Scalar, Vector, dot, is_zero, variables, vector, zeros
from symgen.mechanics import articulated, composite, factorization, newton_euler
from symgen.mechanics.functions.loops import sides
from symgen.mechanics.functions.quantity import DEPENDENT, TAU, TREE, Formulation, Input, Output, Q, Quantity, by
from symgen.mechanics.functions.state import rates, rest
from symgen.mechanics.functions.units import ACCELERATION, FORCE, INERTIA, VELOCITY
from symgen.mechanics.loops.closure import closure
from symgen.mechanics.loops.cut_joints import drive_forces
from symgen.mechanics.loops.slopes import jacobian_slope, moving
from symgen.mechanics.mechanism import Mechanism

PENALTY = "penalty"
"""Name of the input with the constraints' stiffness and damping."""

_TREE = "of the tree that is left when the loops are cut"

V = Input("v", TREE, f"joint velocities {_TREE}", VELOCITY, "joint velocity of the tree")
VD = Input("vd", TREE, f"joint accelerations {_TREE}", ACCELERATION, "joint acceleration of the tree")


def tree_forces(mechanism: Mechanism, velocity: Sequence[Scalar], acceleration: Sequence[Scalar]) -> Vector:
    """What the tree's joints need, nv (N m or N), in a motion of its own, nv: of all that acts but the closing."""
    links = newton_euler.inverse_dynamics(mechanism, velocity, acceleration, mechanism.gravity, loads=True)
    drives = zip(mechanism.rotor_inertias, drive_forces(mechanism, velocity), acceleration, strict=True)
    return vector(force + (rotor * push + drag) for force, (rotor, drag, push) in zip(links, drives, strict=True))


def driven(mechanism: Mechanism) -> Vector:
    """B τ, nv: the input τ, ni, in the joints that it drives."""
    assert mechanism.plan is not None
    result = zeros(mechanism.domain, mechanism.nv)
    for index, force in zip(mechanism.plan.independent, rates(mechanism, "tau"), strict=True):
        result[index] = force
    return result


def constraint_rows(mechanism: Mechanism) -> tuple[Vector, Matrix]:
    """(φ, A) of the plan's constraints, as many as dependent rates, block by block; 0 for spins, which have no φ."""
    assert mechanism.plan is not None
    found, rows = closure(mechanism, reverse=sides(mechanism)), _rows(mechanism)
    known = [*found.residual, *(mechanism.domain.constant(0) for _ in mechanism.spins)]
    return vector(known[row] for row in rows), _kept(mechanism, found.jacobian)[rows]


def constraint_biases(mechanism: Mechanism, velocity: Sequence[Scalar]) -> list[Scalar]:
    """Ȧ q̇ of the same constraints, at q̇ = `velocity`, nv, that they allow."""
    found = closure(mechanism, velocity, sides(mechanism)).bias
    return [found[row] for row in _rows(mechanism)]


def _rows(mechanism: Mechanism) -> list[int]:
    assert mechanism.plan is not None
    return [row for block in mechanism.plan.blocks for row in block.rows]


def _kept(mechanism: Mechanism, jacobian: Matrix) -> Matrix:
    """A with the entries that are not 0 at every q."""
    assert mechanism.plan is not None
    result = zeros(mechanism.domain, *jacobian.shape)
    for row, column in mechanism.plan.entries:
        result[row, column] = jacobian[row, column]
    return result


# the functions -----------------------------------------------------------------------------------------


def _given(mechanism: Mechanism, item: Input) -> list[Scalar]:
    return list(variables(mechanism.domain, item.name, mechanism.nv))


def _tree_inertia_matrix(mechanism: Mechanism) -> list[Any]:
    return [composite.inertia_matrix(mechanism)]


def _tree_inverse_dynamics(mechanism: Mechanism) -> list[Any]:
    return [tree_forces(mechanism, _given(mechanism, V), _given(mechanism, VD))]


def _independent_constraints(mechanism: Mechanism) -> list[Any]:
    assert mechanism.plan is not None
    residual, jacobian = constraint_rows(mechanism)
    slope = jacobian_slope(moving(mechanism, _given(mechanism, V)), mechanism.plan)
    return [residual, jacobian, slope[_rows(mechanism)]]


def _pushed(mechanism: Mechanism) -> list[Any]:
    """B τ − h − Aᵀ (k φ + d A v), nv; spins are damped alone (Khan 2002, eqs. (2.7) and (4.1))."""
    domain, velocity = mechanism.domain, _given(mechanism, V)
    stiffness, damping = variables(domain, PENALTY, 2)
    found = closure(mechanism, reverse=sides(mechanism))
    left = list(driven(mechanism) - tree_forces(mechanism, velocity, rest(mechanism)))
    for number, row in enumerate(found.jacobian):
        force = damping * dot(row, velocity)
        if number < len(found.residual):
            force = force + stiffness * found.residual[number]
        force = domain.define(f"lambda{number + 1}", force)
        left = [own if is_zero(entry) else own - entry * force for own, entry in zip(left, row, strict=True)]
    return left


def _penalty_by_factors(mechanism: Mechanism) -> list[Any]:
    factors = factorization.factorize(mechanism.domain, composite.inertia_matrix(mechanism))
    found = factorization.solve(factors, _pushed(mechanism))
    return [vector(mechanism.domain.define(f"vd{index + 1}", value) for index, value in enumerate(found))]


def _penalty_by_articulation(mechanism: Mechanism) -> list[Any]:
    return [vector(articulated.forward_dynamics(mechanism, _pushed(mechanism)))]


def _tied(mechanism: Mechanism) -> str:
    return "it runs over joints that move on their own, but some follow others" if mechanism.is_tied else ""


TREE_INERTIA_MATRIX = Quantity(
    "tree_inertia_matrix",
    f"Generalized inertia matrix {_TREE}.",
    (Q,),
    (Output("M", (TREE, TREE), f"inertia matrix {_TREE}", INERTIA),),
    by("composite", "composite bodies", _tree_inertia_matrix),
    looped=True,
    unlooped=False,
)

TREE_INVERSE_DYNAMICS = Quantity(
    "tree_inverse_dynamics",
    f"Joint forces {_TREE} that produce its accelerations vd at its state (q, v), gravity included, as if nothing "
    "closed the loops.",
    (Q, V, VD),
    (Output("forces", (TREE,), "joint forces of the tree, about or along the joint axes", FORCE),),
    by("newton_euler", "recursive Newton-Euler in link frames", _tree_inverse_dynamics),
    gravity=True,
    loads=True,
    looped=True,
    unlooped=False,
)

INDEPENDENT_CONSTRAINTS = Quantity(
    "independent_constraints",
    "As many of the constraints as there are dependent joints, which the others follow from: residuals phi, Jacobian A "
    f"by the joint velocities {_TREE}, and the rate of A at such velocities v. What keeps links between ball joints "
    "from spinning is among them, with 0 for its residual.",
    (Q, V),
    (
        Output("phi", (DEPENDENT,), "residuals: 0 where q is consistent", "m, m^2 or 1"),
        Output("A", (DEPENDENT, TREE), "rates of the residuals (rows) by joint velocities of the tree (columns)", "SI"),
        Output("A_dot", (DEPENDENT, TREE), "rate of A at the joint velocities v of the tree", "SI"),
    ),
    by("loops", "chains from one end of each cut joint to the other, and dual numbers", _independent_constraints),
    inertial=False,
    looped=True,
    unlooped=False,
)

PENALTY_DYNAMICS = Quantity(
    "penalty_dynamics",
    f"Joint accelerations {_TREE} at its state (q, v), gravity included, under the joint forces tau and those of "
    "springs and dampers that resist opening the loops, k phi + d A v.",
    (
        Q,
        V,
        TAU,
        Input(PENALTY, 2, "stiffness k of the constraints, and their damping d", "SI", dimensions=("coefficient",)),
    ),
    (Output("vd", (TREE,), VD.meaning, ACCELERATION),),
    (
        Formulation("udu", "the tree's inertia matrix and its U D U^T factors", _penalty_by_factors),
        Formulation("aba", "articulated-body recursion, O(n)", _penalty_by_articulation, misfit=_tied),
    ),
    gravity=True,
    loads=True,
    looped=True,
    unlooped=False,
)
