"""What a function is: what it takes and gives, in words and units, and how it is derived.

Every derivation is a formula over a mechanism of any domain; its inputs are variables of that domain.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from symgen.algebra.domain import Scalar, Vector
from symgen.mechanics.functions.units import ACCELERATION, FORCE, POSITION, VELOCITY, Unit
from symgen.mechanics.functions.words import OF_SET
from symgen.mechanics.loops.contacts import Kept
from symgen.mechanics.mechanism import Mechanism
from symgen.robot.model import CutJoint

NQ, NV, TREE, ROWS, CUTS, ACTUATED, CUT_COORDINATES = "nq", "nv", "tree", "rows", "cuts", "actuated", "cut_coordinates"
DEPENDENT = "dependent"
"""Extents: numbers of joint positions, of joint velocities (independent ones, where there are loops), of all joint
velocities of the tree that loops close, of the constraints that close them, of the cut joints, of actuators where they
are more than the freedoms, of the coordinates of cut joints, and of the joint velocities that are not independent."""

Extent = int | str
"""An extent of an array: a number, or one of the words above."""

Derive = Callable[[Mechanism], Sequence[Any]]
"""Derives the output arrays of a quantity, in order; an array is flattened row by row later."""


@dataclass(frozen=True)
class Input:
    """An input array: its name, its extent, and in words what it holds, and in which unit.

    `entry` says what one entry of it is. The derivation has it as variables of that name. `dimensions`: as in `Output`.
    """

    name: str
    extent: Extent
    meaning: str
    unit: Unit | str
    entry: str = ""
    dimensions: tuple[str, ...] = ()


Q = Input("q", NQ, "joint positions", POSITION, "joint position")
QD = Input("qd", NV, "joint velocities", VELOCITY, "joint velocity")
QDD = Input("qdd", NV, "joint accelerations", ACCELERATION, "joint acceleration")
TAU = Input(
    "tau",
    NV,
    "joint forces, about or along the joint axes",
    FORCE,
    "joint force, about or along the joint axis",
)

WEIGHTS = "weights"
"""Name of the input with the vector that derivatives are contracted with."""

STATE = {item.name: item for item in (Q, QD, QDD, TAU)}
"""Name → input of the joint state."""


@dataclass(frozen=True)
class Output:
    """An output array: its name, its shape, and in words what it holds and in which unit.

    `symbol`: in LaTeX, where the function has a closed form. `dimensions` are names of the array's dimensions, where
    its extents do not say them (see `derive.arguments`).
    """

    name: str
    shape: tuple[Extent, ...]
    meaning: str
    unit: Unit | str
    symbol: str = ""
    dimensions: tuple[str, ...] = ()


def _fits_all(mechanism: Mechanism) -> str:
    return ""


@dataclass(frozen=True)
class Formulation:
    """One way to derive a quantity; `tied`: whether it holds where joints follow others, `trees`: without loops.

    `misfit` tells which condition of it a mechanism does not meet, as a clause ("its loops close at no common body"),
    or "". `tried`: whether it is a candidate where no algorithm is asked for; `gap` tells, as a clause, where it is
    singular though the function is not: then it is none.
    """

    name: str
    text: str
    derive: Derive
    tied: bool = True
    trees: bool = True
    misfit: Callable[[Mechanism], str] = _fits_all
    tried: bool = True
    gap: Callable[[Mechanism], str] = _fits_all


def of_loops(name: str, text: str, derive: Callable[[Mechanism], Vector], **more: Any) -> Formulation:
    """A formulation for robots with loops of a quantity that is one vector."""
    return Formulation(name, text, lambda mechanism: [derive(mechanism)], trees=False, **more)


def by(name: str, text: str, derive: Derive) -> tuple[Formulation, ...]:
    """The formulations of a quantity that is derived in one way."""
    return (Formulation(name, text, derive),)


@dataclass(frozen=True)
class Quantity:
    """A function of the joint state.

    `gravity` and `loads` say whether run-time gravity and external wrenches enter, where a module has them.
    `formulations`: the first is the default. `usual`: whether it is generated where no function is named. `framed`:
    whether frames may be chosen freely (see `reframing`); `inertial`: whether inertia matters at all; `grouped`:
    whether base inertial parameters determine it, and may stand for all inertia of links. `large`: whether programs are
    too large for a long search. `summary_of_base`: what it is where only the base inertial parameters are known, if
    that is something else. `columns`: the kind of inertial parameters that the columns of its result belong to, if they
    do. `legend`: what names mean that only its code has, by example. `looped`, `unlooped`: whether robots
    with loops, and others, have it; `note_of_loops`: what is added to the summary of the former's; `redundant`: whether
    only those with more actuators than freedoms do; `of_cuts`: whether only those whose cut joints have coordinates do;
    `at_cuts`: whether it knows friction and springs there; `reacting`: whether all forces of constraint must be
    determined for it; `exchanged`: whether it stays the same where masses change bodies at points that close loops (see
    `loops.exchange`). `beside`: functions that are generated with it, since its result means nothing without theirs.
    `on_request`: whether it is generated where it is named alone, and not among all; `on_request_with_loops`: of robots
    with loops.

    `frame`: the named frame it belongs to; then `name` may be `kind` with a suffix. `contacts`: the contact set; then
    it is.
    """

    name: str
    summary: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    formulations: tuple[Formulation, ...]
    gravity: bool = False
    loads: bool = False
    usual: bool = False
    framed: bool = True
    inertial: bool = True
    grouped: bool = True
    large: bool = False
    summary_of_base: str = ""
    columns: str = ""
    legend: tuple[str, ...] = ()
    looped: bool = False
    unlooped: bool = True
    redundant: bool = False
    of_cuts: bool = False
    at_cuts: bool = True
    beside: tuple[str, ...] = ()
    reacting: bool = False
    note_of_loops: str = ""
    exchanged: bool = False
    on_request: bool = False
    on_request_with_loops: bool = False
    frame: str = ""
    contacts: str = ""
    base_name: str = ""

    @property
    def kind(self) -> str:
        """The name of the function without the suffix of a frame or a contact set."""
        return self.base_name or self.name

    def is_among(self, names: Container[str] | None) -> bool:
        """Whether it was asked for by name."""
        return names is not None and (self.kind in names or f"{self.kind}{OF_SET}{self.contacts}" in names)


@dataclass(frozen=True)
class Scope:
    """What functions of one module may depend on: frames, axes of Jacobians, the robot, columns of regressors.

    `frames`: (frame name, identifier) pairs. `mechanism` makes the robot's, `columns` is a kind of inertial parameters,
    `number` the value of a scalar of the mechanism's, None if it is not constant. `given`: the indices of the
    velocities whose accelerations are given in hybrid dynamics, `names` those of all. `contact_sets`: contact set → its
    cut joints; `contacts` is the one of a function that there is one of for each of them, and `contact_rows` tells
    which of the rows of a set do not vanish (`DependentRowsError` where these depend on each other).
    """

    frames: tuple[tuple[str, str], ...]
    axes: str
    columns: str
    mechanism: Callable[[], Mechanism]
    number: Callable[[Scalar], float | None] = lambda scalar: None
    given: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    contact_sets: Mapping[str, tuple[CutJoint, ...]] = field(default_factory=dict)
    contact_rows: Callable[[str], Kept] = lambda name: Kept((), ())
    contacts: str = ""

    @property
    def frame(self) -> str:
        """The one frame of a function that there is one of for every frame."""
        ((name, _),) = self.frames
        return name


@dataclass(frozen=True)
class Dependent:
    """A function whose quantity depends on the scope; `each_frame`: there is one for every frame.

    `each_contact`: there is one for every contact set, whose name it carries.
    `option`: the option that it is generated with, and not without, if there is one.
    """

    name: str
    of: Callable[[Scope], Quantity]
    each_frame: bool = False
    each_contact: bool = False
    usual: bool = False
    option: str = ""
