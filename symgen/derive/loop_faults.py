"""What keeps loops from closing, and joints from being determined, in numbers and by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from symgen.mechanics.loops.plan import Block
from symgen.robot.loops import CutKind
from symgen.robot.model import CutJoint, Robot

Floats = NDArray[np.float64]


_SHOWN = 1e-3
"""Of a loop's distance and angle, what is less than this share of the other is not told."""


def widest_gap(robot: Robot, phi: Floats) -> str:
    """Which loop or coupling stays open farthest where its constraints leave `phi`, and by how much."""
    _, text = max(_gaps(robot, phi))
    return text


def _gaps(robot: Robot, phi: Floats) -> Iterator[tuple[float, str]]:
    """(how far it is open, in words) of every loop and coupling."""
    start = 0
    for cut in robot.cut_joints:
        rows = phi[start : start + cut.kind.size]
        start += cut.kind.size
        away = _distance(robot, cut, rows)
        turned = _angle(rows[len(cut.kind.shifts) :]) if cut.kind.angles else 0.0
        most = max(away, turned)
        amounts = [f"{value:.3g} {unit}" for value, unit in ((away, "m"), (turned, "rad")) if value > _SHOWN * most]
        yield most, f"the loop {cut.name!r} stays open by {' and '.join(amounts) or 'nothing'}"
    for coupling, value in zip(robot.couplings, phi[start:], strict=False):
        yield abs(float(value)), f"the coupling {coupling.name!r} is off by {abs(float(value)):.3g}"


def _distance(robot: Robot, cut: CutJoint, rows: Floats) -> float:
    """How far a cut joint's ends are apart, in m, where they may not be."""
    if cut.kind is not CutKind.ROD:
        return float(np.linalg.norm(rows[: len(cut.kind.shifts)]))
    length = float(cut.length.constant(robot.defaults))
    return abs(float(np.sqrt(max(0.0, length * length + 2 * rows[0]))) - length)


def _angle(cosines: Floats) -> float:
    """The angle between an axis and the plane, or the line, that it should be in."""
    return float(np.arcsin(min(1.0, float(np.linalg.norm(cosines)))))


def singular_block(robot: Robot, blocks: Sequence[Block], matrix: Floats, other: Floats) -> str:
    """Which block is singular where the constraints' Jacobian is `matrix`, its pivot there and where it is `other`."""
    pivots = [(_pivot(matrix, block) / (_pivot(other, block) or 1.0), number) for number, block in enumerate(blocks)]
    block = blocks[min(pivots)[1]]
    names = ", ".join(robot.velocities[index].name for index in sorted(block.columns))
    here, there = (_pivot(each, block) for each in (matrix, other))
    return f"the smallest pivot of the block of {names} is {here:.2g} there, {there:.2g} at a posture beside it"


def _pivot(matrix: Floats, block: Block) -> float:
    """The smallest pivot of a block, with the largest entry of the rest taken as the next one."""
    rest = matrix[np.ix_(block.rows, block.columns)].copy()
    smallest = np.inf
    while rest.size:
        row, column = np.unravel_index(np.abs(rest).argmax(), rest.shape)
        pivot = rest[row, column]
        smallest = min(smallest, abs(float(pivot)))
        if not pivot:
            break
        rest = rest - np.outer(rest[:, column], rest[row]) / pivot
        rest = np.delete(np.delete(rest, row, axis=0), column, axis=1)
    return float(smallest)
