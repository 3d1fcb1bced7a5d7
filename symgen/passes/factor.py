"""Common factors of sums: a b + a c becomes a (b + c), and 2 x + 2 y becomes 2 (x + y).

Sums and products that are used once are taken apart into terms; of the factors that two or more terms of a sum share,
fixed numbers of equal size among them, the most frequent is drawn out, then the next. Values that are used more than
once stay as they are, since they are computed anyway. In a long program so do sums that have nothing to be drawn out.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from symgen.algebra.exact import ONE, Exact
from symgen.passes.rebuild import LONG, finished, is_worthwhile
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Dependence, Instruction, Op, Program

_SUMS = (Op.ADD, Op.SUB)

MAX_TERMS = 64
"""Sums are not taken apart into more terms than this."""


_MINUS_ONE = -ONE


class Term(NamedTuple):
    """coefficient · Π factors, the factors instructions of the old program, sorted."""

    coefficient: Exact
    factors: tuple[int, ...]


def factor(program: Program) -> Program:
    """The program with common factors drawn out of its sums."""
    return _Factoring(program).run()


class _Factoring:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.instructions = program.instructions
        self.uses = program.uses()
        self.graph = Graph()
        self.values: list[Scalar] = []
        self.opened: dict[int, list[Term] | None] = {}  # what is used once → its terms; None for too many

    def run(self) -> Program:
        sums = self._sums()
        if not is_worthwhile(self.program, len(sums)):
            return self.program
        for node, instruction in enumerate(self.instructions):
            if node not in sums:
                value = self.graph.apply(instruction, [self.values[arg] for arg in instruction.args])
            else:
                value = self._sum(sums[node])
                if instruction.label is not None:
                    value = self.graph.define(instruction.label, value)
            self.values.append(value)
        return finished(self.graph, self.program, self.values)

    # taking apart ----------------------------------------------------------------------------------

    def _sums(self) -> dict[int, list[Term]]:
        """The sums to be written anew, with their terms: of a long program those from which something is drawn out."""
        is_long = len(self.instructions) > LONG
        sums: dict[int, list[Term]] = {}
        for node, instruction in enumerate(self.instructions):
            if instruction.dependence is not Dependence.VARIABLE:
                continue
            terms = self._taken_apart(node, instruction)
            if terms is not None and len(terms) > MAX_TERMS:
                terms = None
            if terms != [] and self.uses[node] == 1:
                self.opened[node] = terms
            if terms and instruction.op in _SUMS:
                merged = _merged(self._opened(terms))
                if not is_long or len(merged) < len(terms) or _most_common(merged) is not None:
                    sums[node] = merged
        return sums

    def _taken_apart(self, node: int, instruction: Instruction) -> list[Term] | None:
        """The terms of a sum, or of a multiple or negative that is used once; none of others, None of too many."""
        op, args = instruction.op, instruction.args
        if op in _SUMS:
            left, right = self._terms(args[0]), self._terms(args[1])
            if left is None or right is None:
                return None
            return left + (right if op is Op.ADD else [_scaled(term, _MINUS_ONE) for term in right])
        if self.uses[node] != 1:
            return []
        if op is Op.NEG:
            return _all_scaled(self._terms(args[0]), _MINUS_ONE)
        number = self.instructions[args[0]].value if op is Op.MUL else None
        return [] if number is None else _all_scaled(self._terms(args[1]), number)

    def _terms(self, node: int) -> list[Term] | None:
        """An operand's terms: those of what is used once, or the operand itself; None for too many."""
        if node in self.opened:
            return self.opened[node]
        return [Term(ONE, tuple(sorted(self._factors([node]))))]

    def _factors(self, nodes: list[int]) -> list[int]:
        """The factors of a product, those of products in it that nothing else needs."""
        factors: list[int] = []
        open_ones = nodes
        while open_ones:
            node = open_ones.pop()
            instruction = self.instructions[node]
            if instruction.op is Op.MUL and self.uses[node] == 1:
                open_ones += instruction.args
            else:
                factors.append(node)
        return factors

    def _opened(self, terms: list[Term]) -> list[Term]:
        """The terms with products that occur in this sum alone, though more than once, taken apart too."""
        while True:
            factors = [factor_ for term in terms for factor_ in term.factors]
            if len(set(factors)) == len(factors):
                return terms
            inside = Counter(factors)
            whole = {
                node
                for node, times in inside.items()
                if times > 1 and times == self.uses[node] and self.instructions[node].op is Op.MUL
            }
            if not whole:
                return terms
            terms = [Term(term.coefficient, self._without_products(term.factors, whole)) for term in terms]

    def _without_products(self, factors: tuple[int, ...], whole: set[int]) -> tuple[int, ...]:
        opened = []
        for node in factors:
            opened += self._factors(list(self.instructions[node].args)) if node in whole else [node]
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
        if value is not None and (term.coefficient is ONE or term.coefficient is _MINUS_ONE):
            return value if term.coefficient is ONE else -value
        number = self.graph.constant(term.coefficient)
        return number if value is None else number * value


def _scaled(term: Term, number: Exact) -> Term:
    if term.coefficient is ONE:
        return Term(number, term.factors)
    return Term(_opposite(term.coefficient) if number is _MINUS_ONE else term.coefficient * number, term.factors)


def _opposite(number: Exact) -> Exact:
    return ONE if number is _MINUS_ONE else -number


def _all_scaled(terms: list[Term] | None, number: Exact) -> list[Term] | None:
    return None if terms is None else [_scaled(term, number) for term in terms]


def _merged(terms: list[Term]) -> list[Term]:
    """Terms with the same factors added up."""
    if len({term.factors for term in terms}) == len(terms):
        return terms
    total: dict[tuple[int, ...], Exact] = {}
    for term in terms:
        known = total.get(term.factors)
        total[term.factors] = term.coefficient if known is None else known + term.coefficient
    return [Term(value, factors) for factors, value in total.items() if value]


def _most_common(terms: list[Term]) -> int | Exact | None:
    """The factor, or the size of a number, that most terms share; None if no two share any."""
    every = [factor_ for term in terms for factor_ in set(term.factors)]
    factors: Counter[int] = Counter(every) if len(set(every)) < len(every) else Counter()
    numbers: Counter[Exact] = Counter()
    for term in terms:
        if term.coefficient is not ONE and term.coefficient is not _MINUS_ONE and term.factors:
            size = _size(term.coefficient)
            if size != ONE:
                numbers[size] += 1
    most = 1
    best: int | Exact | None = None
    repeated = [(node, times) for node, times in factors.items() if times > 1]
    for node, times in sorted(repeated):
        if times > most:
            most, best = times, node
    if max(numbers.values(), default=0) <= most:
        return best
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
