"""Functions that only robots with loops have; what they should return is in `verify.loops`."""

from __future__ import annotations

import numpy as np

from symgen.robot.model import Robot
from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import CUT_COORDINATES, CUTS, NQ, NV, ROWS, TREE, Entry, Pair, Signature
from symgen.verify.expected import Expected
from symgen.verify.geometry import Floats
from symgen.verify.loops import expected
from symgen.verify.manifold import normalize

SMALL = 3
"""Determinants of no more constraints have their sign."""


BESIDE = 1e-3
"""How far guesses are from the posture that is meant, in rad or m: so far that rounding does not tell the way there."""


def _expected(at: Expected, signature: Signature) -> list[Ball]:
    """Robots with loops have an `Expected` of their own."""
    return at.of(signature)


def _closed(subject: Comparison, signature: Signature) -> list[Pair]:
    """The constraints themselves: the states are closed, whichever constraints are written down."""
    (found,) = subject.call(signature.name)
    return [(found, Ball(0 * found.value, expected.residual_radius(subject.oracle, subject.at.q)))]


def _stays(subject: Comparison, signature: Signature) -> list[Pair]:
    """A step from a closed posture goes nowhere, and finds no residual."""
    q, residual = subject.call(signature.name)
    closed = expected.residual_radius(subject.oracle, subject.at.q)
    off = expected.closed_of(subject.expected).displacement(closed)
    rest = Ball(0 * residual.value, np.sum(closed**2, axis=-1))
    return [(q, Ball(normalize(subject.oracle.robot, subject.at.q), off)), (residual, rest)]


def _returns(subject: Comparison, signature: Signature) -> list[Pair]:
    """From next to a closed posture its own entries are found again."""
    plain = np.array([not each.joint.kind.is_free for each in subject.oracle.robot.positions])
    (found,) = subject.call(signature.name, guess=subject.at.q + BESIDE * plain)
    closed = expected.residual_radius(subject.oracle, subject.at.q)
    off = expected.closed_of(subject.expected).displacement(closed)
    return [(found, Ball(normalize(subject.oracle.robot, subject.at.q), off))]


def _near(generator: np.random.Generator, robot: Robot, states: int) -> Floats:
    """The robot's posture as a guess."""
    return np.tile(robot.near, (states, 1))


def _annihilated(subject: Comparison, signature: Signature) -> list[Pair]:
    """A G = 0: rows of A depend on the side that cut joints are seen from, what they determine does not."""
    (found,) = subject.call(signature.name)
    product = found @ expected.closed_of(subject.expected).matrix
    return [(product, Ball.exact(0 * product.value))]


def _closing(subject: Comparison, signature: Signature) -> list[Pair]:
    """Aᵀ λ is what the tree's forces are beyond those of the independent joints, and what keeps links from spinning."""
    (found,) = subject.call(signature.name)
    (jacobian,) = subject.call("constraint_jacobian")
    at = expected.closed_of(subject.expected)
    columns, count = at.dependent_columns, subject.oracle.robot.constraints
    spins = at.constraints.jacobian.mapped(lambda array: array[..., count:, columns])
    moments = at.multipliers(subject.at.qdd).mapped(lambda array: array[..., count:])
    rest = at.dependent_forces(subject.at.qdd) - spins.transposed.times(moments)
    return [(jacobian.mapped(lambda array: array[..., columns]).transposed.times(found), rest)]


def _determinants(subject: Comparison, signature: Signature) -> list[Pair]:
    """Those of the constraints' Jacobian, with rows of spins; each product in them errs by what its factors do."""
    (found,) = subject.call(signature.name)
    (jacobian,) = subject.call("constraint_jacobian")
    count = subject.oracle.robot.constraints
    spins = expected.closed_of(subject.expected).constraints.jacobian.mapped(lambda array: array[..., count:, :])
    jacobian = Ball(
        np.concatenate([jacobian.value, spins.value], axis=-2), np.concatenate([jacobian.radius, spins.radius], axis=-2)
    )
    value, radius = np.ones_like(found.value), np.zeros_like(found.value)
    for rows, columns, size in subject.setting.blocks:
        part = _block(jacobian, rows, columns)
        exact = np.linalg.det(part.value)
        bound = _permanent(np.abs(part.value) * (1 + 2.0**-40) + part.radius) - _permanent(np.abs(part.value))
        value[..., columns] = ((exact if len(rows) <= SMALL else np.abs(exact)) / size)[..., None]
        radius[..., columns] = (bound / size)[..., None]
    return [(found, Ball(value, radius))]


def _block(matrix: Ball, rows: tuple[int, ...], columns: tuple[int, ...]) -> Ball:
    return matrix.mapped(lambda array: array[..., rows, :][..., columns])


def _permanent(matrix: Floats) -> Floats:
    """A bound of the permanent of nonnegative matrices (…, n, n): the product of the sums of rows."""
    return np.asarray(np.prod(matrix.sum(axis=-1), axis=-1))


ASSEMBLY_STEP = Entry("assembly_step", ("q",), ((NQ,), ()), _expected, pairs=_stays, unlooped=False)

ASSEMBLY_START = Entry(
    "assembly_start", ("q", "guess"), ((NQ,),), _expected, drawn={"guess": _near}, pairs=_returns, unlooped=False
)

CLOSURE = Entry("closure", ("q",), ((ROWS,),), _expected, pairs=_closed, unlooped=False)

CONSTRAINT_JACOBIAN = Entry(
    "constraint_jacobian", ("q",), ((ROWS, TREE),), _expected, pairs=_annihilated, unlooped=False
)

VELOCITY_TRANSFORMATION = Entry("velocity_transformation", ("q",), ((TREE, NV),), _expected, unlooped=False)

DEPENDENT_ACCELERATION = Entry("dependent_acceleration", ("q", "qd"), ((TREE,),), _expected, unlooped=False)

LOOP_DETERMINANTS = Entry("loop_determinants", ("q",), ((TREE,),), _expected, pairs=_determinants, unlooped=False)

CUT_JOINT_POSITIONS = Entry(
    "cut_joint_positions", ("q",), ((CUT_COORDINATES,),), _expected, unlooped=False, of_cuts=True
)

CUT_JOINT_VELOCITIES = Entry(
    "cut_joint_velocities", ("q", "qd"), ((CUT_COORDINATES,),), _expected, unlooped=False, of_cuts=True
)

CONSTRAINT_FORCES = Entry(
    "constraint_forces",
    ("q", "qd", "qdd"),
    ((ROWS,),),
    _expected,
    gravity=True,
    loads=True,
    pairs=_closing,
    unlooped=False,
)

CUT_WRENCH = Entry("cut_wrench", ("q", "qd", "qdd"), ((CUTS, 6),), _expected, gravity=True, loads=True, unlooped=False)
