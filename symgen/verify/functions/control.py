"""What controllers ask for: products with C and its transpose, momenta, the inertia's rate, torques by references."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from symgen.robot.model import Robot
from symgen.verify import control, sizes
from symgen.verify.balls import Ball
from symgen.verify.comparison import FEW, Comparison
from symgen.verify.entry import COLUMNS, NV, Draw, Entry, Identity, Pair, Signature
from symgen.verify.expected import Expected
from symgen.verify.geometry import Floats
from symgen.verify.rates import rate
from symgen.verify.states import SPEED, THRUST

V, A = "qd_ref", "qdd_ref"

# what they should be -----------------------------------------------------------------------------------


def _coriolis_product(at: Expected, _: Signature) -> list[Ball]:
    value, x = control.coriolis_product(at.oracle, at.q, at.qd, at.given["x"]), at.given["x"]
    return [at.ball(value, lambda by: control.product_sizes(by, at.q, at.qd, x))]


def _coriolis_transpose_velocity(at: Expected, _: Signature) -> list[Ball]:
    value = control.coriolis_transpose_velocity(at.oracle, at.q, at.qd)
    return [at.ball(value, lambda by: control.product_sizes(by, at.q, at.qd, at.qd))]


def _inertia_rate(at: Expected, _: Signature) -> list[Ball]:
    value = control.inertia_rate(at.oracle, at.q, at.qd)
    return [at.ball(value, lambda by: 2 * sizes.coriolis_sizes(by, at.q, at.qd))]


def _generalized_momentum(at: Expected, _: Signature) -> list[Ball]:
    value = control.generalized_momentum(at.oracle, at.q, at.qd)
    return [at.ball(value, lambda by: control.momentum_sizes(by, at.q, at.qd))]


def _reference_torque(at: Expected, _: Signature) -> list[Ball]:
    return [at.reference_torque(at.given[V], at.given[A])]


def _slotine_li_regressor(at: Expected, _: Signature) -> list[Ball]:
    columns, state = at.setting.regressor, (at.q, at.qd, at.given[V], at.given[A])
    value = control.slotine_li_regressor(at.oracle, columns, *state, at.gravity)
    return [at.ball(value, lambda by: control.regressor_sizes(by, columns, *state, at.pull))]


def _drawn(size: float) -> Draw:
    def make(random: np.random.Generator, robot: Robot, states: int) -> Floats:
        return size * random.uniform(-1, 1, (states, len(robot.independent)))

    return make


# identities --------------------------------------------------------------------------------------------


def _of_velocity(subject: Comparison, _: Signature) -> Pair:
    return subject.one("coriolis_product", x=subject.at.qd), subject.one("coriolis_torque")


def _columns(subject: Comparison, _: Signature) -> Pair:
    qd = subject.at.qd
    found = [subject.one("coriolis_product", x=np.broadcast_to(unit, qd.shape)) for unit in np.eye(qd.shape[-1])]
    value, radius = (np.stack([getattr(each, key) for each in found], axis=-1) for key in ("value", "radius"))
    return Ball(value, radius), subject.one("coriolis_matrix")


def _transposed(subject: Comparison, _: Signature) -> Pair:
    product = subject.one("coriolis_matrix").transposed.times(subject.at.qd)
    return subject.one("coriolis_transpose_velocity"), product


def _both(subject: Comparison, _: Signature) -> Pair:
    both = subject.one("coriolis_matrix")
    return subject.one("inertia_rate"), both + both.transposed


def _rate(subject: Comparison, _: Signature) -> Pair:
    subject = subject.few(FEW)
    at = subject.at
    change = rate(subject.oracle.robot, lambda q: subject.one("inertia_matrix", q=q), at.q, at.qd)
    return subject.one("inertia_rate"), change


def _rate_product(subject: Comparison, _: Signature) -> Pair:
    product = subject.one("inertia_rate").times(subject.at.qd)
    return product, subject.one("coriolis_torque") + subject.one("coriolis_transpose_velocity")


def _momentum(subject: Comparison, _: Signature) -> Pair:
    return subject.one("inertia_matrix").times(subject.at.qd), subject.one("generalized_momentum")


def _energy(subject: Comparison, _: Signature) -> Pair:
    qd = subject.at.qd
    doubled = (subject.one("generalized_momentum") * qd).total(np.full(qd.shape[-1], 0.5), axis=1)
    return doubled, subject.one("kinetic_energy")


def _balance(subject: Comparison, _: Signature) -> Pair:
    """d(I q̇)/dt = τ + Cᵀ q̇ − g, with τ what makes the acceleration q̈."""
    subject = subject.few(FEW)
    at = subject.at
    change = rate(subject.oracle.robot, lambda q: subject.one("generalized_momentum", q=q), at.q, at.qd)
    forces = subject.one("reference_torque", **{V: at.qd, A: at.qdd})
    left = forces + subject.one("coriolis_transpose_velocity") - subject.one("gravity_torque")
    return change + subject.one("generalized_momentum", qd=at.qdd), left


def _motion(subject: Comparison, _: Signature) -> Pair:
    at, drives = subject.at, subject.oracle.drives
    unloaded = {name: np.zeros(6) for name in at.wrenches}
    none = 0 * at.qdd
    drags = subject.expected.ball(drives.forces(at.q, at.qd), lambda by: sizes.drive_sizes(by, at.q, at.qd, none))
    forces = subject.one("inverse_dynamics", **unloaded) - drags
    return subject.one("reference_torque", **{V: at.qd, A: at.qdd}), forces


def _parts(subject: Comparison, _: Signature) -> Pair:
    v, a = (subject.at.others[name] for name in (V, A))
    pushed, convected = subject.one("inertia_matrix").times(a), subject.one("coriolis_product", x=v)
    return subject.one("reference_torque"), pushed + convected + subject.one("gravity_torque")


def _parameters(subject: Comparison, _: Signature) -> Pair:
    v, a = (subject.at.others[name] for name in (V, A))
    product = subject.one("slotine_li_regressor").times(np.array(subject.setting.regressor_values))
    return product, subject.expected.reference_link_forces(v, a)


def _of_motion(subject: Comparison, _: Signature) -> Pair:
    at = subject.at
    return subject.one("slotine_li_regressor", **{V: at.qd, A: at.qdd}), subject.one("regressor")


# entries -----------------------------------------------------------------------------------------------


def _identity(text: str, needs: tuple[str, ...], sides: Callable[..., Pair], *, closed: bool = True) -> Identity:
    return Identity(text, needs, sides, closed=closed)


CORIOLIS_PRODUCT = Entry(
    "coriolis_product",
    ("q", "qd", "x"),
    ((NV,),),
    _coriolis_product,
    drawn={"x": _drawn(SPEED)},
    identities=(
        _identity("coriolis_product of qd = coriolis_torque", ("coriolis_torque",), _of_velocity),
        _identity("coriolis_product of e_j = column j of coriolis_matrix", ("coriolis_matrix",), _columns),
    ),
)

CORIOLIS_TRANSPOSE_VELOCITY = Entry(
    "coriolis_transpose_velocity",
    ("q", "qd"),
    ((NV,),),
    _coriolis_transpose_velocity,
    identities=(
        _identity("coriolis_transpose_velocity = coriolis_matrix^T qd", ("coriolis_matrix",), _transposed),
        _identity(
            "rate of generalized_momentum = reference_torque of qd, qdd + coriolis_transpose_velocity - gravity_torque",
            ("generalized_momentum", "reference_torque", "gravity_torque"),
            _balance,
            closed=False,
        ),
    ),
)

INERTIA_RATE = Entry(
    "inertia_rate",
    ("q", "qd"),
    ((NV, NV),),
    _inertia_rate,
    identities=(
        _identity("inertia_rate = coriolis_matrix + coriolis_matrix^T", ("coriolis_matrix",), _both),
        _identity("inertia_rate = rate of inertia_matrix", ("inertia_matrix",), _rate, closed=False),
        _identity(
            "inertia_rate qd = coriolis_torque + coriolis_transpose_velocity",
            ("coriolis_torque", "coriolis_transpose_velocity"),
            _rate_product,
        ),
    ),
)

GENERALIZED_MOMENTUM = Entry(
    "generalized_momentum",
    ("q", "qd"),
    ((NV,),),
    _generalized_momentum,
    identities=(
        _identity("inertia_matrix qd = generalized_momentum", ("inertia_matrix",), _momentum),
        _identity("qd generalized_momentum / 2 = kinetic_energy", ("kinetic_energy",), _energy),
    ),
)

REFERENCE_TORQUE = Entry(
    "reference_torque",
    ("q", "qd", V, A),
    ((NV,),),
    _reference_torque,
    gravity=True,
    drawn={V: _drawn(SPEED), A: _drawn(THRUST)},
    identities=(
        _identity(
            "reference_torque of qd, qdd = inverse_dynamics - friction - springs",
            ("inverse_dynamics",),
            _motion,
            closed=False,
        ),
        _identity(
            "reference_torque = inertia_matrix qdd_ref + coriolis_product of qd_ref + gravity_torque",
            ("inertia_matrix", "coriolis_product", "gravity_torque"),
            _parts,
        ),
    ),
)

SLOTINE_LI_REGRESSOR = Entry(
    "slotine_li_regressor",
    ("q", "qd", V, A),
    ((NV, COLUMNS),),
    _slotine_li_regressor,
    gravity=True,
    drawn={V: _drawn(SPEED), A: _drawn(THRUST)},
    known=lambda setting: bool(setting.regressor),
    identities=(
        Identity(
            "slotine_li_regressor times its parameters = reference_torque of the links",
            (),
            _parameters,
            applies=lambda subject: bool(subject.setting.regressor_values),
            closed=True,
        ),
        _identity("slotine_li_regressor of qd, qdd = regressor", ("regressor",), _of_motion),
    ),
)
