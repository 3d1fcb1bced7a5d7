"""Module: several programs under one name, with one typed record of what a header must say.

A `Module` is what emitters and builders see. It knows nothing of robots: whatever the header of a
generated file says about the robot travels in `Record`, as plain text and numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from symgen.program.program import Program

CONSTANTS = "constants"
"""Name of the last argument of functions with run-time parameters: what `init` made of the parameters."""


@dataclass(frozen=True)
class Argument:
    """One array argument or result of a generated function.

    `shape` is fixed, e.g. `(6,)`, `(6, 6)`, or `()` for a number; `unit` and `meaning` are one line of plain text each.
    `dimensions` are names of the array's dimensions, for libraries that name them.
    """

    name: str
    shape: tuple[int, ...]
    unit: str
    meaning: str
    dimensions: tuple[str, ...] = ()


MASS = "mass"
"""The kind of parameters that are masses, and so at least 0."""


@dataclass(frozen=True)
class Parameter:
    """A run-time parameter: its name (an identifier), its default value as a number, unit, meaning, and kind.

    Kinds are "mass", "length" and so on, or "" for what may be any number.
    """

    name: str
    default: float
    unit: str
    meaning: str
    kind: str = ""


@dataclass(frozen=True)
class Regressor:
    """The inertial parameters that belong to the columns of the function `regressor`, in order, with their values.

    `kind`: "base" or "standard". `columns`: number of a link in the robot's table, from 1, and stem of its inertial
    parameter. `values` makes their values of the run-time parameters: a program without inputs, with one output (p,).
    """

    kind: str
    columns: tuple[tuple[int, str], ...]
    parameters: tuple[Parameter, ...]
    values: Program


@dataclass(frozen=True)
class Function:
    """One generated function: its program, and the words its documentation needs.

    `kind` is its name without the suffix of a `frame`, where it belongs to one ("" otherwise). `legend`: what names
    mean that only its code has, by example.
    """

    name: str
    summary: str
    formulation: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    program: Program
    kind: str = ""
    frame: str = ""
    legend: tuple[str, ...] = ()


@dataclass(frozen=True)
class JointRecord:
    """A joint's coordinate as a header names it: kind of the joint, units of the coordinate, its velocity and force.

    `effort`: whether that force is a torque or a force, in a word. `move`: how far it goes in the usual move.
    """

    name: str
    kind: str
    position_unit: str
    velocity_unit: str
    force_unit: str
    effort: str
    move: float


@dataclass(frozen=True)
class Record:
    """What a generated header says of the robot it was made for."""

    robot: str
    description: str
    source: str
    convention: str
    joints: tuple[JointRecord, ...]
    nq: int
    nv: int
    gravity: str
    table: tuple[str, ...]
    generator: str


@dataclass(frozen=True)
class Module:
    """The functions generated for one robot; `name` prefixes every external symbol in C.

    `real` is the one floating-point type of the generated code: "float64" or "float32". With run-time `parameters`,
    `init` is the program that makes the array `CONSTANTS` (constants_size,) of the array "parameters", in the
    order of `parameters`; functions that need it take it as their last input, called `CONSTANTS`. `parameters_note`
    says what all parameters have in common, in plain text, if anything. `regressor` belongs to the function of that
    name.
    """

    name: str
    functions: tuple[Function, ...]
    record: Record
    real: str = "float64"
    parameters: tuple[Parameter, ...] = ()
    init: Program | None = None
    regressor: Regressor | None = None
    parameters_note: str = ""

    @property
    def constants_size(self) -> int:
        """Number of constants that `init` makes."""
        return self.init.outputs[0][0].size if self.init is not None else 0

    def function(self, name: str) -> Function:
        """The function called `name`; `KeyError` if the module has none of that name."""
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)
