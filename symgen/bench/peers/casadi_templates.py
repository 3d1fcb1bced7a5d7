"""CasADi's functions of Pinocchio's templates over casadi::SX, as pinocchio.casadi has them, which wheels lack.

A driver of C++ makes them, and they go through files. It knows joints of all kinds that the model has, free ones too.
"""

from __future__ import annotations

import ctypes
import importlib.util
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symgen.bench.cases import FUNCTIONS, Case
from symgen.bench.native import pointer
from symgen.bench.peers.pinocchio_model import cxx_missing, joint_numbers, symbolic_driver
from symgen.errors import EnvironmentFault


def missing() -> str | None:
    """Why there are none, if so."""
    if importlib.util.find_spec("pinocchio") is None:
        return "casadi is timed of robots without free joints alone: its functions of others are Pinocchio's"
    if not (_casadi() / "include/casadi/casadi.hpp").is_file():
        return "casadi is timed of robots without free joints alone: this build of it has no headers; that of PyPI has"
    reason = cxx_missing()
    return reason and reason.replace("pinocchio's C++ is left out", "casadi's free joints are left out")


def _casadi() -> Path:
    found = importlib.util.find_spec("casadi")
    return Path((found.submodule_search_locations or [""])[0] if found else "")


def sx_function(case: Case, function: str, progress: Callable[[str], None]) -> Any:
    """A function of q, q̇ and q̈ or τ (of the inertia matrix, q alone), as its template writes it, results by rows."""
    import casadi

    progress("compiling Pinocchio's templates over casadi::SX: a minute the first time")
    library = symbolic_driver(_casadi())
    library.peer_save.restype = ctypes.c_long
    with tempfile.TemporaryDirectory(prefix="symgen-") as directory:
        path = Path(directory, "function.casadi")
        numbers = joint_numbers(case.joints)
        size = library.peer_save(
            ctypes.c_long(len(case.joints)),
            pointer(numbers),
            pointer(case.gravity),
            FUNCTIONS.index(function),
            str(path).encode(),
        )
        if size < 0:
            raise EnvironmentFault(f"Pinocchio's templates over casadi::SX do not take {case.robot.name}")
        return casadi.Function.load(str(path))
