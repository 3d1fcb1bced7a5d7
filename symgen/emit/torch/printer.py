"""How PyTorch code writes programs: straight lines on rows, which are tensors with an entry for every state."""

from __future__ import annotations

from types import MappingProxyType

from symgen.emit.printer import NAMES
from symgen.emit.python.printer import WORDS as PYTHON_WORDS
from symgen.emit.python.printer import PythonPrinter
from symgen.program.program import Op

WORDS = PYTHON_WORDS | {"torch"}
"""No variable or argument can be called so: reserved words, and what the module's functions use."""


class TorchPrinter(PythonPrinter):
    """Writes the code of functions; numbers are Python's, which change neither the type nor the device of tensors."""

    words = WORDS
    functions = MappingProxyType(
        {op: f"torch.{name}" for op, name in NAMES.items()} | {Op.SIGN: "_sign", Op.NONZERO: "_nonzero"}
    )
