"""The symbols of a formula: what the parameters, rates and forces that occur in it are, with units and links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from symgen.algebra.generators import COS, FUNCTION, PARAMETER, RECIPROCAL, SIN, VARIABLE, Generator
from symgen.algebra.ring_element import RingElement
from symgen.formulas.robot_in_ring import RobotInRing
from symgen.mechanics.functions.quantity import STATE
from symgen.mechanics.functions.units import entry_unit
from symgen.robot.joints import QUATERNION


@dataclass(frozen=True)
class Symbol:
    """A parameter, or an entry of q, q̇, q̈ or τ.

    `links` are the numbers (from 1) of the links whose quantity a parameter is; `value` is a parameter's in the robot
    file, None for what varies.
    """

    name: str
    meaning: str
    unit: str
    links: tuple[int, ...] = ()
    value: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {**asdict(self), "links": list(self.links)}


def symbols_of(subject: RobotInRing, elements: Iterable[RingElement]) -> list[Symbol]:
    """The symbols that occur in ring elements, in the order in which letters are written."""
    ring, alphabet = subject.ring, subject.alphabet
    pending = [ring.generators[index] for element in elements for index in element.generators()]
    found: dict[str, Generator] = {}
    while pending:
        letter = pending.pop()
        if letter.kind == RECIPROCAL:
            pending.append(letter.argument)
        elif letter.kind == FUNCTION:
            pending += [ring.generators[index] for index in letter.argument.generators()]
        elif letter.kind in (COS, SIN):
            pending += [Generator(PARAMETER, name) for name, _ in letter.angle.parameters]
        elif letter.kind in (PARAMETER, VARIABLE):
            found[subject.notation.short(letter)] = letter
    letters = sorted(found.values(), key=lambda letter: alphabet.order(alphabet.number(letter)))
    values = {name: float(value) for name, value in subject.parameter_values().items()}
    return [_symbol(subject, letter, values.get(letter.name)) for letter in letters]


def _symbol(subject: RobotInRing, letter: Generator, value: float | None) -> Symbol:
    if letter.kind == VARIABLE:
        name = subject.notation.short(letter)
        given = STATE[letter.name]
        if letter.name == "q":
            return _position(subject, name, letter.index)
        joint = subject.robot.independent_velocities[letter.index]
        meaning = f"{given.entry} of {joint.name}" if subject.robot.has_loops else given.entry
        return Symbol(name, meaning, entry_unit(given.unit, joint.measure))
    text = subject.texts[letter.name]
    return Symbol(letter.name, text.quantity, text.unit, text.links, value)


def _position(subject: RobotInRing, name: str, place: int) -> Symbol:
    """An entry of q; one of a quaternion says which."""
    entry = subject.robot.positions[place]
    if place not in subject.notation.entries:
        return Symbol(name, STATE["q"].entry, entry.position.unit)
    first = place - QUATERNION.index(entry.position)
    names = [subject.notation.entries[first + k] for k in range(4)]
    unit = " + ".join(f"{each}^2" for each in names)
    meaning = f"quaternion of {entry.joint.name}, {names[3]} its scalar part, {unit} = 1"
    return Symbol(name, meaning, entry.position.unit)


def symbol_lines(symbols: Sequence[Symbol]) -> list[str]:
    """The symbols in words, those of one kind on one line: m2, m3: mass, links 2, 3 (kg)."""
    kinds: dict[tuple[str, str], list[Symbol]] = {}
    for item in symbols:
        kinds.setdefault((item.meaning, item.unit), []).append(item)
    return [_line(*kind, items) for kind, items in kinds.items()]


def _line(meaning: str, unit: str, items: Sequence[Symbol]) -> str:
    links = sorted({link for item in items for link in item.links})
    where = f", link{'s' * (len(links) > 1)} {', '.join(map(str, links))}" if links else ""
    return f"{', '.join(item.name for item in items)}: {meaning}{where} ({unit})"
