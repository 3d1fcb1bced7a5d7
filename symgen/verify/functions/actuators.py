"""Functions of robots with more actuators than freedoms: what characterises the results, by singular values."""

from __future__ import annotations

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import ACTUATED, NV, Entry, Pair, Signature
from symgen.verify.expected import Expected
from symgen.verify.loops.expected import closed_of


def _expected(at: Expected, signature: Signature) -> list[Ball]:
    """Robots with loops have an `Expected` of their own."""
    return at.of(signature)


def _jacobian(subject: Comparison) -> Ball:
    """G_m (…, na, ni)."""
    driven = list(subject.oracle.robot.driven)
    return closed_of(subject.expected).matrix.mapped(lambda array: array[..., driven, :])


def _rates(subject: Comparison, signature: Signature) -> list[Pair]:
    (found,) = subject.call(signature.name)
    return [(found, _jacobian(subject))]


def _least(subject: Comparison, signature: Signature) -> list[Pair]:
    """G_mᵀ τ_m is what the motion asks for, and τ_m is of the form G_m y, with nothing at right angles to it."""
    (found,) = subject.call(signature.name)
    G, at = _jacobian(subject), closed_of(subject.expected)
    y = np.linalg.pinv(G.value) @ found.value[..., None]
    rest = found - Ball((G.value @ y)[..., 0], (G.radius @ np.abs(y))[..., 0])
    return [(G.transposed.times(found), at.forces(at.qdd)), (rest, Ball.exact(0 * rest.value))]


def _projector(subject: Comparison, signature: Signature) -> list[Pair]:
    """1 − G_m G_m⁺; to first order it errs by what G_m errs, through the pseudo-inverse on both sides."""
    (found,) = subject.call(signature.name)
    G = _jacobian(subject)
    inverse = np.linalg.pinv(G.value)
    value = np.eye(G.value.shape[-2]) - G.value @ inverse
    size = 1e-15 * np.abs(G.value) @ np.abs(inverse)
    half = np.abs(value) @ (G.radius @ np.abs(inverse) + size) + size
    return [(found, Ball(value, 2 * (half + np.swapaxes(half, -1, -2))))]


ACTUATOR_JACOBIAN = Entry(
    "actuator_jacobian", ("q",), ((ACTUATED, NV),), _expected, pairs=_rates, unlooped=False, redundant=True
)

ACTUATOR_FORCES = Entry(
    "actuator_forces",
    ("q", "qd", "qdd"),
    ((ACTUATED,),),
    _expected,
    gravity=True,
    loads=True,
    pairs=_least,
    unlooped=False,
    redundant=True,
)

ACTUATOR_NULL_SPACE = Entry(
    "actuator_null_space", ("q",), ((ACTUATED, ACTUATED),), _expected, pairs=_projector, unlooped=False, redundant=True
)
