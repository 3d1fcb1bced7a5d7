"""What acts in cut joints, friction and springs, and their limits, as a robot file gives them, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from symgen.algebra.exact import Exact
from symgen.robot import drives, limits
from symgen.robot.expression import Expression
from symgen.robot.findings import Findings
from symgen.robot.loops import CutKind
from symgen.robot.model import NO_DRIVE, NO_LIMITS, Drive, Limits
from symgen.robot.schema import LoopTable

_NONE = "a {kind} cut joint has no coordinate that friction, springs or limits could belong to: leave it out"
_SEVERAL = (
    "a {kind} cut joint has several coordinates, and friction, springs and limits belong to one: cut the loop at "
    "another joint, or write this one as joints of one coordinate each, with links without mass between, and cut one"
)
_NO_MOTOR = "no motor drives a cut joint: leave effort out"


def cut_drive(
    loop: LoopTable, kind: CutKind, place: Callable[[str], str], defaults: Mapping[str, Exact], findings: Findings
) -> tuple[Drive, Limits]:
    """Friction and spring of a cut joint, and its limits; `place` makes the place of a key in messages."""
    given = {key: value for key in drives.ACTING if (value := getattr(loop, key)) is not None}
    if len(kind.coordinates) != 1:
        for key in [*given, *(["limits"] if loop.limits is not None else [])]:
            text = _SEVERAL if kind.coordinates else _NONE
            findings.problem(place(key), text.format(kind=kind.value))
        return NO_DRIVE, NO_LIMITS
    if loop.limits is not None and loop.limits.effort is not None:
        findings.problem(place("limits.effort"), _NO_MOTOR)
    drive = drives.checked(given, place, defaults, findings)
    return drive, NO_LIMITS if loop.limits is None else limits.checked(loop.limits, place, defaults, findings)


def numbers(loop: LoopTable) -> Iterable[tuple[str, Expression]]:
    """(key, number) of all that acts in a cut joint and limits it."""
    for key in drives.ACTING:
        if (value := getattr(loop, key)) is not None:
            yield key, value
    for key in limits.KEYS if loop.limits is not None else ():
        if (value := getattr(loop.limits, key)) is not None:
            yield f"limits.{key}", value
