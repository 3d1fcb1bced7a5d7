"""The colours of pictures, light and dark: Okabe and Ito's for what means something, greys for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symgen.drawing.picture.solids import DARKEST, SHADES

RGB = tuple[int, int, int]

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
_PLAIN = {
    "light": {
        "paper": "#ffffff",
        "ink": "#1c2430",
        "faint": "rgba(28,36,48,.16)",
        "ground": "rgba(120,140,165,.1)",
        "shadow": "rgba(20,30,50,.1)",
    },
    "dark": {
        "paper": "#12161c",
        "ink": "#e8edf4",
        "faint": "rgba(232,237,244,.17)",
        "ground": "rgba(150,175,210,.07)",
        "shadow": "rgba(0,0,0,.35)",
    },
}
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)


def variables(theme: str, own: Mapping[str, RGB]) -> str:
    """The colours of a theme, "light" or "dark", and a picture's own as CSS variables."""
    colours = {**(LIGHT if theme == "light" else DARK), **own}
    shades = [f"--{paint}-{name}:{css}" for paint, rgb in colours.items() for name, css in _shades(rgb)]
    return ";".join([*(f"--{name}:{css}" for name, css in _PLAIN[theme].items()), *shades])


def edges(own: Mapping[str, RGB]) -> list[str]:
    """The rules for the outlines of solids."""
    return [f".e-{paint}{{stroke:var(--{paint}-e);stroke-width:.8}}" for paint in (*LIGHT, *own)]


def gradients(prefix: str, own: Mapping[str, RGB]) -> Iterator[str]:
    """The stops that gradients of rods and of balls share."""
    for paint in (*LIGHT, *own):
        for name, stops in (("rod", ((0, "m"), (0.3, "l"), (1, "d"))), ("ball", ((0, "l"), (0.55, "f"), (1, "d")))):
            inner = "".join(
                f'<stop offset="{offset}" style="stop-color:var(--{paint}-{shade})"/>' for offset, shade in stops
            )
            yield f'<linearGradient id="{prefix}{name}-{paint}">{inner}</linearGradient>'


def _shades(rgb: RGB) -> Iterator[tuple[str, str]]:
    mixes = {"l": (_WHITE, 0.42), "m": (_WHITE, 0.1), "d": (_BLACK, 0.38), "e": (_BLACK, 0.55), "f": (_BLACK, 0.0)}
    for name, (other, share) in mixes.items():
        yield name, _css(_mixed(rgb, other, share))
    for number in range(SHADES):
        brightness = DARKEST + (1 - DARKEST) * number / (SHADES - 1)
        yield str(number), _css(_mixed(rgb, _BLACK, 1 - brightness))


def rgb(colour: Sequence[float]) -> RGB:
    """A colour of a scene, whose entries go from 0 to 1."""
    red, green, blue = (round(255 * entry) for entry in colour[:3])
    return red, green, blue


def _mixed(rgb: RGB, other: RGB, share: float) -> RGB:
    red, green, blue = (round(one + (two - one) * share) for one, two in zip(rgb, other, strict=True))
    return red, green, blue


def _css(rgb: RGB) -> str:
    return "#" + "".join(f"{entry:02x}" for entry in rgb)
