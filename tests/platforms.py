"""Parallel robots in other trees, made of those of the library."""

from __future__ import annotations

import re

from symgen.robot.model import Robot
from symgen.robot.reader import read_text
from symgen.robot.shipped import file_text

POINT = '"0.4*cos(50*pi/180)", "0.4*sin(50*pi/180)", -0.05'


def carried_by_a_leg() -> Robot:
    """The Gough-Stewart platform whose first ball joint is one of the tree: that leg carries the platform."""
    text = file_text("gough_stewart")
    blocks = re.split(r"\n(?=\[)", text)
    (platform,) = [block for block in blocks if 'name = "platform"' in block]
    blocks.remove(platform)
    blocks = [block for block in blocks if 'name = "ball1"' not in block]
    joint = f'parent = "upper1"\njoint = "spherical"\njoint_xyz = [{POINT}]'
    platform = platform.replace('parent = "base"\njoint = "floating"', joint).replace('"pose"', '"ball1"')
    after = next(index for index, block in enumerate(blocks) if 'name = "upper1"' in block)
    blocks.insert(after + 1, platform)
    turned = "ball1_qx = 0.0867\nball1_qy = 0.2609\nball1_qz = -0.0235\nball1_qw = 0.961\n"
    text = "\n".join(blocks).replace('name = "gough_stewart"', 'name = "carried"').replace("pose_z = 0.95\n", turned)
    return read_text(text, "carried.toml")


DRIVE = """viscous_friction = 0.7
coulomb_friction = 0.4
coulomb_smoothing = 0.3
stiffness = 3
rest_position = 0.5
"""


def driven(name: str) -> Robot:
    """A robot of the library with friction and springs in all joints but free ones, and rotors in the tree's."""
    blocks = re.split(r"\n(?=\[)", file_text(name))
    for index, block in enumerate(blocks):
        if any(f'joint = "{kind}"' in block for kind in ("revolute", "prismatic")):
            rotor = "rotor_inertia = 0.02\ngear_ratio = 3\n" if block.startswith("[[links]]") else ""
            blocks[index] = block.rstrip("\n") + "\n" + DRIVE + rotor
    return read_text("\n".join(blocks), f"{name}.toml")
