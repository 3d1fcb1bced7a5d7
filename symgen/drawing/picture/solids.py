"""Solids of few curves: each is drawn as the outline that it has from the camera, shaded across; see viewer/solids.js.

Makers return how near a solid is (m), and what draws it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from symgen.drawing.kinematics import Floats
from symgen.drawing.picture.camera import Camera, unit
from symgen.drawing.picture.colours import SHADES
from symgen.drawing.picture.strokes import LIGHT, Circle, Paint, Strokes, disc, hull, number, pair, polygon

Part = tuple[float, Callable[[Strokes], None]]


def tube(camera: Camera, start: Floats, end: Floats, radius: float, paint: Paint, ahead: float = 0.0) -> Part:
    """A rod with round ends."""
    a, b = camera.seen(start), camera.seen(end)
    one, other = (Circle(each.x, each.y, radius * each.scale) for each in (a, b))

    def draw(strokes: Strokes) -> None:
        strokes.area(hull(one, other), strokes.across(one, other, max(one.r, other.r), paint), edge=paint)

    return (a.near + b.near) / 2 + ahead, draw


def drum(
    camera: Camera,
    middle: Floats,
    axis: Floats,
    half: float,
    radius: float,
    paint: Paint,
    ahead: float = 0.0,
    opacity: float = 1.0,
) -> Part:
    """A cylinder: its middle, the unit vector along its axis, half its length, its radius."""
    out = -axis if axis @ camera.toward < 0 else axis  # towards the camera
    back, front = (camera.seen(middle + sign * half * out) for sign in (-1, 1))
    flat = abs(float(out @ camera.toward))
    heading = math.atan2(-float(out @ camera.above), float(out @ camera.right))
    degrees = math.degrees(heading)
    r = [radius * back.scale, radius * front.scale]

    def draw(strokes: Strokes) -> None:
        # Across the heading the ellipses have their full radius.
        nx, ny = -math.sin(heading), math.cos(heading)
        corners = [pair(at.x + k * nx, at.y + k * ny) for at, k in ((back, r[0]), (back, -r[0]), (front, -r[1]))]
        last = pair(front.x + r[1] * nx, front.y + r[1] * ny)
        arcs = [f"A{pair(max(each * flat, 0.01), each)} {number(degrees)} 0" for each in r]
        side = f"M{corners[0]}{arcs[0]} 1 {corners[1]}L{corners[2]}{arcs[1]} 1 {last}Z"
        strokes.area(side, strokes.across(back, front, max(r), paint), edge=paint, opacity=opacity)
        cap = disc(front.x, front.y, max(r[1] * flat, 0.01), r[1], degrees)
        strokes.area(cap, f"{paint}-m", edge=paint, opacity=opacity)

    return camera.seen(middle).near + ahead, draw


def ellipsoid(
    camera: Camera,
    middle: Floats,
    axes: Floats,
    radii: Sequence[float],
    paint: Paint,
    opacity: float = 1.0,
    ahead: float = 0.0,
) -> Part:
    """An ellipsoid: its middle, its principal axes as columns (3, 3), its semi-axes."""
    at = camera.seen(middle)
    # The outline is that of the projected shape matrix A Aᵀ, with the semi-axes as columns of A.
    halves = np.array([camera.right, -camera.above]) @ axes @ np.diag(np.asarray(radii)) * at.scale
    (xx, xy), (_, yy) = (halves @ halves.T).tolist()
    mean, apart = (xx + yy) / 2, math.hypot((xx - yy) / 2, xy)
    long, short = math.sqrt(mean + apart), math.sqrt(max(0.0, mean - apart))
    heading = math.atan2(2 * xy, xx - yy) / 2

    def draw(strokes: Strokes) -> None:
        look = strokes.look(strokes.round(paint, heading), paint, opacity)
        place = f'cx="{number(at.x)}" cy="{number(at.y)}" rx="{number(long)}" ry="{number(max(short, 0.5))}"'
        turn = f'transform="rotate({number(math.degrees(heading))} {pair(at.x, at.y)})"'
        strokes.elements.append(f"<ellipse {place} {turn} {look}/>")

    return at.near + ahead, draw


def ball(camera: Camera, middle: Floats, radius: float, paint: Paint, ahead: float = 0.0, opacity: float = 1.0) -> Part:
    """A ball."""
    return ellipsoid(camera, middle, np.eye(3), (radius,) * 3, paint, opacity, ahead)


def prism(camera: Camera, corners: Floats, half: float, paint: Paint, ahead: float = 0.0, opacity: float = 1.0) -> Part:
    """A prism: the corners of its middle (k, 3), convex and in order, and half its thickness."""
    normal = unit(np.cross(corners[1] - corners[0], corners[2] - corners[0]))
    top, bottom = corners + half * normal, corners - half * normal
    count = len(corners)
    sides = [np.array([bottom[k], bottom[(k + 1) % count], top[(k + 1) % count], top[k]]) for k in range(count)]
    faces = [face for face in (*sides, top, bottom[::-1]) if _outward(face) @ (camera.eye - face[0]) > 0]

    def draw(strokes: Strokes) -> None:
        for face in faces:
            path = polygon([camera.seen(corner) for corner in face])
            strokes.area(path, f"{paint}-{_shade(camera, face)}", edge=paint, opacity=opacity)

    return camera.seen(corners.mean(axis=0)).near + ahead, draw


def box(
    camera: Camera, frame: Floats, edges: Sequence[float], paint: Paint, ahead: float = 0.0, opacity: float = 1.0
) -> Part:
    """A box: the frame (4, 4) of its middle and its edges."""
    x, y, z = (edge / 2 for edge in edges)
    corners = np.array([[-x, -y, 0], [x, -y, 0], [x, y, 0], [-x, y, 0]]) @ frame[:3, :3].T + frame[:3, 3]
    return prism(camera, corners, z, paint, ahead, opacity)


def line(
    camera: Camera,
    start: Floats,
    end: Floats,
    tone: str,
    width: float,
    *,
    dash: str = "",
    arrow: bool = False,
    ahead: float = 0.0,
) -> Part:
    """A line of some pixels' width, with a head if it is an arrow."""
    a, b = camera.seen(start), camera.seen(end)
    length = math.hypot(b.x - a.x, b.y - a.y)

    def draw(strokes: Strokes) -> None:
        strokes.line([(a, b)], tone, width, dash)
        if arrow and length >= 2:
            head, heading = min(9.0, length * 0.6), math.atan2(b.y - a.y, b.x - a.x)
            tips = [(2.0, 0.0), (head, 2.7), (head, -2.7)]
            path = "L".join(
                pair(b.x + far * math.cos(heading + lean), b.y + far * math.sin(heading + lean)) for far, lean in tips
            )
            strokes.area(f"M{path}Z", tone)

    return (a.near + b.near) / 2 + ahead, draw


def _outward(face: Floats) -> Floats:
    return np.cross(face[1] - face[0], face[2] - face[0])


def _shade(camera: Camera, face: Floats) -> int:
    """Which of the shades a face has."""
    light = unit(LIGHT[0] * camera.right + LIGHT[1] * camera.above + LIGHT[2] * camera.toward)
    return round((SHADES - 1) * abs(float(unit(_outward(face)) @ light)))
