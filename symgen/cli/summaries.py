"""What the command line says of results: tables for people, plain data (for JSON) for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Group

from symgen.cli import verification
from symgen.count import beside
from symgen.count import report as count_report
from symgen.display import tables
from symgen.display.markup import Grid
from symgen.generation import telling
from symgen.program.counts import Counts, counts_grid
from symgen.robot.model import Robot

if TYPE_CHECKING:
    from rich.console import RenderableType

    from symgen.api import Generation
    from symgen.count.crossover import Crossover
    from symgen.count.formulations import Counted
    from symgen.count.generic import Generic
    from symgen.derive.derivation import Derivation
    from symgen.display.pictures import Picture
    from symgen.runtime.languages import Written


NAMED_FILES = 8
"""Of so many files that were written a line gives the names."""


def counts_table(robot: str, numbers: Mapping[str, Counts]) -> RenderableType:
    """The table of `symgen count`."""
    return tables.grid_table(counts_grid(robot, numbers))


def passes_grid(robot: str, derivation: Derivation) -> Grid:
    """The counts after each group of passes that changed them."""
    return count_report.passes_grid(
        robot, {name: [(s.group, s.counts) for s in steps] for name, steps in derivation.steps.items()}
    )


def passes_table(robot: str, derivation: Derivation) -> RenderableType:
    """The table of `symgen count --passes`."""
    return tables.grid_table(passes_grid(robot, derivation))


def passes_summary(derivation: Derivation) -> dict[str, list[dict[str, Any]]]:
    """Function → its counts as derived and after each group of passes."""
    return {
        name: [{"group": step.group, "taken": step.taken, **step.counts.as_dict()} for step in steps]
        for name, steps in derivation.steps.items()
    }


def published_tables(
    robot: Robot, derivation: Derivation, compared: Crossover | None, *, symbolic: bool
) -> Iterator[RenderableType]:
    """Other routes' and published counts beside ours, and both forward dynamics algorithms' if they were `compared`."""
    generic = beside.generic_of(derivation, symbolic=symbolic)
    for grid in beside.published_grids(robot, derivation.counts, compared, generic, symbolic=symbolic):
        yield tables.grid_table(grid, leads=lambda row: row[1] == count_report.OURS)


def generic_summary(generic: Mapping[str, Generic]) -> dict[str, dict[str, Any]]:
    """Function → the generic route's counts: from what symgen is given, and where the tree's motion is given."""
    return {
        name: {"counts": each.whole.as_dict(), "given_motion_of_tree": each.given.as_dict()}
        for name, each in generic.items()
    }


def formulations_table(found: Mapping[str, Sequence[Counted]]) -> Iterator[RenderableType]:
    """The table of `symgen count --formulations`, if any function has several."""
    for grid in count_report.formulation_grids(found):
        yield tables.grid_table(grid, leads=lambda row: bool(row[0]))


def formulations_summary(found: Mapping[str, Sequence[Counted]]) -> dict[str, dict[str, Any]]:
    """Function → formulation → its counts and, if any, where it alone is singular; or why it does not fit."""
    return {function: {each.name: _formulation(each) for each in counted} for function, counted in found.items()}


def _formulation(counted: Counted) -> dict[str, Any]:
    if counted.counts is None:
        return {"misfit": counted.misfit}
    return counted.counts.as_dict() | ({"gap": counted.gap} if counted.gap else {})


def count_grids(
    robot: Robot,
    derivation: Derivation,
    compared: Crossover | None,
    formulations: Mapping[str, Sequence[Counted]],
    *,
    passes: bool,
    symbolic: bool,
) -> Iterator[Grid]:
    """The tables of `symgen count` in a form that can be written as Markdown or LaTeX."""
    yield counts_grid(robot.name, derivation.counts)
    if passes:
        yield passes_grid(robot.name, derivation)
    yield from count_report.formulation_grids(formulations)
    generic = beside.generic_of(derivation, symbolic=symbolic)
    yield from beside.published_grids(robot, derivation.counts, compared, generic, symbolic=symbolic)


def counts_picture(robot: Robot, numbers: Mapping[str, Counts], *, symbolic: bool) -> Picture:
    """The bars of `symgen count --picture`."""
    return count_report.counts_picture(beside.counted_name(robot, symbolic=symbolic), beside.arm_joints(robot), numbers)


def report_table(made: Generation) -> RenderableType:
    """The tables of `symgen verify`."""
    main = verification.report_table(made.report, made.proofs)
    others = [
        verification.report_table(written.report, (), written.title)
        for written in made.written
        if written.report is not None and written.report is not made.report
    ]
    return Group(main, *others, *filter(None, map(_not_run, made.written)))


def report_lines(made: Generation) -> list[str]:
    """What `symgen generate` says of a module that passed: a line for each kind of check, what is proved, what not."""
    lines = telling.report_lines(made.report, made.proofs)
    return [*_packed_line(made), *lines, *(line for written in made.written for line in _written_lines(made, written))]


def _written_lines(made: Generation, written: Written) -> list[str]:
    """What was found when the code of a language was run, if it is another than the module's own."""
    if written.report is made.report:
        return []
    if written.report is None:
        return [_not_run(written)]
    return [f"{written.title}: {line}" for line in telling.report_lines(written.report, ())]


