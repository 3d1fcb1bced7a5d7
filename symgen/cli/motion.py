"""Commands about motion: `simulate`, `plot`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symgen.cli.arguments import JSON, ROBOT, RobotArgument, loaded_robot
from symgen.cli.terminal import print_json, print_tables, progress_shown, show_notices

if TYPE_CHECKING:
    from symgen.api import DynamicsModule, Simulation, Trajectory
    from symgen.display.pictures import Picture
    from symgen.program.module import Record
    from symgen.simulation.histories import Kind

_SECONDS = click.FloatRange(min=0, min_open=True)
_SAMPLES = click.IntRange(2, 100_001)
_TOLERANCE = click.FloatRange(1e-13, 0.1)
_DEFAULT_SAMPLES = 201

_FILES = (
    click.option("--samples", type=_SAMPLES, help="Times in the table and the picture (default: 201)."),
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
@click.option(
    "--duration",
    metavar="SECONDS",
    type=_SECONDS,
    help="Simulate so long, under the forces of --tau (default: as long as its FILE).",
)
@click.option(
    "--tau", metavar="NUMBERS|FILE.csv", help="Joint forces in N m or N, constant or in time (default: none)."
)
@click.option(
    "--interpolation",
    type=click.Choice(["cubic", "linear", "hold"]),
    help="What joins the samples of FILE.csv: a spline (default), lines, or steps.",
)
@click.option(
    "--from",
    "start",
    metavar="NUMBERS",
    help="First positions in rad or m (default: those of FILE.csv, or as of `plot`).",
)
@click.option(
    "--velocity", metavar="NUMBERS", help="First velocities in rad/s or m/s (default: those of FILE.csv, or rest)."
)
@click.option(
    "--method",
    type=click.Choice(["DOP853", "verner65", "RK45"]),
    default="DOP853",
    show_default=True,
    help="Integrator: Dormand and Prince's of order 8, Verner's of orders 6 and 5, or Dormand and Prince's of 5 and 4.",
)
@click.option("--rtol", type=_TOLERANCE, default=1e-12, show_default=True, help="Relative error of a step.")
@click.option("--atol", type=_TOLERANCE, default=1e-12, show_default=True, help="Absolute error of a step.")
@_with_files
def simulate(
    robot: RobotArgument,
    free_fall: float | None,
    duration: float | None,
    tau: str | None,
    interpolation: str | None,
    start: str | None,
    velocity: str | None,
    samples: int | None,
    output: str | None,
    kind: str,
    as_json: bool,
    **settings: Any,
) -> None:
    """Simulate a robot's motion; write it as a table and a picture.

    NUMBERS stand between commas, one for each joint: 0,-pi/2,0.1; of positions one for each entry of q. FILE.csv has
    the columns t (from 0, in s) and tau1 to taun, or the joints' names; columns q1 to qn and qd1 to qdn, if it has
    them, say how the simulation starts.
    """
    from symgen import api
    from symgen.simulation import display as motion
    from symgen.simulation import plots
    from symgen.simulation.systems import FUNCTIONS

    seconds = duration if free_fall is None else free_fall
    sampled = tau is not None and _is_file(tau)
    if (seconds is None and not sampled) or None not in (free_fall, duration):
        raise click.UsageError("expected either --free-fall SECONDS or --duration SECONDS, or --tau FILE.csv")
    if free_fall is not None and tau is not None:
        raise click.UsageError("--free-fall and --tau exclude each other; give --duration SECONDS with --tau")
    if interpolation is not None and not sampled:
        raise click.UsageError("--interpolation is for --tau FILE.csv")
    module, (q0, qd0, forces) = _prepared(
        robot, FUNCTIONS, ("--from", start, _positions), ("--velocity", velocity, _vector), ("--tau", tau, _forces)
    )
    with progress_shown() as progress:
        progress("simulating")
        settings |= {"interpolation": interpolation, "samples": samples or _DEFAULT_SAMPLES}
        result = api.simulate(module, seconds, q0=q0, qd0=qd0, tau=forces, **settings)
        progress("drawing")
        files = _files("simulation", result, plots.simulation_picture(result), kind)
    _show(result, output, files, motion.simulation_view(result), motion.simulation_summary(result), as_json)


@click.command()
@ROBOT
@click.option("--motion", metavar="FILE", help="A table (CSV) of samples to follow, instead of the cycloidal motion.")
@click.option("--duration", metavar="SECONDS", type=_SECONDS, help="Of the motion (default: 10).")
@click.option("--from", "start", metavar="NUMBERS", help="First positions in rad or m (default: 0).")
@click.option("--to", "end", metavar="NUMBERS", help="Last positions (default: pi rad, or 0.1 m).")
@_with_files
def plot(
    robot: RobotArgument,
    motion: str | None,
    duration: float | None,
    start: str | None,
    end: str | None,
    samples: int | None,
    output: str | None,
    kind: str,
    as_json: bool,
) -> None:
    """Compute the joint forces along a motion, cycloidal from rest to rest or sampled; write a table and a picture.

    NUMBERS stand between commas, one for each entry of q: 0,-pi/2,0.1. By default the library's Stanford arms move as
    in the papers. A table of samples has the columns t (in s) and q1 to qn, or the joints' names, and may have qd1 to
    qdn and qdd1 to qddn; rates it lacks are derived from splines.
    """
    from symgen import api
    from symgen.simulation import display as display
    from symgen.simulation import plots
    from symgen.simulation.trajectory import FUNCTIONS

    others = {"--from": start, "--to": end, "--duration": duration, "--samples": samples}
    given = [option for option, value in others.items() if value is not None]
    if motion is not None and given:
        raise click.UsageError(f"--motion and {given[0]} exclude each other: the samples say where it goes, and when")
    module, (samples_given, first, last) = _prepared(
        robot,
        FUNCTIONS,
        ("--motion", motion, _motion),
        ("--from", start, _positions),
        ("--to", end, _positions),
    )
    with progress_shown() as progress:
        result = api.follow(module, motion=samples_given, start=first, end=last, duration=duration, samples=samples)
        progress("drawing")
        files = _files("torques", result, plots.torques_picture(result), kind)
    _show(result, output, files, display.trajectory_view(result), display.trajectory_summary(result), as_json)


Reader = Callable[[str, str, "Record"], Any]
"""What makes of an option's name and text what it says of the joints that the record has."""


