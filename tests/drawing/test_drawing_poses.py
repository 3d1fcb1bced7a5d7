"""Where a scene's bodies are: as the oracle and the generated code say, in Python and in the viewer."""

import numpy as np
import pytest
from joint_trees import KINDS, tree
from module_functions import interpreted
from node import node, run
from strategies import equipped_robot, screw_robot, seeded_robot

import symgen
from symgen.derive.derivation import derive
from symgen.derive.options import Options
from symgen.drawing.kinematics import carrier, matrix, poses
from symgen.robot import shipped
from symgen.robot.joints import JointKind
from symgen.robot.scenery import scene_of
from symgen.verify.oracle import Oracle

CLOSE = 1e-12


def state(robot, seed):
    """A random q; its quaternions are of any length."""
    return np.random.default_rng(seed).normal(size=robot.nq)


def unit(scene, q):
    """q with quaternions of length 1."""
    q = q.copy()
    for body in scene.bodies:
        if body.free is not None and body.free.quaternion is not None:
            own = slice(body.free.quaternion, body.free.quaternion + 4)
            q[own] /= np.linalg.norm(q[own])
    return q


def mistake(robot, q):
    scene = scene_of(robot)
    return float(np.abs(poses(scene, q) - Oracle(robot).frames(unit(scene, q))).max())


@pytest.mark.parametrize("name", shipped.names())
def test_links_of_the_library_are_where_the_oracle_has_them(name):
    robot = symgen.load(name)
    assert mistake(robot, state(robot, 1)) < CLOSE


@pytest.mark.parametrize("seed", range(24))
def test_links_of_random_robots_are_where_the_oracle_has_them(seed):
    for robot in (seeded_robot(seed), screw_robot(seed), tree(seed, 6, mimics=True)):
        assert mistake(robot, state(robot, seed)) < CLOSE


def test_the_trees_hold_joints_of_every_kind():
    kinds = {link.joint.kind for seed in range(24) for link in tree(seed, 6, mimics=True).links}
    assert kinds >= set(KINDS)


@pytest.mark.parametrize("kind", [kind for kind in JointKind if kind.nv])
def test_frames_are_where_the_generated_code_has_them(kind):
    robot = tree(7, 3, (kind, JointKind.REVOLUTE))
    module = derive(robot, Options(functions=("forward_kinematics",), effort="low"))
    scene = scene_of(robot)
    q = unit(scene, state(robot, 3))
    found = interpreted(module)["forward_kinematics"](q)
    assert np.abs(poses(scene, q)[-1] - found).max() < CLOSE


def test_named_frames_are_where_the_generated_code_has_them():
    robot = equipped_robot(5)
    names = tuple(frame.name for frame in robot.frames)
    module = derive(robot, Options(functions=("forward_kinematics",), frames=names, effort="low"))
    scene, q = scene_of(robot), state(robot, 2)
    found, wanted = poses(scene, q), np.atleast_3d(interpreted(module)["forward_kinematics"](q)).reshape(-1, 4, 4)
    made = [carrier(found, frame.body) @ matrix(frame.pose) for frame in scene.frames]
    assert [frame.name for frame in scene.frames] == list(names)
    assert np.abs(np.array(made) - wanted).max() < CLOSE


@node
def test_the_viewer_has_bodies_where_python_has_them():
    robots = [*(tree(seed, 6, mimics=True) for seed in range(12)), symgen.load("g1"), symgen.load("delta")]
    given = [(scene_of(robot).as_dict(), state(robot, 4).tolist()) for robot in robots]
    found = run("return given.cases.map(([scene, q]) => symgenViewer.poses(scene, q));", cases=given)
    for robot, (_, q), made in zip(robots, given, found, strict=True):
        rows = np.array(made).reshape(-1, 3, 4)
        assert np.abs(rows - poses(scene_of(robot), q)[:, :3]).max() < CLOSE


@node
def test_the_viewer_knows_frames_by_their_names():
    robot = equipped_robot(5)
    scene, q = scene_of(robot), state(robot, 2).tolist()
    names = [*(frame.name for frame in scene.frames), scene.bodies[0].name, "nothing"]
    found = run(
        "return given.names.map((name) => symgenViewer.frame(given.scene, given.q, name));",
        scene=scene.as_dict(),
        q=q,
        names=names,
    )
    where = poses(scene, q)
    wanted = [carrier(where, frame.body) @ matrix(frame.pose) for frame in scene.frames] + [where[0]]
    assert found[-1] is None
    assert np.abs(np.array(found[:-1]).reshape(-1, 3, 4) - np.array(wanted)[:, :3]).max() < CLOSE
