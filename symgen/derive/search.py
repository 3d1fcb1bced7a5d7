"""The choice of formulation: algorithms and framings are tried, and the cheapest programs by count go on to the passes.

The search is deterministic and bounded by the number of programs it derives. It starts from framings that the robot's
structure suggests and from those that were best for functions before; `effort` says how far it goes on from the best of
these, one change at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import inf

from symgen.algebra.domain import is_zero
from symgen.derive.effort import BRIEF, FINALISTS, LOW, MAX_SEARCHED_BODIES, TRIALS, USUAL_BODIES
from symgen.derive.framed import FramedMechanisms
from symgen.derive.subject import Subject
from symgen.mechanics.clearing import CLEARINGS, clearable
from symgen.mechanics.functions.quantity import Formulation
from symgen.mechanics.grouping import grouped as in_base_parameters
from symgen.mechanics.loops.exchange import exchangeable
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.parallel import parallel_bodies
from symgen.mechanics.reframing import EXCHANGES, Framing
from symgen.program.counts import count
from symgen.program.graph import Graph
from symgen.program.program import Program


@dataclass(frozen=True)
class Candidate:
    """A derived program, and how it was derived."""

    formulation: Formulation
    framing: Framing
    program: Program

    @cached_property
    def cost(self) -> tuple[int, int]:
        """The cost of a call, then what is hoisted out of it."""
        return count(self.program).cost


Derive = Callable[[Formulation, Framing], Program]


class Search:
    """A search for the functions of one robot; what was best for one function is tried first for the next."""

    def __init__(self, subject: Subject, effort: str, *, far: bool = False) -> None:
        """With `far` origins are tried at the far ends too, all of them: the frames are no one's choice yet."""
        self.subject = subject
        self.mechanisms = FramedMechanisms(subject)
        self.mechanism = mechanism = subject.mechanism(Graph(), normal=True)
        self.effort = effort
        self._best: list[Framing] = []
        count = len(mechanism.bodies)
        searched = count <= MAX_SEARCHED_BODIES[effort]
        self._starts = _suggested(mechanism, far=far) if searched else [Framing()]
        self._cuts = exchangeable(mechanism) if effort != LOW else []
        self._cleared: dict[str, frozenset[int]] = {}
        inertias = [body.inertia for body in in_base_parameters(mechanism).bodies] if searched else []
        self._clearable = list(clearable(mechanism, inertias)) if searched and effort != LOW else []
        self._trials = TRIALS[effort] * USUAL_BODIES // max(count, USUAL_BODIES) if searched else 0

    def finalists(
        self,
        formulations: Sequence[Formulation],
        derive: Derive,
        *,
        framed: bool,
        exchanged: bool = False,
        grouped: bool = False,
        bound: float = inf,
    ) -> list[list[Candidate]]:
        """The cheapest programs, best first; without `framed` only the algorithms are compared.

        With `exchanged` masses may change bodies where loops close, with `grouped` moments of inertia may at revolute
        joints; the program in which they do stands apart from the others: the passes may gain less with it. Where none
        of the first framings costs less than the `bound`, the search ends.
        """
        cuts = self._cuts if exchanged else ()
        tried: dict[tuple[str, Framing], Candidate] = {}

        def candidate(formulation: Formulation, framing: Framing) -> Candidate:
            key = formulation.name, framing
            if key not in tried:
                tried[key] = Candidate(formulation, framing, derive(formulation, framing))
            return tried[key]

        def cheapest(formulations: Iterable[Formulation], framings: Iterable[Framing]) -> Candidate | None:
            found = [candidate(formulation, framing) for framing in framings for formulation in formulations]
            return min(found, key=lambda item: item.cost, default=None)

        starts = [*self._best, *self._starts, *self._with_exchanges(cuts)] if framed else [Framing()]
        starts = [framing if exchanged else _without_exchanges(framing) for framing in starts]
        best = cheapest(formulations, list(dict.fromkeys(starts)))
        assert best is not None
        left = self._trials if framed and best.cost[0] <= bound else 0
        tries = [self._in_moments(best.framing)] if left else []
        while tries:
            found = cheapest([best.formulation], tries)
            if found is not None and found.cost < best.cost:
                best = found
            elif left < self._trials:
                break
            others = chain(_exchanging(best.framing, cuts), self._neighbours(best.framing))
            fresh = [f for f in others if (best.formulation.name, f) not in tried]
            tries = list(dict.fromkeys(fresh))[:left]
            left -= len(tries)
        if framed and best.framing not in self._best:
            self._best.insert(0, best.framing)
        finalists = _different(sorted(tried.values(), key=lambda item: item.cost)[: FINALISTS[self.effort]])
        cleared = best
        for choice in self._clearings() if framed and grouped and best.cost[0] <= bound else ():
            toggled = {name: getattr(cleared.framing, name) ^ bodies for name, bodies in choice.items()}
            framing = replace(cleared.framing, **toggled)
            cleared = min(cleared, candidate(best.formulation, framing), key=lambda item: item.cost)
        if cleared is best:
            return [finalists]
        self._cleared = {name: getattr(cleared.framing, name) for name in CLEARINGS}
        return [[cleared], finalists]

    def _clearings(self) -> Iterator[dict[str, frozenset[int]]]:
        """What may be cleared: all that was for a function before, then one by one."""
        if self._cleared:
            yield self._cleared
        yield from ({what: frozenset({index})} for what, index in self._clearable)

    def brief(self) -> Search:
        """A search with low effort, but for large programs: in the framings that were best for other functions."""
        search = Search(self.subject, LOW)
        search.mechanisms = self.mechanisms
        search._starts = list(dict.fromkeys([*self._best, *self._starts]))[:BRIEF]
        return search

    def _with_exchanges(self, cuts: Sequence[int]) -> Iterator[Framing]:
        """The first framings with a mass moved at all of these cut joints, to one end or to the other."""
        every = frozenset(cuts)
        for start in self._starts if every else ():
            for framing in (start, self._in_moments(start)):
                yield from (replace(framing, **{name: every}) for name in EXCHANGES)

    def _in_moments(self, framing: Framing) -> Framing:
        return replace(framing, in_moments=frozenset(range(len(self.mechanism.bodies))))

    def _neighbours(self, framing: Framing) -> Iterator[Framing]:
        """Framings that differ in one body, or in a run of bodies beneath one whose origin moves to the child."""
        n = len(self.mechanism.bodies)
        for index in range(n):
            yield replace(framing, unturned=framing.unturned ^ {index})
            yield replace(framing, in_moments=framing.in_moments ^ {index})
            yield _moved(framing, {index}, "to_child")
            yield _moved(framing, {index}, "to_parent")
        for index in range(n):
            run = {index}
            while self.mechanism.bodies[min(run)].parent >= 0 and len(run) < 3:
                run |= {self.mechanism.bodies[min(run)].parent}
                yield _moved(framing, run, "to_child")


