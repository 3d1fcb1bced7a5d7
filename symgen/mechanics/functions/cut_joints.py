"""Functions of robots with loops whose cut joints have coordinates: where these are, and how fast they change."""

from __future__ import annotations

from typing import Any

from symgen.algebra.domain import vector
from symgen.mechanics.functions.quantity import CUT_COORDINATES, QD, Output, Q, Quantity, by
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import POSITION, VELOCITY
from symgen.mechanics.loops.cut_joints import coordinates
from symgen.mechanics.mechanism import Mechanism

_TEXT = "chains from the predecessor of each cut joint to its successor"
_WORDS = "of the cut joints, in the order that the header tells"


def _positions(mechanism: Mechanism) -> list[Any]:
    return [vector(each.position for each in coordinates(mechanism))]


def _velocities(mechanism: Mechanism) -> list[Any]:
    velocity = State(mechanism).velocity
    return [vector(each.rate(velocity) for each in coordinates(mechanism))]


CUT_JOINT_POSITIONS = Quantity(
    "cut_joint_positions",
    "Coordinates of the cut joints: how far successors are turned about, or shifted along, axes of their predecessors; "
    "angles in (-pi, pi].",
    (Q,),
    (Output("s", (CUT_COORDINATES,), f"coordinates {_WORDS}", POSITION),),
    by("loops", _TEXT, _positions),
    inertial=False,
    looped=True,
    unlooped=False,
    of_cuts=True,
)

CUT_JOINT_VELOCITIES = Quantity(
    "cut_joint_velocities",
    "Rates of the coordinates of the cut joints.",
    (Q, QD),
    (Output("sd", (CUT_COORDINATES,), f"rates of coordinates {_WORDS}", VELOCITY),),
    by("loops", f"{_TEXT}; blocks of the constraints' Jacobian", _velocities),
    inertial=False,
    looped=True,
    unlooped=False,
    of_cuts=True,
)
