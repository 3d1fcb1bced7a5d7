"""Configurations as the oracle has them: steps are exponentials of matrices, found by their series.

Entries of a free joint are those of a point, then an angle about z or a quaternion; those of its step slide, then turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from symgen.robot.model import JointKind, Robot
from symgen.verify.transforms import Floats, conjugate, cross, oriented, product, turn

_TERMS = 20
"""Terms of a series whose matrix is below 1: the next one is below rounding."""

_TURNS = {JointKind.SPHERICAL: (0, 3), JointKind.PLANAR: (2, 1), JointKind.FLOATING: (3, 3)}
"""Free joint → how many entries of its step slide, and how many turn."""


@dataclass(frozen=True)
class Place:
    """Where a joint that follows no other has its entries of q and of steps; `slides` and `turns` of a free joint."""

    q: slice
    v: slice
    slides: int = 0
    turns: int = 0

    @property
    def has_quaternion(self) -> bool:
        """Whether the entries of q end with a quaternion."""
        return self.turns > 1

    def point(self, entries: Floats) -> Floats:
        """What slides of entries (…, nq or nv), as (…, 3)."""
        return _padded(entries[..., : self.slides])

    def spin(self, step: Floats) -> Floats:
        """What turns of a step (…, nv of the joint), as (…, 3)."""
        return np.asarray(_padded(step[..., self.slides :][..., ::-1])[..., ::-1])

    def axes(self, q: Floats) -> Floats:
        """The orientation (…, 3, 3) at entries of q."""
        turning = q[..., self.slides :]
        matrix = oriented(turning) if self.has_quaternion else turn(2, turning[..., 0])
        return np.asarray(matrix[..., :3, :3])


def places(robot: Robot) -> Iterator[Place]:
    """The joints of a robot that follow no other."""
    for index, q, v in robot.coordinates():
        joint = robot.links[index].joint
        if joint.nv and joint.mimic is None:
            yield Place(q, v, *_TURNS.get(joint.kind, ()))


def integrate(robot: Robot, q: Floats, v: Floats) -> Floats:
    """q ⊕ v, (…, nq)."""
    result = np.zeros(np.broadcast_shapes(q.shape[:-1], v.shape[:-1]) + q.shape[-1:])
    for place in places(robot):
        own, step = q[..., place.q], v[..., place.v]
        result[..., place.q] = _integrated(place, own, step) if place.turns else own + step
    return result


def difference(robot: Robot, q0: Floats, q1: Floats) -> Floats:
    """The shortest v, (…, nv), with q0 ⊕ v = q1."""
    result = np.zeros((*q0.shape[:-1], robot.nv))
    for place in places(robot):
        first, last = q0[..., place.q], q1[..., place.q]
        result[..., place.v] = _difference(place, first, last) if place.turns else last - first
    return result


def normalize(robot: Robot, q: Floats) -> Floats:
    """q with quaternions of length 1."""
    result = np.array(q)
    for place in places(robot):
        if place.has_quaternion:
            result[..., place.q][..., -4:] = _unit(q[..., place.q][..., -4:])
    return result


def _padded(entries: Floats) -> Floats:
    return np.concatenate([entries, np.zeros((*entries.shape[:-1], 3 - entries.shape[-1]))], axis=-1)


def _unit(quaternion: Floats) -> Floats:
    return np.asarray(quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True))


def _integrated(place: Place, q: Floats, v: Floats) -> Floats:
    spin = place.spin(v)
    twist = np.zeros((*spin.shape[:-1], 4, 4))
    twist[..., :3, :3], twist[..., :3, 3] = _cross(spin), place.point(v)
    moved = (place.axes(q) @ _exponential(twist)[..., :3, 3:])[..., 0]
    point = q[..., : place.slides] + moved[..., : place.slides]
    if not place.has_quaternion:
        return np.concatenate([point, q[..., place.slides :] + v[..., place.slides :]], axis=-1)
    turned = _exponential(_right(spin) / 2) @ _unit(q[..., -4:])[..., None]
    return np.concatenate([point, turned[..., 0]], axis=-1)


def _difference(place: Place, first: Floats, last: Floats) -> Floats:
    if place.has_quaternion:
        spin = _logarithm(_unit(first[..., -4:]), _unit(last[..., -4:]))
    else:
        angle = last[..., -1:] - first[..., -1:]
        spin = np.concatenate([np.zeros((*angle.shape[:-1], 2)), _wrapped(angle)], axis=-1)
    block = np.zeros((*spin.shape[:-1], 6, 6))
    block[..., :3, :3], block[..., :3, 3:] = _cross(spin), np.eye(3)
    way = place.axes(first).swapaxes(-1, -2) @ place.point(last - first)[..., None]
    linear = np.linalg.solve(_exponential(block)[..., :3, 3:], way)[..., 0]
    return np.concatenate([linear[..., : place.slides], spin[..., 3 - place.turns :]], axis=-1)


def _wrapped(angle: Floats) -> Floats:
    return np.asarray(angle - 2 * np.pi * np.round(angle / (2 * np.pi)))


def _logarithm(first: Floats, last: Floats) -> Floats:
    """The shorter turn (…, 3) from one unit quaternion to another, in the axes of the first."""
    between = product(conjugate(first), last)
    between *= np.where(between[..., 3:] < 0, -1, 1)
    size = np.linalg.norm(between[..., :3], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(size, between[..., 3:])
    return np.asarray(between[..., :3] * np.where(size > 0, angle / np.where(size > 0, size, 1), 2))


def _cross(a: Floats) -> Floats:
    """The matrices (…, 3, 3) of the products with vectors."""
    return cross(a[..., None, :], np.eye(3)).swapaxes(-1, -2)


def _right(spin: Floats) -> Floats:
    """The matrices (…, 4, 4) of q ⊗ (spin, 0)."""
    matrix = np.zeros((*spin.shape[:-1], 4, 4))
    matrix[..., :3, :3], matrix[..., :3, 3], matrix[..., 3, :3] = -_cross(spin), spin, -spin
    return matrix


def _exponential(matrix: Floats) -> Floats:
    """exp of matrices (…, k, k): the series of a part that is below 1, squared again."""
    spin = np.abs(matrix[..., :3, :3]).sum(axis=-1).max(initial=0.5)
    halvings = int(np.ceil(np.log2(spin))) + 1
    part = matrix / 2.0**halvings
    term = result = np.broadcast_to(np.eye(matrix.shape[-1]), matrix.shape)
    for order in range(1, _TERMS):
        term = term @ part / order
        result = result + term
    for _ in range(halvings):
        result = result @ result
    return np.asarray(result)
