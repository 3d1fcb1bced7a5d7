"""Closed forms of robots with loops: constraints, what they make of the independent rates, and dynamics in these.

What divides by determinants of the constraints is a sequence of named definitions, block after block of the plan (see
`mechanics.loops.plan`); the constraints themselves, and the tree that is left when the loops are cut, are expanded.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from symgen.algebra.domain import Matrix
from symgen.errors import LimitError
from symgen.formulas.catalogue import Catalogue, Forms, Quantity, of_function, quantity
from symgen.formulas.form import Form
from symgen.formulas.robot_in_ring import FormStyle, RobotInRing
from symgen.mechanics import composite
from symgen.mechanics.functions import accelerations, forces, inertia, loops
from symgen.mechanics.functions.quantity import Quantity as Function
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import INERTIA
from symgen.mechanics.loops.blocks import CLOSED
from symgen.robot.model import Robot

LOOPED: Catalogue = {}
"""The quantities of robots with loops."""


class LoopedForms(Forms):
    """Quantities of robots whose constraints are solved in small blocks."""

    catalogue: ClassVar[Mapping[str, Quantity]] = LOOPED

    def __init__(self, robot: Robot, choices: FormStyle) -> None:
        super().__init__(robot, choices)
        plan = self._mechanism.plan
        assert plan is not None
        largest = max((len(block.rows) for block in plan.blocks), default=0)
        if largest > CLOSED:
            raise LimitError(
                f"{robot.name}: closed forms of loops are known where at most {CLOSED} constraints have to be solved "
                f"together, and here {largest} are; leave the loops out of its file for those of its tree, or generate "
                "code"
            )

    def _of_function(self, function: Function, *, expanded: bool = False) -> Form:
        """The form of a generated function's only output, in the way in which its first formulation derives it."""
        subject = self._plain if expanded else self._named
        derive, (output,) = function.formulations[0].derive, function.outputs
        extents = {"nv": self._ni, "tree": self._nv, "rows": self._rows}
        shape = tuple(extents[extent] if isinstance(extent, str) else extent for extent in output.shape)
        return self._form(function.name, shape, lambda: derive(subject.mechanism)[0], subject=subject)

    @property
    def _rows(self) -> int:
        return self.robot.constraints

    # constraints -----------------------------------------------------------------------------------

    @cached_property
    @of_function(
        loops.CLOSURE, "residuals of the constraints that close the loops: 0 where they are closed", into=LOOPED
    )
    def closure(self) -> Form:
        """φ, m: cut joint by cut joint, then couplings."""
        return self._of_function(loops.CLOSURE, expanded=True)

    @cached_property
    @of_function(
        loops.CONSTRAINT_JACOBIAN, "Jacobian of the constraints: A times all rates of the tree is 0", into=LOOPED
    )
    def constraint_jacobian(self) -> Form:
        """A, m×nv, with A q̇ = 0 for the rates of the tree."""
        return self._of_function(loops.CONSTRAINT_JACOBIAN, expanded=True)

    @cached_property
    @of_function(loops.VELOCITY_TRANSFORMATION, "rates of the tree by those of the independent joints", into=LOOPED)
    def velocity_transformation(self) -> Form:
        """G, nv×ni, with q̇ = G q̇_a (Khalil 2010, eqs. (55) and (56))."""
        return self._of_function(loops.VELOCITY_TRANSFORMATION)

    @cached_property
    @of_function(
        loops.DEPENDENT_ACCELERATION,
        "accelerations of the tree while independent joints do not accelerate",
        into=LOOPED,
    )
    def dependent_acceleration(self) -> Form:
        """γ, nv, with q̈ = G q̈_a + γ."""
        return self._of_function(loops.DEPENDENT_ACCELERATION)

    # dynamics --------------------------------------------------------------------------------------

    @cached_property
    @quantity(
        r"I_\mathrm{tree}",
        "generalized inertia matrix of the tree that is left without the loops",
        INERTIA,
        into=LOOPED,
    )
    def tree_inertia_matrix(self) -> Form:
        """Nᵀ M N of the tree, nv×nv."""
        return self._form(
            "tree_inertia_matrix",
            (self._nv, self._nv),
            lambda: composite.inertia_matrix(self._mechanism),
            lambda i, j: composite.inertia_entry(self._mechanism, i, j),
        )

    @cached_property
    @of_function(inertia.INERTIA_MATRIX, "generalized inertia matrix (GIM) of the independent joints", into=LOOPED)
    def inertia_matrix(self) -> Form:
        """Gᵀ I G, ni×ni, in entries of G and of the tree's matrix I (Khalil 2010, eq. (58))."""
        return self._form(
            "inertia_matrix", (self._ni, self._ni), lambda: self._congruent(self._named), subject=self._named
        )

    def _congruent(self, subject: RobotInRing) -> Matrix:
        with subject.ring.expanding():
            entries = composite.inertia_matrix(subject.mechanism)
        for i in range(self._nv):
            for j in range(i, self._nv):
                entries[i, j] = entries[j, i] = subject.ring.define(f"T{i + 1}_{j + 1}", entries[i, j])
        return State(subject.mechanism).reduction.congruent(entries)

    @cached_property
    @of_function(forces.CORIOLIS_TORQUE, "vector of convective inertia (VCI)", into=LOOPED)
    def coriolis_torque(self) -> Form:
        """Gᵀ (C q̇ + I γ), ni."""
        return self._of_function(forces.CORIOLIS_TORQUE)

    @cached_property
    @of_function(forces.GRAVITY_TORQUE, "gravity torques: the joint forces that hold the robot at rest", into=LOOPED)
    def gravity_torque(self) -> Form:
        """Gᵀ times those of the tree, ni."""
        return self._of_function(forces.GRAVITY_TORQUE)

    @cached_property
    @of_function(forces.INVERSE_DYNAMICS, "joint forces of a motion", into=LOOPED)
    def inverse_dynamics(self) -> Form:
        """τ, ni: Gᵀ times the forces of the tree's joints (Khalil 2010, eq. (56))."""
        return self._of_function(forces.INVERSE_DYNAMICS)

    @cached_property
    @of_function(accelerations.FORWARD_DYNAMICS, "joint accelerations under joint forces", into=LOOPED)
    def forward_dynamics(self) -> Form:
        """q̈, ni, of τ, by the inertia matrix's U D Uᵀ factors."""
        return self._of_function(accelerations.FORWARD_DYNAMICS)
