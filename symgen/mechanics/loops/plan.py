"""How the constraints of a robot with loops are solved: which of them, and in which order, for all states alike.

A plan holds indices only, so that it serves every domain. It is made once per robot (see `planning`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction


@dataclass(frozen=True)
class Block:
    """Constraints `rows` determine the rates `columns`, as many, once those of the blocks before are known.

    `least`: below what its pivots count as 0, 0 for those that are the same in all states; empty where none ever does.
    `size`: the power of ten below its determinant where the robot is assembled.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    least: tuple[Fraction, ...] = ()
    size: Fraction = Fraction(1)


class Unknown(Enum):
    """What a step in closed form finds, and of what."""

    ANGLE = "an angle, of one equation a cos + b sin + c = 0 with two solutions"
    TURN = "an angle, of two equations in its cosine and sine"
    SLIDE = "a shift, of a quadratic equation with two solutions"
    SHIFT = "a shift or an angle, of a linear equation"
    BALL = "a ball joint: the least turn that leads one point, as the joint sees it, in the direction of another"

    @property
    def has_branches(self) -> bool:
        """Whether there are two solutions."""
        return self in (Unknown.ANGLE, Unknown.SLIDE)


@dataclass(frozen=True)
class Step:
    """Entries of q that are found in closed form: that at `place`, and of a ball joint the three after it.

    `equations`: indices among those of `loops.equations`. `body`: the one that the joint moves (-1 for couplings).
    `cut`: the index of the cut joint that it closes, None for couplings.
    """

    unknown: Unknown
    place: int
    equations: tuple[int, ...]
    body: int
    cut: int | None


@dataclass(frozen=True)
class Platform:
    """How rates follow by way of a platform: `body` is its index, and `legs` the plan whose independent rates are those
    of the joints that carry it. `least`: as in `Block`, of the matrix that gives the independent rates by these.
    """

    body: int
    legs: Plan
    least: tuple[Fraction, ...]


@dataclass(frozen=True)
class Plan:
    """`independent`: indices in the tree's q̇ of the rates that are given. `blocks` determine the others, in order.

    `reversed_cuts`: indices of the cut joints that are seen from their successor. Rows count through all constraints,
    those of cut joints first; rows in no block are `dropped`: they hold wherever the others do. `entries`: the (row,
    column) of A that are not 0 at every q. `size`: the largest of them where the robot is assembled. `steps` find
    entries of q in closed form, in order; entries that none of them finds are left to Newton's method. `platform`: if
    all loops close at one, whose motion determines that of its legs. `least_of_legs`: as in `Block`, of what is divided
    by where a parallel robot is solved leg by leg; empty for others. `written`: whether entries of A, the tree's rates
    and accelerations have names, so that closed forms stay short.
    """

    independent: tuple[int, ...]
    blocks: tuple[Block, ...]
    reversed_cuts: frozenset[int] = frozenset()
    dropped: tuple[int, ...] = ()
    entries: frozenset[tuple[int, int]] = frozenset()
    size: float = 1.0
    steps: tuple[Step, ...] = ()
    platform: Platform | None = None
    least_of_legs: tuple[Fraction, ...] = ()
    written: bool = False

    @property
    def dependent(self) -> tuple[int, ...]:
        """Indices of the rates that follow from the independent ones, in the order in which they do."""
        return tuple(column for block in self.blocks for column in block.columns)

    @property
    def unguarded(self) -> Plan:
        """The same plan, whose pivots never count as 0."""
        return replace(self, blocks=tuple(replace(block, least=()) for block in self.blocks))
