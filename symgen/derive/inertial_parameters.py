"""Base inertial parameters of a robot: what of its inertia can be told from joint forces, and how much of it there is.

Inertial parameters are those about the origins of frames that lie on the joint axes (z): for a modified table the
links' own frames, for a standard one each frame before a row, turned or slid by the joint. A link stands for all that
is fixed to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from symgen.algebra.ring import Ring, RingElement
from symgen.display.markup import Grid, paragraph
from symgen.formulas.writing.alphabet import Alphabet
from symgen.formulas.writing.collecting import formula
from symgen.formulas.writing.notation import Notation
from symgen.formulas.writing.printers import latex_style, text_style, written
from symgen.mechanics.grouping import STEMS, inertia_of, with_inertias
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.regressor import BASE_COLUMNS, Column, columns, parameter_values
from symgen.robot.library import load
from symgen.robot.model import Robot
from symgen.robot.symbolic import symbolic

if TYPE_CHECKING:
    import sympy

_WORDS = {"XX": "moment of inertia xx", "YY": "moment of inertia yy", "ZZ": "moment of inertia zz"}
_WORDS |= {"XY": "product of inertia xy", "XZ": "product of inertia xz", "YZ": "product of inertia yz"}
_WORDS |= {"MX": "first moment x", "MY": "first moment y", "MZ": "first moment z", "M": "mass"}

FRAMES_NOTE = (
    "Standard parameters are about the origins of frames on the joint axes (z) that move with the links: the links' "
    "own in a modified table, the frame before each row in a standard one. A link stands for all that is fixed to it."
)

BASE_NOTE = (
    "These are the base inertial parameters, about the origins of frames on the joint axes (z); a link stands for all "
    "that is fixed to it, and an R in a name marks one that stands for several. Any numbers will do, also ones that no "
    "robot has: joint forces of the links are linear in them, and depend on no other inertial parameters."
)
"""What is said of base parameters that are arguments."""

CONSTRAINT_NOTE = "Forces of constraint cannot be had from base parameters: they depend on the other parameters too."


def unit_of(stem: str) -> str:
    """The unit of an inertial parameter."""
    return "kg" if stem == "M" else "kg m" if stem.startswith("M") else "kg m^2"


@dataclass(frozen=True)
class InertialParameter:
    """An inertial parameter, standard or base, of link `number`.

    A base parameter that stands for more than the standard one of its stem has an R in its name. `value` is that of the
    robot's numbers, in `unit`. `definition` is exact, in the standard parameters and the lengths of the table.
    """

    name: str
    stem: str
    number: int
    value: float
    unit: str
    meaning: str
    _element: RingElement
    _notation: Notation

    @cached_property
    def definition(self) -> str:
        """The definition as text: XX2 - YY2, 0 for what only others would add to."""
        return written(formula(self._notation.alphabet, self._element), text_style(self._notation))

    @property
    def text(self) -> str:
        """Its meaning and, if it stands for more than itself, its definition."""
        return self.meaning if self.definition == self.name else f"{self.meaning}, {self.definition}"

    @cached_property
    def latex(self) -> str:
        """The definition in LaTeX."""
        return written(formula(self._notation.alphabet, self._element), latex_style(self._notation))

    @cached_property
    def expression(self) -> sympy.Expr:
        """The definition as a SymPy expression."""
        return formula(self._notation.alphabet, self._element).sympy(self._notation.sympy)

    def __repr__(self) -> str:
        definition = "" if self.definition == self.name else f" = {self.definition}"
        return f"{self.name}{definition} = {self.value:.6g} {self.unit}"


@dataclass(frozen=True, repr=False)
class InertialParameters:
    """Inertial parameters in the order of a regressor's columns; `without_effect`: names of the standard parameters
    that act on no joint."""

    robot: str
    parameters: tuple[InertialParameter, ...]
    without_effect: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def values(self) -> NDArray[np.float64]:
        """Values of the parameters, (p,), SI units."""
        return np.array([parameter.value for parameter in self.parameters])

    @property
    def grid(self) -> Grid:
        """The parameters as a table."""
        rows = tuple((p.name, p.meaning, p.definition, f"{p.value:.9g}", p.unit) for p in self)
        columns = ("parameter", "meaning", "definition", "value", "unit")
        return Grid(f"{self.robot}: {len(self)} base inertial parameters", columns, rows, words=3)

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said beside the table."""
        return f"Without effect: {', '.join(self.without_effect) or 'none'}.", FRAMES_NOTE, CONSTRAINT_NOTE

    def as_dict(self) -> dict[str, Any]:
        """Plain data for a program."""
        return {
            "robot": self.robot,
            "parameters": [
                {
                    "name": p.name,
                    "link": p.number,
                    "meaning": p.meaning,
                    "definition": p.definition,
                    "value": p.value,
                    "unit": p.unit,
                }
                for p in self
            ],
            "without_effect": list(self.without_effect),
            "notes": [FRAMES_NOTE, CONSTRAINT_NOTE],
        }

    def _repr_html_(self) -> str:
        return f"<div>{self.grid.html()}{paragraph(*self.notes)}</div>"

    def __iter__(self) -> Iterator[InertialParameter]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    def __getitem__(self, name: str) -> InertialParameter:
        """The parameter called `name`; `KeyError` if there is none."""
        return {parameter.name: parameter for parameter in self.parameters}[name]

    def __repr__(self) -> str:
        lines = [f"{self.robot}: {len(self)} inertial parameters", *map(repr, self.parameters)]
        return "\n".join([*lines, f"without effect: {', '.join(self.without_effect) or 'none'}"])


