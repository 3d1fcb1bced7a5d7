"""Verner's pair: its order conditions in exact arithmetic, and the orders measured."""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from symgen.simulation.verner import EMBEDDED_WEIGHTS, NODES, STAGES, WEIGHTS, ShorterStep, Verner65

Tree = tuple["Tree", ...]
"""A rooted tree: the trees that hang on its root, in descending order."""


@functools.cache
def trees(order: int) -> tuple[Tree, ...]:
    """All rooted trees with that many vertices."""
    return tuple(sorted(forests(order - 1, order - 1), reverse=True))


@functools.cache
def forests(vertices: int, largest: int) -> frozenset[Tree]:
    """All collections of trees with so many vertices together and at most `largest` in each."""
    if vertices == 0:
        return frozenset({()})
    return frozenset(
        tuple(sorted((tree, *rest), reverse=True))
        for size in range(1, min(vertices, largest) + 1)
        for tree in trees(size)
        for rest in forests(vertices - size, size)
    )


def order(tree: Tree) -> int:
    return 1 + sum(map(order, tree))


def density(tree: Tree) -> int:
    """γ: the product of the orders of a tree and of all its subtrees."""
    product = order(tree)
    for branch in tree:
        product *= density(branch)
    return product


def stage_weights(tree: Tree) -> list[Fraction]:
    """What a tree contributes in each stage: the product over its branches of A times what they contribute."""
    values = [Fraction(1)] * len(STAGES)
    for branch in tree:
        inner = stage_weights(branch)
        sums = [sum((a * x for a, x in zip(row, inner, strict=False)), Fraction(0)) for row in STAGES]
        values = [value * total for value, total in zip(values, sums, strict=True)]
    return values


def elementary_weight(weights: tuple[Fraction, ...], tree: Tree) -> Fraction:
    return sum((b * x for b, x in zip(weights, stage_weights(tree), strict=True)), Fraction(0))


def test_there_are_as_many_trees_as_cayley_counted():
    assert [len(trees(n)) for n in range(1, 8)] == [1, 1, 2, 4, 9, 20, 48]


@pytest.mark.parametrize(("weights", "reached"), [(WEIGHTS, 6), (EMBEDDED_WEIGHTS, 5)])
def test_every_order_condition_holds_exactly(weights, reached):
    for n in range(1, reached + 1):
        assert all(elementary_weight(weights, tree) * density(tree) == 1 for tree in trees(n))
    assert any(elementary_weight(weights, tree) * density(tree) != 1 for tree in trees(reached + 1))


def test_rows_sum_to_the_nodes():
    assert [len(row) for row in STAGES] == list(range(8))
    assert tuple(sum(row, Fraction(0)) for row in STAGES) == NODES


def test_the_class_holds_these_coefficients():
    for stage, row in enumerate(STAGES):
        np.testing.assert_array_equal(Verner65.A[stage, :stage], [float(a) for a in row])
    assert not np.triu(Verner65.A).any()
    np.testing.assert_array_equal(Verner65.B, [float(b) for b in WEIGHTS])
    np.testing.assert_array_equal(Verner65.C, [float(c) for c in NODES])
    differences = [float(b - embedded) for b, embedded in zip(WEIGHTS, EMBEDDED_WEIGHTS, strict=True)]
    np.testing.assert_array_equal(Verner65.E, [*differences, 0.0])


# measured ----------------------------------------------------------------------------------------------------


def rates(t, y):
    """y₀′ = y₀ (1 − y₀), y₁′ = cos(t) y₁ + y₀ − 1/(1 + e⁻ᵗ): neither linear nor autonomous."""
    return np.array([y[0] * (1 - y[0]), np.cos(t) * y[1] + y[0] - 1 / (1 + np.exp(-t))])


def exact(t):
    return np.array([1 / (1 + np.exp(-t)), np.exp(np.sin(t))])


def fixed_steps(steps, until=4.0, at=None):
    """Errors with steps of one length: at the end, or within the last step at the part `at` of it."""
    h = until / steps
    solver = Verner65(rates, 0.0, exact(0.0), until, rtol=1e30, atol=1e30, first_step=h, max_step=h * (1 + 1e-12))
    while solver.status == "running":
        solver.step()
    t = until if at is None else solver.t_old + at * (solver.t - solver.t_old)
    found = solver.y if at is None else solver.dense_output()(t)
    return np.abs(found - exact(t)).max()


@pytest.mark.parametrize("at", [None, 0.3, 0.8])
def test_errors_shrink_with_the_sixth_power_of_the_step(at):
    """Every halving divides the error by about 64."""
    errors = [fixed_steps(steps, at=at) for steps in (20, 40, 80)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 5.8), orders
    assert np.all(orders < 6.3), orders


def test_the_estimate_shrinks_with_the_sixth_power_of_one_step():
    def estimate(h):
        solver = Verner65(rates, 0.0, exact(0.3), 1.0, rtol=1e30, atol=1e30, first_step=h)
        solver.step()
        return np.abs(solver.K.T @ solver.E * h).max()

    assert 5.5 < np.log2(estimate(0.1) / estimate(0.05)) < 6.5


def test_dense_output_agrees_with_the_ends_and_takes_arrays():
    solver = Verner65(rates, 0.0, exact(0.0), 1.0, rtol=1e-9, atol=1e-9)
    solver.step()
    within = solver.dense_output()
    assert isinstance(within, ShorterStep)
    np.testing.assert_array_equal(within(solver.t_old), solver.y_old)
    np.testing.assert_allclose(within(solver.t), solver.y, rtol=1e-14)
    times = np.linspace(solver.t_old, solver.t, 4)
    np.testing.assert_array_equal(within(times), np.transpose([within(t) for t in times]))


@pytest.mark.parametrize("tolerance", [1e-5, 1e-8, 1e-11])
def test_step_size_control_keeps_the_tolerance(tolerance):
    times = np.linspace(0.0, 4.0, 30)
    found = solve_ivp(rates, (0.0, 4.0), exact(0.0), method=Verner65, t_eval=times, rtol=tolerance, atol=tolerance)
    error = np.abs(found.y - exact(times)).max()
    assert 1e-3 * tolerance < error < 50 * tolerance
