"""Mechanisms over the prime field, and equality of arrays of its elements."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
from library_robots import ARMS
from strategies import seeded_robot

from symgen.algebra.domain import Domain, dot, variables
from symgen.algebra.prime import PrimeField
from symgen.mechanics import newton_euler
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.mechanism import Mechanism
from symgen.robot import symbolic as symbols
from symgen.robot.library import load
from symgen.robot.model import Robot


def _seeds(wanted: Callable[[Robot], bool], count: int) -> tuple[int, ...]:
    """The first seeds of random robots of the wanted kind."""
    return tuple(islice((seed for seed in range(1000) if wanted(seeded_robot(seed))), count))


def _has_branches(robot: Robot) -> bool:
    parents = [link.parent for link in robot.links]
    return parents != list(range(-1, len(parents) - 1))


def _has_fixed_links(robot: Robot) -> bool:
    return robot.nv < len(robot.links)


TREES = _seeds(_has_branches, 7)
FIXED = _seeds(_has_fixed_links, 4)
SEEDS = tuple(sorted({*range(5), *TREES, *FIXED}))
"""Seeds of random robots: chains and trees, with and without fixed links."""


def mechanism(robot: Robot, *, seed: int = 1, symbolic: bool = False) -> Mechanism:
    """The robot over a prime field; with a parameter for every number if `symbolic`."""
    return instantiate(symbols.symbolic(robot).robot if symbolic else robot, PrimeField(seed=seed), symbolic=symbolic)


def library() -> list[Robot]:
    """The arms that ship with symgen."""
    return [load(name) for name in ARMS]


def values(array: Any) -> list[int]:
    """The field's integers."""
    return [element.value for element in np.asarray(array, dtype=object).reshape(-1)]


def equal(left: Any, right: Any) -> bool:
    """Whether two arrays of scalars are the same functions."""
    return values(left) == values(right)


def zero(array: Any) -> bool:
    """Whether all entries are zero."""
    return not any(values(array))


def rates(mechanism: Mechanism) -> tuple[Any, Any]:
    """(q̇, q̈) as variables."""
    return tuple(variables(mechanism.domain, name, mechanism.nv) for name in ("qd", "qdd"))


def inverse_dynamics(mechanism: Mechanism) -> list[Any]:
    """τ of q̇ and q̈ by Newton and Euler."""
    return newton_euler.inverse_dynamics(mechanism, *rates(mechanism), mechanism.gravity)


def times(matrix: Any, x: Any) -> list[Any]:
    """A matrix times a vector."""
    return [dot(row, x) for row in matrix]


def identity_matrix(domain: Domain, size: int) -> Any:
    """The identity, for comparisons."""
    matrix = np.empty((size, size), dtype=object)
    matrix[...] = domain.constant(0)
    np.fill_diagonal(matrix, domain.constant(1))
    return matrix
