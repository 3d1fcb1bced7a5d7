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
        alike = self._seen.setdefault(self._likeness(element), [])
        for known, at in alike:
            if (sign := self._sign(element, known)) is not None:
                return *at, sign
        alike.append((element, place))
        return None

    def _likeness(self, element: RingElement) -> object:
        """What equal and opposite elements have in common, and hardly any others."""
        if self._is_plain:
            return element.summands, frozenset(element.generators())
        return f"{float(abs(self._value(element)).mid()):.10e}"

    def _sign(self, element: RingElement, known: RingElement) -> int | None:
        """1 or -1 for an element that is the known one or its negative; None for another."""
        if self._is_plain:
            return 1 if element == known else -1 if element == -known else None
        sign = 1 if (self._value(element) - self._value(known)).contains(0) else -1
        return sign if self.vanishes(element - known * sign) else None

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
            self._moved[key] = Valuation(element.ring, Balls(SEEDS[0], key, quaternions=element.ring.quaternions))
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
