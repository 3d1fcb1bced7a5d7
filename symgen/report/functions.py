"""The functions that a page needs of its robot."""

from __future__ import annotations

from symgen.derive.options import Options
from symgen.errors import InputError
from symgen.mechanics.functions.quantity import Quantity
from symgen.mechanics.functions.registry import FUNCTIONS
from symgen.robot.model import Robot
from symgen.simulation.loops import functions_for

NEEDED = ("inverse_dynamics", "forward_dynamics", "kinetic_energy", "potential_energy")
"""Without these there is no page."""

SHOWN = (
    *NEEDED,
    "inertia_matrix",
    "coriolis_torque",
    "gravity_torque",
    "center_of_mass",
    "forward_kinematics",
    "jacobian",
)
"""What a page shows, as far as the robot has it."""

LANGUAGE = "js"
"""The language that the page runs."""


def options_for(robot: Robot) -> Options:
    """What is generated for a robot's page; `InputError` for robots that lack what every page needs."""
    known = {item.name for item in FUNCTIONS if _fits(item, robot)}
    missing = [name for name in NEEDED if name not in known]
    if missing:
        raise InputError(
            f"{robot.name}: there is no page for this robot, since {', '.join(missing)} cannot be generated for it; "
            "generate what it has: symgen generate"
        )
    wanted = functions_for(robot, [name for name in SHOWN if name in known])
    return Options(functions=tuple(wanted))


def _fits(item: object, robot: Robot) -> bool:
    """Whether the robot has a function; those that are made of others it has where it has these."""
    if not isinstance(item, Quantity):
        return True
    return (item.looped if robot.has_loops else item.unlooped) and (item.at_cuts or not robot.has_cut_drives)
