"""Module: several programs under one name, with one typed record of what a header must say.

A `Module` is what emitters and builders see. It knows nothing of robots: whatever the header of a
generated file says about the robot travels in `Record`, as plain text and numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from symgen.program.pattern import Pattern
from symgen.program.program import Op, Program

CONSTANTS = "constants"
"""Name of the last argument of functions with run-time parameters: what `init` made of the parameters."""


@dataclass(frozen=True)
class Argument:
    """One array argument or result of a generated function.

    `shape` is fixed, e.g. `(6,)`, `(6, 6)`, or `()` for a number; `unit` and `meaning` are one line of plain text each.
    `dimensions` are names of the array's dimensions, for libraries that name them. `positions`: whether its entries are
    those of q, as the record has them. `pattern`: of a result that is packed, which entries of the whole it holds.
    """

    name: str
    shape: tuple[int, ...]
    unit: str
    meaning: str
    dimensions: tuple[str, ...] = ()
    positions: bool = False
    pattern: Pattern | None = None

    @property
    def description(self) -> str:
        """What it is: its meaning and, if it is packed, which entries it holds."""
        return self.meaning if self.pattern is None else f"{self.meaning}; {_packed_text(self.pattern)}"


def _packed_text(pattern: Pattern) -> str:
    """What a packed result holds, in words."""
    extents, columns = " x ".join(map(str, pattern.shape)), "column by column (CSC)"
    if len(pattern.shape) > 2:
        columns = f"{columns} of a {pattern.rows} x {pattern.shape[-1]} matrix"
    return f"of its {extents} entries those that are not zero by structure, {columns}"


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

    `kind` is its name without the suffix of a `frame`, where it belongs to one ("" otherwise), or of a contact set,
    `contacts`. `legend`: what names mean that only its code has, by example.
    """

    name: str
    summary: str
    formulation: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    program: Program
    kind: str = ""
    frame: str = ""
    contacts: str = ""
    legend: tuple[str, ...] = ()


@dataclass(frozen=True)
class JointRecord:
    """A joint's velocity coordinate as a header names it: kind of the joint, units of it and of its force.

    `position_unit` is that of what it is the rate of. `effort`: whether the force is a torque or a force, in a word.
    """

    name: str
    kind: str
    position_unit: str
    velocity_unit: str
    force_unit: str
    effort: str


@dataclass(frozen=True)
class PositionRecord:
    """An entry of q as a header names it: kind of its joint, unit, value where the joint does not move its link.

    `move`: how far from there it goes in the usual move.
    """

    name: str
    kind: str
    unit: str
    neutral: float
    move: float


@dataclass(frozen=True)
class FreeJoint:
    """A joint whose q̇ is not its velocities; these are entries of its link's twist, in the link's own axes.

    `q` and `v` are the places of its first entries; `positions` and `velocities` name them within the joint: x, y, z
    for a point, theta or the unit quaternion qx, qy, qz, qw, or qw, qx, qy, qz; vx, vy, vz and wx, wy, wz, or nothing
    where loops make its velocities.
    """

    name: str
    kind: str
    q: int
    v: int
    positions: tuple[str, ...]
    velocities: tuple[str, ...]

    @property
    def quaternion(self) -> list[int]:
        """The places of its quaternion's x, y, z, w among its entries of q; none if it has none."""
        return [self.positions.index(name) for name in ("qx", "qy", "qz", "qw") if name in self.positions]

    @property
    def quaternion_words(self) -> tuple[str, str]:
        """The names of its quaternion's numbers in order, x, y, z, w, and what they are for no turn, 0, 0, 0, 1."""
        names = [self.positions[place][1:] for place in sorted(self.quaternion)]
        return ", ".join(names), ", ".join(str(int(name == "w")) for name in names)


@dataclass(frozen=True)
class LimitRecord:
    """Limits of one kind: "lower" and "upper" of the entries of q, "velocity" and "effort" of the velocities.

    Those of the coordinates of cut joints are called "cut_lower", "cut_upper" and "cut_velocity". `values` has an entry
    for each, infinite where the robot's file says nothing, in rad or m, rad/s or m/s, N m or N.
    """

    name: str
    meaning: str
    values: tuple[float, ...]

    @property
    def extent(self) -> str:
        """The number of its values: "NQ", "NV" or, for cut joints, "": that has no name."""
        if self.name.startswith("cut_"):
            return ""
        return "NQ" if self.name in ("lower", "upper") else "NV"


