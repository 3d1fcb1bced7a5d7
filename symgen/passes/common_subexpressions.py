"""Common subexpressions of sums and products: of a + b + c and a + d + b both take a + b, and so for products.

Chains of additions (or multiplications) whose partial results nothing else needs are taken apart into all their
operands; the pair that occurs in most of them is made once, then the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heapify, heappop, heappush

from symgen.passes.rebuild import LONG, finished, is_worthwhile
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Dependence, Op, Program

MAX_OPERANDS = 24
"""Longer chains are left as they are."""

Operand = tuple[int, int]
"""An operand: a number of a value, and its sign."""

Chain = list[Operand]

Pair = tuple[int, int, int]
"""The numbers of two operands, the smaller first, and the product of their signs."""


def share(program: Program) -> Program:
    """The program with pairs that recur in its sums and products made once."""
    return _Sharing(program).run()


class _Sharing:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.uses = program.uses()
        self.sums = self._chains((Op.ADD, Op.SUB))
        self.products = self._chains((Op.MUL,))
        self.pairs: list[tuple[Operand, Operand]] = []
        count = len(program.instructions)
        for chains in (self.sums, self.products):
            self.pairs += drawn_pairs(list(chains.values()), count + len(self.pairs))
        self.graph = Graph()

    # taking apart ----------------------------------------------------------------------------------

    def _chains(self, ops: tuple[Op, ...]) -> dict[int, Chain]:
        """The operands of every chain, by the instruction at its end."""
        opened: dict[int, Chain | None] = {}  # what is used once → its operands; None for too many
        chains: dict[int, Chain | None] = {}
        for node, instruction in enumerate(self.program.instructions):
            if instruction.op in ops and instruction.dependence is Dependence.VARIABLE:
                first, second = (self._operands(arg, opened, chains) for arg in instruction.args)
                chain = None
                if first is not None and second is not None and len(first) + len(second) <= MAX_OPERANDS:
                    other = [(o, -sign) for o, sign in second] if instruction.op is Op.SUB else second
                    chain = first + other
                chains[node] = chain
                if self.uses[node] == 1:
                    opened[node] = chain
        return {
            node: chain
            for node, chain in chains.items()
            if chain is not None and len(chain) > 2 and len({operand for operand, _ in chain}) == len(chain)
        }

    def _operands(self, node: int, opened: dict[int, Chain | None], chains: dict[int, Chain | None]) -> Chain | None:
        """What an operand is made of, if it is a chain of its own that goes into this one."""
        if node not in opened:
            return [(node, 1)]
        del chains[node]
        return opened.pop(node)

    # putting together ------------------------------------------------------------------------------

    def run(self) -> Program:
        """The program with the pairs made once; the program itself if there are none, or too few of a long one."""
        if not is_worthwhile(self.program, len(self.pairs)):
            return self.program
        if len(self.program.instructions) > LONG:
            self.sums, self.products = self._changed(self.sums), self._changed(self.products)
        values: dict[int, Scalar] = {}
        for node, instruction in enumerate(self.program.instructions):
            if node in self.sums:
                value = self._combined(values, self.sums[node], lambda a, b: a + b)
            elif node in self.products:
                value = self._combined(values, self.products[node], lambda a, b: a * b)
            else:
                value = self.graph.apply(instruction, [values[arg] for arg in instruction.args])
            values[node] = value if instruction.label is None else self.graph.define(instruction.label, value)
        return finished(self.graph, self.program, [values[node] for node in range(len(self.program.instructions))])

    def _changed(self, chains: dict[int, Chain]) -> dict[int, Chain]:
        """The chains that hold a pair; the others of a long program stay as they are."""
        count = len(self.program.instructions)
        return {node: chain for node, chain in chains.items() if any(operand >= count for operand, _ in chain)}

    def _combined(
        self, values: dict[int, Scalar], chain: Iterable[Operand], join: Callable[[Scalar, Scalar], Scalar]
    ) -> Scalar:
        total: Scalar | None = None
        for operand, sign in chain:
            value = self._value(values, operand, join)
            value = value if sign > 0 else -value
            total = value if total is None else join(total, value)
        assert total is not None
        return total

    def _value(self, values: dict[int, Scalar], operand: int, join: Callable[[Scalar, Scalar], Scalar]) -> Scalar:
        """The value of an instruction or of a pair; pairs are made when they are first needed."""
        if operand not in values:
            pair = self.pairs[operand - len(self.program.instructions)]
            values[operand] = self._combined(values, pair, join)
        return values[operand]


# pairs ---------------------------------------------------------------------------------------------


def drawn_pairs(chains: list[Chain], count: int) -> list[tuple[Operand, Operand]]:
    """Replace, in the chains, the pair that occurs most, as often as one occurs twice: it becomes an operand.

    Of pairs that occur equally often the first is taken. The pairs are numbered from `count` on, in the order in which
    they are returned. Their numbers of occurrences are kept, and change only with the chains that hold a pair.
    """
    drawn: list[tuple[Operand, Operand]] = []
    times: dict[Pair, int] = {}
    holders: dict[Pair, list[int]] = {}  # chains that hold a pair, or once did
    for number, chain in enumerate(chains):
        for pair in _pairs(chain):
            times[pair] = times.get(pair, 0) + 1
            holders.setdefault(pair, []).append(number)
    heap = [(-number, pair) for pair, number in times.items() if number > 1]
    heapify(heap)
    while heap:
        number, pair = heappop(heap)
        if times[pair] != -number:  # it has been noted anew since, where it still occurs twice
            continue
        new = count + len(drawn)
        drawn.append(((pair[0], 1), (pair[1], pair[2])))
        changed: set[Pair] = set()
        for holder in dict.fromkeys(holders[pair]):
            chain = chains[holder]
            before = _replaced(chain, pair, new)
            if before is None:
                continue
            for each in _with(before, chain[:-1]):
                times[each] -= 1
                changed.add(each)
            for each in _with([chain[-1]], chain[:-1]):
                times[each] = times.get(each, 0) + 1
                holders.setdefault(each, []).append(holder)
                changed.add(each)
        for each in changed:
            if times[each] > 1:
                heappush(heap, (-times[each], each))
    return drawn


def _pairs(chain: Chain) -> Iterator[Pair]:
    """All pairs of operands."""
    for place, operand in enumerate(chain):
        yield from _with([operand], chain[:place])


def _with(some: Chain, others: Chain) -> Iterator[Pair]:
    """The pairs of some operands with others and, if they are two, with each other."""
    for a, x in some:
        for b, y in others:
            yield (a, b, x * y) if a < b else (b, a, x * y)
    if len(some) == 2:
        (a, x), (b, y) = some
        yield (a, b, x * y) if a < b else (b, a, x * y)


def _replaced(chain: Chain, pair: Pair, new: int) -> Chain | None:
    """Put the pair's number in its place, at the end; the two operands it replaces, or None if the chain lacks it."""
    first, second, product = pair
    for sign in (1, -1):
        wanted = [(first, sign), (second, sign * product)]
        if all(item in chain for item in wanted):
            for item in wanted:
                chain.remove(item)
            chain.append((new, sign))
            return wanted
    return None
