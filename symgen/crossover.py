"""Where the O(n) forward dynamics begins to need fewer operations than the elimination of the inertia matrix."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.derivation import Options, derive
from symgen.effort import LOW
from symgen.options import SYMBOLIC
from symgen.program.counts import Counts
from symgen.robot.library import chain

FIRST, LAST = 2, 16
"""Numbers of joints that are compared."""


@dataclass(frozen=True)
class Crossover:
    """(n, counts by U D U^T, counts by articulated bodies) of general arms with every parameter symbolic.

    `multiplications` is n*, the least n from which on articulated bodies need fewer multiplications, `additions` n+,
    the same for additions; None if that is beyond the last n.
    """

    rows: tuple[tuple[int, Counts, Counts], ...]

    @property
    def multiplications(self) -> int | None:
        """n*."""
        return self._first([aba.mul < udu.mul for _, udu, aba in self.rows])

    @property
    def additions(self) -> int | None:
        """n+."""
        return self._first([aba.add < udu.add for _, udu, aba in self.rows])

    def _first(self, fewer: list[bool]) -> int | None:
        last = max((k for k, each in enumerate(fewer) if not each), default=-1)
        return self.rows[last + 1][0] if last + 1 < len(fewer) else None

    @property
    def text(self) -> str:
        """n* and n+ in words."""
        star, plus = (str(n) if n else f"beyond {LAST}" for n in (self.multiplications, self.additions))
        return f"the O(n) algorithm needs fewer multiplications from n* = {star}, fewer additions from n+ = {plus}"


def crossover() -> Crossover:
    """Count both algorithms on generated code of general arms."""
    rows = []
    for n in range(FIRST, LAST + 1):
        udu, aba = (
            derive(
                chain(n),
                Options(functions=("forward_dynamics",), forward_dynamics=name, parameters=SYMBOLIC, effort=LOW),
            ).counts["forward_dynamics"]
            for name in ("udu", "aba")
        )
        rows.append((n, udu, aba))
    return Crossover(tuple(rows))
