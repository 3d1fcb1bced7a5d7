"""URDFs: what is missing has its default, numbers are what they stand for, and what is wrong is told with its line."""

import locale
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from example_robots import Pair
from urdf_text import BOX, chain, joint, link, random_urdf, urdf

from symgen import api
from symgen.cli import main
from symgen.errors import SymgenError
from symgen.robot.expression import constant, parse
from symgen.robot.joints import JointKind
from symgen.robot.library import load
from symgen.robot.model import NO_LIMITS, Limits, Mimic
from symgen.robot.physical import remarks
from symgen.robot.reader import read_text
from symgen.robot.urdf.build import robot_of
from symgen.robot.urdf.write import urdf_text
from symgen.robot.writer import robot_text
from symgen.verify.oracle import Oracle

Z = '<axis xyz="0 0 1"/>'


def read(text, **how):
    return robot_of(text.encode(), "arm.urdf", **how)


def numbers(vector):
    return [float(entry.constant({})) for entry in vector]


def same(one, other):
    return replace(one, notices=()) == replace(other, notices=())


# random ones ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("mimic", ["reduced", "independent"])
def test_random_robots_are_pinocchios(tmp_path, seed, mimic):
    path = tmp_path / "random.urdf"
    path.write_text(random_urdf(seed), encoding="utf-8")
    errors = Pair(path, "fixed", mimic).errors(seed, slopes=True)
    assert max(errors.values()) < 1e-9, errors


@pytest.mark.parametrize("snap", [True, False])
def test_random_robots_are_written_and_read_back_equal(snap):
    for seed in range(40):
        robot = read(random_urdf(seed), snap=snap)
        assert same(read_text(robot_text(robot), "random.toml"), replace(robot, source="arm.urdf")), seed
        written = urdf_text(robot)
        assert written.losses == ()
        assert same(read(written.text, snap=snap), robot), seed


# defaults and numbers -----------------------------------------------------------------------------------------


def test_what_is_missing_is_as_the_specification_says():
    robot = read(urdf(link("a", ""), link("b"), joint("j", "a", "b", "revolute", "")))
    root, moved = robot.links
    assert (robot.name, robot.nq, robot.convention) == ("arm", 1, "placed")
    assert (root.joint.kind, root.inertia.is_massless) == (JointKind.FIXED, True)
    assert numbers(moved.placed.xyz) == numbers(moved.placed.rpy) == [0, 0, 0]
    assert numbers(moved.placed.axis) == [1, 0, 0]
    np.testing.assert_allclose(Oracle(robot).axes(np.zeros(1)), [[1, 0, 0]], atol=1e-15)


def test_everything_a_file_says_is_read():
    inside = (
        '<origin xyz="1 2.50 -3e-1" rpy="0.1 0 0"/><axis xyz="0 0 2"/><dynamics damping="0.7" friction="0.2"/>'
        '<limit lower="-1" upper="2.5" velocity="3" effort="40"/>'
    )
    follower = f'{Z}<mimic joint="j1" multiplier="-0.5" offset="0.25"/>'
    again = f'{Z}<mimic joint="j2" multiplier="2" offset="1"/>'
    robot = read(chain(("revolute", inside), ("prismatic", follower), ("continuous", again)))
    first, second, third = (entry.joint for entry in robot.links[1:])
    assert robot.links[1].placed.xyz == tuple(map(constant, (1, Fraction("2.5"), Fraction("-0.3"))))
    assert (first.drive.viscous, first.drive.coulomb) == (parse("0.7"), parse("0.2"))
    assert first.limits == Limits(*map(parse, ("-1", "2.5", "3", "40")))
    assert second.mimic == Mimic("j1", parse("-0.5"), parse("0.25"))
    assert third.mimic == Mimic("j1", parse("-1"), parse("1.5"))
    assert (robot.nq, read(chain(("revolute", Z), ("revolute", follower)), independent=True).nq) == (1, 2)


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        ("1.5708", "pi/2"),
        ("-1.57079632679", "-pi/2"),
        ("3.14159", "pi"),
        ("0.785398", "pi/4"),
        ("0.3927", "pi/8"),
        ("4.1e-16", "0"),
        ("1.57", "1.57"),
        ("0.7854001", "0.7854001"),
    ],
)
def test_angles_stand_for_multiples_of_pi(printed, meant):
    text = chain(("revolute", f'<origin rpy="0 {printed} 0"/>{Z}'))
    robot = read(text)
    assert robot.links[1].placed.rpy[1] == parse(meant)
    assert any(notice.startswith(f"{printed} is read as {meant}, ") for notice in robot.notices) == (
        printed != meant
    ) or (printed == "4.1e-16" and "is read as 0" in robot.notices[0])
    left = read(text, snap=False)
    assert left.links[1].placed.rpy[1] == parse(printed)
    assert left.notices == ()


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        ("0 -1 6.12323e-17", ("0", "-1", "0")),
        ("0.9659258 -2.2e-16 -0.2588190", ("(sqrt(6) + sqrt(2))/4", "0", "-(sqrt(6) - sqrt(2))/4")),
        ("0.7071 0.7071 0", ("0.7071", "0.7071", "0")),
        ("0.6 0 0.8", ("0.6", "0", "0.8")),
    ],
)
def test_axes_stand_for_known_directions(printed, meant):
    robot = read(chain(("revolute", f'<axis xyz="{printed}"/>')))
    assert robot.links[1].placed.axis == tuple(constant(parse(entry).constant({})) for entry in meant)
    direction = np.array([float(entry) for entry in printed.split()])
    found = Oracle(robot).axes(np.zeros(1))[0]
    np.testing.assert_allclose(found, direction / np.linalg.norm(direction), atol=1e-7)


