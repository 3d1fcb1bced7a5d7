"""Functions of named frames: poses, Jacobians and their rates."""

from __future__ import annotations

from functools import partial

import numpy as np

from symgen.verify import sizes
from symgen.verify.balls import Ball
from symgen.verify.comparison import FEW, Comparison
from symgen.verify.entry import ALL, EACH, NV, Entry, Identity, Pair, Signature
from symgen.verify.expected import Expected
from symgen.verify.geometry import Floats
from symgen.verify.rates import rate
from symgen.verify.setting import FRAME_AXES
from symgen.verify.sizes import Measure


def _forward_kinematics(at: Expected, signature: Signature) -> list[Ball]:
    values = at.oracle.forward_kinematics(at.q, signature.frames)
    return [
        at.ball(value, partial(sizes.pose_sizes, q=at.q, frame=name))
        for value, name in zip(values, signature.frames, strict=True)
    ]


def _jacobian(at: Expected, signature: Signature) -> list[Ball]:
    (frame,) = signature.frames
    value = at.oracle.jacobian(at.q, frame, at.setting.axes)
    return [at.ball(value, lambda by: sizes.jacobian_sizes(by, at.q, frame))]


def _jacobian_dot(at: Expected, signature: Signature) -> list[Ball]:
    (frame,) = signature.frames
    value = at.oracle.jacobian_dot(at.q, at.qd, frame, at.setting.axes)
    return [at.ball(value, lambda by: sizes.jacobian_rate_sizes(by, at.q, at.qd, frame))]


def _jacobian_dot_velocity(at: Expected, signature: Signature) -> list[Ball]:
    (frame,) = signature.frames

    def size(by: Measure) -> Floats:
        change = sizes.jacobian_rate_sizes(by, at.q, at.qd, frame)
        return np.asarray(np.sum(change * np.abs(at.qd)[..., None, :], axis=-1))

    return [at.ball(at.oracle.jacobian_dot_velocity(at.q, at.qd, frame, at.setting.axes), size)]


# identities --------------------------------------------------------------------------------------------


def _twist(subject: Comparison, jacobian: Signature) -> Pair:
    """J q̇ against the twist from the rate of the pose."""
    subject, (frame,) = subject.few(FEW), jacobian.frames
    at, robot = subject.at, subject.oracle.robot
    index = subject.signatures["forward_kinematics"].frames.index(frame)
    pose = subject.call("forward_kinematics")[index]
    change = rate(robot, lambda q: subject.call("forward_kinematics", q=q)[index], at.q, at.qd)
    back = pose.mapped(lambda array: np.swapaxes(array[..., :3, :3], -1, -2))
    turning = change.mapped(lambda array: array[..., :3, :3])
    velocity = change.mapped(lambda array: array[..., :3, 3])
    in_frame = subject.setting.axes == FRAME_AXES
    spin = back @ turning if in_frame else turning @ back
    velocity = back.times(velocity) if in_frame else velocity

    def joined(key: str) -> Floats:
        return np.concatenate([getattr(spin, key)[..., [2, 0, 1], [1, 2, 0]], getattr(velocity, key)], axis=-1)

    return subject.one(jacobian.name).times(at.qd), Ball(joined("value"), joined("radius"))


def _rate(subject: Comparison, change: Signature) -> Pair:
    subject = subject.few(FEW)
    at, robot, jacobian = subject.at, subject.oracle.robot, subject.beside(change, "jacobian")
    return subject.one(change.name), rate(robot, lambda q: subject.one(jacobian, q=q), at.q, at.qd)


def _product(subject: Comparison, product: Signature) -> Pair:
    change = subject.one(subject.beside(product, "jacobian_dot"))
    return change.times(subject.at.qd), subject.one(product.name)


# entries -----------------------------------------------------------------------------------------------

FORWARD_KINEMATICS = Entry("forward_kinematics", ("q",), ((4, 4),), _forward_kinematics, frames=ALL)

JACOBIAN = Entry(
    "jacobian",
    ("q",),
    ((6, NV),),
    _jacobian,
    frames=EACH,
    identities=(Identity("{jacobian} qd = twist of the pose", ("forward_kinematics",), _twist),),
)

JACOBIAN_DOT = Entry(
    "jacobian_dot",
    ("q", "qd"),
    ((6, NV),),
    _jacobian_dot,
    frames=EACH,
    identities=(Identity("{jacobian_dot} = rate of {jacobian}", ("jacobian",), _rate),),
)

JACOBIAN_DOT_VELOCITY = Entry(
    "jacobian_dot_velocity",
    ("q", "qd"),
    ((6,),),
    _jacobian_dot_velocity,
    frames=EACH,
    identities=(Identity("{jacobian_dot} qd = {jacobian_dot_velocity}", ("jacobian_dot",), _product, closed=True),),
)
