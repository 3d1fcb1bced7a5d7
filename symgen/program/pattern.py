"""Which entries of a matrix can be other than zero: its pattern, in compressed columns (CSC)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Pattern(NamedTuple):
    """The entries of an array of `shape` that are not zero whatever the state, column by column.

    Value k lies in row `indices[k]`, counted from 0; those of column j are the values from `indptr[j]` to before
    `indptr[j + 1]`, by rows. All such entries are there: of a symmetric matrix both triangles. An array of three or
    more dimensions is the matrix that has a row for each entry of all dimensions but the last. There always is a value:
    of an array that is zero throughout it is the first entry.
    """

    indptr: tuple[int, ...]
    indices: tuple[int, ...]
    shape: tuple[int, ...]

    @property
    def nnz(self) -> int:
        """Number of values."""
        return len(self.indices)

    @property
    def rows(self) -> int:
        """Number of rows of the matrix: all entries of all dimensions but the last."""
        return prod(self.shape[:-1])

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each value in the whole array, row by row."""
        columns = self.shape[-1]
        spans = enumerate(pairwise(self.indptr))
        return tuple(row * columns + column for column, span in spans for row in self.indices[slice(*span)])

    def pack(self, array: ArrayLike) -> NDArray[Any]:
        """The values (…, nnz) of whole arrays (…, *shape); what is not in the pattern is not looked at."""
        whole = np.asarray(array)
        batch = self._batch(whole, self.shape)
        return np.asarray(whole.reshape(*batch, prod(self.shape))[..., list(self.places)])

    def unpack(self, values: ArrayLike) -> NDArray[Any]:
        """The whole arrays (…, *shape) of values (…, nnz); `ValueError` for another shape."""
        found = np.asarray(values)
        batch = self._batch(found, (self.nnz,))
        padded: NDArray[Any] = np.zeros((*batch, self.nnz + 1), dtype=found.dtype)  # 0 in the end, for other entries
        padded[..., : self.nnz] = found
        source = np.full(prod(self.shape), self.nnz)
        source[list(self.places)] = range(self.nnz)
        return padded.take(source, axis=-1).reshape(*batch, *self.shape)

    def csc(self, values: ArrayLike) -> Any:
        """SciPy's `csc_array` of the values (nnz,) of one state; without SciPy its `ImportError`."""
        from scipy.sparse import csc_array

        found = np.asarray(values)
        if found.shape != (self.nnz,):
            raise ValueError(
                f"a sparse matrix holds one state: expected values of shape ({self.nnz},), {_found(found)}"
            )
        return csc_array((found, self.indices, self.indptr), shape=(self.rows, self.shape[-1]))

    def text(self) -> str:
        """A picture: x where an entry may be other than zero, a point where it is zero."""
        held, columns = set(self.places), self.shape[-1]
        rows = [[row * columns + column in held for column in range(columns)] for row in range(self.rows)]
        return "\n".join(" ".join("x" if each else "." for each in row) for row in rows)

    def as_dict(self) -> dict[str, Any]:
        """Plain data; rows count from 0, as in code."""
        return {
            "shape": list(self.shape),
            "nnz": self.nnz,
            "indptr": list(self.indptr),
            "indices": list(self.indices),
        }

    def _batch(self, array: NDArray[Any], shape: tuple[int, ...]) -> tuple[int, ...]:
        """The leading dimensions of an array (…, *shape)."""
        first = array.ndim - len(shape)
        if first < 0 or array.shape[first:] != shape:
            raise ValueError(f"expected an array of shape ({', '.join(['...', *map(str, shape)])}), {_found(array)}")
        return array.shape[:first]


def _found(array: NDArray[Any]) -> str:
    return f"found one of shape {array.shape}" if array.ndim else "found a scalar"


def pattern_of(shape: Sequence[int], places: Collection[int]) -> Pattern:
    """The pattern of an array whose entries at `places`, counted row by row, may be other than zero."""
    columns = shape[-1]
    ordered = sorted((place % columns, place // columns) for place in places or {0})
    counts = Counter(column for column, _ in ordered)
    ends = accumulate((counts[column] for column in range(columns)), initial=0)
    return Pattern(tuple(ends), tuple(row for _, row in ordered), tuple(shape))
