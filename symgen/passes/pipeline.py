"""The pipeline: runs passes in groups and checks each group's result.

After every group the program must be valid and, in the prime field, the same function as before. A group that would
cost more is left out, and the report says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symgen.errors import InternalError
from symgen.passes.balance import balance
from symgen.passes.cancel import cancel, collect
from symgen.passes.common_subexpressions import share
from symgen.passes.factor import factor
from symgen.passes.rebuild import LONG
from symgen.passes.recompute import recompute
from symgen.passes.rescale import rescale
from symgen.passes.step import Step as Step  # users of the pipeline find it here
from symgen.passes.value_numbering import merge
from symgen.program.counts import count
from symgen.program.fingerprint import fingerprint, radicands
from symgen.program.program import Array, Program, validate

Pass = Callable[[Program], Program]

Identity = tuple[frozenset[int], tuple[tuple[int, ...], ...]]
"""The square roots that the field must have, and the program's outputs in it."""


@dataclass(frozen=True)
class Group:
    """Passes that are checked together."""

    name: str
    passes: tuple[Pass, ...]


QUICK_GROUPS: tuple[Group, ...] = (
    Group("cancel", (cancel,)),
    Group("merge", (merge,)),
)
"""What is worth its time even where time is short."""

GROUPS: tuple[Group, ...] = (
    *QUICK_GROUPS,
    Group("factor", (factor, merge)),
    Group("share", (share, merge)),
    Group("recompute", (recompute,)),
)

LATE_GROUPS: tuple[Group, ...] = (Group("rescale", (rescale,)),)
"""What hides from the others that values are alike: it comes when they find no more, and they come after it again."""

COLLECT = Group("collect", (collect,))
"""What takes partial sums apart that others share: it comes when these find no more."""

LAST = Group("balance", (balance,))
"""What saves time and no operations, when all the others are done."""

MAX_ROUNDS = 3
"""The groups are run again while that saves operations, but not more often than this, and so after the late ones."""

WORTHWHILE = 400
"""One part in so many of a long program's cost is what a group must save, and others since, for it to be run again."""

CHECK_SEEDS = (1,)
"""One random point: a changed function slips through with a chance below 1e-15."""


def optimise(
    program: Program, groups: tuple[Group, ...] = GROUPS, late: tuple[Group, ...] = LATE_GROUPS
) -> tuple[Program, tuple[Step, ...]]:
    """The optimised program and a report that starts with the counts as derived.

    Raises `InternalError` if a pass makes an invalid program or another function.
    """
    course = Course(program, groups, late)
    course.run()
    return course.program, tuple(course.steps)


class Course:
    """A program on its way through the passes, round by round; the errors are those of `optimise`.

    Attributes:
        program: the program as it is now.
        steps: the report so far; it starts with the counts as derived.
    """

    def __init__(
        self, program: Program, groups: tuple[Group, ...] = GROUPS, late: tuple[Group, ...] = LATE_GROUPS
    ) -> None:
        validate(program)
        self.program = program
        self.steps = [Step("derived", True, count(program))]
        self._identity = _identity(program, radicands(program))
        self._stages, self._left = [groups, (*late, *groups)] if late else [groups], MAX_ROUNDS
        self._again = (*late, *groups)
        self._runs: dict[str, tuple[int, int]] = {}  # group → weights before and after it was last run
        self._left_as_is: dict[Pass, Program] = {}  # pass → the last program that it had nothing to do on

    def run(self) -> None:
        """Run all groups as long as another round is worth it, and again where numbers met in sums."""
        saves = True
        while saves:
            while self.round():
                pass
            before = self.steps[-1].counts.cost
            self._run(COLLECT)
            saves = self.steps[-1].counts.cost < before
            self._stages = [self._again]
        self._run(LAST)

    def round(self) -> bool:
        """Run all groups once more; whether another round is worth it."""
        if not self._stages:
            return False
        before = self.steps[-1].counts
        for group in self._stages[0]:
            if self._is_due(group):
                self._run(group)
        after = self.steps[-1].counts
        self._left -= 1
        if not self._left or after.cost >= before.cost or not self._is_worthwhile(before.weight - after.weight):
            self._stages.pop(0)
            self._left = MAX_ROUNDS
        return bool(self._stages)

    def _run(self, group: Group) -> None:
        before = self.steps[-1].counts
        candidate = self._passed(group)
        after, taken = before, True
        if candidate is not self.program:
            _check(group, candidate, self.program, self._identity)
            found = count(candidate)
            taken = found.cost <= before.cost
            if taken:
                self.program, after = candidate, found
        self.steps.append(Step(self._title(group), taken, after))
        self._runs[group.name] = before.weight, after.weight

    def _passed(self, group: Group) -> Program:
        """The program after the passes of a group; the same object where that is the same program."""
        program = self.program
        for step in group.passes:
            if self._left_as_is.get(step) is program:
                continue
            candidate = step(program)
            if candidate == program:
                self._left_as_is[step] = program
            else:
                program = candidate
        return self.program if program == self.program else program

    def _is_due(self, group: Group) -> bool:
        """Whether a group has not been run, or saved enough when it was, and so did others since."""
        if group.name not in self._runs:
            return True
        before, after = self._runs[group.name]
        return self._is_worthwhile(before - after) and self._is_worthwhile(after - self.steps[-1].counts.weight)

    def _is_worthwhile(self, saved: int) -> bool:
        """Whether so much saved is enough to go on; of short programs anything is."""
        return len(self.program.instructions) <= LONG or saved * WORTHWHILE >= self.steps[-1].counts.weight

    def _title(self, group: Group) -> str:
        """The group's name, with a number from its second run on."""
        runs = 1 + sum(step.group.split(" ")[0] == group.name for step in self.steps)
        return group.name if runs == 1 else f"{group.name} ({runs})"


def _identity(program: Program, roots: frozenset[int]) -> Identity:
    return roots, fingerprint(program, CHECK_SEEDS, roots)


def _check(group: Group, candidate: Program, program: Program, identity: Identity) -> None:
    try:
        validate(candidate)
    except InternalError as error:
        raise InternalError(f"pass group '{group.name}' made an invalid program: {error}") from error
    if _interface(candidate) != _interface(program) or _identity(candidate, identity[0]) != identity:
        raise InternalError(f"pass group '{group.name}' changed the function")


def _interface(program: Program) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    return program.inputs, tuple(array for array, _ in program.outputs)
