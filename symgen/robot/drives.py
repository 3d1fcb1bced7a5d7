"""Drives of joints: rotor inertia and friction as a robot file gives them, checked."""

from __future__ import annotations

from collections.abc import Callable

from symgen.algebra.exact import Exact
from symgen.robot.expression import ONE, ZERO, Expression
from symgen.robot.findings import Findings
from symgen.robot.joints import kind_called
from symgen.robot.model import NO_DRIVE, Drive
from symgen.robot.schema import LinkTable

KEYS = ("rotor_inertia", "gear_ratio", "viscous_friction", "coulomb_friction", "coulomb_smoothing")
"""Keys of a link's table that describe the drive of its joint."""

_NEVER_NEGATIVE = {
    "rotor_inertia": "a rotor inertia of at least 0 kg m²",
    "viscous_friction": "a viscous friction of at least 0",
    "coulomb_friction": "a Coulomb friction of at least 0",
    "coulomb_smoothing": "a smoothing velocity of at least 0 (0: the sign is not smoothed)",
}

_NO_DRIVE = "a fixed joint has no drive: no rotor inertia and no friction"

_SEVERAL = (
    "a {kind} joint has several coordinates, and a drive acts on one: write it as joints of one coordinate each, with "
    "links without mass between, and give these the drives"
)


def drive(row: LinkTable, place: Callable[[str], str], defaults: dict[str, Exact], findings: Findings) -> Drive:
    """The drive of a link's joint; `place` makes the place of a key in messages."""
    given = {key: value for key in KEYS if (value := getattr(row, key)) is not None}
    kind = kind_called(row.joint)
    if kind.nv != 1:
        for key in given:
            findings.problem(place(key), _NO_DRIVE if not kind.nv else _SEVERAL.format(kind=kind.value))
        return NO_DRIVE
    for key, value in given.items():
        if not findings.about(place(key)):
            _check(key, value, place(key), defaults, findings)
    return Drive(
        rotor_inertia=given.get("rotor_inertia", ZERO),
        gear_ratio=given.get("gear_ratio", ONE),
        viscous=given.get("viscous_friction", ZERO),
        coulomb=given.get("coulomb_friction", ZERO),
        smoothing=given.get("coulomb_smoothing", ZERO),
    )


def _check(key: str, value: Expression, place: str, defaults: dict[str, Exact], findings: Findings) -> None:
    number = float(value.constant(defaults))
    if key == "gear_ratio":
        if not number:
            findings.problem(place, "expected a gear ratio, motor turns per turn of the joint, found 0")
    elif number < 0:
        findings.problem(place, f"expected {_NEVER_NEGATIVE[key]}, found {number:g}")
    elif key == "coulomb_smoothing" and not number and not value.is_constant:
        findings.problem(
            place,
            "the smoothing velocity is 0 at the parameters' default values; give it a default above 0, or write 0 for "
            "the exact sign",
        )
