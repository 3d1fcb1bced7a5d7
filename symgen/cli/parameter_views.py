"""What run-time parameters ask for: the size of the parameter struct and of the constants, and what init costs."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType

from symgen.display.tables import new_table
from symgen.program.counts import Counts, count
from symgen.program.module import Module

_BYTES = {"float64": 8, "float32": 4}


def parameters_summary(module: Module) -> dict[str, Any]:
    """Names, numbers and bytes of the parameters and constants, and the operations of init."""
    size = _BYTES[module.real]
    return {
        "real": module.real,
        "names": [parameter.name for parameter in module.parameters],
        "parameters": len(module.parameters),
        "parameters_bytes": size * len(module.parameters),
        "constants": module.constants_size,
        "constants_bytes": size * module.constants_size,
        "init": _init(module).as_dict(),
    }


def parameters_table(module: Module) -> RenderableType:
    """Sizes of the two structs, and init's operations."""
    size = _BYTES[module.real]
    table = new_table(f"{module.name}: run-time parameters ({module.real})", "", "numbers", "bytes", "operations")
    numbers = len(module.parameters)
    table.add_row("parameters", str(numbers), str(size * numbers), "")
    constants = module.constants_size
    table.add_row("constants, made of them by init", str(constants), str(size * constants), str(_init(module)))
    return table


def _init(module: Module) -> Counts:
    return count(module.init) if module.init is not None else Counts()
