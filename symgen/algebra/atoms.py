"""Atoms: the irrational numbers that exact constants are polynomials of, each known by its name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symgen.algebra.exact import Exact


LONGEST = 400
"""Names of atoms have the text of what they stand for, if it is not longer than this."""

ARCS = ("atan", "asin", "acos")
"""Kinds of atoms that are angles, given by their tangent, sine or cosine."""

KINDS = ("pi", "sqrt", "cos", "sin", *ARCS, "inverse", "value")
"""All kinds of atoms."""


@dataclass(frozen=True)
class Atom:
    """An irrational number that other constants are polynomials of.

    `kind` is "pi", "sqrt" (of the integer `radicand`), "cos" or "sin" (of `argument`, in radians), "atan",
    "asin" or "acos" (an angle between 0 and π/2), "inverse" or "value" (of `argument`).
    """

    kind: str
    radicand: int = 0
    argument: Exact | None = None

    @cached_property
    def name(self) -> str:
        """The text that identifies the atom; equal atoms have equal names.

        Names of atoms that stand for long constants have a digest of these: they hold such atoms themselves, and their
        texts would grow exponentially along a robot.
        """
        if self.kind == "pi":
            return "pi"
        text = str(self.radicand if self.kind == "sqrt" else self.argument)
        if len(text) > LONGEST and self.kind in ("inverse", "value"):
            text = sha256(text.encode()).hexdigest()
        return f"{self.kind}({text})"


_atoms: dict[str, Atom] = {}


def atom_named(name: str) -> Atom:
    """The atom of that name; every atom that occurs in a constant is known here."""
    return _atoms[name]


def register(atom: Atom) -> str:
    """The name of an atom, by which constants know it from now on."""
    _atoms.setdefault(atom.name, atom)
    return atom.name
