"""A function worked out by several nodes, in stages: in each every chain has a program, and there is a central one.

A chain's program makes what it contributes; all contributions are exchanged, and the central program, which every node
runs for itself, makes of them what chains are told, or the result. What a chain, or the central one, has worked out and
needs again in a later stage passes through a memory of its own.

    chain     q, …, told, memory           → sent, kept
    central   q, …, received, told, memory → telling, kept, and in the last stage the result
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from symgen.errors import InternalError
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Array, Op, Program

TOLD, MEMORY, RECEIVED, SENT, TELLING, KEPT = "told", "memory", "received", "sent", "telling", "kept"
"""Arrays of the programs beside inputs and the result."""

_LEAVES = (Op.CONSTANT, Op.VARIABLE, Op.PARAMETER)


Output = tuple[str, tuple[int, ...], Sequence[Scalar]]
"""An output array: name, shape, entries."""


@dataclass(frozen=True)
class Part:
    """What one node, or the central one, does in a stage; what it keeps goes to its memory from `start` on."""

    program: Program
    start: int


@dataclass(frozen=True)
class Stage:
    """`chains`: one part for each. `sent`: numbers that each contributes, zeros after its own. `told`: where the
    central part's `telling` goes, from there on."""

    chains: tuple[Part, ...]
    central: Part
    sent: int
    told: int


@dataclass(frozen=True)
class Staged:
    """A function in stages. `memory`: the most numbers that a chain, or the central one, keeps; `told`: all told."""

    inputs: tuple[Array, ...]
    result: Array
    stages: tuple[Stage, ...]
    memory: int
    told: int

    @property
    def sent(self) -> int:
        """The most numbers that a chain contributes in a stage."""
        return max(stage.sent for stage in self.stages)

    def parts(self) -> list[tuple[str, Part]]:
        """All parts with names, stage by stage: chain1_1, …, central_1, …"""
        return [
            named
            for number, stage in enumerate(self.stages, start=1)
            for named in (
                *((f"chain{chain}_{number}", part) for chain, part in enumerate(stage.chains, start=1)),
                (f"central_{number}", stage.central),
            )
        ]


