"""The robots that ship with symgen, and the generic chain."""

from importlib import resources

import pytest
from library_robots import ARMS, LOOPED, TAKEN_OVER
from robot_text import GOOD

from symgen.errors import InputError
from symgen.robot import library, shipped
from symgen.robot.model import JointKind

NAMES = library.names()


def test_the_library_is_sorted_and_complete():
    assert list(NAMES) == sorted(NAMES)
    assert {"puma", "stanford", "planar3r", "panda", "ur5", "scara", "rx90"} <= set(ARMS)
    assert {"allegro_hand", "g1", "iiwa14", "kinova_jaco", "solo12", "ur10"} == set(TAKEN_OVER)
    assert {"four_bar", "five_bar", "delta", "palletizer", "ankle", "gough_stewart"} <= set(LOOPED)


@pytest.mark.parametrize("name", NAMES)
def test_robots_load_without_notices_and_tell_their_source(name):
    robot = library.load(name)
    assert robot.name == name
    assert robot.notices == ()
    assert robot.description
    assert len(robot.source) > 15


@pytest.mark.parametrize("name", NAMES)
def test_files_begin_with_a_comment_and_keep_to_the_page(name):
    lines = resources.files("symgen.robot").joinpath("library", f"{name}.toml").read_text("utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert all(len(line) <= 120 for line in lines if not line.startswith(("source", "inertia")))


@pytest.mark.parametrize("name", ARMS)
def test_every_link_of_an_arm_could_be_a_body(name):
    robot = library.load(name)
    assert all(not link.inertia.is_massless for link in robot.links)
    assert robot.nv == len(robot.links)


@pytest.mark.parametrize("name", LOOPED)
def test_every_moving_link_of_a_mechanism_could_be_a_body(name):
    robot = library.load(name)
    assert all(not link.inertia.is_massless for link in robot.links if link.joint.nv)


def test_a_file_may_carry_the_name_of_a_library_robot(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "puma").write_text(GOOD, encoding="utf-8")
    (tmp_path / "my arm").write_text(GOOD, encoding="utf-8")
    assert library.load("puma").nv == 6
    assert library.load("./puma").nv == 2
    assert library.load(tmp_path / "puma").nv == 2
    assert library.load("my arm").nv == 2


@pytest.mark.parametrize("n", [1, 2, 7])
def test_chain_has_n_links_of_general_shape(n):
    robot = library.chain(n)
    assert robot.nv == n
    assert all(entry for link in robot.links for entry in (float(e.constant({})) for e in link.inertia.tensor))
    assert {joint.kind for joint in robot.joints} == {JointKind.REVOLUTE}


def test_chain_slides_where_it_is_told():
    kinds = [joint.kind for joint in library.chain(3, prismatic=(2,)).joints]
    assert kinds == [JointKind.REVOLUTE, JointKind.PRISMATIC, JointKind.REVOLUTE]


@pytest.mark.parametrize("n", [0, -1])
def test_chain_needs_a_link(n):
    with pytest.raises(InputError, match="at least one link"):
        library.chain(n)


@pytest.mark.parametrize("name", library.names())
def test_a_heading_says_what_the_robot_is(name):
    """Headings are read without building the robot."""
    robot, heading = library.load(name), shipped.heading(name)
    assert (heading.name, heading.description, heading.joints) == (robot.name, robot.description, len(robot.joints))


def test_a_robot_is_loaded_already():
    robot = library.chain(2)
    assert library.load(robot) is robot
