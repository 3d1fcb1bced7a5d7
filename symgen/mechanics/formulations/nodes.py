"""Formulas that are worked out by nodes, one for each chain, and what they tell each other in between.

A scheme is one text over a domain. Where it says `exchange`, every node has worked out what it contributes, and then
knows the contributions of all; where it says `tell`, sums of them, and what is made of these, become known to the
chains. On one node both leave their arguments as they are; where a scheme is to be cut into parts, they are noted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

Arrays = tuple[NDArray[Any], ...]
"""What is exchanged: arrays of scalars."""


class Nodes(Protocol):
    """Who works out a scheme."""

    def exchange(self, contributions: Sequence[Arrays]) -> list[Arrays]:
        """What every chain contributes, in the order of the chains, as all nodes have it afterwards."""

    def tell(self, *arrays: NDArray[Any]) -> Arrays:
        """What follows from contributions, as chains have it afterwards."""


class Alone:
    """One node works out everything."""

    def exchange(self, contributions: Sequence[Arrays]) -> list[Arrays]:
        """The contributions."""
        return list(contributions)

    def tell(self, *arrays: NDArray[Any]) -> Arrays:
        """The arrays."""
        return arrays


def total(contributions: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The sum over the chains, in their order."""
    result = contributions[0]
    for each in contributions[1:]:
        result = result + each
    return result
