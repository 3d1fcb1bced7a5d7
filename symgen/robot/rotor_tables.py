"""What a robot file says of rotors, checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symgen.algebra.exact import Exact
from symgen.robot.findings import Findings, place_of
from symgen.robot.model import BASE, Link, Vector
from symgen.robot.names import shortened
from symgen.robot.rotors import Rotor
from symgen.robot.schema import LinkTable


def read(
    rows: Sequence[LinkTable],
    links: Sequence[Link],
    names: Mapping[str, int],
    defaults: Mapping[str, Exact],
    findings: Findings,
) -> Iterator[Rotor]:
    """The rotors of links' tables; what is wrong with one is told to `findings`."""
    for index, (row, link) in enumerate(zip(rows, links, strict=True)):
        keys = ("rotor_inertia", "gear_ratio", *(f"rotor.axis[{entry}]" for entry in (1, 2, 3)))
        if row.rotor is None or any(findings.about(place_of(row, index, key)) for key in keys):
            continue
        given = row.rotor
        carrier = link.parent if given.carrier is None else {"base": BASE, **names}.get(given.carrier)
        axis = None if given.axis is None else (given.axis[0], given.axis[1], given.axis[2])
        problem = _problem(link) or _axis_problem(axis, defaults)
        if carrier is None:
            known = ", ".join(["base", *list(names)[:20]])
            problem = problem or (
                "carrier",
                f"no link is called {shortened(str(given.carrier), 40)!r}; there are: {known}",
            )
        elif not problem:
            problem = _carrier_problem(links, link, carrier, has_axis=axis is not None)
        if problem:
            key, text = problem
            findings.problem(place_of(row, index, f"rotor.{key}" if key else "rotor"), text)
        elif carrier is not None:
            yield Rotor(index, carrier, axis)


Problem = tuple[str, str] | None
"""The key that is wrong, "" for all of them, and what is wrong with it."""


def _problem(link: Link) -> Problem:
    drive = link.joint.drive
    if link.joint.nv != 1:
        return "", f"a {link.joint.kind.value} joint has no drive, and so no rotor: only joints of one coordinate have"
    if drive.rotor_inertia.is_zero:
        return "", "it says nothing without rotor_inertia, in kg m² about its axis"
    if not drive.gear_ratio.is_constant or drive.gear_ratio.constant({}).rational is None:
        return "", (
            f"a rotor that has a place needs a rational gear_ratio, found {shortened(str(drive.gear_ratio), 40)}; "
            "write a decimal or a fraction, or leave `rotor` out"
        )
    return None


def _axis_problem(axis: Vector | None, defaults: Mapping[str, Exact]) -> Problem:
    if axis is not None and not any(entry.constant(defaults) for entry in axis):
        return "axis", "expected a direction, such as [0, 0, 1], found 0, 0, 0"
    return None


def _carrier_problem(links: Sequence[Link], link: Link, carrier: int, *, has_axis: bool) -> Problem:
    if not has_axis and carrier not in (link.parent, BASE):
        return "axis", (
            f"missing; without it the axis is the joint's own, which is fixed in the parent of {link.name!r} but not "
            f"in {links[carrier].name!r}; give the rotor's axis in the frame of that link"
        )
    if carrier != BASE and links[carrier].inertia.mass.is_zero:
        return "carrier", (
            f"the link {links[carrier].name!r} has no mass, but the mass and inertia of a link are to hold those of "
            "the motors that it carries, at rest; give it them, or name the link that has them"
        )
    return None
