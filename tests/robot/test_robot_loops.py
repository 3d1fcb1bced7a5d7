"""What files say of closed loops: bad ones, loops beside other files, loops where a robot is cut, locked or loaded."""

import re

import numpy as np
import pytest
from test_robot_mjcf import matrix

import symgen
from symgen.derive.derivation import Options, derive
from symgen.derive.loop_constraints import Constraints
from symgen.derive.loop_faults import widest_gap
from symgen.errors import InputError, RobotFileError
from symgen.mechanics.instantiation import instantiate
from symgen.program.interpreter import evaluate
from symgen.robot import library
from symgen.robot.loops import CutKind
from symgen.robot.reader import read_text
from symgen.robot.writer import robot_text

HEAD = 'name = "bars"\nconvention = "placed"\ngravity = [0, -9.81, 0]\ninertia_about = "com"\n'
LINK = """
[[links]]
name = "{name}"
parent = "{parent}"
joint = "revolute"
joint_name = "{joint}"
xyz = [{x}, 0, 0]
axis = [0, 0, 1]
mass = 1
com = [0.1, 0, 0]
inertia = {{ xx = 0.01, yy = 0.02, zz = 0.02 }}
"""
TREE = "".join(
    LINK.format(name=name, parent=parent, joint=joint, x=x)
    for name, parent, joint, x in (("one", "base", "a", 0), ("two", "one", "b", 0.4), ("other", "base", "c", 0.6))
)
TWO, OTHER = 'link = "two", xyz = [0.5, 0, 0]', 'link = "other", xyz = [0.5, 0, 0]'


def loop(joint="revolute", one=TWO, two=OTHER, more=""):
    return f'[[loops]]\njoint = "{joint}"\npredecessor = {{ {one} }}\nsuccessor = {{ {two} }}\n{more}\n'


def coupling(terms, offset="0"):
    return f"[[couplings]]\nterms = {{ {terms} }}\noffset = {offset}\n"


def file(loops=None, actuated='actuated = ["a"]', posture="a = 1\nb = -1\nc = 1"):
    return f"{HEAD}{actuated}\n{TREE}\n{loop() if loops is None else loops}\n[posture]\n{posture}\n"


def read(text):
    return read_text(text, "bars.toml")


def planned(text):
    return derive(read(text), Options(("inverse_dynamics",), effort="low"))


def test_the_good_one_is_good():
    planned(file())
    robot = read(file())
    assert (robot.constraints, robot.actuated) == (5, ("a",))
    assert read(robot_text(robot)).cut_joints == robot.cut_joints


