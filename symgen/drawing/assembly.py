"""Closing the loops of a scene: the q near a given one at which cut joints and ties hold; `viewer.js` does the same.

Steps are those of Levenberg and Marquardt, with a damping that vanishes as the loops close, so that they end quickly
and do not run away at postures where the loops lose rank.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from symgen.drawing.kinematics import Floats, carrier, freed, matrix, poses, screwed, turned
from symgen.drawing.scene import BASE, Cut, Scene

CLOSED = 1e-9
"""Loops are closed where no residual is larger, in m or 1."""

STEPS = 60
"""So many steps are made at most."""

FARTHEST = 0.5
"""The length of the longest step, in rad and m."""

DAMPING = 1e-3
"""The largest damping; else it is the sum of the residuals' squares."""


@dataclass(frozen=True)
class Column:
    """What a rate does to a body and all that it carries: its twist, `turn` and `slide` (3) of the point `at` (3).

    `q`: the entry that it is the rate of; for quaternions the first of these, with `axis` of the body turned about, and
    for points of floating bodies the entry of the point.
    """

    body: int
    turn: Floats
    slide: Floats
    at: Floats
    q: int
    axis: int | None = None


Change = tuple[Floats, Floats]
"""What a rate does to a frame: to its origin (3), and the vector (3) that its axes turn about."""


def closed(scene: Scene, q: Sequence[float], fixed: Collection[int] = ()) -> tuple[float, ...] | None:
    """The q near this one at which loops are closed, its entries `fixed` as they are; None if none is found."""
    now = np.array(q, dtype=float)
    for _ in range(STEPS):
        found = poses(scene, now)
        columns = [column for column in _columns(scene, now, found) if column.q not in fixed]
        rows = list(_rows(scene, now, found, columns))
        residual = np.array([value for value, _ in rows])
        if not rows or np.abs(residual).max() <= CLOSED:
            return tuple(now.tolist())
        slopes = np.array([slope for _, slope in rows]).reshape(len(rows), len(columns))
        square = slopes.T @ slopes + min(float(residual @ residual), DAMPING) * np.eye(len(columns))
        step = np.linalg.lstsq(square, -slopes.T @ residual, rcond=None)[0]
        step *= min(1.0, FARTHEST / max(float(np.linalg.norm(step)), 1e-300))
        for column, amount in zip(columns, step, strict=True):
            _advance(now, column, float(amount))
    return None


# rates ---------------------------------------------------------------------------------------------------


def _columns(scene: Scene, q: Floats, found: Floats) -> Iterator[Column]:
    nothing = np.zeros(3)
    for index, body in enumerate(scene.bodies):
        frame: Floats = carrier(found, body.parent) @ matrix(body.before)
        for screw in body.screws:
            axis = frame[:3, screw.axis]
            yield Column(index, screw.turn * axis, screw.slide * axis, frame[:3, 3], screw.q)
            frame = frame @ screwed(screw, q)
        if body.free is not None:
            for number, entry in enumerate(body.free.point):
                yield Column(index, nothing, frame[:3, number], frame[:3, 3], entry)
            at = (frame @ freed(body.free, q))[:3, 3]
            if body.free.heading is not None:
                yield Column(index, frame[:3, 2], nothing, at, body.free.heading)
            if body.free.quaternion is not None:
                first = body.free.quaternion
                axes: Floats = frame[:3, :3] @ turned(q[first : first + 4])
                for number in range(3):
                    yield Column(index, axes[:, number], nothing, at, first, number)


def _advance(q: Floats, column: Column, amount: float) -> None:
    """Move q by an amount of a rate; quaternions stay of length 1."""
    if column.axis is None:
        q[column.q] += amount
        return
    own = q[column.q : column.q + 4] / np.linalg.norm(q[column.q : column.q + 4])
    half = np.zeros(3)
    half[column.axis] = np.sin(amount / 2)
    c = np.cos(amount / 2)
    q[column.q : column.q + 3] = own[:3] * c + half * own[3] + np.cross(own[:3], half)
    q[column.q + 3] = own[3] * c - own[:3] @ half


# constraints -------------------------------------------------------------------------------------------------


def _rows(scene: Scene, q: Floats, found: Floats, columns: Sequence[Column]) -> Iterator[tuple[float, list[float]]]:
    """(residual, its slope by each rate) of all constraints."""
    above = list(map(set, _ancestry(scene)))
    for cut in scene.cuts:
        first, second = (carrier(found, end.body) @ matrix(end.pose) for end in cut.ends)
        changes = []
        for column in columns:
            moves = [end.body != BASE and column.body in above[end.body] for end in cut.ends]
            changes.append([_change(column, frame, moved) for frame, moved in zip((first, second), moves, strict=True)])
        for value, slope in _residuals(cut, first, second):
            yield value, [slope(*change) for change in changes]
    for tie in scene.ties:
        ratios = dict(tie.terms)
        yield sum(ratio * q[i] for i, ratio in tie.terms) - tie.offset, [ratios.get(each.q, 0.0) for each in columns]


def _ancestry(scene: Scene) -> list[list[int]]:
    """For every body itself and those that carry it."""
    result: list[list[int]] = []
    for index, body in enumerate(scene.bodies):
        result.append([index, *([] if body.parent == BASE else result[body.parent])])
    return result


def _change(column: Column, frame: Floats, moved: bool) -> Change:
    if not moved:
        return np.zeros(3), np.zeros(3)
    return np.cross(column.turn, frame[:3, 3] - column.at) + column.slide, column.turn


def _residuals(cut: Cut, first: Floats, second: Floats) -> Iterator[tuple[float, Callable[[Change, Change], float]]]:
    """(residual, its slope by what changes the frames) of a cut joint's constraints."""
    apart = second[:3, 3] - first[:3, 3]
    for axis in cut.shifts:
        along = first[:3, axis]
        yield (
            float(along @ apart),
            lambda a, b, n=along: float(np.cross(a[1], n) @ apart + n @ (b[0] - a[0])),  # type: ignore[misc]
        )
    for one, other in cut.angles:
        n, m = first[:3, one], second[:3, other]
        yield float(n @ m), lambda a, b, n=n, m=m: float(np.cross(a[1] - b[1], n) @ m)  # type: ignore[misc]
    if not cut.shifts and not cut.angles:
        distance = float(np.linalg.norm(apart))
        yield distance - cut.length, lambda a, b: float(apart @ (b[0] - a[0])) / max(distance, 1e-300)
