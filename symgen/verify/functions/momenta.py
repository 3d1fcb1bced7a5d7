"""The centre of mass, its Jacobian, and the momentum about it."""

from __future__ import annotations

import numpy as np

from symgen.verify import mass_sizes, masses
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.comparison import FEW, Comparison
from symgen.verify.entry import NV, Entry, Identity, Pair, Signature, knows_links
from symgen.verify.expected import Expected
from symgen.verify.rates import rate


def _center_of_mass(at: Expected, _: Signature) -> list[Ball]:
    return [at.ball(masses.center_of_mass(at.oracle, at.q), lambda by: mass_sizes.centre_sizes(by, at.q))]


def _center_of_mass_jacobian(at: Expected, _: Signature) -> list[Ball]:
    value = masses.center_of_mass_jacobian(at.oracle, at.q)
    return [at.ball(value, lambda by: mass_sizes.centre_jacobian_sizes(by, at.q))]


def _centroidal_momentum(at: Expected, _: Signature) -> list[Ball]:
    value = masses.centroidal_momentum(at.oracle, at.q, at.qd)
    return [at.ball(value, lambda by: mass_sizes.momentum_sizes(by, at.q, at.qd))]


def _centroidal_momentum_matrix(at: Expected, _: Signature) -> list[Ball]:
    value = masses.centroidal_momentum_matrix(at.oracle, at.q)
    return [at.ball(value, lambda by: mass_sizes.momentum_matrix_sizes(by, at.q))]


# identities --------------------------------------------------------------------------------------------


def _velocity(subject: Comparison, _: Signature) -> Pair:
    subject = subject.few(FEW)
    at = subject.at
    change = rate(subject.oracle.robot, lambda q: subject.one("center_of_mass", q=q), at.q, at.qd)
    return subject.one("center_of_mass_jacobian").times(at.qd), change


def _product(subject: Comparison, _: Signature) -> Pair:
    return subject.one("centroidal_momentum_matrix").times(subject.at.qd), subject.one("centroidal_momentum")


def _linear_rows(subject: Comparison, _: Signature) -> Pair:
    own = masses.moving_masses(subject.oracle)
    mass = Ball(own.sum(), own.size * EPSILON * np.abs(own).sum())
    linear = subject.one("centroidal_momentum_matrix").mapped(lambda array: array[..., 3:, :])
    return linear, subject.one("center_of_mass_jacobian") * mass


# entries -----------------------------------------------------------------------------------------------

CENTER_OF_MASS = Entry("center_of_mass", ("q",), ((3,),), _center_of_mass, known=knows_links)

CENTER_OF_MASS_JACOBIAN = Entry(
    "center_of_mass_jacobian",
    ("q",),
    ((3, NV),),
    _center_of_mass_jacobian,
    known=knows_links,
    identities=(Identity("center_of_mass_jacobian qd = rate of center_of_mass", ("center_of_mass",), _velocity),),
)

CENTROIDAL_MOMENTUM = Entry("centroidal_momentum", ("q", "qd"), ((6,),), _centroidal_momentum, known=knows_links)

CENTROIDAL_MOMENTUM_MATRIX = Entry(
    "centroidal_momentum_matrix",
    ("q",),
    ((6, NV),),
    _centroidal_momentum_matrix,
    known=knows_links,
    identities=(
        Identity(
            "centroidal_momentum_matrix qd = centroidal_momentum", ("centroidal_momentum",), _product, closed=True
        ),
        Identity(
            "linear rows of centroidal_momentum_matrix = mass times center_of_mass_jacobian",
            ("center_of_mass_jacobian",),
            _linear_rows,
            closed=True,
        ),
    ),
)
