"""Identities: what the functions of one robot must be to each other, whatever the oracle says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.geometry import Floats
from symgen.verify.measures import Pair, check
from symgen.verify.rates import ball_slope, rate
from symgen.verify.report import Check
from symgen.verify.setting import FRAME_AXES
from symgen.verify.signatures import Signature

SINGLE_CALLS = 5
"""How many states of a block are computed one by one, to be compared with the batch."""

FEW = 10
"""States at which rates are formed: these need the functions at many states for each."""


def identity_checks(subject: Comparison) -> Iterator[Check]:
    """All identities between the functions there are."""
    for name, needed, pair in _IDENTITIES:
        if subject.has(*needed):
            yield _check(subject, name, pair)
    if subject.has("regressor") and subject.setting.regressor_values:
        yield _check(subject, "regressor times its parameters = joint forces of the links", _regressor_product)
    for signature in subject.signatures.values():
        if signature.kind == "jacobian" and subject.has(signature.name):
            yield from _frame_checks(subject, signature)
    for name in subject.signatures:
        if subject.has(name):
            yield _single_calls(subject, name)


def _check(subject: Comparison, name: str, pair: Callable[[Comparison], Pair]) -> Check:
    return check(name, "identity", "", lambda: [pair(subject)])


# dynamics ----------------------------------------------------------------------------------------------


def _round_trip(subject: Comparison) -> Pair:
    forces, qdd = subject.one("inverse_dynamics"), subject.at.qdd
    found = subject.one("forward_dynamics", tau=forces.value, answer=qdd)
    return found, Ball(qdd, subject.expected.answering(forces.radius))


def _symmetry(subject: Comparison) -> Pair:
    matrix = subject.one("inertia_matrix")
    return matrix, matrix.transposed


def _definiteness(subject: Comparison) -> Pair:
    """Smallest eigenvalue of the weighted matrix, which has a diagonal of ones, where it is below the oracle's."""
    matrix, wanted = subject.one("inertia_matrix"), subject.expected.inertia
    diagonal, errors = (np.diagonal(array, axis1=-2, axis2=-1) for array in (wanted.value, wanted.radius))
    roots = np.sqrt(np.maximum(np.abs(diagonal), np.maximum(errors, 1e-300)))
    weights = 1 / (roots[..., :, None] * roots[..., None, :])
    found, lowest = (_lowest(ball * weights) for ball in (matrix, wanted))
    floor = np.minimum(lowest.value, 0)
    return Ball(np.minimum(found.value, floor), found.radius), Ball(floor, lowest.radius)


def _lowest(matrix: Ball) -> Ball:
    """Smallest eigenvalue (…) of symmetric matrices; NaN where an entry is not finite."""
    finite: Floats = np.asarray(np.isfinite(matrix.value).all(axis=(-2, -1)))
    filled: Floats = np.where(finite[..., None, None], matrix.value, 0.0)
    value = np.where(finite, np.linalg.eigvalsh(filled)[..., 0], np.nan)
    rounding = len(filled[0]) * np.finfo(float).eps * np.linalg.norm(filled, axis=(-2, -1))
    return Ball(value, np.linalg.norm(matrix.radius, axis=(-2, -1)) + rounding)


def _columns(subject: Comparison) -> Pair:
    at, n = subject.at, subject.oracle.robot.nv
    given = {"q": at.q[:, None, :], "qd": np.zeros((1, n, n)), "qdd": np.eye(n)[None]}
    given |= {name: np.zeros(6) for name in at.wrenches}
    if at.gravity is not None:
        given["gravity"] = at.gravity[:, None, :]
    rest = subject.one("gravity_torque").mapped(lambda array: array[:, None, :])
    return (subject.one("inverse_dynamics", **given) - rest).transposed, subject.one("inertia_matrix")


def _sum(subject: Comparison) -> Pair:
    return subject.one("coriolis_torque") + subject.one("gravity_torque"), subject.one("bias_torque")


def _coriolis_product(subject: Comparison) -> Pair:
    return subject.one("coriolis_matrix").times(subject.at.qd), subject.one("coriolis_torque")


