"""Loops that close in closed form: dyads, couplers between ball joints, rods; their branches, by guess and by name."""

import ctypes
import functools
import json
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

import symgen
from symgen.derive.derivation import Options, derive
from symgen.derive.loop_branches import branch_names, on_branches
from symgen.emit.registry import language
from symgen.errors import InputError
from symgen.mechanics.loops.plan import Unknown
from symgen.program.interpreter import evaluate
from symgen.robot import library
from symgen.robot.reader import read_text
from symgen.robot.writer import robot_text
from symgen.runtime.assembly import assembled

HEAD = 'name = "{name}"\nconvention = "placed"\ngravity = [0, -9.81, 0]\ninertia_about = "com"\nactuated = ["crank"]\n'
LINK = """
[[links]]
name = "{name}"
parent = "{parent}"
joint = "{joint}"
xyz = [{x}, 0, 0]
rpy = {rpy}
axis = {axis}
mass = 1
com = [0.1, 0, 0]
inertia = {{ xx = 0.01, yy = 0.02, zz = 0.02 }}
"""
UP, DOWN, ALONG = "[0, 0, 1]", "[0, 0, -1]", "[1, 0, 0]"


def link(name, parent="base", x=0.0, joint="revolute", axis=UP, rpy="[0, 0, 0]"):
    made = LINK.format(name=f"{name}_link", parent=parent, joint=joint, x=x, axis=axis, rpy=rpy)
    return made.replace("mass", f'joint_name = "{name}"\nmass')


def robot(name, links, one, two, posture, joint="revolute", more=""):
    ends = f"predecessor = {{ {one} }}\nsuccessor = {{ {two} }}\n"
    text = HEAD.format(name=name) + "".join(links) + f'\n[[loops]]\nname = "pin"\njoint = "{joint}"\n{more}\n{ends}'
    return read_text(f"{text}\n[posture]\n{posture}\n", "test")


def slider_crank(more="", up=UP):
    """RRP: a crank of 0.2 m, a rod of 0.5 m, a slider along x."""
    links = [
        link("crank"),
        link("rod", "crank_link", 0.2, axis=up),
        link("slide", joint="prismatic", axis=ALONG),
    ]
    posture = "crank = 1\nrod = -1.35\nslide = 0.58" if up == UP else "crank = 1\nrod = 1.35\nslide = 0.58"
    return robot(
        "slider_crank", links, 'link = "rod_link", xyz = [0.5, 0, 0]', 'link = "slide_link"', posture, more=more
    )


def guided_slider():
    """RRP with the slide cut: the same, its slider held by a prismatic joint."""
    links = [link("crank"), link("rod", "crank_link", 0.2), link("head", "rod_link", 0.5)]
    one, two = 'link = "base", rpy = [0, "pi/2", 0]', 'link = "head_link", rpy = [0, "pi/2", 0]'
    return robot("guided_slider", links, one, two, "crank = 1\nrod = -1.35\nhead = 0.35", "prismatic")


def swinging_block():
    """RPR: a crank of 0.2 m whose pin slides along a rocker on a pivot 0.5 m off, 0.05 m beside it."""
    links = [
        link("crank"),
        link("rocker", x=0.5),
        link("block", "rocker_link", joint="prismatic", axis=ALONG),
    ]
    one, two = 'link = "crank_link", xyz = [0.2, 0, 0]', 'link = "block_link", xyz = [0, 0.05, 0]'
    return robot("swinging_block", links, one, two, "crank = 1\nrocker = 2.6\nblock = 0.42")


def sliding_couple():
    """RPR with the slide cut, between the crank's rod and a rocker."""
    links = [link("crank"), link("rod", "crank_link", 0.2), link("rocker", x=0.5)]
    one = 'link = "rod_link", xyz = [0, 0.05, 0], rpy = [0, "pi/2", 0]'
    two = 'link = "rocker_link", rpy = [0, "pi/2", 0]'
    return robot("sliding_couple", links, one, two, "crank = 1\nrod = -1.4\nrocker = -0.4", "prismatic")


