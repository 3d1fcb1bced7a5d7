"""Kinetic and potential energy."""

from __future__ import annotations

import numpy as np

from symgen.verify import sizes
from symgen.verify.balls import Ball
from symgen.verify.comparison import FEW, Comparison
from symgen.verify.entry import Entry, Identity, Pair, Signature, compared
from symgen.verify.expected import Expected
from symgen.verify.geometry import Floats
from symgen.verify.rates import ball_slope


def _kinetic_energy(at: Expected, _: Signature) -> list[Ball]:
    return [at.ball(at.oracle.kinetic_energy(at.q, at.qd), lambda by: sizes.kinetic_sizes(by, at.q, at.qd))]


def _potential_energy(at: Expected, _: Signature) -> list[Ball]:
    value = at.oracle.potential_energy(at.q, at.gravity)
    springs = at.oracle.drives.spring_energy_sizes(at.q)
    return [at.ball(value, lambda by: sizes.potential_sizes(by, at.q, at.pull) + springs)]


def _up_to_a_constant(subject: Comparison, signature: Signature) -> list[Pair]:
    """What base parameters determine up to a constant only, less what it is where no joint moves its link.

    With loops, less what it is in the first state, which is closed.
    """
    if not subject.setting.base:
        return compared(subject, signature)
    robot, q, name = subject.oracle.robot, subject.at.q, signature.name
    rest = np.broadcast_to(q[0] if robot.has_loops else robot.neutral, q.shape)
    (expected,) = subject.of(name)
    (constant,) = subject.expecting(q=rest).of(signature)
    return [(subject.one(name) - subject.one(name, q=rest), expected - constant)]


def _kinetic(subject: Comparison, _: Signature) -> Pair:
    qd = subject.at.qd
    momentum = subject.one("inertia_matrix").times(qd)
    return (momentum * qd).total(np.full(qd.shape[-1], 0.5), axis=1), subject.one("kinetic_energy")


def _slope(subject: Comparison, _: Signature) -> Pair:
    subject = subject.few(FEW)
    robot, at, drives = subject.oracle.robot, subject.at, subject.oracle.drives

    def energy(q: Floats) -> Ball:
        springs = subject.expected.ball(drives.spring_energy(q), lambda by: drives.spring_energy_sizes(q))
        return subject.one("potential_energy", q=q) - springs

    slopes = [ball_slope(robot, energy, at.q, joint) for joint in range(robot.nv)]
    value, radius = (np.stack([getattr(each, key) for each in slopes], axis=-1) for key in ("value", "radius"))
    return Ball(value, radius), subject.one("gravity_torque")


KINETIC_ENERGY = Entry(
    "kinetic_energy",
    ("q", "qd"),
    ((),),
    _kinetic_energy,
    identities=(Identity("kinetic_energy = qd inertia_matrix qd / 2", ("inertia_matrix",), _kinetic, closed=True),),
)

POTENTIAL_ENERGY = Entry(
    "potential_energy",
    ("q",),
    ((),),
    _potential_energy,
    gravity=True,
    pairs=_up_to_a_constant,
    identities=(Identity("gravity_torque = slope of potential_energy - springs", ("gravity_torque",), _slope),),
)
