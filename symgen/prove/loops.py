"""What each function that only robots with loops have is, as a block form."""

from __future__ import annotations

import numpy as np

from symgen.algebra.domain import dot, vector
from symgen.mechanics.loops.assembly import FARTHEST, advanced
from symgen.mechanics.loops.blocks import CLOSED
from symgen.prove.claim import Claim, Form, equal
from symgen.prove.looped_form import LoopedForm, determinant


def _form(claim: Claim) -> LoopedForm:
    form = claim.form
    assert isinstance(form, LoopedForm)
    return form


def _closure(claim: Claim) -> bool:
    return claim.equals(_form(claim).closure[0])


def _constraint_jacobian(claim: Claim) -> bool:
    return claim.equals(_form(claim).closure[1][: len(_form(claim).closure[0])])


def _velocity_transformation(claim: Claim) -> bool:
    x = claim.point.direction("x")
    return equal(claim.matrix(0).dot(x), _form(claim).of_tree(x))


def _dependent_acceleration(claim: Claim) -> bool:
    return claim.equals(_form(claim).gamma)


def _constraint_forces(claim: Claim) -> bool:
    form = _form(claim)
    found = form.multipliers(form.tree_forces(claim.variables("qdd")))
    return claim.equals(found[: len(form.closure[0])])


def _cut_joint_positions(claim: Claim) -> bool:
    return claim.equals(_form(claim).cut_positions)


def _cut_joint_velocities(claim: Claim) -> bool:
    return claim.equals(_form(claim).cut_velocities)


def _actuator_jacobian(claim: Claim) -> bool:
    x = claim.point.direction("x")
    return equal(claim.matrix(0).dot(x), _form(claim).of_actuators(x))


def _actuator_forces(claim: Claim) -> bool:
    form = _form(claim)
    forces = form.inertia_times(claim.variables("qdd")) + form.bias
    return claim.equals(form.of_actuators(form.actuator_solution(forces)))


def _actuator_null_space(claim: Claim) -> bool:
    """P x + G_m y = x with G_mᵀ P x = 0."""
    form = _form(claim)
    count = len(form.mechanism.actuated)
    x = claim.point.direction("x", count)
    return equal(claim.matrix(0, count).dot(x), x - form.of_actuators(form.actuator_solution(form.by_actuators(x))))


def _loop_determinants(claim: Claim) -> bool:
    form = _form(claim)
    domain, result = form.domain, vector([form.domain.constant(1)] * form.mechanism.nv)
    for block in form.plan.blocks:
        found = determinant(domain, form.closure[1][list(block.rows)][:, list(block.columns)])
        found = found if len(block.rows) <= CLOSED else domain.sqrt(found * found)
        result[list(block.columns)] = found * domain.constant(1 / block.size)
    return claim.equals(result)


def _cut_wrench(claim: Claim) -> bool:
    return claim.equals(np.concatenate(_form(claim).cut_wrenches(claim.variables("qdd"))))


def _assembly_step(claim: Claim) -> bool:
    """δ solves A δ = −φ without moving independent joints; it is damped as the program's is."""
    form = _form(claim)
    residual, _ = form.closure
    domain = form.domain
    whole = form.closing(residual)
    factor = domain.constant(1 / FARTHEST)
    share = domain.constant(1) / domain.sqrt(domain.constant(1) + factor * factor * dot(whole, whole))
    q = advanced(form.mechanism, claim.variables("q"), whole * share)
    return claim.equals(q, vector([dot(residual, residual)]))


FORMS = (
    Form("assembly_step", "q + s d with A d = -(residuals), s = 1/sqrt(1 + 4 d.d)", _assembly_step),
    Form(
        "closure", "residuals of the constraints, from poses of both ends of each cut joint in the base frame", _closure
    ),
    Form(
        "constraint_jacobian",
        "A, the rates of the residuals, from A N of both ends of each cut joint",
        _constraint_jacobian,
    ),
    Form("velocity_transformation", "G with A G = 0 and unit rows of the independent rates", _velocity_transformation),
    Form(
        "cut_joint_positions",
        "angles of axes and shifts along them, from poses of both ends of each cut joint in the base frame",
        _cut_joint_positions,
    ),
    Form(
        "cut_joint_velocities",
        "their rates, from A N G qd of both ends of each cut joint",
        _cut_joint_velocities,
    ),
    Form("actuator_jacobian", "rows of G of the actuated joints", _actuator_jacobian),
    Form(
        "actuator_forces",
        "G_m y with G_m^T G_m y = G^T (N^T M N (G qdd + gamma) + C G qd + gravity (+ friction + springs - loads))",
        _actuator_forces,
    ),
    Form("actuator_null_space", "1 - G_m y with G_m^T G_m y = G_m^T", _actuator_null_space),
    Form("loop_determinants", "determinants of blocks of A", _loop_determinants),
    Form("dependent_acceleration", "gamma with A gamma + Adot G qd = 0", _dependent_acceleration),
    Form(
        "constraint_forces",
        "lambda with A^T lambda = N^T M N (G qdd + gamma) + C G qd + gravity (+ friction + springs - loads) in joints "
        "that are not independent",
        _constraint_forces,
    ),
    Form(
        "cut_wrench",
        "lambda times the wrenches whose power is the rate of the constraints, A qd, of each cut joint",
        _cut_wrench,
    ),
)
