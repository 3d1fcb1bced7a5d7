"""Schemes of what chains work out between exchanges, and what is made of the sums (Khan 2002, chapter 3).

`recursive` is Khan's: forward dynamics exchanges four times, for t_P, ṫ_P, Σ p̄ and Σ L, inverse dynamics three times.
`condensed` exchanges twice: inertia and forces of every chain are first referred to (t_P, q̇_a), where they only have to
be added, and forces follow ṫ_P linearly. `projection`, the general reduction (an orthogonal complement by Gauss), and
`penalty` exchange nothing but results: every node works out all that those of its own joints depend on, from the whole
state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, dot, vector, zeros
from symgen.mechanics import factorization
from symgen.mechanics.blocks import named_symmetric, named_vector
from symgen.mechanics.formulations.chains import Chain, chains_of
from symgen.mechanics.formulations.nodes import Alone, Nodes, total
from symgen.mechanics.functions.accelerations import FORWARD_DYNAMICS
from symgen.mechanics.functions.forces import INVERSE_DYNAMICS
from symgen.mechanics.functions.quantity import TREE, Quantity
from symgen.mechanics.functions.state import rates as inputs
from symgen.mechanics.functions.tree import PENALTY_DYNAMICS
from symgen.mechanics.mechanism import Mechanism

Scheme = Callable[[Mechanism, Nodes], Vector]
"""A function over a mechanism, worked out by nodes."""


ALONE = Alone()


def condensed(mechanism: Mechanism, nodes: Nodes = ALONE) -> Vector:
    """q̈_a, ni, with two exchanges: inertia referred to the platform and the driven joints, and forces."""
    chains = chains_of(mechanism)
    domain, qd, tau = mechanism.domain, inputs(mechanism, "qd"), inputs(mechanism, "tau")
    first = nodes.exchange([(chain.projection, chain.projected, *chain.inertia) for chain in chains])
    motion = _Coupling(chains, first)
    G = motion.transformation
    (twist,) = nodes.tell(named_vector(domain, "tP", G.dot(qd)))
    still = [domain.constant(0)] * mechanism.ni
    second = nodes.exchange([_referred(chain, twist, qd, still) for chain in chains])
    A, B = total([A for _, _, A, _, _ in first]), placed(chains, [B for *_, B, _ in first])
    rate = named_vector(domain, "tPd", motion.solved(total([drift for drift, *_ in second])))
    pull = total([pull for _, pull, _ in second]) + A.dot(rate)
    bias = in_places(chains, [share for *_, share in second]) + (G.T.dot(pull) - B.T.dot(rate))
    mixed = G.T.dot(A.dot(G) - B) - B.T.dot(G)
    return solved(domain, mixed + diagonal(chains, [D for *_, D in first]), vector(tau) - bias)


def recursive(mechanism: Mechanism, nodes: Nodes = ALONE) -> Vector:
    """q̈_a, ni, with Khan's four exchanges: t_P, ṫ_P, Σ p̄, Σ L."""
    chains = chains_of(mechanism)
    domain, qd, tau = mechanism.domain, inputs(mechanism, "qd"), inputs(mechanism, "tau")
    first = nodes.exchange([(chain.projection, chain.projected) for chain in chains])
    motion = _Coupling(chains, first)
    G, twist = nodes.tell(motion.transformation, named_vector(domain, "tP", motion.transformation.dot(qd)))
    tree = [_completed(chain, chain.rates(twist, qd)) for chain in chains]
    drifts = [chain.drift(velocity, twist) for chain, velocity in zip(chains, tree, strict=True)]
    second = nodes.exchange([(chain.projection.dot(drift),) for chain, drift in zip(chains, drifts, strict=True)])
    (rate,) = nodes.tell(named_vector(domain, "tPd", motion.solved(total([drift for (drift,) in second]))))
    shares = []
    for chain, velocity, drift in zip(chains, tree, drifts, strict=True):
        coasting = _completed(chain, chain.elimination.rates(rate - drift))
        shares.append(chain.shares(chain.forces(velocity, coasting)))
    third = nodes.exchange([(pull,) for pull, _ in shares])
    (pull,) = nodes.tell(total([pull for (pull,) in third]))
    contributions = []
    for chain, (_, own) in zip(chains, shares, strict=True):
        left = [tau[place] - (dot(G[:, place], pull) + share) for place, share in zip(chain.places, own, strict=True)]
        contributions.append((_inertia(chain, G), vector(left)))
    fourth = nodes.exchange(contributions)
    forces = in_places(chains, [left for _, left in fourth])
    return solved(domain, total([inertia for inertia, _ in fourth]), forces)


