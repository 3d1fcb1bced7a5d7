"""A robot over a domain of scalars: the tree of moving bodies that the recursions run over.

Fixed links are lumped into the body that carries them. Every body has a frame on its joint's axis (z): a constant
transform leads from the parent's frame to the joint, then the joint moves the frame. A joint with several coordinates
has a massless body between each of its motions and the next (see `joints`). Inertia is about the frame's origin, as
mass, first moment and second moment, whatever the convention of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from symgen.algebra.domain import Domain, Scalar, Vector, is_zero, zeros
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.loops.plan import Plan
from symgen.mechanics.rotation import Rotation
from symgen.robot.joints import JointKind
from symgen.robot.loops import CutKind
from symgen.robot.model import BASE


@dataclass(frozen=True)
class Body:
    """A moving body and its joint.

    `number` is the number of its link in the table, from 1, and `label` tells it from the link's other bodies in names.
    `parent` is an index into the mechanism's bodies or `BASE`. `rotation` and `position` lead from the parent's frame
    to this one at the present q. `subspace` holds the columns [ω; v] of the joint's motion in the body's frame, one
    along z or, where the joint is free, several; `velocities` their indices in v. `shift`: how far along z its
    coordinate has slid it, None if it does not. `is_between`: a massless body between two motions of one joint.
    `is_ball`: the joint turns about several axes through one point, by one motion or one after the other. `ratio`: of
    its own coordinate to the one in q, if the joint follows another.
    `in_moments` says that recursions take second moments instead of the inertia tensor, where they can. `joint_axes`:
    the orientation of the joint's own axes, as they move with the body, in the body's frame.
    """

    number: int
    name: str
    joint: str
    parent: int
    rotation: Rotation
    position: Vector
    subspace: tuple[Vector, ...]
    velocities: tuple[int, ...]
    inertia: SpatialInertia
    drive: DriveTerms
    shift: Scalar | None = None
    label: str = ""
    is_between: bool = False
    is_ball: bool = False
    ratio: Scalar | None = None
    in_moments: bool = False
    joint_axes: Rotation = field(default_factory=Rotation)

    @property
    def is_free(self) -> bool:
        """Whether the joint moves the body by several columns at once, in the body's own axes."""
        return len(self.subspace) > 1

    @property
    def screw(self) -> Vector:
        """The column of a joint that has one, along z."""
        (column,) = self.subspace
        return column


@dataclass(frozen=True)
class DriveTerms:
    """What acts in a joint itself, by its own coordinate: rotor inertia as the joint sees it, friction, a spring.

    `viscous`, `coulomb` with its `smoothing`, `sigmoid` with its `slope` and `shift`, and `stiffness` are as in
    `Drive`; `stretch` is how far the coordinate is from where the spring is slack.
    """

    rotor_inertia: Scalar
    viscous: Scalar
    coulomb: Scalar
    smoothing: Scalar | None
    sigmoid: Scalar
    slope: Scalar
    shift: Scalar
    stiffness: Scalar
    stretch: Scalar

    @property
    def acts(self) -> bool:
        """Whether there is friction or a spring."""
        return not all(map(is_zero, (self.viscous, self.coulomb, self.sigmoid, self.stiffness)))

    @property
    def spring(self) -> Scalar:
        """The force that the spring asks of the drive (N m or N)."""
        return self.stiffness * self.stretch

    def friction(self, domain: Domain, rate: Scalar) -> Scalar:
        """The force that friction asks of the drive (N m or N) at the joint velocity `rate` (rad/s or m/s)."""
        total = self.viscous * rate
        if not is_zero(self.coulomb):
            direction = domain.sign(rate) if self.smoothing is None else domain.tanh(rate / self.smoothing)
            total = total + self.coulomb * direction
        if not is_zero(self.sigmoid):
            # 1/(1 + exp(−x)) = (1 + tanh(x/2))/2
            half = domain.constant(1) / domain.constant(2)
            rise = domain.tanh(half * self.slope * (rate + self.shift)) - domain.tanh(half * self.slope * self.shift)
            total = total + half * self.sigmoid * rise
        return total

    def friction_slope(self, domain: Domain, rate: Scalar) -> Scalar:
        """The derivative of `friction` by the velocity; that of the sign counts as 0."""
        one, total = domain.constant(1), self.viscous
        if not is_zero(self.coulomb) and self.smoothing is not None:
            direction = domain.tanh(rate / self.smoothing)
            total = total + self.coulomb / self.smoothing * (one - direction * direction)
        if not is_zero(self.sigmoid):
            half = one / domain.constant(2)
            level = domain.tanh(half * self.slope * (rate + self.shift))
            total = total + half * half * self.sigmoid * self.slope * (one - level * level)
        return total

    def friction_curvature(self, domain: Domain, rate: Scalar) -> Scalar:
        """The second derivative of `friction` by the velocity; that of the sign counts as 0."""
        one, total = domain.constant(1), domain.constant(0)
        if not is_zero(self.coulomb) and self.smoothing is not None:
            direction = domain.tanh(rate / self.smoothing)
            bend = direction * (one - direction * direction)
            total = total - (self.coulomb + self.coulomb) / (self.smoothing * self.smoothing) * bend
        if not is_zero(self.sigmoid):
            half = one / domain.constant(2)
            level = domain.tanh(half * self.slope * (rate + self.shift))
            bend = level * (one - level * level)
            total = total - half * half * self.sigmoid * self.slope * self.slope * bend
        return total


@dataclass(frozen=True)
class FrameOnBody:
    """A named frame fixed to a body (an index, or `BASE`): orientation and origin in the body's own frame."""

    name: str
    body: int
    rotation: Rotation
    position: Vector