@dataclass(frozen=True)
class Record:
    """What a generated header says of the robot it was made for.

    `joints` are the velocity coordinates, nv, `positions` the entries of q, nq: the same in number and order but for
    the joints that are `free`. `limits` are those that the robot's file gives. `loops`: what closes loops, a line for
    each cut joint and coupling; then `joints` are the independent ones, q is that of the whole tree, `independent` are
    the places in it of the independent ones, and what counts as neutral is the posture of the robot's file. `actuated`
    are names of driven coordinates, where these are more than the freedoms. `cut_coordinates`: the coordinates of cut
    joints, each with its unit.
    """

    robot: str
    description: str
    source: str
    convention: str
    joints: tuple[JointRecord, ...]
    positions: tuple[PositionRecord, ...]
    free: tuple[FreeJoint, ...]
    gravity: str
    table: tuple[str, ...]
    generator: str
    limits: tuple[LimitRecord, ...] = ()
    loops: tuple[str, ...] = ()
    independent: tuple[int, ...] = ()
    actuated: tuple[str, ...] = ()
    cut_coordinates: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether q̇ is the joint velocities, entry by entry."""
        return not self.free and not self.loops

    @property
    def nq(self) -> int:
        """Number of entries of q."""
        return len(self.positions)

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return len(self.joints)

    @property
    def neutral(self) -> tuple[float, ...]:
        """The configuration at which no joint moves its link but for its offset, nq."""
        return tuple(position.neutral for position in self.positions)

    @property
    def order(self) -> tuple[int, ...]:
        """For each entry of q its place where quaternions are x, y, z, w, as they are while functions are derived."""
        places = list(range(self.nq))
        for joint in self.free:
            own = [joint.q + place for place in joint.quaternion]
            for place, derived in zip(own, sorted(own), strict=True):
                places[place] = derived
        return tuple(places)

    @property
    def pairs(self) -> tuple[tuple[int | None, int | None], ...]:
        """(place in q, place in q̇) joint by joint, for tables; None where a free joint has more of the other."""
        found: list[tuple[int | None, int | None]] = []
        if self.loops:
            rates = dict(zip(self.independent, range(self.nv), strict=False))
            return tuple((k, rates.get(k)) for k in range(self.nq))
        q = v = 0
        for joint in self.free:
            found += [(q + k, v + k) for k in range(joint.q - q)]
            nq, nv = len(joint.positions), len(joint.velocities)
            found += [(joint.q + k if k < nq else None, joint.v + k if k < nv else None) for k in range(max(nq, nv))]
            q, v = joint.q + nq, joint.v + nv
        return (*found, *((q + k, v + k) for k in range(self.nq - q)))


@dataclass(frozen=True)
class Assembly:
    """How the function `step` of a module is iterated to the q that closes the loops.

    `places`: the entries of q that are given; the others are guessed. It ends where the residual, a sum of squares, is
    at most `closed` (m² or 1), or after `most` steps. `start`: the function that finds other entries in closed form
    first; "" if there is none.
    """

    step: str
    places: tuple[int, ...]
    closed: float
    most: int
    start: str = ""


OPEN, SINGULAR = 1, 2
"""What is told of a state of a robot with loops where not 0: no q was found that closes them; the independent joints do
not determine the others, or contact forces are not determined."""

CONFIGURATIONS = ("integrate", "difference", "normalize")
"""Kinds of functions that lead from one configuration to others."""

OF_CUT_JOINTS = ("cut_joint_positions", "cut_joint_velocities")
"""Kinds of functions whose results belong to the coordinates of cut joints."""


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
    assembly: Assembly | None = None

    @property
    def constants_size(self) -> int:
        """Number of constants that `init` makes."""
        return self.init.outputs[0][0].size if self.init is not None else 0

    @property
    def neutral(self) -> tuple[float, ...]:
        """The record's, for code to name: where q̇ is not qd or functions lead from one q to others; else empty."""
        named = not self.record.is_plain or any(function.kind in CONFIGURATIONS for function in self.functions)
        return self.record.neutral if named else ()

    @property
    def cut_coordinates(self) -> tuple[str, ...]:
        """The record's, where functions or limits have an entry for each; else empty."""
        named = any(function.kind in OF_CUT_JOINTS for function in self.functions)
        named = named or any(not limit.extent for limit in self.record.limits)
        return self.record.cut_coordinates if named else ()

    def uses(self, *ops: Op) -> bool:
        """Whether any of these operations occurs in its programs."""
        programs = [*(function.program for function in self.functions), *([] if self.init is None else [self.init])]
        return any(instruction.op in ops for program in programs for instruction in program.instructions)

    def function(self, name: str) -> Function:
        """The function called `name`; `KeyError` if the module has none of that name."""
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)