def rocker_by_a_rod(axis=UP):
    """A rod between a crank and a rocker whose axes are not parallel."""
    links = [link("crank"), link("rocker", x=0.5, axis=axis, rpy="[0.4, 0, 0]")]
    one, two = 'link = "crank_link", xyz = [0.2, 0, 0]', 'link = "rocker_link", xyz = [0.3, 0, 0.1]'
    return robot(
        "rod_rocker", links, one, two, f"crank = 1\nrocker = {1.4 if axis == UP else -1.4}", "rod", "length = 0.5"
    )


SMALL = {make.__name__: make for make in (slider_crank, guided_slider, swinging_block, sliding_couple, rocker_by_a_rod)}
WHOLE = ("five_bar", "four_bar", "rssr", "palletizer", "carpet_scraper")
"""Robots of the library all of whose entries of q are found in closed form."""

FUNCTIONS = ("assembly_step", "closure")


@functools.cache
def loaded(name):
    return SMALL[name]() if name in SMALL else library.load(name)


class Interpreted:
    """Assembly of a robot, run by the interpreter: nothing is compiled."""

    def __init__(self, robot):
        self.robot, self.derivation = robot, derive(robot, Options(FUNCTIONS, effort="low"))
        self.module, self.record = self.derivation.module, self.derivation.module.record
        self.positions, self.neutral = self.record.positions, np.array(self.record.neutral)

    def __getattr__(self, name):
        function = self.module.function(name)

        def call(*arguments):
            given = dict(zip([item.name for item in function.inputs], arguments, strict=True))
            with np.errstate(all="ignore"):
                found = list(evaluate(function.program, given).values())
            return found[0] if len(found) == 1 else tuple(found)

        return call

    def assemble(self, given, guess=None):
        functions = {function.name: getattr(self, function.name) for function in self.module.functions}
        return assembled(self.module, functions, given, guess)


@functools.cache
def module(name):
    return Interpreted(loaded(name))


def reached(made, count=200, seed=0, far=2.0):
    """Positions of independent joints about the posture; q and status without a guess."""
    places = list(made.record.independent)
    units = [made.positions[place].unit for place in places]
    reach = np.array([far if unit == "rad" else 0.05 for unit in units])
    given = made.neutral[places] + reach * np.random.default_rng(seed).uniform(-1, 1, (count, len(places)))
    return given, *made.assemble(given)


@pytest.mark.parametrize("name", [*SMALL, *WHOLE])
def test_starts_are_closed_wherever_loops_can_close(name):
    made = module(name)
    given, q, status = reached(made)
    good = status == 0
    assert good.sum() > 40
    guess = np.tile(made.neutral, (good.sum(), 1))
    guess[:, list(made.record.independent)] = given[good]
    start = made.assembly_start(guess, made.neutral)
    assert np.abs(made.closure(start)).max() < 1e-12
    assert np.abs(made.closure(q[good])).max() < 1e-12
    assert np.isnan(q[~good]).all()
    # Where closed forms have no solution there is none: steps from elsewhere do not close either.
    again, found = made.assemble(given[~good], q[good][0])
    assert found.all()
    assert np.isnan(again).all()


@pytest.mark.parametrize("name", [*SMALL, *WHOLE])
def test_the_branch_is_that_of_newtons_method_near_the_posture(name):
    made = module(name)
    given, q, status = reached(made, far=0.05)
    assert not status.any()
    step, places = made.assembly_step, list(made.record.independent)
    near = np.tile(made.assemble(made.neutral[places])[0], (len(given), 1))
    near[:, places] = given
    for _ in range(30):
        near, _ = step(near)
    turned = [index for index, each in enumerate(made.positions) if each.kind != "spherical"]
    np.testing.assert_allclose(q[:, turned], near[:, turned], atol=1e-9)


