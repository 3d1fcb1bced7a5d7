"""What commands have in common: the robot with the choices at reading it, and the flag for programs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symgen.cli import completion
from symgen.cli.terminal import show_notices

if TYPE_CHECKING:
    from symgen.robot.choices import Words
    from symgen.robot.model import Robot

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program instead of tables.")


def FRESH(command: Callable[..., None]) -> Callable[..., None]:  # noqa: N802 — a decorator among others
    """Gives a command an option with which nothing is looked up and nothing kept."""

    @functools.wraps(command)
    def run(*args: Any, fresh: bool, **given: Any) -> None:
        from symgen.build.kept import unused

        with unused(fresh):
            command(*args, **given)

    return click.option(
        "--fresh", is_flag=True, help="Look up nothing that was kept of earlier runs, and keep nothing."
    )(run)


@dataclass(frozen=True)
class RobotArgument:
    """The robot of a command: its name or path, and the choices that differ from the usual ones."""

    name: str
    words: Words

    def load(self) -> Robot:
        """The robot."""
        from symgen.generation.reading import load

        return load(self.name, **self.words)


def _values(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Texts "joint=value" as what they say."""
    pairs = [text.partition("=") for text in given]
    for joint, equals, value in pairs:
        if not (joint and equals and value):
            raise click.BadParameter(
                f"expected JOINT=VALUE, such as elbow=pi/2, found {joint + equals + value!r}"[:200]
            )
    return {joint.strip(): value.strip() for joint, _, value in pairs}


_CHOICES = (
    click.option("--root", metavar="LINK", help="Take the links from this one on; it stands on the base."),
    click.option("--tip", metavar="LINK", multiple=True, help="Take the chain to this link; may be repeated."),
    click.option(
        "--lock", metavar="JOINT=VALUE", multiple=True, callback=_values, help="Fix a joint (rad, m); may be repeated."
    ),
    click.option(
        "--base", type=click.Choice(["fixed", "floating", "planar"]), help="How the root link moves (default: as read)."
    ),
    click.option(
        "--attach",
        metavar="LINK:MASS:X,Y,Z",
        multiple=True,
        help="Fix a point mass (kg, m) to a link; may be repeated.",
    ),
    click.option(
        "--attach-file", metavar="FILE", type=click.Path(path_type=Path), help="Fix the loads of a file to links."
    ),
    click.option(
        "--mimic",
        type=click.Choice(["reduced", "independent"]),
        default="reduced",
        show_default=True,
        help="Joints that follow others.",
    ),
    click.option(
        "--loops", metavar="FILE|open", help="Close the loops that a file tells; `open` leaves all loops open."
    ),
    click.option("--snap/--no-snap", default=True, help="Read 1.5708 in XML as pi/2 and the like (default)."),
)

_USUAL: dict[str, Any] = {
    "root": None,
    "tip": (),
    "lock": {},
    "base": None,
    "attach": (),
    "attach_file": None,
    "mimic": "reduced",
    "loops": None,
    "snap": True,
}


def ROBOT(command: Callable[..., None]) -> Callable[..., None]:  # noqa: N802 — a decorator among others
    """Gives a command its robot, a `RobotArgument`, and the options of what is taken of it."""

    @functools.wraps(command)
    def run(robot: str, **given: Any) -> None:
        chosen = {name: given.pop(name) for name in _USUAL}
        words: Any = {name: value for name, value in chosen.items() if value != _USUAL[name]}
        command(robot=RobotArgument(robot, words), **given)

    for option in reversed(_CHOICES):
        run = option(run)
    return click.argument("robot", shell_complete=completion.robots)(run)


def loaded_robot(robot: RobotArgument, progress: Callable[[str], None]) -> Robot:
    """The robot, with what its reader noticed shown, and inertia of placed links that no body can have."""
    progress(f"reading {robot.name[:60]}")
    loaded = robot.load()
    show_notices(loaded.notices)
    if loaded.convention == "placed":
        from symgen.robot.physical import remarks

        # Tables often give only what acts; of placed links, as in URDFs, the tensors are whole and no accident.
        show_notices(remarks(loaded))
    return loaded
