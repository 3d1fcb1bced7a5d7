"""Signs as `symgen.program.signs` decides them, each trial by a sweep over the whole program: slow and plain."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.program.program import ODD, Instruction, Op
from symgen.program.signs import MAX_DEPTH, MAX_TRIALS


def swept_signs(nodes, order, roots, preference):
    """Node → sign."""
    preference = dict(preference)
    uses = _uses(nodes, order, [node for node, _ in roots])
    signs = _signs(nodes, order, preference)
    turned = [_turn(nodes, uses, signs, preference, node, 0) for node, sign in roots if signs[node] != sign]
    if any(turned):
        signs = _signs(nodes, order, preference)
    return _settled(nodes, order, roots, preference, signs)


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
    if uses[node] != 1 or depth > MAX_DEPTH:
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
