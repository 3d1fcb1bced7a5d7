"""Which nodes of a graph are emitted as their negatives, so that few unary minuses are left.

A sum of terms of different sign may be emitted either way round, all other operations pass the sign of their operands
on. Most nodes have no sign of their own: leaves and what is made of them alone are never negative, and a product of
such a factor has the sign of the other one. Signs are kept for the rest. What turning a sum changes
is found in `trials`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import islice

from symgen.program.program import ODD, Instruction, Op
from symgen.program.trials import Rule, Trials

Root = tuple[int, int]
"""A node that is an output, and the sign with which it is one."""

MAX_TRIALS = 6
"""So many differences behind an output are tried before its unary minus is accepted."""

MAX_DEPTH = 30
"""Differences that are used once are sought as deep as this behind an output."""

_ADD, _SUB = Op.ADD, Op.SUB  # an Enum's members are slow to look up

_PASSING = ODD | {Op.MUL, Op.DIV, Op.NONZERO}
"""Operations whose sign is the product of their operands' signs."""

_FIXED = -1
"""The bearer of the sign of what never is negative: the last entry of a list of signs."""


class Signs:
    """The sign of each node of a program as emitted; mixed sums follow preferences where that costs nothing.

    Attributes:
        bearers: node → the node whose sign is its sign too.
        by_bearer: the signs of nodes that bear one.
    """

    def __init__(
        self,
        nodes: Sequence[Instruction],
        order: Sequence[int],
        roots: Sequence[Root],
        preference: dict[int, int],
    ) -> None:
        """`order`: the nodes that are needed, operands first; `roots`: the outputs; `preference`: node → sign."""
        self._nodes = nodes
        self._order = order
        self._roots = roots
        self._preference = [1] * (len(nodes) + 1)
        for node, sign in preference.items():
            self._preference[node] = sign
        self.bearers, self._rules = _structure(nodes, order)
        self.by_bearer = [1] * (len(nodes) + 1)
        self._sweep()
        self._turn_private()
        self._turn_shared()

    def __getitem__(self, node: int) -> int:
        return self.by_bearer[self.bearers[node]]

    def _sweep(self) -> None:
        signs, preference = self.by_bearer, self._preference
        for node, (first, second, kind) in self._rules.items():
            product = signs[first] * signs[second]
            signs[node] = product if kind == 0 else signs[first] if product == kind else preference[node]

    def _is_mixed(self, node: int) -> bool:
        """Whether a node is a sum of terms that are emitted with different signs."""
        op, args, *_ = self._nodes[node]
        if op is Op.ADD:
            return self[args[0]] != self[args[1]]
        return op is Op.SUB and self[args[0]] == self[args[1]]

    def _behind(self, node: int) -> tuple[int, ...]:
        """The operands whose signs the node's may depend on."""
        op, args, *_ = self._nodes[node]
        return args if op in _PASSING or op is Op.ADD or op is Op.SUB else ()

    # what is used once -----------------------------------------------------------------------------

    def _turn_private(self) -> None:
        """Turn differences that nothing but an output with a unary minus needs."""
        turned = [self._turn(node, 0) for node, sign in self._roots if self[node] != sign]
        if any(turned):
            self._sweep()

    def _turn(self, node: int, depth: int) -> bool:
        """Turn the sign of a node that is used once by turning a difference in it; whether that was possible."""
        if self._uses[node] != 1 or depth > MAX_DEPTH:
            return False
        if not self._is_mixed(node) and not any(self._turn(arg, depth + 1) for arg in self._behind(node)):
            return False
        if node in self._rules:
            self.by_bearer[node] = self._preference[node] = -self.by_bearer[node]
        return True

    @cached_property
    def _uses(self) -> list[int]:
        """How often each node is an operand or an output."""
        uses = [0] * len(self._nodes)
        for node, _ in self._roots:
            uses[node] += 1
        for node in self._order:
            for arg in self._nodes[node].args:
                uses[arg] += 1
        return uses

    # what is shared --------------------------------------------------------------------------------

    def _turn_shared(self) -> None:
        """Turn shared differences too, wherever that leaves fewer unary minuses in all."""
        wanted = {root for root in self._roots if self._nodes[root[0]].value is None}  # negative constants cost nothing
        wrong = sorted(root for root in wanted if self[root[0]] != root[1])
        if not wrong:
            return
        surplus: Counter[int] = Counter()  # how many more outputs want a bearer's sign to be 1 than want it to be -1
        for node, sign in wanted:
            surplus[self.bearers[node]] += sign
        trials = Trials(self._rules, self.by_bearer, self._preference, surplus)
        for root, sign in wrong:
            if self[root] != sign:
                found = self._differences(root)
                better = (node for node, gain in zip(found, trials.gains(found), strict=True) if gain > 0)
                for node in islice(better, 1):
                    trials.turn(node)

    def _differences(self, root: int) -> list[int]:
        """The nearest mixed sums behind a node, through operations that pass signs on."""
        found: list[int] = []
        seen = {root}
        queue = [root]
        for node in queue:
            if self._is_mixed(node):
                found.append(node)
                if len(found) == MAX_TRIALS:
                    break
                continue
            fresh = [arg for arg in self._behind(node) if arg not in seen]
            seen.update(fresh)
            queue += fresh
        return found


def _structure(nodes: Sequence[Instruction], order: Sequence[int]) -> tuple[list[int], dict[int, Rule]]:
    """(node → node that bears its sign, bearer → rule)."""
    bearers = [_FIXED] * (len(nodes) + 1)
    rules: dict[int, Rule] = {}
    for node in order:
        instruction = nodes[node]
        op, args = instruction.op, instruction.args
        if op is _ADD or op is _SUB:
            first, second = bearers[args[0]], bearers[args[1]]
            if first != second or op is _SUB:
                rules[node] = first, second, 1 if op is _ADD else -1
                first = node
        elif op in _PASSING:
            first, second = bearers[args[0]], bearers[args[1]] if len(args) == 2 else _FIXED
            if first == second:
                first = _FIXED
            elif first == _FIXED:
                first = second
            elif second != _FIXED:
                rules[node] = first, second, 0
                first = node
        else:
            continue
        bearers[node] = first
    return bearers, rules
