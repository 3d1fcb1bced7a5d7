"""Variables of the joint state over a mechanism's domain."""

from __future__ import annotations

from symgen.algebra.domain import Scalar, variables, zeros
from symgen.mechanics.mechanism import Mechanism


def velocity(mechanism: Mechanism) -> list[Scalar]:
    """The input q̇, nv (rad/s or m/s)."""
    return rates(mechanism, "qd")


def rates(mechanism: Mechanism, name: str) -> list[Scalar]:
    """An input with an entry for every velocity, nv: q̇, q̈, τ."""
    return list(variables(mechanism.domain, name, mechanism.nv))


def rest(mechanism: Mechanism) -> list[Scalar]:
    """No motion: zeros, nv."""
    return list(zeros(mechanism.domain, mechanism.nv))
