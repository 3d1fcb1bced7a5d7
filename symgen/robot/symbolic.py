"""Symbolic parameters: the numbers of a table replaced by parameters with standard names.

A link's mass, mass centre, inertia, lengths become m2, cx2, cy2, cz2, Ixx2 … Iyz2, a2, b2 (d2 in modified tables), with
the numbers as default values. Zeros stay zeros, since they are what makes formulas short. Twists stay numeric, and so
does what the file has already declared as a parameter.
"""

from __future__ import annotations

from dataclasses import replace

from symgen.algebra.exact import Exact
from symgen.robot.expression import Expression, symbol
from symgen.robot.model import Elementary, Inertia, Link, Placement, Robot, Row

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
        self.along = "b" if convention == "standard" else "d"

    def link(self, link: Link) -> Link:
        row = link.row
        if row is not None:
            row = replace(row, a=self.symbol("a", row.a), b=self.symbol(self.along, row.b))
        return replace(
            link,
            row=row,
            before=self._placement(link.before, link.row, row),
            after=self._placement(link.after, link.row, row),
            inertia=self._inertia(link.inertia),
        )

    def symbol(self, stem: str, value: Expression) -> Expression:
        """The parameter that stands for `value`; 0 and what holds parameters already stay as they are."""
        if not value.is_constant or value.is_zero:
            return value
        name = f"{stem}{self.number}"
        while name in self.parameters:
            name += "_"
        self.parameters[name] = value.constant({})
        return symbol(name)

    def _placement(self, placement: Placement, old: Row | None, new: Row | None) -> Placement:
        """The placement with the row's lengths replaced: b along z, a along x."""
        if old is None or new is None:
            return placement
        lengths = {(2, old.b): new.b, (0, old.a): new.a}
        return tuple(
            part if part.rotates else Elementary(False, part.axis, lengths.get((part.axis, part.amount), part.amount))
            for part in placement
        )

    def _inertia(self, inertia: Inertia) -> Inertia:
        cx, cy, cz = (self.symbol(f"c{axis}", entry) for axis, entry in zip("xyz", inertia.com, strict=True))
        xx, yy, zz, xy, xz, yz = (self.symbol(stem, entry) for stem, entry in zip(_TENSOR, inertia.tensor, strict=True))
        return replace(inertia, mass=self.symbol("m", inertia.mass), com=(cx, cy, cz), tensor=(xx, yy, zz, xy, xz, yz))
