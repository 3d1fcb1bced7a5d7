"""What a joint is: its kind, what acts in it, how far it may move, and what it follows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symgen.robot.expression import ONE, ZERO, Expression
from symgen.robot.joints import Coordinate, JointKind, Measure, Position


@dataclass(frozen=True)
class Drive:
    """Rotor, friction and spring of a joint, all of them of the joint's own coordinate q.

    The rotor's inertia (kg m² about the motor's axis) is seen by the joint multiplied by the squared gear ratio.
    Friction is the sum of viscous (N m s/rad or N s/m) and Coulomb friction (N m or N), the latter times sign(q̇) with
    sign(0) = 0 or, if `smoothing` is not 0, times tanh(q̇ / smoothing), smoothing in rad/s or m/s; and of a sigmoid
    A/(1 + exp(−α (q̇ + v))) − A/(1 + exp(−α v)), with `sigmoid` A (N m or N), `slope` α (s/rad or s/m) and `shift` v
    (rad/s or m/s). The spring has the `stiffness` K (N m/rad or N/m) and is slack at `rest` (rad or m): K (q − rest).
    """

    rotor_inertia: Expression = ZERO
    gear_ratio: Expression = ONE
    viscous: Expression = ZERO
    coulomb: Expression = ZERO
    smoothing: Expression = ZERO
    sigmoid: Expression = ZERO
    slope: Expression = ZERO
    shift: Expression = ZERO
    stiffness: Expression = ZERO
    rest: Expression = ZERO


NO_DRIVE = Drive()


@dataclass(frozen=True)
class Limits:
    """How far, how fast and how hard a joint of one coordinate may move: rad or m, rad/s or m/s, N m or N.

    None where nothing is said. `velocity` and `effort` are the largest magnitudes.
    """

    lower: Expression | None = None
    upper: Expression | None = None
    velocity: Expression | None = None
    effort: Expression | None = None


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Mimic:
    """A joint of one coordinate that follows another: q = ratio q' + offset, with q' that of the joint called `joint`.

    `ratio` is a rational constant in rad or m per unit of q', `offset` in rad or m. The joint followed has one
    coordinate and does not follow another.
    """

    joint: str
    ratio: Expression
    offset: Expression = ZERO


@dataclass(frozen=True)
class Joint:
    """The joint that moves a link relative to its parent: by `direction` times its coordinates, plus `offset`.

    `direction` is 1 or −1, a joint that turns, or slides, against z. Rates and forces are those of the coordinates.
    `offset` (rad or m) belongs to the first of them. `drive` holds what acts in the joint itself, beside the links:
    rotor inertia, friction and a spring. `pitch`: how far a helical joint slides, in m/rad. A joint with `mimic`
    follows another and has no coordinates of its own in q and q̇; its drive acts all the same.
    """

    name: str
    kind: JointKind
    offset: Expression
    drive: Drive = NO_DRIVE
    direction: int = 1
    pitch: Expression = ZERO
    limits: Limits = NO_LIMITS
    mimic: Mimic | None = None

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return self.kind.nv

    @property
    def nq(self) -> int:
        """Number of configuration coordinates."""
        return self.kind.nq

    def slide(self, coordinate: Coordinate) -> Expression:
        """How far the joint slides along its axis per unit of a coordinate, in m, the direction left out."""
        if isinstance(coordinate.slide, str):
            value: Expression = getattr(self, coordinate.slide)
            return value
        return ONE if coordinate.slide else ZERO

    @property
    def ratio(self) -> Fraction:
        """How far the joint's own coordinate goes per unit of the one in q: 1 unless it follows another joint."""
        value = self.mimic.ratio.constant({}).rational if self.mimic is not None else Fraction(1)
        assert value is not None, "readers take rational ratios only"
        return value

    @property
    def rest(self) -> Expression:
        """What the joint turns or slides by (rad or m) while q is 0: its offset, and that of what it follows."""
        if self.mimic is None or self.mimic.offset.is_zero:
            return self.offset
        ahead = self.mimic.offset if self.direction > 0 else -self.mimic.offset
        return ahead if self.offset.is_zero else self.offset + ahead

    @property
    def shift(self) -> Expression:
        """How far along z the joint slides the link while q is 0, in m; what it turns goes with the coordinate's turn.

        It is part of `Link.before`.
        """
        if not self.nv or self.rest.is_zero:
            return ZERO
        slide = self.slide(self.kind.coordinates[0])
        return self.rest if slide == ONE else slide * self.rest

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the velocity coordinates: the joint's, with what the coordinate measures where there are several."""
        return tuple(f"{self.name}_{each.name}" if each.name else self.name for each in self.kind.coordinates)

    @property
    def position_names(self) -> tuple[str, ...]:
        """Names of the entries of q: the joint's, with what the entry is where there are several."""
        return tuple(f"{self.name}_{each.name}" if each.name else self.name for each in self.kind.positions)


@dataclass(frozen=True)
class JointCoordinate:
    """A velocity coordinate of a robot: its name, what it measures, and the joint whose it is."""

    name: str
    measure: Measure
    joint: Joint


@dataclass(frozen=True)
class JointPosition:
    """An entry of a robot's q: its name, what it is, and the joint whose it is."""

    name: str
    position: Position
    joint: Joint
