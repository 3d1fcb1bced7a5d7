"""Drives of joints: rotor inertia, friction and springs as a robot file gives them, checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symgen.algebra.exact import Exact
from symgen.robot.expression import Expression
from symgen.robot.findings import Findings
from symgen.robot.joints import kind_called
from symgen.robot.model import NO_DRIVE, Drive
from symgen.robot.schema import LinkTable

FIELDS = {
    "rotor_inertia": "rotor_inertia",
    "gear_ratio": "gear_ratio",
    "viscous_friction": "viscous",
    "coulomb_friction": "coulomb",
    "coulomb_smoothing": "smoothing",
    "sigmoid_friction": "sigmoid",
    "sigmoid_slope": "slope",
    "sigmoid_shift": "shift",
    "stiffness": "stiffness",
    "rest_position": "rest",
}
"""Key of a link's table that describes the drive of its joint → field of the drive."""

KEYS = tuple(FIELDS)
"""Keys of a link's table that describe the drive of its joint."""

_NEVER_NEGATIVE = {
    "rotor_inertia": "a rotor inertia of at least 0 kg m²",
    "viscous_friction": "a viscous friction of at least 0",
    "coulomb_friction": "a Coulomb friction of at least 0",
    "coulomb_smoothing": "a smoothing velocity of at least 0 (0: the sign is not smoothed)",
    "sigmoid_friction": "a sigmoid friction of at least 0",
    "sigmoid_slope": "a slope of the sigmoid of at least 0",
    "stiffness": "a stiffness of at least 0",
}

COMPANIONS = {
    "sigmoid_friction": ("sigmoid_slope", "sigmoid_shift"),
    "sigmoid_slope": ("sigmoid_friction",),
    "stiffness": ("rest_position",),
}
"""Key → the keys that say nothing without it."""

_MEANINGS = {
    "sigmoid_friction": "how large the sigmoid's friction is, in N m or N",
    "sigmoid_slope": "how steep the sigmoid is, in s/rad or s/m",
    "stiffness": "how stiff the spring is, in N m/rad or N/m",
}

ACTING = tuple(key for key in FIELDS if key not in ("rotor_inertia", "gear_ratio"))
"""Those of them that need no motor: keys of a table of loops too."""

_NO_DRIVE = "a fixed joint has no drive: no rotor inertia, no friction and no spring"

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
    return checked(given, place, defaults, findings)


def checked(
    given: Mapping[str, Expression], place: Callable[[str], str], defaults: Mapping[str, Exact], findings: Findings
) -> Drive:
    """The drive that these keys describe; what is wrong with them is noted in `findings`."""
    for key, value in given.items():
        if not findings.about(place(key)):
            _check(key, value, place(key), defaults, findings)
    for key, others in COMPANIONS.items():
        needing = [other for other in others if other in given]
        if needing and key not in given:
            findings.problem(place(key), f"missing; {needing[0]} says nothing without it: {_MEANINGS[key]}")
    return Drive(**{FIELDS[key]: value for key, value in given.items()})


def _check(key: str, value: Expression, place: str, defaults: Mapping[str, Exact], findings: Findings) -> None:
    number = float(value.constant(defaults))
    if key == "gear_ratio":
        if not number:
            findings.problem(place, "expected a gear ratio, motor turns per turn of the joint, found 0")
    elif key in _NEVER_NEGATIVE and number < 0:
        findings.problem(place, f"expected {_NEVER_NEGATIVE[key]}, found {number:g}")
    elif key == "coulomb_smoothing" and not number and not value.is_constant:
        findings.problem(
            place,
            "the smoothing velocity is 0 at the parameters' default values; give it a default above 0, or write 0 for "
            "the exact sign",
        )
