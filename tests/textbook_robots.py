"""Robots as textbooks draw them, at random: equal or shrinking links, point masses, rods, no mass or any."""

from __future__ import annotations

import random
from fractions import Fraction

MASSES = {
    "unit": ("1",),
    "equal": ("2.5",),
    "tiny": ("1e-7", "1e-6", "1e-5"),
    "huge": ("1e4", "5e3", "1e3"),
    "mixed": ("1", "0", "2", "0.5"),
    "wild": ("1e-7", "1e-3", "0", "1", "50", "1e4"),
}
"""kg."""

LENGTHS = ("0.1", "0.2", "0.3", "0.4", "0.5", "0.7", "1")
GRAVITIES = ("[0, -9.81, 0]", "[0, 0, -9.81]", "[0, 0, 0]", "[-9.81, 0, 0]")

EQUAL_LINKS = (
    """
name = "equal_links"
convention = "standard"
gravity = [0, -9.81, 0]
inertia_about = "com"
"""
    + 3
    * """
[[links]]
joint = "revolute"
a = 0.5
mass = 1
com = [0, 0, 0]
"""
)
"""Three equal links with point masses at their far ends: one passes by the axis of another."""

MASSLESS_MIDDLE = """
name = "massless_middle"
convention = "modified"
gravity = [0, -9.81, 0]
inertia_about = "com"
""" + "".join(
    f"""
[[links]]
joint = "revolute"
a = {a}
mass = {mass}
com = [0.3, 0, 0]
"""
    for a, mass in ((0, 1), (0.5, 0), (0.5, 1))
)
"""A link without mass between two point masses: conditions of the inertia matrix up to 1e8 and more."""


def textbook_robot(seed: int) -> str:
    """The text of a robot file; the same for the same seed."""
    pick = random.Random(seed)
    planar = pick.random() < 0.5
    convention = pick.choice(("standard", "modified"))
    about = pick.choice(("com", "origin"))
    masses = MASSES[pick.choice(tuple(MASSES))]
    lengths = _lengths(pick, pick.randint(1, 6))
    lines = [
        f'name = "textbook_{seed}"',
        f'convention = "{convention}"',
        f"gravity = {pick.choice(GRAVITIES)}",
        f'inertia_about = "{about}"',
    ]
    for index, length in enumerate(lengths):
        mass = pick.choice(masses)
        if index == len(lengths) - 1 and mass == "0":
            mass = "1"
        lines += _link(pick, planar, convention, about, index, length, mass)
    return "\n".join(lines) + "\n"


def _lengths(pick: random.Random, count: int) -> list[Fraction]:
    """Equal lengths, any, or each a tenth of the one before."""
    first, way = Fraction(pick.choice(LENGTHS)), pick.choice(("equal", "equal", "any", "shrinking"))
    if way == "shrinking":
        return [first / 10**k for k in range(count)]
    return [first if way == "equal" else Fraction(pick.choice(LENGTHS)) for _ in range(count)]


def _link(
    pick: random.Random, planar: bool, convention: str, about: str, index: int, length: Fraction, mass: str
) -> list[str]:
    size, weight = float(length), float(mass)
    turns = planar or pick.random() < 0.8
    a = size if (planar or pick.random() < 0.6) and not (convention == "modified" and index == 0) else 0
    alpha = "0" if planar else pick.choice(("0", "pi/2", "-pi/2", "pi/2", "pi/4", "0.3"))
    far = 0.0 if convention == "standard" else size
    near = far - size
    com, moments = pick.choice(
        (
            ((far, 0.0, 0.0), (0.0, 0.0, 0.0)),
            (((far + near) / 2, 0.0, 0.0), (0.0, weight * size**2 / 12, weight * size**2 / 12)),
            (((far + near) / 2, 0.0, 0.0), (0.0, 0.0, 0.0)),
            ((far - 0.3, 0.1 * size, 0.05 * size), tuple(weight * size**2 / k for k in (20, 16, 14))),
        )
    )
    tensor = dict(zip(("xx", "yy", "zz"), moments, strict=True))
    if about == "origin":
        x, y, z = com
        tensor["xx"] += weight * (y * y + z * z)
        tensor["yy"] += weight * (x * x + z * z)
        tensor["zz"] += weight * (x * x + y * y)
        tensor |= {"xy": -weight * x * y, "xz": -weight * x * z, "yz": -weight * y * z}
    entries = ", ".join(f'{key} = "{value!r}"' for key, value in tensor.items() if value)
    return [
        "",
        "[[links]]",
        f'joint = "{"revolute" if turns else "prismatic"}"',
        f'a = "{a!r}"',
        f'alpha = "{alpha}"',
        *([f'd = "{size / 2!r}"'] if turns and not planar and pick.random() < 0.4 else []),
        f'mass = "{mass}"',
        f"com = [{', '.join(f'{value!r}' for value in com)}]",
        f"inertia = {{ {entries} }}",
    ]
