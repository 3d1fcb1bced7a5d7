"""Limits of joints as a robot file gives them, checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from symgen.algebra.exact import Exact
from symgen.robot.joints import kind_called
from symgen.robot.model import NO_LIMITS, Limits

if TYPE_CHECKING:
    from symgen.robot.findings import Findings
    from symgen.robot.schema import LimitsTable, LinkTable

KEYS = ("lower", "upper", "velocity", "effort")
"""Keys of a table of limits."""


def limits_of(row: LinkTable, place: Callable[[str], str], defaults: Mapping[str, Exact], findings: Findings) -> Limits:
    """The limits of a link's joint; `place` makes the place of a key in messages."""
    given = row.limits
    if given is None:
        return NO_LIMITS
    kind = kind_called(row.joint)
    if kind.nv != 1:
        findings.problem(place("limits"), f"only joints with one coordinate have limits; this one is {kind.value}")
        return NO_LIMITS
    return checked(given, place, defaults, findings)


def checked(
    given: LimitsTable, place: Callable[[str], str], defaults: Mapping[str, Exact], findings: Findings
) -> Limits:
    """The limits of a table; what is wrong with them is noted in `findings`."""
    limits = Limits(given.lower, given.upper, given.velocity, given.effort)
    if not any(findings.about(place(f"limits.{key}")) for key in KEYS):
        for key, problem in faults(limits, defaults).items():
            findings.problem(place(f"limits.{key}"), problem)
    return limits


def faults(limits: Limits, defaults: Mapping[str, Exact]) -> dict[str, str]:
    """What is wrong with limits, by key."""
    values = {key: float(value.constant(defaults)) for key in KEYS if (value := getattr(limits, key)) is not None}
    found = {
        key: f"expected the largest {key}, at least 0, found {values[key]:g}"
        for key in ("velocity", "effort")
        if values.get(key, 0) < 0
    }
    if values.get("lower", 0) > values.get("upper", values.get("lower", 0)):
        found["lower"] = f"the lower limit {values['lower']:g} is above the upper one, {values['upper']:g}"
    return found
