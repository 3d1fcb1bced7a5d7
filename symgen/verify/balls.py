"""Balls: arrays with bounds of their errors, and what arithmetic makes of both.

A comparison holds where the difference of two balls may be 0. What is added, multiplied and summed here rounds too, in
double precision, and its radii grow by that. An infinite radius means that nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from symgen.verify.geometry import Floats

EPSILON = 2.0**-53
"""Unit roundoff of double precision."""


@dataclass(frozen=True)
class Ball:
    """An array of numbers `value`, each known to within `radius`, an array of the same shape."""

    value: Floats
    radius: Floats

    # NumPy must leave `array + ball` to the ball.
    __array_ufunc__ = None

    @staticmethod
    def exact(value: ArrayLike) -> Ball:
        """Numbers without error."""
        array = np.asarray(value, dtype=float)
        return Ball(array, np.zeros_like(array))

    @property
    def transposed(self) -> Ball:
        """The transposed matrices."""
        return self.mapped(lambda array: np.swapaxes(array, -1, -2))

    def mapped(self, move: Callable[[Floats], Floats]) -> Ball:
        """Both arrays through a function that only moves or repeats entries."""
        return Ball(move(self.value), move(self.radius))

    def __add__(self, other: Ball | ArrayLike) -> Ball:
        right = _ball(other)
        return _rounded(self.value + right.value, self.radius + right.radius)

    def __sub__(self, other: Ball | ArrayLike) -> Ball:
        right = _ball(other)
        return _rounded(self.value - right.value, self.radius + right.radius)

    def __mul__(self, other: Ball | ArrayLike) -> Ball:
        right = _ball(other)
        size = np.abs(self.value)
        return _rounded(
            self.value * right.value, size * right.radius + self.radius * (np.abs(right.value) + right.radius)
        )

    def __matmul__(self, other: Ball | ArrayLike) -> Ball:
        right = _ball(other)
        left_size, right_size = np.abs(self.value), np.abs(right.value)
        terms = self.value.shape[-1]
        radius = left_size @ right.radius + self.radius @ (right_size + right.radius)
        return Ball(self.value @ right.value, radius + terms * EPSILON * (left_size @ right_size))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rmatmul__(self, other: ArrayLike) -> Ball:
        return _ball(other) @ self

    def times(self, column: Ball | ArrayLike) -> Ball:
        """Matrices (…, m, n) times columns (…, n)."""
        product = self @ _ball(column).mapped(lambda array: array[..., None])
        return product.mapped(lambda array: array[..., 0])

    def total(self, weights: ArrayLike, axis: int = 0) -> Ball:
        """The sum over an axis, with weights."""
        weights = np.asarray(weights, dtype=float)
        weigh = weights.reshape(*weights.shape, *[1] * (self.value.ndim - axis - 1))
        terms = self.value * weigh
        radius = np.sum(self.radius * np.abs(weigh), axis=axis)
        return Ball(terms.sum(axis=axis), radius + weights.size * EPSILON * np.abs(terms).sum(axis=axis))

    def first(self, count: int) -> Ball:
        """That of the first states."""
        return self.mapped(lambda array: array[:count])

    def wider(self, radius: Floats | float) -> Ball:
        """The same numbers, less well known."""
        return Ball(self.value, self.radius + radius)


def _ball(value: Ball | ArrayLike) -> Ball:
    return value if isinstance(value, Ball) else Ball.exact(value)


def _rounded(value: Floats, radius: Floats) -> Ball:
    return Ball(value, radius + EPSILON * np.abs(value))
