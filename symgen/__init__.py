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
    from symgen import distributed
    from symgen.api import (
        DynamicsModule,
        Options,
        base_parameters,
        closed_form,
        cycloid,
        follow,
        generate,
        get_threads,
        load,
        operation_counts,
        set_threads,
        simulate,
    )
    from symgen.errors import SymgenError
    from symgen.robot.library import chain

__all__ = [
    "DynamicsModule",
    "Options",
    "SymgenError",
    "__version__",
    "base_parameters",
    "chain",
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


def __getattr__(name: str) -> Any:
    """Public names load the corridor when they are first used, so that importing symgen stays quick."""
    if name == "distributed":
        return importlib.import_module("symgen.distributed")
    if name in __all__:
        from symgen import api, errors
        from symgen.robot import library

        homes = {"SymgenError": errors, "chain": library}
        return getattr(homes.get(name, api), name)
    raise AttributeError(f"module 'symgen' has no attribute {name!r}")
