"""Robot → functions from chain to chain: a scheme's formulas cut into the programs of nodes, through the passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.algebra.domain import vector
from symgen.derive.arguments import arguments, results
from symgen.derive.collection import without_cycles
from symgen.derive.derivation import Derivation, Progress
from symgen.derive.loop_branches import on_branches
from symgen.derive.options import Options
from symgen.derive.records import record
from symgen.derive.subject import Subject, subject_of
from symgen.errors import InputError
from symgen.mechanics.formulations.chain_schemes import GATHERED, SCHEMES, Scheme
from symgen.mechanics.formulations.chains import Chain, chains_of, misfit
from symgen.mechanics.formulations.nodes import Arrays
from symgen.mechanics.functions.quantity import Quantity
from symgen.passes.pipeline import QUICK_GROUPS, optimise
from symgen.program.chained import ChainedFunction, ChainedModule
from symgen.program.graph import Graph, Scalar
from symgen.program.module import Function, Module
from symgen.program.program import Array, Program
from symgen.program.staged import Cutter, Staged, composed
from symgen.robot.model import Robot

DEFAULT = "recursive"
"""The scheme where none is asked for."""


@dataclass(frozen=True)
class ChainedDerivation:
    """The derived functions, and what they were asked of."""

    subject: Subject
    module: ChainedModule

    @property
    def whole(self) -> Derivation:
        """All stages one after the other as one program for each function: what is verified and proved."""
        scheme = self.module.scheme
        functions = tuple(
            Function(f.name, f.summary, scheme, f.inputs, (f.output,), composed(f.staged), kind=f.name)
            for f in self.module.functions
        )
        return Derivation(lambda: self.subject, Module(self.module.name, functions, self.module.record), {}, (), {})


@without_cycles()
def derive_chains(robot: Robot, scheme: str = DEFAULT, progress: Progress | None = None) -> ChainedDerivation:
    """The functions of a scheme, from chain to chain.

    `InputError` for an unknown scheme, and for a robot that is no platform on chains, with the condition it lacks.
    """
    report = progress or (lambda text: None)
    if scheme not in SCHEMES:
        raise InputError(f"{robot.name}: no scheme of chains is called {scheme!r:.60}; there are: {', '.join(SCHEMES)}")
    if not robot.has_loops:
        raise InputError(f"{robot.name}: chains meet at a platform, but the robot has no loops")
    robot = on_branches(robot)
    subject = subject_of(robot, Options())
    mechanism = subject.mechanism(Graph())
    clause = misfit(mechanism)
    if clause:
        raise InputError(f"{robot.name}: this is no platform on chains: {clause}")
    chains = chains_of(mechanism)
    functions = []
    for item, formulas in SCHEMES[scheme].items():
        report(f"deriving {item.name} from chain to chain")
        functions.append(_function(subject, item, formulas, len(chains), gathered=scheme in GATHERED))
    texts = tuple(_text(robot, chain) for chain in chains)
    return ChainedDerivation(subject, ChainedModule(robot.name, record(robot), scheme, texts, tuple(functions)))


def _function(subject: Subject, item: Quantity, scheme: Scheme, chains: int, *, gathered: bool) -> ChainedFunction:
    inputs, (output,) = arguments(subject, item), results(subject, item)
    arrays = [Array(argument.name, argument.shape) for argument in inputs]
    staged = _staged(subject, scheme, arrays, Array(output.name, output.shape), chains)
    return ChainedFunction(item.name, item.summary, inputs, output, staged, gathered)


def _staged(subject: Subject, scheme: Scheme, inputs: Sequence[Array], result: Array, chains: int) -> Staged:
    graph = Graph()
    mechanism = subject.mechanism(graph)
    nodes = _Cut(graph, chains)
    values = scheme(mechanism, nodes)
    return nodes.cutter.staged(inputs, result, list(values), _optimised)


def _optimised(program: Program) -> Program:
    """Through the quick passes: the others save a hundredth here, and there are many programs."""
    return optimise(program, QUICK_GROUPS, ())[0] if program.outputs else program


class _Cut:
    """The nodes of a scheme over a graph, whose values are cut where they are exchanged."""

    def __init__(self, graph: Graph, chains: int) -> None:
        self.cutter = Cutter(graph, chains)

    def exchange(self, contributions: Sequence[Arrays]) -> list[Arrays]:
        """Received values in their place."""
        received = self.cutter.exchange([_flat(arrays) for arrays in contributions])
        return [_like(arrays, values) for arrays, values in zip(contributions, received, strict=True)]

    def tell(self, *arrays: NDArray[Any]) -> Arrays:
        """Told values in their place."""
        return _like(arrays, self.cutter.tell(_flat(arrays)))


def _flat(arrays: Sequence[NDArray[Any]]) -> list[Scalar]:
    return [value for array in arrays for value in array.reshape(-1)]


def _like(arrays: Sequence[NDArray[Any]], values: Sequence[Scalar]) -> Arrays:
    """The values as arrays of these shapes."""
    bounds = np.cumsum([0, *(array.size for array in arrays)])
    return tuple(
        vector(values[start:stop]).reshape(array.shape)
        for array, start, stop in zip(arrays, bounds, bounds[1:], strict=False)
    )


def _text(robot: Robot, chain: Chain) -> str:
    """A chain in words: its joints, and which of them are driven."""
    names = [each.name for each in robot.velocities]
    driven = [names[index] for index in chain.driven]
    cut = "" if chain.leg.cut is None else f", closed by {robot.cut_joints[chain.leg.cut].name}"
    listed = ", ".join(names[index] for index in chain.leg.rates)
    return f"{listed}{cut}; driven: {', '.join(driven) or 'none'}"
