"""Blocks of matrices as CasADi has them: entries column by column, each with its place in an array of the C code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import prod

from symgen.program.module import Argument
from symgen.program.pattern import Pattern


@dataclass(frozen=True)
class Block:
    """A matrix rows × columns: its entries (column, row, place) in order; `array` is the C array that places are in."""

    rows: int
    columns: int
    entries: tuple[tuple[int, int, int], ...]
    array: str = ""

    @property
    def extents(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    @property
    def size(self) -> int:
        """The number of its entries, those that are zero by structure with them."""
        return self.rows * self.columns

    def named(self, array: str) -> Block:
        """The same places of another array."""
        return replace(self, array=array)

    @property
    def transposed(self) -> Block:
        """The transpose, of the same array."""
        return block(self.columns, self.rows, ((column, row, place) for column, row, place in self.entries), self.array)

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each entry in the array."""
        return tuple(place for _, _, place in self.entries)

    @property
    def sparsity(self) -> tuple[int, ...]:
        """CasADi's code of the pattern: rows, columns, and 1 if all entries are there, else its compressed columns."""
        if len(self.entries) == self.rows * self.columns:
            return (self.rows, self.columns, 1)
        ends = [sum(column < end for column, _, _ in self.entries) for end in range(self.columns + 1)]
        return (self.rows, self.columns, *ends, *(row for _, row, _ in self.entries))


def block(rows: int, columns: int, entries: Iterable[tuple[int, int, int]], array: str = "") -> Block:
    """The block with these entries (row, column, place), in any order."""
    return Block(rows, columns, tuple(sorted((column, row, place) for row, column, place in entries)), array)


def nothing(rows: int, columns: int) -> Block:
    """A block without entries: all are zero at every state."""
    return Block(rows, columns, ())


def filled(rows: int, columns: int) -> Block:
    """A block with all entries, of no array."""
    return block(rows, columns, ((i, j, 0) for i in range(rows) for j in range(columns)))


def block_of(argument: Argument, pattern: Pattern | None = None) -> Block:
    """An argument as a matrix: vectors are columns; an array has a row for each entry of all dimensions but the last.

    `pattern` tells which entries may be other than zero, where the argument is whole.
    """
    if argument.pattern is not None:
        pairs = _pairs(argument.pattern)
        return block(*_extents(argument.pattern.shape), ((*pair, k) for k, pair in enumerate(pairs)), argument.name)
    rows, columns = _extents(argument.shape)
    every = [(i, j) for i in range(rows) for j in range(columns)] if pattern is None else _pairs(pattern)
    return block(rows, columns, ((i, j, i * columns + j) for i, j in every), argument.name)


def _extents(shape: tuple[int, ...]) -> tuple[int, int]:
    if len(shape) < 2:
        return (*shape, 1)[0], 1
    return prod(shape[:-1]), shape[-1]


def _pairs(pattern: Pattern) -> list[tuple[int, int]]:
    columns = pattern.shape[-1]
    return [divmod(place, columns) for place in pattern.places]