def test_the_mass_of_the_fixed_link_is_felt():
    """A revolute joint about y, 1 kg at x = 0.5, and a tool fixed at x = 1 with 2 kg at x = 0.1 in it."""

    def point(mass, x):
        origin, zeros = (
            f'<origin xyz="{x} 0 0"/>',
            " ".join(f'i{key}="0"' for key in ("xx", "yy", "zz", "xy", "xz", "yz")),
        )
        return f'<inertial>{origin}<mass value="{mass}"/><inertia {zeros}/></inertial>'

    text = urdf(
        link("base", ""),
        link("arm", point(1, 0.5)),
        link("tool", point(2, 0.1)),
        joint("j", "base", "arm", "revolute", '<axis xyz="0 1 0"/>'),
        joint("f", "arm", "tool", "fixed", '<origin xyz="1 0 0"/>'),
    )
    np.testing.assert_allclose(Oracle(read(text)).gravity_torque(np.zeros(1)), [-26.487], rtol=1e-12)


def test_joints_that_move_nothing_heavy_are_named():
    (notice,) = read(urdf(link("a"), link("b"), link("c", ""), joint("j", "a", "b"), joint("k", "b", "c"))).notices
    assert "joint k moves nothing that has mass (link c)" in notice


@pytest.mark.parametrize(
    ("name", "found"), [('name="7dof-arm"', "f_7dof_arm"), ("", "arm"), ('name="con"', "con_robot")]
)
def test_names_become_identifiers(name, found):
    robot = read(urdf(link("a"), link("b"), joint("j", "a", "b"), name=name))
    assert robot.name == found
    assert f"the robot is called {found}" in robot.notices[0]


# bad input ------------------------------------------------------------------------------------------------------

TWO = link("a") + link("b")
BOMB = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><robot name="&b;"/>'


def two(inside=Z, kind="revolute"):
    """Two links and a joint, in lines 2 to 4."""
    return urdf(TWO, joint("j", "a", "b", kind, inside))


def mimic(followed, ratio=1):
    return f'{Z}<mimic joint="{followed}" multiplier="{ratio}"/>'


ROW = [link(f"l{i}") for i in range(501)]

