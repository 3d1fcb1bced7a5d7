"""How a target language writes a program, and what a program is written as."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from symgen.algebra.exact import Exact
from symgen.errors import LimitError
from symgen.program.program import Op


class Sines(Enum):
    """Where sines and cosines are computed: where they are needed, first of all, or in a function before."""

    WHERE_NEEDED = 0
    FIRST = 1
    BEFORE = 2


SINE, COSINE = "sine", "cosine"
"""The arrays that hold the sines and cosines of the angles, where those come first or before."""


@dataclass(frozen=True)
class Dialect:
    """How a target language writes entries of inputs and outputs, constants and functions.

    Functions in `called` take the name of a variable and that of their result, by a statement of their own. `spread`
    writes what is one number for all states where variables are vectors of states. Long programs may have `loops`.
    """

    variable: Callable[[str, int | str], str]
    output: Callable[[str, int | str], str]
    literal: Callable[[Exact], str]
    functions: Mapping[Op, str]
    sines: Sines = Sines.WHERE_NEEDED
    called: Mapping[Op, Callable[[str, str], str]] = field(default_factory=dict)
    spread: Callable[[str], str] | None = None
    loops: bool = False


@dataclass(frozen=True)
class Statement:
    """`target` = `text`, where the target is a new local variable or an entry of an output array.

    A `call` is a text alone, which sets the new local variable.
    """

    target: str
    text: str
    local: bool
    call: bool = False


@dataclass(frozen=True)
class Turns:
    """A loop: `body` is run `times` times, with `index` counting from 0.

    `lasts` are variables for what a turn needs of the one before: (name, value before, value after a turn).
    `tables` are constant arrays of a row for each turn: name → rows of numbers, as text. `places` are tables of whole
    numbers.
    """

    index: str
    times: int
    lasts: tuple[tuple[str, str, str], ...]
    tables: Mapping[str, tuple[tuple[str, ...], ...]]
    places: Mapping[str, tuple[tuple[int, ...], ...]]
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Code:
    """A program in a target language.

    `angles` are the angles whose sines and cosines come first, `head` is what they are made of; `points` are the names
    that the body gives to the sine and cosine of each, if it needs them. `arrays` are local arrays: name → size.
    """

    head: tuple[Statement, ...]
    angles: tuple[str, ...]
    points: tuple[tuple[str | None, str | None], ...]
    body: tuple[Statement | Turns, ...]
    arrays: Mapping[str, int] = field(default_factory=dict)


def literal(value: Exact, real: str) -> str:
    """The shortest decimal that reads back as the real number nearest to `value`, with a point or an exponent.

    Raises `LimitError` if the real type cannot hold the value.
    """
    if real == "float64":
        return repr(float(value))
    number = np.float32(float(value))
    if not np.isfinite(number) or (number == 0.0 and value):
        raise LimitError(f"the constant {float(value)!r} is out of the range of float32; use float64")
    text = str(number)
    return text if "." in text or "e" in text else f"{text}.0"
