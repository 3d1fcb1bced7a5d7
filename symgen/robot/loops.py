"""What closes loops: cut joints between links of a tree, rods, and couplings of coordinates.

A robot with loops is a tree with constraints. A cut joint ties a frame of one link to a frame of another; its kind says
which components of the one's motion, as the other sees it, vanish. Loops that contact sets name are switched: closed
at some times and open at others.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from symgen.robot.expression import ZERO, Expression
from symgen.robot.joints import ANGLE, LENGTH, Measure

X, Y, Z = range(3)


@dataclass(frozen=True)
class CutCoordinate:
    """A coordinate of a cut joint: how far the successor is turned about, or shifted along, an axis (rad or m).

    `axis`: x, y or z of the predecessor or, `of_successor`, of the successor. `name` tells it from the joint's others.
    `sine` and `cosine` of an angle are products of an axis of the one and one of the other, where the loop is closed.
    """

    measure: Measure
    axis: int
    name: str = ""
    of_successor: bool = False
    sine: tuple[int, int] = (Y, X)
    cosine: tuple[int, int] = (X, X)


_TURN, _SLIDE = CutCoordinate(ANGLE, Z), CutCoordinate(LENGTH, Z)
_ANGLE, _LENGTH = CutCoordinate(ANGLE, Z, "angle"), CutCoordinate(LENGTH, Z, "length")
_UNIVERSAL = (
    CutCoordinate(ANGLE, X, "rx", sine=(Z, Y), cosine=(Y, Y)),
    CutCoordinate(ANGLE, Y, "ry", of_successor=True, sine=(X, Z), cosine=(X, X)),
)
_PLANAR = (CutCoordinate(LENGTH, X, "x"), CutCoordinate(LENGTH, Y, "y"), _ANGLE)


class CutKind(Enum):
    """Kinds of cut joints; the value is the word used in robot files.

    `shifts`: axes of the predecessor along which the successor's origin does not leave the predecessor's.
    `angles`: pairs of an axis of the predecessor and one of the successor that stay at right angles. A cut joint turns
    about, or slides along, its frames' z axes, like other joints; the axes of a universal joint are x of the
    predecessor and y of the successor. A rod keeps two points at a distance, an inline joint a point of the successor
    on z of the predecessor. `coordinates`: what is left free, as numbers; how these and ball joints are turned is none.
    """

    REVOLUTE = "revolute", (X, Y, Z), ((X, Z), (Y, Z)), (_TURN,)
    PRISMATIC = "prismatic", (X, Y), ((X, Z), (Y, Z), (X, Y)), (_SLIDE,)
    CYLINDRICAL = "cylindrical", (X, Y), ((X, Z), (Y, Z)), (_ANGLE, _LENGTH)
    UNIVERSAL = "universal", (X, Y, Z), ((X, Y),), _UNIVERSAL
    SPHERICAL = "spherical", (X, Y, Z), ()
    PLANAR = "planar", (Z,), ((X, Z), (Y, Z)), _PLANAR
    FIXED = "fixed", (X, Y, Z), ((X, Z), (Y, Z), (X, Y))
    ROD = "rod", (), ()
    INLINE = "inline", (X, Y), (), (_SLIDE,)

    _value_: str
    shifts: tuple[int, ...]
    angles: tuple[tuple[int, int], ...]
    coordinates: tuple[CutCoordinate, ...]

    def __new__(
        cls,
        word: str,
        shifts: tuple[int, ...],
        angles: tuple[tuple[int, int], ...],
        coordinates: tuple[CutCoordinate, ...] = (),
    ) -> CutKind:
        """A member whose value is the word alone."""
        member = object.__new__(cls)
        member._value_, member.shifts, member.angles, member.coordinates = word, shifts, angles, coordinates
        return member

    @property
    def holds_points(self) -> bool:
        """Whether the frames' origins are one point."""
        return len(self.shifts) == 3

    @property
    def is_mutual(self) -> bool:
        """Whether either frame may be taken for the predecessor's: the constraints are the same."""
        return self is not CutKind.INLINE

    @property
    def turns(self) -> tuple[int, ...]:
        """Axes of the predecessor about which the successor does not turn, but for universal joints, which have none.

        A universal joint does not turn about the line at right angles to its two axes, which is no axis of an end.
        """
        return {2: (X, Y), 3: (X, Y, Z)}.get(len(self.angles), ())

    @property
    def size(self) -> int:
        """The number of its constraints."""
        return len(self.shifts) + len(self.angles) or 1


CUTS = {kind.value: kind for kind in CutKind}
"""Word → kind of cut joint."""


@dataclass(frozen=True)
class ContactSet:
    """Loops, by name, that are closed at a time: feet that stand, a gripper that holds."""

    name: str
    loops: tuple[str, ...]


@dataclass(frozen=True)
class Coupling:
    """Σ ratio · coordinate = offset, of velocity coordinates by name: gears, belts, differentials (rad and m)."""

    name: str
    terms: tuple[tuple[str, Fraction], ...]
    offset: Expression = ZERO