BAD = [
    (loop(two='link = "zzz"'), "loops[1].successor.link: no link is called 'zzz'; there are: one, two, other"),
    (loop(two='frame = "eye"'), "loops[1].successor.frame: no frame is called 'eye'; there are: none"),
    (loop(two='link = "two"'), "loops[1]: both ends are on one body, or on bodies fixed to each other"),
    (loop(one='link = "base"', two='link = "base", xyz = [1, 0, 0]'), "loops[1]: both ends are on one body"),
    (loop(two='frame = "eye", link = "two"'), "loops[1].successor: expected either link or frame, found both"),
    (loop(two="xyz = [0, 0, 0]"), "loops[1].successor: expected either link or frame, found none of them"),
    (loop("rod"), "loops[1].length: missing; give the distance of a rod's ends in m"),
    (loop("rod", more="length = 0"), "loops[1].length: expected a length above 0, found 0"),
    (loop("rod", more="length = -1"), "loops[1].length: expected a length above 0, found -1"),
    (loop("rod", more='length = "L"'), "loops[1].length: unknown symbol 'L'; declared parameters: none"),
    (loop(more="length = 1"), "loops[1].length: only rods have a length; this is a revolute joint"),
    (loop("hinge"), "loops[1].joint: expected one of revolute, prismatic, cylindrical, universal, spherical"),
    (loop(more="lenght = 1"), "loops[1].lenght: unknown key; did you mean length?"),
    ('[[loops]]\nsuccessor = { link = "two" }\n', "loops[1].joint: missing; tell what ties the two links: revolute"),
    ('[[loops]]\njoint = "rod"\n', "loops[1].predecessor: missing; say where on which link the loop is cut"),
    (2 * loop(more='name = "pin"'), "loops[2].name: the name 'pin' is taken already"),
    (coupling("z = 1"), "couplings[1].terms.z: no coordinate is called 'z'; there are: a, b, c"),
    (coupling("'a b' = 1"), "couplings[1].terms.'a b': no coordinate is called 'a b'"),
    (coupling("a = 'pi'"), "couplings[1].terms.a: expected a rational ratio other than 0, found pi"),
    (coupling("a = 'sqrt(2)'"), "couplings[1].terms.a: expected a rational ratio other than 0, found sqrt(2)"),
    (coupling("a = 0, b = 1"), "couplings[1].terms.a: expected a rational ratio other than 0, found 0"),
    (coupling(""), "couplings[1].terms: expected between 1 and 100 coordinates, found 0"),
    (coupling("a = 1, b = 1") + coupling("a = 1, b = 1", "0.3"), "couplings[2]: contradicts the couplings above"),
    (
        coupling("a = 1, b = 1") + coupling("b = 2, c = 1") + coupling("a = 4, c = -2", "'pi'"),
        "couplings[3]: contradicts the couplings above: they say another sum of a, c, off by pi",
    ),
    (loop("spherical", more="viscous_friction = 1"), "loops[1].viscous_friction: a spherical cut joint has no coord"),
    (loop("rod", more="length = 1\nstiffness = 1"), "loops[1].stiffness: a rod cut joint has no coordinate that"),
    (loop("fixed", more="limits = { lower = 1 }"), "loops[1].limits: a fixed cut joint has no coordinate that"),
    (loop("universal", more="coulomb_friction = 1"), "loops[1].coulomb_friction: a universal cut joint has several"),
    (loop("planar", more="limits = { lower = 1 }"), "loops[1].limits: a planar cut joint has several coordinates"),
    (loop(more="rotor_inertia = 1"), "loops[1].rotor_inertia: unknown key"),
    (loop(more="viscous_friction = -1"), "loops[1].viscous_friction: expected a viscous friction of at least 0"),
    (loop(more='stiffness = "k"'), "loops[1].stiffness: unknown symbol 'k'; declared parameters: none"),
    (loop(more="rest_position = 1"), "loops[1].stiffness: missing; rest_position says nothing without it"),
    (loop(more="limits = { effort = 1 }"), "loops[1].limits.effort: no motor drives a cut joint: leave effort out"),
    (loop(more="limits = { lower = 2, upper = 1 }"), "loops[1].limits.lower: the lower limit 2 is above the upper"),
    (loop(more="limits = { loewr = 2 }"), "loops[1].limits.loewr: unknown key; did you mean lower?"),
    (loop(more="limits = 3"), "loops[1].limits: expected a table such as { lower = -1, upper = 1 }"),
]


@pytest.mark.parametrize(("loops", "words"), BAD)
def test_what_is_wrong_with_a_loop_is_told_once(loops, words):
    with pytest.raises(RobotFileError) as told:
        read(file(loops))
    assert words in str(told.value)
    assert str(told.value).startswith("bars.toml: 1 problem\n") == (words.count("missing; say") == 0)


WRONG_KEYS = [
    (file(actuated=""), "actuated: missing; name the joints that are driven"),
    (file(actuated='actuated = ["z"]'), "actuated[1]: no joint is called 'z'; there are: a, b, c"),
    (file(actuated='actuated = ["a", "a"]'), "actuated: 'a' is named twice"),
    (file(actuated='actuated = ["a"]\nindependent = ["a"]'), "independent: names joints of actuated"),
    (file(actuated='actuated = "a"'), "actuated: expected an array of names of joints, found 'a'"),
    (file(posture="z = 1"), "posture.z: no coordinate is called 'z'; there are: a, b, c"),
    (file(posture="a = inf"), "posture.a: expected a finite number"),
    (file("", posture=""), "actuated: only robots with [[loops]] or [[couplings]] have this key"),
    (file("").replace("actuated", "loops = 3\nactuated"), "loops: expected a [[loops]] table for every cut joint"),
]