def _skew(subject: Comparison) -> Pair:
    subject = subject.few(FEW)
    at, both = subject.at, subject.one("coriolis_matrix")
    change = rate(subject.oracle.robot, lambda q: subject.one("inertia_matrix", q=q), at.q, at.qd)
    return both + both.transposed, change


def _slope_of_energy(subject: Comparison) -> Pair:
    subject = subject.few(FEW)
    robot, at = subject.oracle.robot, subject.at

    def energy(q: Floats) -> Ball:
        return subject.one("potential_energy", q=q)

    slopes = [ball_slope(robot, energy, at.q, joint) for joint in range(robot.nv)]
    return Ball(*(_stacked([getattr(s, key) for s in slopes]) for key in ("value", "radius"))), subject.one(
        "gravity_torque"
    )


def _stacked(columns: Sequence[Floats]) -> Floats:
    return np.stack(columns, axis=-1)


def _kinetic(subject: Comparison) -> Pair:
    qd = subject.at.qd
    momentum = subject.one("inertia_matrix").times(qd)
    return (momentum * qd).total(np.full(qd.shape[-1], 0.5), axis=1), subject.one("kinetic_energy")


def _factor_product(subject: Comparison) -> Pair:
    return factor_product(subject), subject.one("inertia_matrix")


def factor_product(subject: Comparison) -> Ball:
    """U D Uᵀ, whose error is smaller than those of U and D: they answer to each other."""
    upper, pivots = subject.call("udu_factors")
    U, D = upper.value, pivots.value[..., None, :]

    def change(errors: list[Floats]) -> Floats:
        off = errors[0] * D
        half = (off + U * errors[1][..., None, :] / 2) @ np.swapaxes(U, -1, -2)
        return np.asarray(half + np.swapaxes(half, -1, -2))

    scaled = Ball.exact(U) * D
    product = scaled @ np.swapaxes(U, -1, -2)
    if "udu_factors" in subject.roundings:
        return product.wider(subject.roundings["udu_factors"](*subject.arguments("udu_factors"), through=change)[0])
    return (upper * Ball(D, pivots.radius[..., None, :])) @ upper.transposed


def _triangle(subject: Comparison) -> Pair:
    upper = subject.call("udu_factors")[0].value
    below = np.tril(upper - np.eye(subject.oracle.robot.nv))
    return Ball.exact(below), Ball.exact(0 * below)


def _inverse_product(subject: Comparison) -> Pair:
    """Weighted by the roots of the diagonal, which takes units and long levers out."""
    matrix, inverse = subject.one("inertia_matrix"), subject.one("inverse_inertia_matrix")
    roots = np.sqrt(np.abs(np.diagonal(matrix.value, axis1=-2, axis2=-1)))
    weights = np.where(roots > 0, 1 / roots, 1)
    left = matrix * (weights[..., :, None] * weights[..., None, :])
    right = inverse * (1 / weights[..., :, None] / weights[..., None, :])
    return left @ right, Ball.exact(np.broadcast_to(np.eye(roots.shape[-1]), matrix.value.shape))


def _regressor_product(subject: Comparison) -> Pair:
    return subject.one("regressor").times(np.array(subject.setting.regressor_values)), subject.expected.link_forces()


def _slopes_and_coriolis(subject: Comparison) -> Pair:
    slopes = subject.oracle.drives.friction_slope(subject.at.qd)
    friction = slopes[..., None] * np.eye(slopes.shape[-1])
    doubled = subject.one("coriolis_matrix") * np.full((), 2.0)
    return subject.call("inverse_dynamics_derivatives")[1], doubled + friction


def _slopes_of_accelerations(subject: Comparison, index: int) -> Pair:
    """The derivatives of accelerations must answer to those of the forces."""
    responses = subject.call("forward_dynamics_derivatives")[index]
    forces = subject.call("inverse_dynamics_derivatives", qdd=subject.at.answer)[index]
    if index == 0:  # the accelerations they are taken at answer to τ but for rounding
        forces = forces.wider(subject.expected.shifting())
    return subject.one("inertia_matrix") @ responses, Ball(-forces.value, forces.radius)


Identity = tuple[str, tuple[str, ...], Callable[[Comparison], Pair]]

