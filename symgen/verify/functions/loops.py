"""Functions that only robots with loops have; what they should return is in `verify.loops`."""

from __future__ import annotations

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import CUTS, NQ, NV, ROWS, TREE, Entry, Pair, Signature
from symgen.verify.expected import Expected
from symgen.verify.loops import expected
from symgen.verify.manifold import normalize


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


ASSEMBLY_STEP = Entry("assembly_step", ("q",), ((NQ,), ()), _expected, pairs=_stays, unlooped=False)

CLOSURE = Entry("closure", ("q",), ((ROWS,),), _expected, pairs=_closed, unlooped=False)

CONSTRAINT_JACOBIAN = Entry(
    "constraint_jacobian", ("q",), ((ROWS, TREE),), _expected, pairs=_annihilated, unlooped=False
)

VELOCITY_TRANSFORMATION = Entry("velocity_transformation", ("q",), ((TREE, NV),), _expected, unlooped=False)

DEPENDENT_ACCELERATION = Entry("dependent_acceleration", ("q", "qd"), ((TREE,),), _expected, unlooped=False)

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