def base_parameters(robot: str | Path | Robot) -> InertialParameters:
    """The base inertial parameters of a robot: the fewest that its joint forces depend on.

    Each has a name, an exact definition in the standard parameters of the links, a value and a unit; `without_effect`
    names the standard parameters that act on no joint. The standard parameters are about the origins of frames on the
    joint axes, for any inertia of the links. Regrouping follows Khalil and Kleinfinger (1987) and Gautier and Khalil
    (1990). Joint forces depend on nothing else, but forces of constraint do: they cannot be had from base parameters.

    >>> base_parameters("planar2r")["MXR1"]
    MXR1 = MX1 + L1*M2 = 1.25 kg m
    """
    return inertial_parameters(load(robot))


def inertial_parameters(
    robot: Robot,
    kind: str = BASE_COLUMNS,
    *,
    symbols: Collection[str] = frozenset(),
    runtime_gravity: bool = False,
) -> InertialParameters:
    """The inertial parameters of `robot` that belong to the columns of its regressor of this kind.

    `symbols`: parameters of the robot that can have any value; with `runtime_gravity` gravity can have any direction.
    `LimitError` for a robot with cut joints.
    """
    letters = _letters(robot)
    numeric = _definitions(robot, kind, frozenset(symbols), letters, any_gravity=runtime_gravity)
    lengths = symbolic(robot)
    shown = _definitions(lengths.robot, kind, frozenset(lengths.names), letters, any_gravity=runtime_gravity)
    if shown.columns != numeric.columns:
        # Lengths that happen to be equal, or to add up to zero, let fewer parameters act.
        shown = numeric
    values = _values(robot, kind, shown.columns, any_gravity=runtime_gravity)
    made = [
        _parameter(shown, column, element, value)
        for column, element, value in zip(shown.columns, shown.elements, values, strict=True)
    ]
    return InertialParameters(robot.name, tuple(made), numeric.without_effect)


@dataclass(frozen=True)
class _Definitions:
    """The parameters of a regressor, each in the letters of the standard ones, over a ring."""

    mechanism: Mechanism
    notation: Notation
    columns: list[Column]
    elements: list[RingElement]
    letters: dict[str, str]

    @property
    def without_effect(self) -> tuple[str, ...]:
        """Standard parameters that none of the parameters holds."""
        generators = self.notation.alphabet.ring.generators
        present = {generators[index].name for element in self.elements for index in element.generators()}
        names = (f"{stem}{body.number}" for body in self.mechanism.bodies if not body.is_between for stem in STEMS)
        return tuple(name for name in names if self.letters[name] not in present)


def _letters(robot: Robot) -> dict[str, str]:
    """Standard parameter → its letter: its name, or with an underscore where the robot has such a parameter."""
    names = [f"{stem}{number + 1}" for number in range(len(robot.links)) for stem in STEMS]
    taken = set(symbolic(robot).robot.defaults)
    return {name: f"{name}_" if name in taken else name for name in names}


def _definitions(
    robot: Robot, kind: str, symbols: frozenset[str], letters: dict[str, str], *, any_gravity: bool
) -> _Definitions:
    ring = Ring()
    mechanism = instantiate(robot, ring, symbolic=symbols, runtime_gravity=any_gravity)
    general = [
        body.inertia
        if body.is_between
        else inertia_of(ring, {stem: ring.parameter(letters[f"{stem}{body.number}"]) for stem in STEMS})
        for body in mechanism.bodies
    ]
    mechanism = with_inertias(mechanism, general)
    alphabet = Alphabet(ring, inertial=letters.values())
    elements = parameter_values(mechanism, kind)
    return _Definitions(mechanism, Notation(alphabet, robot.nv), columns(mechanism, kind), elements, letters)


def _values(robot: Robot, kind: str, wanted: list[Column], *, any_gravity: bool) -> list[float]:
    """The values that the robot's numbers give."""
    ring = Ring()
    mechanism = instantiate(robot, ring, runtime_gravity=any_gravity)
    known = dict(zip(columns(mechanism, kind), parameter_values(mechanism, kind), strict=True))
    exact = [ring.exact(known.get(column, ring.constant(0))) for column in wanted]
    return [0.0 if value is None else float(value) for value in exact]


def _parameter(shown: _Definitions, column: Column, element: RingElement, value: float) -> InertialParameter:
    index, stem = column
    number = shown.mechanism.bodies[index].number
    own = shown.letters[f"{stem}{number}"]
    generators = shown.notation.alphabet.ring.generators
    is_own = element.summands == 1 and [generators[i].name for i in element.generators()] == [own]
    name = f"{stem}{number}" if is_own else f"{stem}R{number}"
    meaning = f"{_WORDS[stem]} of link {number}"
    return InertialParameter(name, stem, number, value, unit_of(stem), meaning, element, shown.notation)
