"""What second derivatives are, as those of block forms over dual numbers of dual numbers.

Blocks are held against the second derivative along one random direction of the whole state, a quadratic form: if they
are symmetric where they should be, it is theirs for hardly any direction but where they are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgen.algebra.domain import Matrix, Vector, dot, variables, vector
from symgen.algebra.duals import Dual
from symgen.algebra.prime import Element
from symgen.mechanics import composite, factorization
from symgen.prove.claim import Claim, Form, equal


def _inverse_hessian(claim: Claim) -> bool:
    return _agree(claim, "qdd", [claim.variables("weights")], _second_forces(claim))


def _inverse_tensors(claim: Claim) -> bool:
    return _agree(claim, "qdd", None, _second_forces(claim))


def _forward_hessian(claim: Claim) -> bool:
    found = _second_accelerations(claim)
    return found is not None and _agree(claim, "tau", [claim.variables("weights")], found)


def _forward_tensors(claim: Claim) -> bool:
    found = _second_accelerations(claim)
    return found is not None and _agree(claim, "tau", None, found)


def _second_forces(claim: Claim) -> Vector:
    """The second derivatives of τ along the random direction of the state."""
    form = claim.point.bending
    acceleration = variables(form.domain, "qdd", form.nv)
    return vector(force.slope.slope for force in form.inertia_times(acceleration) + form.bias)


def _second_accelerations(claim: Claim) -> Vector | None:
    """Those of q̈ that answers to τ: its derivatives are what the forces' are made right by, one after the other.

    None if these equations are not solved.
    """
    form, moved = claim.form, claim.point.bending
    factors = factorization.factorize(form.domain, composite.inertia_matrix(form.mechanism))

    def solved(forces: Vector) -> Vector:
        return vector(factorization.solve(factors, list(forces)))

    def forces(value: Vector, slope: Vector, bend: Vector) -> Vector:
        acceleration = vector(Dual(Dual(a, b), Dual(b, c)) for a, b, c in zip(value, slope, bend, strict=True))
        result: Vector = moved.inertia_times(acceleration) + moved.bias
        return result

    tau, way = claim.variables("tau"), claim.point.direction("tau")
    zero = tau * 0
    value = solved(tau - form.bias)
    slope = solved(way - vector(force.value.slope for force in forces(value, zero, zero)))
    bend = solved(-vector(force.slope.slope for force in forces(value, slope, zero)))
    found = forces(value, slope, bend)
    wanted = [(force, ahead, ahead, none) for force, ahead, none in zip(tau, way, zero, strict=True)]
    parts = [(f.value.value, f.value.slope, f.slope.value, f.slope.slope) for f in found]
    return bend if parts == wanted else None


def _agree(claim: Claim, last: str, weights: Sequence[Vector] | None, expected: Vector) -> bool:
    """Whether the blocks are symmetric, and say of the direction what is expected; contracted with weights, if so."""
    n = claim.form.nv
    arrays = [output.reshape(-1, n, n) for output in claim.outputs]
    values = expected if weights is None else [dot(each, expected) for each in weights]
    ways = [claim.point.direction(name) for name in ("q", "qd", last)]
    return all(
        _symmetric(blocks[0]) and _symmetric(blocks[2]) and _form(blocks, *ways) == value
        for *blocks, value in zip(*arrays, values, strict=True)
    )


def _symmetric(matrix: Matrix) -> bool:
    return equal(matrix, matrix.T)


def _form(blocks: Sequence[Matrix], q: Vector, qd: Vector, last: Vector) -> Element:
    by_q, mixed, by_qd, by_last = blocks
    cross: Any = q.dot(mixed.dot(qd)) + q.dot(by_last.dot(last))
    result: Element = q.dot(by_q.dot(q)) + qd.dot(by_qd.dot(qd)) + cross + cross
    return result


FORMS = (
    Form(
        "inverse_dynamics_hessian",
        "second derivatives of weights . (N^T M N qdd + C qd + gravity (+ friction + springs - loads))",
        _inverse_hessian,
    ),
    Form(
        "forward_dynamics_hessian",
        "second derivatives of weights . the solution of N^T M N qdd = tau - C qd - gravity (- friction - springs + "
        "loads)",
        _forward_hessian,
    ),
    Form(
        "inverse_dynamics_second_derivatives",
        "second derivatives of N^T M N qdd + C qd + gravity (+ friction + springs - loads)",
        _inverse_tensors,
    ),
    Form(
        "forward_dynamics_second_derivatives",
        "second derivatives of the solution of N^T M N qdd = tau - C qd - gravity (- friction - springs + loads)",
        _forward_tensors,
    ),
)
