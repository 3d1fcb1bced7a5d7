"""What the generators of the polynomial ring stand for, and the SymPy expressions they are shown as."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symgen.algebra.exact import ZERO, Exact, atom_named
from symgen.algebra.monomials import UNIT

if TYPE_CHECKING:
    import sympy

PARAMETER, VARIABLE, COS, SIN, CONSTANT, DEFINITION, RECIPROCAL, FUNCTION = (
    "parameter",
    "variable",
    "cos",
    "sin",
    "constant",
    "definition",
    "reciprocal",
    "function",
)
"""Kinds of generators."""


@dataclass(frozen=True)
class Angle:
    """An angle (rad): a combination of joint positions (indices) and parameters (names), plus a constant.

    The factors are rational for joint positions, integers for parameters.
    """

    joints: tuple[tuple[int, Fraction | int], ...] = ()
    parameters: tuple[tuple[str, int], ...] = ()
    constant: Exact = ZERO

    def __add__(self, other: Angle) -> Angle:
        return Angle(
            _sum(self.joints, other.joints), _sum(self.parameters, other.parameters), self.constant + other.constant
        )

    def times(self, factor: int) -> Angle:
        """factor · self."""
        if factor == 1:
            return self
        return Angle(
            tuple((joint, k * factor) for joint, k in self.joints if factor),
            tuple((name, k * factor) for name, k in self.parameters if factor),
            self.constant * factor,
        )

    @property
    def leading(self) -> Fraction | int:
        """The first coefficient: its sign tells an angle from its negative."""
        if self.joints or self.parameters:
            return (*self.joints, *self.parameters)[0][1]
        return self.constant.leading_sign

    def sympy(self) -> sympy.Expr:
        """The angle as a SymPy expression in q1, q2, … and the parameters."""
        total = constant_sympy(self.constant)
        for joint, factor in self.joints:
            total += factor * real(f"q{joint + 1}")
        for name, factor in self.parameters:
            total += factor * real(name)
        return total


def _sum(a: tuple[tuple[Any, Any], ...], b: tuple[tuple[Any, Any], ...]) -> tuple[tuple[Any, Any], ...]:
    total = dict(a)
    for key, factor in b:
        total[key] = total.get(key, 0) + factor
    return tuple(sorted((key, factor) for key, factor in total.items() if factor))


@dataclass(frozen=True)
class Generator:
    """A generator of the ring.

    `name` is that of a parameter, an input array (with `index`), an atom of exact constants, a definition, a function
    (of `argument`, a ring element), or of the generator whose reciprocal this is (with that generator as `argument`).
    """

    kind: str
    name: str = ""
    index: int = 0
    angle: Angle = Angle()
    argument: Any = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells generators of one ring apart."""
        argument = self.argument.key if self.kind in (RECIPROCAL, FUNCTION) else None
        return self.kind, self.name, self.index, self.angle, argument

    def sympy(self) -> sympy.Expr:
        """The generator as a SymPy expression; symbols are real."""
        import sympy

        if self.kind in (PARAMETER, DEFINITION):
            return real(self.name)
        if self.kind == VARIABLE:
            return real(f"{self.name}{self.index + 1}")
        if self.kind in (COS, SIN):
            return (sympy.cos if self.kind == COS else sympy.sin)(self.angle.sympy())
        if self.kind == CONSTANT:
            return atom_sympy(self.name)
        if self.kind == RECIPROCAL:
            return 1 / self.argument.sympy()
        return getattr(sympy, self.name)(self.argument.sympy())


def real(name: str) -> sympy.Symbol:
    """The real symbol of that name."""
    import sympy

    return sympy.Symbol(name, real=True)


def atom_sympy(name: str) -> sympy.Expr:
    """An atom of exact constants as a SymPy expression."""
    import sympy

    atom = atom_named(name)
    if atom.kind == "pi":
        return sympy.pi
    if atom.kind == "sqrt":
        return sympy.sqrt(atom.radicand)
    assert atom.argument is not None
    argument = constant_sympy(atom.argument)
    if atom.kind == "inverse":
        return 1 / argument
    return argument if atom.kind == "value" else getattr(sympy, atom.kind)(argument)


def constant_sympy(value: Exact) -> sympy.Expr:
    """An exact constant as a SymPy expression."""
    import sympy

    total = sympy.Integer(0)
    for monomial, coefficient in value.sorted_terms():
        term = sympy.Rational(coefficient.numerator, coefficient.denominator)
        if monomial != UNIT:
            for name, exponent in monomial:
                term *= atom_sympy(name) ** exponent
        total += term
    return total
