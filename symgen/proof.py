"""Proofs in the prime field: the optimised programs are the same functions as the DeNOC block forms.

The programs come from recursions on 3-vectors in link frames and went through passes; the block forms are N_dᵀ M̃ N_d,
and its companions, in 6×6 blocks in the base frame. Equal values at random points of a field of about 2⁶¹ elements mean
equal functions, but for a chance below 1e-15: no floating-point sampling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from symgen.algebra import prime
from symgen.algebra.prime import PrimeField
from symgen.mechanics.denoc import Denoc
from symgen.mechanics.mechanism import instantiate
from symgen.program.fingerprint import SEEDS, fingerprint, radicands
from symgen.program.graph import Graph
from symgen.program.module import Function, Module
from symgen.robot.model import Robot

MAX_BODIES = 16
"""Block matrices grow with the square of the number of bodies; beyond this many the proof is left out."""


@dataclass(frozen=True)
class Proof:
    """What was proved of a function, and whether it holds."""

    function: str
    statement: str
    holds: bool


def _acceleration_residual(denoc: Denoc) -> list[Any]:
    """φ = τ − h − gravity, which I q̈ must equal."""
    tau = [denoc.domain.variable("tau", index) for index in range(denoc.nv)]
    return [t - h - g for t, h, g in zip(tau, denoc.convective_forces, denoc.gravity_forces, strict=True)]


def _inverse(denoc: Denoc) -> list[Any]:
    qdd = [denoc.domain.variable("qdd", index) for index in range(denoc.nv)]
    product = denoc.inertia_matrix.dot(qdd)
    return list(product + denoc.convective_forces + denoc.gravity_forces)


_FORMS: dict[str, tuple[str, Callable[[Denoc], Sequence[Any]]]] = {
    "inverse_dynamics": ("I qdd + C qd + gravity in DeNOC blocks", _inverse),
    "inertia_matrix": ("N^T M N", lambda denoc: list(denoc.inertia_matrix.reshape(-1))),
    "coriolis_torque": ("N^T (M Ndot + W M E N) qd", lambda denoc: list(denoc.convective_forces)),
    "gravity_torque": ("-N^T M [0; g]", lambda denoc: list(denoc.gravity_forces)),
    "bias_torque": (
        "C qd + gravity in DeNOC blocks",
        lambda denoc: list(denoc.convective_forces + denoc.gravity_forces),
    ),
}


def prove(robot: Robot, module: Module) -> tuple[Proof, ...]:
    """One proof for every function of `module`; none if the robot has more than `MAX_BODIES` bodies."""
    if robot.nv > MAX_BODIES:
        return ()
    roots = _roots(robot).union(*(radicands(function.program) for function in module.functions))
    denocs = [Denoc(instantiate(robot, PrimeField(roots, seed))) for seed in SEEDS]
    return tuple(_prove(function, roots, denocs) for function in module.functions)


def _roots(robot: Robot) -> frozenset[int]:
    """Integers whose square roots occur in the robot's geometry and inertia, whether or not a program needs them."""
    graph = Graph()
    instantiate(robot, graph)
    return prime.radicands(node.value for node in graph.nodes if node.value is not None)


def _prove(function: Function, roots: frozenset[int], denocs: list[Denoc]) -> Proof:
    found = fingerprint(function.program, roots=roots)
    if function.name == "forward_dynamics":
        holds = all(map(_solves, denocs, found))
        return Proof(function.name, "I qdd = tau - C qd - gravity in DeNOC blocks", holds)
    statement, form = _FORMS[function.name]
    expected = tuple(tuple(element.value for element in form(denoc)) for denoc in denocs)
    return Proof(function.name, f"= {statement}", found == expected)


def _solves(denoc: Denoc, accelerations: tuple[int, ...]) -> bool:
    """Whether I q̈ = φ at the field's point."""
    p = denoc.domain.p  # type: ignore[attr-defined]
    residual = _acceleration_residual(denoc)
    for row, right in zip(denoc.inertia_matrix, residual, strict=True):
        left = sum(entry.value * value for entry, value in zip(row, accelerations, strict=True))
        if left % p != right.value:
            return False
    return True
