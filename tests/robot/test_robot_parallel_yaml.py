"""The robot.yaml that example-parallel-robots have beside a URDF."""

import re

import numpy as np
import pytest
from test_robot_mjcf import matrix

from symgen.derive.derivation import Options, derive
from symgen.derive.loop_constraints import Constraints
from symgen.errors import InputError, SymgenError
from symgen.mechanics.instantiation import instantiate
from symgen.program.interpreter import evaluate
from symgen.robot import library
from symgen.robot.loops import CutKind
from symgen.verify.oracle import Oracle

INERTIAL = (
    '<inertial><origin xyz="0.1 0 0.05"/><mass value="1"/>'
    '<inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0.001" iyz="0"/></inertial>'
)
LINK = (
    '<link name="{name}">{inertial}</link><joint name="{joint}" type="{kind}"><parent link="{parent}"/>'
    '<child link="{name}"/><origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="0 0 1"/></joint>'
)


def link(name, parent, joint, xyz, rpy="0 0 0", kind="continuous"):
    inertial = "" if kind == "fixed" else INERTIAL
    return LINK.format(name=name, parent=parent, joint=joint, xyz=xyz, rpy=rpy, kind=kind, inertial=inertial)


BARS = [
    link("crank", "root", "motor1", "0 0 0"),
    link("rod", "crank", "free1", "0.2 0 0", "0 0 1.2"),
    link("pin1_A", "rod", "to_pin1_A", "0.5 0 0", kind="fixed"),
    link("rocker", "root", "motor2", "0.6 0 0", "0 0 1.5707963267948966"),
    link("bar", "rocker", "free2", "0.4 0 0", "0 0 0.3"),
    link("pin1_B", "bar", "to_pin1_B", "0.3 0 0", kind="fixed"),
]
YAML = "closed_loop: [['pin1_A', 'pin1_B']]\ntype: ['3d']\nname_mot: ['motor1', 'motor2']\n"


@pytest.fixture
def read(tmp_path):
    def reading(text, links=BARS):
        urdf, yaml = tmp_path / "robot.urdf", tmp_path / "robot.yaml"
        urdf.write_text(f'<robot name="bars"><link name="root"/>{"".join(links)}</robot>', encoding="utf-8")
        yaml.write_text(text, encoding="utf-8")
        return library.load(urdf, loops=yaml)

    return reading


def test_a_five_bar_is_closed_at_its_frames(read):
    robot = read(YAML)
    (cut,) = robot.cut_joints
    ends = [robot.links[end.link].name for end in (cut.predecessor, cut.successor)]
    assert (cut.name, cut.kind, ends) == ("pin1", CutKind.SPHERICAL, ["pin1_A", "pin1_B"])
    assert robot.actuated == ("motor1", "motor2")
    function = derive(robot, Options(("velocity_transformation",), effort="low")).module.functions[0]
    assert next(iter(evaluate(function.program, {"q": [0.1, 0.2, 0.3, 0.4]}).values())).shape == (4, 2)


def test_a_motor_is_every_joint_whose_name_holds_its_own(read):
    """As the toolbox reads it; and joints that no loop passes are independent, though no motor drives them."""
    assert read(YAML.replace("['motor1', 'motor2']", "motor")).actuated == ("motor1", "motor2")
    wheel = link("wheel", "root", "spin", "0 0 1")
    assert read(YAML, [*BARS, wheel]).actuated == ("motor1", "motor2", "spin")


def test_a_joint_stands_for_the_frame_that_it_moves(read):
    one, other = (read(YAML.replace("pin1_A", name)) for name in ("pin1_A", "to_pin1_A"))
    assert one.cut_joints[0].predecessor.link == other.cut_joints[0].predecessor.link


def test_all_spellings_of_yaml_are_the_same(read):
    block = "closed_loop:\n  - - pin1_A\n    - pin1_B\n\ntype: [3D]  # points\nname_mot:\n- motor1\n- motor2\n"
    assert read(block) == read(YAML) == read('{"closed_loop": [["pin1_A", "pin1_B"]], type: ["3d"], name_mot: [motor]}')


# kinds of joints -------------------------------------------------------------------------------------

CHAIN = [link("one", "root", "ball", "0.1 0.2 0.3", "0.3 0.2 0.1"), link("two", "one", "turn", "0 0 0.4", "0 0.5 0")]
CLOSED = "closed_loop: [[two, root]]\ntype: [3d]\nname_mot: [ball, turn]\n"


def turn(axis, angle):
    return matrix([*(np.sin(angle / 2) * np.eye(3)["XYZ".index(axis)]), np.cos(angle / 2)])


