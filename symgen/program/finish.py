"""From a sign-normalised graph to a program: live nodes only, and signs put where they cost nothing.

A node is emitted as itself or as its negative (see `signs`). So unary minuses survive only at outputs, and there only
where no difference behind them can be turned round.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from symgen.program.program import Array, Instruction, Op, Program
from symgen.program.signs import Signs

Labels = dict[int, tuple[str, int]]
Outputs = Sequence[tuple[Array, Sequence[tuple[int, int]]]]


def finish(nodes: Sequence[Instruction], labels: Labels, inputs: tuple[Array, ...], outputs: Outputs) -> Program:
    """The program of `outputs`, given as (array, [(node, sign), …])."""
    roots = [entry for _, entries in outputs for entry in entries]
    order = _live(nodes, [node for node, _ in roots])
    preference = {node: sign for node, (_, sign) in labels.items()}
    signs = Signs(nodes, order, roots, preference)
    return _Writer(nodes, labels, signs).write(order, inputs, outputs)


def _live(nodes: Sequence[Instruction], roots: Sequence[int]) -> list[int]:
    """The nodes that the roots need, operands first."""
    last = max(roots, default=-1)
    live = bytearray(last + 1)
    for node in roots:
        live[node] = True
    for node in range(last, -1, -1):
        if live[node]:
            for arg in nodes[node].args:
                live[arg] = True
    return list(compress(range(last + 1), live))


class _Writer:
    """Writes instructions for nodes whose signs are decided."""

    def __init__(self, nodes: Sequence[Instruction], labels: Labels, signs: Signs) -> None:
        self.nodes = nodes
        self.labels = labels
        self.signs = signs
        self.instructions: list[Instruction] = []
        self.place: dict[int, int] = {}
        self.negatives: dict[int, int] = {}

    def write(self, order: Sequence[int], inputs: tuple[Array, ...], outputs: Outputs) -> Program:
        for node in order:
            self.place[node] = self._append(self._instruction(node))
        placed = tuple((array, tuple(self._signed(node, sign) for node, sign in entries)) for array, entries in outputs)
        return _compact(inputs, self.instructions, placed)

    def _append(self, instruction: Instruction) -> int:
        self.instructions.append(instruction)
        return len(self.instructions) - 1

    def _instruction(self, node: int) -> Instruction:
        op, operands, value, name, entry, _, dependence = self.nodes[node]
        args = tuple([self.place[arg] for arg in operands])
        label = self._label(node) if node in self.labels else None
        if op is Op.ADD or op is Op.SUB:
            first, second = self.signs[operands[0]], self.signs[operands[1]]
            if first == (second if op is Op.ADD else -second):
                return Instruction(Op.ADD, args, None, "", 0, label, dependence)
            if first != self.signs[node]:
                args = (args[1], args[0])
            return Instruction(Op.SUB, args, None, "", 0, label, dependence)
        if op is Op.SQRT and self.signs[operands[0]] < 0:
            args = (self._signed(operands[0], 1),)
        return Instruction(op, args, value, name, entry, label, dependence)

    def _label(self, node: int) -> str:
        name, sign = self.labels[node]
        return name if sign == self.signs[node] else opposite(name)

    def _signed(self, node: int, sign: int) -> int:
        """The instruction whose value is sign · node."""
        place = self.place[node]
        if self.signs[node] == sign:
            return place
        if node not in self.negatives:
            self.negatives[node] = self._append(_negative(self.instructions[place], place))
        return self.negatives[node]


def opposite(label: str) -> str:
    """The label of the negative; a label of a negative, read back by a pass, becomes the plain one again."""
    plain = label.removesuffix("_neg")
    return plain if plain != label else f"{label}_neg"


def _negative(instruction: Instruction, place: int) -> Instruction:
    if instruction.value is not None:
        return instruction._replace(value=-instruction.value)
    return Instruction(Op.NEG, (place,), dependence=instruction.dependence)


def _compact(
    inputs: tuple[Array, ...],
    instructions: list[Instruction],
    outputs: tuple[tuple[Array, tuple[int, ...]], ...],
) -> Program:
    """Leave out what negating constants has left unused."""
    used = {node for _, entries in outputs for node in entries}
    for instruction in instructions:
        used.update(instruction.args)
    if len(used) == len(instructions):
        return Program(inputs, tuple(instructions), outputs)
    place: dict[int, int] = {}
    kept: list[Instruction] = []
    for node, instruction in enumerate(instructions):
        if node in used:
            place[node] = len(kept)
            kept.append(instruction._replace(args=tuple(place[arg] for arg in instruction.args)))
    return Program(
        inputs,
        tuple(kept),
        tuple((array, tuple(place[node] for node in entries)) for array, entries in outputs),
    )
