"""The command line: `symgen list | info | generate | count | verify`. It talks to `api` only.

Exit codes: 0 done; 1 a verification failed; 2 the input or the machine is at fault; 3 a bug of symgen; as usual on
Unix, 130 after Ctrl-C and 141 if the reader of the output went away.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from symgen.errors import SymgenError
from symgen.version import __version__

_ROBOT = click.argument("robot")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program instead of tables.")
_FUNCTIONS = click.option(
    "--functions", metavar="NAMES", help="Comma-separated function names (default: all the robot admits)."
)
_FORWARD = click.option(
    "--forward-dynamics",
    type=click.Choice(["auto", "udu", "aba"]),
    default="auto",
    show_default=True,
    help="Algorithm: inertia matrix and U D U^T, articulated bodies, or the cheaper of the two.",
)


class _Group(click.Group):
    """A group of commands whose errors are messages, never tracebacks."""

    def main(self, *args: Any, **extra: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # for terminals that lack a letter
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except (click.Abort, KeyboardInterrupt):
            code = _failed("interrupted", 130)
        except SymgenError as error:
            code = _failed(str(error), error.exit_code)
        except (_ReaderGoneError, BrokenPipeError):
            _discard(sys.stdout)
            code = 141
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            code = _failed(f"{where}{error.strerror or error}", 2)
            _discard(sys.stdout)
        except Exception as error:
            code = _failed(_bug_text(error), 3)
        sys.exit(code)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderGoneError from error


class _ReaderGoneError(Exception):
    """Who read the output has gone; click would take the plain `BrokenPipeError` for its own."""


def _failed(message: str, code: int) -> int:
    click.echo(f"symgen: {message}", err=True)
    return code


def _bug_text(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"this is a bug of symgen: {type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno}). "
        "Please report it with the robot file"
    )


def _discard(stream: Any) -> None:
    """Let what is still to be written go nowhere, so that Python does not stumble over it when it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="symgen")
def main() -> None:
    """Equations of motion and fast dynamics code for robots.

    ROBOT is the name of a library robot (see `symgen list`) or the path of a robot file.
    """


@main.command("list")
@_JSON
def list_robots(as_json: bool) -> None:
    """List the robots that ship with symgen."""
    from symgen import api

    robots = [api.load(name) for name in api.robot_names()]
    if as_json:
        _print_json([{"name": r.name, "description": r.description, "joints": r.nv} for r in robots])
        return
    width = max(len(robot.name) for robot in robots)
    for robot in robots:
        click.echo(f"{robot.name:{width}}  {robot.nv} joints  {robot.description}")


@main.command()
@_ROBOT
@_JSON
def info(robot: str, as_json: bool) -> None:
    """Show what was understood of a robot: table, frames and axes at q = 0, masses, notices."""
    from symgen import api

    loaded = api.load(robot)
    if as_json:
        _print_json(api.robot_summary(loaded))
        return
    _print(api.robot_view(loaded))


@main.command()
@_ROBOT
@click.option("--output", "-o", metavar="DIR", help="Directory for the generated files (default: generated/<robot>).")
@_FUNCTIONS
@click.option("--lang", metavar="NAMES", default="c,python", show_default=True, help="Languages to write.")
@_FORWARD
@click.option("--states", type=click.IntRange(1, 100_000), default=100, show_default=True, help="States to verify at.")
@_JSON
def generate(
    robot: str,
    output: str | None,
    functions: str | None,
    lang: str,
    forward_dynamics: str,
    states: int,
    as_json: bool,
) -> None:
    """Generate, compile and verify the dynamics module of a robot, then write its files."""
    from symgen import api

    languages = api.checked_languages(_names(lang) or ())
    loaded = api.load(robot)
    _show_notices(loaded.notices)
    with _progress(quiet=as_json) as progress:
        made = api.run(loaded, api.Options(_names(functions), forward_dynamics), states=states, progress=progress)
    _show_notices(made.derivation.notices)
    if not made.passed:
        _print(api.report_table(made.report, made.proofs), err=True)
        raise api.VerificationError(api.failure_text(made))
    paths = api.write_files(output or f"generated/{loaded.name}", api.chosen_files(made.sources, languages))
    if as_json:
        _print_json(api.generation_summary(made, paths))
        return
    _print(api.counts_table(loaded.name, made.module.counts))
    _print(api.report_table(made.report, made.proofs))
    for name, formulation in made.module.formulations.items():
        if name == "forward_dynamics":
            click.echo(f"forward_dynamics: {formulation}")
    for path in paths:
        click.echo(f"wrote {path}")


@main.command("count")
@_ROBOT
@_FUNCTIONS
@_FORWARD
@click.option(
    "--parameters",
    type=click.Choice(["numeric", "symbolic"]),
    default="numeric",
    show_default=True,
    help="Bake the table's numbers in, or keep every mass, length and inertia a symbol.",
)
@click.option("--passes", is_flag=True, help="Also show the counts after each group of passes.")
@_JSON
def count_operations(
    robot: str, functions: str | None, forward_dynamics: str, parameters: str, passes: bool, as_json: bool
) -> None:
    """Count the operations of a robot's functions, beside published counts."""
    from symgen import api

    loaded = api.load(robot)
    _show_notices(loaded.notices)
    options = api.Options(_names(functions), forward_dynamics, symbolic=parameters == "symbolic")
    with _progress(quiet=as_json) as progress:
        derivation = api.derive(loaded, options, progress)
    counts = api.counts(derivation)
    _show_notices(derivation.notices)
    if as_json:
        _print_json({"robot": loaded.name, "functions": {name: c.as_dict() for name, c in counts.items()}})
        return
    _print(api.counts_table(loaded.name, counts))
    if passes:
        _print(api.passes_table(loaded.name, derivation))
    for table in api.published_tables(loaded, counts, symbolic=options.symbolic):
        _print(table)


@main.command()
@_ROBOT
@click.option("--states", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Random states.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the random states.")
@_FUNCTIONS
@_FORWARD
@_JSON
def verify(robot: str, states: int, seed: int, functions: str | None, forward_dynamics: str, as_json: bool) -> None:
    """Compare a robot's compiled module with an independent oracle, identities and block-form proofs."""
    from symgen import api

    loaded = api.load(robot)
    _show_notices(loaded.notices)
    with _progress(quiet=as_json) as progress:
        made = api.run(
            loaded,
            api.Options(_names(functions), forward_dynamics),
            states=states,
            seed=seed,
            progress=progress,
        )
    _show_notices(made.derivation.notices)
    if as_json:
        _print_json(api.report_summary(made))
    else:
        _print(api.report_table(made.report, made.proofs))
    if not made.passed:
        raise api.VerificationError(api.failure_text(made))


# output --------------------------------------------------------------------------------------------


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def _print(renderable: Any, *, err: bool = False) -> None:
    from rich.console import Console

    class Stream(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    console = Stream(stderr=err, highlight=False)
    if not console.is_terminal:
        console = Stream(stderr=err, highlight=False, width=160)
    console.print(renderable)


def _print_json(data: Any) -> None:
    click.echo(json.dumps(data, indent=2))


def _show_notices(notices: tuple[str, ...]) -> None:
    for notice in notices:
        click.echo(f"notice: {notice}", err=True)


@contextlib.contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Shows the present step on a terminal's error stream, and turns warnings into notices."""
    from rich.console import Console

    console = Console(stderr=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if quiet or not console.is_terminal:
            yield lambda text: None
        else:
            with console.status("") as status:
                yield lambda text: status.update(text)
    for warning in caught:
        click.echo(f"notice: {warning.message}", err=True)
