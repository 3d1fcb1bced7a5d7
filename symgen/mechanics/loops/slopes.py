"""How closure changes while the tree moves: derivatives of A and of Ȧ q̇ along a tangent of q, by dual numbers.

`closure` itself runs over them, so that its derivatives are those of what programs compute, closed or not.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, zeros
from symgen.algebra.duals import Dual, Duals
from symgen.mechanics.joints import rates_of
from symgen.mechanics.loops.closure import closure
from symgen.mechanics.loops.plan import Plan
from symgen.mechanics.mechanism import Mechanism


def moving(mechanism: Mechanism, direction: Vector | Sequence[Scalar]) -> Mechanism:
    """The mechanism over dual numbers, q moving with the rates `direction`, nv; other inputs stay."""
    assert mechanism.remake is not None
    domain = mechanism.domain
    slopes: dict[tuple[str, int], Scalar] = {}
    for joint in mechanism.joints:
        rates = list(direction[joint.v])
        if joint.kind.is_free:
            block = rates_of(joint.kind, range(joint.q.start, joint.q.stop), domain)
            rates = list(block.dot(rates))
        slopes |= {("q", joint.q.start + k): rate for k, rate in enumerate(rates)}
    return mechanism.remake(Duals(domain, slopes))


def jacobian_slope(moved: Mechanism, plan: Plan) -> Matrix:
    """The derivative of A, m×nv, in the direction in which `moved` moves."""
    found = closure(moved, reverse=plan.reversed_cuts).jacobian
    result = zeros(_base(moved), *found.shape)
    for row, column in plan.entries:
        result[row, column] = found[row, column].slope
    return result


def bias_slope(moved: Mechanism, plan: Plan, velocity: Sequence[Scalar], change: Sequence[Scalar]) -> list[Scalar]:
    """The derivative of Ȧ q̇, m, in the direction in which `moved` moves while q̇ = `velocity`, nv, has the `change`."""
    rates = [Dual(value, slope) for value, slope in zip(velocity, change, strict=True)]
    return [value.slope for value in closure(moved, rates, plan.reversed_cuts).bias]


def _base(moved: Mechanism) -> Domain:
    """The domain that the dual numbers are over."""
    domain = moved.domain
    assert isinstance(domain, Duals)
    return domain.domain
