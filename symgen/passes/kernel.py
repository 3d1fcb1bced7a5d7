"""The kernel of a matrix of whole numbers with few of them in a row, as rescaling needs it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

Vector = dict[int, int]
"""Column → entry, where that is not 0."""

Rational = int | Fraction
_Vector = dict[int, Rational]


def kernel(rows: Iterable[Vector], columns: int) -> list[Vector]:
    """Vectors of whole numbers that span what the rows map to 0.

    Each has a last column of its own, in which the others are 0; the vectors come in the order of these.
    """
    return [_whole(vector) for vector in _echelon(_solutions(rows, columns))]


def _solutions(rows: Iterable[Vector], columns: int) -> list[_Vector]:
    """A basis: one vector for each column that the rows leave free.

    A row makes its last column depend on those before. What it depends on is followed to columns that are free so far,
    so that rows which define one column after the other cost what they hold.
    """
    solved: dict[int, _Vector] = {}  # column → what it is of free ones
    users: dict[int, set[int]] = {}  # free column → columns that depend on it
    for row in rows:
        left: _Vector = {}
        for column, entry in row.items():
            formula = solved.get(column)
            if formula is None:
                _accumulate(left, column, entry)
            else:
                _add(left, entry, formula)
        if not left:
            continue
        pivot = max(left)
        front = left.pop(pivot)
        formula = {column: _quotient(-value, front) for column, value in left.items()}
        for user in users.pop(pivot, ()):
            _add(solved[user], solved[user].pop(pivot), formula)
            for column in formula:
                _note(users, column, user, solved[user])
        solved[pivot] = formula
        for column in formula:
            users.setdefault(column, set()).add(pivot)
    basis: dict[int, _Vector] = {column: {column: 1} for column in range(columns) if column not in solved}
    for column, formula in solved.items():
        for free, value in formula.items():
            basis[free][column] = value
    return list(basis.values())


def _note(users: dict[int, set[int]], column: int, user: int, formula: _Vector) -> None:
    """Remember whether a column depends on a free one."""
    if column in formula:
        users.setdefault(column, set()).add(user)
    else:
        users.get(column, set()).discard(user)


def _echelon(vectors: Iterable[_Vector]) -> list[_Vector]:
    """The same space's vectors, reduced: each has the entry 1 in its last column, and the others have 0 there."""
    found: dict[int, _Vector] = {}
    holders: dict[int, set[int]] = {}  # column → last columns of vectors that may have an entry there
    for vector in vectors:
        for last in [column for column in vector if column in found]:
            _add(vector, -vector.get(last, 0), found[last])
        if not vector:
            continue
        last = max(vector)
        front = vector[last]
        vector = {column: _quotient(entry, front) for column, entry in vector.items()}
        for other in holders.get(last, ()):
            _add(found[other], -found[other].get(last, 0), vector)
            for column in vector:
                holders.setdefault(column, set()).add(other)
        found[last] = vector
        for column in vector:
            holders.setdefault(column, set()).add(last)
    return [found[last] for last in sorted(found)]


def _add(vector: _Vector, factor: Rational, other: _Vector) -> None:
    """Add a multiple of another vector."""
    for column, entry in other.items() if factor else ():
        _accumulate(vector, column, factor * entry)


def _accumulate(vector: _Vector, column: int, amount: Rational) -> None:
    total = vector.get(column, 0) + amount
    if total:
        vector[column] = total
    else:
        vector.pop(column, None)


def _quotient(a: Rational, b: Rational) -> Rational:
    return a * b if b in (1, -1) else Fraction(a) / b


def _whole(vector: _Vector) -> Vector:
    common = lcm(*(Fraction(entry).denominator for entry in vector.values()))
    return {column: int(entry * common) for column, entry in vector.items()}
