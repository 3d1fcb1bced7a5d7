"""A scene: bodies that joints carry, what is drawn on them, and a place to look from. All of it is plain numbers.

Lengths are in m, angles in rad. A `Pose` is the upper three rows of a homogeneous matrix [R p; 0 1], row by row, 12
numbers; it carries coordinates of the moved frame into those of the frame it is given in. Bodies are named by their
index in `Scene.bodies`, `BASE` is what stands still; entries of q by their index in q. The form in JSON has the same
names; `viewer.js` reads it.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

BASE = -1
"""The index of what stands still."""

Pose = tuple[float, ...]
Point = tuple[float, float, float]

IDENTITY: Pose = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""The pose that moves nothing."""


@dataclass(frozen=True)
class Screw:
    """A motion about axis 0, 1 or 2 (x, y, z): it turns by `turn` q + `offset` and slides along it by `slide` q."""

    axis: int
    turn: float
    slide: float
    offset: float
    q: int


@dataclass(frozen=True)
class Free:
    """A motion to wherever q says: a point (its x, y and maybe z; () for none), a turn about z or a quaternion x y z w.

    All are indices in q; `heading` and `quaternion`, its first entry, are None where the motion has none.
    """

    point: tuple[int, ...]
    heading: int | None
    quaternion: int | None


@dataclass(frozen=True)
class Body:
    """A body and the joint that carries it, of the kind called `kind` ("fixed" where nothing moves).

    The body's frame is reached from that of its parent by `before`, then by the `screws`, one after the other, or by
    `free`, then by `after`. Parents come first.
    """

    name: str
    joint: str
    kind: str
    parent: int
    before: Pose
    screws: tuple[Screw, ...]
    free: Free | None
    after: Pose


@dataclass(frozen=True)
class Entry:
    """An entry of q: its unit, the value where its joint moves nothing, and how far it may go.

    `lower` and `upper` are limits, or what is usual where `is_limited` is false; None for entries of quaternions.
    `is_independent`: whether loops leave it free to be chosen.
    """

    name: str
    joint: str
    unit: str
    neutral: float
    lower: float | None
    upper: float | None
    is_limited: bool
    is_independent: bool


@dataclass(frozen=True)
class Tube:
    """A way through a body, drawn as a tube: its corners in the body's frame."""

    body: int
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Plate:
    """A flat part of a body that carries several joints: its corners in the body's frame, in order."""

    body: int
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Mass:
    """The mass (kg) of a body and its centre.

    `stem` is the nearest point of the body's tubes. `axes`, a rotation, 9 numbers row by row, holds the principal axes
    as columns; `radii` are the semi-axes of the solid ellipsoid of uniform density that has the same mass and moments
    of inertia, () where no body can have these.
    """

    body: int
    mass: float
    centre: Point
    stem: Point
    axes: tuple[float, ...]
    radii: tuple[float, ...]


@dataclass(frozen=True)
class Solid:
    """A shape that the description draws: "box" (its edges), "cylinder" (radius, length along z), "sphere" (radius).

    `colour` is red, green, blue and opacity from 0 to 1, () where none is given.
    """

    body: int
    shape: str
    size: tuple[float, ...]
    pose: Pose
    colour: tuple[float, ...]


@dataclass(frozen=True)
class Frame:
    """A named frame on a body."""

    name: str
    body: int
    pose: Pose


@dataclass(frozen=True)
class Cut:
    """A joint that closes a loop: it ties two frames, those of predecessor and successor.

    The successor's origin does not leave the predecessor's along the predecessor's axes `shifts`; of each pair in
    `angles` an axis of the predecessor and one of the successor stay at right angles. A rod, which has neither, keeps
    the origins at the distance `length`.
    """

    name: str
    kind: str
    ends: tuple[Frame, Frame]
    shifts: tuple[int, ...]
    angles: tuple[tuple[int, int], ...]
    length: float


@dataclass(frozen=True)
class Tie:
    """Σ ratio · q = offset over `terms`, (index in q, ratio)."""

    name: str
    terms: tuple[tuple[int, float], ...]
    offset: float


@dataclass(frozen=True)
class Camera:
    """Where to look from: at `target`, seen along −`direction`, with `up` upwards; all of it is within `radius` (m).

    The floor is at the height `floor` (m), measured along `up`.
    """

    target: Point
    direction: Point
    up: Point
    radius: float
    floor: float


@dataclass(frozen=True)
class Scene:
    """A machine to look at; `start` is the q that it is shown at first, `radius` (m) that of its tubes.

    `tool` is the name of the frame that the tool has, "" for none. `root`: where the base stands.
    """

    name: str
    description: str
    bodies: tuple[Body, ...]
    entries: tuple[Entry, ...]
    start: tuple[float, ...]
    tubes: tuple[Tube, ...]
    plates: tuple[Plate, ...]
    masses: tuple[Mass, ...]
    solids: tuple[Solid, ...]
    frames: tuple[Frame, ...]
    tool: str
    cuts: tuple[Cut, ...]
    ties: tuple[Tie, ...]
    root: Pose
    radius: float
    camera: Camera

    def as_dict(self) -> dict[str, Any]:
        """The form that JSON has."""
        return dataclasses.asdict(self)

    def json(self) -> str:
        """The scene in JSON, which may stand in a script of a page: nothing in it ends the script."""
        text = json.dumps(self.as_dict(), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
