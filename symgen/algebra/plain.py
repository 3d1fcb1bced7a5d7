"""Values ↔ plain data, exactly: dataclasses, named tuples, enumerations and exact numbers as JSON; nothing is run.

A `Codec` knows the classes that may occur. JSON holds a tuple as an array, and everything else that is no text, no
number that JSON has, and none of true, false and null as an object with one key, the name of its class:

    (1, 2.5, "a")        [1,2.5,"a"]
    Fraction(1, 3)       {"Fraction":[1,3]}
    Exact: √2/2          {"Exact":[[1,2,[[0,1]]]]}   terms, whose atoms are places in a table before the value
    Counts(mul=1, …)     {"Counts":[1,…]}            the values of the fields, in order
    Op.ADD               {"Op":["ADD"]}

Equal values have equal texts, in all processes, but for the order of entries of dicts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import partial
from hashlib import sha256
from types import ModuleType
from typing import Any

from symgen.algebra.atoms import KINDS, Atom, atom_named, register
from symgen.algebra.exact import Exact

_SHORT = 10**18
"""Integers from this on are written in hexadecimal: Python takes long over decimals, and refuses the longest."""


class PlainError(ValueError):
    """A value cannot be written as plain data, or plain data is not what a value was written as."""


@dataclass(frozen=True)
class Form:
    """How objects of a class are written: by `parts` that are written in turn, of which `made` makes an equal one."""

    kind: type
    parts: Callable[[Any], Sequence[Any]]
    made: Callable[..., Any]


def forms_in(*modules: ModuleType) -> list[Form]:
    """The forms of all dataclasses, named tuples and enumerations that modules define."""
    return [
        form_of(kind)
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type)
        and kind.__module__ == module.__name__
        and (is_dataclass(kind) or issubclass(kind, Enum) or hasattr(kind, "_fields"))
    ]


def form_of(kind: type) -> Form:
    """The form of a dataclass, by the fields that its constructor takes, of a named tuple, or of an enumeration, by a
    member's name."""
    if issubclass(kind, Enum):
        return Form(kind, lambda member: (member.name,), partial(_member, kind))
    if issubclass(kind, tuple):
        return Form(kind, tuple, kind)
    assert is_dataclass(kind), kind
    names = [field.name for field in fields(kind) if field.init]
    return Form(kind, lambda value: [getattr(value, name) for name in names], partial(_made, kind, len(names)))


def _member(kind: type[Enum], name: str) -> Enum:
    return kind[name]


def _made(kind: type, count: int, *values: Any) -> Any:
    if len(values) != count:
        raise PlainError(f"{kind.__name__} has {count} fields, found {len(values)}")
    return kind(*values)


class Codec:
    """Writes and reads values made of the classes of some forms."""

    def __init__(self, forms: Iterable[Form]) -> None:
        forms = [*forms, Form(Fraction, lambda value: (value.numerator, value.denominator), Fraction)]
        self.of_class = {form.kind: form for form in forms}
        self.of_name: Mapping[str, Form] = {form.kind.__name__: form for form in forms}
        assert len(self.of_name) == len(self.of_class), "classes are known by their names"

    def text(self, value: Any) -> bytes:
        """`value` as JSON; `PlainError` if something in it is of no known class."""
        writing = _Writing(self)
        plain = writing.plain(value)
        return json.dumps([writing.atoms, plain], separators=(",", ":")).encode()

    def value(self, text: bytes) -> Any:
        """What was written as this text; `PlainError`, and no other, if it was not written so."""
        try:
            atoms, plain = json.loads(text)
            return _Reading(self, atoms).value(plain)
        except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError) as error:
            raise PlainError(f"this is not what was written: {error}"[:200]) from error

    def digest(self, value: Any) -> str:
        """A hash of all that `value` is made of."""
        return sha256(self.text(value)).hexdigest()


class _Writing:
    """The writing of one value; `atoms` are those that its constants hold: kind, radicand, argument."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.atoms: list[list[Any]] = []
        self._places: dict[str, int] = {}

    def plain(self, value: Any) -> Any:
        kind = type(value)
        if kind is tuple:
            return [self.plain(item) for item in value]
        if kind is str or value is None or kind is bool:
            return value
        if kind is int:
            return value if -_SHORT < value < _SHORT else {"int": [hex(value)]}
        if isinstance(value, float):
            return float(value)
        if kind is Exact:
            return {"Exact": self._terms(value)}
        if kind is list:
            return {"list": [self.plain(item) for item in value]}
        if isinstance(value, dict):
            return {"dict": [[self.plain(key), self.plain(item)] for key, item in value.items()]}
        form = self.codec.of_class.get(kind)
        if form is None:
            raise PlainError(f"no form is known for {kind.__module__}.{kind.__qualname__}")
        return {kind.__name__: [self.plain(part) for part in form.parts(value)]}

    def _terms(self, value: Exact) -> list[Any]:
        terms = []
        for monomial, coefficient in value.sorted_terms():
            powers = [[self._place(name), power] for name, power in monomial]
            terms.append([self.plain(coefficient.numerator), self.plain(coefficient.denominator), powers])
        return terms

    def _place(self, name: str) -> int:
        if name not in self._places:
            atom = atom_named(name)
            argument = None if atom.argument is None else self._terms(atom.argument)
            self.atoms.append([atom.kind, self.plain(atom.radicand), argument])
            self._places[name] = len(self.atoms) - 1
        return self._places[name]


class _Reading:
    """The reading of one value, whose constants are made of `atoms`."""

    def __init__(self, codec: Codec, atoms: Sequence[Any]) -> None:
        self.codec = codec
        self.names: list[str] = []
        for kind, radicand, argument in atoms:
            if kind not in KINDS:
                raise PlainError(f"there are no atoms of the kind {kind!r}")
            atom = Atom(kind, self.value(radicand), None if argument is None else self._exact(argument))
            self.names.append(register(atom))

    def value(self, plain: Any) -> Any:
        kind = type(plain)
        if kind is list:
            return tuple([self.value(item) for item in plain])
        if kind is not dict:
            return plain
        ((name, parts),) = plain.items()
        match name:
            case "Exact":
                return self._exact(parts)
            case "int":
                return int(parts[0], 16)
            case "list":
                return [self.value(part) for part in parts]
            case "dict":
                return {self.value(key): self.value(item) for key, item in parts}
        return self.codec.of_name[name].made(*[self.value(part) for part in parts])

    def _exact(self, terms: Sequence[Any]) -> Exact:
        return Exact({self._monomial(powers): Fraction(self.value(n), self.value(d)) for n, d, powers in terms})

    def _monomial(self, powers: Sequence[Any]) -> tuple[tuple[str, int], ...]:
        if not all(type(place) is int and 0 <= place < len(self.names) and power > 0 for place, power in powers):
            raise PlainError("a constant refers to an atom that is not in the table")
        return tuple([(self.names[place], power) for place, power in powers])
