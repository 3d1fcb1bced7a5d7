"""What each function of robots with loops is whose state is all of the tree's, as a block form."""

from __future__ import annotations

from symgen.algebra.domain import vector, zeros
from symgen.mechanics.loops.slopes import moving
from symgen.prove.claim import Claim, Form, equal
from symgen.prove.looped_form import LoopedForm, at_rates


def _form(claim: Claim) -> LoopedForm:
    form = claim.form
    assert isinstance(form, LoopedForm)
    return form


def _tree_inertia_matrix(claim: Claim) -> bool:
    nv = claim.form.mechanism.nv
    x = claim.point.direction("x", nv)
    return equal(claim.matrix(0, nv).dot(x), _form(claim).tree.inertia_times(x))


def _tree_inverse_dynamics(claim: Claim) -> bool:
    tree = at_rates(claim.form.mechanism, claim.variables("v"))
    return claim.equals(tree.inertia_times(claim.variables("vd")) + tree.bias)


def _independent_constraints(claim: Claim) -> bool:
    form = _form(claim)
    rows = [row for block in form.plan.blocks for row in block.rows]
    residual, jacobian = form.closure
    domain = form.domain
    known = [*residual, *[domain.constant(0)] * (len(jacobian) - len(residual))]
    moved = LoopedForm(moving(form.mechanism, claim.variables("v"))).closure[1][rows]
    rate = vector(entry.slope for entry in moved.reshape(-1))
    return claim.equals(vector(known[row] for row in rows), jacobian[rows], rate)


def _penalty_dynamics(claim: Claim) -> bool:
    """M v̇ = B τ − h − Aᵀ (k φ + d A v)."""
    form, v = _form(claim), claim.variables("v")
    tree = at_rates(form.mechanism, v)
    residual, jacobian = form.closure
    stiffness, damping = claim.variables("penalty")
    closing = jacobian.dot(v) * damping
    closing[: len(residual)] = closing[: len(residual)] + residual * stiffness
    driven = zeros(form.domain, form.mechanism.nv)
    driven[list(form.plan.independent)] = claim.variables("tau")
    (accelerations,) = claim.outputs
    return equal(tree.inertia_times(accelerations), driven - tree.bias - jacobian.T.dot(closing))


FORMS = (
    Form("tree_inertia_matrix", "N^T M N of the tree", _tree_inertia_matrix),
    Form(
        "tree_inverse_dynamics",
        "N^T M N vd + C v + gravity (+ friction + springs - loads) of the tree",
        _tree_inverse_dynamics,
    ),
    Form(
        "independent_constraints",
        "residuals of the constraints, A N of both ends of each cut joint, and its derivative along v",
        _independent_constraints,
    ),
    Form(
        "penalty_dynamics",
        "the solution of N^T M N vd = tau - C v - gravity (- friction - springs + loads) - A^T (k phi + d A v)",
        _penalty_dynamics,
    ),
)
