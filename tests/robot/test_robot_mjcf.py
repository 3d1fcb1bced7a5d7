"""MJCF read through MuJoCo's compiled model, against MuJoCo's own dynamics."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import symgen
from symgen.algebra.domain import Floats
from symgen.cli.conversion import convert
from symgen.errors import EnvironmentFault, InputError, LimitError, RobotFileError
from symgen.mechanics import kinematics
from symgen.mechanics.functions import registry
from symgen.mechanics.instantiation import instantiate
from symgen.robot import library
from symgen.robot.expression import parse
from symgen.robot.joints import JointKind
from symgen.robot.mjcf import load as mjcf_load
from symgen.verify.oracle import Oracle

mujoco = pytest.importorskip("mujoco", reason="the extra mjcf is not installed")

OWN = sorted((Path(__file__).parents[1] / "data" / "mjcf").glob("*.xml"))
SHIPPED = [
    path
    for path in sorted(Path(mujoco.__file__).parent.rglob("*.xml"))
    if b"<mujoco" in path.read_bytes() and b"<body" in path.read_bytes()
]
TOLERANCE = 1e-9


def near(found, expected, tolerance=TOLERANCE):
    found = np.array(found, dtype=float)
    assert np.abs(found - expected).max(initial=0) <= tolerance * max(1.0, np.abs(expected).max(initial=0))


def matrix(quaternion):
    """The rotation of a quaternion x y z w."""
    flat = np.zeros(9)
    mujoco.mju_quat2Mat(flat, np.roll(quaternion, 1))
    return flat.reshape(3, 3)


class Twin:
    """A robot and the model it was read from, at a state: MuJoCo's coordinates, rates and forces, and symgen's."""

    def __init__(self, path, robot, seed):
        self.robot, self.model = robot, mujoco.MjModel.from_xml_path(str(path))
        self._forget()
        self.data = mujoco.MjData(self.model)
        chance = np.random.default_rng(seed)
        self.qd, self.qdd = chance.uniform(-1, 1, (2, robot.nv))
        self.q = chance.uniform(-1, 1, robot.nq)
        for link, own, _ in self._moving():
            if link.joint.kind.is_free:
                self.q[own.stop - 4 : own.stop] /= np.linalg.norm(self.q[own.stop - 4 : own.stop])
        self._carry()

    def _forget(self):
        """What the robot leaves out: springs of tendons, and what acts in joints of several coordinates."""
        model = self.model
        for field in (model.tendon_stiffness, model.tendon_damping, model.tendon_armature, model.body_gravcomp):
            field[:] = 0
        model.opt.density = model.opt.viscosity = 0
        for joint, kind in enumerate(model.jnt_type):
            if mujoco.mjtJoint(kind) in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
                model.jnt_stiffness[joint] = 0
                rows = model.dof_jntid == joint
                model.dof_armature[rows] = model.dof_damping[rows] = model.dof_frictionloss[rows] = 0

    def _moving(self):
        for index, q, v in self.robot.coordinates():
            if self.robot.links[index].joint.nv:
                yield self.robot.links[index], q, v

    def _carry(self):
        """The state in MuJoCo's terms: q, v = T q̇, a = T q̈ + Ṫ q̇."""
        qpos, T, drift = [], np.zeros((self.model.nv, self.robot.nv)), np.zeros(self.model.nv)
        row = 0
        for link, own, v in self._moving():
            q, size = self.q[own], v.stop - v.start
            block, ratio = np.eye(size), float(link.joint.ratio)
            if link.joint.mimic is not None:
                q = q * ratio + float(link.joint.mimic.offset.constant({}))
            if link.joint.kind is JointKind.FLOATING:
                block[:3, :3] = matrix(q[3:])
                drift[row : row + 3] = block[:3, :3] @ np.cross(self.qd[v][3:], self.qd[v][:3])
            if link.joint.kind.is_free:
                q = [*q[:-4], q[-1], *q[-4:-1]]
            qpos += list(q)
            T[row : row + size, v] = block * ratio
            row += size
        assert row == self.model.nv
        self.T, self.data.qpos[:], self.data.qvel[:] = T, qpos, T @ self.qd
        mujoco.mj_forward(self.model, self.data)
        self.data.qacc[:] = T @ self.qdd + drift

    def inertia(self):
        columns = np.zeros((self.model.nv, self.model.nv))
        for column, unit in zip(columns, np.eye(self.model.nv), strict=True):
            mujoco.mj_mulM(self.model, self.data, column, unit)
        return self.T.T @ columns.T @ self.T

    def forces(self):
        forces, model = np.zeros(self.model.nv), self.model
        mujoco.mj_rne(model, self.data, 1, forces)
        forces += model.dof_armature * self.data.qacc - self.data.qfrc_passive
        if not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FRICTIONLOSS:
            forces += model.dof_frictionloss * np.sign(self.data.qvel)
        return self.T.T @ forces

    def ours(self, name):
        mechanism = instantiate(self.robot, Floats({"q": self.q, "qd": self.qd, "qdd": self.qdd}))
        ways = registry.named(name).formulations
        way = next(way for way in ways if way.tied or not mechanism.is_tied)
        return way.derive(mechanism)[0]


