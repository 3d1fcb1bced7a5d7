"""The kinds of joints: one entry each, with all that names, shapes, units and files need to know of a kind.

There are two families. A joint of *screws* moves its link by one screw after the other: each coordinate x turns the
link by `turn` x about an axis of the joint's frame, z unless it says x or y, and slides it by `slide` x along it; the
rates are q̇. A *free* joint moves its link by all of its columns at once: its rates are entries of the link's twist in
the link's own axes, its q says where the link is (a unit quaternion x y z w, a point, an angle), and q̇ = E(q) v. What
the numbers mean for motion subspaces and transforms is in `mechanics.joints`; a kind of screws needs nothing there.
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


@dataclass(frozen=True)
class Position:
    """An entry of a joint's q: its name within the joint, its unit, its value where the joint does not move its link.

    `reach`: random values lie within it on both sides of 0; None for entries of a unit quaternion. `move`: how far the
    usual move goes; free joints stay where they are.
    """

    name: str
    unit: str
    neutral: float
    reach: float | None
    move: float = 0.0


ANGLE = Measure("angle", "rad", "rad/s", "rad/s^2", "N m", "torque", reach=3.141592653589793, move=3.141592653589793)
LENGTH = Measure("length", "m", "m/s", "m/s^2", "N", "force", reach=0.5, move=0.1)


@dataclass(frozen=True)
class Coordinate:
    """One velocity coordinate of a joint and the screw it moves the link by: `turn` rad and `slide` m per unit.

    `slide` may be the name of the link's key that says it. `name` tells it from the joint's others. `axis`: 0, 1 or 2,
    the axis of the joint's frame (of the moved link's, for a free joint) it turns about and slides along.
    """

    measure: Measure
    turn: int
    slide: int | str
    name: str = ""
    axis: int = 2


def _turns(*axes: str) -> tuple[Coordinate, ...]:
    return tuple(Coordinate(ANGLE, 1, 0, f"r{axis}", "xyz".index(axis)) for axis in axes)


def _slides(*axes: str) -> tuple[Coordinate, ...]:
    return tuple(Coordinate(LENGTH, 0, 1, axis, "xyz".index(axis)) for axis in axes)


def _spins(*axes: str) -> tuple[Coordinate, ...]:
    return tuple(Coordinate(ANGLE, 1, 0, f"w{axis}", "xyz".index(axis)) for axis in axes)


def _drifts(*axes: str) -> tuple[Coordinate, ...]:
    return tuple(Coordinate(LENGTH, 0, 1, f"v{axis}", "xyz".index(axis)) for axis in axes)


_POINT = tuple(Position(axis, "m", 0.0, LENGTH.reach) for axis in "xyz")
_HEADING = Position("theta", "rad", 0.0, ANGLE.reach)
QUATERNION = tuple(Position(f"q{axis}", "1", float(axis == "w"), None) for axis in "xyzw")
"""The unit quaternion of a free joint that turns in all directions: vector part first, as Pinocchio and ROS have it."""


class JointKind(Enum):
    """Kinds of joints; the value is the word used in robot files.

    `coordinates`: the velocity coordinates in order. `stands_for`: the entry of the row that the (first) coordinate and
    its offset stand for, "theta" or "b"; joints with none have no offset and no direction. `keys`: keys of a link's
    table that only joints of this kind have, and must have. `configuration`: the entries of q of a free joint; joints
    of screws have one for each velocity coordinate.
    """

    REVOLUTE = "revolute", (Coordinate(ANGLE, 1, 0),), "theta"
    CONTINUOUS = "continuous", (Coordinate(ANGLE, 1, 0),), "theta"
    PRISMATIC = "prismatic", (Coordinate(LENGTH, 0, 1),), "b"
    HELICAL = "helical", (Coordinate(ANGLE, 1, "pitch"),), "theta", ("pitch",)
    CYLINDRICAL = "cylindrical", (Coordinate(ANGLE, 1, 0, "angle"), Coordinate(LENGTH, 0, 1, "length")), "theta"
    UNIVERSAL = "universal", _turns("x", "y"), ""
    SPHERICAL_ZYX = "spherical_zyx", _turns("z", "y", "x"), ""
    TRANSLATION = "translation", _slides("x", "y", "z"), ""
    SPHERICAL = "spherical", _spins("x", "y", "z"), "", (), QUATERNION
    PLANAR = "planar", (*_drifts("x", "y"), *_spins("z")), "", (), (*_POINT[:2], _HEADING)
    FLOATING = "floating", (*_drifts("x", "y", "z"), *_spins("x", "y", "z")), "", (), (*_POINT, *QUATERNION)
    FIXED = "fixed", (), ""

    _value_: str
    coordinates: tuple[Coordinate, ...]
    stands_for: str
    keys: tuple[str, ...]
    configuration: tuple[Position, ...]

    def __new__(
        cls,
        word: str,
        coordinates: tuple[Coordinate, ...],
        stands_for: str,
        keys: tuple[str, ...] = (),
        configuration: tuple[Position, ...] = (),
    ) -> JointKind:
        """The entry of a kind."""
        kind = object.__new__(cls)
        kind._value_ = word
        kind.coordinates, kind.stands_for, kind.keys = coordinates, stands_for, keys
        kind.configuration = configuration
        return kind

    @property
    def is_free(self) -> bool:
        """Whether the rates are a twist in the link's own axes, and q̇ is not they."""
        return bool(self.configuration)

    @property
    def is_turn(self) -> bool:
        """Whether the joint turns its link about z and does nothing else."""
        return self in (JointKind.REVOLUTE, JointKind.CONTINUOUS)

    @property
    def is_ball(self) -> bool:
        """Whether the joint turns its link about several axes through one point of the link."""
        return len({each.axis for each in self.coordinates if each.turn}) > 1

    @property
    def positions(self) -> tuple[Position, ...]:
        """The entries of q in order, nq."""
        return self.configuration or tuple(
            Position(each.name, each.measure.position, 0.0, each.measure.reach, each.measure.move)
            for each in self.coordinates
        )

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return len(self.coordinates)

    @property
    def nq(self) -> int:
        """Number of configuration coordinates."""
        return len(self.configuration) or len(self.coordinates)

    @property
    def neutral(self) -> tuple[float, ...]:
        """The configuration at which the joint does not move its link but for its offset, nq."""
        return tuple(position.neutral for position in self.positions)


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
