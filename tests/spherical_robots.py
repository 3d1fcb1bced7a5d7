"""An arm with a spherical joint, and the same arm with three revolute joints whose axes meet in its place."""

from __future__ import annotations

from symgen.robot.model import Robot
from symgen.robot.reader import read_text

_HEAD = """
name = "{name}"
convention = "placed"
gravity = [0, 0, -9.81]
inertia_about = "com"
"""

_LINK = """
[[links]]
name = "{name}"
joint = "{joint}"
xyz = {xyz}
rpy = {rpy}
{rest}
"""

_SHOULDER = """
axis = [0, 0, 1]
mass = 4.0
com = [0.1, 0.02, 0.03]
inertia = { xx = 0.02, yy = 0.05, zz = 0.04, xy = 0.001, xz = -0.002, yz = 0.003 }
"""

_UPPER = """
mass = 2.5
com = [0.15, 0.01, -0.02]
inertia = { xx = 0.01, yy = 0.03, zz = 0.035, xy = 0.002, xz = 0.001, yz = -0.001 }
"""

_LOWER = """
axis = [0, 0, 1]
mass = 1.5
com = [0.12, -0.01, 0.02]
inertia = { xx = 0.004, yy = 0.012, zz = 0.011, xy = -0.001, xz = 0.0005, yz = 0.0004 }
"""

PLACE = ("[0.3, 0.05, 0.1]", '["pi/3", 0, 0.2]')
AT_ONCE = ("[0, 0, 0]", "[0, 0, 0]")
MASSLESS = "axis = {axis}"


def _text(name: str, middle: list[tuple[str, tuple[str, str], str]]) -> Robot:
    links = [
        ("revolute", ("[0, 0, 0.4]", '["pi/2", 0, 0]'), _SHOULDER),
        *middle,
        ("revolute", ("[0.3, 0, 0]", '["pi/2", "pi/4", 0]'), _LOWER),
    ]
    text = _HEAD.format(name=name) + "".join(
        _LINK.format(name=f"link{k}", joint=joint, xyz=xyz, rpy=rpy, rest=rest)
        for k, (joint, (xyz, rpy), rest) in enumerate(links, start=1)
    )
    return read_text(text, f"{name}.toml")


def spherical() -> Robot:
    """With the joint whole: its rate is ω."""
    return _text("whole", [("spherical", PLACE, _UPPER)])


def three_revolutes() -> Robot:
    """With turns about z, y and x, and links without mass between."""
    turns = [MASSLESS.format(axis=axis) for axis in ("[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]")]
    return _text(
        "split",
        [("revolute", PLACE, turns[0]), ("revolute", AT_ONCE, turns[1]), ("revolute", AT_ONCE, turns[2] + _UPPER)],
    )


def spherical_zyx() -> Robot:
    """With these turns as one joint."""
    return _text("angles", [("spherical_zyx", PLACE, _UPPER)])
