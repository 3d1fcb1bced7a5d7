"""Motions and joint forces as histories: samples in time, checked against the joints of a robot."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from symgen.errors import InputError
from symgen.program.module import JointRecord, PositionRecord, Record
from symgen.simulation.results import ENERGIES
from symgen.simulation.tables import Table, table

Floats = NDArray[np.float64]

GAP = 10
"""A step of time that is more than so many times the median step is a gap."""


@dataclass(frozen=True)
class Kind:
    """What a history is of: the quantities that it must have and those it may have."""

    required: str
    optional: tuple[str, ...]


MOTION = Kind("q", ("qd", "qdd"))
FORCES = Kind("tau", ("q", "qd"))
_QUANTITIES = ("q", "qd", "qdd", "tau")


@dataclass(frozen=True, eq=False)
class History:
    """Samples at times `t` (s,) in s, which increase: name of a quantity → `values` (s, n), in SI units."""

    table: Table
    t: Floats
    values: Mapping[str, Floats]

    @property
    def source(self) -> str:
        """What messages call it: the path of its file, or the name of the argument."""
        return self.table.source

    def check_gaps(self, remedy: str) -> None:
        """Raise an `InputError`, which ends with the `remedy`, where a step of time is a gap."""
        steps = np.diff(self.t)
        median, longest = float(np.median(steps)), int(steps.argmax())
        if steps[longest] > GAP * median:
            raise InputError(
                f"{self.source}: there is a gap from t = {self.t[longest]:.10g} s ({self.table.place(longest)}) to "
                f"{self.t[longest + 1]:.10g} s ({self.table.place(longest + 1)}): that step is more than {GAP} times "
                f"the median of all, {median:.4g} s; {remedy}"
            )


def history(what: str, source: object, record: Record, kind: Kind) -> History:
    """The history in a `source`, as `symgen.simulation.tables.table` takes them, or the `source` if it is one.

    Columns are `t` and, for every joint (entry of q), what symgen's own tables call it, such as `q1`, or a name with
    the joint's, such as `q_shoulder`; the joint's name alone stands for the quantity that is `required`. Other columns
    of symgen's tables are not looked at. A name may be followed by its unit in brackets, which must be symgen's.

    Raises `InputError`, which says where, for columns that are missing, unknown or there twice, for fewer than two
    samples, and for times that do not increase.
    """
    if isinstance(source, History):
        return source
    found = table(what, source, [kind.required, *kind.optional] if kind is MOTION else [kind.required])
    places = _places(found, record, kind)
    values = {
        name: np.ascontiguousarray(found.values[:, [places[name, k] for k in range(len(_entries(record, name)))]])
        for name in _present(places, kind)
    }
    t = np.ascontiguousarray(found.values[:, places["t", 0]])
    if len(t) < 2:
        raise InputError(f"{found.source}: expected at least two samples, found {len(t)}")
    _check_times(found, t)
    return History(found, t, values)


# columns -----------------------------------------------------------------------------------------------------

Place = tuple[str, int]
"""A quantity and the index of a joint: what a column holds; times are ("t", 0)."""


def _entries(record: Record, quantity: str) -> Sequence[JointRecord | PositionRecord]:
    """What a quantity has a column for each of."""
    return record.positions if quantity == "q" else record.joints


def _places(found: Table, record: Record, kind: Kind) -> dict[Place, int]:
    """What a column holds → its index in the table, checked for completeness."""
    meanings, places, unknown = _meanings(record, kind), dict[Place, int](), []
    for column, name in enumerate(found.names):
        bare, unit = _split(name)
        if bare in ENERGIES:
            continue
        if bare not in meanings:
            unknown.append(name)
            continue
        place = meanings[bare]
        _check_unit(found, name, unit, place, record)
        if place in places:
            raise InputError(f"{found.source}: the columns {found.names[places[place]]!r} and {name!r} are the same")
        places[place] = column
    missing = _missing(places, record, kind)
    if unknown or missing:
        parts = [f"missing: {', '.join(missing)}"] if missing else []
        parts += [f"unknown: {', '.join(map(repr, unknown))[:200]}"] if unknown else []
        raise InputError(
            f"{found.source}: the columns do not fit the joints: {'; '.join(parts)[:400]}. {_expected(record, kind)}; "
            f"found {', '.join(found.names)[:300]}"
        )
    return places


def _meanings(record: Record, kind: Kind) -> dict[str, Place]:
    """Name of a column → what it holds; symgen's own names come before those of joints."""
    named = {each.name: (kind.required, index) for index, each in enumerate(_entries(record, kind.required))}
    for quantity in _QUANTITIES:
        entries = enumerate(_entries(record, quantity))
        named |= {f"{quantity}_{each.name}": (quantity, index) for index, each in entries}
    for quantity in _QUANTITIES:
        count = len(_entries(record, quantity))
        named |= {f"{quantity}{index + 1}": (quantity, index) for index in range(count)}
        if count == 1:
            named[quantity] = quantity, 0
    return named | {"t": ("t", 0)}


