"""The command about a robot's page: `report`."""

from __future__ import annotations

from pathlib import Path

import click

from symgen.cli.arguments import FRESH, JSON, ROBOT, RobotArgument, loaded_robot
from symgen.cli.terminal import print_json, progress_shown, show_notices


@click.command()
@ROBOT
@click.option(
    "--output", "-o", metavar="FILE", type=click.Path(path_type=Path), help="File of HTML (default: <robot>.html)."
)
@click.option("--force", is_flag=True, help="Replace a file that is no page of symgen's, too.")
@click.option(
    "--states", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Random states to verify at."
)
@FRESH
@JSON
def report(robot: RobotArgument, output: Path | None, force: bool, states: int, as_json: bool) -> None:
    """Write a page about a robot: in 3-D with live numbers, its equations, operations and checks.

    One file of HTML that works without a network.
    """
    from symgen import api

    with progress_shown() as progress:
        loaded = loaded_robot(robot, progress)
        made = api.report(loaded, states=states, progress=progress)
    show_notices(made.made.derivation.notices)
    written = made.write(output or Path(f"{loaded.name}.html"), force=force)
    size = len(made.html.encode())
    if as_json:
        print_json({"robot": loaded.name, "file": str(written), "bytes": size, "proved": made.made.proved})
        return
    click.echo(f"wrote {written} ({size / 1e6:.2f} MB); open it in a browser")
