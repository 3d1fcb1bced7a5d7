"""Inverse dynamics and multipliers by subsystems: their order, the paper's carpet scraper, proofs, and misfits."""

import functools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from library_robots import LOOPED
from loop_mechanisms import mechanism

import symgen
from symgen.derive.derivation import Options, derive
from symgen.derive.freedoms import freedoms
from symgen.errors import InputError
from symgen.program.interpreter import evaluate
from symgen.prove.proof import prove
from symgen.robot import library

BY_SUBSYSTEMS = {"inverse_dynamics": "subsystems", "constraint_forces": "subsystems"}
SEEDS = (33, 48, 272, 309)
"""Of random mechanisms: with three stages, also of two subsystems, and of one of many joints."""

ORDERS = {
    "carpet_scraper": [
        ([{"arm_pivot", "strut_pivot", "scraper_pivot", "bar_pivot"}], {"strut_pin": 2, "bar_pin": 2}, ()),
        ([{"rocker_pivot", "coupler_pivot"}], {"crank_pin": 2}, ()),
        ([{"motor"}], {}, ("motor",)),
    ],
    "ankle": [
        ([{"pitch", "roll"}], {"rod_left": 1, "rod_right": 1}, ()),
        ([{"motor_left"}], {}, ("motor_left",)),
        ([{"motor_right"}], {}, ("motor_right",)),
    ],
    "four_bar": [([{"crank", "coupler_pivot"}, {"rocker"}], {"pin": 2}, ("crank",))],
    "five_bar": [([{"proximal1", "distal1"}, {"proximal2", "distal2"}], {"tip": 2}, ("proximal1", "proximal2"))],
}

HEAD = """
convention = "placed"
gravity = [0, -9.81, 0]
inertia_about = "com"
"""


def link(joint, parent, x):
    return f"""
[[links]]
name = "{joint}_link"
parent = "{parent}"
joint = "revolute"
joint_name = "{joint}"
axis = [0, 0, 1]
xyz = [{x}, 0, 0]
mass = 1
com = [0.1, 0, 0]
inertia = {{ xx = 0.004, yy = 0.004, zz = 0.004 }}
"""


def pin(predecessor, x, successor, y):
    return f"""
[[loops]]
name = "{successor}_pin"
joint = "revolute"
predecessor = {{ link = "{predecessor}_link", xyz = [{x}, 0, 0] }}
successor = {{ link = "{successor}_link", xyz = [{y}, 0, 0] }}
"""


CUT_AT_THE_CRANK = (
    'name = "cut_at_the_crank"\nactuated = ["crank"]'
    + HEAD
    + link("crank", "base", 0)
    + link("rocker", "base", 0.3)
    + link("coupler", "rocker_link", 0.22)
    + pin("crank", 0.1, "coupler", -0.28)
    + "[posture]\ncrank = 1\nrocker = 1.57\ncoupler = -1.22\n"
)

THREE_EQUAL_CRANKS = (
    'name = "three_equal_cranks"\nactuated = ["crank1"]'
    + HEAD
    + link("crank1", "base", 0)
    + link("bar", "crank1_link", 0.2)
    + link("crank2", "base", 0.3)
    + link("crank3", "base", 0.7)
    + pin("bar", 0.3, "crank2", 0.2)
    + pin("bar", 0.7, "crank3", 0.2)
    + "[posture]\ncrank1 = 1\nbar = -1\ncrank2 = 1\ncrank3 = 1\n"
)


def order(robot):
    return [
        ([set(own) for own in stage.subsystems], dict(stage.multipliers), stage.drives)
        for stage in freedoms(robot).stages
    ]


def of_text(tmp_path, text):
    path = tmp_path / "robot.toml"
    path.write_text(text, encoding="utf-8")
    return symgen.load(path)


# the order ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ORDERS)
def test_determinate_subsystems_come_first(name):
    assert order(library.load(name)) == ORDERS[name]


def test_the_cut_decides_whether_a_four_bar_is_solved_in_order(tmp_path):
    """Fig. 17: (a) with the coupler on the rocker that subsystem is determinate; (b) on the crank neither is."""
    assert order(of_text(tmp_path, CUT_AT_THE_CRANK)) == [
        ([{"rocker", "coupler"}], {"coupler_pin": 2}, ()),
        ([{"crank"}], {}, ("crank",)),
    ]
    assert len(order(library.load("four_bar"))) == 1


@pytest.mark.parametrize("robot", [*map(library.load, LOOPED), *map(mechanism, SEEDS)], ids=lambda robot: robot.name)
def test_stages_have_as_many_unknowns_as_freedoms_and_leave_nothing_out(robot):
    found = freedoms(robot)
    assert found.indeterminate == ""
    for stage in found.stages:
        assert stage.unknowns == sum(map(len, stage.subsystems))
    joints = [name for stage in found.stages for own in stage.subsystems for name in own]
    assert sorted(joints) == sorted(each.name for each in robot.velocities)
    assert sorted(name for stage in found.stages for name in stage.drives) == sorted(found.independent)


