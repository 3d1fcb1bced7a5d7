"""The command about dynamics from chain to chain: `chains`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symgen.cli.arguments import JSON, ROBOT, RobotArgument, loaded_robot
from symgen.cli.terminal import print_json, print_tables, progress_shown
from symgen.display.markup import Grid

if TYPE_CHECKING:
    from symgen.generation.chains import ChainsGeneration
    from symgen.program.chained import ChainedModule


@click.command()
@ROBOT
@click.option("--scheme", default="recursive", show_default=True, help="recursive, condensed, projection or penalty.")
@click.option("--output", "-o", metavar="DIR", help="Write the C code, <robot>_chains.c and .h, into a directory.")
@click.option("--states", type=click.IntRange(1, 100_000), default=100, show_default=True, help="States to verify at.")
@JSON
def chains(robot: RobotArgument, scheme: str, output: str | None, states: int, as_json: bool) -> None:
    """Work out the dynamics of a platform chain by chain: for threads, or for MPI ranks.

    Shows the chains, what each does and contributes in every stage, and what was verified and proved.
    """
    from symgen import api
    from symgen.cli import summaries, verification
    from symgen.display import tables
    from symgen.generation import telling

    with progress_shown() as progress:
        loaded = loaded_robot(robot, progress)
        made = api.run_chains(loaded, scheme, states=states, progress=progress)
    if not made.passed:
        print_tables(verification.report_table(made.report, made.proofs), err=True)
    made.check()
    paths = [] if output is None else api.write_files(output, made.chains.sources)
    if as_json:
        print_json(_summary(made, paths))
        return
    module = made.derivation.module
    for number, text in enumerate(module.chains, start=1):
        click.echo(f"chain {number}: {text}")
    for grid in _grids(module):
        print_tables(tables.grid_table(grid))
    for line in telling.report_lines(made.report, made.proofs):
        click.echo(line)
    if output is not None:
        click.echo(summaries.written_line(Path(output), paths))


def _grids(module: ChainedModule) -> list[Grid]:
    """A table for each function: stage × what chains do and contribute, and the central part."""
    grids = []
    for function in module.functions:
        counts = dict(function.counts)
        rows = []
        for number, stage in enumerate(function.staged.stages, start=1):
            own = [counts[f"chain{chain}_{number}"].total for chain in range(1, len(module.chains) + 1)]
            numbers = (min(own), max(own), counts[f"central_{number}"].total, stage.sent)
            rows.append((str(number), *map(str, numbers)))
        columns = ("stage", "least chain", "most of a chain", "central part", "numbers sent by a chain")
        exchanged = f"{function.exchanges} exchanges" + (", and one of results" if function.gathered else "")
        notes = (f"one after the other where every chain has a node: {function.longest} operations",)
        title = f"{module.name}: {function.name}, operations; {exchanged}"
        grids.append(Grid(title, columns, tuple(rows), notes=notes))
    return grids


def _summary(made: ChainsGeneration, paths: list[Path]) -> dict[str, Any]:
    module = made.derivation.module
    return {
        "robot": module.name,
        "scheme": module.scheme,
        "chains": list(module.chains),
        "functions": {
            function.name: {
                "exchanges": function.exchanges,
                "gathers": int(function.gathered),
                "operations_one_after_the_other": function.longest,
                "sent": [stage.sent for stage in function.staged.stages],
                "operations": {name: counts.as_dict() for name, counts in function.counts},
            }
            for function in module.functions
        },
        "passed": made.passed,
        "proofs": {proof.function: proof.holds for proof in made.proofs},
        "files": [str(path) for path in paths],
    }