@pytest.mark.parametrize("snap", [True, False], ids=["snapped", "as it is"])
@pytest.mark.parametrize("path", [*OWN, *SHIPPED], ids=lambda path: path.stem)
def test_dynamics_are_mujocos(path, snap):
    for mimic in ("reduced", "independent"):
        robot = library.load(path, snap=snap, mimic=mimic, loops="open")
        oracle = Oracle(robot)
        for seed in range(5):
            twin = Twin(path, robot, seed)
            near(twin.ours("inertia_matrix"), twin.inertia())
            near(twin.ours("inverse_dynamics"), twin.forces())
            state = (row[None] for row in (twin.q, twin.qd, twin.qdd))
            near(oracle.inverse_dynamics(*state)[0], twin.forces())


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_bodies_and_sites_are_where_mujoco_has_them(path):
    robot = library.load(path)
    twin = Twin(path, robot, 3)
    mechanism = instantiate(robot, Floats({"q": twin.q}))
    for kind, count, places in (
        ("body", twin.model.nbody, twin.data.xpos),
        ("site", twin.model.nsite, twin.data.site_xpos),
    ):
        for index in range(1 if kind == "body" else 0, count):
            name = getattr(twin.model, kind)(index).name
            if kind == "site" and name in {link.name for link in robot.links}:
                name += "_"
            if name in {frame.name for frame in robot.all_frames}:
                near(frame_position(mechanism, name), places[index])


def frame_position(mechanism, name):
    return kinematics.frame_pose(mechanism, mechanism.frame(name), kinematics.poses(mechanism)).origin


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_files_convert_exactly_and_read_back(path):
    convert(library.load(path), "toml")


def test_coupled_joints_meet_mujocos_constraint():
    path = next(path for path in OWN if path.stem == "gripper")
    twin = Twin(path, library.load(path), 5)
    rows = (twin.data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)) & (twin.data.efc_id == 0)
    assert rows.sum() == 1
    assert abs(twin.data.efc_pos[rows]).max() < 1e-12


def test_a_generated_module_has_mujocos_forces(tmp_path):
    path = next(path for path in OWN if path.stem == "gripper")
    robot = library.load(path, loops="open")
    module = symgen.generate(robot, output=tmp_path, functions=["inverse_dynamics"], languages=["python"], states=1)
    twin = Twin(path, robot, 11)
    near(module.inverse_dynamics(twin.q, twin.qd, twin.qdd), twin.forces())


# what is read ----------------------------------------------------------------------------------------


