"""The command line: one command for each thing symgen does.

A module here holds the commands of one subject. What the commands do is in `api`, what they tell of it in `summaries`,
and how they show it in `terminal`. A command is imported when it is asked for, and what it needs when it runs: nobody
waits for what others need.

Exit codes: 0 done; 1 a verification failed; 2 the input or the machine is at fault; 3 a bug of symgen; as usual on
Unix, 130 after Ctrl-C and 141 if the reader of the output went away.
"""

from __future__ import annotations

import click

from symgen.cli.terminal import Group
from symgen.cli.version import VERSION

_HOMES = {
    "list": "robots:list_robots",
    "init": "robots:init",
    "info": "robots:info",
    "convert": "robots:convert",
    "generate": "code:generate",
    "count": "code:count_operations",
    "verify": "code:verify",
    "chains": "chains:chains",
    "show": "forms:show",
    "simulate": "motion:simulate",
    "plot": "motion:plot",
    "report": "page:report",
    "bench": "speed:bench",
    "cache": "cache:cache",
}
"""Command → the module here that holds it, and its name there."""


@click.group(
    cls=Group,
    homes={name: f"symgen.cli.{home}" for name, home in _HOMES.items()},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@VERSION
def main() -> None:
    """Equations of motion and fast dynamics code for robots.

    ROBOT is the name of a library robot (see `symgen list`) or the path of a robot file.
    """
