"""Common subexpressions of sums and products: of a + b + c and a + d + b both take a + b, and so for products.

Chains of additions (or multiplications) whose partial results nothing else needs are taken apart into all their
operands; the pair that occurs in most of them is made once, then the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations

from symgen.passes.rebuild import finished
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Dependence, Op, Program

MAX_OPERANDS = 24
"""Longer chains are left as they are."""

MAX_INSTRUCTIONS = 2000
"""Every pair is counted anew when one has been drawn: longer programs are left as they are."""

Operand = tuple[int, int]
"""An operand: a number of a value, and its sign."""

Chain = list[Operand]


def share(program: Program) -> Program:
    """The program with pairs that recur in its sums and products made once."""
    if len(program.instructions) > MAX_INSTRUCTIONS:
        return program
    return _Sharing(program).run()


class _Sharing:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.uses = program.uses()
        self.sums = self._chains((Op.ADD, Op.SUB))
        self.products = self._chains((Op.MUL,))
        self.pairs: list[tuple[str, Operand, Operand]] = []
        count = len(program.instructions)
        self._draw_pairs(self.sums, "sum", count)
        self._draw_pairs(self.products, "product", count)
        self.graph = Graph()

    # taking apart ----------------------------------------------------------------------------------

    def _chains(self, ops: tuple[Op, ...]) -> dict[int, Chain]:
        """The operands of every chain, by the instruction at its end."""
        inner: set[int] = set()
        for instruction in self.program.instructions:
            if instruction.op in ops and instruction.dependence is Dependence.VARIABLE:
                inner.update(arg for arg in instruction.args if self._opens(arg, ops))
        chains = {}
        for node, instruction in enumerate(self.program.instructions):
            if instruction.op in ops and instruction.dependence is Dependence.VARIABLE and node not in inner:
                operands = self._operands(node, 1, ops, top=True)
                if 2 < len(operands) <= MAX_OPERANDS and len({o for o, _ in operands}) == len(operands):
                    chains[node] = operands
        return chains

    def _opens(self, node: int, ops: tuple[Op, ...]) -> bool:
        instruction = self.program.instructions[node]
        return instruction.op in ops and self.uses[node] == 1 and instruction.dependence is Dependence.VARIABLE

    def _operands(self, node: int, sign: int, ops: tuple[Op, ...], *, top: bool = False) -> Chain:
        if not top and not self._opens(node, ops):
            return [(node, sign)]
        instruction = self.program.instructions[node]
        first, second = instruction.args
        other = -sign if instruction.op is Op.SUB else sign
        return self._operands(first, sign, ops) + self._operands(second, other, ops)

    # pairs -----------------------------------------------------------------------------------------

    def _draw_pairs(self, chains: dict[int, Chain], kind: str, count: int) -> None:
        """Replace the pair that occurs most, as often as one occurs twice; the pair becomes an operand of its own."""
        while True:
            times: Counter[tuple[Operand, Operand]] = Counter()
            for chain in chains.values():
                times.update({_normal(pair) for pair in combinations(sorted(chain), 2)})
            found = [(number, pair) for pair, number in times.items() if number > 1]
            if not found:
                return
            _, pair = min((-number, pair) for number, pair in found)
            self.pairs.append((kind, *pair))
            new = count + len(self.pairs) - 1
            for chain in chains.values():
                _replace(chain, pair, new)

    # putting together ------------------------------------------------------------------------------

    def run(self) -> Program:
        """The program with the pairs made once; the program itself if there are none."""
        if not self.pairs:
            return self.program
        values: dict[int, Scalar] = {}
        for node, instruction in enumerate(self.program.instructions):
            if node in self.sums:
                value = self._combined(values, self.sums[node], "sum", lambda a, b: a + b)
            elif node in self.products:
                value = self._combined(values, self.products[node], "product", lambda a, b: a * b)
            else:
                value = self.graph.apply(instruction._replace(label=None), [values[arg] for arg in instruction.args])
            values[node] = value if instruction.label is None else self.graph.define(instruction.label, value)
        return finished(self.graph, self.program, [values[node] for node in range(len(self.program.instructions))])

    def _combined(
        self, values: dict[int, Scalar], chain: Iterable[Operand], kind: str, join: Callable[[Scalar, Scalar], Scalar]
    ) -> Scalar:
        total: Scalar | None = None
        for operand, sign in chain:
            value = self._value(values, operand, kind, join)
            value = value if sign > 0 else -value
            total = value if total is None else join(total, value)
        assert total is not None
        return total

    def _value(
        self, values: dict[int, Scalar], operand: int, kind: str, join: Callable[[Scalar, Scalar], Scalar]
    ) -> Scalar:
        """The value of an instruction or of a pair; pairs are made when they are first needed."""
        if operand not in values:
            _, *pair = self.pairs[operand - len(self.program.instructions)]
            values[operand] = self._combined(values, pair, kind, join)
        return values[operand]


def _normal(pair: tuple[Operand, Operand]) -> tuple[Operand, Operand]:
    """The pair, or its negative, so that the first sign is +."""
    (a, x), (b, y) = pair
    return ((a, 1), (b, y)) if x > 0 else ((a, 1), (b, -y))


def _replace(chain: Chain, pair: tuple[Operand, Operand], new: int) -> None:
    """Put the pair's number in its place, if the chain holds it or its negative."""
    for sign in (1, -1):
        wanted = [(operand, sign * each) for operand, each in pair]
        if all(item in chain for item in wanted):
            for item in wanted:
                chain.remove(item)
            chain.append((new, sign))
            return
