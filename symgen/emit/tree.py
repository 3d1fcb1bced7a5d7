"""The neutral tree that programs are lowered to: what every language can write, and nothing that only one can.

A function's code is a sequence of statements: assignments to new variables, stores into entries of arrays, calls of
kernels, and loops over turns, with tables of what differs from turn to turn. Loops are not nested. Expressions are
numbers, variables, entries of arrays and of tables, and operations on them. Text is made of it by a `Printer`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from symgen.program.module import CONSTANTS
from symgen.program.program import Op

SINE, COSINE, ANGLE = "sine", "cosine", "angle"
"""The arrays that hold the sines and cosines of the angles, where those come first or before, and the angles."""

TURN = "i"
"""The number of a loop's turn, from 0."""


# places --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A place in an array: `start` + `step` times the number of the turn."""

    start: int
    step: int = 0


@dataclass(frozen=True)
class Lookup:
    """What a table has in a column, in the row of the turn: a number, or a place in an array."""

    table: str
    column: int


Index = Place | Lookup


# expressions ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A constant, which the real type of the code holds exactly."""

    value: float


@dataclass(frozen=True)
class Variable:
    """A local variable."""

    name: str


@dataclass(frozen=True)
class Entry:
    """An entry of an array: of an input, an output or a local one."""

    array: str
    index: Index


@dataclass(frozen=True)
class Operation:
    """An operation on expressions, which are computed in the order in which they are written."""

    op: Op
    args: tuple[Expression, ...]

    @cached_property
    def operations(self) -> int:
        """The number of operations in the whole expression."""
        return 1 + sum(map(operations, self.args))

    @cached_property
    def uniform(self) -> bool:
        """Whether all of it is uniform."""
        return all(map(is_uniform, self.args))


Expression = Number | Variable | Entry | Lookup | Operation


def operations(expression: Expression) -> int:
    """The number of operations in an expression."""
    return expression.operations if isinstance(expression, Operation) else 0


def is_uniform(expression: Expression) -> bool:
    """Whether an expression is the same number for all states, whatever variables are."""
    match expression:
        case Operation():
            return expression.uniform
        case Entry():
            return expression.array == CONSTANTS
        case Variable():
            return False
        case _:
            return True


# statements ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Assignment:
    """A new local variable and its value."""

    name: str
    value: Expression


@dataclass(frozen=True)
class Store:
    """A value stored into an entry of an array."""

    entry: Entry
    value: Expression


@dataclass(frozen=True)
class Call:
    """A new local variable, which a kernel for the operation sets, given a variable or an entry, and other numbers."""

    name: str
    op: Op
    argument: Variable | Entry
    others: tuple[Expression, ...] = ()


Statement = Assignment | Store | Call


@dataclass(frozen=True)
class Carried:
    """A variable that a turn has from the one before: its value before the loop, and after every turn."""

    name: str
    before: Expression
    after: Expression


@dataclass(frozen=True)
class Loop:
    """`body` is run `times` times, with `TURN` counting from 0.

    `numbers` are tables of constants, `places` of places in arrays: name → a row for every turn.
    """

    times: int
    carried: tuple[Carried, ...]
    numbers: Mapping[str, tuple[tuple[Number, ...], ...]]
    places: Mapping[str, tuple[tuple[int, ...], ...]]
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Code:
    """A program as a tree.

    `angles` are the angles whose sines and cosines come first, `head` is what they are made of; `points` are the names
    that the body gives to the sine and cosine of each, if it needs them. `arrays` are local arrays: name → size.
    """

    head: tuple[Statement, ...]
    angles: tuple[Expression, ...]
    points: tuple[tuple[str | None, str | None], ...]
    body: tuple[Statement | Loop, ...]
    arrays: Mapping[str, int] = field(default_factory=dict)

    def statements(self) -> Iterator[Statement]:
        """All statements, those in loops once."""
        yield from self.head
        for item in self.body:
            yield from item.body if isinstance(item, Loop) else (item,)

    def angle_arrays(self) -> set[str]:
        """The arrays that the angles are made of."""
        values = [value_of(statement) for statement in self.head]
        return {name for value in (*values, *self.angles) for name in _arrays(value)}

    def body_arrays(self) -> set[str]:
        """The arrays that the body reads."""
        values = [value_of(statement) for item in self.body for statement in _inside(item)]
        values += [
            end for item in self.body if isinstance(item, Loop) for c in item.carried for end in (c.before, c.after)
        ]
        named = {array for names in self.points for array, name in zip((SINE, COSINE), names, strict=True) if name}
        return {name for value in values for name in _arrays(value)} | named


def _inside(item: Statement | Loop) -> tuple[Statement, ...]:
    return item.body if isinstance(item, Loop) else (item,)


def value_of(statement: Statement) -> Expression:
    """What a statement assigns, stores or hands to a kernel."""
    return statement.argument if isinstance(statement, Call) else statement.value


def _arrays(expression: Expression) -> Iterator[str]:
    if isinstance(expression, Entry):
        yield expression.array
    elif isinstance(expression, Operation):
        for arg in expression.args:
            yield from _arrays(arg)
