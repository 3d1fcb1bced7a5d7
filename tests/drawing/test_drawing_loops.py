"""Scenes close their loops, in Python and in the viewer alike, and say where they cannot."""

import numpy as np
import pytest
from library_robots import LOOPED
from loop_mechanisms import mechanism
from node import node, run

import symgen
from symgen.drawing.assembly import closed
from symgen.robot.scenery import scene_of
from symgen.verify.loops.constraints import Constraints, with_ends
from symgen.verify.oracle import Oracle

CLOSE = 1e-8

CLOSED = "return symgenViewer.closed(given.scene, given.q, given.fixed);"


def independent(scene):
    return [index for index, entry in enumerate(scene.entries) if entry.is_independent]


def moved(scene, by):
    q = list(scene.start)
    for index in independent(scene):
        q[index] += by
    return q


def residual(robot, q):
    return float(np.abs(Constraints(Oracle(with_ends(robot)), np.array(q)).residual).max())


@pytest.mark.parametrize("name", LOOPED)
def test_loops_of_the_library_are_closed_at_the_start_and_beside_it(name):
    robot = symgen.load(name)
    scene = scene_of(robot)
    assert residual(robot, scene.start) < CLOSE
    q = closed(scene, moved(scene, 0.02), independent(scene))
    assert q is not None
    assert residual(robot, q) < CLOSE
    assert [q[i] for i in independent(scene)] == [moved(scene, 0.02)[i] for i in independent(scene)]


def test_loops_of_random_mechanisms_are_closed_at_the_start():
    robots = [robot for robot in map(mechanism, range(120)) if robot is not None]
    assert len({cut.kind for robot in robots for cut in robot.cut_joints}) > 5
    for robot in robots:
        assert residual(robot, scene_of(robot).start) < CLOSE


def test_loops_that_cannot_close_say_so():
    scene = scene_of(symgen.load("five_bar"))
    far = [np.pi, 0.0, 0.0, 0.0]  # the legs point away from each other
    assert closed(scene, far, independent(scene)) is None


@node
@pytest.mark.parametrize("name", LOOPED)
def test_the_viewer_closes_loops_as_python_does(name):
    scene = scene_of(symgen.load(name))
    q, fixed = moved(scene, 0.02), independent(scene)
    found = run(
        "return symgenViewer.closed(given.scene, given.q, given.fixed);", scene=scene.as_dict(), q=q, fixed=fixed
    )
    wanted = closed(scene, q, fixed)
    assert np.abs(np.array(found) - np.array(wanted)).max() < 1e-6
    assert residual(symgen.load(name), found) < CLOSE


@node
def test_the_viewer_says_where_loops_do_not_close():
    scene = scene_of(symgen.load("five_bar"))
    found = run(
        CLOSED,
        scene=scene.as_dict(),
        q=[np.pi, 0.0, 0.0, 0.0],
        fixed=independent(scene),
    )
    assert found is None


@node
def test_sliders_follow_loops_over_long_ways():
    """A crank turned at once by half a turn goes through all postures between, and stays on its branch."""
    robot = symgen.load("four_bar")
    scene = scene_of(robot)
    found = run(
        "const choice = symgenViewer.choices(given.scene)[0];"
        "return symgenViewer.followed(given.scene, given.scene.start, choice, choice.get(given.scene.start) + 3);",
        scene=scene.as_dict(),
    )
    assert residual(robot, found) < CLOSE
    one, many = list(scene.start), 60
    for _ in range(many):
        one[0] += 3 / many
        one = list(closed(scene, one, independent(scene)))
    assert np.abs(np.array(found) - one).max() < 1e-6
