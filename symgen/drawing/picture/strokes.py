"""What a picture is made of: outlines of pixels with a fill, and their text in SVG; numbers have two decimals."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from symgen.drawing.picture import colours
from symgen.drawing.picture.camera import Seen

LIGHT = (-0.45, 0.7, 0.55)
"""Where light comes from: to the right, up and towards the camera."""

Paint = str
"""The name of a colour of the theme, such as "body"."""


@dataclass(frozen=True)
class Circle:
    """A circle of pixels."""

    x: float
    y: float
    r: float


def number(value: float) -> str:
    """A number of pixels."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def pair(x: float, y: float) -> str:
    """A place."""
    return f"{number(x)} {number(y)}"


@dataclass(frozen=True)
class Gradient:
    """A fill that goes from one tone to another; its name is that of an element."""

    name: str


STOPS = {"rod": ((0.0, "m"), (0.3, "l"), (1.0, "d")), "ball": ((0.0, "l"), (0.55, "f"), (1.0, "d"))}
"""The shades of rods, across them, and of balls, from the middle."""

_PROPERTIES = {"fill": "f", "stroke": "s", "stop-color": "p"}
_OPACITIES = {"fill": "fill-opacity", "stroke": "stroke-opacity", "stop-color": "stop-opacity"}


class Strokes:
    """The elements of a picture in SVG, one after the other, with the gradients that they use.

    Elements have the colours of `theme` as attributes, which every program understands, and classes by which a rule
    can give them others. `mark` stands for the picture's name, which is made of its text.
    """

    def __init__(self, theme: str, mark: str) -> None:
        self.theme, self.mark = theme, mark
        self.elements: list[str] = []
        self.gradients: list[str] = []
        self._stops: dict[str, str] = {}
        self._tones: dict[tuple[str, str], None] = {}

    @property
    def definitions(self) -> str:
        """The elements that others refer to."""
        return "".join([*self._stops.values(), *self.gradients])

    def rules(self, theme: str) -> str:
        """The CSS rules by which the picture has the colours of another theme."""
        found = []
        for key, tone in self._tones:
            (colour, opacity), (_, own) = colours.tone(tone, theme), colours.tone(tone, self.theme)
            more = f";{_OPACITIES[key]}:{number(opacity)}" if opacity != own else ""
            found.append(f"#{self.mark} .{_PROPERTIES[key]}-{tone}{{{key}:{colour}{more}}}")
        return "".join(found)

    def painted(self, **tones: str) -> str:
        """The attributes, such as `fill`, that give an element these tones."""
        found, names = [], []
        for key, tone in ((key.replace("_", "-"), tone) for key, tone in tones.items()):
            self._tones[key, tone] = None
            colour, opacity = colours.tone(tone, self.theme)
            names.append(f"{_PROPERTIES[key]}-{tone}")
            found.append(f'{key}="{colour}"')
            found += [f'{_OPACITIES[key]}="{number(opacity)}"'] if opacity < 1 else []
        return " ".join([f'class="{" ".join(names)}"', *found])

    def look(self, fill: str | Gradient, edge: Paint = "", opacity: float = 1.0) -> str:
        """The attributes of a solid filled with a tone or a gradient, and its outline."""
        outline = {"stroke": f"{edge}-e"} if edge else {}
        if isinstance(fill, Gradient):
            found = " ".join([f'fill="url(#{fill.name})"', *([self.painted(**outline)] if outline else [])])
        else:
            found = self.painted(fill=fill, **outline)
        wide = ' stroke-width=".8"' if edge else ""
        return f"{found}{wide}" + (f' opacity="{number(opacity)}"' if opacity < 1 else "")

    def area(self, path: str, fill: str | Gradient, *, edge: Paint = "", opacity: float = 1.0) -> None:
        """A path filled with a tone or a gradient."""
        self.elements.append(f'<path d="{path}" {self.look(fill, edge, opacity)}/>')

    def across(self, a: Seen | Circle, b: Seen | Circle, r: float, paint: Paint) -> Gradient:
        """The fill of a round rod's shades, across the way from one point to another."""
        length = math.hypot(b.x - a.x, b.y - a.y) or 1.0
        nx, ny = -(b.y - a.y) / length, (b.x - a.x) / length
        if nx * LIGHT[0] - ny * LIGHT[1] < 0:
            nx, ny = -nx, -ny
        x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
        ends = (x + nx * r, y + ny * r, x - nx * r, y - ny * r)
        places = " ".join(f'{key}="{number(value)}"' for key, value in zip(("x1", "y1", "x2", "y2"), ends, strict=True))
        return self._gradient(f'linearGradient gradientUnits="userSpaceOnUse" {places}', "rod", paint)

    def round(self, paint: Paint, heading: float) -> Gradient:
        """The fill of a ball's shades, for an ellipse in coordinates turned by an angle."""
        c, s = math.cos(heading), math.sin(heading)
        fx, fy = LIGHT[0] * c - LIGHT[1] * s, -LIGHT[0] * s - LIGHT[1] * c
        focus = f'fx="{number(0.5 + 0.225 * fx)}" fy="{number(0.5 + 0.225 * fy)}"'
        return self._gradient(f'radialGradient cx=".5" cy=".5" r=".5" {focus}', "ball", paint)

    def _gradient(self, what: str, kind: str, paint: Paint) -> Gradient:
        stops = f"{self.mark}{kind}-{paint}"
        if stops not in self._stops:
            inner = "".join(
                f'<stop offset="{number(offset)}" {self.painted(stop_color=f"{paint}-{shade}")}/>'
                for offset, shade in STOPS[kind]
            )
            self._stops[stops] = f'<linearGradient id="{stops}">{inner}</linearGradient>'
        name = f"{self.mark}g{len(self.gradients)}"
        self.gradients.append(f'<{what} id="{name}" href="#{stops}"/>')
        return Gradient(name)

    def line(self, pairs: Iterable[tuple[Seen, Seen]], tone: str, width: float, dash: str = "") -> None:
        """Lines of one tone and width."""
        path = "".join(f"M{pair(a.x, a.y)}L{pair(b.x, b.y)}" for a, b in pairs)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.elements.append(
            f'<path d="{path}" fill="none" {self.painted(stroke=tone)} stroke-width="{number(width)}" '
            f'stroke-linecap="round"{dashes}/>'
        )

    def text(self, x: float, y: float, text: str, *, anchor: str = "start") -> None:
        """A text, with a rim of paper around its letters; it is escaped."""
        self.elements.append(
            f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" font-family="system-ui,sans-serif" '
            f'font-size="11" {self.painted(fill="ink", stroke="paper")} stroke-width="3.5" paint-order="stroke" '
            f'stroke-linejoin="round">{html.escape(text)}</text>'
        )


