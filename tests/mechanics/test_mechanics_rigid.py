"""Rotations factor by factor against 3×3 matrices, and rigid-body inertia against clouds of point masses; all exact."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symgen.algebra.domain import cross, cross_matrix, dot, identity, vector, zeros
from symgen.mechanics.articulated import ArticulatedInertia, rigid
from symgen.mechanics.fixed import merged
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.mechanism import Body, DriveTerms
from symgen.mechanics.rotation import Orientation, Rotation, Turn, symmetric
from symgen.robot.expression import constant
from symgen.robot.model import BASE, Elementary


class Rationals:
    """The domain of exact fractions."""

    def constant(self, value):
        return Fraction(value)


RATIONALS = Rationals()
quarters = st.integers(-12, 12).map(lambda number: Fraction(number, 4))
vectors = st.tuples(quarters, quarters, quarters).map(vector)


def _turn(axis, t):
    scale = 1 / (1 + t * t)
    return Turn(axis, (1 - t * t) * scale, 2 * t * scale)


def _orientation(x, y, z):
    """The rotation of the quaternion (1, x, y, z)."""
    n, square = vector([x, y, z]), x * x + y * y + z * z
    matrix = (1 - square) * identity(RATIONALS, 3) + 2 * n.reshape(3, 1) * n + 2 * cross_matrix(n)
    return Orientation(matrix / (1 + square))


turns = st.builds(_turn, st.integers(0, 2), quarters)
orientations = st.builds(_orientation, quarters, quarters, quarters)
rotations = st.lists(st.one_of(turns, turns, orientations), max_size=3).map(lambda parts: Rotation(tuple(parts)))
matrices = st.tuples(vectors, vectors, vectors).map(lambda rows: np.concatenate(rows).reshape(3, 3))


def dense(rotation):
    """The product of the elementary rotation matrices."""
    result = identity(RATIONALS, 3)
    for turn in rotation.turns:
        if isinstance(turn, Orientation):
            result = result.dot(turn.matrix)
            continue
        i, j = (turn.axis + 1) % 3, (turn.axis + 2) % 3
        factor = identity(RATIONALS, 3)
        factor[i, i] = factor[j, j] = turn.c
        factor[i, j], factor[j, i] = -turn.s, turn.s
        result = result.dot(factor)
    return result


def same(left, right):
    return bool((np.asarray(left) == np.asarray(right)).all())


@given(rotations, vectors, matrices)
def test_rotations_are_their_matrices(rotation, x, a):
    R = dense(rotation)
    assert same(rotation.matrix(RATIONALS), R)
    assert same(R.dot(R.T), identity(RATIONALS, 3))
    assert same(rotation.to_parent(x), R.dot(x))
    assert same(rotation.to_child(x), R.T.dot(x))
    assert same(rotation.to_child(rotation.to_parent(x)), x)
    assert same(rotation.to_parent_matrix(a), R.dot(a).dot(R.T))
    assert same(rotation.to_parent_symmetric(a + a.T), R.dot(a + a.T).dot(R.T))


@given(rotations, rotations, vectors)
def test_rotations_compose(first, second, x):
    assert same(first.then(second).to_parent(x), first.to_parent(second.to_parent(x)))
    assert same(dense(first.then(second)), dense(first).dot(dense(second)))


def test_no_argument_is_changed():
    rotation = Rotation((_turn(0, Fraction(1, 2)), _turn(2, Fraction(1, 3))))
    x, a = vector([1, 2, 3]), identity(RATIONALS, 3)
    rotation.to_parent(x), rotation.to_child(x), rotation.to_parent_matrix(a), rotation.to_parent_symmetric(a)
    assert list(x) == [1, 2, 3]
    assert same(a, identity(RATIONALS, 3))


@given(vectors, vectors, vectors)
def test_cross_products(a, b, c):
    assert same(cross(a, b), cross_matrix(a).dot(b))
    assert same(cross(a, b), -cross(b, a))
    assert dot(a, cross(a, b)) == 0
    assert same(cross(a, cross(b, c)), b * dot(a, c) - c * dot(a, b))
    assert same(cross_matrix(a).T, -cross_matrix(a))


def test_symmetric_matrix():
    assert symmetric(RATIONALS, 1, 2, 3, 4, 5, 6).tolist() == [[1, 4, 5], [4, 2, 6], [5, 6, 3]]


# inertia ----------------------------------------------------------------------------------------------------

clouds = st.lists(st.tuples(st.integers(0, 5).map(Fraction), vectors), min_size=1, max_size=3)


def of_points(points):
    """The inertia of point masses about the frame's origin."""
    tensor = zeros(RATIONALS, 3, 3)
    for mass, x in points:
        tensor = tensor + mass * (dot(x, x) * identity(RATIONALS, 3) - x.reshape(3, 1) * x.reshape(1, 3))
    moment = sum((mass * x for mass, x in points), zeros(RATIONALS, 3))
    return SpatialInertia(sum((mass for mass, _ in points), Fraction(0)), moment, tensor)


