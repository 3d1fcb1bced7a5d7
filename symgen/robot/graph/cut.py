"""Which joints of a graph are cut: of all trees that are left, one whose branches have the fewest freedoms at most.

A graph falls into blocks, which share links but no loops; those of one block are cut without regard to the others. Of a
block all cuts are tried. The freedoms of a branch are those of the joints on the way from the link where the block
begins, the nearest to the base, to its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from symgen.errors import InputError, LimitError

BASE = "base"

MAX_CUTS = 20_000
"""More cuts of one block are not tried."""


@dataclass(frozen=True)
class Edge:
    """A joint between two links; `reverses`: whether it can carry its parent. `may_be_cut`: whether it is passive."""

    name: str
    parent: str
    child: str
    freedoms: int
    reverses: bool = True
    may_be_cut: bool = True


@dataclass(frozen=True)
class Tree:
    """`carriers`: link → index of the edge that carries it; `cut`: indices of the others, in order.

    `freedoms`: of the branch of a loop that has most of them.
    """

    carriers: Mapping[str, int]
    cut: tuple[int, ...]
    freedoms: int


def tree_of(edges: Sequence[Edge]) -> Tree:
    """The tree that is left of a connected graph when the best of its cuts is made; parents need not come first.

    Raises `InputError` where no joint of a loop may be cut, and `LimitError` for loops with too many ways to cut them.
    """
    cut: list[int] = []
    most = 0
    for block in blocks(edges):
        found, freedoms = _best(edges, block)
        cut += found
        most = max(most, freedoms)
    walk = _walk(edges, [index for index in range(len(edges)) if index not in cut], BASE)
    for index in walk.carriers.values():
        if index in walk.reversed and not edges[index].reverses:
            edge = edges[index]
            raise InputError(
                f"the joint {edge.name!r} leads from {edge.child!r} to {edge.parent!r} as seen from the base: swap its "
                "parent and child"
            )
    return Tree(walk.carriers, tuple(sorted(cut)), most)


def blocks(edges: Sequence[Edge]) -> list[list[int]]:
    """The edges of loops that hang together: those of loops that share an edge, directly or through others."""
    walk = _walk(edges, range(len(edges)), BASE)
    on_tree = set(walk.carriers.values())
    group: dict[int, set[int]] = {}
    for index, edge in enumerate(edges):
        if index not in on_tree:
            ways = (set(_way(edges, walk, link)) for link in (edge.parent, edge.child))
            loop = {index, *(next(ways) ^ next(ways))}
            joined = loop.union(*(group[member] for member in loop if member in group))
            group |= dict.fromkeys(joined, joined)
    return sorted({min(members): sorted(members) for members in group.values()}.values())


def _way(edges: Sequence[Edge], walk: _Walk, link: str) -> Iterator[int]:
    """The edges from a link to the base."""
    while link != BASE:
        index = walk.carriers[link]
        yield index
        edge = edges[index]
        link = edge.child if link == edge.parent and index in walk.reversed else edge.parent


def _best(edges: Sequence[Edge], block: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """(edges to cut, freedoms of the branch that has most) of a block."""
    links = dict.fromkeys(link for index in block for link in (edges[index].parent, edges[index].child))
    count = len(block) - len(links) + 1
    passive = [index for index in block if edges[index].may_be_cut]
    names = ", ".join(edges[index].name for index in block[:20])
    if comb(len(passive), count) > MAX_CUTS:
        raise LimitError(
            f"the {count} loops through {names} can be cut in {comb(len(passive), count)} ways, of which at most "
            f"{MAX_CUTS} are tried; give joints of theirs that are to be cut as [[loops]] instead"
        )
    root = _nearest(edges, links)
    best = None
    for cut in combinations(passive, count):
        walk = _walk(edges, [index for index in block if index not in cut], root)
        if len(walk.depths) == len(links) and all(edges[index].reverses for index in walk.reversed):
            late = tuple(-index for index in reversed(cut))
            key = (max(walk.depths.values()), len(walk.reversed), sum(walk.depths.values()), late)
            best = key if best is None else min(best, key)
    if best is None:
        raise InputError(
            f"none of the cuts of the loop through {names} leaves a tree: a joint can be cut that no motor drives, "
            "that follows none and that others do not need, and that has no more than a cut joint can have"
        )
    return tuple(sorted(-index for index in best[3])), best[0]


def _nearest(edges: Sequence[Edge], links: Mapping[str, None]) -> str:
    """The link of a block that the base is reached from without its edges."""
    walk = _walk(edges, range(len(edges)), BASE)
    return min(links, key=lambda link: len(list(_way(edges, walk, link))))


@dataclass
class _Walk:
    """Link → the edge that carries it and its freedoms from the start; edges that are walked from child to parent."""

    carriers: dict[str, int]
    depths: dict[str, int]
    reversed: set[int]


def _walk(edges: Sequence[Edge], kept: Sequence[int], start: str) -> _Walk:
    """The links that are reached from one, breadth first, edges in their order."""
    beside: dict[str, list[int]] = {}
    for index in kept:
        beside.setdefault(edges[index].parent, []).append(index)
        beside.setdefault(edges[index].child, []).append(index)
    walk = _Walk({}, {start: 0}, set())
    waiting = [start]
    for link in waiting:
        for index in beside.get(link, ()):
            edge = edges[index]
            other = edge.child if link == edge.parent else edge.parent
            if other not in walk.depths:
                walk.carriers[other] = index
                walk.depths[other] = walk.depths[link] + edge.freedoms
                walk.reversed |= {index} if other == edge.parent else set()
                waiting.append(other)
    return walk
