"""What is drawn of bodies: tubes, plates, mass centres, ellipsoids, the shapes of URDFs; and from where."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from robot_text import head, link
from strategies import seeded_robot
from urdf_text import BOX, joint, urdf
from urdf_text import link as urdf_link

import symgen
from symgen.drawing.kinematics import matrix, poses
from symgen.drawing.scene import Scene
from symgen.robot.reader import read_text
from symgen.robot.scenery import scene_of
from symgen.robot.urdf.build import robot_of
from symgen.verify.oracle import Oracle


def read(text):
    return robot_of(text.encode(), "arm.urdf")


# masses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_ellipsoids_have_the_inertia_of_their_links(seed):
    """A solid ellipsoid has the moments m (b² + c²)/5 about its axes."""
    robot = seeded_robot(seed)
    oracle = Oracle(robot)
    q = np.array(robot.neutral)
    geometry, where = oracle.geometry(q), poses(scene_of(robot), q)
    for mass in scene_of(robot).masses:
        frame = where[mass.body]
        assert frame[:3, :3] @ np.array(mass.centre) + frame[:3, 3] == pytest.approx(
            geometry.centres[mass.body], abs=1e-9
        )
        if mass.radii:
            squares = np.array(mass.radii) ** 2
            moments = mass.mass / 5 * (squares.sum() - squares)
            axes = frame[:3, :3] @ np.array(mass.axes).reshape(3, 3)
            assert np.linalg.det(axes) == pytest.approx(1)
            wanted = geometry.inertia[mass.body]
            assert np.abs(axes @ np.diag(moments) @ axes.T - wanted).max() < 1e-7 * np.abs(wanted).max()


def test_inertia_that_no_body_has_is_drawn_as_no_ellipsoid():
    text = head() + link(inertia="{ xx = 9, yy = 0.1, zz = 0.1 }") + link(inertia="{ xx = 1, yy = 1, zz = 1 }")
    one, other = scene_of(read_text(text, "arm.toml")).masses
    assert one.radii == ()
    assert other.radii == pytest.approx([np.sqrt(2.5 / other.mass)] * 3)


def test_links_without_mass_have_no_mass_centre():
    robot = symgen.load("five_bar")
    named = [scene_of(robot).bodies[mass.body].name for mass in scene_of(robot).masses]
    assert named == ["leg1_1", "leg1_2", "leg2_1", "leg2_2"]


# bodies ----------------------------------------------------------------------------------------------


def test_tubes_of_tables_follow_their_rows():
    """Link 2 of the PUMA goes 0.149 m along its joint's axis and 0.432 m on, in the frame at its far end."""
    scene = scene_of(symgen.load("puma"))
    (way,) = [tube.points for tube in scene.tubes if tube.body == 1]
    steps = [np.linalg.norm(np.subtract(one, other)) for one, other in pairwise(way)]
    assert steps == pytest.approx([0.149, 0.432])
    assert way[-1] == (0, 0, 0)


def test_tubes_join_each_joint_to_the_next():
    for name in ("panda", "solo12", "ur10", "scara"):
        robot = symgen.load(name)
        scene = scene_of(robot)
        where = poses(scene, scene.start)
        drawn = {
            tuple(np.round(where[tube.body][:3, :3] @ point + where[tube.body][:3, 3], 6) + 0.0)
            for tube in scene.tubes
            if tube.body >= 0
            for point in tube.points
        }
        plates = {plate.body for plate in scene.plates}
        for body in scene.bodies:
            joint_at = where[body.parent] @ matrix(body.before) if body.parent >= 0 else None
            if joint_at is None or body.parent in plates or not np.linalg.norm(matrix(body.before)[:3, 3]) > 1e-6:
                continue
            assert tuple(np.round(joint_at[:3, 3], 6) + 0.0) in drawn


def test_a_platform_is_a_plate_with_the_joints_at_its_corners():
    scene = scene_of(symgen.load("gough_stewart"))
    base, platform = sorted(scene.plates, key=lambda plate: plate.body)
    assert (base.body, scene.bodies[platform.body].name) == (-1, "platform")
    ends = {end.pose[3::4] for cut in scene.cuts for end in cut.ends if end.body == platform.body}
    assert set(platform.points) == ends
    corners = np.array(platform.points)
    turns = [np.cross(corners[k - 1] - corners[k - 2], corners[k] - corners[k - 1])[2] for k in range(6)]
    assert len({np.sign(turn) for turn in turns}) == 1  # convex, in order
    assert not any(tube.body == platform.body for tube in scene.tubes)


def test_joints_that_loops_leave_to_others_are_told():
    scene = scene_of(symgen.load("five_bar"))
    assert [entry.name for entry in scene.entries if entry.is_independent] == ["proximal1", "proximal2"]
    assert all(entry.is_independent for entry in scene_of(symgen.load("puma")).entries)


