"""Robots with free joints, built without the verification of `generate`."""

from __future__ import annotations

import functools
from typing import Any

import symgen
from symgen.derive.derivation import derive
from symgen.derive.options import Options
from symgen.robot.model import Robot
from symgen.robot.reader import read_text
from symgen.runtime.module import build, emit

FREE = ("floating", "spherical", "planar")

_ROBOT = """
name = "free"
convention = "modified"
gravity = {gravity}
inertia_about = "com"

[[links]]
name = "body"
joint = "{kind}"
joint_name = "base"
a = 0.1
alpha = "pi/3"
d = 0
{turn}
mass = 3
com = {com}
inertia = {{xx = 0.1, yy = 0.2, zz = 0.15, xy = 0.01, xz = 0, yz = 0.003}}
"""

_ARM = """
[[links]]
name = "arm"
joint = "revolute"
joint_name = "elbow"
a = 0.3
alpha = "pi/2"
d = 0.1
mass = 1
com = [0.2, 0, 0.02]
inertia = {xx = 0.01, yy = 0.02, zz = 0.015, xy = 0.001, xz = 0, yz = 0.0003}
"""

FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "kinetic_energy", "potential_energy")


def robot(kind: str, *, gravity: str = "[0, 0, -9.81]", com: str = "[0.1, 0, 0.02]", arm: bool = True) -> Robot:
    """A body on a free joint of this kind, with an arm or alone."""
    turn = "theta = 0" if kind in FREE else ""
    text = _ROBOT.format(kind=kind, gravity=gravity, com=com, turn=turn)
    return read_text(text + _ARM * arm, "free.toml")


@functools.cache
def module(kind: str, **choices: Any) -> symgen.DynamicsModule:
    """The module of such a robot that a simulation needs; `choices` are those of `robot`."""
    derivation = derive(robot(kind, **choices), Options(functions=FUNCTIONS))
    return build(derivation, emit(derivation.module))