BAD = {
    "no XML": ("<robot name='a'>\n<link></robot>", "line 2, column 9: not well-formed XML: mismatched tag"),
    "bomb": (BOMB, "declares the XML entity 'a'"),
    "external": ('<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot/>', "declares the XML entity 'a'"),
    "empty": ("", "the file is empty"),
    "other root": ("<sdf/>", "its root is <sdf>; the robots in XML begin with <robot>"),
    "toml": ("name = 3", "not XML: it does not begin with <"),
    "no links": ("<robot/>", "the file has no links"),
    "xacro": (
        '<robot xmlns:xacro="http://wiki.ros.org/xacro"><xacro:property name="a" value="1"/></robot>',
        "this is xacro, not yet a URDF; expand it first: xacro arm.urdf > arm.urdf",
    ),
    "macro number": (two('<axis xyz="0 0 ${pi}"/>'), "that is xacro, expand the file"),
    "two parents": (
        urdf(TWO, link("c"), *(joint(*ends) for ends in ("pab", "qac", "rbc"))),
        "line 7 (joint 'r'): the link 'c' has two parents: 'a' by joint 'q' and 'b' by this one",
    ),
    "cycle": (
        urdf(TWO, joint("j", "a", "b"), joint("k", "b", "a")),
        "links carry each other in a cycle: 'a' on 'b' on 'a'",
    ),
    "cycle beside a tree": (
        urdf(TWO, link("c"), link("d"), joint("i", "a", "b"), joint("j", "c", "d"), joint("k", "d", "c")),
        "in a cycle: 'c' on 'd' on 'c'",
    ),
    "missing link": (urdf(TWO, joint("j", "a", "hand")), "line 4 (joint 'j'): there is no link called 'hand'"),
    "roots": (urdf(TWO), "expected one root, a link that is no joint's child; found 2: 'a', 'b'"),
    "zero axis": (two('<axis xyz="0 0 0"/>'), "line 4 (joint 'j'): the axis is zero"),
    "type": (two(kind="ball"), "expected a type revolute, continuous, .*; found 'ball'"),
    "no type": (urdf(TWO, '<joint name="j"><parent link="a"/><child link="b"/></joint>'), "planar; found none"),
    "no child": (urdf(TWO, '<joint name="j" type="fixed"><parent link="a"/></joint>'), "the joint has no child link"),
    "two names of one joint": (
        urdf(TWO, link("c"), joint("j", "a", "b"), joint("j", "b", "c")),
        "line 6 (joint): there are two joints called 'j'; names must differ",
    ),
    "carries itself": (urdf(link("a"), joint("j", "a", "a")), "links carry each other in a cycle: 'a' on 'a'"),
    "no parent": (urdf(TWO, '<joint name="j" type="fixed"><child link="b"/></joint>'), "the joint has no parent link"),
    "mimic in a circle": (
        chain(("revolute", mimic("j2")), ("revolute", mimic("j1")), ("revolute", mimic("j1"))),
        "line 6 (joint 'j1'): no joint of a circle moves by itself: 'j1' mimics 'j2' mimics 'j1'",
    ),
    "long circle": (
        urdf(*ROW, *(joint(f"j{i}", f"l{i}", f"l{i + 1}", inside=mimic(f"j{(i + 1) % 500}")) for i in range(500))),
        "moves by itself: 'j0' mimics 'j1' mimics 'j2' mimics ... mimics 'j498' mimics 'j499' mimics 'j0'",
    ),
    "mimic fixed": (
        chain(("fixed", ""), ("revolute", mimic("j1"))),
        "line 6 (joint 'j2'): the joint 'j1' is fixed; only a joint with one coordinate can be mimicked",
    ),
    "planar mimic": (
        chain(("revolute", Z), ("planar", mimic("j1"))),
        "line 6 (joint 'j2'): a planar joint cannot mimic another",
    ),
    "mimic without name": (two(f"{Z}<mimic/>"), 'mimic names no joint; write <mimic joint="..."/>'),
    "mimic far out": (
        chain(("revolute", Z), *(("revolute", mimic(f"j{i}", "1e60")) for i in (1, 2))),
        "line 8 (joint 'j3'): the ratio to the joint 'j1' that it follows in the end: the value is out of bounds",
    ),
    "mimic too finely": (
        urdf(
            *ROW,
            *(joint(f"j{i}", f"l{i}", f"l{i + 1}", inside=mimic(f"j{i - 1}", 1.23456) if i else Z) for i in range(500)),
        ),
        "that it follows in the end: too complicated: the exact value has too many digits",
    ),
    "mimic nothing": (two(f'{Z}<mimic joint="k"/>'), "there is no joint 'k', which 'j'"),
    "mimic itself": (two(f'{Z}<mimic joint="j"/>'), "circle moves by itself: 'j' mimics 'j'"),
    "negative mass": (urdf(link("c", BOX.replace("2", "-2", 1))), "line 2 (link 'c'): expected a mass of at least 0"),
    "infinite mass": (urdf(link("c", BOX.replace('"2"', '"inf"'))), "mass value: expected a finite decimal number"),
    "huge mass": (urdf(link("c", BOX.replace('"2"', '"1e999"'))), "the number 1.000e+999 is out of bounds"),
    "hexadecimal mass": (
        urdf(link("c", BOX.replace('"2"', '"0x1p3"'))),
        "expected a finite decimal number, found '0x1p3'",
    ),
    "mass with comma": (urdf(link("c", BOX.replace('"2"', '"2,5"'))), "found '2,5'; write a point before the decimals"),
    "NaN": (urdf(link("c", BOX.replace('"2"', '"nan"'))), "mass value: expected a finite decimal number, found 'nan'"),
    "comma": (two('<origin xyz="0,5 0 0"/>'), "write a point before the decimals"),
    "two numbers": (two('<origin xyz="0 0"/>'), "origin xyz: expected three numbers"),
    "no inertia": (urdf(link("a", '<inertial><mass value="1"/></inertial>')), "the inertial element has no inertia"),
    "same names": (urdf(TWO, link("a")), "there are two links called 'a'"),
    "no name": (urdf(TWO, "<link/>"), "line 4 (link): a link needs a name"),
    "odd name": (urdf(link("a;b")), "the name 'a;b' may hold letters"),
    "massless": (urdf(link("a", ""), link("b", ""), joint("j", "a", "b")), "no link has a mass"),
    "deep": ("<robot>" + "<link>" * 200, "more than 100 levels"),
    "friction": (two(f'{Z}<dynamics damping="-1"/>'), "expected a damping of at least 0"),
    "wide": ("<robot>" + "<a/>" * 200_001 + "</robot>", "more than 200000 elements"),
    "long name": (f"<robot><link name='{'b' * 100_000}'/></robot>", "has 100000 characters; between 1 and 64"),
    "long number": (two(f'<origin xyz="{"1" * 1_000_000} 0 0"/>'), "is out of bounds"),
    "blank": (" \n\t\n", "the file is empty"),
    "zero byte": ("<robot name='a'>\0</robot>", "line 1, column 17: not well-formed XML"),
    "two roots of XML": (two() + "<robot/>", "line 6, column 1: not well-formed XML: junk after document element"),
    "unknown encoding": (
        '<?xml version="1.0" encoding="klingon"?><robot/>',
        "unknown encoding: klingon; save it as UTF-8",
    ),
    "many wrong links": (urdf(*(link(f"l{i}", BOX.replace('"2"', '"-2"')) for i in range(900))), "and 851 more"),
    "many links in a row": (
        urdf(
            *(f'<link name="l{i}"/>' for i in range(10_000)),
            *(joint(f"j{i}", f"l{i}", f"l{i + 1}") for i in range(9_999)),
        ),
        "10000 links; at most 1000",
    ),
    "many links": (urdf(*(f'<link name="l{i}"/>' for i in range(10_000))), "10000 links; at most 1000"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gives_one_clear_message(tmp_path, case):
    text, words = BAD[case]
    path = tmp_path / "arm.urdf"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SymgenError, match=".*".join(map(_escaped, words.split(".*")))) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    if case == "many wrong links":  # each has its line
        assert len(message.splitlines()) == 52
        return
    assert len(message) < 500 + len(str(path))
    assert not message.splitlines()[0].endswith("problems")


@pytest.mark.parametrize("case", ["no XML", "bomb", "two parents", "massless", "mimic far out", "comma", "empty"])
def test_the_command_line_tells_it_in_one_message_and_leaves_files_alone(tmp_path, case):
    path, mine = tmp_path / "arm.urdf", tmp_path / "mine.toml"
    path.write_text(BAD[case][0], encoding="utf-8")
    mine.write_text("mine", encoding="utf-8")
    for command in (
        ["info", path],
        ["generate", path, "-o", tmp_path / "out"],
        ["convert", path, "-o", mine, "--force"],
    ):
        result = CliRunner().invoke(main, [str(word) for word in command])
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"symgen: {path}: ")
        assert "Traceback" not in result.stderr
    assert mine.read_text(encoding="utf-8") == "mine"
    assert sorted(tmp_path.iterdir()) == [path, mine]


