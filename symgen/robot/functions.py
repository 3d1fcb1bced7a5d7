"""The functions that expressions in robot files may call, on exact constants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symgen.algebra import inverse_functions
from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import Exact
from symgen.algebra.roots import sqrt


@dataclass(frozen=True)
class Function:
    """A function: what it takes, in words, and how it is computed; errors are `ValueError` and `LimitError`."""

    takes: tuple[str, ...]
    compute: Callable[..., Exact]


FUNCTIONS = {
    "sqrt": Function(("a number",), sqrt),
    "sin": Function(("an angle",), lambda angle: cos_sin(angle)[1]),
    "cos": Function(("an angle",), lambda angle: cos_sin(angle)[0]),
    "atan2": Function(("y", "x"), inverse_functions.atan2),
    "atan": Function(("a tangent",), inverse_functions.atan),
    "asin": Function(("a sine",), inverse_functions.asin),
    "acos": Function(("a cosine",), inverse_functions.acos),
}
"""Name → function; angles are in radians."""
