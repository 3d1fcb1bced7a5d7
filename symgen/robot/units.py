"""Units that are not SI: a slip of a thousand shows in the ratios of a robot's lengths, masses and inertia.

A mass centre in millimetres has the ratio to the lengths that a payload on a wrist of short links may have, and a table
in consistent units that are not SI has densities of its own; so a body is taken to be in other units only where ratio
and density both are far off what machines have. Point masses, and links without mass or length, are not judged by what
they lack.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from symgen.robot.model import Robot

FAR = 20
"""A mass centre or a radius of gyration of more times the longest link is out of all proportion."""

THIN = 1e-2
"""A body of less mass than this (kg) in a cube of its size (m) is thinner than any machine."""

VAST = 1e-5
"""A robot of less mass than this (kg) in a cube of its longest link (m) is thinner than any machine."""

DENSE = 1e10
"""A body of more mass than this (kg) in a cube of its radius of gyration (m) is 10,000 times denser than any metal."""

FAST = 100
"""Gravity of more than this (m/s²) says that the units are consistent, but not SI."""

NAMED = 8
"""So many links are named in a notice."""


@dataclass(frozen=True)
class _Body:
    """A link with mass: its mass (kg), the distance of its mass centre (m), the largest principal moment (kg m²)."""

    name: str
    mass: float
    com: float
    moment: float

    @property
    def gyration(self) -> float:
        """The radius of gyration, m."""
        return math.sqrt(self.moment / self.mass)


def notices(robot: Robot) -> tuple[str, ...]:
    """One notice, if numbers look as if they were in other units than SI: which, of which links, and what to write."""
    bodies = list(_bodies(robot))
    length = _longest(robot) or max((body.com for body in bodies), default=0.0)
    found = [*_lengths(robot, bodies, length), *_centres(bodies, length), *_moments(bodies, length), *_masses(bodies)]
    return (f"units: {'; '.join(found)}",) if found else ()


def _bodies(robot: Robot) -> Iterator[_Body]:
    values = robot.defaults
    for link in robot.links:
        given = link.inertia
        mass, *com = (float(entry.constant(values)) for entry in (given.mass, *given.com))
        xx, yy, zz, xy, xz, yz = (float(entry.constant(values)) for entry in given.tensor)
        moments = np.linalg.eigvalsh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        if mass > 0:
            yield _Body(link.name, mass, math.hypot(*com), float(np.abs(moments).max()))


def _longest(robot: Robot) -> float:
    """The longest shift of a row, m."""
    parts = (part for link in robot.links for part in (*link.before, *link.after) if not part.rotates)
    return max((abs(float(part.amount.constant(robot.defaults))) for part in parts), default=0.0)


def _lengths(robot: Robot, bodies: Sequence[_Body], length: float) -> Iterator[str]:
    total = sum(body.mass for body in bodies)
    gravity = math.hypot(*(float(entry.constant(robot.defaults)) for entry in robot.gravity))
    if 0 < total < VAST * length**3 and gravity < FAST:
        yield (
            f"lengths reach {length:g} m in a robot of {total:g} kg: if they are in mm, write {length / 1000:g} for "
            f"{length:g}, and kg mm² of inertia times 1e-6"
        )


def _centres(bodies: Sequence[_Body], length: float) -> Iterator[str]:
    far = [body for body in bodies if body.com > FAR * length and body.mass < THIN * body.com**3]
    if far and length:
        worst = max(far, key=lambda body: body.com)
        yield (
            f"the mass centre of {worst.name} is {worst.com:.4g} m from its frame, where no length of the robot is "
            f"more than {length:g} m: if these are mm, write {worst.com / 1000:.4g} for {worst.com:.4g} ({_named(far)})"
        )


def _moments(bodies: Sequence[_Body], length: float) -> Iterator[str]:
    wide = [body for body in bodies if body.gyration > FAR * length and body.mass < THIN * body.gyration**3]
    # A link of next to no mass may stand for the inertia of a rotor: what the robot's whole mass could have is none.
    total = sum(body.mass for body in bodies)
    if length and any(body.moment > total * (FAR * length) ** 2 for body in wide):
        worst = max(wide, key=lambda body: body.moment)
        yield (
            f"{worst.moment:.4g} kg m² with {worst.mass:g} kg make a radius of gyration of {worst.gyration:.4g} m for "
            f"{worst.name}, where no length of the robot is more than {length:g} m: if these are kg mm², write "
            f"{worst.moment * 1e-6:.4g}, times 1e-6 ({_named(wide)})"
        )


def _masses(bodies: Sequence[_Body]) -> Iterator[str]:
    solid = [body for body in bodies if body.moment > 0]
    if solid and all(body.mass > DENSE * body.gyration**3 for body in solid):
        worst = max(solid, key=lambda body: body.mass)
        yield (
            f"{worst.mass:g} kg with {worst.moment:.4g} kg m² make a radius of gyration of {worst.gyration:.2g} m for "
            f"{worst.name}, denser than any metal: if masses are in g, write {worst.mass / 1000:g} ({_named(solid)})"
        )


def _named(bodies: Sequence[_Body]) -> str:
    names = [body.name for body in bodies]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{'link' if len(names) == 1 else 'links'} {', '.join(names[:NAMED])}{more}"
