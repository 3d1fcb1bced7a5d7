"""Cancel terms across nested sums: (a + b + c) − (b + d) becomes a + c − d where that costs no more.

The terms of a sum are collected through the sums below it. The sum is written anew only if terms did cancel and the
new sum needs no more operations than the old one frees; sums without cancellation keep their shared partial sums.

Where numbers are collected too, (2 + a) + (b − 3) becomes a + b − 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from symgen.algebra.exact import ONE, Exact
from symgen.passes.rebuild import finished, is_worthwhile
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Op, Program

MAX_TERMS = 24

Form = dict[int, Exact]
"""A sum of terms: instruction → coefficient; `_UNIT` → the number among them."""

_UNIT = -1


def cancel(program: Program) -> Program:
    """The program with cancelling sums rewritten; the program itself if there are none, or too few of a long one."""
    return _with(program, _rewritten(program, numbers=False))


def collect(program: Program) -> Program:
    """The same with the numbers of each sum made one, where there are several."""
    return _with(program, _rewritten(program, numbers=True))


def _with(program: Program, rewritten: Mapping[int, Form]) -> Program:
    if not is_worthwhile(program, len(rewritten)):
        return program
    graph = Graph()
    values: list[Scalar] = []
    for node, instruction in enumerate(program.instructions):
        if node in rewritten:
            value = _sum(graph, rewritten[node], values)
            if instruction.label is not None:
                value = graph.define(instruction.label, value)
        else:
            value = graph.apply(instruction, [values[arg] for arg in instruction.args])
        values.append(value)
    return finished(graph, program, values)


def _rewritten(program: Program, *, numbers: bool) -> dict[int, Form]:
    """The sums to be written anew, with their terms."""
    cancelling = _cancelling(program, numbers=numbers)
    if not cancelling:
        return {}
    costs = _private_costs(program)
    return {node: form for node, form in cancelling.items() if _cost(form) <= costs[node]}


def _cancelling(program: Program, *, numbers: bool) -> dict[int, Form]:
    """The sums in which terms cancel or numbers meet, with what is left; but for sums of too many terms."""
    known = {node: {_UNIT: each.value} for node, each in enumerate(program.instructions) if numbers and each.value}
    forms: list[Form | None] = []
    cancelling: dict[int, Form] = {}
    for node, instruction in enumerate(program.instructions):
        form: Form | None = None
        if instruction.op is Op.ADD or instruction.op is Op.SUB:
            first, second = instruction.args
            form = dict(known.get(first) or _terms(program, first, forms))
            cancels = False
            for term, coefficient in (known.get(second) or _terms(program, second, forms)).items():
                total = coefficient if instruction.op is Op.ADD else -coefficient
                if term in form:
                    total = form[term] + total
                    cancels = cancels or term == _UNIT or not total
                if total:
                    form[term] = total
                else:
                    del form[term]
            if len(form) > MAX_TERMS:
                form = None
            elif cancels:
                cancelling[node] = form
        forms.append(form)
    return cancelling


def _terms(program: Program, node: int, forms: list[Form | None]) -> Mapping[int, Exact]:
    """An operand of a sum as terms: its own if it is a sum, a constant multiple, or itself."""
    form = forms[node]
    if form is not None:
        return form
    instruction = program.instructions[node]
    if instruction.op is Op.MUL:
        factor = program.instructions[instruction.args[0]].value
        if factor is not None:
            return {instruction.args[1]: factor}
    return {node: ONE}


def _private_costs(program: Program) -> list[int]:
    """For every sum: its own addition and those of the sums below that nothing else uses."""
    uses = program.uses()
    costs: list[int] = []
    for instruction in program.instructions:
        cost = 0
        if instruction.op in (Op.ADD, Op.SUB):
            cost = 1 + sum(costs[arg] for arg in instruction.args if uses[arg] == 1)
        costs.append(cost)
    return costs


def _cost(form: Form) -> int:
    return len(form) - 1 + sum(term != _UNIT and coefficient not in (1, -1) for term, coefficient in form.items())


def _sum(graph: Graph, form: Form, values: list[Scalar]) -> Scalar:
    return graph.sum(
        graph.constant(coefficient) if term == _UNIT else values[term] * coefficient
        for term, coefficient in form.items()
    )
