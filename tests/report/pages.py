"""Pages of library robots, made once for all tests."""

from functools import cache

from symgen.generation.corridor import generate
from symgen.report.functions import options_for
from symgen.report.page import report
from symgen.robot.library import load

STATES = 5
"""Random states that what is told of checks is of."""


@cache
def page(name):
    """The page of a library robot, verified at few states."""
    return report(load(name), states=STATES)


@cache
def compiled(name):
    """The functions of a library robot's page, in C."""
    robot = load(name)
    module = generate(robot, functions=options_for(robot).functions, states=STATES)
    assert module.language == "c"
    return module