_IDENTITIES: tuple[Identity, ...] = (
    ("forward_dynamics of inverse_dynamics = qdd", ("inverse_dynamics", "forward_dynamics"), _round_trip),
    ("inertia_matrix is symmetric", ("inertia_matrix",), _symmetry),
    ("inertia_matrix is positive definite", ("inertia_matrix",), _definiteness),
    (
        "column j of inertia_matrix = inverse_dynamics(q, 0, e_j) - gravity_torque",
        ("inertia_matrix", "inverse_dynamics", "gravity_torque"),
        _columns,
    ),
    ("bias_torque = coriolis_torque + gravity_torque", ("bias_torque", "coriolis_torque", "gravity_torque"), _sum),
    ("coriolis_matrix qd = coriolis_torque", ("coriolis_matrix", "coriolis_torque"), _coriolis_product),
    ("rate of inertia_matrix - 2 coriolis_matrix is skew", ("coriolis_matrix", "inertia_matrix"), _skew),
    ("gravity_torque = slope of potential_energy", ("potential_energy", "gravity_torque"), _slope_of_energy),
    ("kinetic_energy = qd inertia_matrix qd / 2", ("kinetic_energy", "inertia_matrix"), _kinetic),
    ("U D U^T of udu_factors = inertia_matrix", ("udu_factors", "inertia_matrix"), _factor_product),
    ("U of udu_factors is unit upper triangular", ("udu_factors",), _triangle),
    (
        "inertia_matrix inverse_inertia_matrix = 1",
        ("inverse_inertia_matrix", "inertia_matrix"),
        _inverse_product,
    ),
    (
        "dtau_dqd = 2 coriolis_matrix + slope of friction",
        ("inverse_dynamics_derivatives", "coriolis_matrix"),
        _slopes_and_coriolis,
    ),
    *(
        (
            f"inertia_matrix {response} = -{forces}",
            ("forward_dynamics_derivatives", "inverse_dynamics_derivatives", "inertia_matrix"),
            lambda subject, index=index: _slopes_of_accelerations(subject, index),
        )
        for index, (response, forces) in enumerate((("dqdd_dq", "dtau_dq"), ("dqdd_dqd", "dtau_dqd")))
    ),
)
"""Name of an identity, the functions it needs, and its two sides."""


# frames --------------------------------------------------------------------------------------------------


def _frame_checks(subject: Comparison, jacobian: Signature) -> Iterator[Check]:
    """Identities of the functions of one frame, which has this Jacobian."""
    name = jacobian.name
    suffix = name.removeprefix("jacobian")
    change, product = f"jacobian_dot{suffix}", f"jacobian_dot_velocity{suffix}"
    frame = jacobian.frames[0]
    few = subject.few(FEW)
    if subject.has("forward_kinematics"):
        yield _check(few, f"{name} qd = twist of the pose", lambda by: _twist(by, name, frame))
    if subject.has(change):
        yield _check(few, f"{change} = rate of {name}", lambda by: _jacobian_rate(by, name, change))
    if subject.has(change, product):
        yield _check(subject, f"{change} qd = {product}", lambda by: (by.one(change).times(by.at.qd), by.one(product)))


def _twist(subject: Comparison, jacobian: str, frame: str) -> Pair:
    """J q̇ against the twist from the rate of the pose."""
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

    return subject.one(jacobian).times(at.qd), Ball(joined("value"), joined("radius"))


def _jacobian_rate(subject: Comparison, jacobian: str, change: str) -> Pair:
    at, robot = subject.at, subject.oracle.robot
    return subject.one(change), rate(robot, lambda q: subject.one(jacobian, q=q), at.q, at.qd)


# batches -------------------------------------------------------------------------------------------------


def _single_calls(subject: Comparison, name: str) -> Check:
    subject = subject.few(SINGLE_CALLS)
    arguments = subject.arguments(name)

    def pairs() -> list[Pair]:
        batch = subject.call(name)
        single = [subject.values(name, [array[index] for array in arguments]) for index in range(len(arguments[0]))]
        stacked = [np.stack(arrays) for arrays in zip(*single, strict=True)]
        return [(Ball(found, ball.radius), ball) for found, ball in zip(stacked, batch, strict=True)]

    return check(f"{name}: single calls = batch", "identity", "", pairs)
