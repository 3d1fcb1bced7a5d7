"""Parts of robots, locked joints, bases that move, loads: the dynamics is that of the robot with it put in by hand."""

from fractions import Fraction

import numpy as np
import pytest
from strategies import seeded_robot
from urdf_text import BOX, chain, joint, link, random_urdf, urdf

from symgen.errors import InputError, RobotFileError
from symgen.robot.joints import JointKind
from symgen.robot.library import load
from symgen.robot.reader import read_text
from symgen.robot.urdf.build import robot_of
from symgen.robot.writer import robot_text
from symgen.verify.oracle import Oracle

Z = '<axis xyz="0 0 1"/>'
Y = '<origin xyz="0.3 0 0.1" rpy="0 0.4 0"/><axis xyz="0 1 0"/>'
ARM = chain(("revolute", Z), ("revolute", Y), ("prismatic", Y), ("revolute", Y))


@pytest.fixture
def arm():
    return robot_of(ARM.encode(), "arm.urdf")


def with_only(q, robot, part):
    """The entries of q that belong to the joints a part of a robot has kept."""
    names = [joint.name for joint in robot.joints]
    return q[..., [names.index(joint.name) for joint in part.joints]]


# locks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_locked_joints_stay_where_they_would_have_gone(seed):
    """For rows and for placed links, joints that turn or slide, follow or are followed."""
    robot = seeded_robot(seed) if seed % 2 else robot_of(random_urdf(seed).encode(), "random.urdf")
    name, value = robot.joints[-1].name, Fraction(seed + 1, 5)
    part = load(robot, lock={name: value})
    assert all(each.name != name for each in part.joints)
    if not part.nv:
        return
    assert read_text(robot_text(part), "part.toml").links == part.links
    q = np.random.default_rng(seed).uniform(-1, 1, (4, robot.nq))
    q[:, -1] = float(value)
    whole, rest = Oracle(robot), Oracle(part)
    kept = with_only(q, robot, part)
    np.testing.assert_allclose(rest.frames(kept), whole.frames(q), atol=1e-12)
    inertia = with_only(np.swapaxes(with_only(whole.inertia_matrix(q), robot, part), -1, -2), robot, part)
    np.testing.assert_allclose(rest.inertia_matrix(kept), inertia, atol=1e-12)


def test_right_angles_stay_exact(arm):
    part = load(arm, lock={"j1": "pi/2", "j2": "-pi"})
    assert [str(angle) for angle in part.links[1].placed.rpy] == ["0", "0", "pi/2"]
    assert [str(angle) for angle in part.links[2].placed.rpy] == ["0", "0.4 + pi", "0"]


LOCKS = {
    "is no joint of this robot": {"elbow": 1},
    "is fixed already": {"root_joint": 1},
    "expected a number": {"j1": "L"},
    "has no place": {"j1": "1;2"},
}


@pytest.mark.parametrize("words", LOCKS)
def test_what_cannot_be_locked_is_told(arm, words):
    with pytest.raises(InputError, match=words):
        load(arm, lock=LOCKS[words])


# parts ------------------------------------------------------------------------------------------------------


def test_the_chain_to_a_link_keeps_what_is_fixed_to_it():
    camera, hand = joint("f", "b", "camera", "fixed"), joint("g", "c", "hand", "fixed")
    other = joint("k", "b", "other", inside=Z)
    ends = [joint("i", "a", "b", inside=Z), joint("j", "b", "c", inside=Y), camera, hand, other]
    robot = robot_of(urdf(*map(link, ("a", "b", "c", "camera", "hand", "other")), *ends).encode(), "arm.urdf")
    part = load(robot, tip="c")
    assert [each.name for each in part.links] == ["a", "b", "camera", "c"]
    assert "tip: left out 2 links with 4 kg: hand, other" in part.notices
    assert [each.name for each in load(robot, tip=["hand", "other"]).links] == [
        "a",
        "b",
        "c",
        "hand",
        "camera",
        "other",
    ]


def test_a_subtree_stands_on_the_base(arm):
    part = load(arm, root="c")
    assert [each.name for each in part.links] == ["c", "d", "e"]
    q = np.random.default_rng(0).uniform(-1, 1, (3, 4))
    at, whole = Oracle(part).frames(q[:, 2:]), Oracle(arm).frames(q)
    np.testing.assert_allclose(at[:, 2], np.linalg.inv(whole[:, 2]) @ whole[:, 4], atol=1e-13)


