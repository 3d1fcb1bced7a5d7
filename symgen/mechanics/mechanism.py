"""A robot over a domain of scalars: the tree of moving bodies that the recursions run over.

Fixed links are lumped into the body that carries them. Every body has a frame on its joint's axis (z): a constant
transform leads from the parent's frame to the joint, then the joint moves the frame. Inertia is about that frame's
origin, as mass, first moment and second moment, whatever the convention of the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from symgen.algebra.domain import Domain, Scalar, Vector, dot, vector, zeros
from symgen.algebra.exact import ZERO, cos_sin
from symgen.errors import LimitError
from symgen.mechanics.inertia import SpatialInertia, add_symmetric
from symgen.mechanics.rotation import Rotation, Turn, symmetric
from symgen.robot.expression import Expression
from symgen.robot.model import BASE, Elementary, Inertia, JointKind, Link, Placement, Robot


@dataclass(frozen=True)
class Body:
    """A moving body and its joint.

    `number` is the number of its link in the table, from 1. `parent` is an index into the mechanism's bodies or
    `BASE`. `rotation` and `position` lead from the parent's frame to this one at the present q. `subspace` holds the
    columns [ω; v] of the joint's motion in the body's frame; `velocities` are their indices in q̇.
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


@dataclass(frozen=True)
class Mechanism:
    """A tree of bodies over a domain; parents come before their children."""

    domain: Domain
    bodies: tuple[Body, ...]
    gravity: Vector
    nv: int

    def ancestors(self, index: int) -> Iterable[int]:
        """Indices of the bodies between body `index` (excluded) and the base, outermost first."""
        index = self.bodies[index].parent
        while index != BASE:
            yield index
            index = self.bodies[index].parent


def instantiate(robot: Robot, domain: Domain, *, symbolic: bool = False) -> Mechanism:
    """`robot` over `domain`; its parameters are symbols of the domain if `symbolic`, else their default values.

    Raises `LimitError` for a robot with cut joints.
    """
    if robot.cut_joints:
        raise LimitError(f"{robot.name}: closed loops are not supported; remove the cut joints")
    return _Instantiation(robot, domain, symbolic).run()


class _Instantiation:
    def __init__(self, robot: Robot, domain: Domain, symbolic: bool) -> None:
        self.robot = robot
        self.domain = domain
        self.symbolic = symbolic
        self.defaults = robot.defaults
        self.bodies: list[Body] = []
        self.carriers: list[tuple[int, Placement]] = []

    def run(self) -> Mechanism:
        for index, q, v in self.robot.coordinates():
            self._add(index, q, v)
        gravity = vector(self.scalar(entry) for entry in self.robot.gravity)
        return Mechanism(self.domain, tuple(self.bodies), gravity, self.robot.nv)

    def scalar(self, expression: Expression) -> Scalar:
        if self.symbolic and not expression.is_constant:
            return expression.evaluate(self.domain.constant, self.domain.parameter)
        return self.domain.constant(expression.constant(self.defaults))

    def _add(self, index: int, q: slice, v: slice) -> None:
        link = self.robot.links[index]
        carrier, placement = self._carrier_of(link)
        inertia = self._inertia(link)
        if link.joint.kind is JointKind.FIXED:
            self.carriers.append((carrier, placement))
            if carrier != BASE:
                self._lump(carrier, inertia, placement)
            return
        self.carriers.append((len(self.bodies), ()))
        rotation, position = self._transform(placement)
        rotation, position = self._moved(link, q.start, rotation, position)
        self.bodies.append(
            Body(
                number=index + 1,
                name=link.name,
                joint=link.joint.name,
                parent=carrier,
                rotation=rotation,
                position=position,
                subspace=tuple(vector(map(self.domain.constant, column)) for column in link.joint.subspace),
                velocities=tuple(range(v.start, v.stop)),
                inertia=inertia,
            )
        )

    def _carrier_of(self, link: Link) -> tuple[int, Placement]:
        """The body that carries the link's joint, and the constant transform from its frame to the joint."""
        if link.parent == BASE:
            return BASE, self.robot.base + link.before
        carrier, placement = self.carriers[link.parent]
        return carrier, placement + self.robot.links[link.parent].after + link.before

    def _lump(self, carrier: int, inertia: SpatialInertia, placement: Placement) -> None:
        body = self.bodies[carrier]
        total = body.inertia + inertia.moved(*self._transform(placement))
        self.bodies[carrier] = Body(**{**body.__dict__, "inertia": total})

    def _moved(self, link: Link, q: int, rotation: Rotation, position: Vector) -> tuple[Rotation, Vector]:
        """The transform after the joint's motion: a turn about, or a shift along, its z axis."""
        if link.joint.kind is JointKind.REVOLUTE:
            c, s = self.domain.cos_sin(q, self._offset(link.joint.offset))
            return rotation.then(Rotation((Turn(2, c, s),))), position
        shift = vector([self.domain.constant(0), self.domain.constant(0), self.domain.variable("q", q)])
        return rotation, position + rotation.outward(shift)

    def _offset(self, offset: Expression) -> Any:
        if self.symbolic and not offset.is_constant:
            return self.scalar(offset)
        return offset.constant(self.defaults)

    def _transform(self, placement: Placement) -> tuple[Rotation, Vector]:
        """(rotation, position) of a sequence of elementary transforms."""
        rotation, position = Rotation(), zeros(self.domain, 3)
        for part in merged(placement):
            if part.rotates:
                rotation = rotation.then(self._turn(part))
            else:
                shift = zeros(self.domain, 3)
                shift[part.axis] = self.scalar(part.amount)
                position = position + rotation.outward(shift)
        return rotation, position

    def _turn(self, part: Elementary) -> Rotation:
        angle = part.amount.constant(self.defaults)
        if angle == ZERO:
            return Rotation()
        c, s = cos_sin(angle)
        return Rotation((Turn(part.axis, self.domain.constant(c), self.domain.constant(s)),))

    def _inertia(self, link: Link) -> SpatialInertia:
        """The link's inertia about the origin of its own frame."""
        given = link.inertia
        mass = self.scalar(given.mass)
        com = vector(self.scalar(entry) for entry in given.com)
        axes, _ = self._transform(given.axes)
        tensor = axes.outward_symmetric(symmetric(self.domain, *map(self.scalar, given.tensor)))
        rotation, position = self._transform(link.after)
        if given.about_origin:
            return SpatialInertia(mass, mass * com, tensor).moved(rotation, position)
        return self._about_centre(given, mass, position + rotation.outward(com), rotation.outward_symmetric(tensor))

    def _about_centre(self, given: Inertia, mass: Scalar, com: Vector, tensor: Any) -> SpatialInertia:
        moment = mass * com
        steiner = -mass * _outer(com)
        for i in range(3):
            steiner[i, i] = mass * (dot(com, com) - com[i] * com[i])
        return SpatialInertia(mass, moment, add_symmetric(tensor, steiner))


def _outer(x: Vector) -> Any:
    return x.reshape(3, 1) * x.reshape(1, 3)


def merged(placement: Placement) -> Placement:
    """The placement with neighbours on the same axis joined: turns added to turns, shifts to shifts."""
    result: list[Elementary] = []
    for part in placement:
        if result and result[-1].rotates == part.rotates and result[-1].axis == part.axis:
            last = result.pop()
            part = Elementary(part.rotates, part.axis, last.amount + part.amount)
        if not part.amount.is_zero:
            result.append(part)
    return tuple(result)
