"""CasADi: C that it generates from plain recursions over casadi.SX, its map over a batch, and its Python."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from symgen.bench.cases import TIMED, Case
from symgen.bench.harness import PYTHON, PYTHON_BATCH, Contender, batch_runner, python_runner
from symgen.bench.native import RESULTS, CFunction, Floats, library
from symgen.bench.peers import casadi_templates
from symgen.bench.peers.peer import CHECKED, Peer, Plan, batch_of, c_subjects, called, rows, shaped, sizes

NAME = "casadi"

LARGEST = 160_000
"""Operations beyond which C compilers take more than two minutes: such functions are left out, with a notice."""


def missing() -> str | None:
    """Why there is nothing to time, if so."""
    return None if importlib.util.find_spec("casadi") else "casadi is not installed: pip install 'symgen[bench]'"


def contenders(case: Case, plan: Plan, progress: Callable[[str], None]) -> Iterator[Contender]:
    """Calls and batches of its C, then of its Python."""
    for function in plan.functions:
        progress(f"CasADi's {function}")
        made = native(case, function, plan.real, progress)
        if made is not None:
            yield from c_subjects(NAME, function, made, case, plan, batch_note="a loop over the single call")
            if not plan.is_single:
                yield from _python(function, made, case, plan)


def native(
    case: Case, function: str, real: str = "float64", progress: Callable[[str], None] = lambda text: None
) -> CFunction | None:
    """A function in the form the driver calls it; None if it is too large."""
    expression = sx_function(case, function, progress)
    size = expression.n_instructions()
    progress(f"CasADi's {function} has {size} operations")
    return c_function(case, function, expression, real) if size <= LARGEST else None


def sx_function(case: Case, function: str, progress: Callable[[str], None] = lambda text: None) -> Any:
    """A function of q, q̇ and q̈ or τ (of the inertia matrix, q alone), dense, its common parts shared.

    Of robots with free joints it is what Pinocchio's templates make.
    """
    import casadi

    from symgen.bench.peers import casadi_dynamics as dynamics

    if case.has_free_joints:
        whole = casadi_templates.sx_function(case, function, progress)
        inputs = whole.sx_in()
        return casadi.Function(function, inputs, casadi.cse(_results(whole, inputs)))
    n = len(case.joints)
    q, qd, last = (casadi.SX.sym(name, n) for name in ("q", "qd", "last"))
    inputs = [q, qd, last][: len(TIMED[function].arguments)]
    if len(TIMED[function].ranks) > 1:
        result = getattr(dynamics, function.removesuffix("_derivatives"))(case, *inputs)
        # CasADi stores matrices by columns; transposed, they lie in memory as symgen's do.
        outputs = [casadi.jacobian(result, by).T for by in (q, qd, last)[: len(TIMED[function].ranks)]]
    else:
        outputs = [getattr(dynamics, function)(case, *inputs)]
    return casadi.Function(function, inputs, [casadi.densify(each) for each in casadi.cse(outputs)])


def _results(whole: Any, inputs: list[Any]) -> list[Any]:
    """A function's results in its inputs, written out."""
    found = whole.call(inputs, True, False)
    return list(found)


def c_function(case: Case, function: str, expression: Any, real_type: str = "float64") -> CFunction:
    """The C that CasADi generates of an expression, in the form the driver calls it."""
    real, integer = "float" if real_type == "float32" else "double", "long long int"
    text = c_text(expression, real)
    pointers = ["q", "qd", "last"][: len(TIMED[function].arguments)]
    results = RESULTS[: len(TIMED[function].ranks)]
    return CFunction(
        sources={"casadi_function.c": text},
        declarations=(
            f"int {function}(const {real} **arg, {real} **res, {integer} *iw, {real} *w, int mem);",
            f"enum {{ ARGUMENTS = {expression.sz_arg()}, RESULTS = {expression.sz_res()} }};",
        ),
        call=(
            f"const {real} *arg[ARGUMENTS] = {{{', '.join(pointers)}}};",
            f"{real} *res[RESULTS] = {{{', '.join(results)}}};",
            f"{integer} iw[{max(expression.sz_iw(), 1)}];",
            f"{real} w[{max(expression.sz_w(), 1)}];",
            f"{function}(arg, res, iw, w, 0);",
        ),
        batch=None,
        nq=case.robot.nq,
        nv=case.robot.nv,
        sizes=sizes(case, function),
        real=real,
    )


def c_text(expression: Any, real: str) -> str:
    """The generated C; CasADi writes files into the present directory only."""
    with tempfile.TemporaryDirectory(prefix="symgen-") as directory:
        before = Path.cwd()
        try:
            os.chdir(directory)
            expression.generate("casadi_function.c", {"casadi_real": real})
        finally:
            os.chdir(before)
        return Path(directory, "casadi_function.c").read_text(encoding="utf-8")


# Python --------------------------------------------------------------------------------------------


def _python(function: str, native: CFunction, case: Case, plan: Plan) -> Iterator[Contender]:
    import casadi

    compiled = casadi.external(function, str(library(f"lib{function}", native.sources)))
    calls = rows(case, function)

    def single(*arguments: object) -> object:
        found = compiled(*arguments)
        return tuple(map(_transposed, found)) if isinstance(found, tuple) else _transposed(found)

    def results() -> list[Floats]:
        return shaped(case, function, [each.reshape(CHECKED, -1) for each in called(single, calls)])

    yield Contender(
        NAME, function, PYTHON, python_runner(compiled, calls), results, note="the compiled function, called by name"
    )
    for threads in plan.threads:
        batch = _Map(compiled, case, function, plan, threads)
        yield Contender(
            NAME,
            function,
            PYTHON_BATCH,
            batch_runner(batch.call, threads=threads),
            batch.results,
            states=plan.batch,
            threads=threads,
            note="Function.map over the compiled function, on NumPy's memory",
        )


def _transposed(matrix: Any) -> Floats:
    return np.array(matrix).T


class _Map:
    """CasADi's map of a compiled function over a batch, through its buffers, which read and write NumPy's memory."""

    def __init__(self, compiled: Any, case: Case, function: str, plan: Plan, threads: int) -> None:
        mapped = compiled.map(plan.batch) if threads == 1 else compiled.map(plan.batch, "thread", threads)
        self._case, self._function = case, function
        self._inputs = batch_of(case, function, plan)[: len(case.arguments(function))]
        self._outputs = [np.zeros((plan.batch, size)) for size in sizes(case, function) if size]
        self._buffer, self.call = mapped.buffer()
        for k, array in enumerate(self._inputs):
            self._buffer.set_arg(k, array.ravel().data)
        for k, array in enumerate(self._outputs):
            self._buffer.set_res(k, array.ravel().data)

    def results(self) -> list[Floats]:
        """The results at the case's states, as far as the batch goes."""
        self.call()
        return shaped(self._case, self._function, [array[: len(self._case.q)] for array in self._outputs])


PEER = Peer(
    NAME,
    "C generated from plain recursions in link frames over casadi.SX, at inverse dynamics 10 to 15 % quicker than what "
    "CasADi makes of Pinocchio's templates, and casadi.jacobian of these; of robots with free joints, Pinocchio's "
    "templates, for derivatives too; compiled with symgen's flags; in Python, the compiled function and its map",
    missing,
    contenders,
    lacks=f"its C would have more than {LARGEST} operations, on which compilers spend minutes",
    free=True,
    single=True,
    free_missing=casadi_templates.missing,
)
