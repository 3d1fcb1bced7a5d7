"""Elementary rigid transforms as homogeneous matrices, 4x4. Lengths are in m, angles in rad."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_NEXT, _AFTER = np.array([1, 2, 0]), np.array([2, 0, 1])
"""Axis → the next one, and the one after that."""

_DIAGONAL = np.arange(4)

_DUST = 4e-16
"""Cosines and sines below this are rounding of a right angle, and 0."""


def turn(axis: int, angle: ArrayLike) -> Floats:
    """The turn by `angle` (…) about x, y or z (0, 1, 2): (…, 4, 4)."""
    angle = np.asarray(angle, dtype=float)
    c, s = (np.where(np.abs(value) < _DUST, 0.0, value) for value in (np.cos(angle), np.sin(angle)))
    matrix = _identity(angle.shape)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[..., i, i] = matrix[..., j, j] = c
    matrix[..., i, j], matrix[..., j, i] = -s, s
    return matrix


def shift(axis: int, length: ArrayLike) -> Floats:
    """The shift by `length` (…) along x, y or z (0, 1, 2): (…, 4, 4)."""
    length = np.asarray(length, dtype=float)
    matrix = _identity(length.shape)
    matrix[..., axis, 3] = length
    return matrix


def oriented(quaternion: Floats) -> Floats:
    """The turn (…, 4, 4), v ↦ p v p̄, of a quaternion (…, 4), vector part first; p is it at length 1."""
    unit = quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True)
    images = [product(product(unit, np.array([*axis, 0.0])), conjugate(unit))[..., :3] for axis in np.eye(3)]
    matrix = _identity(quaternion.shape[:-1])
    matrix[..., :3, :3] = np.stack(images, axis=-1)
    return matrix


def product(left: Floats, right: Floats) -> Floats:
    """The product (…, 4) of quaternions, vector part first."""
    (u, a), (v, b) = ((each[..., :3], each[..., 3:]) for each in (left, right))
    scalar = a * b - np.sum(u * v, axis=-1, keepdims=True)
    return np.concatenate([a * v + b * u + cross(u, v), scalar], axis=-1)


def cross(left: Floats, right: Floats) -> Floats:
    """The cross product (…, 3) of vectors (…, 3): the same numbers as NumPy's, which takes several times as long."""
    products = left.take(_NEXT, -1) * right.take(_AFTER, -1)
    return np.asarray(products - left.take(_AFTER, -1) * right.take(_NEXT, -1))


def conjugate(quaternion: Floats) -> Floats:
    """The conjugate of a quaternion (…, 4), vector part first."""
    return np.asarray(quaternion * np.array([-1.0, -1.0, -1.0, 1.0]))


def inverse(transform: Floats) -> Floats:
    """The inverse of a rigid transform (4, 4)."""
    result = np.eye(4)
    result[:3, :3] = transform[:3, :3].T
    result[:3, 3] = -transform[:3, :3].T @ transform[:3, 3]
    return result


def _identity(shape: tuple[int, ...]) -> Floats:
    result = np.zeros((*shape, 4, 4))
    result[..., _DIAGONAL, _DIAGONAL] = 1.0
    return result
