"""Functions from chain to chain under one name, with what a header must say of them; knows nothing of robots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symgen.program.counts import Counts, count
from symgen.program.module import Argument, Function, Module, Record
from symgen.program.staged import Part, Staged


@dataclass(frozen=True)
class ChainedFunction:
    """A function in stages: its name, its words, and its parts. `gathered`: whether its last exchange is of results
    alone, each of which one node has worked out."""

    name: str
    summary: str
    inputs: tuple[Argument, ...]
    output: Argument
    staged: Staged
    gathered: bool

    @property
    def exchanges(self) -> int:
        """How often in an evaluation nodes need what others have worked out."""
        return len(self.staged.stages) - self.gathered

    @property
    def counts(self) -> list[tuple[str, Counts]]:
        """Operations of each part."""
        return [(name, count(part.program)) for name, part in self.staged.parts()]

    @property
    def longest(self) -> int:
        """Operations in a row where every chain has a node: the most of a chain in each stage, and central ones."""
        return sum(
            max(count(part.program).total for part in stage.chains) + count(stage.central.program).total
            for stage in self.staged.stages
        )


@dataclass(frozen=True)
class ChainedModule:
    """Functions from chain to chain: `name` is the robot's. `chains`: what each is made of, in words."""

    name: str
    record: Record
    scheme: str
    chains: tuple[str, ...]
    functions: tuple[ChainedFunction, ...]

    def function(self, name: str) -> ChainedFunction:
        """The function called so; `KeyError` if there is none."""
        return {function.name: function for function in self.functions}[name]

    @property
    def prefix(self) -> str:
        """What the names of all its code begin with."""
        return f"{self.name}_chains"

    def parts(self) -> Iterator[tuple[str, Part]]:
        """All parts of all functions, by names that differ."""
        for function in self.functions:
            for name, part in function.staged.parts():
                yield f"{function.name}_{name}", part

    @property
    def module(self) -> Module:
        """All parts as the functions of a module, which languages know how to write."""
        functions = tuple(Function(name, "", "", (), (), part.program) for name, part in self.parts())
        return Module(self.prefix, functions, self.record)
