"""The kinds of joints: one entry each, with all that names, shapes, units and files need to know of a kind.

Every joint moves its link about and along the z axis of its frame. Each coordinate x of it is a screw: it turns the
link by `turn` x about z and slides it by `slide` x along z, one after the other where there are several. What these
numbers mean for motion subspaces and transforms is in `mechanics.joints`; a kind of such screws needs nothing there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Measure:
    """What a coordinate measures: units of it, its rates and its force, the word for that force, usual distances.

    `reach`: random coordinates lie within it on both sides of 0. `move`: how far the usual move goes. Both in the unit.
    """

    name: str
    position: str
    velocity: str
    acceleration: str
    force: str
    effort: str
    reach: float
    move: float


ANGLE = Measure("angle", "rad", "rad/s", "rad/s^2", "N m", "torque", reach=3.141592653589793, move=3.141592653589793)
LENGTH = Measure("length", "m", "m/s", "m/s^2", "N", "force", reach=0.5, move=0.1)


@dataclass(frozen=True)
class Coordinate:
    """One coordinate of a joint, and the screw it moves the link by: `turn` rad and `slide` m per unit.

    `slide` may be the name of the link's key that says it. `name` tells it from the joint's others.
    """

    measure: Measure
    turn: int
    slide: int | str
    name: str = ""


class JointKind(Enum):
    """Kinds of joints; the value is the word used in robot files.

    `coordinates`: in the order of q. `stands_for`: the entry of the row that the (first) coordinate and its offset
    stand for, "theta" or "b". `keys`: keys of a link's table that only joints of this kind have, and must have.
    """

    REVOLUTE = "revolute", (Coordinate(ANGLE, 1, 0),), "theta"
    PRISMATIC = "prismatic", (Coordinate(LENGTH, 0, 1),), "b"
    HELICAL = "helical", (Coordinate(ANGLE, 1, "pitch"),), "theta", ("pitch",)
    CYLINDRICAL = "cylindrical", (Coordinate(ANGLE, 1, 0, "angle"), Coordinate(LENGTH, 0, 1, "length")), "theta"
    FIXED = "fixed", (), ""

    _value_: str
    coordinates: tuple[Coordinate, ...]
    stands_for: str
    keys: tuple[str, ...]

    def __new__(
        cls, word: str, coordinates: tuple[Coordinate, ...], stands_for: str, keys: tuple[str, ...] = ()
    ) -> JointKind:
        """The entry of a kind."""
        kind = object.__new__(cls)
        kind._value_ = word
        kind.coordinates, kind.stands_for, kind.keys = coordinates, stands_for, keys
        return kind

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return len(self.coordinates)

    @property
    def nq(self) -> int:
        """Number of configuration coordinates: of joints made of screws, as many as there are velocities (q̇ = v)."""
        return len(self.coordinates)

    @property
    def neutral(self) -> tuple[float, ...]:
        """The configuration at which the joint does not move its link but for its offset, nq."""
        return (0.0,) * self.nq


@dataclass(frozen=True)
class Key:
    """A number in a link's table that only some kinds of joints have: its unit, its name in words, what it says."""

    unit: str
    quantity: str
    meaning: str
    kind: str


KEYS = {
    "pitch": Key(
        "m/rad",
        "pitch of the joint",
        "how far the joint slides along z per rad that it turns; a screw of 2 mm a turn has 0.002/(2*pi)",
        "pitch",
    )
}
"""Keys of a link's table that only some kinds of joints have."""


def kind_called(word: str) -> JointKind:
    """The kind that files call by this word; `KeyError` if there is none."""
    return {kind.value: kind for kind in JointKind}[word]


def words() -> str:
    """The kinds as a file spells them, for messages: "revolute", ... or "fixed"."""
    *most, last = (f'"{kind.value}"' for kind in JointKind)
    return f"{', '.join(most)} or {last}"
