"""The five-bar with friction and a spring at one of its pivots, cut there or at another one."""

from __future__ import annotations

from functools import cache

import numpy as np

import symgen
from symgen.robot.model import Robot
from symgen.robot.reader import read_text

DRIVE = """
viscous_friction = 0.7
coulomb_friction = 0.4
coulomb_smoothing = 0.3
sigmoid_friction = 0.2
sigmoid_slope = 2
sigmoid_shift = 0.1
stiffness = 3
rest_position = 0.5
"""

BARS = """
name = "{name}"
convention = "placed"
gravity = [0, -9.81, 0]
inertia_about = "com"
actuated = ["left", "right"]
{links}
[[loops]]
name = "{cut}"
joint = "revolute"
predecessor = {{ link = "{first}", xyz = [{at}, 0, 0] }}
successor = {{ link = "{second}", xyz = [{its}, 0, 0] }}
{drive}
[posture]
{posture}
"""

LINK = """
[[links]]
name = "{name}"
parent = "{parent}"
joint = "revolute"
joint_name = "{joint}"
xyz = [{x}, 0, 0]
axis = [0, 0, 1]
mass = {mass}
com = [{com}, 0.02, 0]
inertia = {{ xx = 0.01, yy = 0.02, zz = 0.02 }}
{drive}
"""


def _link(name: str, parent: str, joint: str, x: float, mass: float, com: float, drive: str = "") -> str:
    return LINK.format(name=name, parent=parent, joint=joint, x=x, mass=mass, com=com, drive=drive)


def cut_at_tip() -> Robot:
    """Both legs are chains of two links; they are tied together at the tip, where the drive is."""
    links = (
        _link("thigh", "base", "left", 0, 3, 0.3)
        + _link("shin", "thigh", "knee", 0.6, 1.6, 0.55)
        + _link("upper", "base", "right", 1.2, 2, 0.35)
        + _link("lower", "upper", "elbow", 0.7, 1.1, 0.6)
    )
    posture = "left = 1.7\nknee = -2.6\nright = 1.35\nelbow = 2.7"
    ends = {"first": "shin", "at": 1.1, "second": "lower", "its": 1.2}
    return read_text(BARS.format(name="tip", links=links, cut="tip", drive=DRIVE, posture=posture, **ends), "tip.toml")


def cut_at_elbow() -> Robot:
    """The same with the elbow cut: the last link hangs on the shin, by its far end, where the drive is."""
    links = (
        _link("thigh", "base", "left", 0, 3, 0.3)
        + _link("shin", "thigh", "knee", 0.6, 1.6, 0.55)
        + _link("lower", "shin", "tip", 1.1, 1.1, -0.6, DRIVE)
        + _link("upper", "base", "right", 1.2, 2, 0.35)
    )
    posture = "left = 1.7\nknee = -2.6\ntip = -1.334\nright = 1.35"
    ends = {"first": "upper", "at": 0.7, "second": "lower", "its": -1.2}
    return read_text(BARS.format(name="elbow", links=links, cut="elbow", drive="", posture=posture, **ends), "e.toml")


FUNCTIONS = (
    *("inverse_dynamics", "forward_dynamics", "kinetic_energy", "potential_energy", "assembly_step"),
    *("cut_joint_positions", "cut_joint_velocities", "velocity_transformation"),
)


@cache
def module(robot: str):
    made = {"tip": cut_at_tip, "elbow": cut_at_elbow}[robot]()
    return symgen.generate(made, functions=FUNCTIONS, effort="low", states=20)


def closed(made, moved: np.ndarray) -> np.ndarray:
    """Closed q of a module, these far from its posture."""
    near = np.array(made.neutral)
    q, status = made.assemble(near[list(made.record.independent)] + moved, near)
    assert not np.any(status)
    return q
