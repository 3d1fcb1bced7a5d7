"""The inertia matrix, its factors, its inverse, and the matrix of convective inertia."""

from __future__ import annotations

import numpy as np

from symgen.verify import sizes
from symgen.verify.balls import Ball
from symgen.verify.comparison import FEW, Comparison
from symgen.verify.entry import NV, Entry, Identity, Pair, Signature, compared
from symgen.verify.expected import Expected
from symgen.verify.factors import factors
from symgen.verify.geometry import Floats
from symgen.verify.rates import rate

# what they should be -----------------------------------------------------------------------------------


def _inertia_matrix(at: Expected, _: Signature) -> list[Ball]:
    return [at.inertia]


def _coriolis_matrix(at: Expected, _: Signature) -> list[Ball]:
    return [at.ball(at.oracle.coriolis_matrix(at.q, at.qd), lambda by: sizes.coriolis_sizes(by, at.q, at.qd))]


def _udu_factors(at: Expected, _: Signature) -> list[Ball]:
    return factors(at.inertia, at.unknown)


def _inverse_inertia_matrix(at: Expected, _: Signature) -> list[Ball]:
    return [at.inverse]


# identities --------------------------------------------------------------------------------------------


def _symmetry(subject: Comparison, _: Signature) -> Pair:
    matrix = subject.one("inertia_matrix")
    return matrix, matrix.transposed


def _definiteness(subject: Comparison, _: Signature) -> Pair:
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


def _columns(subject: Comparison, _: Signature) -> Pair:
    at, n = subject.at, subject.oracle.robot.nv
    given = {"q": at.q[:, None, :], "qd": np.zeros((1, n, n)), "qdd": np.eye(n)[None]}
    given |= {name: np.zeros(6) for name in at.wrenches}
    if at.gravity is not None:
        given["gravity"] = at.gravity[:, None, :]
    drives = subject.oracle.drives
    springs = subject.expected.ball(drives.springs(at.q), lambda by: drives.spring_sizes(at.q))
    rest = (subject.one("gravity_torque") + springs).mapped(lambda array: array[:, None, :])
    return (subject.one("inverse_dynamics", **given) - rest).transposed, subject.one("inertia_matrix")


def _coriolis_product(subject: Comparison, _: Signature) -> Pair:
    return subject.one("coriolis_matrix").times(subject.at.qd), subject.one("coriolis_torque")


def _skew(subject: Comparison, _: Signature) -> Pair:
    subject = subject.few(FEW)
    at, both = subject.at, subject.one("coriolis_matrix")
    change = rate(subject.oracle.robot, lambda q: subject.one("inertia_matrix", q=q), at.q, at.qd)
    return both + both.transposed, change


def _factored(subject: Comparison, signature: Signature) -> list[Pair]:
    """Beside U and D their product, which they are bound to closely."""
    return [(_factor_product(subject), subject.expected.inertia), *compared(subject, signature)]


def _product(subject: Comparison, _: Signature) -> Pair:
    return _factor_product(subject), subject.one("inertia_matrix")


def _factor_product(subject: Comparison) -> Ball:
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


def _triangle(subject: Comparison, _: Signature) -> Pair:
    upper = subject.call("udu_factors")[0].value
    below = np.tril(upper - np.eye(upper.shape[-1]))
    return Ball.exact(below), Ball.exact(0 * below)


def _inverse_product(subject: Comparison, _: Signature) -> Pair:
    """Weighted by the roots of the diagonal, which takes units and long levers out."""
    matrix, inverse = subject.one("inertia_matrix"), subject.one("inverse_inertia_matrix")
    roots = np.sqrt(np.abs(np.diagonal(matrix.value, axis1=-2, axis2=-1)))
    weights = np.where(roots > 0, 1 / roots, 1)
    left = matrix * (weights[..., :, None] * weights[..., None, :])
    right = inverse * (1 / weights[..., :, None] / weights[..., None, :])
    return left @ right, Ball.exact(np.broadcast_to(np.eye(roots.shape[-1]), matrix.value.shape))


# entries -----------------------------------------------------------------------------------------------

INERTIA_MATRIX = Entry(
    "inertia_matrix",
    ("q",),
    ((NV, NV),),
    _inertia_matrix,
    identities=(
        Identity("inertia_matrix is symmetric", (), _symmetry, closed=True),
        Identity("inertia_matrix is positive definite", (), _definiteness, closed=True),
        Identity(
            "column j of inertia_matrix = inverse_dynamics(q, 0, e_j) - gravity_torque - springs",
            ("inverse_dynamics", "gravity_torque"),
            _columns,
        ),
    ),
)

CORIOLIS_MATRIX = Entry(
    "coriolis_matrix",
    ("q", "qd"),
    ((NV, NV),),
    _coriolis_matrix,
    identities=(
        Identity("coriolis_matrix qd = coriolis_torque", ("coriolis_torque",), _coriolis_product, closed=True),
        Identity("rate of inertia_matrix - 2 coriolis_matrix is skew", ("inertia_matrix",), _skew),
    ),
)

UDU_FACTORS = Entry(
    "udu_factors",
    ("q",),
    ((NV, NV), (NV,)),
    _udu_factors,
    solves=True,
    pairs=_factored,
    identities=(
        Identity("U D U^T of udu_factors = inertia_matrix", ("inertia_matrix",), _product, closed=True),
        Identity("U of udu_factors is unit upper triangular", (), _triangle, closed=True),
    ),
)

INVERSE_INERTIA_MATRIX = Entry(
    "inverse_inertia_matrix",
    ("q",),
    ((NV, NV),),
    _inverse_inertia_matrix,
    solves=True,
    identities=(
        Identity("inertia_matrix inverse_inertia_matrix = 1", ("inertia_matrix",), _inverse_product, closed=True),
    ),
)
