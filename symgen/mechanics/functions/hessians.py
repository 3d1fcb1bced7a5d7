"""Second derivatives of inverse and forward dynamics, contracted with a vector."""

from __future__ import annotations

from typing import Any

from symgen.mechanics.derivatives import Derivatives
from symgen.mechanics.functions.quantity import NV, QD, QDD, Input, Output, Q, Quantity, by
from symgen.mechanics.functions.state import State, rates
from symgen.mechanics.hessians import Blocks, Hessians
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.newton_euler import body_motions

WEIGHTS = "weights"
"""Name of the input that second derivatives are contracted with."""

_COMPOSITE = "composite bodies in link frames, as they are and as the weights would move them"

_LEGEND = (
    "T3_xy, l3_x   twice the convective inertia of composite body 3, and twice its momentum",
    "y3_x, z3_x    angular velocity, and velocity of the origin, of body 3 at joint velocities weights",
    "L3_xy, g3_x   moments and momentum of composite body 3 at these velocities",
    "qq1_3, qd1_3, dd1_3, qa1_3  second derivatives by q1 and q3, q1 and qd3, qd1 and qd3, q1 and qdd3",
)


def _inverse_dynamics_hessian(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    motions = body_motions(mechanism, state.velocity, state.acceleration, mechanism.gravity)
    derivatives = Derivatives(mechanism, state.velocity)
    blocks: Blocks = Hessians(derivatives, motions, rates(mechanism, WEIGHTS)).blocks
    return [blocks.positions, blocks.positions_rates, blocks.rates, blocks.positions_accelerations]


INVERSE_DYNAMICS_HESSIAN = Quantity(
    "inverse_dynamics_hessian",
    "Second derivatives of weights . inverse_dynamics; by q in steps d of integrate(q, d), at d = 0.",
    (Q, QD, QDD, Input(WEIGHTS, NV, "weights of the joint forces, whose weighted sum is differentiated", "1")),
    (
        Output("hessian_qq", (NV, NV), "second derivatives by q and q, symmetric", "SI"),
        Output("hessian_qqd", (NV, NV), "second derivatives by q (rows) and qd (columns)", "SI"),
        Output("hessian_qdqd", (NV, NV), "second derivatives by qd and qd, symmetric", "SI"),
        Output("hessian_qqdd", (NV, NV), "second derivatives by q (rows) and qdd (columns)", "SI"),
    ),
    by("composite", _COMPOSITE, _inverse_dynamics_hessian),
    gravity=True,
    loads=True,
    large=True,
    legend=_LEGEND,
)
