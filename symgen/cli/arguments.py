"""What commands have in common: the robot, and the flag for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from symgen.cli.terminal import show_notices

if TYPE_CHECKING:
    from symgen.robot.model import Robot

ROBOT = click.argument("robot")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program instead of tables.")


def loaded_robot(robot: str, progress: Callable[[str], None]) -> Robot:
    """The robot, with what its reader noticed shown."""
    from symgen.robot.library import load

    progress(f"reading {robot[:60]}")
    loaded = load(robot)
    show_notices(loaded.notices)
    return loaded
