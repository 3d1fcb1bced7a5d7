"""Assembly: the q that closes the loops at given positions of the independent joints, by Newton's method.

One step is a program without branches; languages iterate it. A step is damped so that no joint goes far at once, by a
factor that is 1 to second order near the solution, which keeps the convergence quadratic.
"""

from __future__ import annotations

from fractions import Fraction

from symgen.algebra.domain import Scalar, Vector, dot, is_zero, variables, vector
from symgen.mechanics.configuration import integrate
from symgen.mechanics.loops.closure import closure
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.mechanism import Mechanism

FARTHEST = Fraction(1, 2)
"""Steps, as vectors in rad and m, stay shorter."""


def step(mechanism: Mechanism) -> tuple[Vector, Scalar]:
    """q after a step, nq, and the sum of squares of the constraints' residuals before it (m², or 1)."""
    assert mechanism.plan is not None
    # Damping keeps steps from singular postures short, so that these may be crossed.
    domain, reduction = mechanism.domain, Reduction(mechanism, mechanism.plan.unguarded)
    residual = vector(closure(mechanism, reverse=mechanism.plan.reversed_cuts).residual)
    whole = vector(reduction.closing(list(residual)))
    factor = domain.constant(1 / FARTHEST)
    share = domain.constant(1) / domain.sqrt(domain.constant(1) + factor * factor * dot(whole, whole))
    q = variables(domain, "q", mechanism.nq)
    return advanced(mechanism, q, whole * domain.define("share", share)), dot(residual, residual)


def advanced(mechanism: Mechanism, q: Vector, whole: Vector) -> Vector:
    """q ⊕ step, nq; joints that no constraint moves keep their entries as they are."""
    result = integrate(mechanism, q, whole)
    for joint in mechanism.joints:
        if all(map(is_zero, whole[joint.v])):
            result[joint.q] = q[joint.q]
    return result
