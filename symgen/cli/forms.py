"""The command about formulas: `show`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from symgen.cli import completion
from symgen.cli.arguments import ROBOT, RobotArgument, loaded_robot
from symgen.cli.terminal import print_json, progress_shown

if TYPE_CHECKING:
    from symgen.formulas.by_name import NamedForms
    from symgen.formulas.form import Form
    from symgen.robot.model import Robot


@click.command()
@ROBOT
@click.argument("quantity", required=False, shell_complete=completion.quantities)
@click.argument("indices", nargs=-1, type=int)
@click.option("--latex", "style", flag_value="latex", help="LaTeX.")
@click.option("--text", "style", flag_value="text", default="text", help="Text (default).")
@click.option("--python", "style", flag_value="python", help="Python assignments, with what they need.")
@click.option(
    "--parameters",
    metavar="KIND|NAMES",
    default="symbolic",
    show_default=True,
    help="`symbolic`, `numeric`, or the names of those that are symbols.",
)
@click.option(
    "--inertia",
    type=click.Choice(["file", "frame", "base"]),
    default="file",
    show_default=True,
    help="Inertial parameters: as in the file; about the frames' origins on the joint axes; base parameters.",
)
@click.option(
    "--angles",
    type=click.Choice(["numeric", "symbolic"]),
    default="numeric",
    show_default=True,
    help="Twists and offsets; symbolic ones make formulas much longer.",
)
@click.option(
    "--reference",
    type=click.Choice(["origin", "mass_centre"]),
    default="origin",
    show_default=True,
    help="Reference points of block matrices.",
)
@click.option(
    "--axes", type=click.Choice(["link", "base"]), default="link", show_default=True, help="Axes of block matrices."
)
@click.option("--frame", help="Frame of forward_kinematics and jacobian (default: tool, else last link).")
@click.option(
    "--structure",
    is_flag=True,
    help="Show which entries are zero, constant or equal, and on which joints; of any function of the robot, too. "
    "--json has the pattern (CSC).",
)
@click.option("--expand", is_flag=True, help="Multiply all definitions out.")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000_000),
    default=20_000,
    show_default=True,
    help="Terms that an expansion may have.",
)
@click.option("--full", is_flag=True, help="Show every term of every entry of a matrix.")
@click.option("--json", "as_json", is_flag=True, help="Print structure and symbols as JSON for a program.")
def show(robot: RobotArgument, quantity: str | None, indices: tuple[int, ...], **options: Any) -> None:
    """Show closed forms: symgen show puma inertia_matrix 2 2.

    QUANTITY is a name; without one the quantities are listed. INDICES count from 1: first of the body or bodies of a
    quantity that belongs to bodies, then of an entry; without those of an entry all are shown.
    """
    from symgen.formulas import showing
    from symgen.formulas.closed_form import CATALOGUE, LOOPED
    from symgen.formulas.function_structure import has_structure

    with progress_shown() as progress:
        loaded = loaded_robot(robot, progress)
        if quantity is None:
            click.echo(showing.catalogue_text(LOOPED if loaded.has_loops else CATALOGUE))
            return
        if options["angles"] == "symbolic":
            click.echo("notice: symbolic twists and offsets make formulas much longer", err=True)
        progress(f"deriving {quantity[:60]}")
        if options["structure"] and options["angles"] == "numeric" and has_structure(quantity):
            output = _function_structure(loaded, quantity, indices, options)
        else:
            output = _closed_form(loaded, quantity, indices, options, progress)
    if isinstance(output, str):
        click.echo(output)
    else:
        print_json(output)


def _function_structure(robot: Robot, name: str, indices: tuple[int, ...], options: dict[str, Any]) -> Any:
    """The structure of a function's results: a text, or data for JSON."""
    from symgen.formulas import showing
    from symgen.formulas.function_structure import function_of

    if indices:
        raise click.UsageError(_WHOLE)
    function = function_of(robot, name, _parameters(options["parameters"]), options["frame"])
    if options["as_json"]:
        return {"robot": robot.name, "quantity": function.name, **showing.function_structure_dict(function)}
    return showing.function_structure_text(robot, function)


def _closed_form(
    robot: Robot, quantity: str, indices: tuple[int, ...], options: dict[str, Any], progress: Callable[[str], None]
) -> Any:
    """What is printed of a closed form."""
    from symgen.formulas import showing
    from symgen.formulas.closed_form import closed_form

    closed = closed_form(
        robot,
        parameters=_parameters(options["parameters"]),
        **{name: options[name] for name in ("inertia", "angles", "reference", "axes")},
    )
    form, entry = showing.selected(closed, quantity, indices, options["frame"])
    return _output(closed, form, entry, options, progress)


_WHOLE = "--structure and --json tell of a whole matrix: leave the indices of an entry out"


def _parameters(text: str) -> str | list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise click.UsageError("--parameters: expected symbolic, numeric or names, found nothing")
    kinds = [name for name in names if name in ("symbolic", "numeric")]
    if kinds and len(names) > 1:
        raise click.UsageError(f"--parameters: {kinds[0]} stands for all parameters and excludes names beside it")
    return kinds[0] if kinds else names


def _output(
    closed: NamedForms,
    form: Form,
    entry: tuple[int, ...] | None,
    options: dict[str, Any],
    progress: Callable[[str], None],
) -> Any:
    """What is printed: a text, or data for JSON."""
    from symgen.formulas import showing

    if entry is not None and (options["as_json"] or options["structure"]):
        raise click.UsageError(_WHOLE)
    if options["as_json"]:
        symbols = [symbol.as_dict() for symbol in form.symbols]
        return {"robot": closed.robot.name, "quantity": form.label.name, **form.structure.as_dict(), "symbols": symbols}
    if options["structure"]:
        return showing.structure_text(closed.robot, form.label.meaning, form.structure)
    if options["expand"]:
        return showing.expanded_text(form, entry, options["style"], options["limit"], progress)
    limit = None if options["full"] or entry is not None else showing.ENTRY_LIMIT
    write = {"text": showing.text, "latex": showing.latex, "python": showing.python}[options["style"]]
    return write(form, entry, limit, progress)
