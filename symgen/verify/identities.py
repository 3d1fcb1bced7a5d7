"""Identities: what the functions of one robot must be to each other, whatever the oracle says."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from symgen.verify import linear, measures, sizes
from symgen.verify.geometry import Floats
from symgen.verify.measures import Weights
from symgen.verify.rates import rate, slope
from symgen.verify.report import Check
from symgen.verify.setting import FRAME_AXES
from symgen.verify.signatures import Signature
from symgen.verify.subject import ENTRIES, Subject, UnusableError

SINGLE_CALLS = 5
"""How many states of a block are computed one by one, to be compared with the batch."""

_PRODUCT_NOTE = "relative to the product of the norms of the factors"


def check(name: str, kind: str, tolerance: float, note: str, compute: Callable[[], Floats]) -> Check:
    """The worst of the errors that `compute` finds; infinite if a function cannot be used."""
    try:
        with np.errstate(all="ignore"):  # what is not finite is judged, not warned of
            errors = compute()
    except UnusableError as error:
        return Check(name, kind, 0, np.inf, tolerance, str(error))
    return Check(name, kind, len(errors), float(errors.max()), tolerance, note)


def condition_note(by: Weights, good: float) -> str:
    """How errors of what solves with the inertia matrix are judged."""
    worst = float(by.condition.max())
    text = f"weighted by the root of each joint's inertia, condition number up to {worst:.1e}"
    if np.isinf(worst):
        return text + "; where it is infinite, only the residual is judged"
    if worst > good:
        text += f"; errors divided by it over {good:.0e} where it exceeds that"
    return text


def identity_checks(subject: Subject) -> Iterator[Check]:
    """All identities between the functions there are."""
    for needed, make in _IDENTITIES:
        if subject.has(*needed):
            yield make(subject)
    if subject.has("regressor") and subject.setting.regressor_values:
        yield _regressor_product(subject)
    for signature in subject.signatures.values():
        if signature.kind == "jacobian" and subject.has(signature.name):
            yield from _frame_checks(subject, signature)
    for name in subject.signatures:
        if subject.has(name):
            yield _single_calls(subject, name)


def _entries(subject: Subject, name: str, compute: Callable[[], Floats]) -> Check:
    return check(name, "identity", subject.precision.tolerance, ENTRIES, compute)


# dynamics ----------------------------------------------------------------------------------------------


def _round_trip(subject: Subject) -> Check:
    def errors() -> Floats:
        found = subject.call("forward_dynamics", tau=subject.one("inverse_dynamics"))
        return subject.errors("forward_dynamics", found, [subject.at.qdd])

    name, note = "forward_dynamics of inverse_dynamics = qdd", condition_note(subject.weights, subject.precision.good)
    return check(name, "identity", subject.precision.solved, note, errors)


def _symmetry(subject: Subject) -> Check:
    def errors() -> Floats:
        matrix = subject.one("inertia_matrix")
        return subject.errors("inertia_matrix", [matrix], [np.swapaxes(matrix, -1, -2)])

    return _entries(subject, "inertia_matrix is symmetric", errors)


def _definiteness(subject: Subject) -> Check:
    """Smallest eigenvalue of the weighted matrix, which has a diagonal of ones; 0 where no inertia resists."""
    roots, tolerance = subject.weights.roots, subject.precision.tolerance
    expected = _lowest(subject.oracle.inertia_matrix(subject.at.q), roots)
    note = f"smallest eigenvalue of the weighted matrix {expected.min():.1e}"
    if expected.min() < -tolerance:
        note = "no robot has this inertia: the oracle's matrix is not positive definite; compared with that"

    def errors() -> Floats:
        found = _lowest(subject.one("inertia_matrix"), roots)
        return np.where(np.isfinite(found), np.maximum(0, np.minimum(0, expected) - found), np.inf)

    return check("inertia_matrix is positive definite", "identity", tolerance, note, errors)


def _lowest(matrix: Floats, roots: Floats) -> Floats:
    """Smallest eigenvalue (…) of weighted matrices; NaN where an entry is not finite."""
    finite = np.asarray(np.isfinite(matrix).all(axis=(-2, -1)))
    filled: Floats = np.where(finite[..., None, None], matrix, 0.0)
    return np.where(finite, np.linalg.eigvalsh(measures.weighted(filled, roots))[..., 0], np.nan)


def _columns(subject: Subject) -> Check:
    at, n = subject.at, subject.oracle.robot.nv
    given = {"q": at.q[:, None, :], "qd": np.zeros((1, n, n)), "qdd": np.eye(n)[None]}
    given |= {name: np.zeros(6) for name in at.wrenches}
    if at.gravity is not None:
        given["gravity"] = at.gravity[:, None, :]

    def errors() -> Floats:
        rest = subject.one("gravity_torque")[:, None, :]
        columns = np.swapaxes(subject.one("inverse_dynamics", **given) - rest, -1, -2)
        size = subject.sizes("inertia_matrix")[0] + subject.sizes("gravity_torque")[0][..., None]
        return subject.entries(columns, subject.one("inertia_matrix"), size)

    return _entries(subject, "column j of inertia_matrix = inverse_dynamics(q, 0, e_j) - gravity_torque", errors)


def _sum(subject: Subject) -> Check:
    def errors() -> Floats:
        both = subject.one("coriolis_torque") + subject.one("gravity_torque")
        return subject.errors("bias_torque", [both], subject.call("bias_torque"))

    return _entries(subject, "bias_torque = coriolis_torque + gravity_torque", errors)


def _coriolis_product(subject: Subject) -> Check:
    def errors() -> Floats:
        found = _times(subject.one("coriolis_matrix"), subject.at.qd)
        size = _times(subject.sizes("coriolis_matrix")[0], np.abs(subject.at.qd))
        return subject.entries(found, subject.one("coriolis_torque"), size + subject.sizes("coriolis_torque")[0])

    return _entries(subject, "coriolis_matrix qd = coriolis_torque", errors)


def _skew(subject: Subject) -> Check:
    at, oracle = subject.at, subject.oracle

    def errors() -> Floats:
        change = rate(oracle.robot, lambda q: subject.one("inertia_matrix", q=q), at.q, at.qd)
        both = subject.one("coriolis_matrix")
        both = both + np.swapaxes(both, -1, -2)
        size = rate(oracle.robot, lambda q: sizes.inertia_sizes(oracle, q), at.q, at.qd, size=True)
        return subject.entries(both, change, size + subject.sizes("coriolis_matrix")[0])

    return _entries(subject, "rate of inertia_matrix - 2 coriolis_matrix is skew", errors)


def _slope_of_energy(subject: Subject) -> Check:
    at, oracle = subject.at, subject.oracle
    robot, pull = oracle.robot, at.pull(oracle)

    def errors() -> Floats:
        def energy(q: Floats) -> Floats:
            return subject.one("potential_energy", q=q)

        def size(q: Floats) -> Floats:
            return sizes.potential_sizes(oracle, q, pull)

        slopes = np.stack([slope(robot, energy, at.q, joint) for joint in range(robot.nv)], axis=-1)
        terms = np.stack([slope(robot, size, at.q, joint, size=True) for joint in range(robot.nv)], axis=-1)
        return subject.entries(slopes, subject.one("gravity_torque"), terms)

    return _entries(subject, "gravity_torque = slope of potential_energy", errors)


def _kinetic(subject: Subject) -> Check:
    def errors() -> Floats:
        qd = subject.at.qd
        product = np.sum(qd * _times(subject.one("inertia_matrix"), qd), axis=-1) / 2
        return subject.errors("kinetic_energy", [product], subject.call("kinetic_energy"))

    return _entries(subject, "kinetic_energy = qd inertia_matrix qd / 2", errors)


def _factor_product(subject: Subject) -> Check:
    def errors() -> Floats:
        upper, pivots = subject.call("udu_factors")
        product = (upper * pivots[..., None, :]) @ np.swapaxes(upper, -1, -2)
        return subject.errors("inertia_matrix", [product], subject.call("inertia_matrix"))

    return _entries(subject, "U D U^T of udu_factors = inertia_matrix", errors)


def _triangle(subject: Subject) -> Check:
    def errors() -> Floats:
        upper = subject.call("udu_factors")[0]
        below = np.tril(upper - np.eye(subject.oracle.robot.nv))
        return measures.entries(below, 0 * below, 0 * below, subject.precision.floor)

    return check("U of udu_factors is unit upper triangular", "identity", 0.0, "exactly", errors)


def _inverse_product(subject: Subject) -> Check:
    roots = subject.weights.roots

    def errors() -> Floats:
        matrix = measures.weighted(subject.one("inertia_matrix"), roots)
        inverse = measures.weighted(subject.one("inverse_inertia_matrix"), 1 / roots)
        size = np.linalg.norm(matrix, axis=(-2, -1)) * np.linalg.norm(inverse, axis=(-2, -1))
        found = (matrix @ inverse - np.eye(subject.oracle.robot.nv)) / size[..., None, None]
        return measures.entries(found, 0 * found, 1 + 0 * found, subject.precision.floor)

    name = "inertia_matrix inverse_inertia_matrix = 1"
    return check(name, "identity", subject.precision.tolerance, _PRODUCT_NOTE, errors)


def _regressor_product(subject: Subject) -> Check:
    at, oracle = subject.at, subject.oracle
    values = np.array(subject.setting.regressor_values)

    def errors() -> Floats:
        found = _times(subject.one("regressor"), values)
        forces = oracle.links_dynamics(at.q, at.qd, at.qdd, at.gravity)
        size = _times(subject.sizes("regressor")[0], np.abs(values))
        return subject.entries(found, forces, size)

    return _entries(subject, "regressor times its parameters = joint forces of the links", errors)


def _slopes_and_coriolis(subject: Subject) -> Check:
    slopes = subject.oracle.drives.friction_slope(subject.at.qd)

    def errors() -> Floats:
        by_rate = subject.call("inverse_dynamics_derivatives")[1]
        wanted = 2 * subject.one("coriolis_matrix") + slopes[..., None] * np.eye(slopes.shape[-1])
        size = subject.sizes("inverse_dynamics_derivatives")[1]
        return subject.entries(by_rate, wanted, size)

    return _entries(subject, "dtau_dqd = 2 coriolis_matrix + slope of friction", errors)


def _slopes_of_accelerations(subject: Subject) -> Check:
    """The derivatives of accelerations must answer to those of the forces, whatever the condition number."""
    given = subject.at.answer

    def errors() -> Floats:
        *responses, inverse = subject.call("forward_dynamics_derivatives")
        matrix = subject.one("inertia_matrix")
        slopes = subject.call("inverse_dynamics_derivatives", qdd=given)
        terms = linear.derivative_sizes(subject.oracle, subject.instant(given), subject.at.pull(subject.oracle))
        worst = []
        for forces, response, size in zip(slopes, responses, terms, strict=True):
            solved = np.abs(matrix) @ (np.abs(inverse) @ size + np.abs(response))
            worst.append(subject.entries(-matrix @ response, forces, solved))
        return measures.conditioned(np.max(worst, axis=0), inverse, subject.weights, subject.precision.good)

    name, note = "inertia_matrix dqdd_dx = -dtau_dx", condition_note(subject.weights, subject.precision.good)
    return check(name, "identity", subject.precision.solved, note, errors)


_IDENTITIES: tuple[tuple[tuple[str, ...], Callable[[Subject], Check]], ...] = (
    (("inverse_dynamics", "forward_dynamics"), _round_trip),
    (("inertia_matrix",), _symmetry),
    (("inertia_matrix",), _definiteness),
    (("inertia_matrix", "inverse_dynamics", "gravity_torque"), _columns),
    (("bias_torque", "coriolis_torque", "gravity_torque"), _sum),
    (("coriolis_matrix", "coriolis_torque"), _coriolis_product),
    (("coriolis_matrix", "inertia_matrix"), _skew),
    (("potential_energy", "gravity_torque"), _slope_of_energy),
    (("kinetic_energy", "inertia_matrix"), _kinetic),
    (("udu_factors", "inertia_matrix"), _factor_product),
    (("udu_factors",), _triangle),
    (("inverse_inertia_matrix", "inertia_matrix"), _inverse_product),
    (("inverse_dynamics_derivatives", "coriolis_matrix"), _slopes_and_coriolis),
    (
        ("forward_dynamics_derivatives", "inverse_dynamics_derivatives", "inertia_matrix"),
        _slopes_of_accelerations,
    ),
)
"""Functions that are needed, and the identity between them."""


# frames --------------------------------------------------------------------------------------------------


def _frame_checks(subject: Subject, jacobian: Signature) -> Iterator[Check]:
    """Identities of the functions of one frame, which has this Jacobian."""
    suffix = jacobian.name.removeprefix("jacobian")
    change, product = f"jacobian_dot{suffix}", f"jacobian_dot_velocity{suffix}"
    frame = jacobian.frames[0]
    if subject.has("forward_kinematics"):
        yield _twist(subject, jacobian.name, frame)
    if subject.has(change):
        yield _jacobian_rate(subject, jacobian.name, change, frame)
    if subject.has(change, product):
        yield _rate_product(subject, change, product)


def _twist(subject: Subject, jacobian: str, frame: str) -> Check:
    """J q̇ against the twist from the rate of the pose."""
    at, robot = subject.at, subject.oracle.robot
    index = subject.signatures["forward_kinematics"].frames.index(frame)

    def errors() -> Floats:
        pose = subject.call("forward_kinematics")[index]
        change = rate(robot, lambda q: subject.call("forward_kinematics", q=q)[index], at.q, at.qd)
        turn = pose[..., :3, :3]
        back = np.swapaxes(turn, -1, -2)
        in_frame = subject.setting.axes == FRAME_AXES
        spin = back @ change[..., :3, :3] if in_frame else change[..., :3, :3] @ back
        velocity = change[..., :3, 3]
        velocity = _times(back, velocity) if in_frame else velocity
        wanted = np.concatenate([spin[..., [2, 0, 1], [1, 2, 0]], velocity], axis=-1)
        return subject.entries(_times(subject.one(jacobian), at.qd), wanted, _twist_sizes(subject, frame))

    return _entries(subject, f"{jacobian} qd = twist of the pose", errors)


def _twist_sizes(subject: Subject, frame: str) -> Floats:
    """Sizes (…, 6) of the terms of a pose's rate."""
    robot, at = subject.oracle.robot, subject.at
    size = rate(robot, lambda q: sizes.pose_sizes(subject.oracle, q, frame), at.q, at.qd, size=True)
    return np.concatenate([size[..., :3, 0], size[..., :3, 3]], axis=-1)