@pytest.mark.parametrize(("text", "words"), WRONG_KEYS)
def test_what_is_wrong_beside_the_loops_is_told_once(text, words):
    with pytest.raises(RobotFileError) as told:
        read(text)
    assert str(told.value).startswith(f"bars.toml: 1 problem\n  {words}")


UNFIT = {
    "too long": (
        file(loop(two='link = "other", xyz = [5, 0, 0]')),
        "the loops do not close near the posture: the loop 'loop1' stays open by 3.99 m where the other joints come",
    ),
    "out of the plane": (
        file(loop(more='name = "pin"', two='link = "other", xyz = [0.5, 0, 0.1]')),
        "the loop 'pin' stays open by 0.1 m where the other joints come nearest to closing them, at the given posi",
    ),
    "axes apart": (
        file(loop(two=OTHER + ", rpy = [0.3, 0, 0]")),
        "the loop 'loop1' stays open by 0.3 rad where the other joints come nearest",
    ),
    "a rod too short": (
        file(loop("rod", one='link = "one"', two='link = "other"', more="length = 0.1"), 'actuated = ["a", "c"]'),
        "the loop 'loop1' stays open by 0.5 m where",
    ),
    "the second of two": (
        file(loop(more='name = "good"') + loop(one='link = "one"', two='link = "base", xyz = [0, 1, 0]')),
        "the loop 'loop2' stays open by 1 m",
    ),
    "too many": (file(actuated='actuated = ["a", "b"]'), "leave 1 freedoms of the tree's 3, but 2 coordinates are ind"),
    "too few": (
        file(coupling("a = 1, b = 1")),
        "leave 2 freedoms of the tree's 3, but 1 coordinates are independent (a)",
    ),
    "fixed": (
        file(coupling("a = 1", "0.1"), 'actuated = ["a", "c"]'),
        "the actuated coordinates a, c depend on each other",
    ),
    "tied": (
        file(coupling("a = 1, b = 1", "0.1"), 'actuated = ["a", "b"]'),
        "the actuated coordinates a, b depend on each other: they leave 1 freedoms of the other joints open",
    ),
    "singular": (
        file(loop(one='link = "two", xyz = [0.4, 0, 0]', two='link = "other", xyz = [0.2, 0, 0]'), posture="a = 0"),
        "the posture is singular: there the actuated coordinates do not determine the rates of b, c; the smallest "
        "pivot of the block of c is 0 there, 0.019 at a posture beside it; give another posture",
    ),
}


@pytest.mark.parametrize("case", UNFIT)
def test_loops_that_do_not_fit_are_told(case):
    text, words = UNFIT[case]
    with pytest.raises(InputError, match=re.escape(words)):
        planned(text)


def test_the_farthest_of_loops_and_couplings_is_told():
    robot = read(file(loop() + coupling("a = 1, b = 1"), 'actuated = ["a"]'))
    phi = np.array([0.03, 0, 0.04, 0.003, 0.004, -0.01])
    assert widest_gap(robot, phi) == "the loop 'loop1' stays open by 0.05 m and 0.005 rad"
    assert widest_gap(robot, phi * [0, 0, 0, 1, 1, 100]) == "the coupling 'coupling1' is off by 1"


def test_couplings_that_say_the_same_twice_are_one():
    text = file(coupling("a = 1, b = 1", "0.1") + coupling("a = 2, b = 2", "0.2"), 'actuated = ["a", "c"]')
    assert planned(text).module.function("inverse_dynamics").inputs[1].shape == (2,)


# loops beside other files ----------------------------------------------------------------------------

URDF = """<robot name="bars"><link name="root"/>{}</robot>"""
BODY = (
    '<link name="{name}"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>'
    '<inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    '<joint name="{joint}" type="continuous"><parent link="{parent}"/><child link="{name}"/><origin xyz="{x} 0 0"/>'
    '<axis xyz="0 0 1"/></joint>'
)


