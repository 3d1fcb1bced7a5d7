"""The letters of a formula: the generators of its ring, and cosines and sines of sums and multiples of their angles."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from symgen.algebra.generators import (
    CONSTANT,
    COS,
    DEFINITION,
    FUNCTION,
    PARAMETER,
    RECIPROCAL,
    SIN,
    VARIABLE,
    Angle,
    Generator,
)
from symgen.algebra.ring import Ring, RingElement
from symgen.formulas.writing.polynomials import Polynomial, whole

RATES = ("qd", "qdd", "tau")
"""Input arrays whose products head the parts of a formula."""


@dataclass(frozen=True)
class ParallelJoints:
    """Joints with parallel axes along one branch: their indices from the base outward and the senses of their axes."""

    joints: tuple[int, ...]
    senses: tuple[int, ...]


class Alphabet:
    """Letters by number; those of the ring's generators have the generators' indices."""

    def __init__(
        self,
        ring: Ring,
        *,
        inertial: Collection[str] = (),
        heads: Collection[str] = (),
        parallel: Sequence[ParallelJoints] = (),
    ) -> None:
        self.ring = ring
        self.inertial = frozenset(inertial)
        self.heads = frozenset(heads)
        self.parallel = tuple(parallel)
        self._extra: list[Generator] = []
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._orders: dict[int, tuple[str, ...]] = {}
        self.factored: dict[Any, Any] = {}

    def polynomial(self, element: RingElement) -> Polynomial:
        """The terms of a ring element."""
        return {tuple(sorted(powers.items())): whole(value) for powers, value in element.terms()}

    def letter(self, number: int) -> Generator:
        """What a letter stands for."""
        return self._extra[-number - 1] if number < 0 else self.ring.generators[number]

    def number(self, generator: Generator) -> int:
        """The letter of a generator; letters that the ring lacks are negative."""
        known = self.ring.find(generator)
        if known is not None:
            return known
        key = generator.key
        if key not in self._numbers:
            self._extra.append(generator)
            self._numbers[key] = -len(self._extra)
        return self._numbers[key]

    def circle(self, angle: Angle) -> tuple[int, int]:
        """Letters of the cosine and sine of an angle."""
        return self.number(Generator(COS, angle=angle)), self.number(Generator(SIN, angle=angle))

    # kinds ---------------------------------------------------------------------------------------

    def is_inertial(self, number: int) -> bool:
        """Whether a letter is a parameter by which formulas are collected."""
        letter = self.letter(number)
        return letter.kind in (PARAMETER, DEFINITION) and letter.name in self.inertial

    def is_head(self, number: int) -> bool:
        """Whether a letter is a velocity, an acceleration, a force, or gravity: what heads a part of a formula."""
        letter = self.letter(number)
        if letter.kind == VARIABLE:
            return letter.name in RATES
        return letter.kind == FUNCTION or (letter.kind == PARAMETER and letter.name in self.heads)

    def head_rank(self, number: int) -> int:
        """0 for what is no head; accelerations and forces come before velocities, gravity last."""
        letter = self.letter(number)
        if not self.is_head(number):
            return 0
        return {"qdd": 1, "tau": 1, "qd": 2}.get(letter.name, 3) if letter.kind == VARIABLE else 3

    def is_trigonometric(self, number: int) -> bool:
        """Whether a letter is a cosine or sine."""
        return self.letter(number).kind in (COS, SIN)

    def angles(self, numbers: Iterable[int]) -> list[Angle]:
        """The angles whose cosine or sine is among the letters, sorted."""
        found = {self.letter(number).angle for number in numbers if self.is_trigonometric(number)}
        return sorted(found, key=lambda angle: (angle.joints, angle.parameters, str(angle.constant)))

    # order ---------------------------------------------------------------------------------------

    def order(self, number: int) -> tuple[str, ...]:
        """Where a letter stands in a product: constants, parameters, positions, cosines and sines, rates."""
        if number not in self._orders:
            self._orders[number] = tuple(_text(part) for part in self._order(number))
        return self._orders[number]

    def _order(self, number: int) -> tuple[Any, ...]:
        letter = self.letter(number)
        if letter.kind in (COS, SIN):
            angle = letter.angle
            return 4, angle.joints, angle.parameters, str(angle.constant), letter.kind
        if letter.kind == CONSTANT:
            return 0, not letter.name.startswith(("sqrt", "pi")), letter.name
        if letter.kind == VARIABLE:
            return (7 if letter.name in RATES else 2), letter.index, letter.name
        if letter.kind == RECIPROCAL:
            return 6, letter.name
        if letter.kind == FUNCTION:
            return 8, letter.name
        return 1, *_stem_and_number(letter.name)


def _text(value: Any) -> str:
    """A text that sorts as the value does among its like."""
    if isinstance(value, tuple):
        return " ".join(map(_text, value))
    return f"{value:06d}" if isinstance(value, int) else str(value)


def _stem_and_number(name: str) -> tuple[Any, ...]:
    """Names in the order of links: by number, then mass, then other names."""
    match = re.match(r"(.*?)(\d+)(.*)\Z", name, re.DOTALL)
    if match is None:
        return 0, name, ""
    stem, number, rest = match.groups()
    return int(number), ("" if stem == "m" else stem), rest
