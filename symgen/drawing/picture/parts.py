"""What of a scene is drawn, layer by layer: solids with their depths; see viewer/parts.js."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np

from symgen.drawing.kinematics import Floats, Numbers, carrier, freed, matrix, screwed
from symgen.drawing.picture.camera import Camera, unit
from symgen.drawing.picture.colours import AXES, paint_of
from symgen.drawing.picture.solids import Part, ball, box, drum, ellipsoid, line, prism, tube
from symgen.drawing.picture.strokes import Paint, Strokes, disc, number, pair
from symgen.drawing.scene import BASE, Body, Scene, Screw, Solid

_LOOKS = {
    "revolute": ("drum", "turn"),
    "continuous": ("drum", "turn"),
    "helical": ("drum", "slide"),
    "cylindrical": ("drum", "slide"),
    "prismatic": ("box", "slide"),
    "translation": ("way", "free"),
    "planar": ("way", "free"),
    "inline": ("box", "free"),
    "universal": ("ball", "free"),
    "spherical_zyx": ("ball", "free"),
    "spherical": ("ball", "free"),
}
"""Kind of joint → its shape and colour; others are not drawn, and of those with a "way" how far they went."""

_FREE = ("floating", "planar", "translation", "spherical")
"""Joints of the base that are not mounted on a foot."""


def parts(scene: Scene, found: Floats, q: Numbers, camera: Camera, layers: Collection[str]) -> Iterator[Part]:
    """All solids of a scene whose bodies have these frames (bodies, 4, 4)."""
    yield from feet(scene, found, camera)
    yield from body_parts(scene, found, camera, layers)
    yield from joint_parts(scene, found, q, camera, layers)
    yield from mass_parts(scene, found, camera, layers)
    if "frames" in layers:
        yield from frame_parts(scene, found, camera)


def joint_frame(found: Floats, body: Body) -> Floats:
    """The frame (4, 4) that the joint of a body moves, before it moves."""
    return np.asarray(carrier(found, body.parent) @ matrix(body.before))


def placed(frame: Floats, point: Sequence[float]) -> Floats:
    """A point of a frame in the base's axes."""
    return np.asarray(frame[:3, :3] @ np.asarray(point) + frame[:3, 3])


def feet(scene: Scene, found: Floats, camera: Camera) -> Iterator[Part]:
    """Where the base stands: a foot below each joint it carries or, where it is a body of its own, one at its root."""
    r, up, still = scene.radius, camera.up, {BASE}
    heavy = {mass.body for mass in scene.masses}
    places: list[Floats] = []
    for index, body in enumerate(scene.bodies):
        if body.parent not in still or body.kind in _FREE:
            continue
        if body.kind == "fixed":
            still.add(index)
            continue
        at, root = joint_frame(found, body)[:3, 3], np.array(scene.root[3::4])
        place = root if body.parent in heavy or (at - root) @ up > 3 * r else at
        if all(np.linalg.norm(each - place) > 1e-6 for each in places):
            places.append(place)
    for place in places:
        yield drum(camera, place - 2.1 * r * up, up, 0.45 * r, 3.2 * r, "base", -r)
        yield drum(camera, place - 0.9 * r * up, up, 0.9 * r, 1.3 * r, "base", -r)


def body_parts(scene: Scene, found: Floats, camera: Camera, layers: Collection[str]) -> Iterator[Part]:
    """Plates and tubes of bodies and, if asked, the shapes that the description has of them, which hide the tubes."""
    shaped = {solid.body for solid in scene.solids} if "shapes" in layers else set()
    for plate in scene.plates:
        if plate.body in shaped:
            continue
        frame = carrier(found, plate.body)
        yield prism(
            camera, np.array([placed(frame, each) for each in plate.points]), 0.8 * scene.radius, _of(plate.body)
        )
    for way in scene.tubes:
        frame = carrier(found, way.body)
        for start, end in pairwise(placed(frame, each) for each in way.points):
            yield tube(camera, start, end, scene.radius, _of(way.body), -3 * scene.radius * (way.body in shaped))
    for solid in scene.solids if shaped else ():
        yield _solid(solid, np.asarray(carrier(found, solid.body) @ matrix(solid.pose)), camera)


def _solid(solid: Solid, frame: Floats, camera: Camera) -> Part:
    paint, opacity = paint_of(solid.colour), solid.colour[3] if solid.colour else 1.0
    if solid.shape == "box":
        return box(camera, frame, solid.size, paint, opacity=opacity)
    if solid.shape == "sphere":
        return ball(camera, frame[:3, 3], solid.size[0], paint, opacity=opacity)
    return drum(camera, frame[:3, 3], frame[:3, 2], solid.size[1] / 2, solid.size[0], paint, opacity=opacity)


def _of(body: int) -> Paint:
    return "base" if body == BASE else "body"