def recursive_inverse(mechanism: Mechanism, nodes: Nodes = ALONE) -> Vector:
    """τ, ni (N m or N), with Khan's three exchanges: t_P, ṫ_P, Σ p̄."""
    chains = chains_of(mechanism)
    qd, qdd = inputs(mechanism, "qd"), inputs(mechanism, "qdd")
    first = nodes.exchange([(chain.projection, chain.projected) for chain in chains])
    motion = _Coupling(chains, first)
    (twist,) = nodes.tell(motion.twist(qd))
    tree = [_completed(chain, chain.rates(twist, qd)) for chain in chains]
    drifts = [chain.drift(velocity, twist) for chain, velocity in zip(chains, tree, strict=True)]
    second = nodes.exchange([(chain.projection.dot(drift),) for chain, drift in zip(chains, drifts, strict=True)])
    (rate,) = nodes.tell(motion.solved(total([drift for (drift,) in second]) + motion.driven.dot(qdd)))
    shares = []
    for chain, velocity, drift in zip(chains, tree, drifts, strict=True):
        moving = _completed(chain, chain.rates(rate - drift, qdd))
        shares.append(chain.shares(chain.forces(velocity, moving)))
    third = nodes.exchange(shares)
    pull = motion.solved(total([pull for pull, _ in third]))
    return vector(in_places(chains, [own for _, own in third]) + motion.driven.T.dot(pull))


def condensed_inverse(mechanism: Mechanism, nodes: Nodes = ALONE) -> Vector:
    """τ, ni (N m or N), with two exchanges: what couples the chains' motion, and what it asks for."""
    chains = chains_of(mechanism)
    qd, qdd = inputs(mechanism, "qd"), inputs(mechanism, "qdd")
    first = nodes.exchange([(chain.projection, chain.projected, *chain.inertia[:2]) for chain in chains])
    motion = _Coupling(chains, first)
    (twist,) = nodes.tell(motion.twist(qd))
    second = nodes.exchange([_referred(chain, twist, qd, qdd) for chain in chains])
    rate = motion.solved(total([drift for drift, *_ in second]) + motion.driven.dot(qdd))
    pull = motion.solved(total([pull for _, pull, _ in second]) + total([A for _, _, A, _ in first]).dot(rate))
    coupling = placed(chains, [B for *_, B in first])
    own = in_places(chains, [share for *_, share in second])
    return vector(own + (motion.driven.T.dot(pull) - coupling.T.dot(rate)))


def own_results(item: Quantity) -> Scheme:
    """A function of which every node works out the entries of its own joints; only these are exchanged."""

    def scheme(mechanism: Mechanism, nodes: Nodes) -> Vector:
        chains = chains_of(mechanism)
        (found,) = item.formulations[0].derive(mechanism)
        tree = item.outputs[0].shape == (TREE,)
        places = [chain.leg.rates if tree else chain.places for chain in chains]
        received = nodes.exchange([(found[list(own)],) for own in places])
        result = found.copy()
        for own, (values,) in zip(places, received, strict=True):
            result[list(own)] = values
        return vector(result)

    return scheme


class _Coupling:
    """K and Φ p̃_a of all chains: what the driven rates make of t_P."""

    def __init__(self, chains: Sequence[Chain], contributions: Sequence[Sequence[Matrix]]) -> None:
        self._domain = chains[0].mechanism.domain
        self.driven = placed(chains, [projected for _, projected, *_ in contributions])
        K = named_symmetric(self._domain, "K", total([projection for projection, *_ in contributions]))
        plan = chains[0].mechanism.plan
        assert plan is not None
        least = plan.least_of_legs[-len(K) :] or None
        self._factors = factorization.factorize(self._domain, K, label="K", least=least)

    def solved(self, right: Vector) -> Vector:
        """K⁻¹ x, d."""
        return vector(factorization.solve(self._factors, list(right)))

    def twist(self, rates: Sequence[Scalar]) -> Vector:
        """t_P, d, at the independent rates (3.10)."""
        return self.solved(self.driven.dot(rates))

    @cached_property
    def transformation(self) -> Matrix:
        """t_P per unit of each independent rate, d×ni."""
        result = self.driven.copy()
        for j, column in enumerate(self.driven.T):
            result[:, j] = named_vector(self._domain, f"G{j + 1}", self.solved(column))
        return result


