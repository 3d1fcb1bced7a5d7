"""What each function of named frames is, as a block form."""

from __future__ import annotations

from symgen.algebra.domain import Matrix, cross, dot, vector
from symgen.mechanics.kinematics import FRAME_AXES, homogeneous
from symgen.mechanics.mechanism import FrameOnBody
from symgen.prove.block_form import BlockForm
from symgen.prove.claim import Claim, Form, equal


def _forward_kinematics(claim: Claim) -> bool:
    frames = (claim.frame(index) for index in range(len(claim.frames)))
    return claim.equals(*(homogeneous(claim.form.mechanism, claim.form.frame_pose(frame)) for frame in frames))


def _jacobian(claim: Claim) -> bool:
    return claim.equals(_in_axes(claim, claim.form.jacobian(claim.frame())))


def _jacobian_dot(claim: Claim) -> bool:
    x = claim.point.direction("x")
    jacobian = _in_axes(claim, claim.form.tree.jacobian(claim.frame()))
    return equal(claim.matrix(0).dot(x), claim.form.jacobian_rate_times(jacobian, _jacobian_rate(claim), x))


def _jacobian_dot_velocity(claim: Claim) -> bool:
    jacobian = _in_axes(claim, claim.form.tree.jacobian(claim.frame()))
    return claim.equals(claim.form.drift(jacobian, _jacobian_rate(claim)))


def _kinematic_hessian(claim: Claim) -> bool:
    """The derivative of Jᵀ weights in the random direction, by dual numbers."""
    moving = claim.point.moving
    frame = moving.mechanism.frame(claim.frames[0])
    jacobian = _turned(claim.axes, moving, frame, moving.jacobian(frame))
    weights = claim.variables("row_weights")
    slopes = vector(dot(weights, [entry.slope for entry in column]) for column in jacobian.T)
    return equal(claim.matrix(0).dot(claim.point.direction("q")), slopes)


def _jacobian_rate(claim: Claim) -> Matrix:
    """J̇ in the axes wanted: in the frame's axes Rᵀ (J̇ − ω × J)."""
    form = claim.form.tree
    J, rate = form.jacobian(claim.frame()), form.jacobian_rate(claim.frame())
    if claim.axes == FRAME_AXES:
        spin = J.dot(form.velocity)[:3]
        for j in range(rate.shape[1]):
            rate[:3, j] = rate[:3, j] - cross(spin, J[:3, j])
            rate[3:, j] = rate[3:, j] - cross(spin, J[3:, j])
    return _in_axes(claim, rate)


def _in_axes(claim: Claim, matrix: Matrix) -> Matrix:
    """A Jacobian in base axes, or its columns turned into the frame's axes if these are wanted."""
    return _turned(claim.axes, claim.form, claim.frame(), matrix)


def _turned(axes: str, form: BlockForm, frame: FrameOnBody, matrix: Matrix) -> Matrix:
    if axes != FRAME_AXES:
        return matrix
    inward, result = form.frame_pose(frame).rotation.T, matrix.copy()
    result[:3], result[3:] = inward.dot(matrix[:3]), inward.dot(matrix[3:])
    return result


FORMS = (
    Form("forward_kinematics", "products of the links' transforms", _forward_kinematics),
    Form("jacobian", "A N", _jacobian),
    Form("jacobian_dot", "d(A N)/dt", _jacobian_dot),
    Form("jacobian_dot_velocity", "d(A N)/dt qd", _jacobian_dot_velocity),
    Form("kinematic_hessian", "derivatives of (A N)^T row_weights", _kinematic_hessian),
)