def test_a_part_that_follows_what_is_left_out_is_refused():
    follower = f'{Z}<mimic joint="j1"/>'
    robot = robot_of(chain(("revolute", Z), ("revolute", Z), ("revolute", follower)).encode(), "arm.urdf")
    with pytest.raises(InputError, match="'j3' mimics 'j1', which is left out"):
        load(robot, root="b")
    assert load(robot, root="b", mimic="independent").nq == 2


@pytest.mark.parametrize("choice", [{"root": "hand"}, {"tip": "hand"}, {"attach": "hand:1:0,0,0"}])
def test_links_there_are_not_are_told(arm, choice):
    with pytest.raises(InputError, match="arm has no link 'hand'; there are: a, b, c, d, e"):
        load(arm, **choice)


# bases ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["panda", "arm"])
@pytest.mark.parametrize(("base", "kind"), [("floating", JointKind.FLOATING), ("planar", JointKind.PLANAR)])
def test_bases_move(arm, name, base, kind):
    robot = arm if name == "arm" else load(name)
    loose = load(robot, base=base)
    assert (loose.links[0].joint.kind, loose.nv) == (kind, robot.nv + kind.nv)
    assert loose.links[0].inertia == (robot.links[0].inertia if name == "arm" else loose.links[0].inertia)
    assert read_text(robot_text(loose), "loose.toml").links == loose.links
    assert load(loose, base="fixed").nv == robot.nv


# loads ------------------------------------------------------------------------------------------------------

LOADS = """
[[attach]]
link = "d"
xyz = [0, 0, 0.1]
rpy = [0, 0, "pi/2"]
mass = 1.5
com = [0.2, 0, 0]
inertia = { xx = 0.01, yy = 0.02, zz = 0.02 }
"""


def test_loads_act_as_bodies_do(arm, tmp_path):
    path = tmp_path / "loads.toml"
    path.write_text(LOADS, encoding="utf-8")
    loaded = load(arm, attach=["e:2:0,0.1,0.2"], attach_file=path)
    by_hand = ARM.replace(link("d"), link("d")).replace("</robot>", "")
    by_hand += link("p", BOX.replace("0.25", "0").replace("0.2", "0").replace("0.1", "0"))
    by_hand += joint("jp", "e", "p", "fixed", '<origin xyz="0 0.1 0.2"/>')
    by_hand += link("w", '<inertial><origin xyz="0.2 0 0"/><mass value="1.5"/>' + _TENSOR + "</inertial>")
    by_hand += joint("jw", "d", "w", "fixed", '<origin xyz="0 0 0.1" rpy="0 0 1.5708"/>') + "</robot>"
    other = robot_of(by_hand.encode(), "arm.urdf")
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 5, 4))
    found, wanted = (Oracle(robot).inverse_dynamics(q, qd, qdd) for robot in (loaded, other))
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
    assert loaded.links[-1].name == "e_load"


_TENSOR = '<inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/>'


@pytest.mark.parametrize("text", ["d", "d:1", "d:1:0,0", "d:-1:0,0,0", "d:m:0,0,0", "d:1:0,0,x"])
def test_loads_that_say_too_little_are_refused(arm, text):
    with pytest.raises(InputError, match=r"^attach: "):
        load(arm, attach=text)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("mass = 1.5", "mass = -1"), r"attach\[1\].mass: expected a mass of at least 0 kg"),
        (("mass = 1.5", ""), "attach.0.mass: Field required"),
        (("1.5", '"L"'), r"attach\[1\].mass: expected a number, found L"),
        (('link = "d"', "[x"), "not a valid TOML file"),
    ],
)
def test_files_of_loads_are_checked(arm, tmp_path, change, words):
    path = tmp_path / "loads.toml"
    path.write_text(LOADS.replace(*change), encoding="utf-8")
    with pytest.raises((RobotFileError, InputError), match=words):
        load(arm, attach_file=path)


@pytest.mark.parametrize("words", [{"base": "walking"}, {"mimic": "maybe"}, {"bass": "floating"}])
def test_unknown_choices_are_told(arm, words):
    with pytest.raises(InputError, match=r"expected|unknown choice 'bass'; there are: snap"):
        load(arm, **words)
