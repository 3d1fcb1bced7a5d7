"""The colours of pictures, light and dark: Okabe and Ito's for what means something, greys for the rest."""

from __future__ import annotations

from collections.abc import Sequence

RGB = tuple[int, int, int]

SHADES = 6
"""Shades of flat faces, from the darkest on."""

DARKEST = 0.62
"""The brightness of a face that light passes along."""

LIGHT: dict[str, RGB] = {
    "body": (158, 170, 186),
    "base": (104, 114, 128),
    "turn": (0, 114, 178),
    "slide": (230, 159, 0),
    "free": (0, 158, 115),
    "passive": (125, 170, 200),
    "cut": (213, 94, 0),
    "mass": (204, 121, 167),
}
DARK: dict[str, RGB] = {
    "body": (172, 184, 200),
    "base": (116, 128, 144),
    "turn": (56, 160, 220),
    "slide": (240, 178, 50),
    "free": (30, 185, 140),
    "passive": (130, 168, 194),
    "cut": (232, 120, 40),
    "mass": (222, 150, 190),
}
_PLAIN: dict[str, dict[str, tuple[RGB, float]]] = {
    "light": {
        "paper": ((255, 255, 255), 1.0),
        "ink": ((28, 36, 48), 1.0),
        "faint": ((28, 36, 48), 0.16),
        "ground": ((120, 140, 165), 0.1),
        "shadow": ((20, 30, 50), 0.1),
    },
    "dark": {
        "paper": ((18, 22, 28), 1.0),
        "ink": ((232, 237, 244), 1.0),
        "faint": ((232, 237, 244), 0.17),
        "ground": ((150, 175, 210), 0.07),
        "shadow": ((0, 0, 0), 0.35),
    },
}
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)
_MIXES = {"l": (_WHITE, 0.42), "m": (_WHITE, 0.1), "d": (_BLACK, 0.38), "e": (_BLACK, 0.55), "f": (_BLACK, 0.0)}
"""Shade → what a colour is mixed with, and how much of it: light, middle, dark, edge, flat."""

AXES: dict[str, RGB] = {"x": (213, 94, 0), "y": (0, 158, 115), "z": (0, 114, 178)}
"""The colours of the axes of frames, in every theme."""


def tone(name: str, theme: str) -> tuple[str, float]:
    """(CSS colour, opacity) of a tone in a theme, "light" or "dark".

    A tone is the name of a plain colour, such as "ink", or of a paint and a shade, such as "body-m": one of the letters
    above, or the number of a shade of flat faces. A paint of six hexadecimal digits is that colour.
    """
    if name in _PLAIN[theme]:
        rgb, opacity = _PLAIN[theme][name]
        return _css(rgb), opacity
    paint, _, shade = name.rpartition("-")
    paints = {**(LIGHT if theme == "light" else DARK), **AXES}
    red, green, blue = paints[paint] if paint in paints else bytes.fromhex(paint)
    return _css(_shaded((red, green, blue), shade)), 1.0


def _shaded(rgb: RGB, shade: str) -> RGB:
    if shade in _MIXES:
        return _mixed(rgb, *_MIXES[shade])
    return _mixed(rgb, _BLACK, (1 - DARKEST) * (1 - int(shade) / (SHADES - 1)))


def paint_of(colour: Sequence[float]) -> str:
    """The paint of a colour of a scene, whose entries go from 0 to 1; that of bodies for none."""
    return bytes(round(255 * entry) for entry in colour[:3]).hex() if colour else "body"


def _mixed(rgb: RGB, other: RGB, share: float) -> RGB:
    red, green, blue = (round(one + (two - one) * share) for one, two in zip(rgb, other, strict=True))
    return red, green, blue


def _css(rgb: RGB) -> str:
    return f"#{bytes(rgb).hex()}"