def _missing(places: Mapping[Place, int], record: Record, kind: Kind) -> list[str]:
    """Columns that are not there: times, what is required, and the rest of what is there for some joints."""
    missing = [] if ("t", 0) in places else ["t"]
    for quantity in (kind.required, *kind.optional):
        count = len(_entries(record, quantity))
        absent = [index for index in range(count) if (quantity, index) not in places]
        if quantity == kind.required or len(absent) < count:
            missing += [f"{quantity}{index + 1}" for index in absent]
    return missing


def _present(places: Mapping[Place, int], kind: Kind) -> list[str]:
    return [name for name in (kind.required, *kind.optional) if (name, 0) in places]


def _expected(record: Record, kind: Kind) -> str:
    entries = _entries(record, kind.required)
    names, what = (
        ", ".join(each.name for each in entries),
        "entries of q" if kind is MOTION and record.free else "joints",
    )
    optional = " or ".join(_range(quantity, len(_entries(record, quantity))) for quantity in kind.optional)
    text = (
        f"Expected t and {_range(kind.required, len(entries))} for the {len(entries)} {what} (or their names: {names})"
    )
    return f"{text[:300]}, and perhaps {optional}"


def _range(quantity: str, count: int) -> str:
    return f"{quantity}1" if count == 1 else f"{quantity}1 to {quantity}{count}"


# units -------------------------------------------------------------------------------------------------------


def _split(name: str) -> tuple[str, str | None]:
    """A column's name, and the unit in brackets that may follow it."""
    parts = re.fullmatch(r"([^\[(]*?)\s*(?:\(([^()]*)\)|\[([^\[\]]*)\])", name)
    return (name, None) if parts is None else (parts[1], (parts[2] or parts[3] or "").strip())


def _check_unit(found: Table, name: str, unit: str | None, place: Place, record: Record) -> None:
    expected = _unit(place, record)
    if unit is not None and _plain(unit) != _plain(expected):
        raise InputError(
            f"{found.source}: column {name!r}: expected values in {expected}, found them in {unit!r}"[:300]
        )


def _unit(place: Place, record: Record) -> str:
    quantity, index = place
    if quantity == "t":
        return "s"
    if quantity == "q":
        return record.positions[index].unit
    joint = record.joints[index]
    if quantity == "qdd":
        return f"{joint.velocity_unit}^2"  # rad/s → rad/s^2
    return joint.velocity_unit if quantity == "qd" else joint.force_unit


def _plain(unit: str) -> str:
    return re.sub(r"[\s*·^]", "", unit).replace("²", "2")


# times -------------------------------------------------------------------------------------------------------


def _check_times(found: Table, t: Floats) -> None:
    steps = np.diff(t)
    bad = np.flatnonzero(steps <= 0)
    if len(bad) == 0:
        return
    row = int(bad[0])
    before, after = found.place(row), found.place(row + 1)
    if steps[row] == 0:
        raise InputError(f"{found.source}: the time t = {t[row]:.10g} s is there twice ({before} and {after})")
    raise InputError(
        f"{found.source}, {after}: times must increase; t = {t[row + 1]:.10g} s comes after {t[row]:.10g} s ({before})"
    )