@pytest.fixture
def urdf(tmp_path):
    path = tmp_path / "bars.urdf"
    links = (("one", "root", "a", 0), ("two", "one", "b", 0.4), ("other", "root", "c", 0.6))
    body = "".join(BODY.format(name=name, parent=parent, joint=joint, x=x) for name, parent, joint, x in links)
    path.write_text(URDF.format(body), encoding="utf-8")
    return path


def loops_file(tmp_path, text):
    path = tmp_path / "loops.toml"
    path.write_text(text, encoding="utf-8")
    return path


DRIVEN = 'actuated = ["a"]\n'
AT = "[posture]\na = 1\nb = -1\nc = 1\n"


def test_a_urdf_with_a_file_of_loops_is_the_robot_of_one_file(tmp_path, urdf):
    robot = library.load(urdf, loops=loops_file(tmp_path, DRIVEN + loop() + AT))
    one = read(file())
    assert (robot.actuated, robot.posture, robot.constraints) == (one.actuated, one.posture, one.constraints)
    programs = [
        derive(each, Options(("forward_dynamics",), gravity="runtime")).module.function("forward_dynamics").program
        for each in (robot, one)
    ]
    q = closed_q(one)
    given = {"q": q, "qd": [0.3], "tau": [0.2], "gravity": [0, -9.81, 0]}
    found, expected = (next(iter(evaluate(program, given).values())) for program in programs)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_file_of_loops_may_choose_other_joints(tmp_path):
    robot = library.load("five_bar", loops=loops_file(tmp_path, 'independent = ["distal1", "distal2"]\n'))
    assert robot.actuated == ("distal1", "distal2")
    assert robot.cut_joints == library.load("five_bar").cut_joints


def test_loops_are_left_open_on_demand():
    robot = library.load("five_bar", loops="open")
    assert (robot.has_loops, robot.actuated, robot.posture) == (False, (), ())


BAD_FILES = {
    "1 problem\n  loops[1].predecessor.link: no link": DRIVEN + loop(one='link = "z"'),
    "says nothing; the keys of a file of loops: loops, couplings, actuated": "",
    "name: unknown key; the keys here are: loops, couplings, actuated": 'name = "arm"\n' + DRIVEN + loop(),
    "not a valid TOML file": "loops = [",
    "actuated: missing; name the joints": loop(),
    "actuated: only robots with [[loops]]": DRIVEN,
    "loops[1].length: unknown symbol 'L'": DRIVEN + loop("rod", more='length = "L"'),
}


@pytest.mark.parametrize("words", BAD_FILES)
def test_what_is_wrong_with_a_file_of_loops_is_told(tmp_path, urdf, words):
    with pytest.raises(InputError, match=re.escape(words)):
        library.load(urdf, loops=loops_file(tmp_path, BAD_FILES[words]))


def test_a_missing_file_of_loops_is_told(tmp_path, urdf):
    with pytest.raises(InputError, match="cannot be read"):
        library.load(urdf, loops=tmp_path / "none.toml")


# choices ---------------------------------------------------------------------------------------------


def ends(robot):
    return [(robot.links[cut.predecessor.link].name, robot.links[cut.successor.link].name) for cut in robot.cut_joints]


def test_loops_stay_on_their_links():
    """Where links are put in, taken out, or the base is let loose."""
    one = library.load("five_bar")
    assert ends(library.load("five_bar", attach="leg1_1:1:0,0,0")) == ends(one)
    assert ends(library.load("five_bar", tip=["leg1_2", "leg2_2"])) == ends(one)
    loose = library.load("five_bar", base="planar")
    assert ends(loose) == ends(one)
    assert loose.actuated == ("root_joint_vx", "root_joint_vy", "root_joint_wz", "proximal1", "proximal2")
    ankle = library.load("ankle", base="floating")
    assert [ankle.links[cut.successor.link].name for cut in ankle.cut_joints] == ["foot", "foot"]
    derive(ankle, Options(("velocity_transformation",), effort="low"))


