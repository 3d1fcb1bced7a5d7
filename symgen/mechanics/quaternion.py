"""Unit quaternions, vector part first: (x, y, z, w) as in Pinocchio and ROS.

A quaternion off the unit sphere stands for its normalised one: R is homogeneous in it, R = 1 + s [w e × 1 + (e × 1)²]
with e = (x, y, z) and s = 2/|q|², which needs no square root.
"""

from __future__ import annotations

from collections.abc import Mapping

from symgen.algebra.domain import Domain, Scalar, Vector, vector, zeros
from symgen.mechanics.rotation import Orientation

Quaternion = tuple[Scalar, Scalar, Scalar, Scalar, Scalar]
"""x, y, z, w and s = 2/|q|²."""


def orientation(domain: Domain, quaternion: Quaternion) -> Orientation:
    """The rotation matrix R, 3×3, of a quaternion of any length, from the moved frame's axes to the fixed ones."""
    x, y, z, w, s = quaternion
    sx, sy, sz = x * s, y * s, z * s
    xx, yy, zz = x * sx, y * sy, z * sz
    xy, xz, yz = x * sy, x * sz, y * sz
    wx, wy, wz = w * sx, w * sy, w * sz
    one, matrix = domain.constant(1), zeros(domain, 3, 3)
    matrix[...] = [
        [one - (yy + zz), xy - wz, xz + wy],
        [xy + wz, one - (xx + zz), yz - wx],
        [xz - wy, yz + wx, one - (xx + yy)],
    ]
    return Orientation(matrix)


def left_product(domain: Domain, q: Mapping[str, Scalar], axis: int) -> Vector:
    """½ q ⊗ (unit vector of an axis, 0), 4: the rate of q = (qx, qy, qz, qw) per rad/s about a moved frame's axis."""
    half = domain.constant(1) / domain.constant(2)
    e = [q["qx"] * half, q["qy"] * half, q["qz"] * half]
    w = q["qw"] * half
    j, k = (axis + 1) % 3, (axis + 2) % 3
    result = zeros(domain, 4)
    result[axis], result[j], result[k], result[3] = w, e[k], -e[j], -e[axis]
    return vector(result)