def model(tmp_path, body, head=""):
    path = tmp_path / "robot.xml"
    path.write_text(f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>", encoding="utf-8")
    return path


BODY = '<body name="b" {}><joint name="j" {}/><inertial pos="0 0 0.1" mass="1" diaginertia="1 1 1"/></body>'
RADIANS = '<compiler angle="radian"/>'

ROTATIONS = [
    ('quat="0.707 0.707 0 0"', "pi/2 0 0", 0),
    ('quat="1 0 -1 0"', "0 -pi/2 0", 0),
    ('quat="0.5 0.5 0.5 0.5"', "pi/2 0 pi/2", 0),
    ('euler="1.57079632679 0 0"', "pi/2 0 0", 0),
    ('euler="0 0 0.523598775598299"', "0 0 pi/6", 0),
    ('quat="0.92388 0 0 0.382683"', "0 0 0.785397006690872", 0),
    ('quat="0.707105 0.707108 0 0"', None, 4e-6),
    ('quat="1.30945e-06 0.161152 -2.13816e-07 0.98693"', None, 3e-6),
    ('euler="1.5708 0 0"', "1.5708 0 0", 4e-6),
    ('euler="0.3 0 0"', "0.3 0 0", 0),
    ('euler="0 0 1.5709"', "0 0 1.5709", 0),
    ('axisangle="0 1 0 0.25"', "0 0.25 0", 0),
]


@pytest.mark.parametrize(("written", "read", "away"), ROTATIONS)
def test_rotations_are_exact_where_doubles_are_and_told_where_nearly(tmp_path, written, read, away):
    robot = library.load(model(tmp_path, BODY.format(written, ""), RADIANS))
    assert read is None or " ".join(map(str, robot.links[0].placed.rpy)) == read
    told = [notice for notice in robot.notices if "nearly right angles" in notice]
    assert [f"up to {away:.0e} rad away" in notice for notice in told] == [True] * bool(away)


@pytest.mark.parametrize("snap", [True, False])
@pytest.mark.parametrize("written", [*(row[0] for row in ROTATIONS), 'quat="1 2 -3 4"', 'euler="1 1.5707963 2"'])
def test_rotations_are_mujocos(tmp_path, written, snap):
    path = model(tmp_path, BODY.format(written, ""), RADIANS)
    placed = library.load(path, snap=snap).links[0].placed
    quaternion = mujoco.MjModel.from_xml_path(str(path)).body_quat[1]
    roll, pitch, yaw = (float(angle.constant({})) for angle in placed.rpy)
    turns = [np.roll([0, 0, 0, np.cos(angle / 2)], 1) for angle in (yaw, pitch, roll)]
    for turn, axis, angle in zip(turns, (3, 2, 1), (yaw, pitch, roll), strict=True):
        turn[axis] = np.sin(angle / 2)
    product = np.array([1.0, 0, 0, 0])
    for turn in turns:
        mujoco.mju_mulQuat(product, product.copy(), turn)
    near(matrix(np.roll(product, -1)), matrix(np.roll(quaternion, -1)), 1e-11 if snap else 3e-15)


AXES = [("1 1 0", "1 1 0"), ("1 2 0", "1 2 0"), ("0 0.6 0.8", "0 0.75 1"), ("0 0 -2", "0 0 -1"), ("3e-17 0 1", "0 0 1")]


@pytest.mark.parametrize(("written", "read"), AXES)
def test_axes_are_the_directions_they_say(tmp_path, written, read):
    robot = library.load(model(tmp_path, BODY.format("", f'axis="{written}"')))
    assert " ".join(map(str, robot.links[0].placed.axis)) == read


def test_numbers_are_those_printed():
    robot = library.load(OWN[[path.stem for path in OWN].index("wrist")])
    hand = next(link for link in robot.links if link.name == "hand")
    assert [str(entry) for entry in hand.inertia.tensor] == ["0.02", "0.03", "0.025", "0.001", "-0.002", "0.003"]
    assert next(link for link in robot.links if link.joint.name == "pitch").joint.offset == -parse("0.4")


def test_joints_have_drives_limits_and_couplings():
    robots = {path.stem: library.load(path) for path in OWN}
    arm = {link.joint.name: link.joint for link in robots["arm"].links}
    drive = arm["pan"].drive
    assert [str(value) for value in (drive.rotor_inertia, drive.viscous, drive.coulomb)] == ["0.02", "0.7", "0.3"]
    assert float(arm["reach"].drive.rest.constant({})) == 0.1
    assert str(arm["lift"].offset) == "-pi/12"
    assert (str(arm["reach"].limits.lower), str(arm["reach"].limits.upper)) == ("-0.1", "0.3")
    assert arm["lift"].kind is JointKind.CONTINUOUS
    gripper = {link.joint.name: link.joint for link in robots["gripper"].links}
    assert str(gripper["right"].mimic.ratio) == "-1.5"
    assert gripper["left"].drive.stiffness.is_zero  # switched off in the options


TOLD = {
    "arm": ["2 actuators", "contacts"],
    "gripper": ["gripper_2", "right of left", "left out: joint 2", "open): tips", "1 tendon"],
    "hopper": [
        "root at q = [0, 0, 1, 0, 0.17364817766693, 0, 0.984807753012208]",
        "floating joints (root): q has quaternions x y z w",
        "spherical joints (left_hip, right_hip)",
    ],
    "scene": ["'bob!' is called bob_", "ball joint swing, which has several coordinates", "damping, frictionloss"],
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_left_out_is_told(name):
    path = next(path for path in OWN if path.stem == name)
    told = "\n".join(library.load(path).notices)
    for words in TOLD[name]:
        assert words in told


def test_the_base_may_be_fixed_and_parts_taken():
    path = next(path for path in OWN if path.stem == "hopper")
    assert library.load(path, base="fixed").nv == 8
    assert library.load(path, root="left_thigh").nv == 1
    assert replace(library.load(path, base="floating"), notices=()) == replace(library.load(path), notices=())


# bad input -------------------------------------------------------------------------------------------


def bodies(body="", joint="", count=1):
    return f"<mujoco><worldbody>{BODY.format(body, joint) * count}</worldbody></mujoco>"


FAR = BODY.format('pos="1e200 0 0"', "")
MASSLESS = '<body name="b"><geom size="0.1" mass="0"/></body>'
BAD = {
    "no bodies": ("<mujoco><worldbody/></mujoco>", "worldbody: the file has no bodies"),
    "massless": (f"<mujoco><worldbody>{MASSLESS}</worldbody></mujoco>", "no body has a mass"),
    "moves nothing": (
        "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
        "MuJoCo: mass and inertia of moving",
    ),
    "broken": ("<mujoco>\n<worldbody>\n</mujoco>", "line 3.*not well-formed XML"),
    "element": ("<mujoco>\n<robots/>\n</mujoco>", "line 2: MuJoCo: Schema violation: unrecognized element"),
    "entity": ('<!DOCTYPE m [<!ENTITY a "b">]>\n<mujoco>&a;</mujoco>', "declares the XML entity"),
    "include": ('<mujoco><include file="not_there.xml"/></mujoco>', "not_there.xml"),
    "mesh": ('<mujoco><asset><mesh file="not_there.stl"/></asset></mujoco>', "not_there.stl"),
    "number": ('<mujoco><worldbody><body pos="0 0 x"/></worldbody></mujoco>', "line 1: MuJoCo: "),
    "nan": ('<mujoco><worldbody><body pos="0 0 nan"/></worldbody></mujoco>', "MuJoCo: "),
    "huge": (f"<mujoco><worldbody>{FAR}</worldbody></mujoco>", "out of bounds"),
    "zero axis": (bodies(joint='axis="0 0 0"'), "line 1: MuJoCo: axis too small"),
    "kind": (bodies(joint='type="screw"'), "invalid keyword: 'screw'"),
    "two of one name": (bodies(count=2), "repeated name 'b'"),
    "comma": (
        bodies('pos="0,5 0 0"'),
        "bad format in attribute 'pos'",
    ),
    "no body's inertia": (
        bodies().replace("1 1 1", "1 1 5"),
        r"inertia must satisfy A \+ B >= C; use 'balanceinertia' to fix Element name 'b'",
    ),
    "negative mass": (
        bodies().replace('mass="1"', 'mass="-1"'),
        "must be larger than mjMINVAL Element name 'b'",
    ),
    "included itself": ('<mujoco><include file="robot.xml"/></mujoco>', "MuJoCo: File 'robot.xml' already included"),
    "device": (
        '<mujoco>\n<include file="/dev/zero"/></mujoco>',
        "line 2: include: /dev/zero is no file that can be read",
    ),
    "only included": ("<mujocoinclude/>", "its root is <mujocoinclude>"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_in_words(tmp_path, name):
    text, words = BAD[name]
    path = tmp_path / "robot.xml"
    path.write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        library.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value)) < 500 + len(str(path))


ASKS = {
    "copies": (
        '<replicate count="3000"><replicate count="3000"><body/></replicate></replicate>',
        "more than 10000 copies",
    ),
    "bodies": ("<body/>" * 1001, "more than 1000 bodies; at most 1000 bodies and joints are read"),
    "copied bodies": ('<replicate count="600"><body/><body/></replicate>', "more than 1000 bodies"),
    "entities": ('<!DOCTYPE m [<!ENTITY a "b">]>', "declares the XML entity 'a'"),
}


@pytest.mark.parametrize("name", ASKS)
def test_included_files_are_within_the_same_bounds(tmp_path, name):
    text, words = ASKS[name]
    inside = (
        text + "<mujocoinclude/>"
        if "DOCTYPE" in text
        else f"<mujocoinclude><worldbody>{text}</worldbody></mujocoinclude>"
    )
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "part.xml").write_text(inside)
    (tmp_path / "robot.xml").write_text('<mujoco>\n<include file="parts/part.xml"/></mujoco>')
    with pytest.raises((InputError, LimitError), match=rf"line 2: the included file parts/part.xml: .*{words}"):
        library.load(tmp_path / "robot.xml")


def test_attached_models_count_as_often_as_they_are_attached(tmp_path):
    (tmp_path / "part.xml").write_text(
        f"<mujoco model='part'><worldbody>{'<body><body/></body>' * 5}</worldbody></mujoco>"
    )
    robot = (
        '<mujoco><asset><model name="part" file="part.xml"/></asset><worldbody><replicate count="{}">'
        '<frame><attach model="part" body="b" prefix="p"/></frame></replicate></worldbody></mujoco>'
    )
    (tmp_path / "robot.xml").write_text(robot.format(101))
    with pytest.raises(LimitError, match=r"the attached model part\.xml: more than 1000 bodies"):
        library.load(tmp_path / "robot.xml")
    (tmp_path / "robot.xml").write_text(robot.format(99))
    with pytest.raises(RobotFileError, match="MuJoCo: "):  # part.xml has no body called b
        library.load(tmp_path / "robot.xml")


SIZES = {
    "keyframes": ('<size nkey="1000000000"/>', "line 1: size: nkey is 1000000000; at most 10000"),
    "user data": ('<size nuser_body="99999999999999999999999"/>', "size: nuser_body is 9+; at most 10000"),
    "field": (
        '<asset><hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/></asset>',
        "hfield: nrow times ncol",
    ),
    "texture": ('<asset><texture name="t" width="100000" height="100000"/></asset>', "texture: width times height"),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_are_bounded(tmp_path, name):
    head, words = SIZES[name]
    with pytest.raises(LimitError, match=words):
        library.load(model(tmp_path, BODY.format("", ""), head))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_are_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "robot.xml").write_text('<mujoco><include file="pipe.xml"/></mujoco>')
    with pytest.raises(InputError, match=r"include: pipe\.xml is no file that can be read to its end"):
        library.load(tmp_path / "robot.xml")
    with pytest.raises(InputError, match="is no file; pipes and devices are not read"):
        library.load(tmp_path / "pipe.xml")


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_other_encodings_than_mujocos_are_refused(tmp_path, encoding):
    path = model(tmp_path, BODY.format("", "").replace('"b"', '"bä"'))
    path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
    with pytest.raises(InputError, match="not well-formed XML" if encoding == "latin-1" else "save it as UTF-8"):
        library.load(path)


def test_huge_files_are_refused_at_once(tmp_path):
    path = tmp_path / "robot.xml"
    with path.open("wb") as stream:
        stream.write(b"<mujoco>")
        stream.truncate(100_000_000)
    with pytest.raises(LimitError, match="larger than 20 MB"):
        library.load(path)


def test_copies_and_bodies_are_bounded(tmp_path):
    many = '<replicate count="2000" offset="0 0 1"><replicate count="2000">{}</replicate></replicate>'
    with pytest.raises(LimitError, match="replicate asks for more than 10000 copies"):
        library.load(model(tmp_path, many.format(BODY.format("", ""))))
    with pytest.raises(LimitError, match="more than 1000 bodies; at most 1000"):
        library.load(model(tmp_path, '<replicate count="1200">' + BODY.format("", "") + "</replicate>"))
    with pytest.raises(LimitError, match="1600 bodies and joints; at most 1000"):
        library.load(model(tmp_path, '<replicate count="800">' + BODY.format("", "") + "</replicate>"))


def test_warnings_are_told_and_leave_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = model(tmp_path, BODY.format("", ""), '<custom><numeric name="n" data="nan"/></custom>')
    assert any(notice.startswith("MuJoCo: ") for notice in library.load(path).notices)
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_mocap_bodies_stay(tmp_path):
    robot = library.load(model(tmp_path, BODY.format("", "") + '<body mocap="true" name="m" pos="1 0 0"/>'))
    assert robot.links[1].joint.kind is JointKind.FIXED
    assert any("mocap" in notice for notice in robot.notices)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mujoco", None)
    with pytest.raises(EnvironmentFault, match=r"pip install 'symgen\[mjcf\]'"):
        mjcf_load.mujoco_package()


def test_a_problem_is_one_robot_files(tmp_path):
    with pytest.raises(RobotFileError, match="1 problem"):
        library.load(model(tmp_path, ""))
