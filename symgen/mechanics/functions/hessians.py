"""Second derivatives of inverse and forward dynamics: contracted with a vector, or all of them.

That of the sign in friction without smoothing counts as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from symgen.algebra.domain import Differentiating, Matrix, Scalar, dot, zeros
from symgen.mechanics import factorization
from symgen.mechanics.derivatives import Derivatives
from symgen.mechanics.factorization import Factors
from symgen.mechanics.functions.derivatives import accelerations, slopes
from symgen.mechanics.functions.joint_forces import tree_forces
from symgen.mechanics.functions.quantity import NV, QD, QDD, TAU, WEIGHTS, Formulation, Input, Output, Q, Quantity, by
from symgen.mechanics.functions.state import State, rates
from symgen.mechanics.hessians import Blocks, Hessians
from symgen.mechanics.joints import rates_of
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.newton_euler import body_motions

_COMPOSITE = "composite bodies in link frames, as they are and as the weights would move them"
_DIFFERENTIATED = "Newton-Euler in link frames, differentiated in reverse and then forward along the loops"
_UDU = f"{_COMPOSITE}, and the U D U^T factors"
_STEPS = "by q in steps d of integrate(q, d), at d = 0."

_HALF = Fraction(1, 2)

_LEGEND = (
    "T3_xy, l3_x   twice the convective inertia of composite body 3, and twice its momentum",
    "y3_x, z3_x    angular velocity, and velocity of the origin, of body 3 at rates weights",
    "L3_xy, g3_x   moments and momentum of composite body 3 at these velocities",
    "qq1_3, qd1_3, dd1_3, qa1_3  second derivatives by q1, q3; q1, qd3; qd1, qd3; and q1, qdd3",
)


def _inverse_dynamics_hessian(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    of = _weighted(Derivatives(mechanism, state.velocity), state.acceleration)
    return _arrays(of(rates(mechanism, WEIGHTS)))


def _inverse_dynamics_second_derivatives(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    return _each(mechanism, _weighted(Derivatives(mechanism, state.velocity), state.acceleration))


def _weighted(derivatives: Derivatives, acceleration: Sequence[Scalar]) -> Callable[[Sequence[Scalar]], Blocks]:
    """The second derivatives of weighted joint forces at the accelerations, for any weights."""
    mechanism = derivatives.mechanism
    motions = body_motions(mechanism, derivatives.velocity, acceleration, mechanism.gravity)
    return lambda weights: Hessians(derivatives, motions, weights).blocks


def _arrays(blocks: Blocks) -> list[Any]:
    return [blocks.positions, blocks.positions_rates, blocks.rates, blocks.positions_accelerations]


def _each(mechanism: Mechanism, of: Callable[[Sequence[Scalar]], Blocks]) -> list[Any]:
    """The arrays of the blocks for one joint force after the other, first dimension."""
    domain, n = mechanism.domain, mechanism.nv
    found = [zeros(domain, n, n, n) for _ in range(4)]
    for k in range(n):
        weights = [domain.constant(int(k == index)) for index in range(n)]
        for array, block in zip(found, _arrays(of(weights)), strict=True):
            array[k] = block
    return found


# along loops ---------------------------------------------------------------------------------------


def _differentiated(mechanism: Mechanism) -> list[Any]:
    """Those of Newton and Euler's recursion along the loops, q with dq = E G dq_a: reverse, then forward.

    Where q is not closed directions need not commute: the mean of both orders, as of columns of one joint.
    """
    domain: Differentiating = mechanism.domain  # type: ignore[assignment]
    state, n = State(mechanism), mechanism.ni
    forces = list(state.forces(tree_forces(state, state.acceleration)))
    inputs = {"q": mechanism.nq, "qd": n, "qdd": n}
    entries = [(name, k) for name, count in inputs.items() for k in range(count)]
    slopes = domain.gradient(forces, rates(mechanism, WEIGHTS), entries)
    by_q, by_rates = slopes[: mechanism.nq], slopes[mechanism.nq :]
    ways = _position_rates(mechanism).dot(state.reduction.matrix)
    along = [dot(by_q, way) for way in ways.T]
    rows = [domain.tangents([*along, *by_rates], {("q", k): entry for k, entry in enumerate(way)}) for way in ways.T]
    columns = [domain.tangents(by_rates[:n], {("qd", k): domain.constant(1)}) for k in range(n)]
    blocks = [zeros(domain, n, n) for _ in range(4)]
    for i in range(n):
        for j in range(n):
            blocks[0][i, j] = _HALF * (rows[i][j] + rows[j][i]) if i != j else rows[i][i]
            blocks[1][i, j], blocks[3][i, j] = rows[i][n + j], rows[i][2 * n + j]
            blocks[2][i, j] = columns[min(i, j)][max(i, j)]
    return blocks


def _position_rates(mechanism: Mechanism) -> Matrix:
    """E(q), nq×nv (see `rate_map`)."""
    result = zeros(mechanism.domain, mechanism.nq, mechanism.nv)
    for joint in mechanism.joints:
        result[joint.q, joint.v] = rates_of(joint.kind, range(joint.q.start, joint.q.stop), mechanism.domain)
    return result


def _without_loops(mechanism: Mechanism) -> str:
    return "it is for robots without loops"


# forward dynamics ----------------------------------------------------------------------------------


def _forward_dynamics_hessian(mechanism: Mechanism) -> list[Any]:
    """Of λᵀ q̈, from those of −μᵀ τ at q̈, with μ = I⁻¹ λ: what q̈ itself changes by comes in by the mixed ones, N.

    With Z = N I⁻¹: [qq] − Z ∂τ/∂q − (Z ∂τ/∂q)ᵀ, [qq̇] − Z ∂τ/∂q̇, [q̇q̇] and, by q and τ, Z.
    """
    state = State(mechanism)
    derivatives = Derivatives(mechanism, state.velocity)
    factors, acceleration = accelerations(state, derivatives)
    by_position, by_rate = slopes(state, derivatives, acceleration)
    found = factorization.solve(factors, rates(mechanism, WEIGHTS))
    weights = [mechanism.domain.define(f"mu{index + 1}", -value) for index, value in enumerate(found)]
    blocks = _weighted(derivatives, acceleration)(weights)
    return list(_answering(blocks, factors, by_position, by_rate))


def _forward_dynamics_second_derivatives(mechanism: Mechanism) -> list[Any]:
    """−I⁻¹ times the second derivatives of τ at q̈, with what q̈ itself changes by."""
    state, n = State(mechanism), mechanism.nv
    derivatives = Derivatives(mechanism, state.velocity)
    factors, acceleration = accelerations(state, derivatives)
    by_position, by_rate = slopes(state, derivatives, acceleration)
    of = _weighted(derivatives, acceleration)
    forces = [zeros(mechanism.domain, n, n, n) for _ in range(4)]
    for k in range(n):
        weights = [mechanism.domain.constant(int(k == index)) for index in range(n)]
        for array, block in zip(forces, _answering(of(weights), factors, by_position, by_rate), strict=True):
            array[k] = block
    return [
        _solved(factors, array, symmetric) for array, symmetric in zip(forces, (True, False, True, False), strict=True)
    ]


def _answering(
    blocks: Blocks, factors: Factors, by_position: Matrix, by_rate: Matrix
) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """The blocks where accelerations answer to forces: by q and q, q and q̇, q̇ and q̇, q and τ."""
    Z = blocks.positions_accelerations.copy()
    for i in range(len(Z)):
        Z[i] = factorization.solve(factors, list(Z[i]))
    turned = Z.dot(by_position)
    positions = blocks.positions.copy()
    for i in range(len(Z)):
        for j in range(i + 1):
            positions[i, j] = positions[j, i] = positions[i, j] - (turned[i, j] + turned[j, i])
    return positions, blocks.positions_rates - Z.dot(by_rate), blocks.rates, Z


def _solved(factors: Factors, forces: Any, symmetric: bool) -> Any:
    """−I⁻¹ along the first dimension."""
    result, n = forces.copy(), len(forces)
    for i in range(n):
        for j in range(i + 1 if symmetric else n):
            result[:, i, j] = [-value for value in factorization.solve(factors, list(forces[:, i, j]))]
            if symmetric:
                result[:, j, i] = result[:, i, j]
    return result


# the functions -------------------------------------------------------------------------------------


def _weights_of(what: str) -> Input:
    return Input(WEIGHTS, NV, f"weights of the {what}, whose weighted sum is differentiated", "1")


def _outputs(prefix: str, last: str, shape: tuple[str, ...], of: str) -> tuple[Output, ...]:
    """The four blocks; the last is by q and one more input."""
    words = (("q", "q", ", symmetric"), ("q", "qd", ""), ("qd", "qd", ", symmetric"), ("q", last, ""))
    first, second = (" (rows)", " (columns)") if len(shape) == 2 else ("", "")
    return tuple(
        Output(
            f"{prefix}{one}{other}" if len(shape) == 2 else f"{prefix}_d{one}_d{other}",
            shape,
            f"second derivatives{of} by {one}{first} and {other}{second}{note}",
            "SI",
        )
        for one, other, note in words
    )


INVERSE_DYNAMICS_HESSIAN = Quantity(
    "inverse_dynamics_hessian",
    f"Second derivatives of weights . inverse_dynamics; {_STEPS}",
    (Q, QD, QDD, _weights_of("joint forces")),
    _outputs("hessian_", "qdd", (NV, NV), ""),
    (
        Formulation("composite", _COMPOSITE, _inverse_dynamics_hessian, misfit=_without_loops),
        Formulation("differentiated", _DIFFERENTIATED, _differentiated, trees=False),
    ),
    gravity=True,
    loads=True,
    looped=True,
    on_request_with_loops=True,
    note_of_loops="Rows and columns belong to independent joints; the others move along, so that loops stay closed.",
    legend=_LEGEND,
)

FORWARD_DYNAMICS_HESSIAN = Quantity(
    "forward_dynamics_hessian",
    f"Second derivatives of weights . forward_dynamics; {_STEPS}",
    (Q, QD, TAU, _weights_of("joint accelerations")),
    _outputs("hessian_", "tau", (NV, NV), ""),
    by("udu", _UDU, _forward_dynamics_hessian),
    gravity=True,
    loads=True,
    large=True,
    legend=_LEGEND,
)

INVERSE_DYNAMICS_SECOND_DERIVATIVES = Quantity(
    "inverse_dynamics_second_derivatives",
    f"Second derivatives of inverse_dynamics; {_STEPS}",
    (Q, QD, QDD),
    _outputs("d2tau", "qdd", (NV, NV, NV), " of tau (first)"),
    by("composite", _COMPOSITE, _inverse_dynamics_second_derivatives),
    gravity=True,
    loads=True,
    large=True,
    on_request=True,
    legend=_LEGEND,
)

FORWARD_DYNAMICS_SECOND_DERIVATIVES = Quantity(
    "forward_dynamics_second_derivatives",
    f"Second derivatives of forward_dynamics; {_STEPS}",
    (Q, QD, TAU),
    _outputs("d2qdd", "tau", (NV, NV, NV), " of qdd (first)"),
    by("udu", _UDU, _forward_dynamics_second_derivatives),
    gravity=True,
    loads=True,
    large=True,
    on_request=True,
    legend=_LEGEND,
)
