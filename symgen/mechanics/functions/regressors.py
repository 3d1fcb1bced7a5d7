"""The regressor: joint forces are linear in the inertial parameters."""

from __future__ import annotations

from typing import Any

from symgen.mechanics.functions.quantity import NV, QD, QDD, Dependent, Output, Q, Quantity, Scope, by
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import PER_PARAMETER
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.regressor import BASE_COLUMNS, columns, regressor


def _regressor(scope: Scope) -> Quantity:
    """The regressor with its number of columns."""
    kind = scope.columns
    width = len(columns(scope.mechanism(), kind))

    def derive(mechanism: Mechanism) -> list[Any]:
        state = State(mechanism)
        return [state.reduction.rows(regressor(mechanism, kind, state.velocity, state.acceleration))]

    which = "base inertial parameters" if kind == BASE_COLUMNS else "ten inertial parameters of every moving link"
    meaning = "joint forces by parameters, columns in the parameters' order"
    return Quantity(
        "regressor",
        f"Regressor of the {which}: joint forces of the links, gravity included, are Y times the parameters; "
        "rotors, friction and springs are not in it.",
        (Q, QD, QDD),
        (Output("Y", (NV, width), meaning, PER_PARAMETER, dimensions=("joint", "parameter")),),
        by("newton_euler", "unit wrenches and joint axes in link frames", derive),
        gravity=True,
        framed=False,
        large=True,
        columns=kind,
        looped=True,
        legend=("e3_1_x, b3_1_x   angular velocity of link 3, velocity of its origin, for joint 1 at unit rate",),
    )


REGRESSOR = Dependent("regressor", _regressor)