def joint_parts(scene: Scene, found: Floats, q: Numbers, camera: Camera, layers: Collection[str]) -> Iterator[Part]:
    """The joints, those that close loops too, and their axes."""
    r, looped = scene.radius, any(not entry.is_independent for entry in scene.entries)
    for body in scene.bodies:
        shape, paint = _LOOKS.get(body.kind, ("", ""))
        start = frame = joint_frame(found, body)
        for screw in body.screws:
            if "axes" in layers:
                yield from _axis(camera, frame, screw, r)
            frame = frame @ screwed(screw, q)
        if body.free is not None:
            frame = frame @ freed(body.free, q)
        if not shape:
            continue
        if looped and not any(scene.entries[screw.q].is_independent for screw in body.screws):
            paint = "passive"
        slide = frame[:3, 3] - start[:3, 3]
        length = float(np.linalg.norm(slide))
        if shape == "way":
            yield line(camera, start[:3, 3], frame[:3, 3], f"{paint}-f", 1.5, dash="1 5", ahead=r)
            continue
        if length > 8 * r and shape == "box":
            # A telescope: the sleeve, and the rod that it lets out.
            yield drum(camera, start[:3, 3] + 0.3 * slide, unit(slide), 0.2 * length, 1.45 * r, paint)
            yield tube(camera, start[:3, 3] + 0.4 * slide, frame[:3, 3], 0.6 * r, "base")
            yield tube(camera, start[:3, 3], start[:3, 3] + 0.15 * slide, r, "body")
            continue
        yield _joint(camera, start, body.screws[0].axis if body.screws else 2, shape, r, paint)
        if length > 1e-9:
            yield tube(camera, start[:3, 3], frame[:3, 3], 0.6 * r, "base")
    yield from _cuts(scene, found, camera)


def _cuts(scene: Scene, found: Floats, camera: Camera) -> Iterator[Part]:
    r = scene.radius
    for cut in scene.cuts:
        first, second = (carrier(found, end.body) @ matrix(end.pose) for end in cut.ends)
        if cut.kind == "rod":
            yield tube(camera, first[:3, 3], second[:3, 3], 0.7 * r, "cut")
            yield from (ball(camera, end[:3, 3], 1.2 * r, "cut") for end in (first, second))
        elif cut.kind in _LOOKS:
            yield _joint(camera, first, 2, _LOOKS[cut.kind][0], 0.96 * r, "cut")


def _joint(camera: Camera, frame: Floats, axis: int, shape: str, radius: float, paint: Paint) -> Part:
    at, ahead = frame[:3, 3], 0.3 * radius
    if shape == "drum":
        return drum(camera, at, unit(frame[:3, axis]), 1.9 * radius, 1.75 * radius, paint, ahead)
    if shape == "ball":
        return ball(camera, at, 1.75 * radius, paint, ahead)
    edges = [3.1 * radius] * 3
    edges[axis] = 4.2 * radius
    return box(camera, frame, edges, paint, ahead)


def _axis(camera: Camera, frame: Floats, screw: Screw, r: float) -> Iterator[Part]:
    at, along = frame[:3, 3], unit(frame[:3, screw.axis]) * 6.5 * r
    tone, dash = f"{'turn' if screw.turn else 'slide'}-f", "7 3 1.5 3"
    yield line(camera, at - along, at, tone, 1.2, dash=dash, ahead=6.5 * r)
    yield line(camera, at, at + along, tone, 1.2, dash=dash, arrow=True, ahead=6.5 * r)


def mass_parts(scene: Scene, found: Floats, camera: Camera, layers: Collection[str]) -> Iterator[Part]:
    """Mass centres and ellipsoids of inertia."""
    for mass in scene.masses:
        frame = carrier(found, mass.body)
        at, stem = placed(frame, mass.centre), placed(frame, mass.stem)
        if "ellipsoids" in layers and mass.radii:
            axes = frame[:3, :3] @ np.array(mass.axes).reshape(3, 3)
            yield ellipsoid(camera, at, axes, mass.radii, "mass", 0.42)
        if "masses" not in layers:
            continue
        yield _mark(camera, at)
        if np.linalg.norm(at - stem) > 2 * scene.radius:
            yield line(camera, stem, at, "ink", 0.8, dash="2 3", ahead=camera.radius)


def _mark(camera: Camera, point: Floats) -> Part:
    """The drawing office's sign of a mass centre: a disc in quarters."""
    at, r = camera.seen(point), 4.6

    def draw(strokes: Strokes) -> None:
        quarters = f"M{pair(at.x + r, at.y)}A{pair(r, r)} 0 0 1 {pair(at.x, at.y + r)}V{number(at.y - r)}"
        quarters += f"A{pair(r, r)} 0 0 0 {pair(at.x - r, at.y)}Z"
        strokes.elements.append(f'<path d="{disc(at.x, at.y, r, r)}" {strokes.painted(fill="paper", stroke="ink")}/>')
        strokes.area(quarters, "ink")

    return at.near + camera.radius, draw


def frame_parts(scene: Scene, found: Floats, camera: Camera) -> Iterator[Part]:
    """The frames of the base, of bodies, and the named ones."""
    r = scene.radius
    named = [carrier(found, each.body) @ matrix(each.pose) for each in scene.frames]
    yield from _triad(camera, matrix(scene.root), 7 * r, 4 * r)
    for frame in (*found, *named):
        yield from _triad(camera, frame, 4.5 * r, 4 * r)


def _triad(camera: Camera, frame: Floats, length: float, ahead: float) -> Iterator[Part]:
    for axis, name in enumerate(AXES):
        tip = frame[:3, 3] + length * unit(frame[:3, axis])
        yield line(camera, frame[:3, 3], tip, f"{name}-f", 2, arrow=True, ahead=ahead)