@pytest.mark.parametrize("word", ["UJOINT_XY", "UJOINT_YZ", "UJOINT_ZX", "UJOINT_ZY"])
def test_universal_joints_turn_about_the_two_axes_of_their_name(read, word):
    robot = read(f"{CLOSED}joint_name: [ball]\njoint_type: [{word}]\n", CHAIN)
    one, other = word[-2:]
    assert [joint.name for joint in robot.joints] == [f"ball_{one}", f"ball_{other}", "turn"]
    plain = library.load(robot, loops="open")
    at_rest, there = (
        Oracle(plain).frames(np.array(q))[[link.name for link in plain.links].index("one")]
        for q in ([0, 0, 0], [0.4, 0.7, 0.2])
    )
    np.testing.assert_allclose(there[:3, :3], at_rest[:3, :3] @ turn(one, 0.4) @ turn(other, 0.7), atol=1e-12)
    np.testing.assert_allclose(there[:3, 3], at_rest[:3, 3], atol=1e-12)


def test_joints_become_balls_or_fixed(read):
    balls = read(f"{CLOSED}joint_name: [ball]\njoint_type: [SPHERICAL]\n", CHAIN)
    assert [(joint.name, joint.kind.value) for joint in balls.joints] == [("ball", "spherical"), ("turn", "continuous")]
    fixed = read(f"{CLOSED.replace(', turn', '')}joint_name: [turn]\njoint_type: [FIXED]\n", CHAIN)
    assert [joint.name for joint in fixed.joints] == ["ball"]
    frames = [Oracle(library.load(each, loops="open")).frames(np.array(each.neutral)) for each in (balls, fixed)]
    np.testing.assert_allclose(*frames, atol=1e-12)


def test_friction_of_another_joint_is_not_that_of_a_ball(read):
    damped = CHAIN[0].replace("</joint>", '<dynamics damping="0.1"/></joint>')
    robot = read(f"{CLOSED}joint_name: [ball]\njoint_type: [SPHERICAL]\n", [damped, CHAIN[1]])
    assert "friction of joints that are of another kind now is left out: ball" in robot.notices


RSSR = [
    link("crank", "root", "motor", "0 0 0", "0.3 0 0"),
    link("half_A", "crank", "ball_A", "0.1 0 0", "0.1 0.2 0.3"),
    link("end_A", "half_A", "to_end_A", "0.2 0 0.02", "0 0 0.4", kind="fixed"),
    link("rocker", "root", "rocker_pivot", "0.35 -0.3 0.05", "0 0 1"),
    link("half_B", "rocker", "ball_B", "0.3 0 0"),
    link("end_B", "half_B", "to_end_B", "-0.15 0.05 0", kind="fixed"),
]
HALVES = (
    "closed_loop: [[end_B, end_A]]\ntype: [6d]\nname_mot: [motor]\n"
    "joint_name: [ball_A, ball_B]\njoint_type: [SPHERICAL, SPHERICAL]\n"
)


def test_a_rod_in_two_halves_between_balls_is_whole_and_does_not_spin(read):
    robot = read(HALVES, RSSR)
    (cut,) = robot.cut_joints
    assert (cut.name, cut.kind, len(robot.spins), robot.nv) == ("end", CutKind.SPHERICAL, 1, 5)
    assert "rods between two ball joints are whole, and cut at one of these: end" in robot.notices
    assert sum(float(link.inertia.mass.constant({})) for link in robot.links) == 4
    module = derive(robot, Options(("velocity_transformation",), effort="low")).module
    constraints = Constraints(robot, lambda graph: instantiate(robot, graph))
    q = constraints.assembled(np.array(robot.near), [k for k in range(robot.nv) if k not in robot.independent])
    G = next(iter(evaluate(module.functions[0].program, {"q": q}).values()))
    # The rod's length does not change: of its ends, on crank and rocker, the velocities along it are one.
    oracle = Oracle(library.load(robot, loops="open"))
    names, rates = [link.name for link in robot.links], [each.name for each in robot.velocities]
    ends = {}
    for name, place in (("crank", [0.1, 0, 0]), ("rocker", [0.3, 0, 0])):
        frame, axis = oracle.frames(q)[names.index(name)], oracle.frames(q)[names.index(name)][:3, 2]
        arm = frame[:3, :3] @ place
        joint = robot.links[names.index(name)].joint.name
        ends[name] = frame[:3, 3] + arm, np.cross(axis, arm) * G[rates.index(joint), 0]
    along = ends["crank"][0] - ends["rocker"][0]
    halves = 0.2**2 + 0.02**2, 0.15**2 + 0.05**2
    assert abs(np.sqrt(halves[0]) - np.sqrt(halves[1])) < np.linalg.norm(along) < sum(map(np.sqrt, halves))
    assert abs(along @ (ends["crank"][1] - ends["rocker"][1])) < 1e-9
    assert np.abs(ends["rocker"][1]).max() > 1e-4


