"""Long trees in pieces, which are functions of their own: compilers take more than linear time for long functions.

What one piece works out and a later one needs passes through an array. Places in it are used again, so that it is no
longer than what is alive between two pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from symgen.emit.tree import (
    COSINE,
    SINE,
    Call,
    Code,
    Entry,
    Expression,
    Loop,
    Operation,
    Place,
    Statement,
    Store,
    Variable,
    operations,
    value_of,
)

LONG = 2000
"""Trees with fewer operations than this are not cut."""

PIECE = 500
"""About so many operations make a piece.

Measured (gcc 12, derivatives of inverse dynamics of a humanoid): in pieces of 500, 1500 and 3000 it is compiled in 2.7,
4.1 and 5.5 s, and takes 3.75, 3.97 and 3.99 us.
"""

SLACK = 4
"""A piece may be longer or shorter by this part of its length, to be cut where less is alive."""

KEPT = "kept"
"""The array through which values pass, unless that name is taken."""

Item = Statement | Loop

Reading = tuple[Item, frozenset[str]]
"""An item, and the variables that it reads."""


@dataclass(frozen=True)
class Pieces:
    """A tree in pieces: `code` has what comes before the first, `kept` is the array through which values pass.

    Each piece has the points that it needs, and is no part of `code`.
    """

    code: Code
    pieces: tuple[Code, ...]
    kept: str
    size: int


def pieces(code: Code, long: int | None = None, length: int | None = None) -> Pieces | None:
    """The tree in pieces of about `length` operations; None where it has fewer than `long`.

    These are `LONG` and `PIECE`, which are for C, unless they are given.
    """
    weights = [_weight(item) for item in code.body]
    if sum(weights) < (LONG if long is None else long):
        return None
    reading = [(item, names_read(item)) for item in code.body]
    bounds = _bounds(reading, weights, PIECE if length is None else length)
    kept = _free(KEPT, code)
    places = _Places([[(item, frozenset()) for item in code.head], *(reading[a:b] for a, b in bounds)], kept)
    before, *bodies = [places.written(number) for number in range(len(bounds) + 1)]
    made = tuple(Code((), (), _points(code, reading[a:b]), body) for (a, b), body in zip(bounds, bodies, strict=True))
    head = tuple(item for item in before if not isinstance(item, Loop))
    return Pieces(replace(code, head=head, points=(), body=()), made, kept, places.size)


def _free(name: str, code: Code) -> str:
    """A name that nothing has yet."""
    taken = {name for item in (*code.head, *code.body) for statement in _inside(item) for name in names_made(statement)}
    taken |= {name for item in code.body for name in names_made(item)}
    taken |= code.arrays.keys() | code.angle_arrays() | arrays_of((*code.head, *code.body)).keys()
    while name in taken:
        name += "_"
    return name


# where to cut --------------------------------------------------------------------------------------


def _weight(item: Item) -> int:
    """About how long an item's code is."""
    return sum(1 + operations(value_of(statement)) for statement in _inside(item))


