"""Hybrid dynamics: of every joint either the acceleration is given or the force."""

from __future__ import annotations

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import GIVEN, OTHERS, Entry, Identity, Pair, Signature
from symgen.verify.expected import Expected
from symgen.verify.geometry import Floats


def _hybrid_dynamics(at: Expected, _: Signature) -> list[Ball]:
    accelerations, forces = at.hybrid
    return [
        accelerations.mapped(lambda array: array[..., at.other_part]),
        forces.mapped(lambda array: array[..., at.given_part]),
    ]


def _same_motion(subject: Comparison, _: Signature) -> Pair:
    """All accelerations, some of which were found, ask for all forces, of which the others were."""
    at, expected = subject.at, subject.expected
    found, tau = subject.call("hybrid_dynamics")
    qdd = _joined(subject, Ball.exact(at.argument("qdd_given")), found)
    pushed = (np.abs(expected.inertia.value) @ qdd.radius[..., None])[..., 0]
    forces = subject.one("inverse_dynamics", qdd=qdd.value)
    return forces.wider(pushed), _joined(subject, tau, Ball.exact(at.argument("tau_given")))


def _joined(subject: Comparison, given: Ball, others: Ball) -> Ball:
    """An array of all velocities, (…, n), from those of the given ones and of the others."""
    expected = subject.expected

    def joined(part: Floats, rest: Floats) -> Floats:
        whole = np.zeros_like(subject.at.qd)
        whole[..., expected.given_part], whole[..., expected.other_part] = part, rest
        return whole

    return Ball(joined(given.value, others.value), joined(given.radius, others.radius))


HYBRID_DYNAMICS = Entry(
    "hybrid_dynamics",
    ("q", "qd", "qdd_given", "tau_given"),
    ((OTHERS,), (GIVEN,)),
    _hybrid_dynamics,
    gravity=True,
    loads=True,
    identities=(
        Identity(
            "inverse_dynamics of hybrid_dynamics = given and found forces",
            ("inverse_dynamics",),
            _same_motion,
            closed=True,
        ),
    ),
    known=lambda setting: bool(setting.given),
)