@dataclass(frozen=True)
class CutOnBodies:
    """A cut joint: its kind, the frames on two bodies that it ties together, and the length of a rod (m).

    `drive`: friction and spring in the one coordinate of some; its `stretch` is that where the coordinate is 0.
    `axes`: the orientation of the predecessor's frame as the robot has it, in the one here: points need no axes.
    """

    name: str
    kind: CutKind
    predecessor: FrameOnBody
    successor: FrameOnBody
    length: Scalar
    drive: DriveTerms
    axes: Rotation = field(default_factory=Rotation)


@dataclass(frozen=True)
class Ties:
    """Σ ratio · q = offset: entries of q with the indices of their rates, their ratios, and the offset (rad or m)."""

    terms: tuple[tuple[int, int, Scalar], ...]
    offset: Scalar


@dataclass(frozen=True)
class JointPlace:
    """A joint that follows no other: its kind, and its entries of q and of q̇."""

    kind: JointKind
    q: slice
    v: slice


@dataclass(frozen=True)
class Mechanism:
    """A tree of bodies over a domain; parents come before their children. `joints` are those that follow no other.

    `gravity`, 3, is in the base frame (m/s²). `wrenches`: what the environment does to frames, [n; f] (N m, N) about a
    frame's origin, in its axes. `cuts` and `ties` are the constraints of a robot with loops, `spins` frames to which
    lines lead that their bodies do not spin about; `plan`, None for a tree, says how other rates follow from the
    independent ones. `actuated`: indices in q̇ of what motors drive, where they are more than the freedoms. `contacts`:
    contact set → its cut joints, which are none of `cuts`.
    `remake` makes the same mechanism over another domain, such as dual numbers.
    """

    domain: Domain
    bodies: tuple[Body, ...]
    gravity: Vector
    nv: int
    frames: tuple[FrameOnBody, ...] = ()
    wrenches: tuple[tuple[FrameOnBody, Vector], ...] = ()
    joints: tuple[JointPlace, ...] = ()
    cuts: tuple[CutOnBodies, ...] = ()
    ties: tuple[Ties, ...] = ()
    spins: tuple[FrameOnBody, ...] = ()
    plan: Plan | None = None
    actuated: tuple[int, ...] = ()
    contacts: Mapping[str, tuple[CutOnBodies, ...]] = field(default_factory=dict)
    remake: Callable[[Domain], Mechanism] | None = field(default=None, compare=False, repr=False)

    @property
    def nq(self) -> int:
        """Number of entries of q."""
        return max((joint.q.stop for joint in self.joints), default=0)

    @property
    def ni(self) -> int:
        """Number of independent rates: nv, unless there are loops."""
        return self.nv if self.plan is None else len(self.plan.independent)

    @property
    def is_tied(self) -> bool:
        """Whether joints follow others: then bodies share indices in q̇, and what a rate moves is no single joint."""
        indices = [index for body in self.bodies for index in body.velocities]
        return len(set(indices)) < len(indices)

    @property
    def rotor_inertias(self) -> list[Scalar]:
        """The rotor inertia seen by each joint velocity, nv (kg m² or kg)."""
        return self._drives(lambda body, _: _twice(body, body.drive.rotor_inertia))

    def drive_forces(self, velocity: Sequence[Scalar]) -> list[Scalar]:
        """What friction and springs ask of the drives of each joint velocity at q̇ = `velocity`, nv (N m or N)."""
        return self._drives(lambda body, index: _once(body, self._drive_force(body, velocity[index])))

    def _drive_force(self, body: Body, rate: Scalar) -> Scalar:
        friction = body.drive.friction(self.domain, _once(body, rate))
        return friction if is_zero(body.drive.stiffness) else friction + body.drive.spring

    @property
    def stiffnesses(self) -> list[Scalar]:
        """The derivative of what springs ask of each joint velocity's drives by its coordinate, nv (N m/rad or N/m)."""
        return self._drives(lambda body, _: _twice(body, body.drive.stiffness))

    def friction_slopes(self, velocity: Sequence[Scalar]) -> list[Scalar]:
        """The derivative of each joint velocity's friction force by that velocity, nv (N m s/rad or N s/m)."""
        return self._drives(
            lambda body, index: _twice(body, body.drive.friction_slope(self.domain, _once(body, velocity[index])))
        )

    def friction_curvatures(self, velocity: Sequence[Scalar]) -> list[Scalar]:
        """The second derivative of each joint velocity's friction force by it, nv (N m s²/rad² or N s²/m²)."""

        def curvature(body: Body, index: int) -> Scalar:
            return _twice(body, _once(body, body.drive.friction_curvature(self.domain, _once(body, velocity[index]))))

        return self._drives(curvature)

    def _drives(self, of: Callable[[Body, int], Scalar]) -> list[Scalar]:
        """What the drives of the bodies do at each joint velocity, together."""
        result = list(zeros(self.domain, self.nv))
        for body in self.bodies:
            for index in body.velocities:
                result[index] = result[index] + of(body, index)
        return result

    def frame(self, name: str) -> FrameOnBody:
        """The frame called `name`; `KeyError` if there is none."""
        return {frame.name: frame for frame in self.frames}[name]

    def ancestors(self, index: int) -> Iterable[int]:
        """Indices of the bodies between body `index` (excluded) and the base, outermost first."""
        index = self.bodies[index].parent
        while index != BASE:
            yield index
            index = self.bodies[index].parent


def _once(body: Body, value: Scalar) -> Scalar:
    """A rate of the joint's own coordinate per one in q̇, or a force the other way round."""
    return value if body.ratio is None else body.ratio * value


def _twice(body: Body, value: Scalar) -> Scalar:
    return _once(body, _once(body, value))
