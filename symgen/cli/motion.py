"""Commands about motion: `simulate`, `plot`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from symgen.cli.arguments import JSON, ROBOT, loaded_robot
from symgen.terminal import print_json, print_tables, progress_shown, show_notices

if TYPE_CHECKING:
    from symgen.api import DynamicsModule, Simulation, Trajectory
    from symgen.display.plots import Picture

_SECONDS = click.FloatRange(min=0, min_open=True)
_SAMPLES = click.IntRange(2, 100_001)
_TOLERANCE = click.FloatRange(1e-13, 0.1)

_FILES = (
    click.option(
        "--samples", type=_SAMPLES, default=201, show_default=True, help="Times in the table and the picture."
    ),
    click.option("--output", "-o", metavar="DIR", help="Directory for the files (default: simulation/<robot>)."),
    click.option(
        "--format",
        "kind",
        type=click.Choice(["png", "svg", "pdf"]),
        default="png",
        show_default=True,
        help="Format of the picture.",
    ),
    JSON,
)
"""Options of both commands."""


def _with_files(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_FILES):
        command = option(command)
    return command


@click.command()
@ROBOT
@click.option("--free-fall", metavar="SECONDS", type=_SECONDS, help="Simulate so long, without joint forces.")
@click.option("--duration", metavar="SECONDS", type=_SECONDS, help="Simulate so long, under the forces of --tau.")
@click.option("--tau", metavar="NUMBERS", help="Constant joint forces in N m or N (default: none).")
@click.option("--from", "start", metavar="NUMBERS", help="First positions in rad or m (default: as of `plot`).")
@click.option("--velocity", metavar="NUMBERS", help="First velocities in rad/s or m/s (default: rest).")
@click.option(
    "--method",
    type=click.Choice(["DOP853", "verner65"]),
    default="DOP853",
    show_default=True,
    help="Integrator: Dormand and Prince's of order 8, or Verner's of orders 6 and 5.",
)
@click.option("--rtol", type=_TOLERANCE, default=1e-12, show_default=True, help="Relative error of a step.")
@click.option("--atol", type=_TOLERANCE, default=1e-12, show_default=True, help="Absolute error of a step.")
@_with_files
def simulate(
    robot: str,
    free_fall: float | None,
    duration: float | None,
    tau: str | None,
    start: str | None,
    velocity: str | None,
    output: str | None,
    kind: str,
    as_json: bool,
    **settings: Any,
) -> None:
    """Simulate a robot's motion; write it as a table and a picture.

    NUMBERS stand between commas, one for each joint: 0,-pi/2,0.1.
    """
    from symgen import api
    from symgen.display import motion, plots
    from symgen.simulation.simulator import FUNCTIONS

    seconds = duration if free_fall is None else free_fall
    if seconds is None or None not in (free_fall, duration):
        raise click.UsageError("expected either --free-fall SECONDS or --duration SECONDS")
    if free_fall is not None and tau is not None:
        raise click.UsageError("--free-fall and --tau exclude each other; give --duration SECONDS with --tau")
    module, (q0, qd0, forces) = _prepared(robot, FUNCTIONS, ("--from", start), ("--velocity", velocity), ("--tau", tau))
    with progress_shown() as progress:
        progress("simulating")
        result = api.simulate(module, seconds, q0=q0, qd0=qd0, tau=forces, **settings)
        progress("drawing")
        files = _files("simulation", result, plots.simulation_picture(result), kind)
    _show(result, output, files, motion.simulation_view(result), motion.simulation_summary(result), as_json)


@click.command()
@ROBOT
@click.option("--duration", metavar="SECONDS", type=_SECONDS, help="Of the motion (default: 10).")
@click.option("--from", "start", metavar="NUMBERS", help="First positions in rad or m (default: 0).")
@click.option("--to", "end", metavar="NUMBERS", help="Last positions (default: pi rad, or 0.1 m).")
@_with_files
def plot(
    robot: str,
    duration: float | None,
    start: str | None,
    end: str | None,
    samples: int,
    output: str | None,
    kind: str,
    as_json: bool,
) -> None:
    """Compute the joint forces along a cycloidal motion from rest to rest; write a table and a picture.

    NUMBERS stand between commas, one for each joint: 0,-pi/2,0.1. By default the library's Stanford arms move as in the
    papers.
    """
    from symgen import api
    from symgen.display import motion, plots

    module, (first, last) = _prepared(robot, ["inverse_dynamics"], ("--from", start), ("--to", end))
    with progress_shown() as progress:
        result = api.follow(module, start=first, end=last, duration=duration, samples=samples)
        progress("drawing")
        files = _files("torques", result, plots.torques_picture(result), kind)
    _show(result, output, files, motion.trajectory_view(result), motion.trajectory_summary(result), as_json)


def _prepared(robot: str, functions: Sequence[str], *texts: tuple[str, str | None]) -> tuple[DynamicsModule, list[Any]]:
    """The robot's module with these functions, and the vectors that options (name, text) give for its joints."""
    from symgen import api
    from symgen.records import record
    from symgen.simulation.checks import vector_of_text

    with progress_shown() as progress:
        loaded = loaded_robot(robot, progress)
        joints = record(loaded).joints
        vectors = [None if text is None else vector_of_text(name, text, joints) for name, text in texts]
        made = api.run(loaded, api.Options(functions=tuple(functions)), progress=progress)
    show_notices(made.derivation.notices)
    if not made.passed:
        raise api.VerificationError(api.failure_text(made))
    return made.module, vectors


def _files(name: str, result: Simulation | Trajectory, picture: Picture, kind: str) -> dict[str, str | bytes]:
    return {f"{name}.csv": result.csv(), f"{name}.{kind}": picture.content(kind)}


def _show(
    result: Simulation | Trajectory,
    output: str | None,
    files: dict[str, str | bytes],
    view: Any,
    summary: dict[str, Any],
    as_json: bool,
) -> None:
    """Write the files, then tell of the result and of them."""
    from symgen import api

    paths = api.write_files(output or f"simulation/{result.robot}", files)
    if as_json:
        print_json(summary | {"files": [str(path) for path in paths]})
        return
    print_tables(view)
    for path in paths:
        click.echo(f"wrote {path}")
