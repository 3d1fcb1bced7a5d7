"""Derivatives of inverse and forward dynamics."""

from __future__ import annotations

from functools import partial

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import NV, Entry, Identity, Pair, Signature
from symgen.verify.expected import Expected
from symgen.verify.geometry import Floats


def _inverse_dynamics_derivatives(at: Expected, _: Signature) -> list[Ball]:
    return at.slopes(at.qdd)


def _forward_dynamics_derivatives(at: Expected, _: Signature) -> list[Ball]:
    return [*responses(at), at.inverse]


def responses(at: Expected) -> list[Ball]:
    """∂q̈/∂q and ∂q̈/∂q̇ of accelerations that answer to forces."""
    by_position, by_rate = at.slopes(at.given["answer"])
    slopes = (by_position.wider(_shifting(at)), by_rate)
    return [at.inverse @ Ball(-slope.value, slope.radius) for slope in slopes]


def _shifting(at: Expected) -> Floats:
    """What ∂τ/∂q (…, n, n) at the `answer` is off by, which answers to τ but for rounding."""
    return np.asarray(np.einsum("...ikj,...k->...ij", np.abs(at.inertia_slopes), at.accelerations().radius))


def _convective(subject: Comparison, _: Signature) -> Pair:
    slopes = subject.oracle.drives.friction_slope(subject.at.qd)
    friction = slopes[..., None] * np.eye(slopes.shape[-1])
    doubled = subject.one("coriolis_matrix") * np.full((), 2.0)
    return subject.call("inverse_dynamics_derivatives")[1], doubled + friction


def _polarized(subject: Comparison, _: Signature) -> Pair:
    """For rates that are no q̇ too: h is the quadratic form C(q̇) q̇."""
    at, units = subject.at, np.eye(subject.oracle.robot.nv)
    q, qd = at.q[:, None, :], at.qd[:, None, :]
    along = subject.one("coriolis_matrix", q=q, qd=np.broadcast_to(units, (len(at.q), *units.shape))).times(qd)
    slopes = subject.oracle.drives.friction_slope(at.qd)
    convected = subject.one("coriolis_matrix") + along.transposed
    return subject.call("inverse_dynamics_derivatives")[1], convected + slopes[..., None] * units


def _holonomic(subject: Comparison) -> bool:
    """Whether all rates are those of coordinates."""
    return not any(joint.kind.is_free for joint in subject.oracle.robot.joints)


def _responses(index: int, subject: Comparison, _: Signature) -> Pair:
    """The derivatives of accelerations must answer to those of the forces."""
    responses = subject.call("forward_dynamics_derivatives")[index]
    forces = subject.call("inverse_dynamics_derivatives", qdd=subject.at.answer)[index]
    if index == 0:  # the accelerations they are taken at answer to τ but for rounding
        forces = forces.wider(_shifting(subject.expected))
    return subject.one("inertia_matrix") @ responses, Ball(-forces.value, forces.radius)


INVERSE_DYNAMICS_DERIVATIVES = Entry(
    "inverse_dynamics_derivatives",
    ("q", "qd", "qdd"),
    ((NV, NV),) * 2,
    _inverse_dynamics_derivatives,
    gravity=True,
    loads=True,
    identities=(
        Identity("dtau_dqd = 2 coriolis_matrix + slope of friction", ("coriolis_matrix",), _convective, _holonomic),
        Identity(
            "column j of dtau_dqd = that of coriolis_matrix + coriolis_matrix(q, e_j) qd + slope of friction",
            ("coriolis_matrix",),
            _polarized,
            lambda subject: not _holonomic(subject),
        ),
    ),
)

FORWARD_DYNAMICS_DERIVATIVES = Entry(
    "forward_dynamics_derivatives",
    ("q", "qd", "tau"),
    ((NV, NV),) * 3,
    _forward_dynamics_derivatives,
    gravity=True,
    loads=True,
    solves=True,
    identities=tuple(
        Identity(
            f"inertia_matrix {response} = -{forces}",
            ("inverse_dynamics_derivatives", "inertia_matrix"),
            partial(_responses, index),
            closed=True,
        )
        for index, (response, forces) in enumerate((("dqdd_dq", "dtau_dq"), ("dqdd_dqd", "dtau_dqd")))
    ),
)