class Cutter:
    """Cuts the values of a graph into parts: notes what is exchanged and told, and stands in variables for it."""

    def __init__(self, graph: Graph, chains: int) -> None:
        self.graph, self.chains = graph, chains
        self.sent: list[list[list[Scalar]]] = []
        self.told: list[list[Scalar]] = []
        self._times: dict[tuple[str, int], int] = {}

    def exchange(self, contributions: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
        """A new stage, in which every chain contributes; constants and inputs of all need not be sent."""
        stage = len(self.sent)
        found = [self._distinct(values) for values in contributions]
        width = max(1, *(len(each) for each in found))
        self.sent.append([[Scalar(self.graph, node, 1) for node in each] for each in found])
        self.told.append([])
        places = [{node: chain * width + place for place, node in enumerate(each)} for chain, each in enumerate(found)]
        return [
            [self._standing(f"{RECEIVED}{stage}", stage, known, value) for value in values]
            for known, values in zip(places, contributions, strict=True)
        ]

    def tell(self, values: Sequence[Scalar]) -> list[Scalar]:
        """What chains know from the next stage on."""
        start, stage = sum(map(len, self.told)), len(self.sent) - 1
        found = self._distinct(values)
        self.told[-1] += [Scalar(self.graph, node, 1) for node in found]
        places = {node: start + place for place, node in enumerate(found)}
        return [self._standing(TOLD, stage + 1, places, value) for value in values]

    def _distinct(self, values: Sequence[Scalar]) -> list[int]:
        return list(dict.fromkeys(value.node for value in values if not self._is_known(value)))

    def _is_known(self, value: Scalar) -> bool:
        """Whether all nodes have it anyway: a constant, an input, or what was told."""
        instruction = self.graph.nodes[value.node]
        return instruction.op in _LEAVES and not instruction.name.startswith(RECEIVED)

    def _standing(self, name: str, time: int, places: Mapping[int, int], value: Scalar) -> Scalar:
        if value.node not in places:
            return value
        self._times[name, places[value.node]] = time
        made = self.graph.variable(name, places[value.node])
        return made if value.sign > 0 else -made

    def time(self, name: str, entry: int) -> int:
        """The stage from which on an entry of an array is known."""
        return self._times.get((name, entry), 0)

    def staged(
        self, inputs: Sequence[Array], result: Array, values: Sequence[Scalar], optimised: Callable[[Program], Program]
    ) -> Staged:
        """The parts, each through the passes."""
        last, told = len(self.sent) - 1, [len(each) for each in self.told]
        widths = [max(1, *(len(each) for each in sent)) for sent in self.sent]
        arrays = [*inputs, Array(TOLD, (max(1, sum(told)),))]
        workers = []
        for chain in range(self.chains):
            sent: list[list[Output]] = [[(SENT, (len(each[chain]),), each[chain])] for each in self.sent]
            workers.append(_Worker(self, arrays, sent, []))
        outputs: list[list[Output]] = [[(TELLING, (len(each),), each)] for each in self.told]
        outputs[last].append((result.name, result.shape, list(values)))
        workers.append(_Worker(self, arrays, outputs, [Array(RECEIVED, (self.chains * width,)) for width in widths]))
        parts = [worker.parts(optimised) for worker in workers]
        stages = tuple(
            Stage(tuple(part[k] for part in parts[:-1]), parts[-1][k], widths[k], sum(told[:k]))
            for k in range(last + 1)
        )
        memory = max(1, *(len(worker.slots) for worker in workers))
        return Staged(tuple(inputs), result, stages, memory, arrays[-1].size)


class _Worker:
    """A chain, or the central one: its values, each worked out in the first stage that can, and what it keeps."""

    def __init__(
        self, cutter: Cutter, arrays: Sequence[Array], outputs: Sequence[Sequence[Output]], received: Sequence[Array]
    ) -> None:
        self.cutter, self.nodes = cutter, cutter.graph.nodes
        self.arrays, self.outputs, self.received = arrays, outputs, received
        self.times: dict[int, int] = {}
        wanted = [value.node for stage in outputs for *_, values in stage for value in values]
        self.order = self._cone(wanted)
        for node in self.order:
            self.times[node] = self._time(node)
        self.slots: dict[int, int] = {}
        self.starts: list[int] = []
        kept = self._kept()
        for stage in range(len(outputs)):
            self.starts.append(len(self.slots))
            for node in kept:
                if self.times[node] == stage:
                    self.slots[node] = len(self.slots)

    def _cone(self, wanted: Sequence[int]) -> list[int]:
        found, left = set(wanted), list(wanted)
        while left:
            for arg in self.nodes[left.pop()].args:
                if arg not in found:
                    found.add(arg)
                    left.append(arg)
        return sorted(found)

    def _time(self, node: int) -> int:
        instruction = self.nodes[node]
        if instruction.op is Op.VARIABLE:
            if instruction.name.startswith(RECEIVED) and not self.received:
                raise InternalError(f"a chain reads {instruction.name}, which it is not told")
            return self.cutter.time(instruction.name, instruction.entry)
        return max((self.times[arg] for arg in instruction.args), default=0)

    def _kept(self) -> list[int]:
        """Values that a later stage needs than the one they are worked out in."""
        needed: set[int] = set()
        for node in self.order:
            needed.update(arg for arg in self.nodes[node].args if self.times[arg] < self.times[node])
        for stage, outputs in enumerate(self.outputs):
            needed.update(v.node for *_, values in outputs for v in values if self.times[v.node] < stage)
        return sorted(node for node in needed if not self._is_leaf(node))

    def _is_leaf(self, node: int) -> bool:
        """Whether it is read again where it is needed; what was received is gone by then."""
        instruction = self.nodes[node]
        return instruction.op in _LEAVES and not instruction.name.startswith(RECEIVED)

    def parts(self, optimised: Callable[[Program], Program]) -> list[Part]:
        """One for each stage."""
        return [Part(optimised(self._program(stage)), self.starts[stage]) for stage in range(len(self.outputs))]

    def _program(self, stage: int) -> Program:
        graph, made = Graph(), dict[int, Scalar]()
        kept = [node for node in self.slots if self.times[node] == stage]
        roots = [value.node for *_, values in self.outputs[stage] for value in values]
        for node in self._cone_in(stage, [*roots, *kept]):
            made[node] = self._rebuilt(graph, made, node, stage)
        outputs = [
            (Array(name, shape), [self._signed(made, value) for value in values])
            for name, shape, values in self.outputs[stage]
            if values
        ]
        if kept:
            outputs.append((Array(KEPT, (len(kept),)), [made[node] for node in kept]))
        return graph.program([*self.arrays, *self._own(stage)], outputs)

    def _own(self, stage: int) -> list[Array]:
        received = [Array(RECEIVED, self.received[stage].shape)] if self.received else []
        return [Array(MEMORY, (max(1, self.starts[stage]),)), *received]

    def _cone_in(self, stage: int, wanted: Sequence[int]) -> list[int]:
        """What these values are made of in the stage itself: what memory holds is not opened."""
        found, left = set(wanted), list(wanted)
        while left:
            node = left.pop()
            if self._remembered(node, stage):
                continue
            for arg in self.nodes[node].args:
                if arg not in found:
                    found.add(arg)
                    left.append(arg)
        return sorted(found)

    def _remembered(self, node: int, stage: int) -> bool:
        return node in self.slots and self.times[node] < stage

    def _rebuilt(self, graph: Graph, made: Mapping[int, Scalar], node: int, stage: int) -> Scalar:
        if self._remembered(node, stage):
            return graph.variable(MEMORY, self.slots[node])
        instruction = self.nodes[node]
        if instruction.name.startswith(RECEIVED):
            return graph.variable(RECEIVED, instruction.entry)
        value = graph.apply(instruction._replace(label=None), [made[arg] for arg in instruction.args])
        if node in self.cutter.graph.labels:
            name, sign = self.cutter.graph.labels[node]
            graph.define(name, value if sign > 0 else -value)
        return value

    @staticmethod
    def _signed(made: Mapping[int, Scalar], value: Scalar) -> Scalar:
        return made[value.node] if value.sign > 0 else -made[value.node]


def composed(staged: Staged) -> Program:
    """All parts one after the other, as one program: what the stages together are."""
    graph = Graph()
    zero = graph.constant(0)
    told = [zero] * staged.told
    chains = len(staged.stages[0].chains)
    memories = [[zero] * staged.memory for _ in range(chains + 1)]
    result: list[Scalar] = []
    for stage in staged.stages:
        received: list[Scalar] = []
        for part, memory in zip(stage.chains, memories, strict=False):
            made = _run(graph, part, {TOLD: told, MEMORY: memory})
            own = made.get(SENT, [])
            received += [*own, *[zero] * (stage.sent - len(own))]
        made = _run(graph, stage.central, {TOLD: told, MEMORY: memories[-1], RECEIVED: received})
        telling = made.get(TELLING, [])
        told[stage.told : stage.told + len(telling)] = telling
        result = made.get(staged.result.name, result)
    return graph.program(staged.inputs, [(staged.result, result)])


def _run(graph: Graph, part: Part, known: Mapping[str, list[Scalar]]) -> dict[str, list[Scalar]]:
    """The outputs of a part; what it keeps goes to its memory."""
    values: list[Scalar] = []
    for instruction in part.program.instructions:
        if instruction.op is Op.VARIABLE and instruction.name in known:
            values.append(known[instruction.name][instruction.entry])
        else:
            values.append(graph.apply(instruction._replace(label=None), [values[arg] for arg in instruction.args]))
    made = {array.name: [values[node] for node in nodes] for array, nodes in part.program.outputs}
    kept = made.pop(KEPT, [])
    known[MEMORY][part.start : part.start + len(kept)] = kept
    return made
