"""Commands about generated code: `generate`, `count`, `verify`."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symgen.cli import completion
from symgen.cli.arguments import FRESH, JSON, ROBOT, RobotArgument, loaded_robot
from symgen.cli.terminal import print_json, print_tables, progress_shown, show_notices
from symgen.derive.option_table import ALGORITHMS, OPTIONS, PARAMETERS, Option

if TYPE_CHECKING:
    from symgen.api import Generation, Options
    from symgen.display.pictures import Picture

_STATES = click.IntRange(1, 100_000)


def _modelled(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options that say what is derived and how, as one argument `options`."""

    @functools.wraps(command)
    def run(*args: Any, **given: Any) -> None:
        from symgen import api

        values = {option.name: _READ[option.kind](given.pop(option.name)) for option in OPTIONS}
        command(*args, options=api.Options(**{k: v for k, v in values.items() if v is not None}), **given)

    for option in reversed(OPTIONS):
        run = _click_option(option)(run)
    return run


def _click_option(option: Option) -> Callable[..., Any]:
    settings: dict[str, Any] = {"help": option.help, "metavar": option.metavar}
    if option.kind == "choice":
        settings["type"] = click.Choice(option.choices)
    if option.kind == "flag":
        settings = {"help": option.help, "is_flag": True}
    elif option.kind == "file":
        settings["type"] = click.Path(path_type=Path)
    elif isinstance(option.default, str):
        settings |= {"default": option.default, "show_default": True}
    if option.name == "functions":
        settings["shell_complete"] = completion.functions
    return click.option(option.option, option.name, **settings)


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def _choices(path: Path | None) -> tuple[Any, ...]:
    """The choices in a file that an earlier run's --json output was written to."""
    from symgen.derive.options import choices_of

    if path is None:
        return ()
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise click.UsageError(f"--choices: {path} holds no JSON: {error}"[:300]) from None
    return choices_of(data)


def _parameters(text: str) -> str | tuple[str, ...]:
    """A kind of parameters, or names of some."""
    names = _names(text) or ()
    if not names:
        raise click.UsageError("--parameters: expected numeric, runtime, base or names, found nothing")
    kinds = [name for name in names if name in PARAMETERS]
    if kinds and len(names) > 1:
        raise click.UsageError(f"--parameters: {kinds[0]} stands for all parameters and excludes names beside it")
    return kinds[0] if kinds else names


_READ: dict[str, Callable[[Any], Any]] = {
    "choice": str,
    "names": _names,
    "parameters": _parameters,
    "file": _choices,
    "flag": bool,
}
"""Kind of option → how its text is read."""


