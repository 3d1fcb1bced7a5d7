"""How functions of robots with loops change along them: derivatives of the constraints, column by column of the tree.

Along one joint of the tree the entries of A and Ȧ q̇, which see two rigid groups of links beside each other, are
trigonometric polynomials of degree 2 at most, or polynomials: their derivatives are sums of a few values (see `rates`).
What dependent rates, accelerations and forces do then solves the derivatives of A q̇ = 0, of A q̈ + Ȧ q̇ = 0 and of
A_dᵀ λ = τ_d, whichever λ are taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from symgen.verify import linear, sizes
from symgen.verify.balls import Ball
from symgen.verify.geometry import Floats
from symgen.verify.loops.constraints import Constraints
from symgen.verify.loops.stirring import STIR
from symgen.verify.rates import ball_slope

if TYPE_CHECKING:
    from symgen.verify.entry import Signature
    from symgen.verify.expected import Expected
    from symgen.verify.loops.expected import Closed


def coriolis_matrix(at: Closed) -> Ball:
    """Gᵀ (C G + M Ġ) (…, ni, ni)."""

    def of(tree: Expected) -> Ball:
        value = tree.oracle.coriolis_matrix(tree.q, tree.qd)
        return tree.ball(value, lambda by: sizes.coriolis_sizes(by, tree.q, tree.qd))

    convected = at.moved(of, at.velocity, at.velocity) @ at.matrix
    return at.matrix.transposed @ (convected + _tree(at).inertia @ matrix_rate(at))


def jacobian_dot(at: Closed, frame: str) -> Ball:
    """J̇ G + J Ġ (…, 6, ni)."""

    def of(tree: Expected) -> Ball:
        value = tree.oracle.jacobian_dot(tree.q, tree.qd, frame, tree.setting.axes)
        return tree.ball(value, lambda by: sizes.jacobian_rate_sizes(by, tree.q, tree.qd, frame))

    value = at.oracle.jacobian(at.q, frame, at.setting.axes)
    columns = at.ball(value, lambda by: sizes.jacobian_sizes(by, at.q, frame))
    return at.moved(of, at.velocity, at.velocity) @ at.matrix + columns @ matrix_rate(at)


def kinematic_hessian(at: Closed, signature: Signature) -> Ball:
    """∂(Gᵀ Jᵀ w) (…, ni, ni) along the loops."""
    (tree,), (frame,) = signature.entry.expected(at, signature), signature.frames
    value = at.oracle.jacobian(at.q, frame, at.setting.axes)
    columns = at.ball(value, lambda by: sizes.jacobian_sizes(by, at.q, frame))
    asked = columns.transposed.times(at.given["row_weights"])
    multipliers = at.multipliers_of(asked.mapped(lambda array: array[..., at.dependent_columns]))
    held = _applied(_along_loops(at).mapped(lambda array: np.moveaxis(array, -3, -2)), multipliers)
    return at.matrix.transposed @ (tree @ at.matrix - held)


def slopes(at: Closed, qdd: Floats) -> list[Ball]:
    """∂τ/∂q and ∂τ/∂q̇ (…, ni, ni) along the loops."""
    G, velocity, acceleration = at.matrix, at.velocity, at.accelerations_of(qdd)
    by_position, by_rate = (
        at.moved(lambda tree, k=index: tree.slopes(tree.qdd)[k], velocity, acceleration)  # type: ignore[misc]
        for index in range(2)
    )
    inertia, change = _tree(at).inertia, _along_loops(at)
    faster = at.following(_applied(change, velocity))
    rest = at.changes.rest @ G + _of_rates(at, faster)
    pushed = at.following(_applied(change, acceleration) + rest)
    held = _applied(change.mapped(lambda array: np.moveaxis(array, -3, -2)), at.multipliers(qdd))
    total = by_position @ G + by_rate @ faster + inertia @ pushed - held
    of_rates = by_rate @ G + inertia @ at.following(_of_rates(at, G))
    return [G.transposed @ total, G.transposed @ of_rates]


def inertia_slopes(at: Closed) -> Floats:
    """∂M_ik/∂q_j (…, ni, ni, ni), indexed i, k, j, along the loops."""
    G, change = at.matrix.value, _along_loops(at).value
    tree = np.einsum("...abc,...cj->...abj", linear.inertia_slopes(at.oracle, at.q), G)
    inertia = _tree(at).inertia.value
    result = []
    for j in range(G.shape[-1]):
        turned = at.following(Ball.exact(change[..., j] @ G)).value
        half = np.swapaxes(turned, -1, -2) @ inertia @ G
        result.append(np.swapaxes(G, -1, -2) @ tree[..., j] @ G + half + np.swapaxes(half, -1, -2))
    return np.stack(result, axis=-1)


# constraints ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Changes:
    """∂A (…, m, nv, nv) and ∂(Ȧ q̇) (…, m, nv), q̇ held, along the columns of the tree's joints, which come last."""

    jacobian: Ball
    rest: Ball


