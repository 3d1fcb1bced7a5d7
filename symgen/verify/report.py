"""What a verification found: one `Check` per comparison, and a `Report` that holds them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Check:
    """One comparison over many states.

    `kind`: "oracle" (a function against the oracle) or "identity" (functions among themselves). `error` and
    `tolerance` are of the entry that comes closest to what rounding can make of it in correct code, both relative to
    the largest entry of its state; the error is infinite if anything was not a number or a function could not be
    called, which `note` then says.
    """

    name: str
    kind: str
    states: int
    error: float
    tolerance: float
    note: str = ""

    @property
    def passed(self) -> bool:
        """Whether the worst error is within the tolerance."""
        return self.error <= self.tolerance

    @property
    def share(self) -> float:
        """Error over tolerance."""
        if np.isinf(self.tolerance) or not self.error:
            return 0.0
        return self.error / self.tolerance if self.tolerance else np.inf

    def __str__(self) -> str:
        """One line: verdict, error, tolerance, states and note."""
        verdict = "passed" if self.passed else "FAILED"
        text = f"{verdict}  {self.name} ({self.kind}): error {self.error:.1e}, tolerance {self.tolerance:.1e}"
        return f"{text}, {self.states} states" + (f"; {self.note}" if self.note else "")


@dataclass(frozen=True)
class Report:
    """All checks of one robot's functions."""

    robot: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every check passed, and there was at least one."""
        return bool(self.checks) and all(check.passed for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that did not pass."""
        return tuple(check for check in self.checks if not check.passed)

    def __str__(self) -> str:
        """One line for the verdict, one for every check."""
        return "\n".join([f"{self.robot}: {'passed' if self.passed else 'FAILED'}", *map(str, self.checks)])