def _bounds(body: Sequence[Reading], weights: Sequence[int], most: int) -> list[tuple[int, int]]:
    """Starts and stops of the pieces: near equal lengths, where fewest values are alive."""
    alive = _alive(body)
    total = sum(weights)
    count = -(-total // most)
    length = total / count
    found, start, done = [], 0, 0.0
    for number in range(1, count):
        stop, best, done_there = start, start, done
        goal, reach = length * number, length / SLACK
        while stop < len(body) and done_there < goal + reach:
            done_there += weights[stop]
            stop += 1
            if done_there > goal - reach and (best == start or alive[stop] < alive[best]):
                best, done = stop, done_there
        if best > start:
            found.append((start, best))
            start = best
    return [*found, (start, len(body))] if start < len(body) else found


def _alive(body: Sequence[Reading]) -> list[int]:
    """Before every item, and after the last, how many variables are needed later that are made earlier."""
    change = [0] * (len(body) + 2)
    made: dict[str, int] = {}
    last: dict[str, int] = {}
    for at, (item, read) in enumerate(body):
        last.update(dict.fromkeys(read, at))
        made.update(dict.fromkeys(names_made(item), at))
    for name, at in last.items():
        if name in made:
            change[made[name] + 1] += 1
            change[at + 1] -= 1
    found, alive = [], 0
    for each in change[:-1]:
        alive += each
        found.append(alive)
    return found


# what passes from piece to piece -------------------------------------------------------------------


class _Places:
    """Which values pass from piece to piece, and where in the array."""

    def __init__(self, bodies: Sequence[Sequence[Reading]], kept: str) -> None:
        self._bodies = bodies
        self._kept = kept
        self._homes = {name: at for at, body in enumerate(bodies) for item, _ in body for name in names_made(item)}
        self._lasts: dict[str, int] = {}
        for at, body in enumerate(bodies):
            for _, read in body:
                self._lasts.update({name: at for name in read if self._homes.get(name, at) < at})
        self._places: dict[str, int] = {}
        self.size = 0
        free: list[int] = []
        for at, body in enumerate(bodies):
            passed = [name for item, _ in body for name in names_made(item) if name in self._lasts]
            for name in passed:
                if free:
                    self._places[name] = free.pop()
                else:
                    self._places[name] = self.size
                    self.size += 1
            free += sorted((self._places[name] for name, last in self._lasts.items() if last == at), reverse=True)

    def written(self, at: int) -> tuple[Item, ...]:
        """The items of a piece, which reads from the array what others have made, and stores what others need."""
        found: list[Item] = []
        for item, read in self._bodies[at]:
            others = {name: self._entry(name) for name in read if name in self._lasts and self._homes[name] < at}
            found.append(_replaced(item, others))
            found += [Store(self._entry(name), Variable(name)) for name in names_made(item) if name in self._lasts]
        return tuple(found)

    def _entry(self, name: str) -> Entry:
        return Entry(self._kept, Place(self._places[name]))


def _points(code: Code, body: Sequence[Reading]) -> tuple[tuple[str | None, str | None], ...]:
    """The names that a piece needs for sines and cosines."""
    read = {name for _, names in body for name in names}
    return tuple((sine if sine in read else None, cosine if cosine in read else None) for sine, cosine in code.points)


# trees ---------------------------------------------------------------------------------------------


def _inside(item: Item) -> tuple[Statement, ...]:
    return item.body if isinstance(item, Loop) else (item,)


def names_made(item: Item) -> tuple[str, ...]:
    """The variables that later items may read."""
    if isinstance(item, Loop):
        return tuple(each.name for each in item.carried)
    return () if isinstance(item, Store) else (item.name,)


def names_read(item: Item) -> frozenset[str]:
    """The variables that an item reads, of other items."""
    found = {name for expression in _expressions(item) for name in _variables(expression)}
    if isinstance(item, Loop):
        found -= {name for statement in item.body for name in names_made(statement)}
        found -= {each.name for each in item.carried}
        found |= {name for each in item.carried for name in _variables(each.before)}
    return frozenset(found)


def arrays_of(items: Sequence[Item]) -> dict[str, bool]:
    """The arrays that occur in items, in order, and whether they are written to."""
    found: dict[str, bool] = {}
    for item in items:
        for expression in _expressions(item):
            for name in _entries(expression):
                found.setdefault(name, False)
        for statement in _inside(item):
            if isinstance(statement, Store):
                found[statement.entry.array] = True
    return found


def points_arrays(code: Code) -> list[str]:
    """Which of the arrays of sines and cosines are needed by name."""
    return [array for at, array in enumerate((SINE, COSINE)) if any(names[at] is not None for names in code.points)]


def _expressions(item: Item) -> Iterator[Expression]:
    for statement in _inside(item):
        yield value_of(statement)
        if isinstance(statement, Call):
            yield from statement.others
    if isinstance(item, Loop):
        for each in item.carried:
            yield each.before
            yield each.after


def _leaves(expression: Expression) -> Iterator[Variable | Entry]:
    if isinstance(expression, Operation):
        for arg in expression.args:
            yield from _leaves(arg)
    elif isinstance(expression, Variable | Entry):
        yield expression


def _variables(expression: Expression) -> Iterator[str]:
    return (leaf.name for leaf in _leaves(expression) if isinstance(leaf, Variable))


def _entries(expression: Expression) -> Iterator[str]:
    return (leaf.array for leaf in _leaves(expression) if isinstance(leaf, Entry))


def _replaced(item: Item, entries: Mapping[str, Entry]) -> Item:
    """The item with entries of an array in place of variables."""
    if not entries:
        return item
    match item:
        case Loop():
            carried = tuple(
                replace(each, before=_put(each.before, entries), after=_put(each.after, entries))
                for each in item.carried
            )
            return replace(item, carried=carried, body=tuple(_statement(each, entries) for each in item.body))
        case _:
            return _statement(item, entries)


def _statement(statement: Statement, entries: Mapping[str, Entry]) -> Statement:
    if isinstance(statement, Call):
        argument = _put(statement.argument, entries)
        assert isinstance(argument, Variable | Entry)
        return replace(statement, argument=argument, others=tuple(_put(each, entries) for each in statement.others))
    return replace(statement, value=_put(statement.value, entries))


def _put(expression: Expression, entries: Mapping[str, Entry]) -> Expression:
    match expression:
        case Variable():
            return entries.get(expression.name, expression)
        case Operation():
            return replace(expression, args=tuple(_put(arg, entries) for arg in expression.args))
        case _:
            return expression