def changes(at: Closed) -> Changes:
    """How the constraints change along the columns of the tree's joints."""
    robot, pair = at.oracle.robot, _with_errors(at.velocity)

    def both(q: Floats) -> Ball:
        """A and beside it Ȧ q̇ (…, 2, m, nv + 1) at the rates, and at those with their errors."""
        found = _constraints(at, q[..., None, :], pair)
        return _beside(found.jacobian, found.rest.mapped(lambda array: array[..., None]))

    columns = _stacked([ball_slope(robot, both, at.q, index) for index in range(robot.nv)])
    jacobian = columns.mapped(lambda array: array[..., 0, :, :-1, :])
    return Changes(jacobian, _without_errors(columns.mapped(lambda array: array[..., -1, :]), -3))


def _along_loops(at: Closed) -> Ball:
    """∂A (…, m, nv, ni) along the loops."""
    return at.changes.jacobian @ at.matrix.mapped(lambda array: array[..., None, :, :])


def matrix_rate(at: Closed) -> Ball:
    """Ġ (…, nv, ni)."""
    rates = at.velocity.mapped(lambda array: array[..., None, :])
    return at.following(at.changes.jacobian.times(rates) @ at.matrix)


def _of_rates(at: Closed, ways: Ball) -> Ball:
    """The derivatives of Ȧ q̇ (…, m, k), quadratic in q̇, by rates that go along `ways` (…, nv, k)."""
    rates = _with_errors(at.velocity)[..., None, :, :]
    way = _with_errors(ways.mapped(lambda array: np.swapaxes(array, -1, -2)))
    ahead, behind = (_constraints(at, at.q[..., None, None, :], rates + sign * way).rest for sign in (1, -1))
    found = _without_errors((ahead - behind) * np.full((), 0.5), -2)
    return found.mapped(lambda array: np.swapaxes(array, -1, -2))


def _constraints(at: Closed, q: Floats, rates: Floats) -> Constraints:
    batch = np.broadcast_shapes(q.shape[:-1], rates.shape[:-1])
    arrays = (np.broadcast_to(array, (*batch, array.shape[-1])) for array in (q, rates))
    return Constraints(at.oracle, *arrays)


def _with_errors(rates: Ball) -> Floats:
    """Rates (…, n), and what they are if they err, many times: (…, 2, n)."""
    return np.stack([rates.value, rates.value + STIR * rates.radius], axis=-2)


def _without_errors(found: Ball, axis: int) -> Ball:
    """What was found at the rates, with what their errors make of it; the two lie along the axis."""
    value, more = np.take(found.value, 0, axis), np.take(found.value, 1, axis)
    return Ball(value, np.take(found.radius, 0, axis) + np.abs(more - value) / STIR)


def _beside(left: Ball, right: Ball) -> Ball:
    pairs = ((left.value, right.value), (left.radius, right.radius))
    return Ball(*(np.concatenate(pair, axis=-1) for pair in pairs))


def _stacked(balls: list[Ball]) -> Ball:
    return Ball(np.stack([ball.value for ball in balls], -1), np.stack([ball.radius for ball in balls], -1))


def _applied(change: Ball, x: Ball) -> Ball:
    """Σ over b of change (…, a, b, k) and x (…, b): (…, a, k)."""
    return change.transposed.times(x.mapped(lambda array: array[..., None, :]))


def _tree(at: Closed) -> Expected:
    return at.tree(at.velocity.value, at.velocity.value)
