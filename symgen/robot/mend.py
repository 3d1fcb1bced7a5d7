"""A robot file with mistakes, mended so that the checks after the schema's can run too: all problems are told at once.

A mended file is never made into a robot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Place = tuple[str | int, ...]

_LOOPS = {"loops", "couplings", "actuated", "independent", "posture", "contacts"}

_STAND_INS = {"name": "mended", "convention": "standard", "gravity": [0, 0, 0]}


@dataclass(frozen=True)
class Mended:
    """What is left of a file's data, and the indices of the links that had a fault."""

    data: dict[str, Any]
    broken: frozenset[int]


def mend(data: dict[str, Any], faults: Iterable[Place]) -> Mended | None:
    """`data` with what is at fault left out, or replaced where it must be there; None if too little is left."""
    places = set(faults)
    if places & {("links",), ("parameters",)}:
        return None
    faulty = {place[0] for place in places if place[0] != "frames" or len(place) < 3} - {"links", "parameters"}
    faulty |= _LOOPS if faulty & _LOOPS else set()  # the rest of them makes no sense alone
    result = _STAND_INS | {key: value for key, value in data.items() if key not in faulty}
    if faulty - _STAND_INS.keys() - _LOOPS:
        result.setdefault("inertia_about", "com")  # what is faulty may have been meant for it
    bad = {place[1] for place in places if place[0] == "parameters"}
    result["parameters"] = {key: 1 if key in bad else value for key, value in data.get("parameters", {}).items()}
    broken = frozenset(place[1] for place in places if place[0] == "links" and isinstance(place[1], int))
    hidden = {"gamma", "before"} if "convention" in faulty else set()
    result["links"] = [
        {"joint": "revolute"} | _kept(row, _keys(places, "links", index) | hidden)
        for index, row in enumerate(data["links"])
    ]
    if "frames" in result:
        result["frames"] = [
            {"name": f"mended {index + 1}"} | _kept(entry, _keys(places, "frames", index))
            for index, entry in enumerate(result["frames"])
        ]
    return Mended(result, broken)


def _keys(places: set[Place], table: str, index: int) -> set[Any]:
    """The keys at fault in one entry of an array of tables."""
    return {place[2] for place in places if place[:2] == (table, index) and len(place) > 2}


def _kept(entry: Any, faulty: set[Any]) -> dict[str, Any]:
    given = entry if isinstance(entry, dict) else {}
    return {key: value for key, value in given.items() if key not in faulty}
