"""Parallel robots leg by leg, after Saha and Khan: what each leg leaves of the platform's twist, its chain's forces.

That the functions are those of other formulations is in test_formulations; here it is so for more kinds of robots.
"""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from loop_mechanisms import mechanism
from robots_with_drives import with_drives
from test_loop_status import stretched

from symgen.algebra.domain import Floats
from symgen.derive.derivation import Options, derive
from symgen.derive.subject import subject_of
from symgen.errors import InputError
from symgen.mechanics.formulations.denoc import LegByLeg, chain_forces, inertia_matrix
from symgen.mechanics.formulations.leg_matrices import LegMatrices
from symgen.mechanics.formulations.legs import misfit
from symgen.mechanics.functions.forces import whole_inverse_dynamics
from symgen.mechanics.functions.state import State
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.prove.proof import prove
from symgen.robot import library, shipped
from symgen.robot.expression import parse
from symgen.robot.model import Drive
from symgen.robot.reader import read_text

DATA = Path(__file__).parent / "data" / "loops"
DYNAMICS = ("inverse_dynamics", "forward_dynamics")
LEGGED = ("five_bar", "four_bar", "rrr3", "delta", "gough_stewart")
BY_LEGS = {"inverse_dynamics": "denoc", "forward_dynamics": "denoc"}

legged = pytest.mark.parametrize("name", LEGGED)


def subject(robot):
    return subject_of(robot, Options(functions=DYNAMICS, effort="low"))


@functools.cache
def subject_called(name):
    return subject(library.load(name))


def at_random(name, seed=0, closed=False):
    """The robot leg by leg over floats, at a random state, and its mechanism; not closed unless it is asked for."""
    made, random = subject_called(name), np.random.default_rng(seed)
    robot, count = made.robot, len(made.robot.independent)
    q = np.array(robot.near) + random.uniform(-0.2, 0.2, robot.nq)
    if closed:
        q = np.array(references(name)[seed]["q"])
    given = {key: random.normal(size=count) for key in ("qd", "qdd", "tau")}
    mechanism = made.mechanism(Floats({"q": q, **given}))
    return LegByLeg(mechanism), mechanism


@functools.cache
def references(name):
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))["states"]


def numbers(values):
    return np.array(values, dtype=float)


# kinematics ---------------------------------------------------------------------------------------------


@legged
def test_projectors_leave_out_what_passive_joints_do(name):
    solved, _ = at_random(name)
    for each in solved.eliminations:
        Phi = numbers(each.projector)
        np.testing.assert_allclose(Phi @ Phi, Phi, atol=1e-12)
        assert round(np.trace(Phi)) == len(Phi) - len(each.passive)
        for index in each.passive:
            np.testing.assert_allclose(Phi @ numbers(each.columns[index]), 0, atol=1e-12)


@legged
def test_all_legs_give_one_twist_and_the_trees_rates_are_the_reductions(name):
    solved, mechanism = at_random(name)
    J = numbers(solved.matrix())
    np.testing.assert_allclose(J[: mechanism.nv], numbers(State(mechanism).reduction.matrix), rtol=0, atol=1e-11)
    twists = [
        sum(np.outer(numbers(column), J[index]) for index, column in each.columns.items())
        for each in solved.eliminations
        if each.columns
    ]
    for twist in twists[1:]:
        np.testing.assert_allclose(twist, twists[0], rtol=0, atol=1e-11)


@legged
def test_forces_are_the_transpose_of_rates(name):
    solved, _ = at_random(name)
    forces = np.random.default_rng(1).normal(size=solved.legs.count)
    expected = numbers(solved.matrix()).T @ forces
    np.testing.assert_allclose(numbers(solved.forces(list(forces))), expected, rtol=0, atol=1e-11)


@legged
def test_inertia_matrix_is_that_of_all_formulations(name):
    solved, mechanism = at_random(name)
    expected = numbers(State(mechanism).inertia_matrix)
    np.testing.assert_allclose(numbers(inertia_matrix(solved)), expected, rtol=0, atol=1e-11 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["five_bar", "four_bar", "rrr3", "delta"])
