"""Operations of every formulation of a robot's functions, each derived by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from symgen.derive.derivation import Progress
from symgen.derive.function import derived_function, misfit
from symgen.derive.option_table import AUTO
from symgen.derive.options import Options
from symgen.derive.requested import requested
from symgen.derive.search import Search
from symgen.derive.subject import Subject
from symgen.mechanics.factorization import ZeroPivotError
from symgen.program.counts import Counts


@dataclass(frozen=True)
class Counted:
    """A formulation's operations or, where it does not fit the robot, why; `text` is what it does, in words.

    `gap`: where it is singular though the function is not, as a clause: it is generated only where asked for.
    """

    name: str
    text: str
    counts: Counts | None
    misfit: str = ""
    gap: str = ""


def formulation_counts(
    subject: Subject, options: Options, progress: Progress = lambda text: None
) -> Mapping[str, tuple[Counted, ...]]:
    """Function → its formulations, of each function that is asked for and has a choice of them."""
    robot = subject.robot
    search = Search(subject, options.effort, far=subject.in_normal_form is not robot)
    options = _asking(replace(options, choices=()), dict.fromkeys(options.algorithms, AUTO))
    result = {}
    for item in requested(subject, options):
        if item.kind not in options.algorithms:
            continue
        found = []
        for each in item.formulations:
            text = misfit(each, robot, search.mechanism)
            if text:
                found.append(Counted(each.name, each.text, None, text))
                continue
            gap = each.gap(search.mechanism)
            progress(f"deriving {item.name} by {each.name}")
            try:
                _, steps, _ = derived_function(subject, item, _asking(options, {item.kind: each.name}), search)
            except ZeroPivotError:
                found.append(Counted(each.name, each.text, None, "it divides by an inertia that vanishes"))
            else:
                found.append(Counted(each.name, each.text, steps[-1].counts, gap=gap))
        result[item.name] = tuple(found)
    return result


def _asking(options: Options, algorithms: Mapping[str, str]) -> Options:
    return replace(options, **algorithms)  # type: ignore[arg-type]  # algorithms are options of their functions' names
