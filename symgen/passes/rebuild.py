"""Building a new program from an old one: what passes have in common."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.program.graph import Graph, Scalar
from symgen.program.program import Program

LONG = 3000
"""In programs of more instructions than this, what hardly ever saves anything is not done."""


def is_worthwhile(program: Program, rewritten: int) -> bool:
    """Whether a pass rewrites enough to build the program anew: one in `LONG` instructions; of a short program any."""
    return rewritten * LONG >= len(program.instructions)


def finished(graph: Graph, program: Program, values: Sequence[Scalar]) -> Program:
    """The program with the inputs and outputs of `program`, whose instructions have become `values` in `graph`."""
    outputs = [(array, [values[node] for node in entries]) for array, entries in program.outputs]
    return graph.program(program.inputs, outputs)
