"""symgen: equations of motion and fast dynamics code for robots.

>>> import symgen
>>> puma = symgen.generate("puma")
>>> puma.inverse_dynamics([0] * 6, [0] * 6, [0] * 6).shape
(6,)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from symgen.version import __version__

if TYPE_CHECKING:
    from symgen.api import operation_counts
    from symgen.build.threads import get_threads, set_threads
    from symgen.derive.inertial_parameters import base_parameters
    from symgen.derive.options import Options
    from symgen.errors import SymgenError
    from symgen.formulas.closed_form import closed_form
    from symgen.generation.chains import chains
    from symgen.generation.corridor import generate
    from symgen.robot.library import chain, load
    from symgen.runtime import distributed
    from symgen.runtime.module import DynamicsModule
    from symgen.simulation.closing import Complement, Penalty
    from symgen.simulation.simulator import simulate
    from symgen.simulation.trajectory import cycloid, follow

__all__ = [
    "Complement",
    "DynamicsModule",
    "Options",
    "Penalty",
    "SymgenError",
    "__version__",
    "base_parameters",
    "chain",
    "chains",
    "closed_form",
    "cycloid",
    "distributed",
    "follow",
    "generate",
    "get_threads",
    "load",
    "operation_counts",
    "set_threads",
    "simulate",
]


_HOMES = {
    "Complement": "symgen.simulation.closing",
    "DynamicsModule": "symgen.runtime.module",
    "Options": "symgen.derive.options",
    "Penalty": "symgen.simulation.closing",
    "SymgenError": "symgen.errors",
    "base_parameters": "symgen.derive.inertial_parameters",
    "chain": "symgen.robot.library",
    "chains": "symgen.generation.chains",
    "closed_form": "symgen.formulas.closed_form",
    "cycloid": "symgen.simulation.trajectory",
    "follow": "symgen.simulation.trajectory",
    "generate": "symgen.generation.corridor",
    "get_threads": "symgen.build.threads",
    "load": "symgen.robot.library",
    "operation_counts": "symgen.api",
    "set_threads": "symgen.build.threads",
    "simulate": "symgen.simulation.simulator",
}
"""Public name → the module it is loaded from when it is first used, so that each costs only what it needs."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name == "distributed":
        return importlib.import_module("symgen.runtime.distributed")
    raise AttributeError(f"module 'symgen' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