def test_halves_that_carry_more_stay_two(read):
    robot = read(HALVES, [*RSSR, link("weight", "half_B", "hinge", "0 0 0.1")])
    assert robot.cut_joints[0].kind is CutKind.FIXED


# bad files -------------------------------------------------------------------------------------------

JOINT = "joint_name: [free1]\njoint_type: [SPHERICAL]\n"
BAD = [
    (YAML.replace("pin1_A", "pin9"), "closed_loop[1] (line 1): no link has the frame 'pin9'; there are: root, crank,"),
    (YAML.replace("pin1_A", "pin1_B"), "closed_loop[1] (line 1): 'pin1_B' and 'pin1_B' are on one body"),
    (YAML.replace("pin1_A", "bar"), "'bar' and 'pin1_B' are on one body, or on bodies fixed to each other"),
    (YAML.replace("['pin1_A', 'pin1_B']", "[pin1_A]"), "closed_loop[1] (line 1): expected the names of two frames"),
    (YAML.replace("'pin1_A'", "{}"), "closed_loop[1] (line 1): expected a name"),
    (YAML.replace("'3d'", "'5d'"), "type[1] (line 2): expected 3d or 6d, found '5d'"),
    (YAML.replace("'3d'", "3d, 6d"), "type (line 2): expected one entry for each of closed_loop, 1; found 2"),
    (YAML.replace("type: ['3d']", ""), "type (line 1): expected one entry for each of closed_loop, 1; found 0"),
    (YAML.replace("type: ['3d']", "type: {a: b}"), "type (line 2): expected a list, such as [left, right]"),
    (YAML.replace("motor2", "engine"), "name_mot[2] (line 3): the name of no joint that moves holds 'engine'"),
    (YAML.replace("name_mot", "motors"), "name_mot: missing; the keys of a robot.yaml: closed_loop, type, name_mot"),
    (YAML + "joint_name: [free1]\n", "joint_type (line 4): expected one entry for each of joint_name, 1; found 0"),
    (YAML + JOINT.replace("SPHER", "SPER"), "joint_type[1] (line 5): expected SPHERICAL, FIXED, UJOINT_XY, UJOINT_XZ"),
    (YAML + JOINT.replace("free1", "free9"), "joint_name[1] (line 4): there is no joint: 'free9'; those that move: m"),
    (YAML + JOINT.replace("free1", "to_pin1_A"), "joint_name[1] (line 4): the joint does not move: 'to_pin1_A'"),
    (YAML + "joint_name: [free1, free1]\njoint_type: [FIXED, FIXED]\n", "the joint 'free1' stands there twice"),
    (YAML + "type: [6d]\n", "type: it stands there twice, again in line 4"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_what_is_wrong_with_a_robot_yaml_is_told_once(read, text, words):
    with pytest.raises(InputError) as told:
        read(text)
    assert "robot.yaml: 1 problem\n" in str(told.value)
    assert words in str(told.value)


NO_YAML = {
    "not valid YAML: line 1, column": "closed_loop: [[a, b]",
    "not valid YAML: line 2, column 1: found character '\\t'": "a:\n\t- b",
    "expected keys and their values": "- a\n- b\n",
    "it is nested too deeply": "a: " + 5000 * "[",
    "larger than 200 kB": "# " + 200_000 * "x",
}


@pytest.mark.parametrize("words", NO_YAML)
def test_what_is_no_robot_yaml_is_told(read, words):
    with pytest.raises(SymgenError, match=re.escape(words)):
        read(NO_YAML[words])


def test_keys_of_others_are_told(read):
    robot = read(YAML + "rotor_inertia: [1, 2]\n!!python/object:os.system x: y\n")
    assert any("keys that are not read: rotor_inertia, x" in notice for notice in robot.notices)


def test_names_that_repeat_each_other_a_thousandfold_are_a_name_that_is_none(read):
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + k)}: &{chr(98 + k)} [*{chr(97 + k)}, *{chr(97 + k)}]\n" for k in range(20)
    )
    with pytest.raises(InputError, match="closed_loop"):
        read(f"{bomb}closed_loop: *t\n")
