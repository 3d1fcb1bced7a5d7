"""Pairs of values whose sum, difference or product seems to be a third value, up to its sign.

Values are compared in a prime field so small that products fit a word; some pairs fit there alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.algebra.prime import PrimeField
from symgen.errors import LimitError
from symgen.program.fingerprint import SEEDS, Evaluation, radicands
from symgen.program.program import Dependence, Program

SHORT = 1500
"""In programs of at most so many instructions all pairs are compared; in longer ones those of related values."""

MAX_KIN = 8
"""Of the values that share an operand with a value, so many that come before it are compared with it."""

MIN_HUBS, HUB_PAIRS = 16, 400_000
"""Values are compared with those used most, too: so many of them, or as many as make so many pairs."""

SUM, DIFFERENCE, PRODUCT = range(3)

_SMALL, _TABLE = 31, 18
"""Bits of the prime, and of the smallest table, that pick out values that may be there."""

_BLOCK = 64
"""Values whose pairs with all others are looked at together."""

_VARIES = Dependence.VARIABLE  # an Enum's members are slow to look up

Integers = NDArray[np.int64]
Pair = tuple[int, int, int]
"""(y, z, SUM, DIFFERENCE or PRODUCT) with y ≤ z."""


def likely_pairs(program: Program) -> Iterator[Pair]:
    """The pairs that seem to equal a value; of a program of few instructions all there are."""
    try:
        field = PrimeField(radicands(program), SEEDS[0], _SMALL)
    except LimitError:  # no small field has so many square roots
        return
    values = np.array(Evaluation(field, guards=True).run(program), dtype=np.int64)
    if len(values) <= SHORT:
        yield from _of_all(program, values, field.p)
    else:
        yield from _of_related(program, values, field.p)


class _Among:
    """A set of values, to find which of many others are in it."""

    def __init__(self, values: Integers) -> None:
        self.values = values
        self.order: NDArray[Any] = np.argsort(values, kind="stable")
        self.sorted = values[self.order]
        bits = max(_TABLE, (32 * len(values)).bit_length())
        self.mask = (1 << bits) - 1
        self.occurs = np.zeros(1 << bits, dtype=bool)
        self.occurs[values & self.mask] = True

    def including(self, *others: Integers) -> _Among:
        """The same set, where others seem to be in it, too."""
        result = copy(self)
        result.occurs = self.occurs.copy()
        for each in others:
            result.occurs[each & self.mask] = True
        return result

    def found(self, others: Integers, p: int) -> NDArray[Any]:
        """The places of the others that are values but for a multiple of p."""
        (hits,) = np.nonzero(self.seem(others))
        return hits[self.places(others[hits] % p)[0]]

    def seem(self, others: Integers) -> NDArray[np.bool_]:
        """Which of the others have the last bits of a value; nearly all of them are one."""
        return np.asarray(self.occurs.take(others & self.mask))

    def places(self, others: Integers) -> tuple[NDArray[np.bool_], NDArray[Any]]:
        """(which of the others are values, of each the first place where it is one)."""
        places = np.minimum(np.searchsorted(self.sorted, others), len(self.sorted) - 1)
        return self.sorted[places] == others, self.order[places]


# all pairs -----------------------------------------------------------------------------------------


def _of_all(program: Program, values: Integers, p: int) -> Iterator[Pair]:
    nodes = [k for k, i in enumerate(program.instructions) if i.args and i.dependence is _VARIES]
    targets = _Among(np.unique([values[nodes], (p - values[nodes]) % p]))
    # Remainders take longer than all else: sums and differences do without, and targets are noted as they occur there.
    beyond = targets.including(targets.values + p, targets.values - p)
    for start in range(0, len(values), _BLOCK):
        stop = min(start + _BLOCK, len(values))
        a, b = values[:stop, np.newaxis], values[start:stop]
        products = a * b
        products -= products // p * p
        hits = [
            3 * among.found(numbers.ravel(), p) + kind
            for kind, numbers, among in (
                (SUM, a + b, beyond),
                (DIFFERENCE, a - b, beyond),
                (PRODUCT, products, targets),
            )
        ]
        ys, rest = np.divmod(np.sort(np.concatenate(hits)), 3 * (stop - start))
        zs, kinds = np.divmod(rest, 3)
        order = np.argsort(zs, kind="stable")
        order = order[ys[order] <= start + zs[order]]
        yield from zip(ys[order].tolist(), (start + zs[order]).tolist(), kinds[order].tolist(), strict=True)


# related values ------------------------------------------------------------------------------------


def _of_related(program: Program, values: Integers, p: int) -> Iterator[Pair]:
    """Of a value and a related one the third, by which the one is made of the other, wherever it stands."""
    sizes = _Among(np.minimum(values, p - values))
    inverses = _inverses(values, p)
    found: set[Pair] = set()
    for t, y in _related(program):
        for total, kinds in (
            ((values[t] - values[y]) % p, (SUM, DIFFERENCE)),
            ((values[t] + values[y]) % p, (SUM, DIFFERENCE)),
            (values[t] * inverses[y] % p, (PRODUCT,)),
        ):
            wanted = np.minimum(total, p - total)
            (hits,) = np.nonzero(sizes.seem(wanted))
            alike, z = sizes.places(wanted[hits])
            alike &= z < t[hits]
            for a, b in zip(y[hits[alike]].tolist(), z[alike].tolist(), strict=True):
                found.update((min(a, b), max(a, b), kind) for kind in kinds)
    yield from sorted(found)


def _related(program: Program) -> Iterator[tuple[Integers, Integers]]:
    """(t, y): values y before t that share an operand with it, the operands of its operands, and what is used most."""
    edges = [
        (arg, node)
        for node, instruction in enumerate(program.instructions)
        if instruction.dependence is Dependence.VARIABLE
        for arg in instruction.args
    ]
    operands, users = np.array(sorted(edges), dtype=np.int64).reshape(-1, 2).T
    for step in range(1, MAX_KIN + 1):
        kin = (operands[step:] == operands[:-step]) & (users[step:] != users[:-step])
        yield users[step:][kin], users[:-step][kin]
    for place in range(2):
        inner = np.array([i.args[place] if len(i.args) > place else -1 for i in program.instructions], dtype=np.int64)
        behind = inner[operands]
        yield users[behind >= 0], behind[behind >= 0]
    varying, uses = np.unique(users), np.array(program.uses(), dtype=np.int64)
    for hub in np.argsort(-uses, kind="stable")[: max(MIN_HUBS, HUB_PAIRS // len(uses))]:
        later = varying[varying > hub]
        yield later, np.full_like(later, hub)


def _inverses(values: Integers, p: int) -> Integers:
    """1/x of every value; 0 of 0."""
    result, square, exponent = np.ones_like(values), values.copy(), p - 2
    while exponent:
        if exponent & 1:
            result = result * square % p
        square = square * square % p
        exponent >>= 1
    return result
