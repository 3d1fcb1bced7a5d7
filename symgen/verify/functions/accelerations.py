"""Forward dynamics: the accelerations that joint forces make."""

from __future__ import annotations

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import NV, Entry, Identity, Pair, Signature
from symgen.verify.expected import Expected


def _forward_dynamics(at: Expected, _: Signature) -> list[Ball]:
    return [at.accelerations()]


def _residual(subject: Comparison) -> list[Pair]:
    """The oracle's forces for the accelerations found, and τ: these answer to each other whatever the condition."""
    found = subject.one("forward_dynamics")
    forces = subject.expected.forces(found.value)
    matrix = subject.expected.inertia
    if "forward_dynamics" in subject.roundings:
        (radius,) = subject.roundings["forward_dynamics"](
            *subject.arguments("forward_dynamics"), through=lambda errors: matrix.value @ errors[0][..., None]
        )
        radius = radius[..., 0]
    else:
        radius = (np.abs(matrix.value) @ found.radius[..., None])[..., 0]
    return [(forces.wider(radius), Ball.exact(subject.at.tau))]


def _round_trip(subject: Comparison, _: Signature) -> Pair:
    forces, qdd = subject.one("inverse_dynamics"), subject.at.qdd
    found = subject.one("forward_dynamics", tau=forces.value, answer=qdd)
    return found, Ball(qdd, subject.expected.answering(forces.radius))


FORWARD_DYNAMICS = Entry(
    "forward_dynamics",
    ("q", "qd", "tau"),
    ((NV,),),
    _forward_dynamics,
    gravity=True,
    loads=True,
    solves=True,
    further={"forward_dynamics, residual": _residual},
    identities=(
        Identity("forward_dynamics of inverse_dynamics = qdd", ("inverse_dynamics",), _round_trip, closed=True),
    ),
)
