"""The centre of mass, its Jacobian, and the momentum about it."""

from __future__ import annotations

from typing import Any

from symgen.mechanics import mass_centre, momenta
from symgen.mechanics.functions.quantity import NV, QD, Dependent, Formulation, Output, Q, Quantity, Scope, by
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import MOMENTUM, Unit
from symgen.mechanics.loops.reduction import reduction_of
from symgen.mechanics.mechanism import Mechanism

_LINKS = "links that joints carry, without those fixed to the base"
_INWARD = "from the tips inward"
_LEGEND = ("mu3_x         first moment of the composite body 3, over the mass of all",)


def _mass_text(scope: Scope) -> str:
    """The mass of all moving links, where it is a number."""
    mechanism = scope.mechanism()
    masses = [body.inertia.mass for body in mechanism.bodies]
    total = scope.number(sum(masses, mechanism.domain.constant(0)))
    return "" if total is None else f", {total:.6g} kg in all"


def _center_of_mass(mechanism: Mechanism) -> list[Any]:
    return [mass_centre.centre_of_mass(mechanism)]


def _jacobian_inward(mechanism: Mechanism) -> list[Any]:
    return [reduction_of(mechanism).columns(mass_centre.jacobian_inward(mechanism))]


def _jacobian_outward(mechanism: Mechanism) -> list[Any]:
    return [reduction_of(mechanism).columns(mass_centre.jacobian_outward(mechanism))]


def _momentum(mechanism: Mechanism) -> list[Any]:
    return [momenta.centroidal_momentum(mechanism, State(mechanism).velocity)]


def _matrix_inward(mechanism: Mechanism) -> list[Any]:
    return [reduction_of(mechanism).columns(momenta.momentum_matrix_inward(mechanism))]


def _matrix_outward(mechanism: Mechanism) -> list[Any]:
    return [reduction_of(mechanism).columns(momenta.momentum_matrix_outward(mechanism))]


def _of_center_of_mass(scope: Scope) -> Quantity:
    return Quantity(
        "center_of_mass",
        f"Centre of mass of the {_LINKS}{_mass_text(scope)}; in the base frame.",
        (Q,),
        (Output("c", (3,), "centre of mass in the base frame", "m", "c"),),
        by("moments", f"first moments {_INWARD}", _center_of_mass),
        grouped=False,
        legend=_LEGEND,
        looped=True,
    )


CENTER_OF_MASS = Dependent("center_of_mass", _of_center_of_mass)

CENTER_OF_MASS_JACOBIAN = Quantity(
    "center_of_mass_jacobian",
    f"Jacobian of the centre of mass of the {_LINKS}: its velocity in base axes is J qd.",
    (Q,),
    (Output("J", (3, NV), "velocity of the centre of mass (rows) by qd (columns), in base axes", Unit("m", "1")),),
    (
        Formulation("inward", f"first moments and columns {_INWARD}", _jacobian_inward),
        Formulation("outward", f"first moments {_INWARD}, orientations from the base outward", _jacobian_outward),
    ),
    grouped=False,
    legend=_LEGEND,
    looped=True,
)

CENTROIDAL_MOMENTUM = Quantity(
    "centroidal_momentum",
    f"Momentum h = [k; l] of the {_LINKS}: angular momentum k about their centre of mass, then linear momentum l, in "
    "base axes; that of rotors that are no links is not in it.",
    (Q, QD),
    (Output("h", (6,), "angular momentum about the centre of mass (3), linear momentum (3), in base axes", MOMENTUM),),
    by("momenta", f"twists in link frames, momenta {_INWARD}", _momentum),
    grouped=False,
    legend=_LEGEND,
    looped=True,
)

CENTROIDAL_MOMENTUM_MATRIX = Quantity(
    "centroidal_momentum_matrix",
    f"Centroidal momentum matrix A of the {_LINKS}: the momentum [k; l] about their centre of mass, angular first, in "
    "base axes, is A qd; that of rotors that are no links is not in it.",
    (Q,),
    (
        Output(
            "A",
            (6, NV),
            "rows angular momentum k about the centre of mass (3), linear momentum l (3), in base axes",
            Unit("kg m^2 and kg m", "kg m and kg"),
        ),
    ),
    (
        Formulation("inward", f"composite bodies and columns {_INWARD}", _matrix_inward),
        Formulation("outward", f"composite bodies {_INWARD}, poses from the base outward", _matrix_outward),
    ),
    grouped=False,
    legend=_LEGEND,
    looped=True,
)