def _positions(name: str, text: str, record: Record) -> Any:
    from symgen.simulation.checks import configuration, vector_of_text

    return configuration(name, vector_of_text(name, text, record.positions), record)


def _vector(name: str, text: str, record: Record) -> Any:
    from symgen.simulation.checks import vector_of_text

    return vector_of_text(name, text, record.joints)


def _forces(name: str, text: str, record: Record) -> Any:
    from symgen.errors import InputError
    from symgen.simulation.histories import FORCES

    if _is_file(text):
        return _history(name, text, record, FORCES)
    try:
        return _vector(name, text, record)
    except InputError:
        if Path(text).is_file():
            raise InputError(f"{name}: a file of joint forces has a name that ends in .csv; found {text!r}") from None
        raise


def _motion(name: str, text: str, record: Record) -> Any:
    from symgen.simulation.histories import MOTION

    return _history(name, text, record, MOTION)


def _history(name: str, text: str, record: Record, kind: Kind) -> Any:
    from symgen.simulation.histories import history

    return history(name, Path(text), record, kind)


def _is_file(text: str) -> bool:
    return text.lower().endswith(".csv")


def _prepared(
    robot: RobotArgument, functions: Sequence[str], *options: tuple[str, str | None, Reader]
) -> tuple[DynamicsModule, list[Any]]:
    """The robot's module with these functions, and what options (name, text, reader) say of its joints."""
    from symgen import api
    from symgen.derive import records
    from symgen.simulation.loops import functions_for

    with progress_shown() as progress:
        loaded = loaded_robot(robot, progress)
        record = records.record(loaded)
        values = [None if text is None else read(name, text, record) for name, text, read in options]
        made = api.run(loaded, api.Options(functions=functions_for(loaded, functions)), progress=progress)
    show_notices(made.derivation.notices)
    if not made.passed:
        raise api.VerificationError(api.failure_text(made))
    return made.module, values


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