def test_twists_are_those_of_the_papers_matrices(name):
    """N_l N_c N_d of all bodies, with shares of the platform, is what the chains' N makes of the joints' rates."""
    _, mechanism = at_random(name)
    matrices = LegMatrices(mechanism)
    found = numbers(matrices.N_l) @ numbers(matrices.N_c) @ numbers(matrices.N_d)
    expected = numbers(matrices.blocks.N) @ numbers(matrices.solved.matrix())
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)
    rates, first = numbers(matrices.solved.matrix()), matrices.solved.eliminations[0]
    twist = sum(np.outer(numbers(column), rates[index]) for index, column in first.columns.items())
    np.testing.assert_allclose(numbers(matrices.end_jacobian), twist, rtol=0, atol=1e-11)


# references ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["five_bar", "rrr3", "gough_stewart"])
def test_references(name):
    """Khan's and Saha's robots, and the Gough-Stewart platform, against references made without DeNOC."""
    options = Options(DYNAMICS, gravity="runtime", effort="low", **BY_LEGS)
    robot, found = library.load(name), derive(library.load(name), options).module
    own = [float(entry.constant({})) for entry in robot.gravity]
    pairs = (("inverse_dynamics", "tau"), ("forward_dynamics", "qdd_found"))
    checked = 0
    for state in references(name):
        given = state | {"tau": state.get("tau_given"), "gravity": state.get("gravity_vector", own)}
        for function, key in pairs:
            if key in state:
                program = found.function(function)
                (result,) = evaluate(program.program, {item.name: given[item.name] for item in program.inputs}).values()
                np.testing.assert_allclose(result, state[key], rtol=0, atol=1e-9 * np.abs(state[key]).max())
                checked += 1
    assert checked >= 8


# chains -------------------------------------------------------------------------------------------------

CHAIN = """
name = "chain"
convention = "placed"
gravity = [0, -9.81, 0]
inertia_about = "com"
[[links]]
name = "proximal"
joint = "revolute"
axis = [0, 0, 1]
mass = 3
com = [0.2, 0, 0]
inertia = { zz = 0.04 }
[[links]]
name = "distal"
joint = "revolute"
xyz = [0.4, 0, 0]
axis = [0, 0, 1]
mass = 4
com = [0.3, 0, 0]
inertia = { zz = 0.12 }
[[links]]
name = "share"
joint = "revolute"
xyz = [0.6, 0, 0]
axis = [0, 0, 1]
mass = "8/3"
com = [SEAT]
inertia = { zz = "0.0817/3" }
"""
"""A leg of the 3-RRR with a third of the platform: Khan's serial chain."""

SEATS = ('0.2, "0.4/(2*sqrt(3))", 0', '-0.2, "0.4/(2*sqrt(3))", 0', '0, "0.4/(2*sqrt(3)) - 0.4*sqrt(3)/2", 0')