def test_entries_range_over_limits_or_around_the_start():
    text = head() + link(limits="{ lower = 0.5, upper = 2 }") + link() + link(limits="{ upper = 1 }")
    scene = scene_of(read_text(text, "arm.toml"))
    found = [(entry.lower, entry.upper, entry.is_limited) for entry in scene.entries]
    assert found == [(0.5, 2, True), (-np.pi, np.pi, False), (-np.pi, 1, True)]
    assert scene.start == (0.5, 0, 0)  # 0 is beyond the first one's limits
    platform = scene_of(symgen.load("gough_stewart"))
    for entry, start in zip(platform.entries, platform.start, strict=True):
        if entry.lower is not None:
            assert entry.lower < start < entry.upper
    quaternions = [entry for entry in scene_of(symgen.load("solo12")).entries if entry.unit == "1"]
    assert [entry.lower for entry in quaternions] == [None] * 4


def test_up_is_against_gravity_and_planar_mechanisms_are_seen_along_their_axes():
    camera = scene_of(symgen.load("five_bar")).camera
    assert camera.up == (0, 1, 0)
    assert camera.direction[2] > 0.8
    assert scene_of(symgen.load("puma")).camera.up == (0, 0, 1)
    weightless = replace(symgen.load("puma"), gravity=(symgen.load("puma").gravity[0],) * 3)
    assert scene_of(weightless).camera.up == (0, 0, 1)


# the form in JSON -----------------------------------------------------------------------------------


def test_json_holds_all_and_ends_no_script():
    robot = symgen.load("five_bar")
    links = tuple(replace(each, name="</script><!--&") for each in robot.links)
    scene = scene_of(replace(robot, links=links, description="</script>"))
    text = scene.json()
    assert not {"<", ">", "&"} & set(text)
    assert json.loads(text) == json.loads(json.dumps(scene.as_dict()))
    assert json.loads(text)["bodies"][0]["name"] == "</script><!--&"
    assert scene.json() == scene_of(replace(robot, links=links, description="</script>")).json()
    assert isinstance(scene, Scene)


# shapes of URDFs ------------------------------------------------------------------------------------

VISUALS = """
<visual><origin xyz="0 0 0.2" rpy="0 1 0"/><geometry><box size="0.1 0.2 0.3"/></geometry>
  <material name="blue"/></visual>
<visual><geometry><cylinder radius="0.05" length="0.4"/></geometry>
  <material name=""><color rgba="1 0.5 0 0.25"/></material></visual>
<visual><geometry><sphere radius="0.07"/></geometry></visual>
<visual><geometry><mesh filename="package://a.stl"/></geometry></visual>
"""
BLUE = '<material name="blue"><color rgba="0 0 1 1"/></material>'


def drawn(visuals):
    text = urdf(BLUE, urdf_link("base"), urdf_link("arm", BOX + visuals), joint("elbow", "base", "arm", "revolute"))
    return read(text)


def test_boxes_cylinders_and_spheres_are_drawn():
    robot = drawn(VISUALS)
    box, cylinder, sphere = scene_of(robot).solids
    assert [each.body for each in (box, cylinder, sphere)] == [1, 1, 1]
    assert (box.shape, box.size, box.colour) == ("box", (0.1, 0.2, 0.3), (0, 0, 1, 1))
    assert box.pose == pytest.approx((np.cos(1), 0, np.sin(1), 0, 0, 1, 0, 0, -np.sin(1), 0, np.cos(1), 0.2))
    assert (cylinder.shape, cylinder.size, cylinder.colour) == ("cylinder", (0.05, 0.4), (1, 0.5, 0, 0.25))
    assert (sphere.shape, sphere.size, sphere.colour) == ("sphere", (0.07,), ())
    assert not any("drawn" in notice for notice in robot.notices)


def test_looks_make_no_other_robot():
    assert drawn(VISUALS) == drawn("")
    assert drawn("").links[1].shapes == ()


@pytest.mark.parametrize(
    ("visual", "why"),
    [
        ('<visual><geometry><sphere radius="-1"/></geometry></visual>', "expected sizes above 0"),
        ("<visual><geometry><box/></geometry></visual>", "expected sizes above 0"),
        ('<visual><geometry><box size="1 2"/></geometry></visual>', "expected three numbers"),
        ('<visual><geometry><cylinder radius="1"/></geometry></visual>', "has no length"),
        ('<visual><geometry><sphere radius="1e999"/></geometry></visual>', "out of bounds"),
        ('<visual><origin xyz="a b c"/><geometry><sphere radius="1"/></geometry></visual>', "finite decimal number"),
    ],
)
def test_drawings_that_are_wrong_refuse_no_file(visual, why):
    robot = drawn(visual)
    assert scene_of(robot).solids == ()
    (notice,) = [each for each in robot.notices if "not drawn" in each]
    assert notice.startswith("link arm: the ")
    assert why in notice


@pytest.mark.parametrize("rgba", ["1 0 0", "2 0 0 1", "a b c d", "nan 0 0 1", ""])
def test_colours_that_are_none_are_not_used(rgba):
    visual = f'<visual><geometry><sphere radius="1"/></geometry><material><color rgba="{rgba}"/></material></visual>'
    (solid,) = scene_of(drawn(visual)).solids
    assert solid.colour == ()