def _different(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The first of each that has the same program: often a choice changes nothing of a function."""
    found: list[Candidate] = []
    for candidate in candidates:
        if all(candidate.program != other.program for other in found):
            found.append(candidate)
    return found


def _without_exchanges(framing: Framing) -> Framing:
    return replace(framing, **{name: frozenset[int]() for name in EXCHANGES})


def _exchanging(framing: Framing, cuts: Iterable[int]) -> Iterator[Framing]:
    """Framings with another choice at one cut joint."""
    for cut in cuts:
        bare = {name: getattr(framing, name) - {cut} for name in EXCHANGES}
        choices = [bare, *({**bare, name: bare[name] | {cut}} for name in EXCHANGES)]
        yield from (other for choice in choices if (other := replace(framing, **choice)) != framing)


def _moved(framing: Framing, bodies: set[int], where: str) -> Framing:
    """The framing with the origins of bodies moved there or, if they all are there already, back."""
    present = getattr(framing, where)
    cleared = replace(framing, to_child=framing.to_child - bodies, to_parent=framing.to_parent - bodies)
    return cleared if bodies <= present else replace(cleared, **{where: getattr(cleared, where) | bodies})


def _suggested(mechanism: Mechanism, *, far: bool) -> list[Framing]:
    """Framings for parallel axes, whose bodies, all or but the last, do not turn, and for origins in line or far."""
    groups = [group.bodies for group in parallel_bodies(mechanism)]
    axes = [frozenset[int]()]
    if groups:
        axes.append(frozenset(body for bodies in groups for body in bodies[:-1]))
        axes.append(frozenset(body for bodies in groups for body in bodies))
    in_line = frozenset(_in_line(mechanism))
    origins = [frozenset[int](), in_line] if in_line else [frozenset[int]()]
    if far:
        origins.append(frozenset(range(len(mechanism.bodies))))
    return [Framing(unturned=unturned, to_child=to_child) for unturned in axes for to_child in origins]


def _in_line(mechanism: Mechanism) -> Iterator[int]:
    """Bodies on whose joint axis, but not at whose origin, the origin of the next body lies."""
    for body in mechanism.bodies:
        if body.parent >= 0 and is_zero(body.position[0]) and is_zero(body.position[1]):
            yield body.parent
