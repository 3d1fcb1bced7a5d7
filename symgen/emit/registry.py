"""The target languages: each is a folder here and one among the templates, with an object `LANGUAGE`.

The names alone are here, so that asking for them loads no emitter.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symgen.emit.language import Language

TITLES = {
    "c": "C",
    "python": "Python",
    "js": "JavaScript",
    "cuda": "CUDA",
    "rust": "Rust",
    "cpp": "C++",
    "casadi": "CasADi",
    "jax": "JAX",
    "torch": "PyTorch",
    "matlab": "MATLAB",
}
"""Language → its name for people."""

LANGUAGES = tuple(TITLES)
"""The names of all languages."""

USUAL = ("c", "python")
"""Those that are written unless others are asked for: the module runs on them."""


@cache
def language(name: str) -> Language:
    """The language of that name, which must be one of `LANGUAGES`."""
    found: Language = import_module(f"symgen.emit.{name}").LANGUAGE
    return found
