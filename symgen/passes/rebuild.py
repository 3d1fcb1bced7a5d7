"""Building a new program from an old one: what passes have in common."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.program.graph import Graph, Scalar
from symgen.program.program import Program

LONG = 3000
"""In programs of more instructions than this, what hardly ever saves anything is not done."""

LEAST = 1000
"""One in so many of a long program's instructions must be rewritten for a pass to be worth building it anew."""


def is_worthwhile(program: Program, rewritten: int) -> bool:
    """Whether so many rewritten instructions are enough to build a program anew; of a short one any are."""
    count = len(program.instructions)
    return rewritten > 0 and (count <= LONG or rewritten * LEAST >= count)


def finished(graph: Graph, program: Program, values: Sequence[Scalar]) -> Program:
    """The program with the inputs and outputs of `program`, whose instructions have become `values` in `graph`."""
    outputs = [(array, [values[node] for node in entries]) for array, entries in program.outputs]
    return graph.program(program.inputs, outputs)
