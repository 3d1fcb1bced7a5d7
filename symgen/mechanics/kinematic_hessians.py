"""The kinematic Hessian of a frame, contracted with a vector: how Jᵀ λ changes by q.

With [e; l] a column of the Jacobian J about the frame's origin, in base axes, and λ = [n; f], a joint that goes ahead
along column j turns the columns of joints beyond it and of its own, and moves the frame's origin for those that carry
it, which for these are j's column:

    ∂(Jᵀ λ)_i/∂q_j = e_j · (e_i × n + l_i × f)   if j carries i, or is of the same joint,
                     e_i · (l_j × f)              if i carries j.

In the frame's own axes joints that carry j stay as they are, and what j carries seems to turn back: the first is 0, the
second less what the first would be. By q means in the tangent space.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, dot, is_zero, vector, zeros
from symgen.mechanics.kinematics import FRAME_AXES, arms
from symgen.mechanics.mechanism import FrameOnBody, Mechanism


def kinematic_hessian(
    mechanism: Mechanism, frame: FrameOnBody, weights: Sequence[Scalar], axes: str
) -> tuple[Vector, Matrix]:
    """Jᵀ λ, nv, and its derivatives by q (columns), nv×nv, of λ = `weights`, 6, in `axes` of the base or the frame."""
    domain, moment, force = mechanism.domain, vector(weights[:3]), vector(weights[3:])
    total, matrix = zeros(domain, mechanism.nv), zeros(domain, mechanism.nv, mechanism.nv)
    columns = [(arm.index, arm.body, arm.angular, arm.column()[3:]) for arm in arms(mechanism, frame, axes)]
    turned = [cross(angular, moment) + cross(linear, force) for _, _, angular, linear in columns]
    pushed = [cross(linear, force) for *_, linear in columns]
    carriers = {body: {*mechanism.ancestors(body), body} for _, body, *_ in columns}

    def put(array: Vector | Matrix, place: int | tuple[int, int], entry: Scalar) -> None:
        # Joints that move together share an entry.
        array[place] = entry if is_zero(array[place]) else array[place] + entry

    for a, (i, body, angular, linear) in enumerate(columns):
        put(total, i, dot(angular, moment) + dot(linear, force))
        for b, (j, other, axis, _) in enumerate(columns):
            is_inner = other in carriers[body]
            if axes == FRAME_AXES:
                entry = domain.constant(0) if is_inner else dot(angular, pushed[b]) - dot(axis, turned[a])
            else:
                entry = dot(axis, turned[a]) if is_inner else dot(angular, pushed[b])
            put(matrix, (i, j), entry)
    return total, matrix