def test_loops_are_taken_whole():
    with pytest.raises(InputError, match="tip: the loop 'tip' ties 'leg1_2' to 'leg2_2', which is left out; take both"):
        library.load("five_bar", tip="leg1_2")
    with pytest.raises(InputError, match="the coupling 'level' ties"):
        library.load("palletizer", tip="upper_arm")
    assert not library.load("five_bar", loops="open", tip="leg1_2").has_loops
    assert library.load("carpet_scraper", root="scraper", loops="open").nv == 1


def test_locked_joints_leave_couplings_of_the_others():
    robot = library.load("palletizer", lock={"shoulder": "pi/6", "gripper_turn": 0})
    assert [(each.terms, str(each.offset)) for each in robot.couplings] == [((("elbow", 1), ("wrist", 1)), "-pi/6")]
    assert robot.actuated == ("waist", "elbow_motor")
    assert dict(robot.posture).keys() == {"elbow_motor"}
    with pytest.raises(InputError, match="lock: the coupling 'coupling1' does not hold at these values; it is off by"):
        library.load(read(file(coupling("a = 1, b = 1", "0.1"), 'actuated = ["a", "c"]')), lock={"a": 1, "b": 1})


# MJCF ------------------------------------------------------------------------------------------------

mujoco = pytest.importorskip("mujoco", reason="the extra mjcf is not installed")

INERTIAL = '<inertial pos="{}" mass="{}" diaginertia="0.01 0.02 0.015"/>'
MJCF = {
    "planar": """
<worldbody>
  <body name="one"><joint name="a" axis="0 0 1"/>{0}
    <body name="two" pos="0.4 0 0"><joint name="b" axis="0 0 1"/>{1}</body></body>
  <body name="other" pos="0.7 0.2 0"><joint name="c" axis="0 0 1"/>{2}</body>
</worldbody>
<equality><connect name="pin" body1="two" body2="other" anchor="0.5 0.1 0"/></equality>
<actuator><motor joint="a"/></actuator>""",
    "to the world, by sites": """
<worldbody><site name="wall" pos="0.9 0.1 0"/>
  <body name="one"><joint name="a" axis="0 0 1"/>{0}
    <body name="two" pos="0.4 0 0"><joint name="b" axis="0 0 1"/>{1}
      <body name="slider" pos="0.3 0.2 0"><joint name="s" type="slide" axis="1 0.2 0"/>{2}
        <site name="end" pos="0.2 -0.1 0"/></body></body></body>
</worldbody>
<equality><connect site1="end" site2="wall"/></equality>
<actuator><motor joint="a"/></actuator>""",
    "floating, welded, tied": """
<worldbody>
  <body name="trunk"><freejoint name="root"/>{0}
    <body name="one" pos="0.1 0 0"><joint name="a" axis="0 1 0.2"/>{1}
      <body name="two" pos="0.4 0 0"><joint name="ball" type="ball"/>{2}
        <body name="three" pos="0.3 0.1 0"><joint name="x" type="slide" axis="1 0 0"/>
          <joint name="y" type="slide" axis="0 1 0.2"/><joint name="z" type="slide" axis="0 0.5 1"/>{0}
        </body></body></body>
    <body name="other" pos="0 0.3 0" euler="20 0 40"><joint name="c" axis="0 0 1"/>{1}
      <body name="last" pos="0 0 0.3"><joint name="d" axis="1 0 0"/>{2}</body></body>
    <body name="gear" pos="0 0 -0.1"><joint name="g" axis="0 0 1"/>{1}</body>
    <body name="pinion" pos="0 0 -0.2"><joint name="h" axis="0 0 1"/>{1}</body></body>
</worldbody>
<equality><weld body1="three" body2="last" anchor="0.1 0.2 0.3"/>
  <joint joint1="g" joint2="c" polycoef="0.1 2 0 0 0"/><joint joint1="h" joint2="d" polycoef="0 -0.5 0 0 0"/></equality>
<actuator><motor joint="d"/><motor joint="c"/><motor joint="a"/></actuator>
<keyframe><key qpos="0.1 0.2 0.3 1 0 0 0  0.1  1 0 0 0  0 0 0  0.05  0.1  0.2 -0.05"/></keyframe>""",
}