def same_inertia(a, b):
    return a.mass == b.mass and same(a.first_moment, b.first_moment) and same(a.tensor, b.tensor)


NO_DRIVE = DriveTerms(*[Fraction(0)] * 3, None, *[Fraction(0)] * 5)


def placed(rotation, position):
    subspace = (vector([Fraction(0)] * 5 + [Fraction(1)]),)
    return Body(1, "link", "joint", BASE, rotation, position, subspace, (0,), of_points([]), NO_DRIVE)


@given(clouds, rotations, vectors)
def test_moving_a_body_moves_its_points(points, rotation, p):
    moved = of_points(points).moved(rotation, p)
    assert same_inertia(moved, of_points([(mass, p + rotation.to_parent(x)) for mass, x in points]))


@given(clouds, clouds)
def test_bodies_add_up(first, second):
    assert same_inertia(of_points(first) + of_points(second), of_points([*first, *second]))


@given(clouds, vectors, vectors)
def test_wrench_of_a_resting_body(points, angular, linear):
    moment, force = of_points(points).wrench(angular, linear)
    pushes = [(x, mass * (linear + cross(angular, x))) for mass, x in points]
    assert same(force, sum((push for _, push in pushes), zeros(RATIONALS, 3)))
    assert same(moment, sum((cross(x, push) for x, push in pushes), zeros(RATIONALS, 3)))


@given(clouds, rotations, vectors, vectors, vectors)
def test_blocks_of_a_rigid_body(points, rotation, p, angular, linear):
    inertia = of_points(points)
    blocks = rigid(RATIONALS, inertia)
    column = vector([*angular, *linear])
    assert same(blocks.times(column), np.concatenate(inertia.wrench(angular, linear)))
    moved = rigid(RATIONALS, inertia.moved(rotation, p))
    carried = blocks.moved(placed(rotation, p))
    assert same(carried.times(column), moved.times(column))


@given(matrices, matrices, matrices, vectors, vectors, vectors, vectors)
def test_blocks_less_a_dyad(i, h, m, a, b, w, v):
    blocks = ArticulatedInertia(i + i.T, h, m + m.T)
    dyad, x = vector([*a, *b]), vector([*w, *v])
    rest = blocks.less(dyad, dyad)
    assert same(rest.times(x), blocks.times(x) - dyad * dot(dyad, x))
    assert same(rest.angular, rest.angular.T)
    assert same(rest.linear, rest.linear.T)


# placements -------------------------------------------------------------------------------------------------


def parts(*written):
    return tuple(
        Elementary(kind == "r", "xyz".index(axis), constant(Fraction(amount))) for kind, axis, amount in written
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([], []),
        ([("r", "z", 1), ("r", "z", 2)], [("r", "z", 3)]),
        ([("t", "x", 1), ("t", "x", 2), ("t", "x", 3)], [("t", "x", 6)]),
        ([("r", "z", 1), ("r", "z", -1)], []),
        ([("r", "x", 2), ("r", "z", 1), ("r", "z", -1), ("r", "x", 3)], [("r", "x", 5)]),
        ([("t", "z", 1), ("r", "z", 1)], [("t", "z", 1), ("r", "z", 1)]),
        ([("t", "x", 0), ("r", "y", 0)], []),
    ],
)
def test_neighbours_on_one_axis_are_merged(before, after):
    found = [(p.rotates, p.axis, p.amount.constant({})) for p in merged(parts(*before))]
    assert found == [(p.rotates, p.axis, p.amount.constant({})) for p in parts(*after)]