@pytest.mark.parametrize("state", range(3))
def test_forces_of_chains_are_those_of_serial_robots_with_a_third_of_the_platform(state):
    solved, mechanism = at_random("rrr3", state, closed=True)
    q = np.array(references("rrr3")[state]["q"])
    velocity = solved.motion(State(mechanism).given("qd"))
    acceleration = solved.motion(State(mechanism).given("qdd"), solved.drifts(velocity))
    forces = numbers(chain_forces(solved))
    for leg, seat in zip(solved.legs.legs, SEATS, strict=True):
        arm = read_text(CHAIN.replace("SEAT", seat), "chain.toml")
        angles = [q[0] + q[1] + q[2] - sum(q[i] for i in leg.rates[:2])] if leg.own else [q[2]]
        given = {"q": [*(q[i] for i in leg.rates[:2]), *angles]}
        given |= {name: [values[i] for i in leg.joints] for name, values in (("qd", velocity), ("qdd", acceleration))}
        (expected,) = _serial(arm, given)
        np.testing.assert_allclose(forces[list(leg.joints)], expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def _serial(arm, given):
    program = derive(arm, Options(("inverse_dynamics",), effort="low")).module.functions[0].program
    return evaluate(program, {name: np.array(values, dtype=float) for name, values in given.items()}).values()


@legged
def test_redundant_actuation_leaves_only_what_the_chains_do_together(name):
    """With drives in all joints of the legs, τ̃ is one answer; Jᵀ τ̃ is what independent joints alone would give."""
    solved, mechanism = at_random(name)
    forces, expected = chain_forces(solved), numbers(whole_inverse_dynamics(mechanism))
    found = numbers(solved.matrix()).T @ numbers(forces)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    # What is in the null space of Jᵀ does nothing: forces may be moved from leg to leg.
    null = np.eye(solved.legs.count) - numbers(solved.matrix()) @ np.linalg.pinv(numbers(solved.matrix()))
    np.testing.assert_allclose(numbers(solved.forces(list(null[0]))), 0, atol=1e-11)


def test_singular_postures_give_no_numbers():
    """The five-bar with its distal links in line; a little beside that there are numbers."""
    found = derive(library.load("five_bar"), Options(DYNAMICS, effort="low", **BY_LEGS)).module
    for name, last in (("inverse_dynamics", "qdd"), ("forward_dynamics", "tau")):
        program = found.function(name).program
        for bend, is_number in ((0.0, False), (0.01, True)):
            given = {
                "q": stretched() + np.array([0, bend, 0, 0]),
                "qd": np.array([0.3, -0.2]),
                last: np.array([1.0, 0.5]),
            }
            (result,) = evaluate(program, given).values()
            assert np.isfinite(result).all() == is_number
            assert np.isnan(result).all() != is_number


# robots of other kinds ----------------------------------------------------------------------------------


def proved(robot, **options):
    derivation = derive(robot, Options(DYNAMICS, gravity="runtime", effort="low", **BY_LEGS, **options))
    return {proof.function: proof.holds for proof in prove(derivation)}


@pytest.mark.parametrize("name", ["five_bar", "rrr3"])
def test_drives_in_all_joints_and_loads(name):
    robot = with_drives(library.load(name))
    drive = Drive(viscous=parse("0.7"), coulomb=parse("0.4"), smoothing=parse("0.3"))
    robot = replace(robot, cut_joints=tuple(replace(cut, drive=drive) for cut in robot.cut_joints))
    loaded = ("platform", "distal2") if name == "rrr3" else ("leg1_2", "leg2_1")
    assert proved(robot, wrenches=loaded) == dict.fromkeys(DYNAMICS, True)


def test_parameters_at_run_time():
    assert proved(library.load("five_bar"), parameters="runtime") == dict.fromkeys(DYNAMICS, True)


def on_a_leg():
    """The Gough-Stewart platform on the ball joint of its first leg, which is in the tree then."""
    head, *links = shipped.file_text("gough_stewart").split("[[links]]")
    links, loops = [*links[:-1], links[-1].partition("[[loops]]")[0]], links[-1].split("[[loops]]")[1:]
    loops[-1] = loops[-1].partition("[posture]")[0]
    platform = links[0].replace('parent = "base"', 'parent = "upper1"').replace('"floating"', '"spherical"')
    links = [*links[1:3], platform, *links[3:]]
    point = ["0.4*cos(50*pi/180)", "0.4*sin(50*pi/180)", "-0.05"]
    loops = [loop.replace("-0.05]", '"-0.05 + 0.05"]') for loop in loops[1:]]
    for axis, word in enumerate(("cos", "sin")):
        loops = [loop.replace(f'"0.4*{word}(', f'"-{point[axis]} + 0.4*{word}(') for loop in loops]
    posture = ["[posture]", *(f"foot{n}_rx = {x}\nfoot{n}_ry = {y}\nleg{n} = 1.06" for n, x, y in FEET)]
    text = "[[links]]".join([head, *links]) + "".join(f"[[loops]]{loop}" for loop in loops) + "\n".join(posture)
    return read_text(text, "on_a_leg.toml")


FEET = ((1, -0.18, -0.53), (2, 0.4, 0.4), (3, 0.54, 0.11), (4, -0.54, 0.11), (5, -0.4, 0.4), (6, 0.18, -0.53))


def test_a_platform_on_a_ball_joint_of_its_first_leg():
    assert proved(on_a_leg()) == dict.fromkeys(DYNAMICS, True)


# misfits ------------------------------------------------------------------------------------------------

MISFITS = {
    "rssr": "a link of it could spin between two ball joints",
    "carpet_scraper": "two of its legs share the link arm",
    "palletizer": "couplings are among its constraints",
    "ankle": "the cut joint rod_left is rod, not revolute or spherical",
}


@pytest.mark.parametrize("name", MISFITS)
def test_misfits_of_the_library(name):
    assert misfit(subject_called(name).mechanism(Graph())) == MISFITS[name]
    with pytest.raises(InputError, match=f"by denoc cannot be generated: {MISFITS[name]}"):
        derive(library.load(name), Options(("inverse_dynamics",), inverse_dynamics="denoc"))


HEAD = """
name = "made"
convention = "placed"
gravity = [0, -9.81, 0]
actuated = [ACTUATED]
"""

LINK = """
[[links]]
name = "NAME"
parent = "PARENT"
joint = "revolute"
joint_name = "jNAME"
xyz = [XYZ]
axis = [0, 0, 1]
mass = 1
com = [0.1, 0, 0]
"""

LOOP = """
[[loops]]
name = "NAME"
joint = "KIND"
predecessor = { link = "ONE" }
successor = { link = "OTHER" }
"""


def link(name, parent="base", at="0, 0, 0"):
    return LINK.replace("NAME", name).replace("PARENT", parent).replace("XYZ", at)


def loop(name, one, other, kind="revolute", ends=('"0.3", 0, 0', '"0.3", 0, 0')):
    text = LOOP.replace("NAME", name).replace("KIND", kind)
    return text.replace('"ONE" }', f'"{one}", xyz = [{ends[0]}] }}').replace(
        '"OTHER" }', f'"{other}", xyz = [{ends[1]}] }}'
    )


def made(actuated, *parts, **posture):
    lines = "".join(f"{name} = {value}\n" for name, value in posture.items())
    text = HEAD.replace("ACTUATED", ", ".join(f'"{each}"' for each in actuated)) + "".join(parts)
    return read_text(f"{text}\n[posture]\n{lines}", "made.toml")


def four_bar(prefix, at):
    """Two cranks of 0.2 m, 0.3 m apart, and a coupler of 0.3 m: a parallelogram, drawn as its two ends."""
    x, y = at
    a, b, c = (f"{prefix}{letter}" for letter in "abc")
    return (
        link(a, at=f"{x}, {y}, 0") + link(b, a, "0.2, 0, 0") + link(c, at=f"{x + 0.35}, {y}, 0"),
        loop(f"{prefix}pin", b, c, ends=("0.3, 0, 0", "0.2, 0, 0")),
        {f"j{a}": 1.3, f"j{b}": -1.4, f"j{c}": 1.5},
    )


def test_loops_that_share_no_body():
    (one, pin, q), (other, second, p) = four_bar("l", (0, 0)), four_bar("r", (1, 0))
    robot = made(["jla", "jra"], one, other, pin, second, **q, **p)
    assert misfit(subject(robot).mechanism(Graph())) == "its loops close at no common body"


def test_a_chain_between_legs():
    """Two loops that share the coupler of the first; the second is closed from a link on its rocker."""
    links, pin, q = four_bar("l", (0, 0))
    links += link("d", "lc", "0.1, 0, 0") + link("e", "d", "0.3, 0, 0")
    second = loop("second", "e", "lb", ends=("0.2, 0, 0", "0.1, 0.1, 0"))
    robot = made(["jla"], links, pin, second, **q, jd=2.5, je=1)
    assert misfit(subject(robot).mechanism(Graph())) == "two of its legs share the link lc"


def test_a_link_beside_the_legs():
    links, pin, q = four_bar("l", (0, 0))
    robot = made(["jla", "jd"], links, link("d", "lb", "0.3, 0, 0"), pin, **q)
    assert misfit(subject(robot).mechanism(Graph())) == "the link d is on no leg"


def test_constraints_that_follow_from_others():
    """A parallelogram on three cranks."""
    links = link("a") + link("b", "a", "0.2, 0, 0") + link("c", at="0.3, 0, 0") + link("d", at="0.6, 0, 0")
    pins = loop("p", "c", "b", ends=("0.2, 0, 0", "0.3, 0, 0")), loop("s", "d", "b", ends=("0.2, 0, 0", "0.6, 0, 0"))
    robot = made(["ja"], links, *pins, ja=1, jb=-1, jc=1, jd=1)
    assert misfit(subject(robot).mechanism(Graph())) == "some constraints of the cut joint s follow from others"


@pytest.mark.parametrize(
    ("seed", "clause"),
    [
        (272, "the cut joint loop1 holds directions in space: there it must be spherical"),
        (309, "the link link2 is on no leg"),
        (244, "two of its legs share the link link1"),
        (19, "the cut joint loop1 is cylindrical, not revolute or spherical"),
    ],
)
def test_random_mechanisms_in_space(seed, clause):
    assert misfit(subject(mechanism(seed)).mechanism(Graph())) == clause


def test_trees_are_none():
    assert misfit(subject(library.load("planar2r")).mechanism(Graph())) == "it has no loops"