def mjcf(tmp_path, name):
    path = tmp_path / "robot.xml"
    bodies = [INERTIAL.format(*each) for each in (("0.1 0 0", 1), ("0.2 0.1 0", 2), ("0 0.1 0.1", 0.5))]
    path.write_text(f"<mujoco>{MJCF[name].format(*bodies)}</mujoco>", encoding="utf-8")
    return path


def closed_q(robot):
    constraints = Constraints(robot, lambda graph: instantiate(robot, graph))
    q = constraints.assembled(
        np.array(robot.near), [index for index in range(robot.nv) if index not in robot.independent]
    )
    assert q is not None
    return q


def in_mujocos_terms(robot, q):
    """qpos, and T with MuJoCo's velocities v = T q̇."""
    qpos, T, row = [], np.zeros((50, robot.nv)), 0
    for index, own, v in robot.coordinates():
        joint = robot.links[index].joint
        size = v.stop - v.start
        if not size:
            continue
        block, values = np.eye(size) * float(joint.ratio), q[own]
        if joint.mimic is not None:
            values = values * float(joint.ratio) + float(joint.mimic.offset.constant({}))
        if joint.kind.value == "floating":
            block[:3, :3] = matrix(q[own][3:])
        if joint.kind.is_free:
            values = [*values[:-4], values[-1], *values[-4:-1]]
        qpos += list(values)
        T[row : row + size, v] = block
        row += size
    return np.array(qpos), T[:row]


@pytest.mark.parametrize("name", MJCF)
def test_loops_of_mjcf_are_mujocos(tmp_path, name):
    """At a closed q MuJoCo's constraints hold, no independent rate opens them, and the inertia is its own, reduced."""
    path = mjcf(tmp_path, name)
    robot = library.load(path)
    q = closed_q(robot)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    data.qpos[:], T = in_mujocos_terms(robot, q)
    mujoco.mj_forward(model, data)
    rows = data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
    assert np.abs(data.efc_pos[rows]).max() < 1e-9
    functions = derive(robot, Options(("velocity_transformation", "inertia_matrix"), effort="low")).module
    G, inertia = (
        next(iter(evaluate(functions.function(each).program, {"q": q}).values()))
        for each in ("velocity_transformation", "inertia_matrix")
    )
    J = data.efc_J.reshape(data.nefc, model.nv)[rows]
    assert np.abs(J @ T @ G).max() < 1e-9
    assert G.shape[1] == model.nv - np.linalg.matrix_rank(J, 1e-9)
    columns = np.zeros((model.nv, model.nv))
    for column, unit in zip(columns, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, column, unit)
    np.testing.assert_allclose(inertia, (T @ G).T @ columns @ T @ G, rtol=1e-9, atol=1e-12)


def test_drives_and_joints_that_no_loop_passes_are_independent(tmp_path):
    robot = library.load(mjcf(tmp_path, "floating, welded, tied"))
    assert [cut.kind for cut in robot.cut_joints] == [CutKind.FIXED]
    assert robot.actuated[:6] == tuple(f"root_{each}" for each in ("vx", "vy", "vz", "wx", "wy", "wz"))
    assert robot.actuated[6:] == ("a", "c", "d")
    assert dict(robot.posture).keys() >= {"root_x", "a", "c"}
    assert "loops are closed exactly, where MuJoCo pulls them softly (loops = open leaves them open): equality1" in (
        robot.notices
    )


def test_loops_of_mjcf_are_written_and_read_back(tmp_path):
    robot = library.load(mjcf(tmp_path, "planar"))
    again = read(robot_text(robot))
    assert (again.cut_joints, again.actuated, again.posture) == (robot.cut_joints, robot.actuated, robot.posture)
    assert not symgen.load(mjcf(tmp_path, "planar"), loops="open").has_loops