@pytest.mark.parametrize("name", ["five_bar", "four_bar", "slider_crank", "swinging_block", "rocker_by_a_rod"])
def test_a_guess_says_on_which_branch_and_how_often_angles_went_round(name):
    made = module(name)
    plan = made.derivation.subject.plan
    _, q, status = reached(made, far=0.5)
    q = q[status == 0]
    places = list(made.record.independent)
    turning = [k for k, each in enumerate(made.positions) if each.unit == "rad" and k not in places]
    guess = q.copy()
    guess[:, turning] += 4 * np.pi
    around, status = made.assemble(q[:, places], guess)
    assert not status.any()
    np.testing.assert_allclose(around, guess, atol=1e-9)
    # On the other side of where the loop's distance is the longest lies the other branch.
    (fork,) = [step.place for step in plan.steps if step.unknown.has_branches]
    other = q.copy()
    random = np.random.default_rng(1)
    while True:
        other[:, fork] = q[:, fork] + random.uniform(-3, 3, len(q))
        found, status = made.assemble(q[:, places], other)
        away = np.abs(found - q).max(axis=1) > 1e-3
        assert not status.any()
        if away.any() and not away.all():
            break
    assert np.abs(made.closure(found)).max() < 1e-12


OTHERS = {"rrr3": ("base1", "elbow1", "wrist1"), "ankle": ("pitch", "roll")}
"""Independent joints of which the motors follow in closed form, leg by leg and rod by rod."""


@pytest.mark.parametrize("name", OTHERS)
def test_motors_follow_from_what_they_move(name):
    other = replace(library.load(name), actuated=OTHERS[name])
    made = Interpreted(other)
    assert [step.unknown for step in made.derivation.subject.plan.steps].count(Unknown.ANGLE) == 2
    _, q, status = reached(made, far=0.2)
    assert (status == 0).mean() > 0.5
    assert np.abs(made.closure(q[status == 0])).max() < 1e-12


@pytest.mark.parametrize("name", ["rrr3", "ankle", "delta"])
def test_loops_without_closed_forms_start_at_the_guess(name):
    plain = derive(library.load(name), Options(FUNCTIONS, effort="low")).module
    assert plain.assembly.start == ""
    assert [function.name for function in plain.functions] == ["assembly_step", "closure"]
    with pytest.raises(InputError, match=f"{name}: assembly_start cannot be generated: no joint of its loops follows"):
        derive(library.load(name), Options(("assembly_start",)))


# branches by name ------------------------------------------------------------------------------------------

NAMED = {
    "slider_crank": (slider_crank, "far", "near"),
    "swinging_block": (swinging_block, "far", "near"),
    "guided_slider": (guided_slider, "far", "near"),
    "five_bar": (lambda: library.load("five_bar"), "right", "left"),
    "four_bar": (lambda: library.load("four_bar"), "left", "right"),
}


@pytest.mark.parametrize("name", NAMED)
def test_branches_have_names(name):
    make, own, other = NAMED[name]
    (loop,) = branch_names(make())
    assert branch_names(make()) == {loop: own}
    flipped = on_branches(named(make(), other))
    assert branch_names(flipped) == {loop: other}
    assert on_branches(named(make(), own)).posture == make().posture
    made = Interpreted(on_branches(named(make(), other)))
    _, q, status = reached(made, count=50, far=0.3)
    assert np.abs(made.closure(q[status == 0])).max() < 1e-12
    assert np.abs(made.neutral - flipped.near).max() < 1e-12


def named(robot, word):
    """The robot with its one loop's branch named, written and read again."""
    text = robot_text(robot).replace("[[loops]]", f'[[loops]]\nbranch = "{word}"')
    found = read_text(text, "test")
    assert read_text(robot_text(found), "test").cut_joints[0].branch == word
    return found


