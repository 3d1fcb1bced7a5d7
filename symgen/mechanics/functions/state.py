"""The joint state over a mechanism's domain: inputs, the motion of the whole tree that they make, and forces in turn.

Functions are written over the tree. In a robot without loops the inputs are its state; with loops they are independent
rates, accelerations and forces, and the reduction leads from these to the tree's and back.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from symgen.algebra.domain import Matrix, Scalar, Vector, variables, zeros
from symgen.mechanics import composite
from symgen.mechanics.loops.columns import Columns
from symgen.mechanics.loops.cut_joints import drive_forces
from symgen.mechanics.loops.reduction import Reduction, reduction_of
from symgen.mechanics.mechanism import Mechanism


class State:
    """The inputs of a function, and the tree's motion at them: nv entries of the tree, ni of the independent joints.

    Without loops nv and ni are the same, and so are the tree's values and the inputs. `reduction`: how the motion
    follows, if not as the mechanism's plan has it.
    """

    def __init__(self, mechanism: Mechanism, reduction: Reduction | None = None) -> None:
        self.mechanism = mechanism
        self.reduction = reduction_of(mechanism) if reduction is None else reduction

    def given(self, name: str) -> list[Scalar]:
        """An input with an entry for every independent rate, ni: q̇, q̈, τ."""
        return rates(self.mechanism, name)

    @cached_property
    def velocity(self) -> list[Scalar]:
        """The tree's q̇, nv (rad/s or m/s), at the input q̇."""
        return self.reduction.velocities(self.given("qd"))

    @cached_property
    def acceleration(self) -> list[Scalar]:
        """The tree's q̈, nv (rad/s² or m/s²), at the inputs q̇ and q̈."""
        return self.reduction.accelerations(self.given("qdd"), self.velocity)

    @cached_property
    def coasting(self) -> list[Scalar]:
        """The tree's q̈, nv, at the input q̇ while independent joints do not accelerate: 0 without loops."""
        return self.reduction.accelerations(list(zeros(self.mechanism.domain, self.mechanism.ni)), self.velocity)

    @cached_property
    def columns(self) -> Columns:
        """The bodies' twists at unit independent rates."""
        return Columns(self.mechanism, self.reduction.matrix)

    @cached_property
    def drive_forces(self) -> list[Scalar]:
        """What friction and springs of all joints, cut ones too, ask of the tree's drives, nv (N m or N)."""
        return drive_forces(self.mechanism, self.velocity)

    def forces(self, forces: Sequence[Scalar]) -> Vector:
        """What the tree's forces, nv (N m or N), are to the independent joints, ni."""
        return self.reduction.forces(forces)

    @cached_property
    def inertia_matrix(self) -> Matrix:
        """The generalized inertia matrix of the independent joints, ni×ni."""
        return self.reduction.congruent(composite.inertia_matrix(self.mechanism))


def rates(mechanism: Mechanism, name: str) -> list[Scalar]:
    """An input with an entry for every independent rate, ni: q̇, q̈, τ."""
    return list(variables(mechanism.domain, name, mechanism.ni))


def rest(mechanism: Mechanism) -> list[Scalar]:
    """No motion of the tree: zeros, nv."""
    return list(zeros(mechanism.domain, mechanism.nv))
