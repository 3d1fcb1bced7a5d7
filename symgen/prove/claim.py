"""A function's claim to be a block form: its values at a random point, and what they must be there.

Matrices are compared as linear maps, by what they make of one random vector x: if A ≠ B, then A x = B x for at most one
of p vectors x. So no matrix of the block form is ever made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from symgen.algebra.domain import Matrix, Vector, variables
from symgen.mechanics.mechanism import FrameOnBody
from symgen.prove.block_form import BlockForm
from symgen.prove.point import Point


@dataclass(frozen=True)
class Claim:
    """A function's values at a point, to be held against the block form there.

    `inputs`: name → number of entries. `frames` are those it belongs to, `contacts` the contact set.
    """

    point: Point
    inputs: Mapping[str, int]
    outputs: list[Vector]
    frames: tuple[str, ...]
    axes: str
    contacts: str = ""

    @property
    def form(self) -> BlockForm:
        """The block form at the point."""
        return self.point.form

    def variables(self, name: str) -> Vector:
        """An input array."""
        return variables(self.point.field, name, self.inputs[name])

    def matrix(self, output: int, columns: int | None = None) -> Matrix:
        """An output as a matrix, of nv columns if not told otherwise."""
        matrix: Matrix = self.outputs[output].reshape(-1, self.form.nv if columns is None else columns)
        return matrix

    def frame(self, index: int = 0) -> FrameOnBody:
        """A frame of the mechanism."""
        return self.form.mechanism.frame(self.frames[index])

    def equals(self, *expected: Any) -> bool:
        """Whether the outputs are these arrays."""
        return all(equal(found, array) for found, array in zip(self.outputs, expected, strict=True))


@dataclass(frozen=True)
class Form:
    """What functions of a kind are: the statement, its check at a point, and what is added for base parameters."""

    kind: str
    statement: str
    holds: Callable[[Claim], bool]
    of_base_parameters: str = ", for all links with these base parameters"


def equal(left: Any, right: Any) -> bool:
    """Whether two arrays have the same entries."""
    return list(left.reshape(-1)) == list(right.reshape(-1))
