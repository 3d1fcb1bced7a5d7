"""The command about speed: `bench`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symgen.cli import completion
from symgen.cli.terminal import print_tables, progress_shown

if TYPE_CHECKING:
    from symgen.bench.report import BenchResult
    from symgen.display.markup import Grid


@click.command()
@click.argument("robots", metavar="ROBOT...", nargs=-1, shell_complete=completion.robots)
@click.option("--functions", metavar="NAMES", help="Functions to time (default: all that can be).")
@click.option("--peers", metavar="NAMES", help="Libraries to time beside: casadi, pinocchio, mujoco, or none.")
@click.option("--grid", is_flag=True, help="Time the set of GRiDBenchmarks: iiwa, HyQ and Talos, in both precisions.")
@click.option("--base", type=click.Choice(["fixed", "floating", "planar"]), help="How root links move.")
@click.option(
    "--real",
    type=click.Choice(["float64", "float32"]),
    default="float64",
    show_default=True,
    help="Type of all numbers; in float32 beside casadi alone.",
)
@click.option("--formulations", is_flag=True, help="Time symgen's C by each formulation, too (see count).")
@click.option("--full-inertia", is_flag=True, help="Give every moving link a mass centre and tensor without zeros.")
@click.option(
    "--batch", type=click.IntRange(1, 10_000_000), default=10_000, show_default=True, help="States of a batch."
)
@click.option("--threads", type=click.IntRange(1, 64), default=2, show_default=True, help="Time batches on these, too.")
@click.option("--rounds", type=click.IntRange(1, 10_000), default=41, show_default=True, help="Blocks of each row.")
@click.option("--block", type=float, default=1.0, show_default=True, help="Milliseconds of a block.")
@click.option("--instructions/--no-instructions", default=True, help="Count instructions where valgrind is installed.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["table", "markdown", "latex"]),
    default="table",
    show_default=True,
    help="Of the tables.",
)
@click.option("--json", "data", metavar="FILE", help="Also write everything into a file for programs.")
@click.option(
    "--compare",
    "earlier",
    metavar="FILE",
    help="Tell what became slower than in what --json wrote before; exit 1 if anything did.",
)
@click.option("--picture", metavar="FILE", help="Also draw bars into a .png, .svg or .pdf file.")
def bench(
    robots: tuple[str, ...],
    functions: str | None,
    peers: str | None,
    style: str,
    data: str | None,
    earlier: str | None,
    picture: str | None,
    **numbers: Any,
) -> None:
    """Time the generated code of robots, beside other libraries that are installed, in one run.

    ROBOT is a library robot, a robot file, or chain24 and the like: a generic arm of so many links.

    Exit codes: 0; 1 if with --compare something is slower than before, against the reference that both runs timed
    beside it, or if a library computes something else; 2 for bad input.
    """
    if not robots and not numbers["grid"]:
        raise click.UsageError("Missing argument 'ROBOT...' (or --grid).")
    from symgen import api
    from symgen.bench import compare, report
    from symgen.bench import display as speed

    before = None if earlier is None else compare.read(Path(earlier))
    chosen: dict[str, Any] = dict(numbers)
    if functions is not None:
        chosen["functions"] = _listed(functions)
    if peers is not None:
        chosen["peers"] = () if peers.strip() == "none" else _listed(peers)
    for path in (data, picture):
        if path is not None and not Path(path).parent.is_dir():
            raise click.UsageError(f"{path}: there is no directory {Path(path).parent}")
    if picture is not None:
        speed.check_format(_format(picture))
    if before is not None and earlier is not None:
        compare.check(before, api.bench_titles(robots, **chosen), earlier)
    with progress_shown() as progress:
        result = api.bench(robots, progress, **chosen)
    _print(result, style)
    found = report.summary(result)
    if data is not None:
        _write(Path(data), json.dumps(found, indent=2) + "\n")
    if picture is not None:
        _write(Path(picture), speed.bench_picture(result).content(_format(picture)))
    if before is not None and earlier is not None:
        compared = compare.Comparison(before, compare.run_of(found, "this run"), Path(earlier).name)
        _print_grid(compared.grid(), style)
        for line in compared.remarks():
            click.echo(line)
        if compared.slower:
            raise SystemExit(1)


def _print(result: BenchResult, style: str) -> None:
    """The tables, and what must be said of them."""
    from symgen.bench.report import grids, notes

    for grid in grids(result):
        _print_grid(grid, style)
    for line in notes(result):
        click.echo(line)


def _print_grid(grid: Grid, style: str) -> None:
    from symgen.display.tables import grid_table

    if style == "table":
        print_tables(grid_table(grid))
    else:
        click.echo({"markdown": grid.markdown, "latex": grid.latex}[style]() + "\n")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _format(path: str) -> str:
    return Path(path).suffix.removeprefix(".")


def _write(path: Path, content: str | bytes) -> None:
    from symgen import api

    (written,) = api.write_files(path.parent, {path.name: content})
    click.echo(f"wrote {written}")
