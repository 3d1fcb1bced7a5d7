"""From a sign-normalised graph to a program: live nodes only, and signs put where they cost nothing.

A node is emitted as itself or as its negative (see `signs`). So unary minuses survive only at outputs, and there only
where no difference behind them can be turned round.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from symgen.program.program import Array, Instruction, Op, Program
from symgen.program.signs import Signs

# There are many instructions: an Enum's members are slow to look up, and so is making a named tuple by keywords.
_ADD, _SUB = Op.ADD, Op.SUB
_new = tuple.__new__

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
        self.place = [0] * len(nodes)
        self.negatives: dict[int, int] = {}

    def write(self, order: Sequence[int], inputs: tuple[Array, ...], outputs: Outputs) -> Program:
        for node in order:
            instruction = self._instruction(node)
            self.place[node] = len(self.instructions)
            self.instructions.append(instruction)
        placed = tuple((array, tuple(self._signed(node, sign) for node, sign in entries)) for array, entries in outputs)
        return compact(inputs, self.instructions, placed)

    def _append(self, instruction: Instruction) -> int:
        self.instructions.append(instruction)
        return len(self.instructions) - 1

    def _instruction(self, node: int) -> Instruction:
        op, operands, value, name, entry, _, dependence = self.nodes[node]
        place, label = self.place, self._label(node) if node in self.labels else None
        if len(operands) != 2:
            args: tuple[int, ...] = tuple([place[arg] for arg in operands])
            if op is Op.SQRT and self.signs[operands[0]] < 0:
                args = (self._signed(operands[0], 1),)
            return Instruction(op, args, value, name, entry, label, dependence)
        a, b = operands
        args = (place[a], place[b])
        if op is _ADD or op is _SUB:
            signs, bearers = self.signs.by_bearer, self.signs.bearers
            first, second = signs[bearers[a]], signs[bearers[b]]
            if (first == second) == (op is _ADD):
                op = _ADD
            else:
                op = _SUB
                if first != signs[bearers[node]]:
                    args = (args[1], args[0])
        return _new(Instruction, (op, args, value, name, entry, label, dependence))

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


def compact(
    inputs: tuple[Array, ...],
    instructions: list[Instruction],
    outputs: tuple[tuple[Array, tuple[int, ...]], ...],
) -> Program:
    """The program of instructions of which some may be used no longer."""
    used = bytearray(len(instructions))
    for _, entries in outputs:
        for node in entries:
            used[node] = True
    for instruction in instructions:
        for arg in instruction.args:
            used[arg] = True
    if all(used):
        return Program(inputs, tuple(instructions), outputs)
    place: dict[int, int] = {}
    kept: list[Instruction] = []
    for node, instruction in enumerate(instructions):
        if used[node]:
            place[node] = len(kept)
            kept.append(instruction._replace(args=tuple(place[arg] for arg in instruction.args)))
    return Program(
        inputs,
        tuple(kept),
        tuple((array, tuple(place[node] for node in entries)) for array, entries in outputs),
    )
