"""Functions whose q has its quaternions in another order than the oracle's: x, y, z, w."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Any, TypeVar

import numpy as np

from symgen.verify.entry import CONFIGURATIONS, NQ, Signature
from symgen.verify.geometry import Floats

Order = Sequence[int]
"""For each entry of a function's q its place in the oracle's; empty for the same."""

_Called = TypeVar("_Called", bound=Callable[..., Any])


def theirs(order: Order, name: str, value: Floats) -> Floats:
    """An argument of the oracle's as a function takes it."""
    return np.asarray(value[..., list(order)]) if order and name in CONFIGURATIONS else value


def results(order: Order, signature: Signature, arrays: Sequence[Floats]) -> list[Floats]:
    """Arrays of the oracle's as a function returns them."""
    if not order:
        return list(arrays)
    shapes = cycle(signature.entry.shapes)  # those of one frame after the other
    return [array[..., list(order)] if shape == (NQ,) else array for array, shape in zip(arrays, shapes, strict=False)]


def ours(order: Order, signatures: Mapping[str, Signature], functions: Mapping[str, _Called]) -> dict[str, Any]:
    """Functions as ones of the oracle's q, and what their code can err likewise."""
    if not order:
        return dict(functions)
    return {name: _carried(order, signatures[name], function) for name, function in functions.items()}


def _carried(order: Order, signature: Signature, function: Callable[..., Any]) -> Callable[..., Any]:
    back = np.argsort(order).tolist()

    def called(*arguments: Floats, **words: Any) -> Any:
        given = [theirs(order, name, value) for name, value in zip(signature.arguments, arguments, strict=True)]
        found = function(*given, **words)
        if (NQ,) not in signature.entry.shapes:
            return found
        return type(found)(results(back, signature, found)) if isinstance(found, tuple | list) else found[..., back]

    return called
