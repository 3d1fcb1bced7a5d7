"""Forces in all joints of the tree that a motion asks for."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Scalar
from symgen.mechanics import newton_euler
from symgen.mechanics.functions.state import State


def tree_forces(state: State, acceleration: Sequence[Scalar]) -> list[Scalar]:
    """τ of links, rotors, friction, springs and loads in all joints of the tree, nv (N m or N), at its q̈."""
    mechanism, speed = state.mechanism, state.velocity
    links = newton_euler.inverse_dynamics(mechanism, speed, acceleration, mechanism.gravity, loads=True)
    drives = zip(mechanism.rotor_inertias, state.drive_forces, acceleration, strict=True)
    return [force + (rotor * push + drag) for force, (rotor, drag, push) in zip(links, drives, strict=True)]
