"""Where the O(n) forward dynamics begins to need fewer operations than the elimination of the inertia matrix."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.derive.effort import LOW
from symgen.derive.options import SYMBOLIC, Options
from symgen.generation.kept import derive
from symgen.program.counts import Counts
from symgen.robot.library import chain

FIRST, LAST = 2, 16
"""Numbers of joints that are compared."""


@dataclass(frozen=True)
class Crossover:
    """(n, counts by an algorithm of order n³, counts by one of order n) of general arms.

    `multiplications` is n*, the least n from which on the latter needs fewer multiplications; `both` is n+, the least n
    from which on it needs fewer multiplications and fewer additions. None if that is beyond the last n.
    """

    rows: tuple[tuple[int, Counts, Counts], ...]

    @property
    def multiplications(self) -> int | None:
        """n*."""
        return self._first([linear.mul < cubic.mul for _, cubic, linear in self.rows])

    @property
    def both(self) -> int | None:
        """n+."""
        return self._first([linear.mul < cubic.mul and linear.add < cubic.add for _, cubic, linear in self.rows])

    def _first(self, fewer: list[bool]) -> int | None:
        last = max((k for k, each in enumerate(fewer) if not each), default=-1)
        return self.rows[last + 1][0] if last + 1 < len(fewer) else None

    @property
    def text(self) -> str:
        """n* and n+ in words."""
        beyond = f"beyond {self.rows[-1][0]}"
        star, plus = (str(n) if n else beyond for n in (self.multiplications, self.both))
        return f"the O(n) algorithm needs fewer multiplications from n* = {star}, fewer in both from n+ = {plus}"


def crossover() -> Crossover:
    """Count U D Uᵀ factors and articulated bodies on generated code of general arms, every parameter symbolic."""
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
