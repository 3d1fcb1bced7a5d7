"""The command line: one command for each thing symgen does.

A module here holds the commands of one subject. What the commands do is in `api`, what they tell of it in `summaries`,
and how they show it in `terminal`; they import these when they run, so that help is quick.

Exit codes: 0 done; 1 a verification failed; 2 the input or the machine is at fault; 3 a bug of symgen; as usual on
Unix, 130 after Ctrl-C and 141 if the reader of the output went away.
"""

from __future__ import annotations

import click

from symgen.cli import code, forms, motion, robots, speed
from symgen.terminal import Group
from symgen.version import __version__


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="symgen")
def main() -> None:
    """Equations of motion and fast dynamics code for robots.

    ROBOT is the name of a library robot (see `symgen list`) or the path of a robot file.
    """


for _command in (
    robots.list_robots,
    robots.init,
    robots.info,
    robots.convert,
    code.generate,
    code.count_operations,
    code.verify,
    forms.show,
    motion.simulate,
    motion.plot,
    speed.bench,
):
    main.add_command(_command)
