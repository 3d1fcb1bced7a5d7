"""Robots that touch: a hopper in a plane, an arm that takes a free object, a five-bar at a wall, solo12 on its feet."""

from __future__ import annotations

import functools

import symgen
from symgen.robot.model import Robot
from symgen.robot.reader import read_text
from symgen.robot.shipped import file_text

HOPPER = """
name = "hopper"
convention = "placed"
gravity = [0, 0, -9.81]
inertia_about = "com"

[parameters]
L = 0.3

[[links]]
name = "trunk"
joint = "planar"
joint_name = "root"
axis = [0, -1, 0]
mass = 4
com = [0, 0, 0.05]
inertia = { xx = 0.03, yy = 0.04, zz = 0.02 }

[[links]]
name = "thigh"
joint = "revolute"
joint_name = "hip"
axis = [0, -1, 0]
mass = 0.6
com = [0, 0, "-L/2"]
inertia = { xx = 0.005, yy = 0.005 }

[[links]]
name = "shank"
joint = "revolute"
joint_name = "knee"
xyz = [0, 0, "-L"]
axis = [0, -1, 0]
mass = 0.3
com = [0, 0, "-L/2"]
inertia = { xx = 0.002, yy = 0.002 }

[[frames]]
name = "foot"
link = "shank"
xyz = [0, 0, "-L"]

[[loops]]
name = "sole"
joint = "spherical"
predecessor = { link = "base" }
successor = { frame = "foot" }

[contacts]
stance = ["sole"]
"""

_ARM = """
name = "{name}"
convention = "placed"
gravity = [0, 0, -9.81]
inertia_about = "com"

[[links]]
name = "body"
joint = "floating"
mass = 3
com = [0.01, 0.02, 0.03]
inertia = {{ xx = 0.04, yy = 0.05, zz = 0.06 }}

[[links]]
name = "upper"
joint = "revolute"
joint_name = "shoulder"
xyz = [0.1, 0, 0.1]
axis = [0, 0, 1]
mass = 1
com = [0.15, 0.01, 0]
inertia = {{ xx = 0.001, yy = 0.008, zz = 0.008 }}

[[links]]
name = "hand"
joint = "revolute"
joint_name = "elbow"
xyz = [0.3, 0, 0]
rpy = [0.3, 0, 0]
axis = [0, 1, 0]
mass = 0.5
com = [0.1, 0, 0.02]
inertia = {{ xx = 0.001, yy = 0.003, zz = 0.003 }}
"""

_OBJECT = """
[[links]]
name = "object"
{joint}
mass = 0.7
com = [0.02, 0.01, 0.03]
inertia = {{ xx = 0.002, yy = 0.003, zz = 0.004, xy = 0.0003 }}
"""

_PALM = "xyz = [0.2, 0, 0]\nrpy = [0, 0.4, 0]"

_HOLD = """
[[loops]]
name = "palm"
joint = "fixed"
predecessor = { link = "hand", xyz = [0.2, 0, 0], rpy = [0, 0.4, 0] }
successor = { link = "object" }

[contacts]
hold = ["palm"]
"""

_WALL = """
[[loops]]
name = "pin"
joint = "spherical"
predecessor = { link = "base", xyz = [0.6, -0.3, 0] }
successor = { link = "leg1_2" }

# Slides up and down: z of the base's frame is along the wall, x at right angles to it.
[[loops]]
name = "slider"
joint = "inline"
predecessor = { link = "base", xyz = [0.6, -0.3, 0], rpy = ["-pi/2", 0, 0] }
successor = { link = "leg1_2" }

[contacts]
pinned = ["pin"]
sliding = ["slider"]
"""


@functools.cache
def hopper() -> Robot:
    """A trunk on a planar joint in the x-z plane, a leg of two links, and its foot."""
    return read_text(HOPPER, "hopper.toml")


@functools.cache
def gripper() -> Robot:
    """A free body with an arm of two links, and an object that moves freely, which the hand may hold."""
    joint = 'joint = "floating"\nparent = "base"'
    return read_text(_ARM.format(name="gripper") + _OBJECT.format(joint=joint) + _HOLD, "gripper.toml")


@functools.cache
def laden() -> Robot:
    """The same with the object fixed to the hand."""
    joint = f'joint = "fixed"\n{_PALM}'
    return read_text(_ARM.format(name="laden") + _OBJECT.format(joint=joint), "laden.toml")


@functools.cache
def five_bar() -> Robot:
    """The five-bar of the library, whose tip touches a point of a wall, or slides along it."""
    return read_text(file_text("five_bar") + _WALL, "five_bar.toml")


@functools.cache
def solo12() -> Robot:
    """The quadruped of the library."""
    return symgen.load("solo12")