def polygon(points: Sequence[Seen]) -> str:
    """The path along corners, closed."""
    return "M" + "L".join(pair(each.x, each.y) for each in points) + "Z"


def disc(x: float, y: float, rx: float, ry: float, degrees: float = 0.0) -> str:
    """The path around an ellipse whose first axis is turned by an angle, clockwise."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    one, other = pair(x - rx * c, y - rx * s), pair(x + rx * c, y + rx * s)
    arc = f"A{pair(rx, ry)} {number(degrees)} 0 1 "
    return f"M{one}{arc}{other}{arc}{one}Z"


def hull(a: Circle, b: Circle) -> str:
    """The path around two circles."""
    length = math.hypot(b.x - a.x, b.y - a.y)
    if length <= abs(a.r - b.r) + 1e-9:
        larger = a if a.r > b.r else b
        return disc(larger.x, larger.y, larger.r, larger.r)
    heading, lean = math.atan2(b.y - a.y, b.x - a.x), math.acos((a.r - b.r) / length)

    def at(circle: Circle, angle: float) -> str:
        return pair(circle.x + circle.r * math.cos(angle), circle.y + circle.r * math.sin(angle))

    wide_a, wide_b = int(lean < math.pi / 2), int(lean > math.pi / 2)
    around_a = f"A{pair(a.r, a.r)} 0 {wide_a} 1 {at(a, heading - lean)}"
    around_b = f"A{pair(b.r, b.r)} 0 {wide_b} 1 {at(b, heading + lean)}"
    return f"M{at(a, heading + lean)}{around_a}L{at(b, heading - lean)}{around_b}Z"