def _referred(
    chain: Chain, twist: Vector, qd: Sequence[Scalar], qdd: Sequence[Scalar]
) -> tuple[Vector, Vector, Vector]:
    """(Φ of the drift; p̄; τ̃_a − p̃_aᵀ p̄) at the driven accelerations, as if the platform did not accelerate."""
    velocity = _completed(chain, chain.rates(twist, qd))
    drift = chain.drift(velocity, twist)
    found = {index: qdd[place] for index, place in zip(chain.driven, chain.places, strict=True)}
    found |= chain.elimination.rates(-(drift + chain.moved(qdd)))
    pull, share = chain.shares(chain.forces(velocity, _completed(chain, found)))
    return chain.projection.dot(drift), pull, share


def _inertia(chain: Chain, G: Matrix) -> Matrix:
    """What the chain adds to the generalized inertia matrix, ni×ni (3.43)."""
    A, B, D = chain.inertia
    B, D = placed([chain], [B], G.shape[1]), diagonal([chain], [D], G.shape[1])
    return named_symmetric(chain.mechanism.domain, f"L{chain.number + 1}", G.T.dot(A.dot(G) - B) - B.T.dot(G) + D)


def _completed(chain: Chain, found: Mapping[int, Scalar]) -> list[Scalar]:
    """Rates of a chain's joints among all of the tree's, 0 for others."""
    nothing = chain.mechanism.domain.constant(0)
    return [found.get(index, nothing) for index in range(chain.mechanism.nv)]


# arrays over all chains --------------------------------------------------------------------------------


def placed(chains: Sequence[Chain], blocks: Sequence[Matrix], count: int | None = None) -> Matrix:
    """Blocks d×a of chains as the columns of their driven joints, d×ni."""
    mechanism = chains[0].mechanism
    result = zeros(mechanism.domain, len(blocks[0]), count or mechanism.ni)
    for chain, block in zip(chains, blocks, strict=True):
        for place, column in zip(chain.places, block.T, strict=True):
            result[:, place] = column
    return result


def diagonal(chains: Sequence[Chain], blocks: Sequence[Matrix], count: int | None = None) -> Matrix:
    """Blocks a×a of chains at their driven joints, ni×ni."""
    mechanism = chains[0].mechanism
    count = count or mechanism.ni
    result = zeros(mechanism.domain, count, count)
    for chain, block in zip(chains, blocks, strict=True):
        for i, row in zip(chain.places, block, strict=True):
            for j, entry in zip(chain.places, row, strict=True):
                result[i, j] = entry
    return result


def in_places(chains: Sequence[Chain], parts: Sequence[Vector]) -> Vector:
    """What belongs to each chain's driven joints, as a vector of all, ni."""
    result = zeros(chains[0].mechanism.domain, chains[0].mechanism.ni)
    for chain, part in zip(chains, parts, strict=True):
        for place, value in zip(chain.places, part, strict=True):
            result[place] = value
    return result


def solved(domain: Domain, inertia: Matrix, forces: Vector) -> Vector:
    """q̈_a, ni, by reverse Gaussian elimination (3.46) to (3.48)."""
    factors = factorization.factorize(domain, named_symmetric(domain, "I", inertia))
    return vector(domain.define(f"qdd{i + 1}", x) for i, x in enumerate(factorization.solve(factors, list(forces))))


SCHEMES: dict[str, dict[Quantity, Scheme]] = {
    "recursive": {FORWARD_DYNAMICS: recursive, INVERSE_DYNAMICS: recursive_inverse},
    "condensed": {FORWARD_DYNAMICS: condensed, INVERSE_DYNAMICS: condensed_inverse},
    "projection": {item: own_results(item) for item in (FORWARD_DYNAMICS, INVERSE_DYNAMICS)},
    "penalty": {PENALTY_DYNAMICS: own_results(PENALTY_DYNAMICS)},
}
"""Name of a scheme → its functions."""

GATHERED = frozenset({"projection", "penalty"})
"""Schemes whose one exchange is of results alone."""
