"""What verification knows of a function: what it takes and gives, what it should return, what it must be to others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from symgen.robot.model import Robot
from symgen.verify.balls import Ball
from symgen.verify.geometry import Floats
from symgen.verify.setting import Setting

if TYPE_CHECKING:
    from symgen.verify.comparison import Comparison
    from symgen.verify.expected import Expected

NQ, NV, COLUMNS, LINKS = "nq", "nv", "columns", "links"
"""Numbers of joint positions, joint velocities, columns of the regressor and links that joints move, as extents."""

TREE, ROWS, CUTS, ACTUATED, CUT_COORDINATES = "tree", "rows", "cuts", "actuated", "cut_coordinates"
DEPENDENT = "dependent"
"""Numbers of joint velocities of the tree that loops close, of constraints that close them, of cut joints, of actuators
where they are more than the freedoms, of coordinates of cut joints, and of the tree's velocities that are not
independent, as extents."""

CONTACT = "contact"
"""Number of the rows of a contact set, as an extent."""

CONFIGURATIONS = ("q", "q0", "q1", "guess")
"""Arguments that are joint positions."""

GIVEN, OTHERS = "given", "others"
"""Numbers of velocities whose accelerations are given in hybrid dynamics, and of the others, as extents."""

ALL, EACH = "all", "each"
"""There is one function for all frames, with an array for each; or one for each frame."""

Pair = tuple[Ball, Ball]
"""What was found, and what was expected; both (states, …)."""

Draw = Callable[[np.random.Generator, Robot, int], Floats]
"""Makes random values (states, …) of an argument."""


@dataclass(frozen=True)
class Identity:
    """What a function must be to others, or to itself: two sides that are equal.

    `text` says it; `{kind}` in it stands for a function that there is one of for every frame. `needs`: kinds of the
    other functions in it. `applies`: whether it can be asked in this comparison. `closed`: whether it holds in robots
    with loops, at states that are closed.
    """

    text: str
    needs: tuple[str, ...]
    sides: Callable[[Comparison, Signature], Pair]
    applies: Callable[[Comparison], bool] = lambda subject: True
    closed: bool = False


def compared(subject: Comparison, signature: Signature) -> list[Pair]:
    """What a function returned, and what the oracle has."""
    return list(zip(subject.call(signature.name), subject.of(signature.name), strict=True))


def knows_links(setting: Setting) -> bool:
    """Whether the links' own inertia is known, not their base inertial parameters alone."""
    return setting.base is None


@dataclass(frozen=True)
class Entry:
    """A function.

    `arguments`: those of the state, before gravity and external wrenches, which enter where `gravity` and `loads` say
    so. `shapes`: of the arrays it returns; extents are numbers or words such as `NV`. `expected`: what it should
    return, each array with what the oracle itself can err. `frames`: `ALL`, `EACH`, or "" for a function of no frame.
    `solves`: whether it solves with the inertia matrix, whose condition it inherits. `drawn`: random values of its
    arguments that are not those of a joint state (see `States`). `pairs`: what is compared, if not simply these arrays;
    `further`: other checks against the oracle, by name. `known`: whether there is an oracle in this setting.
    `unlooped`: whether robots without loops have the function; `redundant`: whether only those with more actuators than
    freedoms do, `of_cuts`: whether only those whose cut joints have coordinates; `contacts`: whether there is one for
    every contact set.
    """

    name: str
    arguments: tuple[str, ...]
    shapes: tuple[tuple[int | str, ...], ...]
    expected: Callable[[Expected, Signature], list[Ball]]
    gravity: bool = False
    loads: bool = False
    frames: str = ""
    solves: bool = False
    drawn: Mapping[str, Draw] = field(default_factory=dict)
    pairs: Callable[[Comparison, Signature], list[Pair]] = compared
    further: Mapping[str, Callable[[Comparison], list[Pair]]] = field(default_factory=dict)
    identities: tuple[Identity, ...] = ()
    known: Callable[[Setting], bool] = lambda setting: True
    unlooped: bool = True
    redundant: bool = False
    of_cuts: bool = False
    contacts: bool = False


@dataclass(frozen=True)
class Signature:
    """A function of a robot: its entry, its name, its frames, its arguments, and the shapes of what it returns.

    `contacts`: its contact set, if it belongs to one.
    """

    entry: Entry
    name: str
    frames: tuple[str, ...]
    arguments: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]
    contacts: str = ""

    @property
    def kind(self) -> str:
        """The name without the suffix of a frame or a contact set."""
        return self.entry.name

    @property
    def suffix(self) -> str:
        """The suffix of its frame or contact set."""
        return self.name.removeprefix(self.kind)
