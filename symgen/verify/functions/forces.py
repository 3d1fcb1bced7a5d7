"""Joint forces, and the parts that inertia and gravity have in them."""

from __future__ import annotations

import numpy as np

from symgen.verify import sizes
from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import NV, Entry, Identity, Pair, Signature
from symgen.verify.expected import Expected


def _inverse_dynamics(at: Expected, _: Signature) -> list[Ball]:
    return [at.forces(at.qdd)]


def _coriolis_torque(at: Expected, _: Signature) -> list[Ball]:
    value, rest, none = at.oracle.coriolis_torque(at.q, at.qd), 0 * at.qdd, np.zeros(())
    return [at.ball(value, lambda by: sizes.force_sizes(by, at.q, at.qd, rest, none))]


def _gravity_torque(at: Expected, _: Signature) -> list[Ball]:
    value, rest = at.oracle.gravity_torque(at.q, at.gravity), 0 * at.qdd
    return [at.ball(value, lambda by: sizes.force_sizes(by, at.q, rest, rest, at.pull))]


def _bias_torque(at: Expected, _: Signature) -> list[Ball]:
    value, rest = at.oracle.bias_torque(at.q, at.qd, at.gravity), 0 * at.qdd
    return [at.ball(value, lambda by: sizes.force_sizes(by, at.q, at.qd, rest, at.pull))]


def _sum(subject: Comparison, _: Signature) -> Pair:
    return subject.one("coriolis_torque") + subject.one("gravity_torque"), subject.one("bias_torque")


INVERSE_DYNAMICS = Entry("inverse_dynamics", ("q", "qd", "qdd"), ((NV,),), _inverse_dynamics, gravity=True, loads=True)

CORIOLIS_TORQUE = Entry("coriolis_torque", ("q", "qd"), ((NV,),), _coriolis_torque)

GRAVITY_TORQUE = Entry("gravity_torque", ("q",), ((NV,),), _gravity_torque, gravity=True)

BIAS_TORQUE = Entry(
    "bias_torque",
    ("q", "qd"),
    ((NV,),),
    _bias_torque,
    gravity=True,
    identities=(
        Identity(
            "bias_torque = coriolis_torque + gravity_torque", ("coriolis_torque", "gravity_torque"), _sum, closed=True
        ),
    ),
)
