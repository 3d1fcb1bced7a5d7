"""What a derivation gives, wherever it comes from: it imports nothing that takes time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from symgen.passes.step import Step
from symgen.program.counts import OperationCounts
from symgen.program.module import Module

if TYPE_CHECKING:
    from symgen.derive.options import Choice
    from symgen.derive.subject import Subject

Progress = Callable[[str], None]

Derived = Callable[[Module], None]
"""Is told of a function that has been derived, as a module with this function alone."""


@dataclass(frozen=True)
class Derivation:
    """A derived module; for every function the counts after each group of passes, hoisted operations apart.

    `made_of` gives what it was derived of, see `subject`.
    """

    made_of: Callable[[], Subject] = field(compare=False, repr=False)
    module: Module
    steps: dict[str, tuple[Step, ...]]
    notices: tuple[str, ...]
    choices: dict[str, Choice]

    @cached_property
    def subject(self) -> Subject:
        """What it was derived of; of a derivation that was kept it is made again when it is asked for."""
        return self.made_of()

    @property
    def counts(self) -> OperationCounts:
        """Function → operations of a call; what is hoisted out of it into `init` counts as hoisted."""
        return OperationCounts({name: steps[-1].counts for name, steps in self.steps.items()}, self.module.name)
