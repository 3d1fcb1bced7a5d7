"""symgen itself: its C, called from C and from Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from symgen.bench.cases import Case
from symgen.bench.harness import COLUMNS, PYTHON, PYTHON_BATCH, Contender, batch_runner, python_runner
from symgen.bench.native import RESULTS, CFunction, Driver, Floats
from symgen.bench.peers.peer import Plan, batch_of, c_subjects, called, rows, shaped, sizes
from symgen.build.threads import get_threads, set_threads
from symgen.derive.options import Options
from symgen.derive.outcome import Derivation
from symgen.emit.registry import language
from symgen.generation.kept import derive
from symgen.program.module import Function
from symgen.runtime.module import DynamicsModule, Sources, build, emit

NAME = "symgen"
ABOUT = "the C that `symgen generate` writes, and the compiled module in Python"

Runner = Callable[[int, int], float]


class Generated:
    """What symgen made of a case: its derivation and sources, and the functions of the compiled module."""

    def __init__(self, case: Case, plan: Plan, progress: Callable[[str], None]) -> None:
        self.derivation: Derivation = derive(case.robot, Options(functions=plan.functions, real=plan.real), progress)
        self.real = "float" if plan.is_single else "double"
        self.sources: Sources = emit(self.derivation.module)
        self.module: DynamicsModule = build(self.derivation, self.sources, progress)

    def native(self, function: str) -> CFunction:
        """A function in the form the driver calls it."""
        return c_function(
            language("c").fitting(self.derivation.module).name, self._function(function), self.sources.c, self.real
        )

    def _function(self, name: str) -> Function:
        return next(each for each in self.derivation.module.functions if each.name == name)

    def contenders(self, case: Case, plan: Plan) -> Iterator[Contender]:
        """Calls and batches of all functions; those of C come first."""
        for function in plan.functions:
            native = self.native(function)
            note = "its batch function" if native.batch is not None else "a loop over the single call"
            yield from c_subjects(NAME, function, native, case, plan, batch_note=note)
            yield from _columns(c_columns(native), function, case, plan)
        for function in plan.functions:
            yield from _python(self.module, function, case, plan)


def c_function(module: str, function: Function, sources: Mapping[str, str], real: str = "double") -> CFunction:
    """A generated function, with its batch function where the sources have one."""
    names = {"q": "q", "qd": "qd", "qdd": "last", "tau": "last"}
    arguments = [*(names[each.name] for each in function.inputs), *RESULTS[: len(function.outputs)]]
    first, second, third = [*(math.prod(each.shape) for each in function.outputs), 0, 0][:3]
    symbol, joined = f"{module}_{function.name}", ", ".join(arguments)
    batched = f"{module}_batch.h" in sources
    return CFunction(
        sources=sources,
        declarations=(f'#include "{module}_batch.h"' if batched else f'#include "{module}.h"',),
        call=(f"{symbol}({joined});",),
        batch=(f"{symbol}_batch(count, {joined});",) if batched else None,
        nq=function.inputs[0].shape[0],
        nv=function.outputs[0].shape[0],
        sizes=(first, second, third),
        real=real,
    )


def c_columns(native: CFunction) -> CFunction:
    """The same with batches whose arrays hold an entry's values for all states side by side."""
    if native.batch is None:
        return native
    start, _, rest = native.batch[0].partition("_batch(count, ")
    arguments = [f"{name}, 1, (ptrdiff_t)count" for name in rest.removesuffix(");").split(", ")]
    return replace(native, batch=(f"{start}_strided(count, {', '.join(arguments)});",))


def _columns(native: CFunction, function: str, case: Case, plan: Plan) -> Iterator[Contender]:
    """Batches in C over columns, on one thread."""
    driver = Driver(native)
    many = [_as_columns(driver.given(array)) for array in batch_of(case, function, plan)]
    made = driver.arrays(plan.batch)
    states = [_as_columns(driver.given(array)) for array in case.inputs(function)]

    def results() -> list[Floats]:
        found = driver.results(states, batched=True)
        return shaped(case, function, [np.ascontiguousarray(a.reshape(a.shape[::-1]).T) for a in found])

    yield Contender(
        NAME,
        function,
        COLUMNS,
        lambda start, calls: driver.run_batch(1, calls, many, made),
        results,
        states=plan.batch,
        threads=1,
        note="an entry's values for all states side by side",
        tolerance=plan.tolerance,
    )


def _as_columns(array: Floats) -> Floats:
    """An array (states, n) whose memory is that of (n, states)."""
    return np.ascontiguousarray(array.T).reshape(array.shape)


def _python(module: DynamicsModule, name: str, case: Case, plan: Plan) -> Iterator[Contender]:
    function = module.functions[name]
    calls = rows(case, name)
    yield Contender(NAME, name, PYTHON, python_runner(function, calls), lambda: called(function, calls))
    many = batch_of(case, name, plan)[: len(case.arguments(name))]
    made = [np.zeros((plan.batch, size)) for size in sizes(case, name) if size]
    results = shaped(case, name, made)
    target = tuple(results) if len(results) > 1 else results[0]  # is there before, as in C and in CasADi's map
    for threads in plan.threads:
        run = batch_runner(lambda: function(*many, out=target), threads=threads)

        def with_threads(start: int, count: int, threads: int = threads, run: Runner = run) -> float:
            before = get_threads()
            set_threads(threads)
            try:
                return run(start, count)
            finally:
                set_threads(before)

        yield Contender(
            NAME,
            name,
            PYTHON_BATCH,
            with_threads,
            lambda: _batched(function, case, name),
            states=plan.batch,
            threads=threads,
            note="NumPy arrays, a row for each state, out= given",
        )


def _batched(function: Callable[..., object], case: Case, name: str) -> list[Any]:
    results = function(*case.arguments(name))
    return [np.asarray(each) for each in (results if isinstance(results, tuple) else (results,))]
