"""Common factors of sums: a b + a c becomes a (b + c), and 2 x + 2 y becomes 2 (x + y).

Sums and products that are used once are taken apart into terms; of the factors that two or more terms of a sum share,
fixed numbers of equal size among them, the most frequent is drawn out, then the next. Values that are used more than
once stay as they are, since they are computed anyway.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from symgen.algebra.exact import ONE, Exact
from symgen.passes.rebuild import finished
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Dependence, Op, Program

MAX_TERMS = 64
"""Sums are not taken apart into more terms than this."""


@dataclass(frozen=True)
class Term:
    """coefficient · Π factors, the factors instructions of the old program, sorted."""

    coefficient: Exact
    factors: tuple[int, ...]


def factor(program: Program) -> Program:
    """The program with common factors drawn out of its sums."""
    return _Factoring(program).run()


class _Factoring:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.uses = program.uses()
        self.graph = Graph()
        self.values: list[Scalar] = []

    def run(self) -> Program:
        for node, instruction in enumerate(self.program.instructions):
            value = None
            if instruction.op in (Op.ADD, Op.SUB) and instruction.dependence is Dependence.VARIABLE:
                terms = self._opened(self._terms(node, top=True))
                if len(terms) <= MAX_TERMS:
                    value = self._sum(_merged(terms))
            if value is None:
                value = self.graph.apply(
                    instruction._replace(label=None), [self.values[arg] for arg in instruction.args]
                )
            if instruction.label is not None:
                value = self.graph.define(instruction.label, value)
            self.values.append(value)
        return finished(self.graph, self.program, self.values)

    # taking apart ----------------------------------------------------------------------------------

    def _opens(self, node: int, *, top: bool) -> bool:
        """Whether an instruction is taken apart where it is an operand: nothing else needs it."""
        return top or self.uses[node] == 1

    def _terms(self, node: int, *, top: bool = False) -> list[Term]:
        instruction = self.program.instructions[node]
        if instruction.dependence is Dependence.VARIABLE and self._opens(node, top=top):
            if instruction.op in (Op.ADD, Op.SUB):
                left, right = (self._terms(arg) for arg in instruction.args)
                return left + (right if instruction.op is Op.ADD else [_scaled(term, -ONE) for term in right])
            if instruction.op is Op.NEG:
                return [_scaled(term, -ONE) for term in self._terms(instruction.args[0])]
            if instruction.op is Op.MUL and self.program.instructions[instruction.args[0]].value is not None:
                number = self.program.instructions[instruction.args[0]].value
                assert number is not None
                return [_scaled(term, number) for term in self._terms(instruction.args[1])]
        return [Term(ONE, tuple(sorted(self._factors(node))))]

    def _factors(self, node: int) -> list[int]:
        instruction = self.program.instructions[node]
        if instruction.op is Op.MUL and self._opens(node, top=False):
            return [factor for arg in instruction.args for factor in self._factors(arg)]
        return [node]

    def _opened(self, terms: list[Term]) -> list[Term]:
        """The terms with products that occur in this sum alone, though more than once, taken apart too."""
        while True:
            inside = Counter(factor_ for term in terms for factor_ in term.factors)
            whole = {
                node
                for node, times in inside.items()
                if times > 1 and times == self.uses[node] and self.program.instructions[node].op is Op.MUL
            }
            if not whole:
                return terms
            terms = [Term(term.coefficient, self._without_products(term.factors, whole)) for term in terms]

    def _without_products(self, factors: tuple[int, ...], whole: set[int]) -> tuple[int, ...]:
        opened = []
        for node in factors:
            opened += (
                [n for arg in self.program.instructions[node].args for n in self._factors(arg)]
                if (node in whole)
                else [node]
            )
        return tuple(sorted(opened))

    # putting together ------------------------------------------------------------------------------

    def _sum(self, terms: list[Term]) -> Scalar:
        """The sum of terms, in the order of the old program, with common factors drawn out."""
        if len(terms) < 2:
            return self.graph.sum(self._product(term) for term in terms)
        shared = _most_common(terms)
        if shared is None:
            return self.graph.sum(self._product(term) for term in terms)
        inside: list[Term] = []
        rest: list[Term] = []
        for term in terms:
            reduced = _without(term, shared)
            (rest if reduced is None else inside).append(term if reduced is None else reduced)
        inner = self._sum(_merged(inside))
        front = self.graph.constant(shared) if isinstance(shared, Exact) else self.values[shared]
        drawn = front * inner
        return drawn if not rest else self.graph.add(self._sum(rest), drawn)

    def _product(self, term: Term) -> Scalar:
        value: Scalar | None = None
        for factor_ in term.factors:
            value = self.values[factor_] if value is None else value * self.values[factor_]
        number = self.graph.constant(term.coefficient)
        return number if value is None else number * value


def _scaled(term: Term, number: Exact) -> Term:
    return Term(-term.coefficient if number == -1 else term.coefficient * number, term.factors)


def _merged(terms: list[Term]) -> list[Term]:
    """Terms with the same factors added up."""
    total: dict[tuple[int, ...], Exact] = {}
    for term in terms:
        known = total.get(term.factors)
        total[term.factors] = term.coefficient if known is None else known + term.coefficient
    return [Term(value, factors) for factors, value in total.items() if value]


def _most_common(terms: list[Term]) -> int | Exact | None:
    """The factor, or the size of a number, that most terms share; None if no two share any."""
    factors: Counter[int] = Counter()
    numbers: Counter[Exact] = Counter()
    for term in terms:
        factors.update(set(term.factors))
        size = _size(term.coefficient)
        if size != ONE and term.factors:
            numbers[size] += 1
    most = 1
    best: int | Exact | None = None
    for node, times in sorted(factors.items()):
        if times > most:
            most, best = times, node
    for size, times in sorted(numbers.items(), key=lambda item: str(item[0])):
        if times > most:
            most, best = times, size
    return best


def _size(value: Exact) -> Exact:
    return -value if value.leading_sign < 0 else value


def _without(term: Term, shared: int | Exact) -> Term | None:
    """The term divided by the shared factor or number; None if it does not hold it."""
    if isinstance(shared, Exact):
        if not term.factors or _size(term.coefficient) != shared:
            return None
        return Term(ONE if term.coefficient.leading_sign > 0 else -ONE, term.factors)
    if shared not in term.factors:
        return None
    factors = list(term.factors)
    factors.remove(shared)
    return Term(term.coefficient, tuple(factors))
