"""The cycloidal law and the joint forces along it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_robots import ARMS, module, reference

import symgen
from symgen.derive.records import record
from symgen.errors import InputError, LimitError
from symgen.robot import library
from symgen.simulation.trajectory import usual_move

ROBOTS = (*ARMS, "planar3r", "planar3r_unequal")

places = st.floats(-10, 10)


@given(start=places, end=places, duration=st.floats(0.1, 100), part=st.floats(0, 1))
def test_the_law_as_it_is_printed(start, end, duration, part):
    t = part * duration
    q, qd, qdd = symgen.cycloid(t, start, end, duration)
    tau = 2 * np.pi / duration
    assert q == pytest.approx(start + (end - start) / duration * (t - np.sin(tau * t) / tau), abs=1e-12)
    assert qd == pytest.approx((end - start) / duration * (1 - np.cos(tau * t)), abs=1e-12 / duration)
    assert qdd == pytest.approx((end - start) / duration * tau * np.sin(tau * t), abs=1e-12 / duration**2)


@given(start=st.lists(places, min_size=1, max_size=5), duration=st.floats(0.1, 100))
def test_it_goes_from_rest_to_rest(start, duration):
    end = [1.0 - place for place in start]
    q, qd, qdd = symgen.cycloid([-1.0, 0.0, duration, 2 * duration], start, end, duration)
    np.testing.assert_allclose(q, [start, start, end, end], atol=1e-13 * (1 + duration))
    assert np.abs(qd).max() <= 1e-14 * 20 / duration
    assert np.abs(qdd).max() <= 1e-13 * 20 / duration**2


def test_rates_are_the_derivatives():
    t, h = np.linspace(0.5, 2.5, 20), 1e-5
    (before, *_), (_, qd, qdd), (after, *_) = (symgen.cycloid(t + step, [0, 1], [2, -1], 3.0) for step in (-h, 0, h))
    at = symgen.cycloid(t, [0, 1], [2, -1], 3.0)[0]
    np.testing.assert_allclose((after - before) / (2 * h), qd, atol=1e-9)
    np.testing.assert_allclose((after - 2 * at + before) / h**2, qdd, atol=1e-4)


@pytest.mark.parametrize(
    ("t", "ends", "shape"),
    [(1.0, 1.0, ()), ([1.0, 2.0], 1.0, (2,)), (1.0, [1.0] * 3, (3,)), (np.ones((4, 5)), [1.0] * 3, (4, 5, 3))],
)
def test_shapes(t, ends, shape):
    assert [value.shape for value in symgen.cycloid(t, ends, ends, 2.0)] == [shape] * 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0.0, 0.0, 1.0, 0.0), "duration: expected a number of seconds above 0, found 0.0"),
        ((0.0, 0.0, 1.0, float("nan")), "duration: expected a number of seconds above 0, found nan"),
        ((0.0, 0.0, 1.0, "10"), "duration: expected a number of seconds above 0, found '10'"),
        ((0.0, 0.0, 1.0, True), "duration: expected a number of seconds above 0, found True"),
        ((0.0, "a", 1.0, 1.0), "start: expected numbers, found 'a'"),
        ((0.0, 0.0, [np.inf], 1.0), "end: expected finite numbers, found"),
        ((0.0, [0.0, 0.0], [1.0], 1.0), r"expected two numbers, or two vectors of one length; found \(2,\) and \(1,\)"),
        ((0.0, np.zeros((2, 2)), np.zeros((2, 2)), 1.0), "expected two numbers, or two vectors of one length"),
    ],
)
def test_bad_arguments_of_the_law_are_named(arguments, words):
    with pytest.raises(InputError, match=words):
        symgen.cycloid(*arguments)


# joint forces ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("robot", ROBOTS)
def test_by_default_the_torques_are_those_of_the_papers(robot):
    at = reference(robot)["trajectory"]
    found = symgen.follow(module(robot), samples=101)
    np.testing.assert_allclose(found.t, at["t"], rtol=1e-15)
    for name in ("q", "qd", "qdd"):
        np.testing.assert_allclose(getattr(found, name), at[name], atol=1e-14)
    error = np.abs(found.tau - at["tau"]).max() / np.abs(at["tau"]).max()
    assert error < 1e-12


def test_a_robot_of_ones_own_makes_the_usual_move():
    """Even if it is called as an arm of the papers."""
    scara = record(library.load("scara"))
    assert [list(usual_move(scara).start), usual_move(scara).duration] == [[0.0] * 4, 10.0]
    kinds = [joint.kind for joint in scara.joints]
    assert usual_move(scara).end == [0.1 if kind == "prismatic" else np.pi for kind in kinds]
    namesake = replace(library.chain(6, prismatic=(3,)), name="stanford")
    assert usual_move(record(namesake)).start[1] == 0.0
    assert usual_move(record(library.load("stanford"))).start[1] == np.pi / 2


def test_a_move_of_ones_own():
    found = symgen.follow(module("planar3r"), start=[0, 1, 2], end=[1, 1, 1], duration=2, samples=5)
    assert found.t.tolist() == [0, 0.5, 1, 1.5, 2]
    np.testing.assert_allclose(found.q[[0, 2, 4]], [[0, 1, 2], [0.5, 1, 1.5], [1, 1, 1]], atol=1e-15)
    still = module("planar3r").inverse_dynamics([0, 1, 2], [0] * 3, [0] * 3)
    np.testing.assert_allclose(found.tau[0], still, rtol=1e-15)


def test_a_result_cannot_be_changed_and_reads_back_exactly():
    found = symgen.follow(module("stanford"), samples=7)
    with pytest.raises(ValueError, match="read-only"):
        found.tau[0, 0] = 1.0
    header, *lines = found.csv().splitlines()
    assert header.split(",") == [
        "t",
        *(f"{name}{joint}" for name in ("q", "qd", "qdd", "tau") for joint in range(1, 7)),
    ]
    back = np.array([[float(entry) for entry in line.split(",")] for line in lines])
    np.testing.assert_array_equal(back, np.column_stack([found.t, found.q, found.qd, found.qdd, found.tau]))
    assert ",-0," not in found.csv()


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"start": [0, 0]}, InputError, "start: expected 3 numbers, for joint1, joint2, joint3; found 2"),
        ({"end": [0, 0, np.nan]}, InputError, "end: expected a finite number for joint3, found nan"),
        ({"end": "abc"}, InputError, "end: expected 3 numbers, for joint1, joint2, joint3; found 'abc'"),
        ({"duration": -1}, InputError, "duration: expected a number of seconds above 0, found -1"),
        ({"samples": 1}, InputError, "samples: expected a whole number of at least 2, found 1"),
        ({"samples": 2.5}, InputError, "samples: expected a whole number of at least 2, found 2.5"),
        ({"samples": 10**7}, LimitError, "samples: 10000000 are too many; at most 100001"),
    ],
)
def test_bad_arguments_are_named(arguments, error, words):
    with pytest.raises(error, match=words):
        symgen.follow(module("planar3r"), **arguments)


def test_a_module_that_does_not_fit_is_named():
    with pytest.raises(InputError, match="planar2r: this module has no inverse_dynamics; its functions are: gravity"):
        symgen.follow(symgen.generate("planar2r", functions=["gravity_torque"], states=2))
    with pytest.raises(LimitError, match="planar2r: inverse_dynamics takes gravity too"):
        symgen.follow(symgen.generate("planar2r", functions=["inverse_dynamics"], gravity="runtime", states=2))
