"""Which nodes of a graph are emitted as their negatives, so that few unary minuses are left.

A sum of terms of different sign may be emitted either way round, all other operations pass the sign of their operands
on. What a turned sum changes is worked out from it onwards, and only as far as signs do change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from heapq import heappop, heappush

from symgen.program.program import ODD, Instruction, Op

Root = tuple[int, int]
"""A node that is an output, and the sign with which it is one."""

MAX_TRIALS = 6
"""So many differences behind an output are tried before its unary minus is accepted."""

MAX_DEPTH = 30
"""Differences that are used once are sought as deep as this behind an output."""

_PASSING = ODD | {Op.MUL, Op.DIV}
"""Operations whose sign is the product of their operands' signs."""

_NONE = -1
"""In the place of a second operand; its sign is 1."""

_LEAF = (_NONE, _NONE, 0)

_Rule = tuple[int, int, int]
"""How a node's sign follows: its operands, and 1 for a sum, -1 for a difference, 0 for their signs' product."""


def decide(
    nodes: Sequence[Instruction], order: Sequence[int], roots: Sequence[Root], preference: dict[int, int]
) -> dict[int, int]:
    """The sign of each node in `order` as emitted; mixed sums follow `preference` where that costs nothing."""
    signs = _Signs(nodes, order, roots, dict(preference))
    signs.turn_private()
    signs.turn_shared()
    return signs.signs


def term_signs(instruction: Instruction, signs: dict[int, int]) -> tuple[int, int] | None:
    """Signs of the emitted terms of a sum; None for other operations."""
    if instruction.op is Op.ADD:
        return signs[instruction.args[0]], signs[instruction.args[1]]
    if instruction.op is Op.SUB:
        return signs[instruction.args[0]], -signs[instruction.args[1]]
    return None


def _rule(instruction: Instruction) -> _Rule | None:
    """None for operations whose sign never changes."""
    if instruction.op in _PASSING:
        first, second = instruction.args if len(instruction.args) == 2 else (*instruction.args, _NONE)
        return first, second, 0
    if instruction.op is Op.ADD or instruction.op is Op.SUB:
        return *instruction.args, 1 if instruction.op is Op.ADD else -1
    return None


class _Signs:
    """Signs of nodes, and how to change them.

    Attributes:
        signs: the sign of each node as emitted.
    """

    def __init__(
        self, nodes: Sequence[Instruction], order: Sequence[int], roots: Sequence[Root], preference: dict[int, int]
    ) -> None:
        self._nodes = nodes
        self._order = order
        self._roots = roots
        self._preference = preference
        self._rules = {node: rule for node in order if (rule := _rule(nodes[node])) is not None}
        self._useless: set[int] = set()  # differences that were turned in vain since one was turned for good
        self.signs = dict.fromkeys([_NONE, *order], 1)
        self._sweep()

    def _sweep(self) -> None:
        for node in self._rules:
            self.signs[node] = self._sign(node)

    def _sign(self, node: int) -> int:
        """The sign of a node that has a rule, after those of its operands."""
        first, second, kind = self._rules[node]
        product = self.signs[first] * self.signs[second]
        if kind == 0:
            return product
        return self.signs[first] if product == kind else self._preference.get(node, 1)

    def _is_mixed(self, node: int) -> bool:
        """Whether a node is a sum whose terms, as emitted, differ in sign."""
        first, second, kind = self._rules.get(node, _LEAF)
        return kind != 0 and self.signs[first] * self.signs[second] != kind

    # what is used once -----------------------------------------------------------------------------

    def turn_private(self) -> None:
        """Turn differences that nothing but an output with a unary minus needs."""
        turned = [self._turn(node, 0) for node, sign in self._roots if self.signs[node] != sign]
        if any(turned):
            self._sweep()

    def _turn(self, node: int, depth: int) -> bool:
        """Turn the sign of a node that is used once by turning a difference in it; whether that was possible."""
        if self._uses[node] != 1 or depth > MAX_DEPTH:
            return False
        if self._is_mixed(node):
            self.signs[node] = self._preference[node] = -self.signs[node]
            return True
        if node in self._rules:
            for arg in self._nodes[node].args:
                if self._turn(arg, depth + 1):
                    self.signs[node] = -self.signs[node]
                    if self._rules[node][2]:
                        self._preference[node] = self.signs[node]
                    return True
        return False

    @cached_property
    def _uses(self) -> Counter[int]:
        """How often each node is an operand or an output."""
        uses = Counter(node for node, _ in self._roots)
        for node in self._order:
            uses.update(self._nodes[node].args)
        return uses

    @cached_property
    def _users(self) -> dict[int, list[int]]:
        """The nodes whose signs may change with a node's."""
        users: dict[int, list[int]] = {}
        for node, (first, second, _) in self._rules.items():
            users.setdefault(first, []).append(node)
            users.setdefault(second, []).append(node)
        return users

    # what is shared --------------------------------------------------------------------------------

    def turn_shared(self) -> None:
        """Turn shared differences too, wherever that leaves fewer unary minuses in all."""
        wanted: dict[int, set[int]] = {}
        for node, sign in self._roots:
            if self._nodes[node].value is None:  # negative constants cost nothing
                wanted.setdefault(node, set()).add(sign)
        wrong = [(root, sign) for root in sorted(wanted) for sign in sorted(wanted[root]) if self.signs[root] != sign]
        for root, sign in wrong:
            if self.signs[root] != sign:
                self._settle(root, wanted)

    def _settle(self, root: int, wanted: dict[int, set[int]]) -> None:
        """Turn the first of the differences behind an output that leaves fewer unary minuses."""
        for candidate in self._differences(root):
            if candidate in self._useless:
                continue
            before = self._preference.get(candidate)
            self._preference[candidate] = -self.signs[candidate]
            changed = self._follow(candidate)
            more = sum(1 if self.signs[node] != sign else -1 for node in changed for sign in wanted.get(node, ()))
            if more < 0:
                self._useless.clear()
                return
            self._useless.add(candidate)
            for node in changed:
                self.signs[node] = -self.signs[node]
            if before is None:
                del self._preference[candidate]
            else:
                self._preference[candidate] = before

    def _follow(self, start: int) -> list[int]:
        """Work out the signs anew from a node onwards; the nodes whose signs changed."""
        changed: list[int] = []
        users = self._users
        queue = [start]
        while queue:
            node = heappop(queue)
            sign = self._sign(node)
            if sign != self.signs[node]:
                self.signs[node] = sign
                changed.append(node)
                for user in users.get(node, ()):
                    heappush(queue, user)
        return changed

    def _differences(self, root: int) -> Iterable[int]:
        """The nearest mixed sums behind a node, through operations that pass signs on."""
        found: list[int] = []
        seen = {root}
        queue = [root]
        for node in queue:
            if self._is_mixed(node):
                found.append(node)
                if len(found) == MAX_TRIALS:
                    break
            elif node in self._rules:
                fresh = [arg for arg in self._nodes[node].args if arg not in seen]
                seen.update(fresh)
                queue += fresh
        return found
