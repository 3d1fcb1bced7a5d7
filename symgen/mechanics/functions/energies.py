"""Kinetic and potential energy."""

from __future__ import annotations

from typing import Any

from symgen.algebra.domain import vector
from symgen.mechanics import energy
from symgen.mechanics.functions.quantity import QD, Output, Q, Quantity, by
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import ENERGY
from symgen.mechanics.mechanism import Mechanism


def _kinetic_energy(mechanism: Mechanism) -> list[Any]:
    return [vector([energy.kinetic_energy(mechanism, State(mechanism).velocity)])]


def _potential_energy(mechanism: Mechanism) -> list[Any]:
    return [vector([energy.potential_energy(mechanism, mechanism.gravity)])]


KINETIC_ENERGY = Quantity(
    "kinetic_energy",
    "Kinetic energy of links and rotors.",
    (Q, QD),
    (Output("T", (), "kinetic energy", ENERGY, "T"),),
    by("twists", "twists in link frames", _kinetic_energy),
    looped=True,
    exchanged=True,
)

POTENTIAL_ENERGY = Quantity(
    "potential_energy",
    "Potential energy of moving links and springs; zero with all mass at the base frame's origin, springs slack.",
    (Q,),
    (Output("V", (), "potential energy", ENERGY, "V"),),
    by("moments", "first moments from the tips inward", _potential_energy),
    gravity=True,
    framed=False,
    summary_of_base=(
        "Potential energy of the moving links, up to a constant that base inertial parameters do not determine: that "
        "of links whose other inertial parameters are 0."
    ),
    looped=True,
)
