"""Symbolic parameters: the numbers of a table replaced by parameters with standard names.

A link's mass, mass centre, inertia, lengths become m2, cx2, cy2, cz2, Ixx2 … Iyz2, a2, b2 (d2 in modified tables), with
the numbers as default values. Zeros stay zeros, since they are what makes formulas short. Twists stay numeric, and so
does what the file has already declared as a parameter.
"""

from __future__ import annotations

from dataclasses import replace

from symgen.algebra.exact import Exact
from symgen.robot.expression import Expression, symbol
from symgen.robot.model import Inertia, Link, Robot
from symgen.robot.rows import split

_TENSOR = ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")


def with_symbols(robot: Robot) -> Robot:
    """`robot` with a parameter for every non-zero number of its links."""
    parameters = robot.defaults
    links = tuple(_Naming(index + 1, parameters, robot.convention).link(link) for index, link in enumerate(robot.links))
    return replace(robot, links=links, parameters=tuple(parameters.items()))


class _Naming:
    def __init__(self, number: int, parameters: dict[str, Exact], convention: str) -> None:
        self.number = number
        self.parameters = parameters
        self.convention = convention
        self.along = "b" if convention == "standard" else "d"

    def link(self, link: Link) -> Link:
        inertia = self._inertia(link.inertia)
        if link.row is None:
            return replace(link, inertia=inertia)
        row = replace(
            link.row,
            a=self.symbol("a", link.row.a),
            b=self.symbol(self.along, link.row.b),
            before=self.symbol("before", link.row.before),
        )
        before, after = split(self.convention, link.joint, row)
        return replace(link, row=row, before=before, after=after, inertia=inertia)

    def symbol(self, stem: str, value: Expression) -> Expression:
        """The parameter that stands for `value`; 0 and what holds parameters already stay as they are."""
        if not value.is_constant or value.is_zero:
            return value
        name = f"{stem}{self.number}"
        while name in self.parameters:
            name += "_"
        self.parameters[name] = value.constant({})
        return symbol(name)

    def _inertia(self, inertia: Inertia) -> Inertia:
        cx, cy, cz = (self.symbol(f"c{axis}", entry) for axis, entry in zip("xyz", inertia.com, strict=True))
        xx, yy, zz, xy, xz, yz = (self.symbol(stem, entry) for stem, entry in zip(_TENSOR, inertia.tensor, strict=True))
        return replace(inertia, mass=self.symbol("m", inertia.mass), com=(cx, cy, cz), tensor=(xx, yy, zz, xy, xz, yz))
