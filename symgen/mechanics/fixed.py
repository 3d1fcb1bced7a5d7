"""What of a robot depends on no state, over a domain: numbers, constant transforms, inertias of links."""

from __future__ import annotations

from typing import Any

from symgen.algebra.angles import cos_sin
from symgen.algebra.domain import Domain, Scalar, Vector, dot, vector, zeros
from symgen.algebra.exact import ZERO
from symgen.mechanics.inertia import SpatialInertia, add_symmetric
from symgen.mechanics.rotation import Rotation, Turn, symmetric
from symgen.robot.expression import Expression
from symgen.robot.model import Elementary, Inertia, Link, Placement, Robot


class Fixed:
    """What does not depend on the state: numbers, constant transforms and inertias of a robot over a domain."""

    def __init__(
        self,
        robot: Robot,
        domain: Domain,
        symbols: frozenset[str] = frozenset(),
        angle_symbols: frozenset[str] = frozenset(),
    ) -> None:
        self.domain = domain
        self.defaults = robot.defaults
        self.symbols = symbols
        self.angle_symbols = angle_symbols

    def scalar(self, expression: Expression) -> Scalar:
        """A number of the robot; symbols in it stay."""
        if self.is_symbolic(expression):
            return expression.evaluate(self.domain.constant, self._parameter)
        return self.domain.constant(expression.constant(self.defaults))

    def is_symbolic(self, expression: Expression) -> bool:
        """Whether a number depends on what stays a symbol."""
        return any(name in self.symbols for name in expression.symbols())

    def _parameter(self, name: str) -> Scalar:
        return self.domain.parameter(name) if name in self.symbols else self.domain.constant(self.defaults[name])

    def transform(self, placement: Placement) -> tuple[Rotation, Vector]:
        """(rotation, position) of a chain of elementary transforms."""
        rotation, position = Rotation(), zeros(self.domain, 3)
        for part in merged(placement):
            if part.rotates:
                rotation = rotation.then(self._turn(part))
            else:
                shift = zeros(self.domain, 3)
                shift[part.axis] = self.scalar(part.amount)
                position = position + rotation.to_parent(shift)
        return rotation, position

    def _turn(self, part: Elementary) -> Rotation:
        if self.angle_symbols.intersection(part.amount.symbols()):
            return Rotation((Turn(part.axis, *self.domain.circle(self.scalar(part.amount))),))
        angle = part.amount.constant(self.defaults)
        if angle == ZERO:
            return Rotation()
        c, s = cos_sin(angle)
        return Rotation((Turn(part.axis, self.domain.constant(c), self.domain.constant(s)),))

    def inertia(self, link: Link) -> SpatialInertia:
        """The link's inertia about the origin of its own frame."""
        given = link.inertia
        mass = self.scalar(given.mass)
        com = vector(self.scalar(entry) for entry in given.com)
        axes, _ = self.transform(given.axes)
        tensor = axes.to_parent_symmetric(symmetric(self.domain, *map(self.scalar, given.tensor)))
        rotation, position = self.transform(link.after)
        if given.about_origin:
            return SpatialInertia(mass, mass * com, tensor).moved(rotation, position)
        return self._about_centre(given, mass, position + rotation.to_parent(com), rotation.to_parent_symmetric(tensor))

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
