"""From a sign-normalised graph to a program: live nodes only, and signs put where they cost nothing.

A node is emitted as itself or as its negative. A sum of terms of different sign may be emitted either way round, all
other operations pass the sign of their operands on. So unary minuses survive only at outputs, and there only where no
difference behind them can be turned round.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.program.program import ODD, Array, Instruction, Op, Program

Labels = dict[int, tuple[str, int]]
Outputs = Sequence[tuple[Array, Sequence[tuple[int, int]]]]


def finish(nodes: Sequence[Instruction], labels: Labels, inputs: tuple[Array, ...], outputs: Outputs) -> Program:
    """The program of `outputs`, given as (array, [(node, sign), …])."""
    roots = [entry for _, entries in outputs for entry in entries]
    order = _live(nodes, [node for node, _ in roots])
    preference = {node: sign for node, (_, sign) in labels.items()}
    uses = _uses(nodes, order, [node for node, _ in roots])
    signs = _signs(nodes, order, preference)
    turned = [_turn(nodes, uses, signs, preference, node, 0) for node, sign in roots if signs[node] != sign]
    if any(turned):
        signs = _signs(nodes, order, preference)
    signs = _settled(nodes, order, roots, preference, signs)
    return _Writer(nodes, labels, signs).write(order, inputs, outputs)


def _live(nodes: Sequence[Instruction], roots: Sequence[int]) -> list[int]:
    live = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node not in live:
            live.add(node)
            stack.extend(nodes[node].args)
    return sorted(live)


def _uses(nodes: Sequence[Instruction], order: Sequence[int], roots: Sequence[int]) -> dict[int, int]:
    uses = dict.fromkeys(order, 0)
    for node in order:
        for arg in nodes[node].args:
            uses[arg] += 1
    for root in roots:
        uses[root] += 1
    return uses


def _signs(nodes: Sequence[Instruction], order: Sequence[int], preference: dict[int, int]) -> dict[int, int]:
    """The sign of each node as emitted, if mixed sums follow `preference`."""
    signs: dict[int, int] = {}
    for node in order:
        instruction = nodes[node]
        terms = _term_signs(instruction, signs)
        if terms is not None:
            signs[node] = terms[0] if terms[0] == terms[1] else preference.get(node, 1)
        elif instruction.op in (Op.MUL, Op.DIV):
            signs[node] = signs[instruction.args[0]] * signs[instruction.args[1]]
        elif instruction.op in ODD:
            signs[node] = signs[instruction.args[0]]
        else:
            signs[node] = 1
    return signs


def _term_signs(instruction: Instruction, signs: dict[int, int]) -> tuple[int, int] | None:
    """Signs of the emitted terms of a sum; None for other operations."""
    if instruction.op is Op.ADD:
        return signs[instruction.args[0]], signs[instruction.args[1]]
    if instruction.op is Op.SUB:
        return signs[instruction.args[0]], -signs[instruction.args[1]]
    return None


def _turn(
    nodes: Sequence[Instruction],
    uses: dict[int, int],
    signs: dict[int, int],
    preference: dict[int, int],
    node: int,
    depth: int,
) -> bool:
    """Turn the sign of a node that is used once by turning a difference in it; whether that was possible."""
    instruction = nodes[node]
    if uses[node] != 1 or depth > 30:
        return False
    terms = _term_signs(instruction, signs)
    if terms is not None and terms[0] != terms[1]:
        preference[node] = -signs[node]
        signs[node] = -signs[node]
        return True
    if terms is not None or instruction.op in (Op.MUL, Op.DIV) or instruction.op in ODD:
        for arg in instruction.args:
            if _turn(nodes, uses, signs, preference, arg, depth + 1):
                signs[node] = -signs[node]
                if terms is not None:
                    preference[node] = signs[node]
                return True
    return False


MAX_TRIALS = 6
"""So many differences behind an output are tried before its unary minus is accepted."""


def _settled(
    nodes: Sequence[Instruction],
    order: Sequence[int],
    roots: Sequence[tuple[int, int]],
    preference: dict[int, int],
    signs: dict[int, int],
) -> dict[int, int]:
    """Signs after turning shared differences too, wherever that leaves fewer unary minuses in all."""
    wrong = _wrong(nodes, roots, signs)
    for root, sign in sorted(wrong):
        if signs[root] == sign:
            continue
        for candidate in _differences(nodes, signs, root):
            trial = {**preference, candidate: -signs[candidate]}
            turned = _signs(nodes, order, trial)
            left = _wrong(nodes, roots, turned)
            if len(left) < len(wrong):
                preference[candidate] = trial[candidate]
                wrong, signs = left, turned
                break
    return signs


def _wrong(
    nodes: Sequence[Instruction], roots: Sequence[tuple[int, int]], signs: dict[int, int]
) -> set[tuple[int, int]]:
    """Outputs that need a unary minus; negative constants cost nothing."""
    return {(node, sign) for node, sign in roots if signs[node] != sign and nodes[node].value is None}


def _differences(nodes: Sequence[Instruction], signs: dict[int, int], root: int) -> list[int]:
    """The nearest mixed sums behind a node, through operations that pass signs on."""
    found: list[int] = []
    seen = {root}
    queue = [root]
    while queue and len(found) < MAX_TRIALS:
        node = queue.pop(0)
        terms = _term_signs(nodes[node], signs)
        if terms is not None and terms[0] != terms[1]:
            found.append(node)
        elif terms is not None or nodes[node].op in (Op.MUL, Op.DIV) or nodes[node].op in ODD:
            fresh = [arg for arg in nodes[node].args if arg not in seen]
            seen.update(fresh)
            queue += fresh
    return found


class _Writer:
    """Writes instructions for nodes whose signs are decided."""

    def __init__(self, nodes: Sequence[Instruction], labels: Labels, signs: dict[int, int]) -> None:
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
        instruction = self.nodes[node]
        args = tuple(self.place[arg] for arg in instruction.args)
        label = self._label(node)
        terms = _term_signs(instruction, self.signs)
        if terms is None:
            if instruction.op is Op.SQRT and self.signs[instruction.args[0]] < 0:
                args = (self._signed(instruction.args[0], 1),)
            op, _, value, name, entry, _, dependence = instruction
            return Instruction(op, args, value, name, entry, label, dependence)
        if terms[0] == terms[1]:
            return Instruction(Op.ADD, args, label=label, dependence=instruction.dependence)
        if terms[0] != self.signs[node]:
            args = (args[1], args[0])
        return Instruction(Op.SUB, args, label=label, dependence=instruction.dependence)

    def _label(self, node: int) -> str | None:
        if node not in self.labels:
            return None
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