class _Languages(click.Option):
    """An option that takes names of languages; its help names them, and shells complete them."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, metavar="NAMES", shell_complete=completion.languages, **settings)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from symgen.emit.registry import LANGUAGES, USUAL

        names, _ = super().get_help_record(ctx) or ("", "")
        usual = f" (default: {','.join(USUAL)})" if ctx.command.name == "generate" else ""
        return names, f"{self.help}: {', '.join(LANGUAGES)}{usual}."


@click.command()
@ROBOT
@click.option(
    "--output",
    "-o",
    metavar="DIR",
    help="Directory for the files (default: generated/<robot>, or <robot>_pkg), or file (default: <robot>.fmu).",
)
@click.option("--lang", cls=_Languages, help="Languages to write")
@click.option(
    "--package",
    metavar="[KIND]",
    is_flag=False,
    flag_value="library",
    help="Write a package: library (C and Python, builds and installs by itself; the default), or fmu or fmu2 "
    "(Functional Mock-up Unit, FMI 3.0 or 2.0).",
)
@click.option("--force", is_flag=True, help="Let the package replace what is in its directory.")
@_modelled
@click.option("--states", type=_STATES, default=100, show_default=True, help="States to verify at.")
@click.option("--verbose", "-v", is_flag=True, help="Show every check and proof, and how forward dynamics is computed.")
@FRESH
@JSON
def generate(
    robot: RobotArgument,
    output: str | None,
    lang: str | None,
    package: str | None,
    force: bool,
    options: Options,
    states: int,
    verbose: bool,
    as_json: bool,
) -> None:
    """Generate, compile and verify the dynamics module of a robot, then write its files."""
    from symgen import api
    from symgen.cli import summaries

    kind = None if package is None else api.package_kind(package)
    if kind is not None and lang is not None:
        raise click.UsageError("--package and --lang exclude each other: a package holds all it needs")
    if force and kind is None:
        raise click.UsageError("--force goes with --package; plain files are always replaced")
    languages = api.USUAL if lang is None else api.checked_languages(_names(lang) or ())
    if kind is not None and options.functions is None:
        options = replace(options, functions=kind.functions)
    made = _made(robot, options, states=states, languages=languages)
    if not made.passed:
        print_tables(summaries.report_table(made), err=True)
        raise api.VerificationError(api.failure_text(made))
    name = made.robot.name
    directory = Path(output or (kind.place.format(name=name) if kind else f"generated/{name}"))
    if package is not None:
        paths = api.write_package(made, directory, force=force, kind=package)
    else:
        paths = api.write_files(directory, api.chosen_files(made.sources, languages))
    if as_json:
        print_json(summaries.generation_summary(made, paths))
        return
    print_tables(summaries.counts_table(name, made.module.counts))
    if verbose:
        _echo_details(made, paths)
        return
    for line in (*summaries.report_lines(made), summaries.written_line(directory, paths)):
        click.echo(line)


def _echo_details(made: Generation, paths: Sequence[Path]) -> None:
    """Every check, proof and file."""
    from symgen.cli import summaries

    print_tables(summaries.report_table(made))
    for name in ALGORITHMS:
        if name in made.module.formulations:
            click.echo(f"{name}: {made.module.formulations[name]}")
    for path in paths:
        click.echo(f"wrote {path}")


@click.command("count")
@ROBOT
@_modelled
@click.option("--passes", is_flag=True, help="Also show the counts as derived and after each group of passes.")
@click.option("--formulations", is_flag=True, help="Also count every formulation of inverse and forward dynamics.")
@click.option("--crossover", is_flag=True, help="Also count both forward dynamics algorithms for 2 to 16 joints.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["table", "markdown", "latex"]),
    default="table",
    show_default=True,
    help="Of the tables.",
)
@click.option("--picture", metavar="FILE", help="Also draw bars into a .png, .svg or .pdf file.")
@FRESH
@JSON
def count_operations(
    robot: RobotArgument,
    options: Options,
    passes: bool,
    formulations: bool,
    crossover: bool,
    style: str,
    picture: str | None,
    as_json: bool,
) -> None:
    """Count the operations of a robot's functions, beside published counts."""
    from symgen import api
    from symgen.cli import parameter_views as parameters
    from symgen.cli import summaries
    from symgen.count import beside

    with progress_shown() as progress:
        loaded = loaded_robot(robot, progress)
        derivation = api.derive(loaded, options, progress)
        if crossover:
            progress("counting both forward dynamics algorithms for 2 to 16 joints")
        compared = api.crossover() if crossover else None
        each = api.formulation_counts(derivation.subject, options, progress) if formulations else {}
    counts = api.counts(derivation)
    altered = options.is_symbolic or options.gravity == "runtime" or bool(options.wrenches)
    if picture is not None:
        _write_picture(Path(picture), summaries.counts_picture(loaded, counts, symbolic=altered), as_json=as_json)
    show_notices(derivation.notices)
    if as_json:
        data = {"robot": loaded.name, "functions": {name: c.as_dict() for name, c in counts.items()}}
        data["formulations"] = {item.name: item.formulation for item in derivation.module.functions}
        data["choices"] = {name: choice.as_dict() for name, choice in derivation.choices.items()}
        if derivation.module.parameters:
            data["runtime_parameters"] = parameters.parameters_summary(derivation.module)
        if generic := beside.generic_of(derivation, symbolic=altered):
            data["generic"] = summaries.generic_summary(generic)
        if passes:
            data["passes"] = summaries.passes_summary(derivation)
        if formulations:
            data["counts_by_formulation"] = summaries.formulations_summary(each)
        if compared is not None:
            data["crossover"] = {"multiplications": compared.multiplications, "both": compared.both}
        print_json(data)
        return
    if style != "table":
        for grid in summaries.count_grids(loaded, derivation, compared, each, passes=passes, symbolic=altered):
            click.echo((grid.markdown() if style == "markdown" else grid.latex()) + "\n")
        return
    print_tables(summaries.counts_table(loaded.name, counts))
    if derivation.module.parameters:
        print_tables(parameters.parameters_table(derivation.module))
    if passes:
        print_tables(summaries.passes_table(loaded.name, derivation))
    for table in summaries.formulations_table(each):
        print_tables(table)
    for table in summaries.published_tables(loaded, derivation, compared, symbolic=altered):
        print_tables(table)


def _write_picture(path: Path, picture: Picture, *, as_json: bool) -> None:
    """Write a picture in the format that the file's name ends with."""
    from symgen import api

    (written,) = api.write_files(path.parent, {path.name: picture.content(path.suffix.removeprefix("."))})
    click.echo(f"wrote {written}", err=as_json)


@click.command()
@ROBOT
@click.option("--states", type=_STATES, default=100, show_default=True, help="Random states.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the random states.")
@click.option("--lang", cls=_Languages, help="Languages whose code is run and compared, too")
@_modelled
@JSON
def verify(robot: RobotArgument, states: int, seed: int, lang: str | None, options: Options, as_json: bool) -> None:
    """Compare a robot's compiled module with an independent oracle, identities and block-form proofs."""
    from symgen import api
    from symgen.cli import summaries

    languages = () if lang is None else api.checked_languages(_names(lang) or ())
    made = _made(robot, options, states=states, seed=seed, languages=languages, verify=True)
    if as_json:
        print_json(summaries.report_summary(made))
    else:
        print_tables(summaries.report_table(made))
    if not made.passed:
        raise api.VerificationError(api.failure_text(made))


def _made(robot: RobotArgument, options: Options, **settings: Any) -> Generation:
    """The corridor run for a robot, with its progress and notices shown."""
    from symgen import api

    with progress_shown() as progress:
        loaded = loaded_robot(robot, progress)
        made = api.run(loaded, options, progress=progress, **settings)
    show_notices(made.derivation.notices)
    return made
