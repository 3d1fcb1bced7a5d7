"""symgen's C by each formulation of a function, beside the one that it chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from symgen.bench.cases import Case
from symgen.bench.harness import Contender
from symgen.bench.peers.peer import Plan, c_subjects
from symgen.bench.peers.symgen import c_function
from symgen.derive.function import misfit
from symgen.derive.option_table import ALGORITHMS
from symgen.derive.options import Options
from symgen.derive.subject import subject_of
from symgen.emit.registry import language
from symgen.generation.kept import derive
from symgen.mechanics.functions.quantity import Quantity
from symgen.mechanics.functions.registry import named
from symgen.program.graph import Graph
from symgen.runtime.module import emit


def contenders(case: Case, plan: Plan, progress: Callable[[str], None]) -> Iterator[Contender]:
    """One call and batches in C of each formulation that fits the robot; it is named as if it were a peer."""
    mechanism = subject_of(case.robot, Options()).mechanism(Graph(), normal=True)
    for function in plan.functions:
        item = named(function)
        if function not in ALGORITHMS or not isinstance(item, Quantity):
            continue
        for each in item.formulations:
            if misfit(each, case.robot, mechanism):
                continue
            progress(f"deriving {function} by {each.name}")
            asked: dict[str, Any] = {function: each.name}
            module = derive(case.robot, replace(Options(functions=(function,)), **asked)).module
            made = next(one for one in module.functions if one.name == function)
            native = c_function(language("c").fitting(module).name, made, emit(module).c)
            yield from c_subjects(each.name, function, native, case, plan)
