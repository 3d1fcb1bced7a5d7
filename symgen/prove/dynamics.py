"""What each function of dynamics is, as a block form."""

from __future__ import annotations

from symgen.algebra import prime
from symgen.algebra.domain import Vector, vector, zeros
from symgen.algebra.duals import Dual
from symgen.mechanics.regressor import parameter_values
from symgen.prove.claim import Claim, Form, equal


def _inverse_dynamics(claim: Claim) -> bool:
    return claim.equals(claim.form.inertia_times(claim.variables("qdd")) + claim.form.bias)


def _inertia_matrix(claim: Claim) -> bool:
    x = claim.point.direction("x")
    return equal(claim.matrix(0).dot(x), claim.form.inertia_times(x))


def _coriolis_torque(claim: Claim) -> bool:
    return claim.equals(claim.form.convective_forces)


def _gravity_torque(claim: Claim) -> bool:
    return claim.equals(claim.form.gravity_forces)


def _bias_torque(claim: Claim) -> bool:
    return claim.equals(claim.form.convective_forces + claim.form.gravity_forces)


def _forward_dynamics(claim: Claim) -> bool:
    (accelerations,) = claim.outputs
    return equal(claim.form.inertia_times(accelerations), claim.variables("tau") - claim.form.bias)


def _hybrid_dynamics(claim: Claim) -> bool:
    """Given and found accelerations together ask for given and found forces."""
    given = claim.point.subject.given
    others = [index for index in range(claim.form.nv) if index not in given]
    acceleration, force = (zeros(claim.form.domain, claim.form.nv) for _ in range(2))
    acceleration[list(given)], acceleration[others] = claim.variables("qdd_given"), claim.outputs[0]
    force[others], force[list(given)] = claim.variables("tau_given"), claim.outputs[1]
    return equal(claim.form.inertia_times(acceleration), force - claim.form.bias)


def _coriolis_matrix(claim: Claim) -> bool:
    x = claim.point.direction("x")
    return equal(claim.matrix(0).dot(x), claim.form.convected(x))


def _udu_factors(claim: Claim) -> bool:
    U, D, x = claim.matrix(0), claim.outputs[1], claim.point.direction("x")
    upper = all(U[i, j].value == (i == j) for i in range(len(U)) for j in range(i + 1))
    return upper and equal(U.dot(D * U.T.dot(x)), claim.form.inertia_times(x))


def _inverse_inertia_matrix(claim: Claim) -> bool:
    x = claim.point.direction("x")
    return equal(claim.matrix(0).dot(claim.form.inertia_times(x)), x)


def _kinetic_energy(claim: Claim) -> bool:
    rates = claim.form.velocity
    return equal(claim.outputs[0] * 2, prime.array([rates.dot(claim.form.inertia_times(rates))]))


def _potential_energy(claim: Claim) -> bool:
    return claim.equals(prime.array([claim.point.potential_energy]))


def _regressor(claim: Claim) -> bool:
    """Y π is τ for inertial parameters that are random, each body's own, regrouped into π."""
    general, known = claim.point.general, claim.point.module.regressor
    assert known is not None
    values = vector(parameter_values(general.mechanism, known.kind))
    return equal(claim.matrix(0, len(values)).dot(values), general.link_forces(claim.variables("qdd")))


def _inverse_dynamics_derivatives(claim: Claim) -> bool:
    """The derivative of τ in a random direction, by dual numbers."""
    acceleration = vector(Dual(value, value * 0) for value in claim.variables("qdd"))
    return equal(_slopes(claim, acceleration), _along(claim, "q", "qd"))


def _forward_dynamics_derivatives(claim: Claim) -> bool:
    """Accelerations that go as the derivatives say keep in step with forces that go in a random direction."""
    accelerations = claim.matrix(2).dot(claim.variables("tau") - claim.form.bias)
    pairs = zip(accelerations, _along(claim, "q", "qd", "tau"), strict=True)
    acceleration = vector(Dual(value, slope) for value, slope in pairs)
    return equal(_slopes(claim, acceleration), claim.point.direction("tau"))


def _slopes(claim: Claim, acceleration: Vector) -> Vector:
    """The derivative of τ in the random direction of the state, at accelerations that go somehow too."""
    moving = claim.point.moving
    return vector(force.slope for force in moving.inertia_times(acceleration) + moving.bias)


def _along(claim: Claim, *names: str) -> Vector:
    """What a function's derivatives by these inputs say of the random direction."""
    slopes: Vector = sum(claim.matrix(k).dot(claim.point.direction(name)) for k, name in enumerate(names))
    return slopes


FORMS = (
    Form("inverse_dynamics", "N^T M N qdd + C qd + gravity (+ friction + springs - loads)", _inverse_dynamics),
    Form("inertia_matrix", "N^T M N", _inertia_matrix),
    Form("coriolis_torque", "N^T (M Ndot + W M E N) qd", _coriolis_torque),
    Form("gravity_torque", "-N^T M [0; g]", _gravity_torque),
    Form("bias_torque", "C qd + gravity", _bias_torque),
    Form(
        "forward_dynamics",
        "the solution of N^T M N qdd = tau - C qd - gravity (- friction - springs + loads)",
        _forward_dynamics,
    ),
    Form(
        "hybrid_dynamics",
        "the solution, with the accelerations and forces given, of N^T M N qdd = tau - C qd - gravity (- friction - "
        "springs + loads)",
        _hybrid_dynamics,
    ),
    Form("coriolis_matrix", "Christoffel's symbols of C qd = N^T (M Ndot + W M E N) qd, times qd", _coriolis_matrix),
    Form("udu_factors", "factors with U D U^T = N^T M N", _udu_factors),
    Form("inverse_inertia_matrix", "the inverse of N^T M N", _inverse_inertia_matrix),
    Form("kinetic_energy", "qd^T N^T M N qd / 2", _kinetic_energy),
    Form(
        "potential_energy",
        "-g . sum of m c (+ K x^2 / 2 of springs)",
        _potential_energy,
        ", for links with these base parameters alone",
    ),
    Form("regressor", "Y with Y pi = N^T M N qdd + C qd + gravity for all inertial parameters pi", _regressor),
    Form(
        "inverse_dynamics_derivatives",
        "derivatives of N^T M N qdd + C qd + gravity (+ friction + springs - loads)",
        _inverse_dynamics_derivatives,
    ),
    Form(
        "forward_dynamics_derivatives",
        "derivatives of the solution of N^T M N qdd = tau - C qd - gravity (- friction - springs + loads)",
        _forward_dynamics_derivatives,
    ),
)
