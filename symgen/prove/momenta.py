"""What the centre of mass, momenta and the wrenches of joints are, as block forms.

Matrices and vectors are multiplied by the mass of all bodies where they are quotients by it.
"""

from __future__ import annotations

from symgen.algebra.domain import Vector, cross, dot, vector
from symgen.prove.claim import Claim, Form, equal


def _center_of_mass(claim: Claim) -> bool:
    return equal(claim.outputs[0] * claim.form.mass, claim.form.first_moment)


def _center_of_mass_jacobian(claim: Claim) -> bool:
    x = claim.point.direction("x")
    _, linear = claim.form.momentum(x)
    return equal(claim.matrix(0).dot(x) * claim.form.mass, linear)


def _centroidal_momentum(claim: Claim) -> bool:
    return _is_centroidal(claim, claim.outputs[0], claim.form.velocity)


def _centroidal_momentum_matrix(claim: Claim) -> bool:
    x = claim.point.direction("x")
    return _is_centroidal(claim, claim.matrix(0).dot(x), x)


def _is_centroidal(claim: Claim, found: Vector, x: Vector) -> bool:
    """Whether [k; l] is the momentum at the joint velocities x: m k = m n − Σ m c × l."""
    form, (angular, linear) = claim.form, claim.form.momentum(x)
    about_centre = angular * form.mass - cross(form.first_moment, linear)
    return equal(found[:3] * form.mass, about_centre) and equal(found[3:], linear)


def _joint_wrench(claim: Claim) -> bool:
    """Turned into base axes, the rows are what the links need that each joint carries."""
    form = claim.point.as_described
    rows = iter(claim.matrix(0, 6))
    for index, (body, needs) in enumerate(
        zip(form.mechanism.bodies, form.carried_needs(claim.variables("qdd")), strict=True)
    ):
        if body.is_between:
            continue
        row, axes = next(rows), form.bodies[index].rotation.then(body.joint_axes).matrix(form.domain)
        for found, needed in zip((row[:3], row[3:]), needs, strict=True):
            if not equal(vector(dot(line, found) for line in axes), needed):
                return False
    return next(rows, None) is None


FORMS = (
    Form("center_of_mass", "sum of m c / sum of m", _center_of_mass),
    Form("center_of_mass_jacobian", "linear rows of sum of M N / sum of m", _center_of_mass_jacobian),
    Form("centroidal_momentum", "sum of M N qd about the centre of mass", _centroidal_momentum),
    Form("centroidal_momentum_matrix", "sum of M N about the centre of mass", _centroidal_momentum_matrix),
    Form("joint_wrench", "N_l^T (M N qdd + (M Ndot + W M E N) qd + gravity - loads)", _joint_wrench),
)
