"""Which entries of q follow from the independent ones in closed form, and in which order.

On which coordinates an equation depends is seen in its values: at random configurations, where these are other ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from symgen.algebra.domain import is_zero
from symgen.mechanics.loops.equations import equations
from symgen.mechanics.loops.plan import Step, Unknown
from symgen.mechanics.mechanism import Mechanism
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array
from symgen.robot.joints import JointKind
from symgen.robot.model import Robot

Floats = NDArray[np.float64]

SAMPLES = 4
FAINT = 1e-9
"""Differences and coefficients below this share of the largest count as none."""

FLAT = 1e-3
"""Two equations in one angle that are closer to being one are not taken for two."""

_POWERS = {True: (0.0, np.pi / 2, np.pi), False: (-1.0, 0.0, 1.0)}


@dataclass(frozen=True)
class _Coordinate:
    """An unknown: its entries of q, the body that it moves, and whether it turns it (None: neither turn nor slide)."""

    place: int
    body: int
    turns: bool
    ball: bool = False

    @property
    def places(self) -> range:
        return range(self.place, self.place + (4 if self.ball else 1))


def steps_of(
    robot: Robot, make: Callable[[Graph], Mechanism], given: Sequence[int], posture: Floats
) -> tuple[Step, ...]:
    """The steps; `given`: the entries of q that are known, `posture`: a closed q."""
    return tuple(_Search(robot, make, given, posture).steps())


class _Search:
    def __init__(self, robot: Robot, make: Callable[[Graph], Mechanism], given: Sequence[int], posture: Floats) -> None:
        graph = Graph()
        self.robot, self.posture = robot, posture
        self.mechanism = make(graph)
        found = equations(self.mechanism)
        self.cuts = [each.cut for each in found]
        output = Array("values", (len(found),))
        self._program = graph.program([Array("q", (robot.nq,))], [(output, [each.value for each in found])])
        self._defaults = {name: float(value) for name, value in robot.defaults.items()}
        self.known = set(given)
        self.coordinates = [each for each in self._coordinates() if not self.known.intersection(each.places)]
        self.depends = self._dependence()

    def values(self, q: Floats) -> Floats:
        """Those of all equations (…, n)."""
        return evaluate(self._program, {"q": q}, self._defaults)["values"]

    def _coordinates(self) -> Iterator[_Coordinate]:
        for joint in self.mechanism.joints:
            own = [index for index, body in enumerate(self.mechanism.bodies) if set(body.velocities) & _range(joint.v)]
            if joint.kind is JointKind.SPHERICAL and len(own) == 1:
                yield _Coordinate(joint.q.start, own[0], turns=False, ball=True)
            elif not joint.kind.is_free:
                for offset, rate in enumerate(range(joint.v.start, joint.v.stop)):
                    moved = [index for index in own if rate in self.mechanism.bodies[index].velocities]
                    if len(moved) != 1 or self.mechanism.bodies[moved[0]].ratio is not None:
                        continue
                    screw = self.mechanism.bodies[moved[0]].screw
                    turns, slides = (not all(map(is_zero, part)) for part in (screw[:3], screw[3:]))
                    if turns != slides:
                        yield _Coordinate(joint.q.start + offset, moved[0], turns=turns)

    def _dependence(self) -> NDArray[np.bool_]:
        """(equations, entries of q): whether the one depends on the other."""
        random = np.random.default_rng(0)
        q = self.posture + random.uniform(-1, 1, (SAMPLES, self.robot.nq))
        values = self.values(q)
        size = np.abs(values).max(axis=0) + 1e-3
        found = np.zeros((values.shape[-1], self.robot.nq), dtype=bool)
        for place in range(self.robot.nq):
            moved = q.copy()
            moved[:, place] += random.uniform(0.3, 1, SAMPLES)
            found[:, place] = (np.abs(self.values(moved) - values) > FAINT * size).any(axis=0)
        return found

    def steps(self) -> Iterator[Step]:
        """One after the other, as long as one is found; those without branches first."""
        left = list(self.coordinates)
        while True:
            found = [step for each in left for step in self._steps_to(each)]
            if not found:
                return
            step = min(found, key=lambda step: step.unknown.has_branches + (step.unknown is Unknown.ANGLE))
            left = [each for each in left if each.place != step.place]
            self.known.update(range(step.place, step.place + (4 if step.unknown is Unknown.BALL else 1)))
            yield step

    def _steps_to(self, each: _Coordinate) -> Iterator[Step]:
        usable = [
            index
            for index, row in enumerate(self.depends)
            if row[each.place] and set(np.flatnonzero(row)) <= self.known | set(each.places)
        ]
        if each.ball:
            yield from self._ball(each, usable)
            return
        terms = {index: self._terms(each, index) for index in usable}
        linear = [index for index in usable if self.cuts[index] is None]
        if linear or not each.turns:
            linear += [index for index in usable if not each.turns and abs(terms[index][0]) < FAINT]
            other = [index for index in usable if index not in linear]
            for unknown, indices in ((Unknown.SHIFT, linear), (Unknown.SLIDE, other)):
                best = max(indices, key=lambda index: round(abs(terms[index][1]), 6), default=None)
                if best is not None:
                    yield Step(unknown, each.place, (best,), each.body, self.cuts[best])
            return
        if (pair := _best_pair(terms)) is not None:
            yield Step(Unknown.TURN, each.place, pair, each.body, self.cuts[pair[0]])
        elif usable:
            best = max(usable, key=lambda index: round(float(np.hypot(*terms[index][:2])), 6))
            yield Step(Unknown.ANGLE, each.place, (best,), each.body, self.cuts[best])

    def _terms(self, each: _Coordinate, index: int) -> tuple[float, float]:
        """The coefficients a and b of an equation at the posture (see `mechanics.loops.start`)."""
        q = np.repeat(self.posture[None], 3, axis=0)
        q[:, each.place] = _POWERS[each.turns]
        first, middle, last = self.values(q)[:, index]
        mean, rise = (first + last) / 2, (last - first) / 2
        return (-rise, middle - mean) if each.turns else (mean - middle, rise)

    def _ball(self, each: _Coordinate, usable: Sequence[int]) -> Iterator[Step]:
        """A ball joint whose link ends in a cut joint that holds points and whose other end is known."""
        for number, cut in enumerate(self.mechanism.cuts):
            mine = [index for index in usable if self.cuts[index] == number]
            if each.body in (cut.predecessor.body, cut.successor.body) and cut.kind.holds_points and len(mine) >= 3:
                yield Step(Unknown.BALL, each.place, (), each.body, number)


def _best_pair(terms: dict[int, tuple[float, float]]) -> tuple[int, int] | None:
    """Two equations whose coefficients are furthest from being parallel, the larger ones first."""
    sizes = {index: float(np.hypot(*pair)) for index, pair in terms.items()}
    top = max(sizes.values(), default=0.0)
    found = [index for index, size in sizes.items() if size > FLAT * top]

    def apart(pair: tuple[int, int]) -> float:
        (a, b), (c, d) = terms[pair[0]], terms[pair[1]]
        return round(abs(a * d - b * c) / (sizes[pair[0]] * sizes[pair[1]]), 6)

    best = max(combinations(found, 2), key=apart, default=None)
    return best if best is not None and apart(best) > FLAT else None


def _range(of: slice) -> set[int]:
    return set(range(of.start, of.stop))