# values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in LOOPED if name != "gough_stewart"])
def test_multipliers_are_proved(name):
    """Those of the platform, 18 at once, take long; its inverse dynamics is proved with that of all formulations."""
    (proof,) = prove(derive(library.load(name), Options(("constraint_forces",), effort="low", **BY_SUBSYSTEMS)))[1:]
    assert (proof.function, proof.holds) == ("constraint_forces", True)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_mechanisms_are_proved(seed):
    derivation = derive(mechanism(seed), Options(tuple(BY_SUBSYSTEMS), effort="low", **BY_SUBSYSTEMS))
    assert all(derivation.choices[name].algorithm == "subsystems" for name in BY_SUBSYSTEMS)
    assert all(proof.holds for proof in prove(derivation))


@functools.cache
def scraper():
    names = (*BY_SUBSYSTEMS, "constraint_jacobian")
    options = Options(names, effort="low", gravity="runtime", **BY_SUBSYSTEMS)
    return {each.name: each.program for each in derive(library.load("carpet_scraper"), options).module.functions}


def references():
    data = Path(__file__).parent / "data" / "loops" / "carpet_scraper.json"
    return [s for s in json.loads(data.read_text(encoding="utf-8"))["states"] if "multipliers" in s]


def at(name, state):
    program = scraper()[name]
    given = state | {"gravity": state["gravity_vector"]}
    (found,) = evaluate(program, {array.name: given[array.name] for array in program.inputs}).values()
    return found


def test_the_scrapers_torque_and_multipliers_are_those_of_the_reference():
    for state in references():
        expected = np.array(state["tau"])
        assert np.abs(at("inverse_dynamics", state) - expected).max() <= 1e-9 * np.abs(expected).max()
        found, rows = at("constraint_forces", state), at("constraint_jacobian", state)
        forces = [np.array(state["multipliers"][name]) for name in ("crank_pin", "strut_pin", "bar_pin")]
        sizes = [np.linalg.norm(found[5 * k : 5 * k + 5]) for k in range(3)]
        np.testing.assert_allclose(sizes, [np.linalg.norm(force) for force in forces], rtol=1e-9)
        expected = moments(np.array(state["q"]), *forces)
        assert np.abs(rows.T @ found - expected).max() <= 1e-9 * np.abs(expected).max()


def moments(q, on_crank, of_strut, of_bar):
    """What the pins do about the joints: the coupler pushes the crank, strut and bar push the coupler (base axes)."""
    crank, rocker, coupler, arm, scraper, bar, strut = range(7)
    carriers = {coupler: rocker, scraper: arm, bar: scraper, strut: arm}
    start = {crank: (0, 0), rocker: (-0.089, 0), arm: (0.038, 0.41)}
    along = {coupler: 0.115, scraper: 0.335, bar: 0.239, strut: 0.096}
    angles, origins = dict.fromkeys(range(7), 0.0), {}
    for body in range(7):
        carrier = carriers.get(body)
        angles[body] = q[body] + (angles[carrier] if carrier is not None else 0)
        origins[body] = (
            np.array(start[body], float)
            if carrier is None
            else origins[carrier] + along[body] * np.array([np.cos(angles[carrier]), np.sin(angles[carrier])])
        )
    ends = [(crank, 0.038, on_crank), (coupler, -0.115, -on_crank), (coupler, 0.115, of_strut + of_bar)]
    ends += [(strut, 0.239, -of_strut), (bar, 0.239, -of_bar)]
    result = np.zeros(7)
    for body, reach, force in ends:
        point = origins[body] + reach * np.array([np.cos(angles[body]), np.sin(angles[body])])
        while body is not None:
            arm_x, arm_y = point - origins[body]
            result[body] += arm_x * force[1] - arm_y * force[0]
            body = carriers.get(body)
    return result


def test_singular_postures_have_no_forces():
    """Where the distal links are in line the tip's constraints do not determine their rates."""
    (function,) = derive(
        library.load("five_bar"), Options(("inverse_dynamics",), effort="low", **BY_SUBSYSTEMS)
    ).module.functions[:1]
    for off_line, finite in ((0.0, False), (0.1, True)):
        state = {"q": [0.5, 0.3, 0.2, 0.6 + off_line], "qd": [1, 2], "qdd": [0, 0]}
        assert np.isfinite(evaluate(function.program, state)["tau"]).all() == finite


# what does not fit ---------------------------------------------------------------------------------------


def test_constraints_that_others_imply_do_not_fit(tmp_path):
    robot = of_text(tmp_path, THREE_EQUAL_CRANKS)
    assert freedoms(robot).stages == ()
    with pytest.raises(InputError, match=r"by subsystems .* not determinate: 1 of the constraints hold"):
        derive(robot, Options(("inverse_dynamics",), inverse_dynamics="subsystems"))


@pytest.mark.parametrize("function", BY_SUBSYSTEMS)
def test_more_drives_than_freedoms_do_not_fit(function):
    robot = replace(library.load("five_bar"), motors=("proximal1", "distal1", "proximal2"))
    with pytest.raises(InputError, match=rf"{function} by subsystems .* 3 drives for 2 freedoms leave more unknowns"):
        derive(robot, Options((function,), **BY_SUBSYSTEMS))
