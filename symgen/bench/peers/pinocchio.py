"""Pinocchio: its C++ from the wheel's prebuilt library, and its Python bindings."""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from symgen.bench.cases import FUNCTIONS, TIMED, Case
from symgen.bench.harness import BATCH, PYTHON, SINGLE, Contender, python_runner
from symgen.bench.native import Floats, pointer
from symgen.bench.peers import pinocchio_loops
from symgen.bench.peers.peer import CHECKED, Peer, Plan, called, rows, shaped, sizes
from symgen.bench.peers.pinocchio_model import cxx_missing as cxx_missing
from symgen.bench.peers.pinocchio_model import driver, joint_numbers, model_of
from symgen.errors import EnvironmentFault

NAME = "pinocchio"

_ALGORITHMS = {
    "inverse_dynamics": "rnea",
    "inertia_matrix": "crba",
    "forward_dynamics": "aba",
    "inverse_dynamics_derivatives": "computeRNEADerivatives",
    "forward_dynamics_derivatives": "computeABADerivatives",
}


def missing() -> str | None:
    """Why there is nothing to time, if so."""
    if importlib.util.find_spec("pinocchio") is None:
        return "pinocchio is not installed: pip install 'symgen[bench]'"
    return None


def contenders(case: Case, plan: Plan, progress: Callable[[str], None]) -> Iterator[Contender]:
    """Calls of its C++, if that can be compiled, and of its Python."""
    if case.robot.has_loops:
        compiled = cxx_missing() is None
        yield from pinocchio_loops.contenders(NAME, case, plan, progress, compiled=compiled)
        return
    if cxx_missing() is None:
        progress("compiling Pinocchio's C++: a few minutes the first time")
        library = driver("pinocchio")
        library.peer_make.restype = ctypes.c_void_p
        library.peer_run.restype = ctypes.c_double
        for function in plan.functions:
            yield from _cxx(library, function, case, plan)
    yield from _python(case, plan)


# C++ -----------------------------------------------------------------------------------------------


class _Model:
    """A robot with states in C++, freed with this object."""

    def __init__(self, library: ctypes.CDLL, case: Case, states: Sequence[Floats]) -> None:
        arrays = [np.ascontiguousarray(each) for each in (joint_numbers(case.joints), case.gravity, *states)]
        numbers, gravity, *rest = map(pointer, arrays)
        joints, count = ctypes.c_long(len(case.joints)), ctypes.c_long(len(states[0]))
        self._library = library
        self._handle = ctypes.c_void_p(library.peer_make(joints, numbers, gravity, count, *rest))
        if not self._handle:
            raise EnvironmentFault(f"Pinocchio's C++ does not take {case.robot.name}")

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.peer_free(self._handle)

    def results(self, case: Case, function: str) -> list[Floats]:
        """The results at the first states."""
        made = [np.zeros((CHECKED, max(size, 1))) for size in sizes(case, function)]
        for k in range(CHECKED):
            outputs = [pointer(array[k]) for array in made]
            self._library.peer_results(self._handle, FUNCTIONS.index(function), ctypes.c_long(k), *outputs)
        used = [array for array, size in zip(made, sizes(case, function), strict=True) if size]
        return shaped(case, function, used)

    def run(self, function: str, threads: int, start: int, calls: int) -> float:
        """Nanoseconds of calls, one state after the other; of several threads, each does its share of the calls."""
        numbers = (ctypes.c_long(threads), ctypes.c_long(start), ctypes.c_long(calls))
        return float(self._library.peer_run(self._handle, FUNCTIONS.index(function), *numbers))


def _cxx(library: ctypes.CDLL, function: str, case: Case, plan: Plan) -> Iterator[Contender]:
    model = _Model(library, case, (case.q, case.qd, case.qdd, case.tau))
    upper = TIMED[function].symmetric
    algorithm = _ALGORITHMS[function]

    def results() -> list[Floats]:
        return model.results(case, function)

    def run(start: int, calls: int) -> float:
        return model.run(function, 1, start, calls)

    note = f"{algorithm} of the wheel's library"
    yield Contender(NAME, function, SINGLE, run, results, note=note, upper=upper)
    for threads in plan.threads:

        def run_batch(start: int, calls: int, threads: int = threads) -> float:
            return model.run(function, threads, 0, calls * plan.batch)

        label = f"a loop over {algorithm}"
        yield Contender(
            NAME, function, BATCH, run_batch, results, states=plan.batch, threads=threads, note=label, upper=upper
        )


# Python --------------------------------------------------------------------------------------------


def _python(case: Case, plan: Plan) -> Iterator[Contender]:
    import pinocchio as pin

    model = model_of(case.joints, case.gravity)
    data = model.createData()
    for function in plan.functions:
        algorithm = getattr(pin, _ALGORITHMS[function])
        calls = rows(case, function, model, data)
        yield Contender(
            NAME,
            function,
            PYTHON,
            python_runner(algorithm, calls),
            _python_results(algorithm, function, calls),
            note=f"pin.{_ALGORITHMS[function]}",
            upper=TIMED[function].symmetric,
        )


def _python_results(
    algorithm: Callable[..., object], function: str, calls: Sequence[tuple[object, ...]]
) -> Callable[[], list[Floats]]:
    """The results at the first states; of derivatives, those that symgen has too."""

    def copied(*arguments: object) -> object:
        found = algorithm(*arguments)
        if isinstance(found, tuple):
            return tuple(np.array(each) for each in found[: len(TIMED[function].ranks)])
        return np.array(found)

    return lambda: called(copied, calls)


PEER = Peer(
    NAME,
    "C++ of the wheel's prebuilt library (crba and aba in its WORLD convention; of the inertia matrix the upper "
    "triangle), and its Python",
    missing,
    contenders,
    free=True,
    loops=True,
)