def _not_run(written: Written) -> str:
    return "" if written.report is not None else f"{written.title}: written, not run: {written.reason}"


def written_line(directory: Path, paths: Sequence[Path]) -> str:
    """What files were written into a directory, or to a file of that name, in one line."""
    if list(paths) == [directory]:
        return f"wrote {directory}"
    names = ", ".join(str(path.relative_to(directory)) for path in paths)
    return f"wrote {_files(len(paths))} into {directory}" + (f": {names}" if len(paths) <= NAMED_FILES else "")


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def report_summary(made: Generation) -> dict[str, Any]:
    """What `symgen verify --json` prints."""
    return {
        "robot": made.robot.name,
        "backend": made.module.backend,
        "passed": made.passed,
        "proved": made.proved,
        "checks": [
            {
                "name": check.name,
                "kind": check.kind,
                "states": check.states,
                "error": check.error,
                "tolerance": check.tolerance,
                "passed": check.passed,
            }
            for check in made.report.checks
        ],
        "languages": {
            written.language: {
                "run": written.report is not None,
                "passed": None if written.report is None else written.report.passed,
                "reason": written.reason,
            }
            for written in made.written
        },
        "proofs": [
            {"function": p.function, "statement": p.statement, "holds": p.holds, "reason": p.reason}
            for p in made.proofs
        ],
    }


def _patterns_summary(made: Generation) -> dict[str, Any]:
    """The patterns of packed results, function by function, if there are any."""
    found = {
        function.name: {output.name: output.pattern.as_dict() for output in function.outputs if output.pattern}
        for function in made.derivation.module.functions
    }
    packed = {name: patterns for name, patterns in found.items() if patterns}
    return {"patterns": packed} if packed else {}


def _packed_line(made: Generation) -> list[str]:
    """How many entries of matrices are returned, if these are packed."""
    functions = made.derivation.module.functions
    found = [output.pattern for function in functions for output in function.outputs if output.pattern is not None]
    if not found:
        return []
    held, size = sum(pattern.nnz for pattern in found), sum(math.prod(pattern.shape) for pattern in found)
    return [f"packed: {held} of {size} entries of {'a matrix' if len(found) == 1 else f'{len(found)} matrices'}"]


def generation_summary(made: Generation, paths: Sequence[Path]) -> dict[str, Any]:
    """What `symgen generate --json` prints."""
    return {
        **report_summary(made),
        "functions": {name: numbers.as_dict() for name, numbers in made.module.counts.items()},
        "formulations": made.module.formulations,
        **_patterns_summary(made),
        "regressor_parameters": dict(
            zip(made.module.regressor_names, made.module.regressor_parameters.tolist(), strict=True)
        ),
        "choices": {name: choice.as_dict() for name, choice in made.derivation.choices.items()},
        "notices": [*made.robot.notices, *made.derivation.notices],
        "files": [str(path) for path in paths],
    }