def _jacobian_rate(subject: Subject, jacobian: str, change: str, frame: str) -> Check:
    at, oracle = subject.at, subject.oracle

    def errors() -> Floats:
        wanted = rate(oracle.robot, lambda q: subject.one(jacobian, q=q), at.q, at.qd)
        size = rate(oracle.robot, lambda q: sizes.jacobian_sizes(oracle, q, frame), at.q, at.qd, size=True)
        return subject.entries(subject.one(change), wanted, size + subject.rate_sizes(frame))

    return _entries(subject, f"{change} = rate of {jacobian}", errors)


def _rate_product(subject: Subject, change: str, product: str) -> Check:
    def errors() -> Floats:
        found = _times(subject.one(change), subject.at.qd)
        return subject.errors(product, [found], subject.call(product))

    return _entries(subject, f"{change} qd = {product}", errors)


def _times(matrix: Floats, column: Floats) -> Floats:
    return np.asarray((matrix @ column[..., None])[..., 0])


# batches -------------------------------------------------------------------------------------------------


def _single_calls(subject: Subject, name: str) -> Check:
    count = min(SINGLE_CALLS, len(subject.at.q))
    arguments = subject.signatures[name].arguments

    def errors() -> Floats:
        given = [{key: subject.at.argument(key)[index] for key in arguments} for index in range(count)]
        single = [subject.call(name, **one) for one in given]
        stacked = [np.stack(arrays) for arrays in zip(*single, strict=True)]
        return subject.errors(name, stacked, [array[:count] for array in subject.call(name)])

    return check(f"{name}: single calls = batch", "identity", subject.tolerance(name), "", errors)
