"""How the loops of a robot are closed by iteration."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.derive.records import independent_places
from symgen.derive.subject import Subject
from symgen.mechanics.functions.loops import ASSEMBLY, START
from symgen.program.module import Assembly, Function

MOST = 50
"""Steps after which a posture is given up."""

CLOSED = {"float64": 1e-12, "float32": 1e-5}
"""Residual (m, or 1) of a closed posture, by the real type of the code; of large robots more, as they are larger."""

LARGE = 10.0
"""The size of a large robot, in m."""


def assembly_of(subject: Subject, functions: Sequence[Function], real: str) -> Assembly | None:
    """The iteration of the function for it, if that is generated."""
    if not any(function.kind == ASSEMBLY for function in functions):
        return None
    closed = CLOSED[real] * max(1.0, subject.plan.size / LARGE)
    # Few digits, which every machine makes alike.
    start = next((function.name for function in functions if function.kind == START), "")
    return Assembly(ASSEMBLY, independent_places(subject.robot), float(f"{closed * closed:.1e}"), MOST, start)
