"""What pivots must not fall below: a share of what they are where a robot with loops is assembled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from symgen.algebra.domain import Scalar
from symgen.derive.loop_constraints import RANK
from symgen.mechanics.loops.plan import Plan
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.mechanism import Mechanism
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array
from symgen.robot.model import Robot

Floats = NDArray[np.float64]

SINGULAR = 1e-5
"""Where pivots are below this share of what they are at assembled postures, a posture is singular: in single precision
little would be left of what follows from them."""

ANYWHERE = 3
"""Random configurations that tell which pivots are the same at all."""


def guarded(robot: Robot, plan: Plan, make: Callable[[Graph], Mechanism], postures: Sequence[Floats]) -> Plan:
    """The plan, with what its pivots must not fall below, a share of what they are at these postures."""
    found = least_of(robot, make, postures, lambda mechanism: Reduction(mechanism, plan).pivots)
    blocks = (replace(block, least=least, size=size) for block, (least, size) in zip(plan.blocks, found, strict=True))
    return replace(plan, blocks=tuple(blocks))


def least_of(
    robot: Robot,
    make: Callable[[Graph], Mechanism],
    postures: Sequence[Floats],
    of: Callable[[Mechanism], Sequence[tuple[Scalar, ...]]],
) -> list[tuple[tuple[Fraction, ...], Fraction]]:
    """Of each matrix, whose pivots `of` gives: what these must not fall below, and the size of its determinant."""
    graph = Graph()
    pivots = of(make(graph))
    arrays = [(Array(f"block{number}", (len(each),)), list(each)) for number, each in enumerate(pivots)]
    program = graph.program([Array("q", (robot.nq,))], arrays)
    values = {name: float(value) for name, value in robot.defaults.items()}
    anywhere = np.random.default_rng(0).uniform(-1, 1, (ANYWHERE, robot.nq))
    found, other = (evaluate(program, {"q": np.array(q)}, values) for q in (postures, anywhere))
    result = []
    for array, _ in arrays:
        usual = np.abs(found[array.name]).max(axis=0)
        varies = np.ptp(np.vstack([found[array.name], other[array.name]]), axis=0) > RANK * usual
        share = SINGULAR if len(usual) == 1 else SINGULAR**2  # the pivots of large blocks are squares
        least = tuple(
            power_of_ten(share * float(size)) if moves else Fraction(0)
            for size, moves in zip(usual, varies, strict=True)
        )
        size = float(np.prod(np.sqrt(usual))) if len(usual) > 1 else float(usual[0])
        result.append((least, power_of_ten(size)))
    return result


def power_of_ten(value: float) -> Fraction:
    """The power of ten below: few digits, and the same ones on every machine."""
    return Fraction(10) ** floor(log10(value))
