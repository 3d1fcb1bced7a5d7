"""A frame as an observer on another one sees it: along the chain of bodies between them, its own frame at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, identity, zeros
from symgen.mechanics.kinematics import applied, from_inner, from_outer, path
from symgen.mechanics.mechanism import FrameOnBody, Mechanism


@dataclass(frozen=True)
class Column:
    """What a rate does as the observer sees it: its index, the turn of the other frame and the shift of its origin."""

    index: int
    angular: Vector
    linear: Vector


@dataclass(frozen=True)
class View:
    """The other frame as the observer sees it, in its axes: where it is, what moves it, how it accelerates at q̈ = 0."""

    axes: Matrix
    origin: Vector
    columns: tuple[Column, ...]
    spin: Vector
    velocity: Vector
    angular_acceleration: Vector
    acceleration: Vector


def seen(mechanism: Mechanism, start: FrameOnBody, end: FrameOnBody, velocity: Sequence[Scalar] | None) -> View:
    """One frame seen from another."""
    inner, outer = branches(mechanism, start, end)
    walk = _Walk(mechanism, start, velocity)
    for index in inner:
        walk.inward(index)
    for index in reversed(outer):
        walk.outward(index)
    return walk.view(end)


def branches(mechanism: Mechanism, start: FrameOnBody, end: FrameOnBody) -> tuple[list[int], list[int]]:
    """The bodies that carry one frame and not the other, inward, and those that carry the other."""
    inner, outer = ([*reversed(path(mechanism, frame.body))] for frame in (start, end))
    while inner and outer and inner[-1] == outer[-1]:
        inner.pop()
        outer.pop()
    return inner, outer


class _Walk:
    """The chain from the observer on: the body reached, with its origin and axes in the observer's, and its motion."""

    def __init__(self, mechanism: Mechanism, start: FrameOnBody, velocity: Sequence[Scalar] | None) -> None:
        self.mechanism, self.domain, self.rates = mechanism, mechanism.domain, velocity
        self.axes = from_outer(start.rotation, identity(self.domain, 3))
        self.origin = -applied(self.axes, start.position)
        self.steps: list[tuple[int, Vector, Vector, Vector]] = []
        self.spin, self.velocity, self.turning, self.acceleration = (zeros(self.domain, 3) for _ in range(4))

    def inward(self, index: int) -> None:
        """From a body to the one that carries it, which moves against the joint's columns, fixed in the body."""
        body = self.mechanism.bodies[index]
        self._joint(index, -1)
        self.axes = from_outer(body.rotation, self.axes)
        self._shift(-applied(self.axes, body.position))

    def outward(self, index: int) -> None:
        """From a body to one that it carries."""
        body = self.mechanism.bodies[index]
        self._shift(applied(self.axes, body.position))
        self.axes = from_inner(body.rotation, self.axes)
        self._joint(index, 1)

    def _joint(self, index: int, sign: int) -> None:
        """The joint's columns are noted, and what it does at the given rates."""
        body = self.mechanism.bodies[index]
        turn, slide = zeros(self.domain, 3), zeros(self.domain, 3)
        for column, rate in zip(body.subspace, body.velocities, strict=True):
            angular, linear = applied(self.axes, column[:3]), applied(self.axes, column[3:])
            if sign < 0:
                angular, linear = -angular, -linear
            self.steps.append((rate, angular, linear, self.origin))
            if self.rates is not None:
                turn, slide = turn + angular * self.rates[rate], slide + linear * self.rates[rate]
        if self.rates is not None:
            self.turning = self.turning + cross(self.spin, turn)
            self.velocity = self.velocity + slide
            self.acceleration = self.acceleration + cross(2 * self.spin, slide) + cross(turn, slide)
            self.spin = self.spin + turn

    def _shift(self, arm: Vector) -> None:
        if self.rates is not None:
            self.acceleration = self.acceleration + cross(self.turning, arm) + cross(self.spin, cross(self.spin, arm))
            self.velocity = self.velocity + cross(self.spin, arm)
        self.origin = self.origin + arm

    def view(self, end: FrameOnBody) -> View:
        """What is seen of a frame on the body reached."""
        self._shift(applied(self.axes, end.position))
        axes = from_inner(end.rotation, self.axes)
        columns = tuple(
            Column(index, angular, linear + cross(angular, self.origin - origin))
            for index, angular, linear, origin in self.steps
        )
        return View(axes, self.origin, columns, self.spin, self.velocity, self.turning, self.acceleration)