def _escaped(text):
    return "".join(f"\\{letter}" if letter in "()[]{}.?*+|^$\\" else letter for letter in text)


def heavy(xx, yy, zz, mass=1):
    tensor = f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/>'
    return f'<inertial><mass value="{mass}"/>{tensor}</inertial>'


IMPOSSIBLE = [
    (heavy(0.01, 0.01, 0.05), "the principal moments 0.01, 0.01, 0.05 kg m² break the triangle inequality by 0.03"),
    (heavy(0, 0, 0.05), "the principal moments 0, 0, 0.05 kg m² break the triangle inequality by 0.05"),
    (heavy(-1, 1, 1), "a principal moment is negative (-1, 1, 1 kg m²)"),
    (heavy(1, 1, 1, mass=0), "the link has inertia (principal moments 1, 1, 1 kg m²) but no mass"),
    (heavy(0, 0, 0), ""),
    (heavy(1, 1, 2), ""),
]


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "fixed"])
@pytest.mark.parametrize(("inertial", "words"), IMPOSSIBLE)
def test_inertia_that_no_body_can_have_is_told_whatever_acts(inertial, words, kind):
    text = urdf(link("a"), link("b", inertial), link("c"), joint("j", "a", "b", kind), joint("k", "b", "c"))
    found = remarks(read(text))
    assert [remark.partition(": ")[0] for remark in found] == ["inertia of link b"] * bool(words)
    assert all(remark.endswith(words) for remark in found)


