"""On what ring elements depend and which of them are equal, definitions and constants seen through."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import flint

from symgen.algebra.balls import Balls
from symgen.algebra.generators import COS, DEFINITION, FUNCTION, RECIPROCAL, SIN, VARIABLE, Generator
from symgen.algebra.ring_element import RingElement
from symgen.algebra.vanishing import (
    SEEDS,
    Valuation,
    all_tiny,
    ball,
    has_constants,
    has_definitions,
    random_points,
    vanishes,
)

Place = tuple[int, int]
"""Row and column."""


class Comparison:
    """Elements of one ring, compared one after the other.

    Normal forms decide where neither definitions nor irrational constants occur among all of them. Elsewhere values at
    a random point find what may be equal, and `vanishes` decides.
    """

    def __init__(self, elements: Iterable[RingElement]) -> None:
        self._is_plain = not any(has_constants(element) or has_definitions(element) for element in elements)
        self._seen: dict[object, list[tuple[RingElement, Place]]] = {}
        self._points: list[Valuation] = []
        self._moved: dict[frozenset[str], Valuation] = {}

    def vanishes(self, element: RingElement) -> bool | None:
        """Whether an element is identically zero; None if that is not decided."""
        if not has_definitions(element):
            return vanishes(element)
        self._points = self._points or random_points(element.ring)
        return vanishes(element, self._points)

    def first_equal(self, element: RingElement, place: Place) -> tuple[int, int, int] | None:
        """(row, column, sign) of the first element that is the same or its negative; None enters this one."""
        if self._is_plain:
            for sign, key in ((1, element.key), (-1, (-element).key)):
                if key in self._seen:
                    return *self._seen[key][0][1], sign
            self._seen[element.key] = [(element, place)]
            return None
        value = self._value(element)
        alike = self._seen.setdefault(f"{float(abs(value).mid()):.10e}", [])
        for known, at in alike:
            sign = 1 if (value - self._value(known)).contains(0) else -1
            if self.vanishes(element - known * sign):
                return *at, sign
        alike.append((element, place))
        return None

    def inputs(self, element: RingElement) -> tuple[tuple[int, ...], bool]:
        """(joints, from 0, on whose positions an element depends; whether it depends on rates)."""
        joints, rates = _occurring(element)
        if has_definitions(element):
            joints = {joint for joint in joints if self._moves(element, [f"q{joint}"])}
            rates = rates if self._moves(element, rates) else set()
        return tuple(sorted(joints)), bool(rates)

    def _moves(self, element: RingElement, names: Collection[str]) -> bool:
        """Whether an element changes with these inputs."""
        return bool(names) and not all_tiny([self._value(element, names) - self._value(element)])

    def _value(self, element: RingElement, moved: Collection[str] = ()) -> flint.arb:
        """The value at the first random point, perhaps with some inputs changed."""
        if not moved:
            self._points = self._points or random_points(element.ring)
            return ball(self._points[0], element)
        key = frozenset(moved)
        if key not in self._moved:
            self._moved[key] = Valuation(element.ring, Balls(SEEDS[0], key))
        return ball(self._moved[key], element)


def _occurring(element: RingElement) -> tuple[set[int], set[str]]:
    """(joints whose positions, names of the rates that) occur in an element or in what its definitions stand for."""
    ring = element.ring
    known = {definition.name: definition for definition in ring.definitions}
    joints: set[int] = set()
    rates: set[str] = set()
    followed: set[str] = set()
    pending = [ring.generators[index] for index in element.generators()]
    while pending:
        letter: Generator = pending.pop()
        if letter.kind in (COS, SIN):
            joints.update(joint for joint, _ in letter.angle.joints)
        elif letter.kind == VARIABLE and letter.name == "q":
            joints.add(letter.index)
        elif letter.kind == VARIABLE:
            rates.add(f"{letter.name}{letter.index}")
        elif letter.kind == RECIPROCAL:
            pending.append(letter.argument)
        elif letter.kind == FUNCTION:
            pending += [ring.generators[index] for index in letter.argument.generators()]
        elif letter.kind == DEFINITION and letter.name not in followed:
            followed.add(letter.name)
            definition = known[letter.name]
            for part in (definition.numerator, definition.denominator):
                pending += [ring.generators[index] for index in part.generators()] if part is not None else []
    return joints, rates
