"""Functions of robots with loops whose state is all of the tree's; `verify.loops.tree` has what they should return."""

from __future__ import annotations

import numpy as np

from symgen.robot.model import Robot
from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import DEPENDENT, TREE, Entry, Pair, Signature
from symgen.verify.expected import Expected
from symgen.verify.geometry import Floats
from symgen.verify.loops import derivatives, expected, tree

SPEED, THRUST = 2.0, 5.0
"""Rates of joints are within ±2 rad/s or m/s, accelerations within ±5."""

COEFFICIENTS = np.array([100.0, 20.0])
"""The largest stiffness and damping."""


def _rates(generator: np.random.Generator, robot: Robot, states: int) -> Floats:
    return SPEED * generator.uniform(-1, 1, (states, robot.nv))


def _accelerations(generator: np.random.Generator, robot: Robot, states: int) -> Floats:
    return THRUST * generator.uniform(-1, 1, (states, robot.nv))


def _coefficients(generator: np.random.Generator, robot: Robot, states: int) -> Floats:
    return COEFFICIENTS * generator.uniform(0, 1, (states, 2))


def _inertia_matrix(at: Expected, _: Signature) -> list[Ball]:
    return [tree.inertia(expected.closed_of(at))]


def _inverse_dynamics(at: Expected, _: Signature) -> list[Ball]:
    return [tree.forces(expected.closed_of(at), at.given["v"], at.given["vd"])]


def _penalty(at: Expected, _: Signature) -> list[Ball]:
    return [tree.accelerations(expected.closed_of(at), expected.residual_radius(at.oracle, at.q))]


def _answered(subject: Comparison) -> list[Pair]:
    """What the tree needs for the accelerations found, and the forces there are: these answer to each other."""
    (found,) = subject.call("penalty_dynamics")
    at = expected.closed_of(subject.expected)
    asked = tree.pushed(at, expected.residual_radius(at.oracle, at.q))
    return [(tree.inertia(at).times(found), asked)]


def _restrained(subject: Comparison, signature: Signature) -> list[Pair]:
    """φ = 0, A G = 0 and Ȧ G + A Ġ = 0 in motions that keep the loops closed, whichever rows A has."""
    at = expected.closed_of(subject.expected)
    residual, jacobian, rate = subject.call(signature.name, v=at.velocity.value)
    closed = expected.residual_radius(subject.oracle, subject.at.q).max(axis=-1)
    off = Ball(0 * residual.value, closed[..., None] + 0 * residual.value)
    first = jacobian @ at.matrix
    second = rate @ at.matrix + jacobian @ derivatives.matrix_rate(at)
    return [(residual, off), *((each, Ball.exact(0 * each.value)) for each in (first, second))]


def _of_rows(at: Expected, signature: Signature) -> list[Ball]:
    return at.of(signature)


TREE_INERTIA_MATRIX = Entry("tree_inertia_matrix", ("q",), ((TREE, TREE),), _inertia_matrix, unlooped=False)

TREE_INVERSE_DYNAMICS = Entry(
    "tree_inverse_dynamics",
    ("q", "v", "vd"),
    ((TREE,),),
    _inverse_dynamics,
    gravity=True,
    loads=True,
    drawn={"v": _rates, "vd": _accelerations},
    unlooped=False,
)

INDEPENDENT_CONSTRAINTS = Entry(
    "independent_constraints",
    ("q", "v"),
    ((DEPENDENT,), (DEPENDENT, TREE), (DEPENDENT, TREE)),
    _of_rows,
    drawn={"v": _rates},
    pairs=_restrained,
    unlooped=False,
)

PENALTY_DYNAMICS = Entry(
    "penalty_dynamics",
    ("q", "v", "tau", "penalty"),
    ((TREE,),),
    _penalty,
    gravity=True,
    loads=True,
    solves=True,
    drawn={"v": _rates, "penalty": _coefficients},
    further={"penalty_dynamics, residual": _answered},
    unlooped=False,
)
