"""Revolute joints with parallel axes that follow each other along a branch."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.algebra.domain import is_zero, zeros
from symgen.mechanics.grouping import fixed_rotation
from symgen.mechanics.mechanism import Mechanism


@dataclass(frozen=True)
class ParallelBodies:
    """Bodies whose joints turn about parallel axes, from the base outward, and the senses in which they turn (±1)."""

    bodies: tuple[int, ...]
    senses: tuple[int, ...]


def parallel_bodies(mechanism: Mechanism) -> list[ParallelBodies]:
    """All groups of two or more; slides and fixed links between the joints are passed over."""
    carriers = {body.parent for body in mechanism.bodies}
    found = []
    for tip in range(len(mechanism.bodies)):
        if tip not in carriers:
            found += _along(mechanism, [*reversed(list(mechanism.ancestors(tip))), tip])
    return list(dict.fromkeys(found))


def _along(mechanism: Mechanism, path: list[int]) -> list[ParallelBodies]:
    """The groups on the way from the base to a tip."""
    domain = mechanism.domain
    groups: list[tuple[list[int], list[int]]] = []
    axis, is_open = zeros(domain, 3), False
    for index in path:
        body = mechanism.bodies[index]
        if body.is_free or body.ratio is not None:
            is_open = False
            continue
        axis = fixed_rotation(body).to_child(axis)
        if is_zero(body.screw[2]):
            continue
        if is_open and is_zero(axis[0]) and is_zero(axis[1]):
            groups[-1][1].append(1 if is_zero(axis[2] - body.screw[2]) else -1)
        else:
            groups.append(([], [1]))
        groups[-1][0].append(index)
        # The direction in which the group's first joint turns.
        is_open = True
        axis = body.screw[:3] * domain.constant(groups[-1][1][-1])
    return [ParallelBodies(tuple(bodies), tuple(senses)) for bodies, senses in groups if len(bodies) > 1]
