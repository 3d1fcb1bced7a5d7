"""Rebuild the program through a fresh graph: folds constants, shares common subexpressions, normalises signs and drops
dead code."""

from __future__ import annotations

from symgen.passes.rebuild import LONG, finished
from symgen.program.graph import Graph
from symgen.program.program import Program


def simplify(program: Program) -> Program:
    """The same program, hash-consed anew; a safety net, since programs are built this way. Long ones do without it."""
    if len(program.instructions) > LONG:
        return program
    graph = Graph()
    return finished(graph, program, graph.load(program))
