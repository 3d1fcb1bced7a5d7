"""What turning each of some sums would change, alone and as things are, for many sums at once.

Every sum that is tried has a bit. The mask of a node says in which trials its sign is the other one, so that one
operation on masks follows all trials through the node. Masks are kept: where a sum is turned for good, only those are
worked out anew that change with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush

Rule = tuple[int, int, int]
"""How a sign follows: the bearers of the operands' signs, and 1 for a sum, -1 for a difference, 0 for a product."""

MAX_KEPT = 1024
"""So many trials are kept; before there are more, the half asked for longest ago is forgotten. It bounds the memory."""


class Trials:
    """The signs of a program's nodes, and what they would be if one sum was turned."""

    def __init__(
        self, rules: Mapping[int, Rule], signs: list[int], preference: list[int], weights: Mapping[int, int]
    ) -> None:
        """`signs` and `preference` (sum → its sign where that is free) are kept up to date; `rules` by rising node.

        A node in `weights` is worth so much if its sign is 1, and as much less than nothing if it is -1.
        """
        self._rules = rules
        self._signs = signs
        self._preference = preference
        self._weights = weights
        self._users = _users(rules)
        self._masks: dict[int, int] = {}
        self._places: dict[int, int] = {}  # sum → place of its bit, in the order in which they were last asked for
        self._free = list(reversed(range(MAX_KEPT)))
        self._gains = [0] * MAX_KEPT

    def gains(self, sums: Sequence[int]) -> list[int]:
        """Half of what turning each of some sums is worth; `MAX_KEPT` / 2 of them at the most."""
        if len(self._free) < len(sums):
            self._forget()
        fresh = [node for node in sums if node not in self._places]
        for node in sums:
            self._places[node] = self._places.pop(node) if node in self._places else self._free.pop()
        self._follow(fresh)
        return [self._gains[self._places[node]] for node in sums]

    def _forget(self) -> None:
        for node in list(self._places)[: MAX_KEPT // 2]:
            place = self._places.pop(node)
            self._gains[place] = 0
            self._free.append(place)
        kept = sum(1 << place for place in self._places.values())
        self._masks = {node: mask & kept for node, mask in self._masks.items() if mask & kept}

    def turn(self, node: int) -> None:
        """Turn a sum for good."""
        self._preference[node] = -self._preference[node]
        self._follow([node])

    def _follow(self, start: Iterable[int]) -> None:
        """Work out signs and masks anew from some nodes onwards, as far as they change."""
        signs, preference, rules, users = self._signs, self._preference, self._rules, self._users
        masks, places, weights = self._masks, self._places, self._weights
        queue = sorted(start)
        met = set(queue)
        while queue:
            node = heappop(queue)
            first, second, kind = rules[node]
            x, y = masks.get(first, 0), masks.get(second, 0)
            sign = signs[first]
            product = sign * signs[second]
            if kind == 0:
                sign, mask = product, x ^ y
            elif product == kind:  # the terms' signs agree; where one of them is turned they do not
                mask = x & y if preference[node] == sign else x | y
            else:
                mask = (x ^ y) & (x if preference[node] == sign else y)
                if node in places:
                    mask |= 1 << places[node]
                sign = preference[node]
            before, known = signs[node], masks.get(node, 0)
            if sign == before and mask == known:
                continue
            if node in weights:
                kept = mask & known if sign == before else 0
                self._book(known ^ kept, before * weights[node])
                self._book(mask ^ kept, -sign * weights[node])
            signs[node], masks[node] = sign, mask
            for user in users.get(node, ()):
                if user not in met:
                    met.add(user)
                    heappush(queue, user)

    def _book(self, mask: int, amount: int) -> None:
        """Add an amount to the gains of the trials in a mask."""
        while mask:
            bit = mask & -mask
            self._gains[bit.bit_length() - 1] += amount
            mask ^= bit


def _users(rules: Mapping[int, Rule]) -> dict[int, list[int]]:
    """The nodes whose signs may change with a node's."""
    users: dict[int, list[int]] = {}
    for node, (first, second, _) in rules.items():
        for operand in (first, second):
            if operand in users:
                users[operand].append(node)
            else:
                users[operand] = [node]
    return users
