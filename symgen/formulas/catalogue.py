"""What the parts of `ClosedForm` share: the catalogue of quantities, and how their forms are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from symgen.algebra.ring_element import RingElement
from symgen.formulas.form import Family, Form, Label
from symgen.formulas.robot_in_ring import LINK_AXES, FormStyle, RobotInRing
from symgen.mechanics.functions import quantity as functions
from symgen.mechanics.functions.units import Unit, unit_of
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.reference_points import MASS_CENTRE, ORIGIN
from symgen.robot.model import Robot

Method = TypeVar("Method", bound=Callable[..., Any])

BODY, PAIR, FRAME = "body", "pair", "frame"
"""What a quantity belongs to, if not to the whole robot: a body, a pair of bodies, a named frame."""


@dataclass(frozen=True)
class Quantity:
    """A quantity: its name, symbol in LaTeX, meaning, unit, and what it belongs to."""

    name: str
    symbol: str
    meaning: str
    unit: Unit | str
    of: str = ""
    blocks: bool = False


Catalogue = dict[str, Quantity]
"""Name → quantity, in the order in which they are shown."""

CATALOGUE: Catalogue = {}
"""The quantities of robots without loops."""


def quantity(
    symbol: str, meaning: str, unit: Unit | str, of: str = "", *, blocks: bool = False, into: Catalogue = CATALOGUE
) -> Callable[[Method], Method]:
    """Enters a method of `ClosedForm` in the catalogue; `blocks` says that reference point and axes matter."""

    def enter(method: Method) -> Method:
        into[method.__name__] = Quantity(method.__name__, symbol, meaning, unit, of, blocks)
        return method

    return enter


def of_function(
    function: functions.Quantity, meaning: str, output: int = 0, *, into: Catalogue = CATALOGUE
) -> Callable[[Method], Method]:
    """Enters a method that gives the closed form of an output of a generated function."""
    given = function.outputs[output]
    return quantity(given.symbol or given.name, meaning, given.unit, into=into)


def filled(text: str, words: Sequence[str]) -> str:
    """`text` with words in place of #1 and #2."""
    for number, word in enumerate(words, start=1):
        text = text.replace(f"#{number}", word)
    return text


def generic(item: Quantity) -> str:
    """What a quantity means, of any body or frame."""
    return filled(item.meaning.replace("'#1'", "#1"), ["NAME"] if item.of == FRAME else ["i", "j"])


class Forms:
    """The robot, and its mechanism over a ring of expanded polynomials and one of named definitions."""

    catalogue: ClassVar[Mapping[str, Quantity]] = CATALOGUE
    """The quantities that there are forms of."""

    def __init__(self, robot: Robot, choices: FormStyle) -> None:
        self.robot = robot
        self.choices = choices

    @cached_property
    def _plain(self) -> RobotInRing:
        return RobotInRing(self.robot, self.choices)

    @cached_property
    def _named(self) -> RobotInRing:
        return RobotInRing(self.robot, self.choices, is_named=True)

    @cached_property
    def _scalars(self) -> RobotInRing:
        """For quantities that depend on neither axes nor reference points: where formulas are shortest."""
        plain = replace(self.choices, axes=LINK_AXES, reference=ORIGIN)
        return self._named if plain == self.choices else RobotInRing(self.robot, plain, is_named=True)

    @property
    def _mechanism(self) -> Mechanism:
        return self._plain.mechanism

    @property
    def _n(self) -> int:
        return len(self._mechanism.bodies)

    @property
    def _nv(self) -> int:
        return self._mechanism.nv

    @property
    def _ni(self) -> int:
        """Number of independent rates."""
        return self._mechanism.ni

    def _label(self, name: str, *of: int | str) -> Label:
        """The label of a quantity, with the numbers of its bodies or the name of its frame."""
        item = self.catalogue[name]
        words = [str(number + 1) if isinstance(number, int) else number for number in of]
        symbol, meaning = (filled(text, words) for text in (item.symbol, item.meaning))
        if item.blocks:
            point = "C" if self.choices.reference == MASS_CENTRE else "O"
            meaning += f"; about {point}_i, in {self.choices.axes} axes"
        suffix = "".join(f"_{word}" for word in words if isinstance(word, str) and word.isdigit())
        return Label(name + suffix, symbol, meaning, unit_of(item.unit, self.robot))

    def _form(
        self,
        name: str,
        shape: tuple[int, ...],
        whole: Callable[[], Any],
        single: Callable[..., RingElement] | None = None,
        *,
        of: tuple[int | str, ...] = (),
        subject: RobotInRing | None = None,
    ) -> Form:
        return Form(subject or self._plain, self._label(name, *of), shape, whole, single)

    def _bodies(self, name: str, make: Callable[..., Form], count: int = 1) -> Family:
        return Family(name, (self._n,) * count, make)
