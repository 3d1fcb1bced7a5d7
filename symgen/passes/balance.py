"""Balance sums: terms are added in the order in which they become known, each as soon as it can be.

A processor works on several operations at a time, but for those that wait for one another. What must wait longest is
added last, so that it waits for one addition and not for those of all other terms: the longest path through inverse
dynamics of an arm becomes half as long. Operations stay as many; values with names of their own stay as they are.

Programs so long that loops may be made of them keep the order in which they repeat themselves, but for sums of
several numbers and parameters; there is always enough in them that does not wait.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.exact import ZERO
from symgen.program.finish import compact
from symgen.program.program import REPEATING, Dependence, Instruction, Op, Program

SUMS = (Op.ADD, Op.SUB)

CYCLES = {Op.ADD: 4, Op.SUB: 4, Op.MUL: 4, Op.DIV: 13, Op.SQRT: 18, Op.NEG: 1, Op.TANH: 60, Op.ATAN: 60}
"""How long results of operations take on recent processors; others are free: sines and cosines come first."""

_new = tuple.__new__


def balance(program: Program) -> Program:
    """The program with its sums in another order; every term is added as soon as it and those before it are known."""
    sums = _Sums(program)
    return _Balanced(sums).program() if sums.within else program


class _Sums:
    """The sums of a program; those `within` another that is written anew are used nowhere else and have no names.

    They are `timed` where they are added as their terms become known.
    """

    def __init__(self, program: Program) -> None:
        self.whole = program
        self.instructions = program.instructions
        uses = program.uses()
        self.within = {
            arg
            for instruction in program.instructions
            if instruction.op in SUMS
            for arg in instruction.args
            if uses[arg] == 1 and self.instructions[arg].op in SUMS and self.instructions[arg].label is None
        }
        self.timed = len(program.instructions) < REPEATING
        if not self.timed:
            self.within = {arg for node in self._steady() for arg in self._beneath(node)}

    def _steady(self) -> list[int]:
        """The outermost sums with several terms that are the same for all states."""
        return [
            node
            for node, instruction in enumerate(self.instructions)
            if instruction.op in SUMS
            and node not in self.within
            and sum(self.instructions[term].dependence < Dependence.VARIABLE for term, _ in self.terms(node)) > 1
        ]

    def _beneath(self, node: int) -> set[int]:
        """The sums within a sum."""
        found: set[int] = set()
        left = [node]
        while left:
            inner = [arg for arg in self.instructions[left.pop()].args if arg in self.within]
            found.update(inner)
            left += inner
        return found

    def terms(self, node: int) -> list[tuple[int, int]]:
        """The terms of a sum, each with its sign."""
        found: list[tuple[int, int]] = []
        left = [(node, 1)]
        while left:
            node, sign = left.pop()
            op, (first, second) = self.instructions[node][:2]
            for arg, of in ((second, sign if op is Op.ADD else -sign), (first, sign)):
                if arg in self.within:
                    left.append((arg, of))
                else:
                    found.append((arg, of))
        found.reverse()
        return found


class _Balanced:
    """A program that is written anew; `known` says when values are, in cycles."""

    def __init__(self, sums: _Sums) -> None:
        self.sums = sums
        self.instructions: list[Instruction] = []
        self.known: list[int] = []
        self.after: list[int] = []  # the instruction of the old program behind which one of the new stands
        self.place: dict[int, int] = {}

    def program(self) -> Program:
        """The program, operands first."""
        for node, instruction in enumerate(self.sums.instructions):
            if node in self.sums.within:
                continue
            if instruction.op in SUMS:
                self.place[node] = self._sum(node, instruction)
            else:
                args = tuple([self.place[arg] for arg in instruction.args])
                self.place[node] = self._put(instruction._replace(args=args), node)
        return self._in_order()

    def _put(self, instruction: Instruction, after: int) -> int:
        args = instruction.args
        known = 0
        if args and self.sums.timed:
            known = max([self.known[arg] for arg in args]) + CYCLES.get(instruction.op, 0)
        self.instructions.append(instruction)
        self.known.append(known)
        self.after.append(after)
        return len(self.instructions) - 1

    def _sum(self, node: int, instruction: Instruction) -> int:
        """Write a sum; parameters come first of all, since what is made of them alone is computed once."""
        terms = self._with_one_number([(self.place[term], sign) for term, sign in self.sums.terms(node)], node)
        terms.sort(key=lambda term: (self.instructions[term[0]].dependence, self.known[term[0]]))
        (total, sign), last = terms[0], len(terms) - 1
        for number, (term, of) in enumerate(terms[1:], 1):
            op, first, second = Op.ADD if sign == of else Op.SUB, total, term
            if sign < of:
                first, second, sign = term, total, 1
            dependence = max(self.instructions[total].dependence, self.instructions[term].dependence)
            label = instruction.label if number == last else None
            after = node if number == last else max(self.after[total], self.after[term])
            total = self._put(_operation(op, first, second, label, dependence), after)
        return total if sign > 0 else self._put(Instruction(Op.NEG, (total,), label=instruction.label), node)

    def _with_one_number(self, terms: list[tuple[int, int]], node: int) -> list[tuple[int, int]]:
        """The terms with their numbers, where there are several, made one."""
        values = [(self.instructions[term].value, sign) for term, sign in terms]
        numbers = [value * sign for value, sign in values if value is not None]
        if len(numbers) < 2:
            return terms
        total = sum(numbers, ZERO)
        others = [term for term, (value, _) in zip(terms, values, strict=True) if value is None]
        if not total:
            return others
        number = Instruction(Op.CONSTANT, value=total, dependence=Dependence.CONSTANT)
        return [*others, (self._put(number, node), 1)]

    def _in_order(self) -> Program:
        """The program with every value behind what it stands behind."""
        order = sorted(range(len(self.instructions)), key=self.after.__getitem__)
        place = {node: k for k, node in enumerate(order)}
        instructions = [self.instructions[node] for node in order]
        outputs = tuple(
            (array, tuple(place[self.place[node]] for node in nodes)) for array, nodes in self.sums.whole.outputs
        )
        moved = [each._replace(args=_places(place, each.args)) if each.args else each for each in instructions]
        return compact(self.sums.whole.inputs, moved, outputs)


def _operation(op: Op, first: int, second: int, label: str | None, dependence: Dependence) -> Instruction:
    return _new(Instruction, (op, (first, second), None, "", 0, label, dependence))


def _places(place: dict[int, int], args: Sequence[int]) -> tuple[int, ...]:
    return tuple([place[arg] for arg in args])
