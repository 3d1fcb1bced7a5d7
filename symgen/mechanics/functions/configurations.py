"""Functions of configurations: q ⊕ v, its inverse, and quaternions of length 1."""

from __future__ import annotations

from typing import Any

from symgen.algebra.domain import Vector, variables
from symgen.mechanics import configuration
from symgen.mechanics.functions.quantity import NQ, NV, Input, Output, Q, Quantity, by
from symgen.mechanics.functions.units import POSITION, Unit
from symgen.mechanics.mechanism import Mechanism

_STEP = Unit(POSITION.turning, POSITION.sliding)
_STEP_MEANING = "joint velocities times a time"


def _configuration(mechanism: Mechanism, name: str) -> Vector:
    return variables(mechanism.domain, name, mechanism.nq)


def _integrate(mechanism: Mechanism) -> list[Any]:
    step = variables(mechanism.domain, "v", mechanism.nv)
    return [configuration.integrate(mechanism, _configuration(mechanism, "q"), step)]


def _difference(mechanism: Mechanism) -> list[Any]:
    ends = (_configuration(mechanism, name) for name in ("q0", "q1"))
    return [configuration.difference(mechanism, *ends)]


def _normalize(mechanism: Mechanism) -> list[Any]:
    return [configuration.normalize(mechanism, _configuration(mechanism, "q"))]


INTEGRATE = Quantity(
    "integrate",
    "Joint positions that the velocities lead to from q, if they last so long that v is their product with that time; "
    "those of free joints stay what they are in the moved link's own axes.",
    (Q, Input("v", NV, _STEP_MEANING, _STEP)),
    (Output("q_next", (NQ,), "joint positions after it, quaternions of length 1", POSITION),),
    by("exponential", "q + v; exponentials of free joints", _integrate),
    framed=False,
    inertial=False,
)

DIFFERENCE = Quantity(
    "difference",
    "The v that leads from q0 to q1: integrate(q0, v) is q1; free joints turn the shorter way.",
    (
        Input("q0", NQ, "joint positions from which it leads", POSITION),
        Input("q1", NQ, "joint positions to which it leads", POSITION),
    ),
    (Output("v", (NV,), _STEP_MEANING, _STEP),),
    by("logarithm", "q1 - q0; logarithms of free joints", _difference),
    framed=False,
    inertial=False,
)

NORMALIZE = Quantity(
    "normalize",
    "The same joint positions with quaternions of length 1.",
    (Q,),
    (Output("q_unit", (NQ,), "joint positions, quaternions of length 1", POSITION),),
    by("norm", "division by lengths", _normalize),
    framed=False,
    inertial=False,
)
