"""Functions of robots with loops that have more actuators than freedoms: what these share and hold against each other.

The actuated joints' rates are G_m q̇_a with na rows and ni < na columns; their forces act on the independent joints as
G_mᵀ τ_m. Of all τ_m that do the same, the shortest is G_m (G_mᵀ G_m)⁻¹ τ; what differs among them is in the null space
of G_mᵀ, onto which 1 − G_m (G_mᵀ G_m)⁻¹ G_mᵀ projects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgen.algebra.domain import Matrix, Scalar, Vector, dot, identity, vector
from symgen.mechanics import factorization
from symgen.mechanics.functions.forces import whole_inverse_dynamics
from symgen.mechanics.functions.quantity import ACTUATED, NV, QD, QDD, Output, Q, Quantity, by
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import FORCE, RATIO
from symgen.mechanics.mechanism import Mechanism

_BLOCKS = "blocks of the constraints' Jacobian"


class _Actuators:
    """How actuated joints move with the independent ones."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.domain = mechanism.domain
        self.jacobian: Matrix = State(mechanism).reduction.matrix[list(mechanism.actuated)]

    def least(self, forces: Sequence[Scalar]) -> Vector:
        """The shortest τ_m, na, that act on the independent joints as these forces, ni."""
        columns = self.jacobian.T
        gram = identity(self.domain, len(columns))
        for i, left in enumerate(columns):
            for j, right in enumerate(columns):
                gram[i, j] = dot(left, right) if i <= j else gram[j, i]
        solved = factorization.solve(factorization.factorize(self.domain, gram), list(forces))
        return vector(dot(row, solved) for row in self.jacobian)


def _actuator_jacobian(mechanism: Mechanism) -> list[Any]:
    return [_Actuators(mechanism).jacobian]


def _actuator_forces(mechanism: Mechanism) -> list[Any]:
    return [_Actuators(mechanism).least(list(whole_inverse_dynamics(mechanism)))]


def _actuator_null_space(mechanism: Mechanism) -> list[Any]:
    actuators = _Actuators(mechanism)
    result = identity(mechanism.domain, len(actuators.jacobian))
    for j, row in enumerate(actuators.jacobian):
        result[:, j] = result[:, j] - actuators.least(list(row))
    return [result]


def _quantity(
    name: str, summary: str, inputs: Sequence[Any], output: Output, text: str, derive: Any, **more: Any
) -> Any:
    return Quantity(
        name,
        summary,
        tuple(inputs),
        (output,),
        by("loops", text, derive),
        looped=True,
        unlooped=False,
        redundant=True,
        **more,
    )


ACTUATOR_JACOBIAN = _quantity(
    "actuator_jacobian",
    "G_m, by which the rates of the actuated joints are G_m qd; their forces tau_m act on the independent joints as "
    "G_m^T tau_m.",
    (Q,),
    Output("G_m", (ACTUATED, NV), "rates of the actuated joints (rows) by qd (columns)", RATIO),
    _BLOCKS,
    _actuator_jacobian,
    inertial=False,
)

ACTUATOR_FORCES = _quantity(
    "actuator_forces",
    "Forces of the actuated joints that produce the motion (q, qd, qdd), gravity included: of all that do the ones "
    "with the least sum of squares.",
    (Q, QD, QDD),
    Output("tau_m", (ACTUATED,), "forces of the actuated joints", FORCE),
    f"recursive Newton-Euler in link frames; {_BLOCKS}",
    _actuator_forces,
    gravity=True,
    loads=True,
)

ACTUATOR_NULL_SPACE = _quantity(
    "actuator_null_space",
    "Projector P onto the forces of actuated joints that move nothing: actuator_forces + P x do the same for any x.",
    (Q,),
    Output("P", (ACTUATED, ACTUATED), "projector, symmetric; its rank is the number of surplus actuators", RATIO),
    _BLOCKS,
    _actuator_null_space,
    inertial=False,
)
