"""Commands about robot files: `list`, `init`, `info`, `convert`."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click

from symgen.cli.arguments import JSON, ROBOT, RobotArgument
from symgen.cli.terminal import print_json, print_tables, show_notices

_CONVENTIONS = click.Choice(["standard", "modified"])


@click.command("list")
@JSON
def list_robots(as_json: bool) -> None:
    """List the robots that ship with symgen."""
    from symgen.robot import shipped

    robots = [shipped.heading(name) for name in shipped.names()]
    if as_json:
        print_json([dataclasses.asdict(robot) for robot in robots])
        return
    width = max(len(robot.name) for robot in robots)
    for robot in robots:
        click.echo(f"{robot.name:{width}}  {robot.joints:2} joints  {robot.description}")


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", help="Name of the robot (default: made of the file's name).")
@click.option("--convention", type=_CONVENTIONS, default="standard", show_default=True, help="Of the table.")
@click.option("--joints", type=click.IntRange(1, 100), default=2, show_default=True, help="Number of joints.")
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
def init(path: Path, name: str | None, convention: str, joints: int, force: bool) -> None:
    """Write a commented robot file to begin with; it works as it is."""
    from symgen.cli import conversion

    written = conversion.start(path, name=name, convention=convention, joints=joints, force=force)
    click.echo(f"wrote {written}; next: symgen info {written}")


@click.command()
@ROBOT
@click.option("--base-parameters", is_flag=True, help="Show the base inertial parameters instead.")
@click.option(
    "--picture",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Draw what the robot looks like to a file instead (.svg).",
)
@click.option("--at", metavar="NUMBERS", help="Positions of the picture in rad or m (default: the file's posture).")
@click.option(
    "--graph",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Draw the graph of links and joints to a file instead (.png, .svg, .pdf).",
)
@click.option("--force", is_flag=True, help="Replace a picture that is there already.")
@JSON
def info(
    robot: RobotArgument,
    base_parameters: bool,
    picture: Path | None,
    at: str | None,
    graph: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show what was understood of a robot: graph, table, frames and axes at q = 0, masses, drives, notices."""
    if at is not None and picture is None:
        raise click.UsageError("--at says where a picture shows the robot; give --picture FILE.svg too")
    loaded = robot.load()  # before the rest is imported: what is wrong with a file shows sooner
    if picture is not None or graph is not None:
        from symgen.cli import drawings

        files = ((picture, drawings.looks(loaded, picture, at)), (graph, drawings.graph(loaded, graph)))
        for path, content in files:
            if path is not None and content is not None:
                drawings.write(path, content, force=force)
                click.echo(f"wrote {path}")
        return
    from symgen.cli import robot_views as robots

    if base_parameters:
        from symgen.derive.inertial_parameters import base_parameters as parameters_of  # all of the mechanics

        found = parameters_of(loaded)
        if as_json:
            print_json(found.as_dict())
        else:
            print_tables(robots.base_parameters_view(found))
        return
    if as_json:
        print_json(robots.robot_summary(loaded))
        return
    print_tables(robots.robot_view(loaded))


@click.command()
@ROBOT
@click.option(
    "--to",
    "target",
    type=click.Choice(["standard", "modified", "toml", "urdf"]),
    help="The convention of a table, a robot file (toml), or a URDF (default: as the file is called, else toml).",
)
@click.option(
    "--output", "-o", metavar="PATH", type=click.Path(path_type=Path), help="File (default: standard output)."
)
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
@click.option("--frames", is_flag=True, help="Show joint axes and frames of both at q = 0, on the error stream.")
def convert(robot: RobotArgument, target: str | None, output: Path | None, force: bool, frames: bool) -> None:
    """Convert a robot exactly: a table to the other convention, any robot to a robot file or a URDF."""
    from symgen.cli import conversion
    from symgen.cli.conversion_view import conversion_table

    loaded = robot.load()
    show_notices(loaded.notices)
    is_urdf = output is not None and output.suffix.lower() == ".urdf"
    result = conversion.convert(loaded, target or ("urdf" if is_urdf else "toml"))
    show_notices(tuple(f"not in the file: {loss}" for loss in result.losses))
    if frames:
        print_tables(conversion_table(loaded, result.robot), err=True)
        click.echo(f"joint forces of both differ by {result.error:.1e} of their size at most", err=True)
    if output is None:
        click.echo(result.text, nl=False)
        return
    conversion.write_robot_file(output, result.text, force=force)
    click.echo(f"wrote {output}")
