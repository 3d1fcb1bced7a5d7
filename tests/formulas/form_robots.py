"""Robots whose closed forms are tested: of the library, and random ones small enough for closed forms."""

from __future__ import annotations

import numpy as np
from robots_with_drives import equipped
from strategies import seeded_robot

from symgen.robot import library

LIBRARY = ("planar2r", "planar3r", "stanford", "puma")

TREE, FIXED_TREE, SLIDES, TURNED, PAIR = 20, 35, 24, 60, 94
"""Seeds of random robots: a tree; one with slides, fixed links, one at the end, and a base; prismatic, revolute,
prismatic; a massless link and a base; two slides."""

RANDOM = (TREE, FIXED_TREE, SLIDES, TURNED, PAIR)


def robot(name):
    """The robot of a name of the library, of a seed, or of the library with drives and frames: "planar3r+"."""
    if isinstance(name, int):
        return seeded_robot(name)
    return equipped(name[:-1]) if name.endswith("+") else library.load(name)


def state(robot, seed=1):
    """Random q, q̇ and q̈."""
    return np.random.default_rng(seed).uniform(-2, 2, (3, robot.nv))
