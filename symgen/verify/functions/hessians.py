"""Second derivatives of inverse and forward dynamics, and of Jacobians contracted with a vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from symgen.robot.model import Robot
from symgen.verify import bends, sizes
from symgen.verify.balls import Ball
from symgen.verify.bends import Tensors
from symgen.verify.comparison import FEW, Comparison
from symgen.verify.entry import EACH, NV, Entry, Identity, Pair, Signature, compared
from symgen.verify.expected import Expected
from symgen.verify.functions.derivatives import responses
from symgen.verify.geometry import Floats
from symgen.verify.rates import ball_slope, slope
from symgen.verify.sizes import Measure

_USUAL = 7
"""Joints of a robot of which `FEW` states are looked at; of larger ones fewer."""

_LEAST = 2


def _weights(random: np.random.Generator, robot: Robot, states: int) -> Floats:
    return random.uniform(-1, 1, (states, len(robot.independent)))


def _row_weights(random: np.random.Generator, robot: Robot, states: int) -> Floats:
    return random.uniform(-1, 1, (states, 6))


def _few(subject: Comparison) -> Comparison:
    """The first states: pairs of joints are many, and each needs forces at many positions."""
    return subject.few(max(_LEAST, FEW * _USUAL // max(subject.oracle.robot.nv, _USUAL)))


def _compared(subject: Comparison, signature: Signature) -> list[Pair]:
    return compared(_few(subject), signature)


def _compared_too_along_loops(subject: Comparison, signature: Signature) -> list[Pair]:
    """With loops what follows from first derivatives, of forces that are quadratic in rates; that by q is symmetric."""
    if not subject.oracle.robot.has_loops:
        return _compared(subject, signature)
    subject = _few(subject)
    found, drives = subject.call(signature.name), subject.oracle.drives
    pairs = [(found[0], found[0].transposed)]
    if subject.oracle.robot.has_cut_drives or drives.coulomb.any() or drives.sigmoid.any():
        return pairs
    return [*pairs, *zip(found[1:], _mixed(subject), strict=True)]


def _mixed(subject: Comparison) -> list[Ball]:
    """The blocks by rates and accelerations, as exact differences of first derivatives."""
    weights, qd, qdd = (subject.at.argument(name) for name in ("weights", "qd", "qdd"))
    half = np.full((), 0.5)

    def slopes(qd: Floats, qdd: Floats) -> list[Ball]:
        return [_weighed(matrix, weights) for matrix in subject.expecting(qd=qd, qdd=qdd).slopes(qdd)]

    here, units = slopes(qd, qdd)[0], np.eye(qd.shape[-1])
    ends = [(slopes(qd + way, qdd), slopes(qd - way, qdd)) for way in units]
    by_rates = [_stacked([(ahead[k] - behind[k]) * half for ahead, behind in ends], -1) for k in range(2)]
    return [*by_rates, _stacked([slopes(qd, qdd + way)[0] - here for way in units], -1)]


# what they should return ---------------------------------------------------------------------------


def _forces(at: Expected, qdd: Floats) -> Tensors:
    return bends.tensors(at.oracle, at.instant(qdd), at.pull)


def _accelerations(at: Expected) -> list[Ball]:
    """−I⁻¹ times the second derivatives of forces at the `answer`, with what accelerations change by."""
    found, doubt = _forces(at, at.given["answer"]), at.accelerations().radius
    by_position, by_rate = responses(at)
    mixed = found.positions_accelerations
    turned = _each_times(mixed, by_position)
    positions = found.positions.wider(bends.inertia_bends(at.oracle, at.q, doubt)) + (turned + turned.transposed)
    blocks = (positions, found.positions_rates + _each_times(mixed, by_rate), found.rates)
    return [_answered(at, block) for block in (*blocks, _each_times(mixed, at.inverse))]


def _each_times(tensor: Ball, matrix: Ball) -> Ball:
    """Every (…, n, n) of a tensor times a matrix (…, n, n)."""
    return tensor @ matrix.mapped(lambda array: array[..., None, :, :])


def _answered(at: Expected, forces: Ball) -> Ball:
    """−I⁻¹ along the first dimension of a tensor."""
    shape = forces.value.shape
    flat = forces.mapped(lambda array: array.reshape(*shape[:-2], -1))
    found = at.inverse @ Ball(-flat.value, flat.radius)
    return found.mapped(lambda array: array.reshape(shape))


def _arrays(found: Tensors) -> list[Ball]:
    return [found.positions, found.positions_rates, found.rates, found.positions_accelerations]


def _contracted(at: Expected, found: list[Ball]) -> list[Ball]:
    return [bends.contracted(at.given["weights"], tensor) for tensor in found]


def _kinematic(at: Expected, signature: Signature) -> list[Ball]:
    (frame,), weights, robot = signature.frames, at.given["row_weights"], at.oracle.robot

    def forces(q: Floats) -> Floats:
        return _rows(at.oracle.jacobian(q, frame, at.setting.axes), weights)

    def size(by: Measure) -> Floats:
        def forces(q: Floats) -> Floats:
            return _rows(sizes.jacobian_sizes(by, q, frame), np.abs(weights))

        return np.stack([slope(robot, forces, at.q, j, size=True) for j in range(robot.nv)], axis=-1)

    return [at.ball(np.stack([slope(robot, forces, at.q, j) for j in range(robot.nv)], axis=-1), size)]


def _rows(jacobian: Floats, weights: Floats) -> Floats:
    """Jᵀ w."""
    return np.asarray((np.swapaxes(jacobian, -1, -2) @ weights[..., None])[..., 0])


# identities ----------------------------------------------------------------------------------------


def _slopes(subject: Comparison, of: Callable[[Floats], Ball]) -> Ball:
    """Slopes (…, n, n) of a vector along the columns of joints."""
    robot, q = subject.oracle.robot, subject.at.q
    return _stacked([ball_slope(robot, of, q, joint) for joint in range(robot.nv)], axis=-1)


def _stacked(balls: Sequence[Ball], axis: int) -> Ball:
    return Ball(np.stack([ball.value for ball in balls], axis), np.stack([ball.radius for ball in balls], axis))


def _weighed(matrix: Ball, weights: Floats) -> Ball:
    """Aᵀ w of matrices (…, states, m, n) and weights (states, m)."""
    return matrix.transposed.times(np.broadcast_to(weights, matrix.value.shape[:-1]))


def _of_derivatives(subject: Comparison, _: Signature) -> Pair:
    """Steps along one column after the other have slopes whose symmetric part is that of steps at once."""
    subject = _few(subject)
    weights = subject.at.argument("weights")
    slopes = _slopes(subject, lambda q: _weighed(subject.call("inverse_dynamics_derivatives", q=q)[0], weights))
    return subject.call("inverse_dynamics_hessian")[0], (slopes + slopes.transposed) * np.full((), 0.5)


def _of_inertia(subject: Comparison, _: Signature) -> Pair:
    subject = _few(subject)
    weights = subject.at.argument("weights")
    slopes = _slopes(subject, lambda q: _weighed(subject.one("inertia_matrix", q=q), weights))
    return subject.call("inverse_dynamics_hessian")[3], slopes.transposed


def _of_tensors(dynamics: str, subject: Comparison, _: Signature) -> Pair:
    found, tensors = subject.call(f"{dynamics}_hessian"), subject.call(f"{dynamics}_second_derivatives")
    weights = subject.at.argument("weights")
    return _stacked(found, 1), _stacked([bends.contracted(weights, tensor) for tensor in tensors], 1)


def _of_jacobian(subject: Comparison, signature: Signature) -> Pair:
    subject = subject.few(FEW)
    weights, jacobian = subject.at.argument("row_weights"), subject.beside(signature, "jacobian")
    slopes = _slopes(subject, lambda q: _weighed(subject.one(jacobian, q=q), weights))
    return subject.one(signature.name), slopes


def _same_in_tensors(dynamics: str) -> Identity:
    name = f"{dynamics}_second_derivatives"
    return Identity(f"{dynamics}_hessian = weights . {name}", (name,), partial(_of_tensors, dynamics))


# entries -------------------------------------------------------------------------------------------

_MATRICES, _TENSORS = ((NV, NV),) * 4, ((NV, NV, NV),) * 4

INVERSE_DYNAMICS_HESSIAN = Entry(
    "inverse_dynamics_hessian",
    ("q", "qd", "qdd", "weights"),
    _MATRICES,
    lambda at, _: _contracted(at, _arrays(_forces(at, at.qdd))),
    gravity=True,
    loads=True,
    drawn={"weights": _weights},
    pairs=_compared_too_along_loops,
    identities=(
        Identity(
            "hessian_qq = symmetric part of slopes of weights . dtau_dq",
            ("inverse_dynamics_derivatives",),
            _of_derivatives,
        ),
        Identity("hessian_qqdd = slopes of inertia_matrix weights", ("inertia_matrix",), _of_inertia),
        _same_in_tensors("inverse_dynamics"),
    ),
)

FORWARD_DYNAMICS_HESSIAN = Entry(
    "forward_dynamics_hessian",
    ("q", "qd", "tau", "weights"),
    _MATRICES,
    lambda at, _: _contracted(at, _accelerations(at)),
    gravity=True,
    loads=True,
    solves=True,
    drawn={"weights": _weights},
    pairs=_compared,
    identities=(_same_in_tensors("forward_dynamics"),),
)

INVERSE_DYNAMICS_SECOND_DERIVATIVES = Entry(
    "inverse_dynamics_second_derivatives",
    ("q", "qd", "qdd"),
    _TENSORS,
    lambda at, _: _arrays(_forces(at, at.qdd)),
    gravity=True,
    loads=True,
    pairs=_compared,
)

FORWARD_DYNAMICS_SECOND_DERIVATIVES = Entry(
    "forward_dynamics_second_derivatives",
    ("q", "qd", "tau"),
    _TENSORS,
    lambda at, _: _accelerations(at),
    gravity=True,
    loads=True,
    solves=True,
    pairs=_compared,
)

KINEMATIC_HESSIAN = Entry(
    "kinematic_hessian",
    ("q", "row_weights"),
    ((NV, NV),),
    _kinematic,
    frames=EACH,
    drawn={"row_weights": _row_weights},
    identities=(Identity("{kinematic_hessian} = slopes of {jacobian}^T row_weights", ("jacobian",), _of_jacobian),),
)