def test_every_command_warns_of_impossible_inertia(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(urdf(link("a"), link("b", IMPOSSIBLE[0][0]), joint("j", "a", "b")), encoding="utf-8")
    for command in (["info"], ["count", "--functions", "gravity_torque", "--effort", "low"]):
        result = CliRunner().invoke(main, [command[0], str(path), *command[1:]])
        assert "notice: inertia of link b: no body has this inertia" in result.stdout + result.stderr


LEAF = urdf(link("a"), link("b"), link("c", ""), joint("j", "a", "b"), joint("k", "b", "c"))


def test_inverse_dynamics_of_a_robot_with_a_massless_tip(tmp_path):
    (tmp_path / "arm.urdf").write_text(LEAF, encoding="utf-8")
    arm = api.generate(
        tmp_path / "arm.urdf", functions=["inverse_dynamics"], languages=["python"], output=tmp_path, effort="low"
    )
    np.testing.assert_allclose(arm.inverse_dynamics([1, 2], [3, 4], [5, 6]), [0.25 * 5, 0])
    assert any(notice.startswith("joint k moves nothing that has mass (link c)") for notice in read(LEAF).notices)


def test_that_nothing_heavy_moves_is_told_first():
    notices = read(urdf(link("a"), link("b", ""), joint("j", "a", "b"))).notices
    assert notices[0].startswith("no joint moves anything that has mass")
    assert notices[1].startswith("joint j moves nothing that has mass (link b)")


def test_names_that_differ_in_no_letter_that_c_knows_are_kept_apart(tmp_path):
    names = ["tool-1", "tool_1", "tool.1"]
    pairs = zip(["a", *names], names, strict=False)
    text = urdf(link("a"), *map(link, names), *(joint(f"j {one}", one, other) for one, other in pairs))
    (tmp_path / "arm.urdf").write_text(text, encoding="utf-8")
    arm = api.derive(api.load(tmp_path / "arm.urdf"), api.Options(functions=("jacobian",), frames=tuple(names)))
    functions = [function.name for function in arm.module.functions]
    assert functions == ["jacobian_tool_1", "jacobian_tool_1_", "jacobian_tool_1__"]


@pytest.mark.parametrize(
    ("limit", "limits", "told"),
    [
        ('lower="2" upper="-1" effort="3"', Limits(effort=parse("3")), "the lower limit 2 is above the upper one, -1"),
        ('lower="-1" upper="1" velocity="-2"', Limits(parse("-1"), parse("1")), "at least 0, found -2"),
        ('lower="1" upper="1"', Limits(parse("1"), parse("1")), ""),
    ],
)
def test_impossible_limits_are_left_out_and_told(limit, limits, told):
    robot = read(two(f"{Z}<limit {limit}/>"))
    assert robot.links[1].joint.limits == limits
    assert [notice.endswith(f"{told}; left out") for notice in robot.notices] == [True] * bool(told)
    assert read_text(robot_text(robot), "arm.toml").links[1].joint.limits == limits
    assert read(two(Z)).links[1].joint.limits == NO_LIMITS


@pytest.mark.parametrize("name", ["de_DE.UTF-8", "fr_FR.UTF-8", "C"])
def test_the_locale_changes_no_number(name):
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        pytest.skip(f"the locale {name} is not installed")
    try:
        robot = read(two('<origin xyz="0.5 0 0"/>'))
    finally:
        locale.setlocale(locale.LC_ALL, before)
    assert numbers(robot.links[1].placed.xyz) == [0.5, 0, 0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_any_encoding_of_unicode_is_read(tmp_path, encoding):
    path = tmp_path / "arm.urdf"
    path.write_bytes(chain(("revolute", Z)).encode(encoding))
    assert load(path).nq == 1


def test_a_file_of_a_hundred_megabytes_is_refused_at_once(tmp_path):
    path = tmp_path / "arm.urdf"
    with path.open("wb") as stream:
        stream.write(b"<robot>")
        stream.truncate(100_000_000)
    with pytest.raises(SymgenError, match="larger than 20 MB"):
        load(path)
