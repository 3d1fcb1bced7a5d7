"""What a picture is made of: outlines of pixels with a fill, and their text in SVG; numbers have two decimals."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


class Strokes:
    """The elements of a picture in SVG, one after the other, and the gradients that they use."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.elements: list[str] = []
        self.gradients: list[str] = []

    def area(self, path: str, fill: str, *, edge: Paint = "", opacity: float = 1.0) -> None:
        """A path filled with what `fill` says: the text of an attribute or two."""
        line = f' class="e-{edge}"' if edge else ""
        thin = f' opacity="{number(opacity)}"' if opacity < 1 else ""
        self.elements.append(f'<path d="{path}" {fill}{line}{thin}/>')

    def flat(self, paint: Paint, shade: str = "f") -> str:
        """The fill of one shade of a colour."""
        return f'fill="var(--{paint}-{shade})"'

    def across(self, a: Seen | Circle, b: Seen | Circle, r: float, paint: Paint) -> str:
        """The fill of a round rod's shades, across the way from one point to another."""
        length = math.hypot(b.x - a.x, b.y - a.y) or 1.0
        nx, ny = -(b.y - a.y) / length, (b.x - a.x) / length
        if nx * LIGHT[0] - ny * LIGHT[1] < 0:
            nx, ny = -nx, -ny
        x, y = (a.x + b.x) / 2, (a.y + b.y) / 2
        ends = (x + nx * r, y + ny * r, x - nx * r, y - ny * r)
        places = " ".join(f'{key}="{number(value)}"' for key, value in zip(("x1", "y1", "x2", "y2"), ends, strict=True))
        return self._gradient(f'linearGradient gradientUnits="userSpaceOnUse" {places}', f"rod-{paint}")

    def round(self, x: float, y: float, r: float, paint: Paint, heading: float = 0.0) -> str:
        """The fill of a ball's shades, in coordinates turned by an angle."""
        c, s = math.cos(heading), math.sin(heading)
        fx, fy = LIGHT[0] * c - LIGHT[1] * s, -LIGHT[0] * s - LIGHT[1] * c
        places = f'cx="{number(x)}" cy="{number(y)}" r="{number(r)}"'
        focus = f'fx="{number(x + 0.45 * r * fx)}" fy="{number(y + 0.45 * r * fy)}"'
        return self._gradient(f'radialGradient gradientUnits="userSpaceOnUse" {places} {focus}', f"ball-{paint}")

    def _gradient(self, what: str, stops: str) -> str:
        name = f"{self.prefix}g{len(self.gradients)}"
        self.gradients.append(f'<{what} id="{name}" href="#{self.prefix}{stops}"/>')
        return f'fill="url(#{name})"'

    def line(
        self, pairs: Iterable[tuple[Seen, Seen]], stroke: str, width: float, *, dash: str = "", extra: str = ""
    ) -> None:
        """Lines of one colour, a CSS one, and width."""
        path = "".join(f"M{pair(a.x, a.y)}L{pair(b.x, b.y)}" for a, b in pairs)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.elements.append(
            f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{number(width)}" '
            f'stroke-linecap="round"{dashes}{extra}/>'
        )

    def text(self, x: float, y: float, text: str, *, anchor: str = "start", style: str = "t") -> None:
        """A text; it is escaped."""
        self.elements.append(
            f'<text x="{number(x)}" y="{number(y)}" class="{style}" text-anchor="{anchor}">{html.escape(text)}</text>'
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
