"""Bad robot files: all problems are told at once, with place, cause and remedy, and nothing is executed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robot_text import GOOD, MASSLESS, frame, head, link, parameters

from symgen.errors import InputError, RobotFileError
from symgen.robot import library
from symgen.robot.joints import words
from symgen.robot.reader import read_text
from symgen.robot.schema import LinkTable, RobotTable


def problems(text):
    with pytest.raises(RobotFileError) as caught:
        read_text(text, "arm.toml")
    return [str(problem) for problem in caught.value.problems]


def any_problems(text):
    """Those of a file that may also be good."""
    try:
        read_text(text, "arm.toml")
    except RobotFileError as error:
        return [str(problem) for problem in error.problems]
    return []


def test_the_good_file_is_good():
    robot = read_text(GOOD, "arm.toml")
    assert robot.nv == 2
    assert robot.notices == ()


# one mistake, one line ---------------------------------------------------------------------------------

NO_DIRECTION = "expected 1, or -1 for a joint that turns or slides against z, found "
NO_CENTRE = "a link with mass needs its mass centre: com (from the frame's origin) or r (to the frame's origin)"
NOT_ALLOWED = (
    "only numbers, pi, declared parameters, + - * /, ** with a small integer, sqrt, sin, cos, atan2, atan, asin "
    "and acos are allowed"
)

ONE_MISTAKE = [
    (head(convention=None) + link(), 'convention: missing; say which convention the table is in: "standard" or'),
    (head(convention='"craig"') + link(), "convention: expected 'standard', 'modified' or 'placed', found 'craig'"),
    (head(gravity=None) + link(), "gravity: missing; give the gravity vector in the base frame, such as [0, 0, -9.81]"),
    (head(gravity="9.81") + link(), "gravity: expected an array of 3 numbers, found 9.81"),
    (head(gravity="[0, -9.81]") + link(), "gravity: expected 3 numbers, found 2"),
    (head(gravity='"down"') + link(), "gravity: expected an array of 3 numbers, found 'down'"),
    (head(name=None) + link(), 'name: missing; give the robot a name such as "my_arm"'),
    (head(name='"con"') + link(), "name: a robot named 'con' would give its files the name of a device"),
    (head(name='"x0; system(\\"id\\")"') + link(), "name: the name 'x0; system(\"id\")' must be a letter followed by"),
    (head(name="3") + link(), "name: expected a name (a string), found 3"),
    (head(description='"a\\nb"') + link(), "description: expected one line of at most 500 printable characters"),
    (head(source="[1]") + link(), "source: expected a string, found an array"),
    (head(gravty="1") + link(), "gravty: unknown key; did you mean gravity?"),
    (head(zzz="1") + link(), "zzz: unknown key; the keys here are: name, description, source, convention, snap"),
    (head(inertia_about='"cog"') + link(), "inertia_about: expected 'com' or 'origin', found 'cog'"),
    (head(inertia_frame='"links"') + link(), 'inertia_frame: expected "link" or a table such as'),
    (head(inertia_frame="{}") + link(), "inertia_frame.rpy: missing; give the turns about fixed x, y, z, in radians"),
    (head(inertia_frame='{ rpy = ["t", 0, 0] }') + link(), "inertia_frame.rpy[1]: unknown symbol 't'; declared"),
    (head(inertia_about=None) + link(), 'links[1].inertia: say about which point: about = "com" or "origin" here, or'),
    (head(), "links: missing; a robot needs at least one [[links]] table"),
    (head(links="[]"), "links: expected between 1 and 1000 links, found 0"),
    (head() + "[[links]]\njoint = 'fixed'\n" * 1001, "links: expected between 1 and 1000 links, found 1001"),
    (head(links="3"), "links: expected a [[links]] table for every link, found 3"),
    (head(links="[3]"), "links[1]: expected a [[links]] table for every link, found 3"),
    (head() + "[links]\njoint = 'fixed'\n", "links: expected a [[links]] table for every link, found a table"),
    (
        head() + link(joint='"fixed"'),
        "links: no joint moves; at least one link must have a joint that is not fixed",
    ),
    (
        head() + link(joint=None),
        f"links[1].joint: missing; say {words()}",
    ),
    (head() + link(joint='"rotary"'), f"links[1].joint: expected {words()}, found 'rotary'"),
    (head() + link(mas="1"), "links[1].mas: unknown key; did you mean mass?"),
    (head() + link(name='"upper"', mas="1"), "links[1].mas (link 'upper'): unknown key; did you mean mass?"),
    (head() + link(name='"a\\u001b[2J"'), "links[1].name: the name 'a\\x1b[2J' may hold letters, digits, spaces"),
    (head() + link() + '"\\u001b[2J" = 1\n', "links[1].'\\x1b[2J': unknown key; the keys here are: name, parent"),
    (head() + link(name='""'), "links[1].name (link ''): the name '' has 0 characters; between 1 and 64 are allowed"),
    (head() + link(name='"x"') + link(name='"x"'), "links[2].name (link 'x'): the name 'x' is taken already"),
    (head() + link(name='"link2"') + link(), "links[2].name: the name 'link2' is taken already; names must differ"),
    (head() + link(joint_name='"x"') + link(joint_name='"x"'), "links[2].joint_name: the name 'x' is taken already"),
    (head() + link(parent='"nope"'), "links[1].parent: no link is called 'nope'; there are: base, link1"),
    (head() + link(name='"x"', parent='"x"'), "links[1].parent (link 'x'): the parent 'x' must stand before its child"),
    (head() + link(parent='"y"') + link(name='"y"'), "links[1].parent: the parent 'y' must stand before its child"),
    (head() + link(parent="0"), 'links[1].parent: expected the name of a link above, or "base", found 0'),
    (head() + link(b="1", d="1"), "links[1].b: b and d are two names of the same length along z; give one"),
    (
        head(convention='"modified"') + link(b="1"),
        "links[1].b: in a modified table the length along the joint's z is called d (Khalil's r); the length along x, "
        "his d, is called a, and the shift along the parent's z, his b, is called before",
    ),
    (head() + link(direction="2"), f"links[1].direction: {NO_DIRECTION}2"),
    (head() + link(direction="0"), f"links[1].direction: {NO_DIRECTION}0"),
    (head() + parameters(k="1") + link(direction='"k"'), f"links[1].direction: {NO_DIRECTION}k"),
    (head() + link(direction='"forward"'), f"links[1].direction: {NO_DIRECTION}forward"),
    (head() + link(direction="true"), "links[1].direction: expected a number or an expression, found the boolean true"),
    (head() + link() + link(joint='"fixed"', direction="-1"), "links[2].direction: a fixed joint has no coordinate"),
    (head() + link(gamma="1"), "links[1].gamma: only modified tables have gamma and before (for branches)"),
    (
        head() + link(theta="1"),
        "links[1].theta: theta is the coordinate of a revolute joint; a constant turn goes into",
    ),
    (head() + link(joint='"prismatic"', b="1"), "links[1].b: b is the coordinate of a prismatic joint; a constant"),
    (head() + link(joint='"prismatic"', d="1"), "links[1].d: d is the coordinate of a prismatic joint; a constant"),
    (head() + link() + link(joint='"fixed"', offset="1"), "links[2].offset: a fixed joint has no coordinate to offset"),
    (head() + link(r="[1, 0, 0]"), "links[1].r: r (mass centre to frame) and com (frame to mass centre) exclude each"),
    (head() + link(r="1", com=None), "links[1].r: expected an array of 3 numbers, the vector from the mass centre to"),
    (head() + link(com=None), f"links[1].mass: {NO_CENTRE}"),
    (head() + link(com='"0 0 0"'), "links[1].com: expected an array of 3 numbers, found '0 0 0'"),
    (head() + link(com="[0, 0]"), "links[1].com: expected 3 numbers, found 2"),
    (head() + link(com="[0, inf, 0]"), "links[1].com[2]: expected a finite number, found Infinity"),
    (head() + link(com='[0, "x", 0]'), "links[1].com[2]: unknown symbol 'x'; declared parameters: none"),
    (head() + link(mass="-1"), "links[1].mass: expected a mass of at least 0 kg, found -1"),
    (head() + parameters(m="-1") + link(mass='"m"'), "links[1].mass: expected a mass of at least 0 kg, found -1"),
    (head() + link(inertia="[1, 2, 3]"), "links[1].inertia: expected a table such as { xx = 0.1, yy = 0.1, zz = 0.1 }"),
    (head() + link(inertia='{ xx = 1, about = "cog" }'), "links[1].inertia.about: expected 'com' or 'origin', found"),
    (head() + link(inertia="{ Ixx = 1 }"), "links[1].inertia.Ixx: unknown key; did you mean xx?"),
    (head() + link(inertia='{ frame = { rpy = ["t", 0, 0] } }'), "links[1].inertia.frame.rpy[1]: unknown symbol 't'"),
    (head() + "[tool]\nlink = 'nope'\n" + link(), "tool.link: no link is called 'nope'; there are: link1"),
    (head() + link() + "[tool]\nname = 'link1'\n", "tool.name: the name 'link1' is taken already; frames and links"),
    (head(frames="3") + link(), "frames: expected a [[frames]] table for every frame, with its name, found 3"),
    (head(frames="[3]") + link(), "frames[1]: expected a [[frames]] table for every frame, with its name, found 3"),
    (head() + "[[frames]]\n" + link(), 'frames[1].name: missing; give the frame a name such as "camera"'),
    (head() + frame(nmae="1") + link(), "frames[1].nmae: unknown key; did you mean name?"),
    (head() + frame(link='"x"') + link(), "frames[1].link: no link is called 'x'; there are: link1"),
    (head() + frame(link="1") + link(), "frames[1].link: expected the name of a link, found 1"),
    (head() + frame(name='"link1"') + link(), "frames[1].name: the name 'link1' is taken already;"),
    (head() + frame(name='"base"') + link(), "frames[1].name: the name 'base' is taken already;"),
    (head() + frame() + frame() + link(), "frames[2].name: the name 'eye' is taken already; frames and"),
    (head() + frame(name='"tool"') + "[tool]\n" + link(), "frames[1].name: the name 'tool' is taken"),
    (head() + frame(name='"a{b}"', link='"x"') + link(), "frames[1].link: no link is called 'x'"),
    (head() + frame(xyz='["L", 0, 0]') + link(), "frames[1].xyz[1]: unknown symbol 'L'; declared"),
    (head() + frame(rpy="[0, 0]") + link(), "frames[1].rpy: expected 3 numbers, found 2"),
    (head() + "[[frames]]\nname = 'f'\n" * 1001 + link(), "frames: expected at most 1000 frames, found 1001"),
    (head() + link(rotor_inertia="-1e-4"), "links[1].rotor_inertia: expected a rotor inertia of at least 0 kg m²"),
    (
        head() + link(viscous_friction="-1"),
        "links[1].viscous_friction: expected a viscous friction of at least 0, found",
    ),
    (
        head() + link(coulomb_friction="-1"),
        "links[1].coulomb_friction: expected a Coulomb friction of at least 0, found",
    ),
    (head() + link(coulomb_smoothing="-1"), "links[1].coulomb_smoothing: expected a smoothing velocity of at least 0"),
    (
        head() + link(gear_ratio="0"),
        "links[1].gear_ratio: expected a gear ratio, motor turns per turn of the joint, found",
    ),
    (head() + link(gear_ratoi="1"), "links[1].gear_ratoi: unknown key; did you mean gear_ratio?"),
    (
        head() + parameters(F="-2") + link(viscous_friction='"F"'),
        "links[1].viscous_friction: expected a viscous friction of at least 0, found -2",
    ),
    (
        head() + parameters(e="0") + link(coulomb_smoothing='"e"'),
        "links[1].coulomb_smoothing: the smoothing velocity is 0 at the parameters' default values; give it a default",
    ),
    (
        head() + link() + link(joint='"fixed"', rotor_inertia="1"),
        "links[2].rotor_inertia: a fixed joint has no drive: no rotor inertia, no friction and no spring",
    ),
    (head() + "[tool]\nxzy = [0, 0, 0]\n" + link(), "tool.xzy: unknown key; did you mean xyz?"),
    (head(base="3") + link(), "base: expected a table [base] with xyz and rpy, found 3"),
    (head() + link(a='"L1"'), "links[1].a: unknown symbol 'L1'; declared parameters: none"),
    (head() + parameters(L1="1") + link(a='"L2"'), "links[1].a: unknown symbol 'L2'; declared parameters: L1"),
    (head() + link(alpha='"PI/2"'), "links[1].alpha: unknown symbol 'PI'; write pi, in small letters"),
    (head() + parameters(a='"b"', b="1") + link(), "parameters.a: unknown symbol 'b'; declared parameters: none; a"),
    (head() + parameters(a='"a"') + link(), "parameters.a: unknown symbol 'a'"),
    (head() + parameters(pi="3") + link(), "parameters.pi: pi is a constant, not a parameter"),
    (
        head() + parameters(**{"lambda": 1}) + link(),
        "parameters.lambda: the name 'lambda' cannot stand in an expression",
    ),
    (head() + parameters(**{'"а"': 1}) + link(), "parameters.'а': the name 'а' must be a letter followed by"),
    (head() + parameters(**{'""': 1}) + link(), "parameters.'': the name '' must be a letter followed by"),
    (head(parameters="[1]") + link(), "parameters: expected a table [parameters] of names and their default values"),
    (head() + parameters(L="0") + link(a='"1/L"'), "links[1].a: 1/L divides by zero at the parameters' default"),
    (
        head() + parameters(L="0", K='"1/L"') + link(),
        "parameters.K: 1/L divides by zero at the parameters' default",
    ),
    (head() + parameters(L="1e60") + link(a='"L**4"'), "links[1].a: the value is out of bounds (1e-100 to 1e100) at"),
    (head() + parameters(L="-1") + link(a='"sqrt(L)"'), "links[1].a: sqrt(-1): the argument is negative at the"),
]


@pytest.mark.parametrize(("text", "expected"), ONE_MISTAKE, ids=[expected[:45] for _, expected in ONE_MISTAKE])
def test_one_mistake_gives_one_line(text, expected):
    (found,) = problems(text)
    assert found.startswith(expected)
    assert len(found) < 400


NUMBERS = {
    "nan": "expected a finite number, found NaN",
    "inf": "expected a finite number, found Infinity",
    "-inf": "expected a finite number, found -Infinity",
    "1e999": "the number 1.000e+999 is out of bounds (1e-100 to 1e100)",
    '"1e5000000"': "the number 1e+5000000 is out of bounds (1e-100 to 1e100)",
    "-1e5000000": "the number -1e+5000000 is out of bounds (1e-100 to 1e100)",
    "1e-99999999999999999999": "the number 1e-1000000000 is out of bounds (1e-100 to 1e100)",
    "0x1" + "0" * 5000: "the number, an integer of 20001 bits, is out of bounds (1e-100 to 1e100)",
    "0." + "3" * 501: "the number has 501 digits; at most 500 are allowed",
    '"asin(2)"': "in 'asin(2)': asin and acos need a number between -1 and 1",
    "1e-999": "the number 1.000e-999 is out of bounds (1e-100 to 1e100)",
    "true": "expected a number or an expression, found the boolean true",
    "2020-01-01": 'expected a number or an expression such as "-pi/2", found a date',
    "07:32:00": 'expected a number or an expression such as "-pi/2", found a time',
    "[1, 2]": 'expected a number or an expression such as "-pi/2", found an array',
    "{ x = 1 }": 'expected a number or an expression such as "-pi/2", found a table',
    '"1/0"': "'1/0' divides by zero",
    '"tan(1)"': f"in 'tan(1)': {NOT_ALLOWED}",
    '"9**9**9"': "in '9**9**9': an exponent must be an integer of at most 16",
    '"2^3"': "in '2^3': the character '^' has no place in an expression; write ** for a power",
    '"0x10"': "in '0x10': the number '0x10' is not a plain decimal, such as 16 or 0.25",
}


@pytest.mark.parametrize(
    "key", ["a", "alpha", "mass", "offset", "gear_ratio", "parameter", "gravity", "com", "inertia", "frame"]
)
@pytest.mark.parametrize("value", NUMBERS)
def test_what_is_no_number_is_refused_everywhere(key, value):
    text, place = {
        "parameter": (head() + parameters(L=value) + link(), "parameters.L"),
        "gravity": (head(gravity=f"[0, 0, {value}]") + link(), "gravity[3]"),
        "frame": (head() + frame(xyz=f"[0, {value}, 0]") + link(), "frames[1].xyz[2]"),
        "com": (head() + link(com=f"[{value}, 0, 0]"), "links[1].com[1]"),
        "inertia": (head() + link(inertia=f"{{ xx = {value} }}"), "links[1].inertia.xx"),
    }.get(key, (head() + link(**{key: value}), f"links[1].{key}"))
    assert problems(text) == [f"{place}: {NUMBERS[value]}"]


# all mistakes at once ------------------------------------------------------------------------------------


def test_five_different_mistakes_give_five_lines():
    text = (
        head()
        + parameters(L='"M"')
        + link(name='"one"', joint='"rotary"', mass='"m9"')
        + link(name='"two"', com=None, alpha='"1/0"')
        + link(name='"three"', parent='"four"')
    )
    assert problems(text) == [
        "parameters.L: unknown symbol 'M'; declared parameters: none; a default may use the parameters above it",
        f"links[1].joint (link 'one'): expected {words()}, found 'rotary'",
        "links[1].mass (link 'one'): unknown symbol 'm9'; declared parameters: L",
        "links[2].alpha (link 'two'): '1/0' divides by zero",
        "links[3].parent (link 'three'): no link is called 'four'; there are: base, one, two, three",
    ]


def test_mistakes_of_different_kinds_do_not_hide_each_other():
    text = head(gravity=None, gravty="1") + link(mas="1") + link(com=None) + link(a='"L"', mass="-3") + "[[links]]\n"
    assert problems(text) == [
        "gravity: missing; give the gravity vector in the base frame, such as [0, 0, -9.81]",
        "gravty: unknown key; did you mean gravity?",
        "links[1].mas: unknown key; did you mean mass?",
        f"links[2].mass: {NO_CENTRE}",
        "links[3].a: unknown symbol 'L'; declared parameters: none",
        "links[3].mass: expected a mass of at least 0 kg, found -3",
        f"links[4].joint: missing; say {words()}",
    ]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        # what uses something that is at fault is not blamed for it
        (head() + parameters(L="nan") + link(a='"1/L"'), ["parameters.L"]),
        (head(convention=None) + link(gamma="1", before="1"), ["convention"]),
        (head(inertia_abuot='"com"', inertia_about=None) + link(), ["inertia_abuot"]),
        (head() + link(comm="[0, 0, 0]", com=None), ["links[1].comm"]),
        (head() + link(joint='"bolt"', theta="1", b="1", offset="1"), ["links[1].joint"]),
        (head(links="3", name='"a b"'), ["name", "links"]),
    ],
)
def test_no_mistake_is_blamed_twice(text, places):
    assert [problem.split(": ")[0] for problem in problems(text)] == places


def test_the_message_counts_the_problems():
    with pytest.raises(RobotFileError) as caught:
        read_text(head(gravity=None) + link(com=None), "dir/arm.toml")
    assert str(caught.value).splitlines()[0] == "dir/arm.toml: 2 problems"
    assert len(str(caught.value).splitlines()) == 3


def test_mistakes_in_frames_do_not_hide_each_other():
    text = head() + frame(name=None, link='"x"') + frame(xyz="[0, 0]") + frame(rpy='["t", 0, 0]') + link(mass="-1")
    assert sorted(problems(text)) == [
        "frames[1].link: no link is called 'x'; there are: link1",
        'frames[1].name: missing; give the frame a name such as "camera"',
        "frames[2].xyz: expected 3 numbers, found 2",
        "frames[3].name: the name 'eye' is taken already; frames and links must have different names",
        "frames[3].rpy[1]: unknown symbol 't'; declared parameters: none",
        "links[1].mass: expected a mass of at least 0 kg, found -1",
    ]


@pytest.mark.parametrize("bottom", ["10", "L"])
def test_towers_of_powers_do_not_run_away(bottom):
    tower = "(" * 12 + bottom + "**16)" * 12
    (found,) = problems(head() + parameters(L="10") + link(a=f'"{tower}"'))
    assert found.startswith("links[1].a: ")
    assert "out of bounds" in found


# files -----------------------------------------------------------------------------------------------

FILES = {
    "binary": (bytes(range(256)), "not UTF-8 text"),
    "latin": ("# Stäubli\n".encode("latin-1"), r"not UTF-8 text \(byte 4\)"),
    "utf16": (GOOD.encode("utf-16"), "not UTF-8 text"),
    "huge": (b"#" * 3_000_000, "larger than 2000000 bytes"),
    "bracket": (b"name = 'x'\n[[links]\n", r"Expected '\]\]' .*line 2"),
    "nul": (b"name = 'x'\n\0", "line 2"),
    "again": (b"name = 'x'\nname = 'y'\n", "overwrite.*line 2"),
    "deep": (b"x = " + b"[" * 5000 + b"]" * 5000, "nested too deeply"),
    "digits": (b"x = " + b"1" * 5000, "a number or date is out of range"),
    "key": (b"a." * 5000 + b"b = 1", "a key of more than 100 parts"),
    "urdf": (b"<?xml version='1.0'?><robot/>", "the file has no links"),
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_no_toml_is_refused(tmp_path, name):
    content, words = FILES[name]
    path = tmp_path / "arm.toml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        library.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value)) < 300 + len(str(path))


NUMBERS_OF_TOML = [
    (".1", "a digit before the point: write 0.1", 5),
    ("-.1e-3 # small", "a digit before the point: write -0.1e-3", 5),
    ("+.5", "a digit before the point: write +0.5", 5),
    ("1.", "a digit after the point: write 1.0", 6),
    ("1.E5", "a digit after the point: write 1.0e5", 6),
    ("01", "no zeros in front: write 1", 6),
    ("-007.", "a digit after the point and no zeros in front: write -7.0", 7),
    ("[0, .5]", "a digit before the point: write 0.5", 9),
    ("[0, 1., 2]", "a digit after the point: write 1.0", 10),
    ("{ xx = .5 }", "a digit before the point: write 0.5", 12),
    ("1d5", "e before the exponent: write 1e5", 6),
    ("\u22121", "a plain minus sign: write -1", 5),
]


@pytest.mark.parametrize(("value", "wanted", "column"), NUMBERS_OF_TOML)
def test_numbers_that_toml_refuses_are_written_out_right(value, wanted, column):
    text = head() + f"a = {value}\n"
    with pytest.raises(InputError) as caught:
        read_text(text, "arm.toml")
    first, line, advice = str(caught.value).split("\n")
    assert first.endswith(f"(at line 5, column {column})")
    assert line == f"  {f'a = {value}'!r}"
    assert advice == f"  TOML wants {wanted}"


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("a = 1,5", "write a point before the decimals"),
        ("alpha = atan2(0.6, -0.8)", 'expressions go in quotes, such as alpha = "pi/2"'),
        ("a = -L1/2.", 'expressions go in quotes, such as a = "pi/2"'),
        ("a = 1 000", None),
        ("a = 1e5.5", None),
        ('a = "x" .5', None),
        ("a\0b = pi", None),
        ("a = [1, 2", None),
    ],
)
def test_advice_is_given_only_where_it_helps(line, advice):
    with pytest.raises(InputError) as caught:
        read_text(head() + line + "\n", "arm.toml")
    assert str(caught.value).split("\n")[2:] == ([f"  {advice}"] if advice else [])


def test_the_work_that_the_numbers_of_a_file_take_is_bounded(monkeypatch):
    monkeypatch.setattr("symgen.robot.reader.MAX_WORK", 1000)
    numbers = {f"x{index}": f'"(1 + sin({index}))**3"' for index in range(1, 100)}
    found = problems(head() + parameters(**numbers) + link(a='"sqrt(2)"'))
    assert 80 < len(found) < 100
    assert all(text.endswith("take too long to be computed exactly; write decimals") for text in found)


_STEPS = ["sin(P) + cos(P)", "P*P + 1e-5*P", "cos(P)", "P*P*P + sin(1)", "1/(1 + P)", "atan(P)"]


@pytest.mark.parametrize("step", _STEPS)
def test_chains_of_parameters_do_not_run_away(step):
    values = {"p0": '"1 + 1e-9*sin(2)"'}
    values |= {f"p{index + 1}": f'"{step.replace("P", f"p{index}")}"' for index in range(60)}
    assert all("too complicated" in text for text in any_problems(head() + parameters(**values) + link()))


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf" + GOOD.encode(), GOOD.replace("\n", "\r\n").encode()])
def test_marks_of_other_systems_do_no_harm(tmp_path, content):
    path = tmp_path / "arm.toml"
    path.write_bytes(content)
    assert library.load(path) == read_text(GOOD, "arm.toml")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nosuch", "neither a file nor a robot of the library; the library has: allegro_hand, ankle, "),
        ("chain0", "expected a chain of 1 to 100 links, found 0"),
        ("chain" + "9" * 9, "expected a chain of 1 to 100 links"),
        ("chain" + "9" * 99, "neither a file nor"),
        ("chain-1", "neither a file nor"),
        ("nosuch.toml", "there is no such file"),
        ("no/such", "there is no such file"),
        ("~nobodyhere/x.toml", "there is no such file"),
        ("", "neither a file nor"),
        ("a" * 5000, "neither a file nor"),
        ("a\0b", "neither a file nor"),
        (".", "is a directory"),
        (123, "found int"),
        (None, "found NoneType"),
        (["puma"], "found list"),
    ],
)
def test_what_cannot_be_loaded_is_named(name, words):
    with pytest.raises(InputError, match=words) as caught:
        library.load(name)
    assert len(str(caught.value)) < 700


# nothing is executed, nothing crashes ----------------------------------------------------------------------


@pytest.mark.parametrize("place", ["value", "length", "name"])
def test_code_in_a_file_is_refused_and_not_run(tmp_path, place):
    mark = tmp_path / "ran"
    code = f"\"__import__('os').system('touch {mark}')\""
    text = {
        "value": head() + parameters(L=code) + link(),
        "length": head() + link(a=code),
        "name": head() + parameters(**{code: 1}) + link(),
    }[place]
    assert len(problems(text)) == 1
    assert not mark.exists()


_VALUES = st.sampled_from(
    [*NUMBERS, "1", "0", "-1", '"L"', '"pi/2"', '"x"', '""', "[]", "{}", "[0, 0, 0]", "[[]]", '["L", 1, 2]', '"com"']
)
_KEYS = [*LinkTable.model_fields, "zzz"]
_TOP = [*RobotTable.model_fields, "zzz"]


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(st.sampled_from(_TOP), _VALUES | st.none(), max_size=3),
    st.lists(st.dictionaries(st.sampled_from(_KEYS), _VALUES | st.none(), max_size=4), max_size=3),
    st.booleans(),
)
def test_any_file_gives_a_robot_or_problems(top, links, declared):
    declares = declared and "parameters" not in top
    text = head(**top) + (parameters(L="2") if declares else "") + "".join(link(**changes) for changes in links)
    assert _outcome(text) in ("robot", "problems", "not TOML")


def _outcome(text):
    try:
        read_text(text, "arm.toml")
    except RobotFileError as error:
        printable = all(str(problem).isprintable() for problem in error.problems)
        return "problems" if error.problems and printable else "not readable"
    except InputError as error:
        return "not TOML" if "not a valid TOML file" in str(error) else str(error)
    return "robot"


def test_massless_links_and_point_masses_are_fine():
    text = head() + link(**MASSLESS) + link(inertia=None) + link(inertia="{ xx = 0, yy = 0, zz = 0 }")
    assert read_text(text, "arm.toml").notices == ()
