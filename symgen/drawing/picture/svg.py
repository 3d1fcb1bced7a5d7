"""A scene at q as SVG, as `viewer.js` would show it at first."""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Sequence
from hashlib import sha256
from itertools import pairwise

from symgen.drawing.framing import framed
from symgen.drawing.kinematics import Floats, carrier, poses
from symgen.drawing.picture.camera import Camera
from symgen.drawing.picture.parts import joint_frame, parts, placed
from symgen.drawing.picture.strokes import Strokes, polygon
from symgen.drawing.scene import Scene
from symgen.errors import InputError

LIGHT, DARK = "light", "dark"
THEMES = ("auto", LIGHT, DARK)
"""Colours of a picture; "auto" is as the reader's system asks for, light in print."""

LAYERS = ("shapes", "names", "axes", "frames", "masses", "ellipsoids")
"""What may be drawn beside bodies and joints."""

_MARK = "\0"
"""Stands for the picture's name until its text is known; it occurs in no text."""

USUAL = ("shapes", "axes", "masses")
"""What is drawn where nothing is said."""


def picture(
    scene: Scene,
    q: Sequence[float] | None = None,
    *,
    theme: str = "auto",
    layers: Collection[str] = USUAL,
    width: int = 640,
    height: int = 480,
) -> str:
    """The scene at q (by default its start) as the text of an SVG file; `InputError` for unknown themes and layers."""
    if theme not in THEMES:
        raise InputError(f"unknown theme {theme!r}; there are: {', '.join(THEMES)}"[:200])
    for layer in layers:
        if layer not in LAYERS:
            raise InputError(f"unknown layer {layer!r}; there are: {', '.join(LAYERS)}"[:200])
    now = scene.start if q is None else q
    camera, found = Camera(framed(scene, now), width, height), poses(scene, now)
    strokes = Strokes(DARK if theme == DARK else LIGHT, _MARK)
    strokes.elements.append(f'<rect width="{width}" height="{height}" rx="10" {strokes.painted(fill="paper")}/>')
    _floor(scene, found, camera, strokes)
    for _, draw in sorted(parts(scene, found, now, camera, layers), key=lambda part: part[0]):
        draw(strokes)
    strokes.text(width - 10, 20, f"grid {grid_step(camera.radius):.1g} m", anchor="end")
    if "names" in layers:
        _names(scene, found, camera, strokes)
    text = _document(scene, strokes, theme, width, height)
    return text.replace(_MARK, f"s{sha256(text.encode()).hexdigest()[:8]}")


def _document(scene: Scene, strokes: Strokes, theme: str, width: int, height: int) -> str:
    """The text of the file; by its name the rules and gradients of pictures in one page are told apart."""
    dark = f"@media screen and (prefers-color-scheme:dark){{{strokes.rules(DARK)}}}" if theme == "auto" else ""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{_MARK}" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" aria-labelledby="{_MARK}t {_MARK}d">',
            f'<title id="{_MARK}t">{html.escape(scene.name)}</title>',
            f'<desc id="{_MARK}d">{html.escape(_words(scene))}</desc>',
            *([f"<style>{dark}</style>"] if dark else []),
            f"<defs>{strokes.definitions}</defs>",
            *strokes.elements,
            "</svg>",
            "",
        ]
    )


def _words(scene: Scene) -> str:
    """What the picture shows, in words."""
    kinds = [body.kind for body in scene.bodies if body.kind != "fixed"]
    counted = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    what = f"{scene.description}; " if scene.description else ""
    loops = f", {len(scene.cuts)} cut joints that close its loops" if scene.cuts else ""
    return f"{what}{len(scene.bodies)} links, joints: {counted or 'none'}{loops}"


def _floor(scene: Scene, found: Floats, camera: Camera, strokes: Strokes) -> None:
    """A disc with a grid, and the shadow of the tubes."""

    def below(point: Floats) -> Floats:
        return point + camera.up * (camera.floor - float(point @ camera.up))

    middle, wide, step = below(camera.target), 1.25 * camera.radius, grid_step(camera.radius)
    turns = [(math.cos(k * math.pi / 36), math.sin(k * math.pi / 36)) for k in range(72)]
    ring = [camera.seen(middle + wide * (c * camera.level + s * camera.right)) for c, s in turns]
    strokes.area(polygon(ring), "ground")
    lines = []
    for along, beside in ((camera.level, camera.right), (camera.right, camera.level)):
        offset = float(middle @ beside)
        for k in range(math.ceil((offset - wide) / step), math.ceil((offset + wide) / step)):
            away = k * step - offset
            half, at = math.sqrt(max(0.0, wide * wide - away * away)), middle + away * beside
            lines.append((camera.seen(at - half * along), camera.seen(at + half * along)))
    strokes.line(lines, "faint", 0.8)
    shadows = []
    for way in scene.tubes:
        frame = carrier(found, way.body)
        corners = [camera.seen(below(placed(frame, point))) for point in way.points]
        shadows += list(pairwise(corners))
    if shadows:
        strokes.line(shadows, "shadow", 2.2 * scene.radius * camera.scale)


def grid_step(radius: float) -> float:
    """The distance of the floor's lines (m): 1, 2 or 5 times a power of ten, about a third of the radius."""
    wanted = radius / 3
    power = 10.0 ** math.floor(math.log10(wanted))
    return min((each * power for each in (1, 2, 5, 10)), key=lambda each: abs(math.log(each / wanted)))


def _names(scene: Scene, found: Floats, camera: Camera, strokes: Strokes) -> None:
    """The names of joints; of those that would lie on each other the nearest is shown."""
    wanted = [
        (camera.seen(joint_frame(found, body)[:3, 3]), body.joint) for body in scene.bodies if body.kind != "fixed"
    ]
    taken: list[tuple[float, float, float, float]] = []
    for at, text in sorted(wanted, key=lambda each: -each[0].near):
        box = (at.x + 9, at.y - 16, at.x + 9 + 6.2 * len(text), at.y - 2)
        if any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken):
            continue
        taken.append(box)
        strokes.text(at.x + 9, at.y - 5, text)
