"""Pinocchio: its C++ from the wheel's prebuilt library, and its Python bindings."""

from __future__ import annotations

import ctypes
import importlib.util
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from symgen.bench.cases import FUNCTIONS, TIMED, Case
from symgen.bench.harness import BATCH, PYTHON, SINGLE, Contender, python_runner
from symgen.bench.native import Floats, cxx_library, find_cxx, pointer
from symgen.bench.peers.peer import CHECKED, Peer, Plan, called, rows, shaped, sizes
from symgen.emit.environment import render
from symgen.errors import EnvironmentFault

NAME = "pinocchio"

_ALGORITHMS = {
    "inverse_dynamics": "rnea",
    "inertia_matrix": "crba",
    "forward_dynamics": "aba",
    "inverse_dynamics_derivatives": "computeRNEADerivatives",
}

# -march=native would change the layout of Eigen's types, and with it that of the library's.
_FLAGS = ("-std=c++17", "-O2", "-fPIC", "-w", "-DNDEBUG", "-DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION")

# As the library was built: with less, Boost's lists are too short for its joints.
_BOOST = (
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)


_KINDS = {"spherical": 3, "floating": 6}
"""Free joints in the numbers that the driver reads; 0 slides, 1 turns."""


def missing() -> str | None:
    """Why there is nothing to time, if so."""
    if importlib.util.find_spec("pinocchio") is None:
        return "pinocchio is not installed: pip install 'symgen[bench]'"
    return None


def cxx_missing() -> str | None:
    """Why only its Python is timed, if so."""
    if not (_prefix() / "include/pinocchio/multibody.hpp").is_file():
        return "pinocchio's C++ is left out: this build of it has no headers; that of PyPI (pip install pin) has"
    if _eigen() is None:
        return "pinocchio's C++ is left out: there are no headers of Eigen: pip install 'symgen[bench]'"
    try:
        find_cxx()
    except EnvironmentFault as error:
        return f"pinocchio's C++ is left out: {error}"
    return None


def contenders(case: Case, plan: Plan, progress: Callable[[str], None]) -> Iterator[Contender]:
    """Calls of its C++, if that can be compiled, and of its Python."""
    if cxx_missing() is None:
        progress("compiling Pinocchio's C++: a few minutes the first time")
        library = _library()
        for function in plan.functions:
            yield from _cxx(library, function, case, plan)
    yield from _python(case, plan)


# C++ -----------------------------------------------------------------------------------------------


def _prefix() -> Path:
    """Where the wheel puts what is not Python."""
    return Path(sysconfig.get_path("purelib"), "cmeel.prefix")


def _eigen() -> Path | None:
    """The directory of Eigen's headers: of a wheel, of the system, or those that come with CasADi."""
    found = importlib.util.find_spec("casadi")
    casadi = [Path(place, "include/eigen3") for place in (found.submodule_search_locations or ())] if found else []
    places = [_prefix() / "include/eigen3", Path("/usr/include/eigen3"), Path("/usr/local/include/eigen3"), *casadi]
    return next((place for place in places if (place / "Eigen/Core").is_file()), None)


def _library() -> ctypes.CDLL:
    """The driver, which does not depend on the robot: it is compiled once."""
    lib = _prefix() / "lib"
    includes = (f"-isystem{_eigen()}", f"-isystem{_prefix() / 'include'}")
    identity = {"pinocchio": metadata.version("libpinocchio")}
    path = cxx_library(
        "pinocchio_driver",
        render("bench/pinocchio.cpp"),
        (*_FLAGS, *_BOOST, *includes),
        (f"-L{lib}", "-lpinocchio_default", f"-Wl,-rpath,{lib}", "-pthread"),
        identity,
    )
    library = ctypes.CDLL(str(path))
    library.peer_make.restype = ctypes.c_void_p
    library.peer_run.restype = ctypes.c_double
    return library


class _Model:
    """A robot with states in C++, freed with this object."""

    def __init__(self, library: ctypes.CDLL, case: Case, states: Sequence[Floats]) -> None:
        arrays = [np.ascontiguousarray(each) for each in (_numbers(case), case.gravity, *states)]
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
        used = made[: 2 if sizes(case, function)[1] else 1]
        return shaped(case, function, used)

    def run(self, function: str, threads: int, start: int, calls: int) -> float:
        """Nanoseconds of calls, one state after the other; of several threads, each does its share of the calls."""
        numbers = (ctypes.c_long(threads), ctypes.c_long(start), ctypes.c_long(calls))
        return float(self._library.peer_run(self._handle, FUNCTIONS.index(function), *numbers))


def _numbers(case: Case) -> Floats:
    """The joints as the driver reads them, a row each; Pinocchio's joint 0 is the base."""
    return np.array(
        [
            [
                j.parent + 1,
                _KINDS.get(j.free, j.turns),
                *j.rotation.ravel(),
                *j.place,
                j.mass,
                *j.com,
                *j.tensor.ravel(),
            ]
            for j in case.joints
        ],
        dtype=float,
    )


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


def python_model(case: Case) -> Any:
    """The robot as a model of Pinocchio's Python."""
    import pinocchio as pin

    model = pin.Model()
    for index, joint in enumerate(case.joints):
        turning = pin.JointModelRZ() if joint.turns else pin.JointModelPZ()
        free = {"floating": pin.JointModelFreeFlyer, "spherical": pin.JointModelSpherical}
        kind = free[joint.free]() if joint.free else turning
        place = pin.SE3(joint.rotation, joint.place)
        made = model.addJoint(joint.parent + 1, kind, place, f"joint{index + 1}")
        model.appendBodyToJoint(made, pin.Inertia(joint.mass, joint.com, joint.tensor), pin.SE3.Identity())
    model.gravity.linear = case.gravity
    return model


def _python(case: Case, plan: Plan) -> Iterator[Contender]:
    import pinocchio as pin

    model = python_model(case)
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
    """The results at the first states; of the derivatives, the two that symgen has too."""

    def copied(*arguments: object) -> object:
        found = algorithm(*arguments)
        if isinstance(found, tuple):
            return tuple(np.array(each) for each in found[:2])
        return np.array(found)

    return lambda: called(copied, calls)


PEER = Peer(
    NAME,
    "C++ of the wheel's prebuilt library (crba and aba in its WORLD convention; of the inertia matrix the upper "
    "triangle), and its Python",
    missing,
    contenders,
    free=True,
)
