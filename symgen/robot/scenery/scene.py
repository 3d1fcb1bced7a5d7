"""A robot as a scene: at the posture that its file gives or, where none is given, with its joints at rest."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from symgen.drawing.assembly import closed
from symgen.drawing.framing import framed
from symgen.drawing.kinematics import carrier, matrix, poses
from symgen.drawing.scene import BASE, Camera, Cut, Entry, Frame, Point, Scene, Tie
from symgen.robot import model
from symgen.robot.model import CutJoint, Robot
from symgen.robot.scenery.bodies import bodies, entries
from symgen.robot.scenery.masses import masses
from symgen.robot.scenery.placing import Floats, pose
from symgen.robot.scenery.plates import plates, without
from symgen.robot.scenery.solids import solids
from symgen.robot.scenery.tubes import tubes

THICK, THIN = 0.028, 0.3
"""The radius of tubes, of the robot's radius, and at most of the length of its middle tube."""


def scene_of(robot: Robot) -> Scene:
    """What a robot looks like; loops are closed where that is found possible near the posture."""
    ways = tubes(robot)
    flat = plates(ways)
    scene = Scene(
        name=robot.name,
        description=robot.description,
        bodies=bodies(robot),
        entries=entries(robot),
        start=robot.near,
        tubes=without(ways, flat),
        plates=flat,
        masses=masses(robot, ways, flat),
        solids=solids(robot),
        frames=tuple(_frame(robot, frame) for frame in robot.frames),
        tool=robot.tool,
        cuts=tuple(_cut(robot, cut) for cut in robot.cut_joints),
        ties=tuple(_ties(robot)),
        root=pose(robot.base, robot.defaults),
        radius=1.0,
        camera=Camera((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 1.0, 0.0),
    )
    scene = replace(scene, start=_start(robot, scene))
    camera = _camera(robot, scene)
    ranges = tuple(map(partial(_around, camera.radius / 2), scene.entries, scene.start))
    scene = replace(scene, camera=camera, entries=ranges)
    return replace(scene, radius=_thickness(scene))


def _frame(robot: Robot, frame: model.Frame) -> Frame:
    placement = robot.base + frame.placement if frame.link == BASE else frame.placement
    return Frame(frame.name, frame.link, pose(placement, robot.defaults))


def _cut(robot: Robot, cut: CutJoint) -> Cut:
    ends = _frame(robot, cut.predecessor), _frame(robot, cut.successor)
    length = float(cut.length.constant(robot.defaults))
    return Cut(cut.name, cut.kind.value, ends, cut.kind.shifts, cut.kind.angles, length)


def _ties(robot: Robot) -> list[Tie]:
    places = {name: q for name, q, _ in robot.plain_coordinates}
    return [
        Tie(
            each.name,
            tuple((places[name], float(ratio)) for name, ratio in each.terms),
            float(each.offset.constant(robot.defaults)),
        )
        for each in robot.couplings
    ]


def _start(robot: Robot, scene: Scene) -> tuple[float, ...]:
    """The posture within limits, its loops closed: at its independent entries if possible, else near them."""
    given = {name for name, _ in robot.posture}
    near = tuple(
        value if entry.name in given else _within(entry, value)
        for entry, value in zip(scene.entries, robot.near, strict=True)
    )
    if not robot.has_loops:
        return near
    independent = [index for index, entry in enumerate(scene.entries) if entry.is_independent]
    return closed(scene, near, independent) or closed(scene, near) or near


def _within(entry: Entry, value: float) -> float:
    if not entry.is_limited or entry.lower is None or entry.upper is None:
        return value
    return min(max(value, entry.lower), entry.upper)


def _around(length: float, entry: Entry, start: float) -> Entry:
    """The entry with a range around its start, where no limit says one: half a turn, or a length (m)."""
    if entry.is_limited or entry.lower is None or entry.upper is None:
        return entry
    reach = min(entry.upper, length) if entry.unit == "m" else entry.upper
    middle = start if entry.unit == "m" or abs(start) > entry.upper else 0.0
    return replace(entry, lower=middle - reach, upper=middle + reach)


# the camera --------------------------------------------------------------------------------------------------


def _camera(robot: Robot, scene: Scene) -> Camera:
    gravity = np.array([float(entry.constant(robot.defaults)) for entry in robot.gravity])
    size = float(np.linalg.norm(gravity))
    up = -gravity / size + 0.0 if size else np.array([0.0, 0.0, 1.0])
    towards = replace(scene.camera, direction=_point(_direction(scene, up)), up=_point(up))
    return framed(replace(scene, camera=towards), scene.start)


def _direction(scene: Scene, up: Floats) -> Floats:
    """From the side that shows most: along the axes of joints that are all parallel and level, else from in front."""
    axes = _axes(scene)
    level = axes - np.outer(axes @ up, up) if len(axes) else axes
    if len(axes) and np.abs(axes @ axes[0]).min() > 0.999 and np.linalg.norm(level[0]) > 0.999:
        side = axes[0]
        across = np.cross(up, side)
        return _unit(side + 0.35 * across + 0.25 * up)
    first = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    ahead = _unit(first - (first @ up) * up)
    return _unit(0.62 * ahead - 0.85 * np.cross(up, ahead) + 0.38 * up)


def _axes(scene: Scene) -> Floats:
    """The directions (k, 3) that joints turn about at the start."""
    found, result = poses(scene, scene.start), []
    for body in scene.bodies:
        frame = carrier(found, body.parent) @ matrix(body.before)
        result += [frame[:3, screw.axis] for screw in body.screws if screw.turn]
    return np.array(result).reshape(-1, 3)


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector))


def _point(vector: Floats) -> Point:
    x, y, z = vector.tolist()
    return x, y, z


def _thickness(scene: Scene) -> float:
    lengths = [
        float(np.linalg.norm(np.subtract(one, other)))
        for tube in scene.tubes
        for one, other in zip(tube.points, tube.points[1:], strict=False)
    ]
    middle = float(np.median(lengths)) if lengths else scene.camera.radius
    return min(THICK * scene.camera.radius, THIN * middle)
