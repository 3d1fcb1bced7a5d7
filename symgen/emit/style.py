"""How a language wants programs lowered, and the numbers of its real type."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from symgen.algebra.exact import Exact
from symgen.algebra.zero import is_zero
from symgen.errors import LimitError
from symgen.program.program import Op


class Sines(Enum):
    """Where sines and cosines are computed: where they are needed, first of all, or in a function before."""

    WHERE_NEEDED = 0
    FIRST = 1
    BEFORE = 2


@dataclass(frozen=True)
class Style:
    """How a language wants programs lowered.

    Operations in `called` are computed by kernels, which statements of their own call. Long programs may have `loops`.
    No variable has a name in `reserved`.
    """

    real: str = "float64"
    sines: Sines = Sines.WHERE_NEEDED
    called: frozenset[Op] = frozenset()
    loops: bool = False
    reserved: frozenset[str] = frozenset()


def rounded(value: Exact, real: str) -> float:
    """The number of the real type that is nearest to `value`; `LimitError` if the type cannot hold it."""
    if real == "float64":
        return float(value)
    with np.errstate(over="ignore"):
        number = np.float32(float(value))
    if not np.isfinite(number) or (number == 0.0 and not is_zero(value)):
        raise LimitError(f"the constant {float(value)!r} is out of the range of float32; use float64")
    return float(number)


def literal(value: float, real: str) -> str:
    """The shortest decimal that the real type reads as `value`, with a point or an exponent."""
    text = repr(float(value)) if real == "float64" else str(np.float32(value))
    return text if "." in text or "e" in text else f"{text}.0"
