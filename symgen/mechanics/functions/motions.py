"""Derivatives of functions of robots with loops along their closed motions, by dual numbers.

When an independent coordinate goes ahead, q goes along its column of G, and everything with it: the value of a function
over dual numbers has its derivative beside it, exactly, whatever the function is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from symgen.algebra.domain import Matrix, Scalar, Vector, vector, zeros
from symgen.algebra.duals import Dual
from symgen.mechanics.functions.state import State
from symgen.mechanics.mechanism import Mechanism

Vectors = Callable[[Mechanism], Any]
"""A function of a mechanism's inputs, with a vector of values of its domain."""


def by_positions(state: State, function: Vectors) -> Matrix:
    """∂f/∂q_a, p×ni, along the closed motions; other inputs stay."""
    columns = state.reduction.matrix
    return _columns(state, (_slopes(state, {"q": list(columns[:, j])}, function) for j in range(state.mechanism.ni)))


def by_input(state: State, name: str, function: Vectors) -> Matrix:
    """∂f/∂x, p×ni, by an input with an entry for every independent rate."""
    return _columns(state, (_slopes(state, {name: unit}, function) for unit in _units(state)))


def rate_of(state: State, function: Vectors) -> Vector:
    """ḟ at the input q̇, of a function of q alone."""
    return vector(_slopes(state, {"q": state.velocity}, function))


def _units(state: State) -> Iterator[list[Scalar]]:
    domain, count = state.mechanism.domain, state.mechanism.ni
    for j in range(count):
        unit = list(zeros(domain, count))
        unit[j] = domain.constant(1)
        yield unit


def _slopes(state: State, way: Mapping[str, Sequence[Scalar]], function: Vectors) -> list[Scalar]:
    assert state.mechanism.along is not None
    return [value.slope for value in function(state.mechanism.along(way)) if isinstance(value, Dual)]


def _columns(state: State, columns: Iterator[list[Scalar]]) -> Matrix:
    found = list(columns)
    result = zeros(state.mechanism.domain, len(found[0]), len(found))
    for j, column in enumerate(found):
        result[:, j] = column
    return result