def test_sides_are_seen_as_it_is_said():
    """The five-bar's tip on either side of the line from the first elbow to the second; z points to the viewer."""
    for word, side in (("left", 1), ("right", -1)):
        made = Interpreted(on_branches(named(library.load("five_bar"), word)))
        (a, b, c, _), _ = made.assemble([1.7, 1.35])
        first = 0.6 * np.array([np.cos(a), np.sin(a)])
        second = np.array([1.2, 0]) + 0.7 * np.array([np.cos(c), np.sin(c)])
        tip = first + 1.1 * np.array([np.cos(a + b), np.sin(a + b)])
        along, off = second - first, tip - first
        assert np.sign(along[0] * off[1] - along[1] * off[0]) == side


@pytest.mark.parametrize("make", [rocker_by_a_rod, lambda: rocker_by_a_rod(DOWN)])
def test_sides_of_rods_are_seen_with_the_rockers_axis(make):
    robot = make()
    (word,) = branch_names(robot).values()
    assert word == ("left" if robot.near[1] > 0 else "right")


def test_names_that_a_loop_does_not_have_are_told():
    with pytest.raises(InputError, match=r"five_bar: loop tip: branch 'far': this loop's branches are left or right"):
        on_branches(named(library.load("five_bar"), "far"))
    ankle = read_text(robot_text(library.load("ankle")).replace("[[loops]]", '[[loops]]\nbranch = "left"', 1), "test")
    with pytest.raises(InputError, match=r"ankle: loop rod_left: branch 'left': this loop's branches are none"):
        on_branches(ankle)
    with pytest.raises(InputError, match="branch"):
        named(library.load("five_bar"), "down")


# languages -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["five_bar", "rssr"])
def test_languages_assemble_alike(name, tmp_path):
    made = symgen.generate(name, functions=FUNCTIONS, effort="low", states=5)
    given, q, status = reached(made, count=20)
    given[0] = 1e3 if name == "rssr" else (np.pi, 0)  # the five-bar's elbows too far apart
    q, status = made.assemble(given)
    guess = made.neutral
    text = language("python").files(made._module)[f"{name}.py"]
    space: dict = {}
    exec(compile(text, name, "exec"), space)
    found, told = space["assemble"](given, guess)
    np.testing.assert_array_equal(told, status)
    np.testing.assert_allclose(found, q, atol=1e-12)
    np.testing.assert_allclose(_by_c(made, given, tmp_path), np.column_stack([q, status]), atol=1e-12)
    if shutil.which("node"):
        np.testing.assert_allclose(_by_node(made, given, tmp_path), np.column_stack([q, status]), atol=1e-12)


def _by_c(made, given, folder):
    for name, text in made.sources.items():
        if name.endswith((".c", ".h")):
            (folder / name).write_text(text)
    source, compiled = folder / f"{made.name}.c", folder / "assemble.so"
    subprocess.run(
        ["cc", "-std=c99", "-Wall", "-Werror", "-fPIC", "-shared", source, "-o", compiled, "-lm"], check=True
    )
    function = getattr(ctypes.CDLL(str(compiled)), f"{made.name}_assemble")
    rows = []
    for row in given:
        arrays = [np.ascontiguousarray(row), np.ascontiguousarray(made.neutral), np.zeros(made.nq)]
        status = function(*(ctypes.c_void_p(array.ctypes.data) for array in arrays))
        rows.append([*arrays[2], status])
    return np.array(rows)


def _by_node(made, given, folder):
    name = f"{made.name}.mjs"
    (folder / name).write_text(language("js").files(made._module)[name])
    script = (
        f"import * as m from './{name}'; const guess = Float64Array.from({json.dumps(made.neutral.tolist())});"
        f"console.log(JSON.stringify({json.dumps(given.tolist())}.map(row => {{"
        "const f = m.assemble(Float64Array.from(row), guess); return [...f.q, f.status]; })));"
    )
    (folder / "run.mjs").write_text(script)
    done = subprocess.run(["node", folder / "run.mjs"], capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout)
    return np.array([[np.nan if entry is None else entry for entry in row] for row in rows], dtype=float)
