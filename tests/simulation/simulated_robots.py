"""Modules, references and small robots for the tests of motion."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import symgen
from symgen.robot import library
from symgen.robot.reader import read_text
from symgen.simulation.systems import FUNCTIONS

ARMS = ("puma", "stanford", "stanford_1999")
INERTIA = 0.25
"""kg m² of the `wheel`."""


@functools.cache
def reference(robot: str) -> dict:
    """Values computed without symgen (tests/data/README.md)."""
    return json.loads((Path(__file__).parents[1] / "data" / f"{robot}.json").read_text(encoding="utf-8"))


@functools.cache
def module(robot: str) -> symgen.DynamicsModule:
    """The module of a library robot that a simulation needs."""
    return symgen.generate(library.load(robot), functions=(*FUNCTIONS, "inverse_dynamics"), states=5)


@functools.cache
def wheel(**drive: str) -> symgen.DynamicsModule:
    """One joint that turns `INERTIA` about a vertical axis: q̈ = τ / INERTIA, friction of the `drive` apart."""
    keys = "".join(f"{key} = {value}\n" for key, value in drive.items())
    text = f"""
        name = "wheel"
        convention = "standard"
        gravity = [0, 0, "-9.81"]
        inertia_about = "com"
        [[links]]
        joint = "revolute"
        a = 0
        alpha = 0
        b = 0
        mass = 3
        com = [0, 0, 0]
        inertia = {{ xx = 0.2, yy = 0.2, zz = {INERTIA} }}
    """
    return symgen.generate(read_text(text + keys, "wheel.toml"), functions=FUNCTIONS, states=5)
