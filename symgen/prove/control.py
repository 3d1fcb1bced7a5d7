"""What the functions are that controllers ask for, as block forms."""

from __future__ import annotations

from symgen.algebra.domain import vector
from symgen.algebra.duals import Dual
from symgen.mechanics.regressor import parameter_values
from symgen.prove.claim import Claim, Form, equal


def _coriolis_product(claim: Claim) -> bool:
    return claim.equals(claim.form.convected(claim.variables("x")))


def _coriolis_transpose_velocity(claim: Claim) -> bool:
    """xᵀ Cᵀ q̇ = q̇ᵀ C x for a random x."""
    x, form = claim.point.direction("x"), claim.form
    return bool(x.dot(claim.outputs[0]) == form.velocity.dot(form.convected(x)))


def _inertia_rate(claim: Claim) -> bool:
    """İ x is how Nᵀ M N x changes while q goes along q̇, by dual numbers."""
    x = claim.point.direction("x")
    changing = claim.point.in_motion.inertia_times(vector(Dual(value, value * 0) for value in x))
    return equal(claim.matrix(0).dot(x), vector(momentum.slope for momentum in changing))


def _generalized_momentum(claim: Claim) -> bool:
    return claim.equals(claim.form.inertia_times(claim.form.velocity))


def _reference_torque(claim: Claim) -> bool:
    form = claim.form
    pushed, convected = form.inertia_times(claim.variables("qdd_ref")), form.convected(claim.variables("qd_ref"))
    return claim.equals(pushed + convected + form.gravity_forces)


def _slotine_li_regressor(claim: Claim) -> bool:
    """Y π is the links' I a + C v + gravity for inertial parameters that are random, each body's own."""
    general, known = claim.point.general, claim.point.module.regressor
    assert known is not None
    values = vector(parameter_values(general.mechanism, known.kind))
    forces = general.reference_forces(claim.variables("qd_ref"), claim.variables("qdd_ref"))
    return equal(claim.matrix(0, len(values)).dot(values), forces)


FORMS = (
    Form("coriolis_product", "C x, with C by Christoffel's symbols of N^T (M Ndot + W M E N) qd", _coriolis_product),
    Form(
        "coriolis_transpose_velocity",
        "C^T qd, with C by Christoffel's symbols of N^T (M Ndot + W M E N) qd",
        _coriolis_transpose_velocity,
    ),
    Form("inertia_rate", "derivative of N^T M N along qd", _inertia_rate),
    Form("generalized_momentum", "N^T M N qd", _generalized_momentum),
    Form(
        "reference_torque",
        "N^T M N a + C v + gravity, with C by Christoffel's symbols of N^T (M Ndot + W M E N) qd",
        _reference_torque,
    ),
    Form(
        "slotine_li_regressor",
        "Y with Y pi = N^T M N a + C v + gravity for all inertial parameters pi, with C by Christoffel's symbols",
        _slotine_li_regressor,
    ),
)
